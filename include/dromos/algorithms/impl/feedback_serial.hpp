// SPDX-License-Identifier: BSD-3-Clause
// The serial finish of feedback_edges(): one vertex at a time, on the host.
//
// Sinks go to the back and sources to the front, where they lose nothing; when there is none, the vertex with the
// largest difference of edges out of it and into it goes to the front. Vertices are kept in lists by that difference,
// which a neighbor's place changes by one, so that all of it is linear: the largest list that is not empty is looked
// for downwards, and moves up by one a change.
//
// Source: P. Eades, X. Lin, W. F. Smyth, "A fast and effective heuristic for the feedback arc set problem", IPL 1993.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <vector>

namespace dromos::detail {

template <class Vertex>
class SerialFeedbackOrder {
 public:
  using HostGraph = CsrGraph<Vertex, Kokkos::HostSpace>;

  /// \param inside    the edges that count, and turned round
  /// \param place     in and out: by vertex, no_vertex where it has none yet
  SerialFeedbackOrder(const HostGraph& inside, const HostGraph& reversed,
                      const Kokkos::View<Vertex*, Kokkos::HostSpace>& place)
      : inside_(inside.view()),
        reversed_(reversed.view()),
        place_(place),
        num_in_(place.extent(0), 0),
        num_out_(place.extent(0), 0),
        before_(place.extent(0), no_vertex<Vertex>),
        after_(place.extent(0), no_vertex<Vertex>) {}

  /// Gives every vertex of `list` a place, from `front` up and from `back` down.
  void order(const Vertex* list, std::int64_t size, Vertex front, Vertex back) {
    std::int64_t most = 0;
    for (std::int64_t i = 0; i < size; ++i) {
      num_out_[at(list[i])] = count_left(inside_, list[i]);
      num_in_[at(list[i])] = count_left(reversed_, list[i]);
      most = std::max({most, num_out_[at(list[i])], num_in_[at(list[i])]});
    }
    middle_ = most;
    first_.assign(static_cast<std::size_t>(2 * most + 1), no_vertex<Vertex>);
    largest_ = 0;
    // From the end, so that of equal ones the first in the list comes first.
    for (std::int64_t i = size; i-- > 0;) {
      insert(list[i]);
      if (num_out_[at(list[i])] == 0 || num_in_[at(list[i])] == 0) ready_.push_back(list[i]);
    }
    for (std::int64_t num_placed = 0; num_placed < size; ++num_placed) {
      const Vertex v = next();
      const bool at_front = num_in_[at(v)] == 0 || num_out_[at(v)] != 0;
      remove(v);
      place_(v) = at_front ? front++ : back--;
      for (Offset e = inside_.begin(v); e < inside_.end(v); ++e) change(inside_.neighbor(e), num_in_);
      for (Offset e = reversed_.begin(v); e < reversed_.end(v); ++e) change(reversed_.neighbor(e), num_out_);
    }
  }

 private:
  static std::size_t at(Vertex v) { return static_cast<std::size_t>(v); }

  std::int64_t count_left(const CsrView<Vertex, Kokkos::HostSpace>& graph, Vertex v) const {
    std::int64_t count = 0;
    for (Offset e = graph.begin(v); e < graph.end(v); ++e) count += place_(graph.neighbor(e)) == no_vertex<Vertex>;
    return count;
  }

  std::size_t list_of(Vertex v) const { return static_cast<std::size_t>(middle_ + num_out_[at(v)] - num_in_[at(v)]); }

  void insert(Vertex v) {
    const std::size_t d = list_of(v);
    before_[at(v)] = no_vertex<Vertex>;
    after_[at(v)] = first_[d];
    if (first_[d] != no_vertex<Vertex>) before_[at(first_[d])] = v;
    first_[d] = v;
    largest_ = std::max(largest_, d);
  }

  void remove(Vertex v) {
    const Vertex b = before_[at(v)], a = after_[at(v)];
    (b == no_vertex<Vertex> ? first_[list_of(v)] : after_[at(b)]) = a;
    if (a != no_vertex<Vertex>) before_[at(a)] = b;
  }

  /// A source or a sink, or else the first vertex of the largest difference.
  Vertex next() {
    while (!ready_.empty()) {
      const Vertex v = ready_.back();
      ready_.pop_back();
      if (place_(v) == no_vertex<Vertex>) return v;
    }
    while (first_[largest_] == no_vertex<Vertex>) --largest_;
    return first_[largest_];
  }

  /// v has one edge less on that side.
  void change(Vertex v, std::vector<std::int64_t>& count) {
    if (place_(v) != no_vertex<Vertex>) return;
    remove(v);
    if (--count[at(v)] == 0) ready_.push_back(v);
    insert(v);
  }

  const CsrView<Vertex, Kokkos::HostSpace> inside_, reversed_;
  const Kokkos::View<Vertex*, Kokkos::HostSpace> place_;
  std::vector<std::int64_t> num_in_, num_out_;
  std::vector<Vertex> first_;           // by difference, from -middle_
  std::vector<Vertex> before_, after_;  // in the list of a vertex
  std::vector<Vertex> ready_;           // sources and sinks; some may have their place
  std::int64_t middle_ = 0;
  std::size_t largest_ = 0;
};

}  // namespace dromos::detail
