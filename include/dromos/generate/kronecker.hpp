// SPDX-License-Identifier: BSD-3-Clause
// Kronecker (R-MAT) graphs as the Graph500 benchmark defines them: skewed degrees, small diameter.
//
// The adjacency matrix of 2^scale vertices is halved `scale` times in both directions; each time, an edge falls into
// the quadrant A, B, C or D with probability a, b, c or d = 1 - a - b - c, which settles one bit of its source (the
// row) and one of its target (the column). No noise. Vertex numbers are scrambled by a bijective hash, because
// otherwise vertex 0 would be the hub of every graph. Self loops and duplicates remain, as the benchmark wants it.
//
// How it is fast: three choices at a time in one 64-bit word, with integer arithmetic alone. Bits 0..19, 21..40 and
// 42..61 of a random word are three numbers r in [0, 2^20); bits 20, 41 and 62 are set as guards. Subtracting a
// threshold t <= 2^20 from all three lanes at once leaves a guard set exactly where r >= t:
//
//   r >= a   r >= a + b   r >= a + b + c    quadrant   source bit   target bit
//     0          0              0              A           0            0        source = (r >= a + b)
//     1          0              0              B           0            1        target = parity of the three
//     1          1              0              C           1            0
//     1          1              1              D           1            1
//
// Probabilities are thus exact to 2^-21. The order of the bits is free, since all levels are alike and independent.
//   D. Chakrabarti, Y. Zhan, C. Faloutsos, "R-MAT: A Recursive Model for Graph Mining", SDM 2004.
//   Graph500 benchmark specification 2.0, section 3 (https://graph500.org).
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/types.hpp>
#include <dromos/generate/bijective_hash.hpp>
#include <dromos/generate/counter_random.hpp>
#include <dromos/generate/generate_edges.hpp>
#include <dromos/graph/edge_list.hpp>
#include <limits>
#include <string>

namespace dromos {

/// Which Kronecker graph. The defaults of a, b, c and edge_factor are those of Graph500.
struct KroneckerOptions {
  /// The graph has 2^scale vertices: 0 .. 30 for 32-bit ids, 0 .. 47 for 64-bit ids.
  int scale = 16;
  /// Edges per vertex; the list has edge_factor * 2^scale of them.
  std::int64_t edge_factor = 16;
  /// Probabilities of three quadrants; that of the fourth is what remains to 1.
  double a = 0.57, b = 0.19, c = 0.19;
  /// Equal seeds give equal graphs, on any number of threads and ranks and on any device.
  std::uint64_t seed = 1;
  /// Whether vertex numbers are scrambled. Without it, numbers with few one bits have the high degrees.
  bool scramble = true;
};

/// Edge i of a Kronecker graph as a pure function of i. Cost of an edge: scale / 3 random words.
template <class Vertex>
class KroneckerEdges {
 public:
  static_assert(is_vertex_type<Vertex>, "vertex ids are std::int32_t or std::int64_t");
  using vertex_type = Vertex;
  /// 2^31 vertices are one more than 32-bit ids can count; 47 bits keep the edge count of any useful factor in 63.
  static constexpr int max_scale = sizeof(Vertex) == 4 ? 30 : 47;

  /// Throws ArgumentError for options out of range.
  explicit KroneckerEdges(const KroneckerOptions& options)
      : scale_(checked(options).scale),
        num_rounds_((options.scale + num_lanes - 1) / num_lanes),
        num_edges_(options.edge_factor << options.scale),
        scramble_(options.scramble),
        threshold_a_(threshold(options.a)),
        threshold_ab_(threshold(options.a + options.b)),
        threshold_abc_(threshold(options.a + options.b + options.c)),
        random_(options.seed, 0),
        hash_(options.scale, CounterRandom(options.seed, 1)) {}

  KOKKOS_FUNCTION std::int64_t num_vertices() const { return std::int64_t(1) << scale_; }
  KOKKOS_FUNCTION Offset num_edges() const { return num_edges_; }

  /// i: 0 .. num_edges() - 1; u and v: out, source and target.
  KOKKOS_FUNCTION void edge(Offset i, Vertex& u, Vertex& v) const {
    std::uint64_t source = 0, target = 0;
    const std::uint64_t first = static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(num_rounds_);
    for (int round = 0; round < num_rounds_; ++round) {
      const std::uint64_t r = (random_.bits(first + static_cast<std::uint64_t>(round)) & lanes) | guards;
      const std::uint64_t beyond_a = r - threshold_a_;
      const std::uint64_t beyond_ab = r - threshold_ab_;
      const std::uint64_t beyond_abc = r - threshold_abc_;
      source = (source >> 1) | (beyond_ab & guards);
      target = (target >> 1) | ((beyond_a ^ beyond_ab ^ beyond_abc) & guards);
    }
    u = vertex(source);
    v = vertex(target);
  }

 private:
  static constexpr int num_lanes = 3;
  static constexpr int lane_bits = 21;  // 20 random bits and the guard above them
  static constexpr std::uint64_t ones = 1ULL | 1ULL << lane_bits | 1ULL << 2 * lane_bits;
  static constexpr std::uint64_t guards = ones << (lane_bits - 1);
  static constexpr std::uint64_t lanes = (1ULL << num_lanes * lane_bits) - 1;

  static std::uint64_t threshold(double probability) {
    const double limit = static_cast<double>(1 << (lane_bits - 1));
    return ones * static_cast<std::uint64_t>(std::lround(std::min(probability, 1.0) * limit));
  }

  /// Each round moved the bits of a lane down by one, so they are its uppermost num_rounds_ bits. Puts the lanes side
  /// by side and drops what is more than scale bits.
  KOKKOS_FORCEINLINE_FUNCTION Vertex vertex(std::uint64_t bits) const {
    const std::uint64_t lane = (std::uint64_t(1) << num_rounds_) - 1;
    bits >>= lane_bits - num_rounds_;
    std::uint64_t x = bits & lane;
    x |= ((bits >> lane_bits) & lane) << num_rounds_;
    x |= ((bits >> 2 * lane_bits) & lane) << 2 * num_rounds_;
    x &= (std::uint64_t(1) << scale_) - 1;
    return static_cast<Vertex>(scramble_ ? hash_(x) : x);
  }

  static const KroneckerOptions& checked(const KroneckerOptions& options) {
    if (options.scale < 0 || options.scale > max_scale) {
      throw ArgumentError("Kronecker graph: scale is " + std::to_string(options.scale) + "; expected 0 to " +
                          std::to_string(max_scale) + " for " + std::to_string(8 * sizeof(Vertex)) + "-bit vertex ids");
    }
    const std::int64_t max_edge_factor = std::numeric_limits<Offset>::max() >> options.scale;
    if (options.edge_factor < 0 || options.edge_factor > max_edge_factor) {
      throw ArgumentError("Kronecker graph: edge factor is " + std::to_string(options.edge_factor) +
                          "; expected 0 to " + std::to_string(max_edge_factor) + " at scale " +
                          std::to_string(options.scale));
    }
    const double sum = options.a + options.b + options.c;
    // Written so that a NaN fails; the last digits of a sum of decimal fractions may exceed 1.
    if (!(options.a >= 0 && options.b >= 0 && options.c >= 0 && sum <= 1 + 1e-9)) {
      throw ArgumentError("Kronecker graph: quadrant probabilities are a = " + std::to_string(options.a) +
                          ", b = " + std::to_string(options.b) + ", c = " + std::to_string(options.c) +
                          "; expected none negative and a sum of at most 1");
    }
    return options;
  }

  int scale_;
  int num_rounds_;
  Offset num_edges_;
  bool scramble_;
  std::uint64_t threshold_a_, threshold_ab_, threshold_abc_;
  CounterRandom random_;
  BijectiveHash hash_;
};

/// The whole edge list, in the memory of the execution space. Throws ArgumentError for options out of range.
template <class Vertex, class Space>
EdgeList<Vertex, typename Space::memory_space> generate_kronecker(const Space& space, const KroneckerOptions& options) {
  return generate_edges<Vertex>(space, KroneckerEdges<Vertex>(options));
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template EdgeList<std::int32_t> generate_kronecker(const Kokkos::DefaultExecutionSpace&,
                                                          const KroneckerOptions&);
extern template EdgeList<std::int64_t> generate_kronecker(const Kokkos::DefaultExecutionSpace&,
                                                          const KroneckerOptions&);

}  // namespace dromos
