// SPDX-License-Identifier: BSD-3-Clause
// `dromos matching`, `btf`, `condense` and `mis2`, and the files of orders, on matrices and graphs whose answers are
// known by hand; `btf` beside SciPy where Python has it.
#include <algorithm>
#include <cstdint>
#include <dromos/io/results.hpp>
#include <dromos/version.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "run_dromos.hpp"

namespace dromos::test {
namespace {

using nlohmann::json;

const std::string head = "%%MatrixMarket matrix coordinate real general\n";
// The matrix of algorithms/block_triangular_form.hpp with its rows backwards, and two columns exchanged.
const std::string matrix = head +
                           "6 6 12\n6 1 1\n6 2 2\n6 6 3\n5 4 4\n5 3 5\n4 3 6\n4 5 7\n4 6 8\n3 3 9\n3 5 10\n2 6 11\n"
                           "1 6 12.000000000000000001\n";

/// Four runs, one a strategy, all valid.
json run_all_of(const RunDromos& dromos, const std::string& arguments) {
  const json report = run_json(dromos, arguments + " --strategy all --validate");
  EXPECT_EQ(report["runs"].size(), 4u);
  for (const json& run : report["runs"]) EXPECT_EQ(run["valid"], true) << run.dump();
  return report;
}

TEST(DriverMatrices, MatchingPairsRowsAndColumns) {
  const RunDromos dromos;
  dromos.write("a.mtx", matrix);
  dromos.write("wide.mtx", head + "2 4 3\n1 2 1\n2 2 1\n2 4 1\n");
  const json report = run_all_of(dromos, "matching a.mtx");
  for (const json& run : report["runs"]) EXPECT_EQ(run["num_matched"], 5);
  EXPECT_EQ(report["graph"]["num_rows"], 6);
  EXPECT_EQ(report["graph"]["num_vertices"], 12);
  EXPECT_EQ(report["graph"]["num_edges"], 12);
  ASSERT_EQ(dromos.run("matching --output pairs.txt wide.mtx").exit_code, 0);
  EXPECT_EQ(dromos.read("pairs.txt"), "1 2\n2 4\n");
  ASSERT_EQ(dromos.run("matching --output pairs.mtx wide.mtx").exit_code, 0);
  EXPECT_EQ(dromos.read("pairs.mtx"), "%%MatrixMarket matrix array integer general\n2 1\n2\n4\n");
  dromos.write("graph.txt", "7 9\n9 12\n");
  ASSERT_EQ(dromos.run("matching --output pairs.txt graph.txt").exit_code, 0);
  EXPECT_EQ(dromos.read("pairs.txt"), "7 9\n9 12\n12 -1\n");
  expect_refusal(dromos, "scc wide.mtx", {"wide.mtx", "square"});
  expect_refusal(dromos, "matching --undirected wide.mtx", {"--undirected", "2 rows"});
}

TEST(DriverMatrices, MatchingAppliesItsPairs) {
  const RunDromos dromos;
  const auto apply = [&](const std::string& entries) {
    dromos.write("a.mtx", head + entries);
    EXPECT_EQ(dromos.run("matching --validate --apply b.mtx a.mtx").exit_code, 0);
    return dromos.read("b.mtx");
  };
  // Only one perfect matching: rows 1 2 3 with columns 2 3 1.
  EXPECT_EQ(apply("3 3 4\n1 2 1.50\n2 3 -2\n3 1 3e0\n2 2 4\n"), head + "3 3 4\n2 2 1.50\n3 3 -2\n1 1 3e0\n3 2 4\n");
  // More columns: they move. More rows: they do, and the one without a mate fills the gap.
  EXPECT_EQ(apply("2 4 2\n1 3 5\n2 4 6\n"), head + "2 4 2\n1 1 5\n2 2 6\n");
  EXPECT_EQ(apply("3 2 3\n2 1 5\n3 2 6\n3 1 7\n"), head + "3 2 3\n1 1 5\n2 2 6\n2 1 7\n");
  // Structurally singular: as many on the diagonal as the rank says.
  dromos.write("a.mtx", matrix);
  ASSERT_EQ(dromos.run("matching --apply b.mtx a.mtx").exit_code, 0);
  std::istringstream lines(dromos.read("b.mtx").substr(head.size()));
  std::int64_t rows = 0, columns = 0, num_entries = 0, num_on_diagonal = 0;
  lines >> rows >> columns >> num_entries;
  std::string value;
  for (std::int64_t i = 0, j = 0; lines >> i >> j >> value;) num_on_diagonal += i == j;
  EXPECT_EQ(num_entries, 12);
  EXPECT_EQ(num_on_diagonal, 5);
  // Of a graph, its adjacency matrix.
  dromos.write("graph.txt", "1 2\n2 3\n3 1\n");
  ASSERT_EQ(dromos.run("matching --apply b.txt graph.txt").exit_code, 0);
  for (const std::string edge : {"1\t1\n", "2\t2\n", "3\t3\n"}) {
    EXPECT_NE(dromos.read("b.txt").find(edge), std::string::npos) << dromos.read("b.txt");
  }
  dromos.write("wide.mtx", head + "2 4 2\n1 3 5\n2 4 6\n");
  EXPECT_EQ(dromos.run("matching --apply c.txt wide.mtx").exit_code, 2);
  expect_refusal(dromos, "matching --apply a.mtx a.mtx", {"--apply"});
}

TEST(DriverMatrices, SeedsDecideSetsAndColors) {
  const RunDromos dromos;
  for (const std::string command : {"mis2", "coloring"}) {
    const auto found = [&](const std::string& options) {
      const Outcome outcome =
          dromos.run(command + " --output found.txt --generate grid --rows 20 --columns 20 " + options);
      EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
      return dromos.read("found.txt");
    };
    const std::string seven = found("--seed 7 --validate");
    for (const std::string strategy : {"manhattan-global", "hierarchical"}) {
      EXPECT_EQ(found("--seed 7 --strategy " + strategy), seven) << command << ", " << strategy;
    }
    EXPECT_NE(found("--seed 8"), seven) << command;
    EXPECT_EQ(found("--seed 1"), found("")) << command;
    EXPECT_EQ(run_json(dromos, command + " --seed 7 --generate grid --rows 3 --columns 4")["runs"][0]["seed"], 7);
  }
  expect_refusal(dromos, "rcm --seed 7 --generate grid --rows 3 --columns 4", {"--seed", "no effect"});
}

TEST(DriverMatrices, BtfFindsTheBlocks) {
  const RunDromos dromos;
  dromos.write("a.mtx", matrix);
  for (const json& run : run_all_of(dromos, "btf a.mtx")["runs"]) {
    EXPECT_EQ(run["num_matched"], 5);
    EXPECT_EQ(run["num_square_blocks"], 2);
    EXPECT_EQ(run["largest_square_block"], 2);
    EXPECT_EQ(run["num_under_columns"], 2);
    EXPECT_EQ(run["num_over_rows"], 2);
  }
  ASSERT_EQ(dromos.run("btf --row-order rows.txt --column-order columns.txt --apply b.mtx a.mtx").exit_code, 0);
  const std::string rows = dromos.read("rows.txt"), permuted = dromos.read("b.mtx");
  EXPECT_EQ(rows.substr(rows.find("3 ")), "3 2 2\n4 3 2\n5 1 1\n6 0 0\n");
  const std::string columns = dromos.read("columns.txt");
  EXPECT_EQ(columns.substr(columns.find("4 ")), "4 2 1\n5 4 2\n6 5 3\n") << columns;
  EXPECT_NE(permuted.find("12.000000000000000001\n"), std::string::npos) << permuted;
  // The form of the permuted matrix is that of the given one.
  EXPECT_EQ(run_json(dromos, "btf --validate b.mtx")["runs"][0]["num_square_blocks"], 2);

  // Of a graph, its adjacency matrix in the format that the name tells.
  dromos.write("graph.txt", "1 2\n2 3\n3 1\n1 1\n2 2\n3 3\n");
  ASSERT_EQ(dromos.run("btf --apply b.txt graph.txt").exit_code, 0);
  EXPECT_EQ(run_json(dromos, "btf --validate b.txt")["runs"][0]["largest_square_block"], 3);
  dromos.write("wide.mtx", head + "2 4 3\n1 2 1\n2 2 1\n2 4 1\n");
  expect_refusal(dromos, "btf --apply b.unknown a.mtx", {"b.unknown", "format"});
  expect_refusal(dromos, "btf --apply a.mtx a.mtx", {"--apply"});
  EXPECT_EQ(dromos.run("btf --apply c.txt wide.mtx").exit_code, 2);
  EXPECT_EQ(dromos.files().count("c.txt"), 0u);
}

TEST(DriverMatrices, RcmAppliesItsOrder) {
  const RunDromos dromos;
  dromos.write("path.mtx",
               "%%MatrixMarket matrix coordinate real symmetric\n4 4 4\n3 1 0.1\n4 1 0.2\n4 2 0.3\n2 2 9\n");
  for (const std::string options : {"", " --relabel"}) {
    ASSERT_EQ(dromos.run("rcm --output order.mtx --apply b.mtx path.mtx" + options).exit_code, 0);
    EXPECT_EQ(dromos.read("order.mtx"), "%%MatrixMarket matrix array integer general\n4 1\n1\n3\n0\n2\n") << options;
    EXPECT_EQ(dromos.read("b.mtx"),
              "%%MatrixMarket matrix coordinate real symmetric\n4 4 4\n2 1 0.1\n3 2 0.2\n4 3 0.3\n4 4 9\n");
  }
  ASSERT_EQ(dromos.run("rcm --apply b.graph path.mtx").exit_code, 0);
  EXPECT_EQ(dromos.read("b.graph"), "4 3\n2\n1 3\n2 4\n3\n");
}

TEST(DriverMatrices, CondenseMakesTheGraphOfComponents) {
  const RunDromos dromos;
  dromos.write("g.txt", "10 20\n20 10\n20 30\n10 30\n30 40\n40 50\n50 30\n60 10\n60 30\n");
  for (const json& run : run_all_of(dromos, "condense g.txt")["runs"]) {
    EXPECT_EQ(run["num_components"], 3);
    EXPECT_EQ(run["num_edges"], 3);
    EXPECT_EQ(run["num_levels"], 3);
  }
  const std::string outputs = "condense --output levels.txt --graph components.mtx --feedback cut.txt g.txt";
  ASSERT_EQ(dromos.run(outputs).exit_code, 0);
  EXPECT_EQ(dromos.read("levels.txt"), "10 0 1\n20 0 1\n30 1 2\n40 1 2\n50 1 2\n60 2 0\n");
  EXPECT_EQ(dromos.read("components.mtx"), "%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n3 1\n3 2\n");
  const std::string cut = dromos.read("cut.txt");
  EXPECT_NE(cut.find("Edges: 2\n"), std::string::npos) << cut;
}

struct MatrixEntry {
  std::int64_t row, column;
  std::string value;
};

/// The entries of a Matrix Market file, from 1.
std::vector<MatrixEntry> entries_of(const std::string& text) {
  std::istringstream lines(text);
  for (std::string comment; lines.peek() == '%';) std::getline(lines, comment);
  std::int64_t num_rows = 0, num_columns = 0, num_entries = 0;
  lines >> num_rows >> num_columns >> num_entries;
  std::vector<MatrixEntry> entries;
  const bool has_values = text.find(" pattern ") == std::string::npos;
  for (MatrixEntry entry; lines >> entry.row >> entry.column && (!has_values || lines >> entry.value);) {
    entries.push_back(entry);
  }
  EXPECT_EQ(static_cast<std::int64_t>(entries.size()), num_entries);
  return entries;
}

/// The numbers in a text, so many in each line.
std::vector<std::vector<std::int64_t>> numbers_of(const std::string& text, std::size_t width) {
  std::vector<std::vector<std::int64_t>> rows;
  std::istringstream numbers(text);
  for (std::vector<std::int64_t> row(width);;) {
    for (std::int64_t& number : row) numbers >> number;
    if (!numbers) return rows;
    rows.push_back(row);
  }
}

TEST(DriverMatrices, CondenseAppliesItsOrder) {
  const RunDromos dromos;
  // Levels: 3 and 5; 2 and 4, which reach each other; 1.
  dromos.write("a.mtx", head + "5 5 6\n2 4 1.0\n4 2 2e0\n5 2 3\n4 1 4\n1 1 5\n3 3 6\n");
  for (const std::string options : {"", " --relabel", " --strategy manhattan-global"}) {
    ASSERT_EQ(dromos.run("condense --validate --order o.mtx --apply b.mtx a.mtx" + options).exit_code, 0);
    EXPECT_EQ(dromos.read("o.mtx"), "%%MatrixMarket matrix array integer general\n5 1\n4\n2\n0\n3\n1\n") << options;
    EXPECT_EQ(dromos.read("b.mtx"), head + "5 5 6\n3 4 1.0\n4 3 2e0\n2 3 3\n4 5 4\n5 5 5\n1 1 6\n") << options;
  }
  // Of a graph: nothing leads back, but inside of components, which stand together.
  ASSERT_EQ(dromos.run("generate kronecker --scale 9 --edge-factor 3 --directed --output k.mtx").exit_code, 0);
  ASSERT_EQ(dromos.run("convert k.mtx k.txt").exit_code, 0);
  for (const std::string from : {"k.mtx", "k.txt"}) {
    ASSERT_EQ(dromos.run("condense --apply b.mtx " + from).exit_code, 0);
    ASSERT_EQ(dromos.run("condense --validate --output c.txt b.mtx").exit_code, 0);
    const auto components = numbers_of(dromos.read("c.txt"), 3);
    const auto component = [&](std::int64_t v) { return components[static_cast<std::size_t>(v - 1)][1]; };
    std::int64_t num_changes = 0, num_inside = 0, most = 0;
    for (std::int64_t v = 1; v <= static_cast<std::int64_t>(components.size()); ++v) {
      num_changes += v > 1 && component(v) != component(v - 1);
      most = std::max(most, component(v));
    }
    EXPECT_EQ(num_changes, most) << from << ": a component is in pieces";
    for (const MatrixEntry& entry : entries_of(dromos.read("b.mtx"))) {
      EXPECT_TRUE(entry.row < entry.column || component(entry.row) == component(entry.column)) << from;
      num_inside += entry.row > entry.column;
    }
    EXPECT_GT(num_inside, 0);
  }
  expect_refusal(dromos, "condense --apply a.mtx a.mtx", {"--apply"});
}

TEST(DriverMatrices, Mis2AppliesAnOrderByAggregates) {
  const RunDromos dromos;
  // A ladder of 9 rungs, each entry with a value of its own, its rows in no order.
  std::string lines;
  std::int64_t num_entries = 0;
  const auto number = [](std::int64_t v) { return 1 + v * 7 % 18; };
  const auto join = [&](std::int64_t u, std::int64_t v) {
    const std::int64_t i = number(u), j = number(v);
    lines += std::to_string(std::max(i, j)) + " " + std::to_string(std::min(i, j)) + " 0." +
             std::to_string(++num_entries) + "\n";
  };
  for (std::int64_t v = 0; v < 18; ++v) {
    if (v % 2 == 0) join(v, v + 1);
    if (v + 2 < 18) join(v, v + 2);
  }
  dromos.write("a.mtx",
               "%%MatrixMarket matrix coordinate real symmetric\n18 18 " + std::to_string(num_entries) + "\n" + lines);
  const auto given = entries_of(dromos.read("a.mtx"));
  for (const std::string options : {"", " --seed 5", " --relabel"}) {
    ASSERT_EQ(dromos.run("mis2 --validate --output m.txt --order o.txt --apply b.mtx a.mtx" + options).exit_code, 0);
    const auto members = numbers_of(dromos.read("m.txt"), 2), order = numbers_of(dromos.read("o.txt"), 3);
    ASSERT_EQ(order.size(), 18u);
    std::vector<std::int64_t> at(18, -1);  // by place: the vertex
    for (std::int64_t v = 0; v < 18; ++v) at[static_cast<std::size_t>(order[static_cast<std::size_t>(v)][1])] = v;
    ASSERT_EQ(std::count(at.begin(), at.end(), -1), 0) << "no permutation";
    std::int64_t aggregate = -1, last_member = -1;
    for (const std::int64_t v : at) {
      const auto& line = order[static_cast<std::size_t>(v)];
      const bool is_member = members[static_cast<std::size_t>(v)][1] == 1;
      aggregate += is_member;
      EXPECT_EQ(line[2], aggregate) << "vertex " << line[0] << " at place " << line[1];
      if (!is_member) continue;
      EXPECT_LT(std::exchange(last_member, v), v) << "aggregates follow each other as their members do";
    }
    const auto permuted = entries_of(dromos.read("b.mtx"));
    ASSERT_EQ(permuted.size(), given.size());
    for (std::size_t e = 0; e < given.size(); ++e) {
      const auto place = [&](std::int64_t v) { return 1 + order[static_cast<std::size_t>(v - 1)][1]; };
      const std::int64_t i = place(given[e].row), j = place(given[e].column);
      EXPECT_EQ(permuted[e].row, std::max(i, j));
      EXPECT_EQ(permuted[e].column, std::min(i, j));
      EXPECT_EQ(permuted[e].value, given[e].value);
    }
  }
}

#ifdef DROMOS_ENABLE_HDF5
TEST(DriverMatrices, OrdersInHdf5AreThoseInText) {
  const RunDromos dromos;
  dromos.write("a.mtx", matrix);
  dromos.write("g.txt", "10 20\n20 10\n20 30\n");
  const auto expect_same = [&](const std::string& command, const std::string& option,
                               const std::vector<std::string>& names) {
    ASSERT_EQ(dromos.run(command + " " + option + " found.txt").exit_code, 0);
    ASSERT_EQ(dromos.run(command + " " + option + " found.h5").exit_code, 0);
    const ResultTable table = read_results(dromos.folder() + "/found.h5");
    ASSERT_EQ(table.columns.size(), names.size());
    std::istringstream lines(dromos.read("found.txt"));
    for (std::int64_t v = 0; v < table.num_vertices; ++v) {
      std::int64_t name = 0, expected = 0;
      lines >> name;
      EXPECT_EQ(table.names.name(v), name);
      for (std::size_t c = 0; c < names.size(); ++c) {
        // The file has them by name, the text as they are written.
        const auto column = std::find_if(table.columns.begin(), table.columns.end(),
                                         [&](const auto& each) { return each.name == names[c]; });
        ASSERT_NE(column, table.columns.end()) << command << ": no column " << names[c];
        lines >> expected;
        const auto value_at = [&](const auto& values) { return static_cast<std::int64_t>(values(v)); };
        EXPECT_EQ(std::visit(value_at, column->values), expected) << command;
      }
    }
  };
  expect_same("btf a.mtx", "--row-order", {"place", "block"});
  expect_same("btf a.mtx", "--column-order", {"place", "block"});
  expect_same("condense g.txt", "--output", {"component", "level"});
  expect_same("condense g.txt", "--order", {"place"});
  expect_same("mis2 --undirected g.txt", "--order", {"place", "aggregate"});
}
#endif

/// Runs a script beside the program, and expects it to say that all was the same; false where no Python has SciPy.
bool agrees_with_scipy(const RunDromos& dromos, const std::string& arguments, const std::string& expected) {
  for (const std::string python : {"python3", "/usr/bin/python3"}) {
    if (dromos.shell(python + " -c 'import scipy'").exit_code != 0) continue;
    const std::string script = arguments.substr(0, arguments.find(' ')), options = arguments.substr(script.size());
    const Outcome outcome =
        dromos.shell(python + " '" DROMOS_DOC_DIR "/../scripts/" + script + "' '" DROMOS_PROGRAM "'" + options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_NE(outcome.out.find(expected), std::string::npos) << outcome.out;
    return true;
  }
  return false;
}

constexpr const char* no_scipy =
    "python3 or its scipy is missing: only the serial algorithm of the unit tests was compared with";

TEST(DriverMatrices, BtfIsThatOfScipy) {
  const RunDromos dromos;
  if (!agrees_with_scipy(dromos, "compare-btf.py --matrices 150", "150 random matrices: the same")) {
    GTEST_SKIP() << no_scipy;
  }
}

TEST(DriverMatrices, MatchingsAreAsLargeAsScipys) {
  const RunDromos dromos;
  if (!agrees_with_scipy(dromos, "compare-matching.py --random 40 --turns 0", "40 random matrices: the same sizes")) {
    GTEST_SKIP() << no_scipy;
  }
}

}  // namespace
}  // namespace dromos::test
