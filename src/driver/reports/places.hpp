// SPDX-License-Identifier: BSD-3-Clause
// Where vertices, or the rows and columns of a matrix, stand in an order: places from 0, by the numbers that they have
// inside.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <vector>

#include "driver/graphs/named_graph.hpp"

namespace dromos::driver {

template <class Vertex>
using HostPlaces = Kokkos::View<Vertex*, Kokkos::HostSpace>;

/// Where rows and columns go.
template <class Vertex>
struct Places {
  Kokkos::View<const Vertex*, Kokkos::HostSpace> row, column;
};

/// 0, 1, 2, ...
template <class Vertex>
HostPlaces<Vertex> places_in_order(std::int64_t size);

/// As in the file of the graph.
template <class Vertex>
HostPlaces<Vertex> places_in_file(const NamedGraph<Vertex>& graph);

/// Group after group, and inside of each as in the file.
///
/// \param group  by vertex: in [0, num_groups)
template <class Vertex>
HostPlaces<Vertex> places_by_group(const NamedGraph<Vertex>& graph, const std::vector<std::int64_t>& group,
                                   std::int64_t num_groups);

}  // namespace dromos::driver
