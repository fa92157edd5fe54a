// SPDX-License-Identifier: BSD-3-Clause
// Breadth-first search of a graph separated by degree (Pan, Pearce and Owens 2018, Sections IV and V).
//
// A level goes over four parts of the edges, by what is found:
//
//   delegates   nd, dd     then the ranks combine their bitmaps of delegates found, if any rank could find one
//   normal      nn, dn     normal vertices that nn found on other ranks travel there
//
// Where all vertices with edges are delegates and each arc lies with its source, there are no parts, and the search is
// the one by vertices (distributed/by_vertices/bfs_1d.hpp); so it is on up to four GPUs unless a threshold is given.
//
// On a GPU delegates and normal vertices are searched for in two streams, and combining is under way while the second
// one searches. Of dd, dn and nd each rank chooses the directions for itself, part by part (the rule is that of
// traverse/direction_rule.hpp).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/distributed/by_degree/bfs_delegate_options.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/compiled_space.hpp>
#include <dromos/graph/partition_1d.hpp>
#include <memory>

namespace dromos {

namespace detail {
template <class Space, class Vertex>
class DelegateSearch;
template <class Space, class Vertex>
class SearchOfAllDelegates;
}  // namespace detail

/// Searches a separated graph; made once per graph, used for any number of roots. Every rank makes one and calls the
/// same functions.
template <class Space, class Vertex>
class BfsDelegate {
  static_assert(detail::is_compiled_for<Space>());

 public:
  using Memory = typename Space::memory_space;

  /// Allocates what a search works in: 24 bytes an own vertex, 25 a delegate (of 32-bit ids; on a GPU 41), 4
  /// more an own delegate, 8 for each nn edge to another rank. Collective.
  ///
  /// \param communicator, graph  outlive this object
  BfsDelegate(const Communicator& communicator, const Space& space, const GraphDelegate<Vertex, Memory>& graph,
              const BfsDelegateOptions& options = {});
  ~BfsDelegate();

  /// Searches from `root`, a global id. Collective.
  /// \returns statistics of this rank; total_statistics() adds up those of all
  /// \throws ArgumentError on every rank when the root is outside the graph
  BfsDelegateStatistics search(Vertex root);

  /// Of the last search: num_local elements each, by local number; parents are global ids.
  const BfsResult<Vertex, Memory>& result() const;

 private:
  Partition1d partition_;
  std::unique_ptr<detail::DelegateSearch<Space, Vertex>> search_;     // part by part,
  std::unique_ptr<detail::SearchOfAllDelegates<Space, Vertex>> all_;  // or where there are no parts
};

// Compiled once in the library for the default execution space and both widths of ids.
extern template class BfsDelegate<Kokkos::DefaultExecutionSpace, std::int32_t>;
extern template class BfsDelegate<Kokkos::DefaultExecutionSpace, std::int64_t>;

}  // namespace dromos
