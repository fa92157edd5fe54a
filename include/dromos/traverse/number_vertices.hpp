// SPDX-License-Identifier: BSD-3-Clause
// Vertex numbers as values: what labels and lists of all vertices begin with.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/traverse/no_halo.hpp>

namespace dromos::detail {

template <class Value, class Memory, class Vertices>
struct NumberVertices {
  Kokkos::View<Value*, Memory> values;
  Vertices vertices;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const { values(v) = static_cast<Value>(vertices.number(v)); }
};

/// values(v) = the number of v in the whole graph.
template <class Space, class Value, class Memory, class Vertices = WholeVertices>
void number_vertices(const Space& space, const Kokkos::View<Value*, Memory>& values, const Vertices& vertices = {}) {
  Kokkos::parallel_for("dromos::number_vertices",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, values.extent(0)),
                       NumberVertices<Value, Memory, Vertices>{values, vertices});
}

}  // namespace dromos::detail
