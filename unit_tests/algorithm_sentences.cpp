// SPDX-License-Identifier: BSD-3-Clause
// A class that does not name the type of its vertices is told so by whatever takes a graph view, before a declaration
// stumbles over it. Not part of any program: graph_view_sentences.cmake compiles it, and looks for the sentence behind
// each "says:".
#include <cstdint>
#include <dromos/algorithms/betweenness.hpp>
#include <dromos/algorithms/bfs_direction_optimizing.hpp>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/algorithms/diameter.hpp>
#include <dromos/algorithms/kcore.hpp>
#include <dromos/algorithms/pagerank.hpp>
#include <dromos/algorithms/scc.hpp>
#include <dromos/algorithms/sssp.hpp>
#include <dromos/algorithms/topological_levels.hpp>
#include <type_traits>

namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Memory = Space::memory_space;
using Vertex = std::int32_t;

/// A graph without vertices. One class for each that is to say something: a compiler says it once of a class.
template <int>
struct NamesNothing {
  using memory_space = Memory;
  static constexpr bool directed = true;
  Vertex num_vertices() const { return 0; }
  dromos::Offset num_edges() const { return 0; }
  dromos::Offset begin(Vertex) const { return 0; }
  dromos::Offset end(Vertex) const { return 0; }
  dromos::Offset degree(Vertex) const { return 0; }
  Vertex neighbor(dromos::Offset) const { return 0; }
  float weight(dromos::Offset) const { return 1; }
};
template <int i>
struct NamesVertices : NamesNothing<i> {
  using vertex_type = Vertex;
};

#ifdef DROMOS_LACKING
template <int i>
using Graph = NamesNothing<i>;
#else
template <int i>
using Graph = NamesVertices<i>;
#endif

}  // namespace

void take_graphs() {
  dromos::BfsScratch<Vertex, Memory> levels(Graph<1>{});                    // says: names the type of its vertices
  dromos::ColorScratch<Vertex, Memory> colors(Graph<2>{});                  // says: names the type of its vertices
  dromos::KcoreScratch<Vertex, Memory> cores(Graph<3>{});                   // says: names the type of its vertices
  dromos::BetweennessScratch<Vertex, Memory> centralities(Graph<4>{});      // says: names the type of its vertices
  dromos::ComponentScratch components(Graph<5>{});                          // says: names the type of its vertices
  dromos::ComponentScratch both_ways(Graph<6>{}, Graph<6>{});               // says: names the type of its vertices
  dromos::PageRankScratch ranks(Graph<7>{}, Graph<7>{});                    // says: names the type of its vertices
  dromos::SccScratch strong(Graph<8>{}, Graph<8>{});                        // says: names the type of its vertices
  dromos::SsspScratch distances(Space(), Graph<9>{});                       // says: names the type of its vertices
  dromos::BfsDirectionScratch backward(Space(), Graph<10>{}, Graph<10>{});  // says: names the type of its vertices
  Kokkos::View<dromos::Level*, Memory> level;
  dromos::topological_levels(Space(), Graph<11>{}, level);  // says: names the type of its vertices
  // Scratch is copied where it is given, as ever.
  const dromos::ComponentScratch copy(components);
  static_assert(std::is_same_v<decltype(copy), const decltype(components)>);
}
