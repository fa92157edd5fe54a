// SPDX-License-Identifier: BSD-3-Clause
// Strongly connected components of real graphs: numbers and sizes against values computed from the same files by others
// (values.json beside the graphs), by every method and strategy, and a reference partition vertex by vertex. Skipped
// where the files are absent. web-Google is looked for as well (web-Google.txt, plain or compressed).
#include <gtest/gtest.h>

#include <cstdlib>
#include <dromos/io/read_graph.hpp>
#include <dromos/validate/strong_component_rules.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scc_graphs.hpp"
#include "strategy_tunings.hpp"

namespace {

using dromos::test::Memory;
using dromos::test::SccProblem;
using dromos::test::Space;
using dromos::test::to_vector;
using Vertex = std::int32_t;

std::filesystem::path data_folder() {
  const char* const folder = std::getenv("DROMOS_DATA_DIR");
  return folder != nullptr && *folder != '\0' ? folder : DROMOS_DATA_DIR;
}

struct DirectedGraph {
  const char* name;  // in values.json
  const char* file;
};

class RealGraphSccTest : public ::testing::TestWithParam<DirectedGraph> {};

template <class Id>
SccProblem<Id> read_problem(const std::filesystem::path& path) {
  return SccProblem<Id>(
      dromos::build_csr(Space(), dromos::copy_to<Memory>(dromos::read_graph<Id>(path.string()).edges)));
}

/// Number of components by size, as text, the way values.json has it.
template <class Id>
std::map<std::string, std::int64_t> size_histogram(const std::vector<Id>& component) {
  std::vector<std::int64_t> size(component.size(), 0);
  for (const Id label : component) ++size[label];
  std::map<std::string, std::int64_t> histogram;
  for (const std::int64_t s : size) {
    if (s > 0) ++histogram[std::to_string(s)];
  }
  return histogram;
}

TEST_P(RealGraphSccTest, HasThePublishedComponents) {
  const auto path = data_folder() / GetParam().file;
  if (!std::filesystem::exists(path) || !std::filesystem::exists(data_folder() / "values.json")) {
    GTEST_SKIP() << "no " << GetParam().file << " with values.json in " << data_folder();
  }
  std::ifstream values_file(data_folder() / "values.json");
  const auto values = nlohmann::json::parse(values_file).at(GetParam().name);
  auto problem = read_problem<Vertex>(path);

  for (const auto& variant : dromos::test::scc_variants()) {
    // Contraction is for GPUs; on CPUs large graphs take seconds.
    const bool contracts = variant.multistep.contraction_cutoff >= 0;
    if (contracts && !dromos::is_gpu<Space> && problem.graph.num_vertices() > 100000) continue;
    for (const dromos::Strategy& strategy : dromos::all_strategies()) {
      SCOPED_TRACE(variant.name + ", " + dromos::test::describe(strategy));
      const auto statistics = problem.expect_right({variant.method, strategy, variant.multistep});
      // Vertices are the ids that occur, or all ids where the format declares their range; a file may leave ids out.
      const std::int64_t num_unused = problem.graph.num_vertices() - values.at("vertices").get<std::int64_t>();
      EXPECT_EQ(statistics.components.num_components, values.at("scc").get<std::int64_t>() + num_unused);
      EXPECT_EQ(statistics.components.largest_component, values.at("largest_scc").get<std::int64_t>());
      if (num_unused == 0) {
        const auto expected = values.at("scc_size_histogram").get<std::map<std::string, std::int64_t>>();
        EXPECT_EQ(size_histogram(to_vector(problem.result.component)), expected);
      }
    }
  }
  const auto proof = dromos::validate_strong_components(problem.graph, problem.result.component);
  EXPECT_TRUE(proof.holds) << proof.message;

  auto wide = read_problem<std::int64_t>(path);
  wide.expect_right({});
}

INSTANTIATE_TEST_SUITE_P(All, RealGraphSccTest,
                         ::testing::Values(DirectedGraph{"web-NotreDame", "web-NotreDame.txt.xz"},
                                           DirectedGraph{"soc-Epinions1", "soc-Epinions1.txt.xz"},
                                           DirectedGraph{"wiki-Vote", "wiki-Vote.txt.xz"},
                                           DirectedGraph{"p2p-Gnutella31", "p2p-Gnutella31.txt.xz"},
                                           DirectedGraph{"cit-HepTh", "cit-HepTh.txt.xz"},
                                           DirectedGraph{"email-Eu-core", "email-Eu-core.csv.xz"},
                                           DirectedGraph{"cnr-2000", "cnr-2000.txt.xz"},
                                           DirectedGraph{"wb-cs-stanford", "wb-cs.stanford.smat.xz"},
                                           DirectedGraph{"ldbc-p2p-31", "ldbc-p2p-31.e.xz"}),
                         [](const auto& parameter) {
                           std::string name = parameter.param.name;
                           for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           return name;
                         });

/// The partition that the makers of the graph ship: component numbers of vertices 0, 1, 2 ...
TEST(RealGraphSccTest, IsThePartitionThatComesWithCnr2000) {
  const auto graph_path = data_folder() / "cnr-2000.txt.xz";
  const auto reference_path = data_folder() / "cnr-2000.scc.txt.xz";
  if (!std::filesystem::exists(graph_path) || !std::filesystem::exists(reference_path)) {
    GTEST_SKIP() << "no cnr-2000 with its components in " << data_folder();
  }
  std::vector<std::int64_t> reference;
  // Through a decompressor of the system: the reader of graphs would take a column of numbers for something else.
  const std::string command = "xz -dc '" + reference_path.string() + "'";
  FILE* const pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  for (long long number; std::fscanf(pipe, "%lld", &number) == 1;) reference.push_back(number);
  pclose(pipe);

  auto problem = read_problem<Vertex>(graph_path);
  ASSERT_EQ(reference.size(), static_cast<std::size_t>(problem.graph.num_vertices()));
  problem.expect_right({});
  const auto component = to_vector(problem.result.component);
  std::map<std::int64_t, Vertex> label_of;
  std::map<Vertex, std::int64_t> number_of;
  for (std::size_t v = 0; v < reference.size(); ++v) {
    ASSERT_EQ(label_of.try_emplace(reference[v], component[v]).first->second, component[v]) << "vertex " << v;
    ASSERT_EQ(number_of.try_emplace(component[v], reference[v]).first->second, reference[v]) << "vertex " << v;
  }
  EXPECT_EQ(label_of.size(), 100977u);
}

TEST(RealGraphSccTest, HasThePublishedComponentsOfWebGoogle) {
  for (const char* const file : {"web-Google.txt", "web-Google.txt.gz", "web-Google.txt.xz"}) {
    const auto path = data_folder() / file;
    if (!std::filesystem::exists(path)) continue;
    auto problem = read_problem<Vertex>(path);
    for (const dromos::Strategy& strategy : dromos::all_strategies()) {
      const auto counts = problem.expect_right({dromos::SccMethod::multistep, strategy, {}}).components;
      EXPECT_EQ(counts.num_components, 371764);
      EXPECT_EQ(counts.num_nontrivial, 12874);
      EXPECT_EQ(counts.largest_component, 434818);
    }
    return;
  }
  GTEST_SKIP() << "no web-Google.txt in " << data_folder();
}

}  // namespace
