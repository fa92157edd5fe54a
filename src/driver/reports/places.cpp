// SPDX-License-Identifier: BSD-3-Clause
#include "driver/reports/places.hpp"

#include <utility>

namespace dromos::driver {

template <class Vertex>
HostPlaces<Vertex> places_in_order(std::int64_t size) {
  const HostPlaces<Vertex> place("dromos::driver::places", static_cast<std::size_t>(size));
  for (std::int64_t i = 0; i < size; ++i) place(i) = static_cast<Vertex>(i);
  return place;
}

template <class Vertex>
HostPlaces<Vertex> places_in_file(const NamedGraph<Vertex>& graph) {
  const std::int64_t n = graph.summary().num_vertices;
  const HostPlaces<Vertex> place("dromos::driver::places", static_cast<std::size_t>(n));
  for (std::int64_t v = 0; v < n; ++v) place(v) = graph.place_in_file(static_cast<Vertex>(v));
  return place;
}

template <class Vertex>
HostPlaces<Vertex> places_by_group(const NamedGraph<Vertex>& graph, const std::vector<std::int64_t>& group,
                                   std::int64_t num_groups) {
  std::vector<std::int64_t> next(static_cast<std::size_t>(num_groups), 0);  // sizes, then where the next one goes
  for (const std::int64_t g : group) ++next[static_cast<std::size_t>(g)];
  std::int64_t begin = 0;
  for (std::int64_t& size : next) begin += std::exchange(size, begin);
  const HostPlaces<Vertex> place("dromos::driver::places", group.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Vertex v = graph.in_file_order(static_cast<Vertex>(i));
    place(v) = static_cast<Vertex>(next[static_cast<std::size_t>(group[static_cast<std::size_t>(v)])]++);
  }
  return place;
}

#define DROMOS_INSTANTIATE_PLACES(VERTEX)                                                                  \
  template HostPlaces<VERTEX> places_in_order(std::int64_t);                                               \
  template HostPlaces<VERTEX> places_in_file(const NamedGraph<VERTEX>&);                                   \
  template HostPlaces<VERTEX> places_by_group(const NamedGraph<VERTEX>&, const std::vector<std::int64_t>&, \
                                              std::int64_t);
DROMOS_INSTANTIATE_PLACES(std::int32_t)
DROMOS_INSTANTIATE_PLACES(std::int64_t)
#undef DROMOS_INSTANTIATE_PLACES

}  // namespace dromos::driver
