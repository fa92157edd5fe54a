// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/distributed/by_degree/bfs_delegate.hpp>

#include <dromos/core/warp.hpp>

#include "distributed/by_degree/delegate_search_by_lists.hpp"
#include "distributed/by_degree/delegate_search_by_marks.hpp"
#include "distributed/by_degree/search_of_all_delegates.hpp"

namespace dromos {
namespace detail {

template <class Space, class Vertex>
using DelegateSearchWay =
    std::conditional_t<has_warps<Space>, DelegateSearchByMarks<Space, Vertex>, DelegateSearchByLists<Space, Vertex>>;

}  // namespace detail

template <class Space, class Vertex>
BfsDelegate<Space, Vertex>::BfsDelegate(const Communicator& communicator, const Space& space,
                                        const GraphDelegate<Vertex, Memory>& graph, const BfsDelegateOptions& options)
    : partition_(graph.partition) {
  if (graph.by_vertices) {
    all_ =
        std::make_unique<detail::SearchOfAllDelegates<Space, Vertex>>(communicator, space, *graph.by_vertices, options);
  } else {
    search_ = std::make_unique<detail::DelegateSearchWay<Space, Vertex>>(communicator, space, graph, options);
  }
}

template <class Space, class Vertex>
BfsDelegate<Space, Vertex>::~BfsDelegate() = default;

template <class Space, class Vertex>
BfsDelegateStatistics BfsDelegate<Space, Vertex>::search(Vertex root) {
  const ScopedRegion region("dromos::bfs_delegate");
  check_root(root, partition_.num_vertices());  // the same on every rank
  return all_ ? all_->search(root) : search_->search(root);
}

template <class Space, class Vertex>
const BfsResult<Vertex, typename Space::memory_space>& BfsDelegate<Space, Vertex>::result() const {
  return all_ ? all_->result() : search_->result();
}

template class BfsDelegate<Kokkos::DefaultExecutionSpace, std::int32_t>;
template class BfsDelegate<Kokkos::DefaultExecutionSpace, std::int64_t>;

}  // namespace dromos
