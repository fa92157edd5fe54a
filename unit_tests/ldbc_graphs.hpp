// SPDX-License-Identifier: BSD-3-Clause
// The hand-made validation graphs of the LDBC Graphalytics benchmark, with the results that their makers ship: members
// of ldbc-validation-graphs.tar.xz, taken out by the system's tar.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "real_graphs.hpp"
#include "view_tools.hpp"

namespace dromos::test {

inline constexpr const char* ldbc_archive = "ldbc-validation-graphs.tar.xz";

/// The text of a member of the archive: "pr/dir-input".
inline std::string ldbc_text(const std::string& member) {
  const std::string command = "tar -xJOf '" + data_path(ldbc_archive) + "' 'validation-graphs/" + member + "'";
  std::string text;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  for (int c; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  pclose(pipe);
  return text;
}

/// Arcs between vertices numbered from 0 in the order of their ids.
struct LdbcGraph {
  std::map<std::int64_t, std::int64_t> vertex_of;
  std::vector<std::pair<std::int64_t, std::int64_t>> arcs;
  std::vector<float> weights;

  std::int64_t num_vertices() const { return static_cast<std::int64_t>(vertex_of.size()); }

  template <class Vertex>
  EdgeList<Vertex, Memory> edge_list() const {
    std::vector<std::pair<Vertex, Vertex>> pairs;
    for (const auto& [u, v] : arcs) {
      pairs.emplace_back(static_cast<Vertex>(vertex_of.at(u)), static_cast<Vertex>(vertex_of.at(v)));
    }
    auto list = make_edge_list<Vertex>(static_cast<Vertex>(num_vertices()), pairs);
    if (!weights.empty()) list.weight = to_view(weights);
    return list;
  }

  void add_vertex(std::int64_t id) { vertex_of[id] = 0; }
  void number_vertices() {
    std::int64_t next = 0;
    for (auto& entry : vertex_of) entry.second = next++;
  }
};

/// From lines "VERTEX NEIGHBOR NEIGHBOR ..."; of an undirected graph both ends list an edge.
inline LdbcGraph ldbc_adjacency(const std::string& member) {
  LdbcGraph graph;
  std::istringstream lines(ldbc_text(member));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::int64_t u = 0;
    if (!(words >> u)) continue;
    graph.add_vertex(u);
    for (std::int64_t v; words >> v;) {
      graph.arcs.emplace_back(u, v);
      graph.add_vertex(v);
    }
  }
  graph.number_vertices();
  return graph;
}

/// From lines "VERTEX" in NAME.v and "SOURCE TARGET WEIGHT" in NAME.e; an undirected edge is listed once.
inline LdbcGraph ldbc_edges(const std::string& name) {
  LdbcGraph graph;
  std::istringstream vertices(ldbc_text(name + ".v")), edges(ldbc_text(name + ".e"));
  for (std::int64_t v; vertices >> v;) graph.add_vertex(v);
  std::int64_t u, v;
  for (float weight; edges >> u >> v >> weight;) {
    graph.arcs.emplace_back(u, v);
    graph.weights.push_back(weight);
  }
  graph.number_vertices();
  return graph;
}

/// The result of each vertex, in the order of their ids; "Infinity" is read as such.
inline std::vector<double> ldbc_values(const std::string& member) {
  std::map<std::int64_t, double> values;
  std::istringstream lines(ldbc_text(member));
  std::int64_t id = 0;
  for (std::string value; lines >> id >> value;) values[id] = std::stod(value);
  std::vector<double> in_order;
  for (const auto& entry : values) in_order.push_back(entry.second);
  return in_order;
}

}  // namespace dromos::test
