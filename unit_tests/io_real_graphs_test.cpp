// SPDX-License-Identifier: BSD-3-Clause
// Real graphs as others publish them: counts of vertices and edges against values computed from the same files by
// independent means (values.json beside the graphs). Skipped where the files are absent.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <dromos/io/read_graph.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "io_files.hpp"

namespace dromos::test {
namespace {

std::string data_folder() {
  const char* const folder = std::getenv("DROMOS_DATA_DIR");
  return folder != nullptr && *folder != '\0' ? folder : DROMOS_DATA_DIR;
}

struct RealGraph {
  const char* name;  // in values.json
  const char* file;
  GraphFormat format;
  std::optional<bool> directed;  // as the file says
};

void PrintTo(const RealGraph& graph, std::ostream* out) { *out << graph.name; }

const std::vector<RealGraph> real_graphs = {
    {"web-NotreDame", "web-NotreDame.txt.xz", GraphFormat::edge_list, true},
    {"soc-Epinions1", "soc-Epinions1.txt.xz", GraphFormat::edge_list, true},
    {"wiki-Vote", "wiki-Vote.txt.xz", GraphFormat::edge_list, true},
    {"p2p-Gnutella31", "p2p-Gnutella31.txt.xz", GraphFormat::edge_list, true},
    {"email-Eu-core", "email-Eu-core.csv.xz", GraphFormat::edge_list, std::nullopt},
    {"cit-HepTh", "cit-HepTh.txt.xz", GraphFormat::edge_list, true},
    {"wb-cs-stanford", "wb-cs.stanford.smat.xz", GraphFormat::smat, true},
    {"cnr-2000", "cnr-2000.txt.xz", GraphFormat::edge_list, true},
    {"ca-GrQc", "ca-GrQc.txt.xz", GraphFormat::edge_list, true},  // so its header says; it lists both directions
    {"email-Enron", "email-Enron.txt.xz", GraphFormat::edge_list, false},
    {"luxembourg_osm", "luxembourg_osm.mtx.xz", GraphFormat::matrix_market, false},
    {"karate", "karate.mtx.xz", GraphFormat::matrix_market, false},
    {"power", "power.graph.xz", GraphFormat::metis, false},
    {"PGPgiantcompo", "PGPgiantcompo.graph.xz", GraphFormat::metis, false},
    {"rgg_n_2_15_s0", "rgg_n_2_15_s0.graph.xz", GraphFormat::metis, false},
    {"USA-road-d.NY", "USA-road-d.NY.gr.xz", GraphFormat::dimacs, true},  // a format of arcs
    {"ldbc-p2p-31", "ldbc-p2p-31.e.xz", GraphFormat::edge_list, std::nullopt},
};

class RealGraphTest : public testing::TestWithParam<RealGraph> {};

TEST_P(RealGraphTest, HasThePublishedCounts) {
  const RealGraph& graph = GetParam();
  const std::filesystem::path folder = data_folder();
  if (!std::filesystem::exists(folder / graph.file) || !std::filesystem::exists(folder / "values.json")) {
    GTEST_SKIP() << "no " << graph.file << " with values.json in " << folder;
  }
  std::ifstream values_file(folder / "values.json");
  const nlohmann::json values = nlohmann::json::parse(values_file).at(graph.name);

  const auto file = read_graph<std::int32_t>((folder / graph.file).string());
  EXPECT_EQ(file.format, graph.format);
  EXPECT_EQ(file.directed, graph.directed);
  EXPECT_EQ(file.edges.num_vertices, values.at("vertices").get<std::int64_t>());
  EXPECT_EQ(file.names.size(), file.edges.num_vertices);
  // The values count a METIS edge once.
  const std::int64_t listed = graph.format == GraphFormat::metis ? 2 : 1;
  EXPECT_EQ(file.edges.num_edges(), listed * values.at("lines").get<std::int64_t>());

  std::int64_t self_loops = 0;
  std::int64_t least = file.names.name(file.edges.source(0)), most = least;
  std::vector<bool> used(static_cast<std::size_t>(file.edges.num_vertices));
  for (Offset e = 0; e < file.edges.num_edges(); ++e) {
    for (const std::int32_t vertex : {file.edges.source(e), file.edges.target(e)}) {
      used.at(static_cast<std::size_t>(vertex)) = true;
      least = std::min(least, file.names.name(vertex));
      most = std::max(most, file.names.name(vertex));
    }
    self_loops += file.edges.source(e) == file.edges.target(e);
  }
  EXPECT_EQ(self_loops, values.at("self_loops").get<std::int64_t>());
  EXPECT_EQ(least, values.at("id_min").get<std::int64_t>());
  EXPECT_EQ(most, values.at("id_max").get<std::int64_t>());
  EXPECT_EQ(std::count(used.begin(), used.end(), true), values.at("ids_used").get<std::int64_t>());
}

INSTANTIATE_TEST_SUITE_P(All, RealGraphTest, testing::ValuesIn(real_graphs), [](const auto& parameter) {
  std::string name = parameter.param.name;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

}  // namespace
}  // namespace dromos::test
