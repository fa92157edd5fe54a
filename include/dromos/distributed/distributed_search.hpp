// SPDX-License-Identifier: BSD-3-Clause
// Every distributed search by one name and one interface, so that programs, benchmarks and tests go over all of them:
// how the graph is distributed is the search's own business, and what it is judged by is the result on every rank.
//
//   auto search = make_distributed_search<Vertex>("sort-unique", communicator, space, input, options);   // kernel 1
//   search->search(root);                                                                              // kernel 2
//   const auto mine = search->result();               // of the vertices that this rank owns
//   const auto all = search->replicate_result();      // on every rank
//
// To add one: derive from DistributedSearch in a source of its own, name the function that makes it in
// src/distributed/search_factories.hpp, and add its line to the list in src/distributed/distributed_search.cpp.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/core/types.hpp>
#include <dromos/distributed/by_degree/bfs_delegate_options.hpp>
#include <dromos/distributed/by_grid/bfs_2d_options.hpp>
#include <dromos/distributed/by_vertices/bfs_1d_options.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/edge_list.hpp>
#include <memory>
#include <string>
#include <vector>

namespace dromos {

template <class Vertex, class Memory>
struct GraphDelegate;

/// Where a distributed graph comes from.
template <class Vertex>
struct DistributedInput {
  /// This rank's edges; together those of the graph, whose number of vertices every slice states.
  EdgeList<Vertex> slice;
  BuildOptions build;
  /// Edges are followed forwards only. False where build.symmetrize, and where the list has both arcs of every edge.
  bool directed = false;
  /// The graph, separated by degree already (distributed/files/saved_graph_delegate.hpp) for the ranks of
  /// order_by_machine() (distributed/by_degree/machine_order.hpp): "delegate" searches it as it is and looks neither at
  /// the members above nor at the threshold of the options. All other searches build their graph of those.
  std::shared_ptr<const GraphDelegate<Vertex, Kokkos::DefaultExecutionSpace::memory_space>> separated = nullptr;
};

/// A result as it is distributed: element i of each View is of one vertex that this rank owns, and every vertex has one
/// owner. Parents are global ids; what was not reached has no_vertex and no_level.
template <class Vertex>
struct OwnResult {
  Kokkos::View<const Vertex*, Kokkos::DefaultExecutionSpace::memory_space> vertex;  ///< its global id
  Kokkos::View<const Vertex*, Kokkos::DefaultExecutionSpace::memory_space> parent;
  Kokkos::View<const Level*, Kokkos::DefaultExecutionSpace::memory_space> level;
};

/// A result in the order of global ids, the same on every rank.
template <class Vertex>
struct ReplicatedResult {
  Kokkos::View<const Vertex*, Kokkos::DefaultExecutionSpace::memory_space> parent;
  Kokkos::View<const Level*, Kokkos::DefaultExecutionSpace::memory_space> level;
};

/// What happened on each level, in the terms of the search.
struct LevelTable {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
};

/// Of all ranks together, in the terms that every search shares.
struct DistributedStatistics {
  double seconds = 0;                ///< the slowest rank's
  double communication_seconds = 0;  ///< likewise, of all levels
  std::int64_t num_reached = 0;
  Offset arcs_reached = 0;
  Level depth = 0;
  std::int64_t bytes_sent = 0;
  std::int64_t messages = 0;
  std::vector<BfsLevel> levels;

  /// One more level, and what all ranks sent on it.
  void add(const BfsLevel& level, double level_communication_seconds, std::int64_t bytes, std::int64_t num_messages) {
    depth = static_cast<Level>(levels.size());
    levels.push_back(level);
    num_reached += level.frontier_size;
    arcs_reached += level.frontier_edges;
    communication_seconds += level_communication_seconds;
    bytes_sent += bytes;
    messages += num_messages;
  }
};

template <class Vertex>
class DistributedSearch {
 public:
  virtual ~DistributedSearch() = default;

  /// Searches from a global id. Collective, as all that follows.
  virtual void search(Vertex root) = 0;

  /// How edges are dealt out to threads, by the name of what runs.
  virtual std::string strategy() const = 0;

  // Of the last search:
  /// What this rank has of it, in memory of the search, which the next search overwrites. Costs a kernel over the
  /// vertices that the rank owns; not collective.
  virtual OwnResult<Vertex> result() = 0;
  /// Costs as much memory on every rank as the graph has vertices, and more while it is gathered.
  virtual ReplicatedResult<Vertex> replicate_result() = 0;
  virtual DistributedStatistics statistics() = 0;
  virtual LevelTable level_table() = 0;

  /// What this rank keeps of the graph, in bytes; what searches work in comes on top of it.
  virtual std::int64_t graph_bytes() const = 0;
};

struct DistributedAlgorithm {
  const char* name;
  const char* summary;  ///< one line
};

/// Every distributed search there is.
const std::vector<DistributedAlgorithm>& all_distributed_algorithms();

/// Tuning of all of them.
struct DistributedOptions {
  Bfs1dOptions bfs_1d;
  BfsDelegateOptions delegate;
  Bfs2dOptions bfs_2d;

  /// How edges are dealt out to threads, in every search that lets one choose.
  void set_strategy(const Strategy& strategy) {
    bfs_1d.strategy = delegate.strategy = delegate.dd_strategy = strategy;
    bfs_2d.strategy = strategy;
  }
  /// May searches look backward, where they can?
  void set_direction_optimizing(bool optimizing) {
    bfs_1d.direction_optimizing = delegate.direction_optimizing = optimizing;
    bfs_2d.direction_optimizing = optimizing;
  }
};

/// Builds the graph and what searching it needs. Collective.
///
/// \param communicator  outlives the search
/// \throws ArgumentError for a name that does not exist, and what building throws, on every rank
template <class Vertex>
std::unique_ptr<DistributedSearch<Vertex>> make_distributed_search(const std::string& name,
                                                                   const Communicator& communicator,
                                                                   const Kokkos::DefaultExecutionSpace& space,
                                                                   const DistributedInput<Vertex>& input,
                                                                   const DistributedOptions& options = {});

extern template std::unique_ptr<DistributedSearch<std::int32_t>> make_distributed_search(
    const std::string&, const Communicator&, const Kokkos::DefaultExecutionSpace&,
    const DistributedInput<std::int32_t>&, const DistributedOptions&);
extern template std::unique_ptr<DistributedSearch<std::int64_t>> make_distributed_search(
    const std::string&, const Communicator&, const Kokkos::DefaultExecutionSpace&,
    const DistributedInput<std::int64_t>&, const DistributedOptions&);

}  // namespace dromos
