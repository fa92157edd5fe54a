// SPDX-License-Identifier: BSD-3-Clause
// What makes the searches behind the names: one function a partition, each compiled in a source of its own. Each
// returns null for a name that is not one of its own. And what all of them do with a result.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/distributed_search.hpp>
#include <dromos/distributed/moving/replicate.hpp>
#include <memory>
#include <string>

namespace dromos::detail {

template <class Vertex>
using SearchPointer = std::unique_ptr<DistributedSearch<Vertex>>;

/// "straightforward", "sort-unique", "relabelled-bitmask".
template <class Vertex>
SearchPointer<Vertex> make_search_1d(const std::string& name, const Communicator& communicator,
                                     const Kokkos::DefaultExecutionSpace& space, const DistributedInput<Vertex>& input,
                                     const DistributedOptions& options);

/// "2d", "2d-wave".
template <class Vertex>
SearchPointer<Vertex> make_search_2d(const std::string& name, const Communicator& communicator,
                                     const Kokkos::DefaultExecutionSpace& space, const DistributedInput<Vertex>& input,
                                     const DistributedOptions& options);

/// "delegate".
template <class Vertex>
SearchPointer<Vertex> make_search_delegate(const std::string& name, const Communicator& communicator,
                                           const Kokkos::DefaultExecutionSpace& space,
                                           const DistributedInput<Vertex>& input, const DistributedOptions& options);

/// The global ids of the vertices of a rank, by their local numbers.
template <class Vertex, class Partition, class Memory>
struct NameOwnVertices {
  Partition partition;
  int rank;
  Kokkos::View<Vertex*, Memory> vertex;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    vertex(i) = static_cast<Vertex>(partition.global_id(rank, i));
  }
};

template <class Space, class Partition, class Vertex, class Memory>
OwnResult<Vertex> own_result(const Communicator& communicator, const Space& space, const Partition& partition,
                             const BfsResult<Vertex, Memory>& result) {
  const std::int64_t num_own = partition.num_local(communicator.rank());
  const auto vertex = uninitialized<Vertex, Memory>("dromos::own_result", num_own);
  Kokkos::parallel_for("dromos::own_result",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, num_own),
                       NameOwnVertices<Vertex, Partition, Memory>{partition, communicator.rank(), vertex});
  fence(space, "dromos::own_result");
  return {vertex, result.parent, result.level};
}

template <class Space, class Partition, class Vertex, class Memory>
ReplicatedResult<Vertex> replicated_result(const Communicator& communicator, const Space& space,
                                           const Partition& partition, const BfsResult<Vertex, Memory>& result) {
  return {replicate(communicator, space, partition, result.parent),
          replicate(communicator, space, partition, result.level)};
}

/// Bytes that an array holds.
template <class View>
std::int64_t bytes_of(const View& view) {
  return static_cast<std::int64_t>(view.span() * sizeof(typename View::value_type));
}

}  // namespace dromos::detail
