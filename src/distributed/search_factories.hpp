// SPDX-License-Identifier: BSD-3-Clause
// What makes the searches behind the names: one function a partition, each compiled in a source of its own. Each
// returns null for a name that is not one of its own.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/distributed/distributed_search.hpp>
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

/// Bytes that an array holds.
template <class View>
std::int64_t bytes_of(const View& view) {
  return static_cast<std::int64_t>(view.span() * sizeof(typename View::value_type));
}

}  // namespace dromos::detail
