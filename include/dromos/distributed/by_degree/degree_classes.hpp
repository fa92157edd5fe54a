// SPDX-License-Identifier: BSD-3-Clause
// How many vertices would be delegates, and how many edges would join two normal vertices, for each threshold that
// could be chosen: what Pan et al. 2018 choose the threshold by (Section VI-B, Figures 5, 7 and 12), before anything is
// distributed.
//
// Thresholds are the powers of the square root of two, rounded: 0 1 2 3 4 6 8 11 16 23 32 ... A vertex is of class c
// where threshold(c - 1) < degree <= threshold(c), so that it is normal for thresholds of class c and above. An edge
// joins two normal vertices from the larger class of its ends on, and two delegates below the smaller one:
//
//   degrees 3 and 5 (classes 3 and 5)     thresholds 0 1 2: dd     3 4: nd     6 and more: nn
//
// One byte a vertex of the whole graph is enough for that, and is all that ranks tell each other.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/bit_words.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/distributed/by_degree/subgraph.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <dromos/graph/for_rows.hpp>
#include <vector>

namespace dromos {

namespace detail {

inline constexpr int num_degree_classes = 80;

/// The largest degree of a class.
KOKKOS_FORCEINLINE_FUNCTION Offset threshold_of_class(int c) {
  if (c < 2) return c;
  const Offset whole = Offset(1) << c / 2;
  // 46341 / 32768 is the square root of two to five digits: exact enough for steps of 41%.
  return c % 2 == 0 ? whole : (whole * 46341 + 16384) / 32768;
}

KOKKOS_FORCEINLINE_FUNCTION int class_of_degree(Offset degree) {
  int c = 0;
  while (c + 1 < num_degree_classes && threshold_of_class(c) < degree) ++c;
  return c;
}

}  // namespace detail

/// What one threshold makes of a graph; of all ranks together.
struct Separation {
  Offset threshold = 0;
  std::int64_t num_delegates = 0;
  Offset nn = 0;  ///< arcs from normal to normal vertices
  Offset nd = 0;  ///< from normal vertices to delegates
  Offset dn = 0;
  Offset dd = 0;
};

namespace detail {

template <class Vertex, class Memory>
struct WriteOwnClasses {
  CsrView<Vertex, Memory> rows;
  std::int64_t first;
  Kokkos::View<std::uint8_t*, Memory> classes;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    classes(first + v) = static_cast<std::uint8_t>(class_of_degree(rows.degree(static_cast<Vertex>(v))));
  }
};

/// The class of each vertex of the graph, by block id. Collective.
template <class Space, class Vertex, class Memory>
Kokkos::View<std::uint8_t*, Memory> gather_degree_classes(const Communicator& communicator, const Space& space,
                                                          const Graph1d<Vertex, Memory>& graph) {
  const auto classes = Kokkos::View<std::uint8_t*, Memory>("dromos::degree_classes", graph.ids.size());
  const std::int64_t first = graph.ids.first(graph.rank);
  for_range("dromos::degree_classes::own", space, graph.num_local(),
            WriteOwnClasses<Vertex, Memory>{graph.rows.view(), first, classes});
  std::vector<Block> blocks;
  for (int r = 0; r < communicator.size(); ++r) {
    blocks.push_back({static_cast<std::int64_t>(graph.ids.first(r)), graph.partition.num_local(r)});
  }
  const auto own = Kokkos::subview(classes, Kokkos::make_pair(first, first + graph.num_local()));
  allgatherv(communicator, space, Kokkos::View<std::uint8_t*, Memory>(own), graph.num_local(), classes, blocks);
  return classes;
}

/// Counts of one rank, by class: vertices, arcs out of them, and arcs by the larger and by the smaller class of their
/// ends.
struct ClassCounts {
  std::int64_t vertices[num_degree_classes] = {};
  std::int64_t arcs_from[num_degree_classes] = {};
  std::int64_t arcs_by_larger[num_degree_classes] = {};
  std::int64_t arcs_by_smaller[num_degree_classes] = {};
};

/// What ClassCounts has, as one array of numbers.
struct ClassCounters {
  static constexpr int stride = num_degree_classes;
  static constexpr int size = 4 * stride;

  /// Adds row v by add(i, amount).
  template <class Space, class Vertex, class Memory, class Add>
  KOKKOS_FORCEINLINE_FUNCTION static void add_row(const CsrView<Vertex, Memory>& rows, const std::uint8_t* classes,
                                                  std::int64_t first, std::int64_t v, const Lanes<Space>& lanes,
                                                  const Add& add) {
    const int own = classes[first + v];
    const Offset begin = rows.begin(static_cast<Vertex>(v));
    const Offset end = rows.end(static_cast<Vertex>(v));
    if (lanes.lane == 0) {
      add(own, 1);
      add(stride + own, end - begin);
    }
    for (Offset e = begin + lanes.lane; e < end; e += lanes.width) {
      const int other = classes[rows.neighbor(e)];
      add(2 * stride + dromos::max(own, other), 1);
      add(3 * stride + dromos::min(own, other), 1);
    }
  }
};

/// By a thread each so-manieth row into numbers of its own: hubs are spread.
template <class Space, class Vertex, class Memory>
struct CountClasses {
  CsrView<Vertex, Memory> rows;
  std::int64_t first, num_pieces;
  Kokkos::View<const std::uint8_t*, Memory> classes;
  Kokkos::View<std::int64_t*, Memory> counts;
  KOKKOS_FUNCTION void operator()(std::int64_t piece) const {
    std::int64_t* const mine = counts.data() + piece * ClassCounters::size;
    for (std::int64_t v = piece; v < rows.num_vertices(); v += num_pieces) {
      ClassCounters::add_row(rows, classes.data(), first, v, Lanes<Space>{0},
                             [&](int i, Offset amount) { mine[i] += amount; });
    }
  }
};

/// By a warp a row, into 32-bit numbers of its own, which shared memory adds to by itself; they go to those of all
/// before any could be too large. Of the two numbers that an arc adds to, one is of the class of the row, and added to
/// once a row.
template <class Space, class Vertex, class Memory>
struct CountClassesByWarps {
  using Member = typename Kokkos::TeamPolicy<Space>::member_type;
  static constexpr int stride = ClassCounters::stride, size = ClassCounters::size;
  static constexpr int warps = bit_words_team / warp_width;
  static constexpr Offset most_together = Offset(1) << 31;  // arcs, but for those of one row

  CsrView<Vertex, Memory> rows;
  std::int64_t first;
  Kokkos::View<const std::uint8_t*, Memory> classes;
  Kokkos::View<std::int64_t*, Memory> counts;

  static std::size_t scratch_bytes() { return warps * size * sizeof(std::uint32_t) + 16; }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int lane = team.team_rank() % warp_width;
    std::uint32_t* const mine = team_array<std::uint32_t>(team, warps * size) + team.team_rank() / warp_width * size;
    for (int i = lane; i < size; i += warp_width) mine[i] = 0;
    warp_barrier();
    Offset num_arcs = 0;
    for_words_of_warp(team, rows.num_vertices(), [&](std::int64_t v, int) {
      num_arcs += rows.degree(static_cast<Vertex>(v));
      if (num_arcs >= most_together) {
        hand_over(mine, lane);
        num_arcs = rows.degree(static_cast<Vertex>(v));
      }
      add_row(mine, v, lane);
    });
    hand_over(mine, lane);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void add_row(std::uint32_t* mine, std::int64_t v, int lane) const {
    const int own = classes.data()[first + v];
    const Offset begin = rows.begin(static_cast<Vertex>(v));
    const Offset end = rows.end(static_cast<Vertex>(v));
    std::uint32_t num_smaller = 0, num_larger = 0;  // of classes at the other ends, equal ones in neither
    for (Offset e = begin + lane; e < end; e += warp_width) {
      const int other = classes.data()[rows.neighbor(e)];
      num_smaller += other < own;
      num_larger += other > own;
      if (other != own) atomic_fetch_add(&mine[(other > own ? 2 : 3) * stride + other], 1u);
    }
    const auto smaller = static_cast<std::uint32_t>(warp_sum(num_smaller));
    const auto larger = static_cast<std::uint32_t>(warp_sum(num_larger));
    if (lane != 0) return;
    const auto all = static_cast<std::uint32_t>(end - begin);
    atomic_fetch_add(&mine[own], 1u);
    atomic_fetch_add(&mine[stride + own], all);
    atomic_fetch_add(&mine[2 * stride + own], all - larger);
    atomic_fetch_add(&mine[3 * stride + own], all - smaller);
  }
  KOKKOS_FORCEINLINE_FUNCTION void hand_over(std::uint32_t* mine, int lane) const {
    warp_barrier();
    for (int i = lane; i < size; i += warp_width) {
      if (mine[i] != 0) atomic_fetch_add(&counts.data()[i], static_cast<std::int64_t>(mine[i]));
      mine[i] = 0;
    }
    warp_barrier();
  }
};

template <class Space, class Vertex, class Memory>
ClassCounts count_classes(const Space& space, const Graph1d<Vertex, Memory>& graph,
                          const Kokkos::View<std::uint8_t*, Memory>& classes) {
  constexpr int size = ClassCounters::size, stride = ClassCounters::stride;
  const std::int64_t n = graph.num_local();
  const std::int64_t first = graph.ids.first(graph.rank);
  const std::int64_t num_pieces = has_warps<Space> ? 1 : dromos::min<std::int64_t>(64, n / 64 + 1);
  const Kokkos::View<std::int64_t*, Memory> counts("dromos::degree_classes::counts", num_pieces * size);
  if constexpr (has_warps<Space>) {
    if (n > 0) {
      using Kernel = CountClassesByWarps<Space, Vertex, Memory>;
      auto policy = teams_of_warps(space, n);
      policy.set_scratch_size(scratch_level<Space>, Kokkos::PerTeam(Kernel::scratch_bytes()));
      Kokkos::parallel_for("dromos::degree_classes::count", policy, Kernel{graph.rows.view(), first, classes, counts});
    }
  } else {
    for_range("dromos::degree_classes::count", space, num_pieces,
              CountClasses<Space, Vertex, Memory>{graph.rows.view(), first, num_pieces, classes, counts});
  }
  fence(space, "dromos::degree_classes::count");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  ClassCounts total;
  for (std::int64_t piece = 0; piece < num_pieces; ++piece) {
    for (int c = 0; c < stride; ++c) {
      total.vertices[c] += host(piece * size + c);
      total.arcs_from[c] += host(piece * size + stride + c);
      total.arcs_by_larger[c] += host(piece * size + 2 * stride + c);
      total.arcs_by_smaller[c] += host(piece * size + 3 * stride + c);
    }
  }
  return total;
}

}  // namespace detail

/// What each threshold would make of a graph, ascending, up to the first that leaves no delegate. Collective; the same
/// on every rank. Cost: a pass over the arcs, and a byte for every vertex of the graph on every rank.
template <class Space, class Vertex, class Memory>
std::vector<Separation> possible_separations(const Communicator& communicator, const Space& space,
                                             const Graph1d<Vertex, Memory>& graph) {
  constexpr int num_classes = detail::num_degree_classes;
  detail::ClassCounts counts =
      detail::count_classes(space, graph, detail::gather_degree_classes(communicator, space, graph));
  sum_in_place(communicator, counts.vertices, num_classes);
  sum_in_place(communicator, counts.arcs_from, num_classes);
  sum_in_place(communicator, counts.arcs_by_larger, num_classes);
  sum_in_place(communicator, counts.arcs_by_smaller, num_classes);
  std::int64_t num_vertices = 0;
  Offset num_arcs = 0;
  for (int c = 0; c < num_classes; ++c) {
    num_vertices += counts.vertices[c];
    num_arcs += counts.arcs_from[c];
  }
  std::vector<Separation> separations;
  std::int64_t num_normal = 0;
  Offset nn = 0, from_normal = 0, with_normal = 0;
  for (int c = 0; c < num_classes; ++c) {
    num_normal += counts.vertices[c];
    nn += counts.arcs_by_larger[c];
    from_normal += counts.arcs_from[c];
    with_normal += counts.arcs_by_smaller[c];  // at least one end normal
    const Offset nd = from_normal - nn;
    separations.push_back({detail::threshold_of_class(c), num_vertices - num_normal, nn, nd, with_normal - nn - nd,
                           num_arcs - with_normal});
    if (num_normal == num_vertices) break;
  }
  return separations;
}

/// What a graph is separated for.
enum class SeparatedFor { anything, search_on_gpus, search_on_cpus };

/// Should all vertices with edges be delegates, whatever their degrees? For searches on up to four GPUs, the paper's
/// limit of 4 n / p, and on up to eight ranks of CPUs, which is as many as was measured: a rank has one part of the
/// edges to search then instead of four, and the bits of all vertices travel in less time than the three others take.
/// Kronecker 25 on two H200s: 369 GTEPS with threshold 16, and 738 so; Kronecker 22 on eight ranks of two threads: 3.3
/// and 5.6 (doc/distributed-performance.md).
inline bool all_should_be_delegates(int num_ranks, SeparatedFor use) {
  return (use == SeparatedFor::search_on_gpus && num_ranks <= 4) ||
         (use == SeparatedFor::search_on_cpus && num_ranks <= 8);
}

/// The threshold to take: the smallest that leaves at most 4 n / p delegates, the paper's limit, and at most n / 8, so
/// that the bitmap of delegates stays below 1/64 of a byte a vertex. Small thresholds leave the fewest edges between
/// normal vertices, and so send the fewest of them.
///
/// For searches on few ranks it is 0 (all_should_be_delegates()).
inline Separation suggest_threshold(const std::vector<Separation>& separations, std::int64_t num_vertices,
                                    int num_ranks, SeparatedFor use) {
  if (all_should_be_delegates(num_ranks, use)) return separations.front();
  const double n = static_cast<double>(num_vertices);
  const double most_delegates = dromos::min(4 * n / num_ranks, n / 8);
  Separation chosen;
  for (const Separation& separation : separations) {
    chosen = separation;
    if (static_cast<double>(separation.num_delegates) <= most_delegates) break;
  }
  return chosen;
}

}  // namespace dromos
