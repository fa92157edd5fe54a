// SPDX-License-Identifier: BSD-3-Clause
// Classes that lack one thing each of what a graph view has. Not part of any program: graph_view_sentences.cmake
// compiles it, and looks for the sentence behind each "says:".
#include <cstdint>
#include <dromos/graph/graph_view.hpp>

namespace {

using dromos::Offset;
using Vertex = std::int32_t;

template <int part>
struct Has {};
template <>
struct Has<0> {
  using vertex_type = Vertex;
};
template <>
struct Has<1> {
  using memory_space = Kokkos::HostSpace;
};
template <>
struct Has<2> {
  Vertex num_vertices() const { return 0; }
};
template <>
struct Has<3> {
  Offset num_edges() const { return 0; }
};
template <>
struct Has<4> {
  Offset begin(Vertex) const { return 0; }
};
template <>
struct Has<5> {
  Offset end(Vertex) const { return 0; }
};
template <>
struct Has<6> {
  Offset degree(Vertex) const { return 0; }
};
template <>
struct Has<7> {
  Vertex neighbor(Offset) const { return 0; }
};

struct HasAll : Has<0>, Has<1>, Has<2>, Has<3>, Has<4>, Has<5>, Has<6>, Has<7> {};

template <int lacking, int part>
struct Unless : Has<part> {};
template <int lacking>
struct Unless<lacking, lacking> {};
template <int i>
struct HasAllBut : Unless<i, 0>,
                   Unless<i, 1>,
                   Unless<i, 2>,
                   Unless<i, 3>,
                   Unless<i, 4>,
                   Unless<i, 5>,
                   Unless<i, 6>,
                   Unless<i, 7> {};

struct HasWideVertices : HasAllBut<0> {
  using vertex_type = std::int64_t;
};
struct LiesElsewhere : HasAllBut<1> {
  using memory_space = void;
};

struct HasWeights : HasAll {
  float weight(Offset) const { return 1; }
};

/// It is there, but not for a graph that may not be changed.
struct CountsByChange : HasAllBut<2> {
  Vertex num_vertices() { return 0; }
};

}  // namespace

template void dromos::check_graph_view<HasAll>();
template void dromos::check_weighted_graph_view<HasWeights>();
template void dromos::check_graph_and_transpose<HasAll, HasWeights>();
#ifdef DROMOS_LACKING
template void dromos::check_graph_view<HasAllBut<0>>();     // says: names the type of its vertices
template void dromos::check_graph_view<HasAllBut<1>>();     // says: names the memory that kernels read it from
template void dromos::check_graph_view<HasAllBut<2>>();     // says: a graph view has num_vertices() const
template void dromos::check_graph_view<CountsByChange>();   // says: a graph view has num_vertices() const
template void dromos::check_graph_view<HasAllBut<3>>();     // says: a graph view has num_edges() const
template void dromos::check_graph_view<HasAllBut<4>>();     // says: a graph view has begin(u) const
template void dromos::check_graph_view<HasAllBut<5>>();     // says: a graph view has end(u) const
template void dromos::check_graph_view<HasAllBut<6>>();     // says: a graph view has degree(u) const
template void dromos::check_graph_view<HasAllBut<7>>();     // says: a graph view has neighbor(e) const
template void dromos::check_weighted_graph_view<HasAll>();  // says: a graph view with weights has weight(e) const
// says: a graph and its transpose have the same vertex_type
template void dromos::check_graph_and_transpose<HasAll, HasWideVertices>();
// says: a graph and its transpose have the same memory_space
template void dromos::check_graph_and_transpose<HasAll, LiesElsewhere>();
#endif
