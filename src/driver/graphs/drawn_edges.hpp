// SPDX-License-Identifier: BSD-3-Clause
// Edges that a generator draws one by one at random: how many of them are different, and how many vertices a part of
// them meets, before any is drawn. What ranks keep of a graph depends on both.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace dromos::driver {

class DrawnEdges {
 public:
  /// Each of so many edges is one of all pairs of vertices, all as likely; also what is taken of an unknown graph.
  static DrawnEdges uniform(double num_vertices, double num_edges);

  /// As KroneckerEdges draws them (generate/kronecker.hpp): quadrants of the matrix by a, b, c and what remains to 1,
  /// in each of `scale` bits.
  static DrawnEdges kronecker(int scale, double num_edges, double a, double b, double c);

  /// How many edges are left once loops and what is there again are gone, as expected; `directed`: u-v and v-u differ.
  double num_distinct(bool directed) const { return directed ? directed_ : undirected_; }

  /// How many of all vertices share an edge with at least one of a share of all vertices, taken at random.
  double num_met_by(double share) const;

 private:
  double directed_ = 0, undirected_ = 0;
  std::vector<std::pair<double, double>> degrees_;  ///< so many vertices have so many ends of edges, as expected
};

}  // namespace dromos::driver
