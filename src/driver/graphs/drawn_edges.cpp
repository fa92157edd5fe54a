// SPDX-License-Identifier: BSD-3-Clause
#include "driver/graphs/drawn_edges.hpp"

#include <cmath>

namespace dromos::driver {
namespace {

/// Is something that is expected so many times there at all? Draws are many and rare: as Poisson has it.
double chance(double expected) { return -std::expm1(-expected); }

/// n! / (parts!) of parts that add up to n.
double num_arrangements(int i, int j, int k = 0, int l = 0) {
  return std::exp(std::lgamma(i + j + k + l + 1.0) - std::lgamma(i + 1.0) - std::lgamma(j + 1.0) -
                  std::lgamma(k + 1.0) - std::lgamma(l + 1.0));
}

}  // namespace

DrawnEdges DrawnEdges::uniform(double num_vertices, double num_edges) {
  DrawnEdges edges;
  if (num_vertices < 2) return edges;
  const double pairs = num_vertices * (num_vertices - 1), drawn = num_edges * (num_vertices - 1) / num_vertices;
  edges.directed_ = pairs * chance(drawn / pairs);
  edges.undirected_ = pairs / 2 * chance(2 * drawn / pairs);
  edges.degrees_ = {{num_vertices, 2 * num_edges / num_vertices}};
  return edges;
}

DrawnEdges DrawnEdges::kronecker(int scale, double num_edges, double a, double b, double c) {
  DrawnEdges edges;
  const double d = std::fmax(0, 1 - a - b - c);
  // Vertices of as many one bits have as many edges.
  for (int ones = 0; ones <= scale; ++ones) {
    const auto likely = [&](double one) { return std::pow(1 - one, scale - ones) * std::pow(one, ones); };
    edges.degrees_.emplace_back(num_arrangements(scale - ones, ones), num_edges * (likely(c + d) + likely(b + d)));
  }
  // Likewise pairs of vertices that differ in as many bits in each direction; where they differ in none, they are one.
  for (int i = 0; i <= scale; ++i) {
    for (int j = 0; i + j <= scale; ++j) {
      for (int k = 0; i + j + k <= scale; ++k) {
        if (j + k == 0) continue;
        const int l = scale - i - j - k;
        const double same = std::pow(a, i) * std::pow(d, l), pairs = num_arrangements(i, j, k, l);
        const double there = num_edges * same * std::pow(b, j) * std::pow(c, k);
        const double back = num_edges * same * std::pow(b, k) * std::pow(c, j);
        edges.directed_ += pairs * chance(there);
        edges.undirected_ += pairs / 2 * chance(there + back);
      }
    }
  }
  return edges;
}

double DrawnEdges::num_met_by(double share) const {
  double met = 0;
  for (const auto& [vertices, degree] : degrees_) met += vertices * chance(share * degree);
  return met;
}

}  // namespace dromos::driver
