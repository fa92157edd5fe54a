// SPDX-License-Identifier: BSD-3-Clause
// The arcs of a graph that the options name, spread over ranks: each reads its slice of an HDF5 file or makes its slice
// of a generated graph, or the first reads the graph as it would alone and deals its arcs out to all.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/distributed/edge_slice.hpp>
#include <dromos/generate/edge_weights.hpp>
#include <dromos/graph/edge_list.hpp>
#include <dromos/graph/row_sources.hpp>
#include <exception>
#include <string>
#include <vector>

#include "driver/base/command.hpp"
#include "driver/distributed/distributed_graph.hpp"
#include "driver/graphs/load_graph.hpp"
#include "driver/graphs/root_options.hpp"

namespace dromos::driver {

template <class Vertex>
struct SpreadArcs {
  EdgeList<Vertex> slice;  ///< of this rank; both arcs of every undirected edge, on all ranks together
  bool directed = false;
  /// Known to rank 0, and to all where every rank has read its slice; otherwise null.
  const NamedGraph<Vertex>* graph = nullptr;
  bool graph_everywhere = false;
};

/// What rank 0 knows of the graph that it deals out.
struct GraphHead {
  std::int64_t id_bytes = 0;
  std::int64_t num_vertices = 0;
  std::int64_t num_arcs = 0;
  std::int64_t directed = 0;
  std::int64_t weighted = 0;
};

namespace detail {

/// Every rank's share of the arcs of rank 0's graph. `loaded` is null on all others.
template <class Vertex>
SpreadArcs<Vertex> deal_arcs(const Communicator& world, const GraphHead& head, const LoadedGraph<Vertex>* loaded) {
  const Kokkos::DefaultExecutionSpace space;
  std::vector<Block> leaving(static_cast<std::size_t>(world.size())), arriving = leaving;
  EdgeList<Vertex> all;
  if (loaded != nullptr) {
    all = edge_list_of(space, loaded->graph());
    for (int r = 0; r < world.size(); ++r) {
      const auto [first, last] = slice_of(head.num_arcs, r, world.size());
      leaving[static_cast<std::size_t>(r)] = {first, last - first};
    }
  }
  const auto [first, last] = slice_of(head.num_arcs, world.rank(), world.size());
  arriving[0] = {0, last - first};
  SpreadArcs<Vertex> arcs;
  arcs.directed = head.directed != 0;
  arcs.graph = loaded;
  arcs.slice = EdgeList<Vertex>(static_cast<Vertex>(head.num_vertices), last - first);
  alltoallv(world, space, all.source, leaving, arcs.slice.source, arriving);
  alltoallv(world, space, all.target, leaving, arcs.slice.target, arriving);
  if (head.weighted != 0) {
    arcs.slice.weight = decltype(arcs.slice.weight)("dromos::driver::weights", arcs.slice.source.extent(0));
    alltoallv(world, space, all.weight, leaving, arcs.slice.weight, arriving);
  }
  return arcs;
}

/// Weights as options ask for them, for arcs that were read by slices.
template <class Vertex>
void weigh_slices(const Communicator& world, const GraphOptions& options, EdgeList<Vertex>& slice) {
  if (options.makes_weights()) {
    slice =
        with_random_weights(Kokkos::DefaultExecutionSpace(), slice, static_cast<std::uint64_t>(options.generator.seed));
  }
  if (!options.reads_weights()) return;
  std::int64_t counts[2] = {slice.num_edges(), slice.weighted() ? slice.num_edges() : 0};
  sum_in_place(world, counts, 2);
  on_all_ranks(world, [&] {
    if (counts[0] == counts[1]) return;
    throw ArgumentError(options.file.path + " has no weights; --weights uniform makes random ones");
  });
}

}  // namespace detail

/// f(spread arcs), with ids as wide as options and graph want them. Collective.
///
/// \param with_degrees  somebody asks the graph for row_map_in_file_order()
template <class F>
int with_spread_arcs(const Communicator& world, const GraphOptions& options, bool with_degrees, const F& f) {
  if (options.asks_memory) return tell_memory_of_ranks(world, options, with_degrees);
  if (is_had_by_slices(world, options)) {
    const std::int64_t id_bits = on_all_ranks(world, [&] { return asked_id_bits(options); });
    return with_id_type(id_bits, [&](auto vertex) {
      GraphOptions weighted = options;
      weighted.file.weights = weighted.file.non_negative_weights = options.reads_weights();
      const SlicedGraph<decltype(vertex)> graph(world, weighted, with_degrees);
      SpreadArcs<decltype(vertex)> arcs{graph.arcs(), graph.summary().directed, &graph, true};
      detail::weigh_slices(world, options, arcs.slice);
      return f(arcs);
    });
  }
  GraphHead head;
  if (world.rank() != 0) {
    agree_or_throw(world, nullptr);
    broadcast_in_place(world, &head, 1, 0);
    if (head.id_bytes == 8) return f(detail::deal_arcs<std::int64_t>(world, head, nullptr));
    return f(detail::deal_arcs<std::int32_t>(world, head, nullptr));
  }
  bool is_loaded = false;
  try {
    return with_graph(options, [&](const auto& loaded) {
      const auto& graph = loaded.graph();
      head = {sizeof(graph.num_vertices()), graph.num_vertices(), graph.num_edges(), graph.directed ? 1 : 0,
              graph.weighted() ? 1 : 0};
      is_loaded = true;
      agree_or_throw(world, nullptr);
      broadcast_in_place(world, &head, 1, 0);
      return f(detail::deal_arcs(world, head, &loaded));
    });
  } catch (...) {
    if (is_loaded) throw;
    agree_or_throw(world, std::current_exception());
    throw;
  }
}

/// The vertices that choose(*graph) returns on rank 0, on every rank. Throws on all.
template <class Vertex, class Choose>
std::vector<Vertex> chosen_by_first(const Communicator& world, const NamedGraph<Vertex>* graph, const Choose& choose) {
  const auto own = on_all_ranks(world, [&] { return world.rank() == 0 ? choose(*graph) : std::vector<Vertex>(); });
  return gather_values(world, own);
}

template <class Vertex>
std::vector<Vertex> choose_roots(const Communicator& world, const RootOptions& options, std::uint64_t seed,
                                 const NamedGraph<Vertex>* graph) {
  return chosen_by_first(world, graph, [&](const auto& named) { return options.choose(named, seed); });
}

}  // namespace dromos::driver
