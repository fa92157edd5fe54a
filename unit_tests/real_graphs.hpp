// SPDX-License-Identifier: BSD-3-Clause
// Where real graphs with known answers lie, and which there are.
//
// The folder is that of the environment variable DROMOS_DATA_DIR, else that of the CMake variable; tests skip
// themselves, with a word, where a file is absent. values.json beside the graphs holds the answers.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

namespace dromos::test {

inline std::string data_folder() {
  const char* const folder = std::getenv("DROMOS_DATA_DIR");
  return folder != nullptr && *folder != '\0' ? folder : DROMOS_DATA_DIR;
}

inline std::string data_path(const std::string& name) { return data_folder() + "/" + name; }

#define DROMOS_SKIP_WITHOUT(name)                \
  if (!std::filesystem::exists(data_path(name))) \
  GTEST_SKIP() << data_path(name) << " is absent: set DROMOS_DATA_DIR to the folder of graphs"

/// A member of values.json and its file.
struct RealGraph {
  const char* key;
  const char* file;
};

inline void PrintTo(const RealGraph& graph, std::ostream* out) { *out << graph.key; }

inline const std::vector<RealGraph>& all_real_graphs() {
  static const std::vector<RealGraph> graphs = {{"web-NotreDame", "web-NotreDame.txt.xz"},
                                                {"soc-Epinions1", "soc-Epinions1.txt.xz"},
                                                {"wiki-Vote", "wiki-Vote.txt.xz"},
                                                {"p2p-Gnutella31", "p2p-Gnutella31.txt.xz"},
                                                {"email-Eu-core", "email-Eu-core.csv.xz"},
                                                {"cit-HepTh", "cit-HepTh.txt.xz"},
                                                {"wb-cs-stanford", "wb-cs.stanford.smat.xz"},
                                                {"cnr-2000", "cnr-2000.txt.xz"},
                                                {"ca-GrQc", "ca-GrQc.txt.xz"},
                                                {"email-Enron", "email-Enron.txt.xz"},
                                                {"luxembourg_osm", "luxembourg_osm.mtx.xz"},
                                                {"karate", "karate.mtx.xz"},
                                                {"power", "power.graph.xz"},
                                                {"PGPgiantcompo", "PGPgiantcompo.graph.xz"},
                                                {"rgg_n_2_15_s0", "rgg_n_2_15_s0.graph.xz"},
                                                {"USA-road-d.NY", "USA-road-d.NY.gr.xz"},
                                                {"ldbc-p2p-31", "ldbc-p2p-31.e.xz"}};
  return graphs;
}

/// The known answers for a graph.
inline nlohmann::json known_values(const std::string& key) {
  std::ifstream file(data_path("values.json"));
  return nlohmann::json::parse(file).at(key);
}

/// A graph's key as the name of a test.
inline std::string test_name(const ::testing::TestParamInfo<RealGraph>& parameter) {
  std::string name = parameter.param.key;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

}  // namespace dromos::test
