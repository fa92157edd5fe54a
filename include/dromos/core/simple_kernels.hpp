// SPDX-License-Identifier: BSD-3-Clause
// Kernels of one line that many algorithms have: what is done to everything that a list names, and what is counted or
// found in an array. Under the caller's label, as functors with a name: with nvcc two sources of a program must not
// share the code around a KOKKOS_LAMBDA (scripts/check-cuda-lambdas.sh).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <string>
#include <type_traits>

namespace dromos::detail {

template <class List, class Values>
struct StoreListed {
  List list;
  Values values;
  typename Values::non_const_value_type value;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { values(list(i)) = value; }
};

/// values(list(i)) = value. Does not wait.
template <class Space, class List, class Value, class Memory>
void store_listed(const std::string& label, const Space& space, const List& list, const LongRange& range,
                  const Kokkos::View<Value*, Memory>& values, std::common_type_t<Value> value) {
  for_range(label, space, range, StoreListed<List, Kokkos::View<Value*, Memory>>{list, values, value});
}

template <class List, class Position>
struct NumberListed {
  List list;
  Position position;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    position(list(i)) = static_cast<typename Position::non_const_value_type>(i);
  }
};

/// position(list(i)) = i. Does not wait.
template <class Space, class List, class Vertex, class Memory>
void number_listed(const std::string& label, const Space& space, const List& list, const LongRange& range,
                   const Kokkos::View<Vertex*, Memory>& position) {
  for_range(label, space, range, NumberListed<List, Kokkos::View<Vertex*, Memory>>{list, position});
}

template <class List, class Memory>
struct MarkListed {
  List list;
  Bitmap<Memory> marked;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { marked.set(list(i)); }
};

/// Sets the bits list(i). Does not wait.
template <class Space, class List, class Memory>
void mark_listed(const std::string& label, const Space& space, const List& list, const LongRange& range,
                 const Bitmap<Memory>& marked) {
  for_range(label, space, range, MarkListed<List, Memory>{list, marked});
}

template <class Values>
struct CountEqual {
  Values values;
  typename Values::non_const_value_type wanted;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const { count += values(i) == wanted; }
};

/// How many values of the range are `wanted`. Waits.
template <class Space, class Value, class Memory>
std::int64_t count_equal(const std::string& label, const Space& space, const Kokkos::View<Value*, Memory>& values,
                         const LongRange& range, std::common_type_t<Value> wanted) {
  std::int64_t count = 0;
  reduce_range(label, space, range, CountEqual<Kokkos::View<Value*, Memory>>{values, wanted}, count);
  return count;
}

template <class Values>
struct FindLargestValue {
  using Value = typename Values::non_const_value_type;
  Values values;
  KOKKOS_FUNCTION void operator()(std::int64_t i, Value& largest) const {
    largest = dromos::max<Value>(largest, values(i));
  }
};

/// The largest value of an array, the least that there is where it is empty. Waits.
template <class Space, class Value, class Memory>
std::remove_const_t<Value> largest_value(const std::string& label, const Space& space,
                                         const Kokkos::View<Value*, Memory>& values) {
  return reduce_range_by<Kokkos::Max<std::remove_const_t<Value>>>(
      label, space, values.extent(0), FindLargestValue<Kokkos::View<Value*, Memory>>{values});
}

template <class Graph, class Degrees>
struct StoreDegrees {
  Graph graph;
  Degrees degrees;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    degrees(v) =
        static_cast<typename Degrees::non_const_value_type>(graph.degree(static_cast<typename Graph::vertex_type>(v)));
  }
};

/// degrees(v) = the degree of v, of all vertices of a graph view. Does not wait.
template <class Space, class Graph, class T, class Memory>
void write_degrees(const std::string& label, const Space& space, const Graph& graph,
                   const Kokkos::View<T*, Memory>& degrees) {
  for_range(label, space, degrees.extent(0), StoreDegrees<Graph, Kokkos::View<T*, Memory>>{graph, degrees});
}

}  // namespace dromos::detail
