// SPDX-License-Identifier: BSD-3-Clause
// What tests of strongly connected components share: deep graphs, on which methods are slow or wrong, every variant of
// every method, and the oracle that all results are compared with.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/scc.hpp>
#include <dromos/generate/deep_graphs.hpp>
#include <dromos/generate/structured.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/validate/reference.hpp>
#include <limits>
#include <string>
#include <vector>

#include "build_zoo_graph.hpp"
#include "graph_zoo.hpp"

namespace dromos::test {

/// An edge list and what to call it.
template <class Vertex>
struct NamedEdges {
  std::string name;
  EdgeList<Vertex, Kokkos::HostSpace> edges;
};

/// Deep graphs of about this many vertices, each with its vertices in order and shuffled.
template <class Vertex>
std::vector<NamedEdges<Vertex>> deep_graphs(std::int64_t num_vertices) {
  ChainOfCyclesOptions small, large;
  small.num_vertices = large.num_vertices = num_vertices;
  small.smallest_block = 2;
  small.largest_block = 5;
  small.degree = 2;
  std::int64_t side = 1;
  while (side * side < num_vertices) ++side;
  std::vector<NamedEdges<Vertex>> graphs;
  for (const bool shuffle : {false, true}) {
    const std::string suffix = shuffle ? ", shuffled" : "";
    for (const auto& [name, edges] :
         std::vector<NamedEdges<Vertex>>{{"chain of small cycles", chain_of_cycles<Vertex>(small)},
                                         {"chain of large cycles", chain_of_cycles<Vertex>(large)},
                                         {"path", path<Vertex>(num_vertices)},
                                         {"cycle", cycle<Vertex>(num_vertices)},
                                         {"nested cycles", nested_cycles<Vertex>(num_vertices)},
                                         {"oriented lattice", oriented_lattice<Vertex>(side)}}) {
      if (shuffle) shuffle_vertices(edges, 17);
      graphs.push_back({name + suffix, edges});
    }
  }
  return graphs;
}

/// A graph with what a decomposition needs, and the right answer by Tarjan's algorithm. The decomposition is that of
/// views which are made of the graph and of its transpose.
template <class Vertex, class View = CsrGraph<Vertex, Memory>, class ReversedView = View>
struct SccProblem {
  CsrGraph<Vertex, Memory> graph;
  SccScratch<Vertex, Memory, Vertex, View, ReversedView> scratch;
  SccResult<Vertex, Memory> result;
  std::vector<Vertex> expected;

  explicit SccProblem(const CsrGraph<Vertex, Memory>& the_graph)
      : graph(the_graph),
        scratch(View(graph), ReversedView(transpose(Space(), graph))),
        expected(reference::strong_components(copy_to<Kokkos::HostSpace>(graph))) {}
  explicit SccProblem(const ZooGraph& zoo) : SccProblem(build<Vertex>(zoo)) {}
  explicit SccProblem(const NamedEdges<Vertex>& named) : SccProblem(build_csr(Space(), copy_to<Memory>(named.edges))) {}

  /// Runs and compares labels and counts.
  SccStatistics expect_right(const SccOptions& options) {
    // Whatever an earlier run left in the result must not be what is found right.
    if (result.component.extent(0) != 0) Kokkos::deep_copy(result.component, no_vertex<Vertex>);
    const SccStatistics statistics = scc(Space(), scratch, result, options);
    const std::vector<Vertex> found = to_vector(result.component);
    EXPECT_EQ(found.size(), expected.size());
    for (std::size_t v = 0; v < expected.size(); ++v) {
      if (found[v] == expected[v]) continue;
      ADD_FAILURE() << "vertex " << v << " has component " << found[v] << " instead of " << expected[v];
      break;
    }
    expect_right_counts(statistics);
    return statistics;
  }

 private:
  void expect_right_counts(const SccStatistics& statistics) const {
    std::vector<std::int64_t> size(expected.size(), 0);
    for (const Vertex label : expected) ++size[label];
    const auto count_above = [&](std::int64_t least) {
      return std::count_if(size.begin(), size.end(), [&](std::int64_t s) { return s > least; });
    };
    EXPECT_EQ(statistics.components.num_components, count_above(0));
    EXPECT_EQ(statistics.components.num_nontrivial, count_above(1));
    EXPECT_EQ(statistics.components.largest_component, size.empty() ? 0 : *std::max_element(size.begin(), size.end()));
    std::int64_t num_settled = 0;
    for (const SccStep& step : statistics.steps) num_settled += step.num_settled;
    EXPECT_EQ(num_settled, static_cast<std::int64_t>(expected.size()));
  }
};

/// Every method, and Multistep in the ways that its cut-over points allow: as it is, never giving up, and never handing
/// anything to the serial finish.
struct SccVariant {
  std::string name;
  SccMethod method;
  MultistepOptions multistep;
};

inline std::vector<SccVariant> scc_variants() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {{"multistep", SccMethod::multistep, {}},
          {"multistep without guard", SccMethod::multistep, {infinity, -1}},
          {"multistep without serial finish", SccMethod::multistep, {infinity, 0}},
          {"multistep that finishes 20 vertices serially", SccMethod::multistep, {infinity, 20}},
          {"multistep with a small budget", SccMethod::multistep, {30, 0}},
          {"multistep that contracts at once", SccMethod::multistep, {0, -1, 0}},
          {"multistep that contracts to 20 vertices", SccMethod::multistep, {0.3, -1, 20}},
          {"forward-backward", SccMethod::forward_backward, {}},
          {"coloring", SccMethod::coloring, {}},
          {"serial", SccMethod::serial, {}}};
}

}  // namespace dromos::test
