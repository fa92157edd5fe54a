// SPDX-License-Identifier: BSD-3-Clause
// How far does news travel? The independent cascade model (Kempe, Kleinberg and Tardos 2003): whoever hears the news
// passes it over each out-edge once, and each time it is taken up with the same probability. The influence of a vertex
// is the mean number of vertices that hear of what starts there.
//
// All of it that is not Dromos is the operator Cascade, eight lines: dealing edges out to threads, the work sets and
// their growth are traverse()'s, with whatever strategy. The coin of an edge comes from its number, so that the answer
// is the same on any device with any number of threads.
//
//   cascade [FILE]      the graph of the file, or a Kronecker graph of 2^14 vertices
//
// Exit code 0 if news that everybody takes up reaches exactly what a breadth-first search reaches.
#include <Kokkos_Core.hpp>
#include <cstdio>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/generate/counter_random.hpp>
#include <dromos/generate/kronecker.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/io/read_graph.hpp>
#include <dromos/traverse/traverse.hpp>
#include <exception>
#include <utility>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Vertex = std::int32_t;
using Graph = dromos::CsrGraph<Vertex, Memory>;

/// The operator: v joins the next work set where the coin of edge e says so and v is the first to hear it.
struct Cascade {
  dromos::Bitmap<Memory> heard;
  dromos::CounterRandom coins;
  double probability;

  KOKKOS_FUNCTION bool edge(Vertex, Vertex v, dromos::Offset e) const {
    const double coin = static_cast<double>(coins.bits(static_cast<std::uint64_t>(e)) >> 11) * 0x1p-53;  // in [0, 1)
    return coin < probability && heard.set(v);  // set() says true to exactly one of several threads
  }
};

/// How many vertices hear of what starts at `root`, in one cascade.
std::int64_t spread(const Graph& graph, Vertex root, double probability, std::uint64_t seed,
                    const dromos::Strategy& strategy) {
  const Space space;
  const auto view = graph.view();
  const Cascade cascade{dromos::Bitmap<Memory>(graph.num_vertices(), "cascade::heard"), dromos::CounterRandom(seed),
                        probability};
  Kokkos::parallel_for(
      "cascade::start", Kokkos::RangePolicy<Space>(space, 0, 1), KOKKOS_LAMBDA(const int) { cascade.heard.set(root); });
  dromos::Frontier<Vertex, Memory> frontier(graph.num_vertices(), graph.num_edges());
  dromos::Frontier<Vertex, Memory> next(graph.num_vertices(), graph.num_edges());
  frontier.start(space, view, root);
  std::int64_t num_heard = 1;
  while (!frontier.empty()) {
    dromos::traverse(space, view, frontier, next, cascade, strategy);
    num_heard += next.num_vertices();
    std::swap(frontier, next);
  }
  return num_heard;
}

Graph graph_of(int argc, char** argv) {
  dromos::BuildOptions build;
  build.drop_self_loops = build.remove_duplicates = true;
  if (argc > 1) {
    const auto file = dromos::read_graph<Vertex>(argv[1]);
    build.symmetrize = !file.directed.value_or(true);
    const dromos::EdgeList<Vertex> edges = dromos::copy_to<Memory>(file.edges);
    return dromos::build_csr(Space(), edges, build);
  }
  dromos::KroneckerOptions kronecker;
  kronecker.scale = 14;
  build.symmetrize = true;
  return dromos::build_csr(Space(), dromos::generate_kronecker<Vertex>(Space(), kronecker), build);
}

int run(int argc, char** argv) {
  const Graph graph = graph_of(argc, argv);
  const auto rows = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), graph.row_map);
  Vertex root = 0;  // of the highest degree
  for (Vertex v = 1; v < graph.num_vertices(); ++v) {
    if (rows(v + 1) - rows(v) > rows(root + 1) - rows(root)) root = v;
  }
  const int num_cascades = 100;
  for (const double probability : {0.001, 0.01, 0.1}) {
    std::int64_t sum = 0;
    for (int i = 0; i < num_cascades; ++i) sum += spread(graph, root, probability, i, dromos::VertexChunk{});
    std::printf("probability %5.3f: vertex %d reaches %.1f of %d vertices, mean of %d cascades\n", probability, root,
                static_cast<double>(sum) / num_cascades, graph.num_vertices(), num_cascades);
  }
  dromos::BfsScratch<Vertex, Memory> scratch(graph);
  dromos::BfsResult<Vertex, Memory> result;
  const std::int64_t reachable = dromos::bfs(Space(), graph, root, scratch, result).num_reached;
  for (const dromos::Strategy& strategy : dromos::all_strategies()) {
    const std::int64_t certain = spread(graph, root, 1, 0, strategy);
    if (certain == reachable) continue;
    std::fprintf(stderr, "%s: everybody takes up the news and %lld hear it, but %lld are within reach\n",
                 dromos::strategy_name(strategy).c_str(), static_cast<long long>(certain),
                 static_cast<long long>(reachable));
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cascade: %s\n", error.what());
    return 2;
  }
}
