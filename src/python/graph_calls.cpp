// SPDX-License-Identifier: BSD-3-Clause
#include "python/graph_calls.hpp"

#include <cmath>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/bfs_direction_optimizing.hpp>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/algorithms/kcore.hpp>
#include <dromos/algorithms/rcm.hpp>
#include <dromos/algorithms/scc.hpp>
#include <dromos/algorithms/shortest_path_tree.hpp>
#include <dromos/algorithms/sssp.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/row_sources.hpp>
#include <dromos/graph/symmetric_pattern.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/interop/kokkos_sparse.hpp>
#include <limits>
#include <utility>

namespace dromos::python {
namespace {

static_assert(host_accessible<Memory>, "the module works where NumPy's arrays are, in main memory");

/// Kokkos' way to say "where that array is"; it neither allocates nor frees.
template <class T>
Kokkos::View<T*, Memory> view_at(T* data, std::int64_t size) {
  return Kokkos::View<T*, Memory>(data, static_cast<std::size_t>(size));
}

template <class Vertex>
struct ArraysOfRows {
  Kokkos::View<const Offset*, Memory> row_map;
  Kokkos::View<const Vertex*, Memory> entries;
};

/// Counts what the rows of an undirected graph would not have: entries that are out of order or there again, and
/// entries above the diagonal without their twin below; and how many more are above than below, which says the rest.
template <class Vertex>
struct CountOneWayEntries {
  CsrView<Vertex, Memory> graph;
  const float* weights;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t& faults, std::int64_t& more_above) const {
    const Vertex u = static_cast<Vertex>(row);
    for (Offset e = graph.begin(u); e < graph.end(u); ++e) {
      const Vertex v = graph.neighbor(e);
      faults += e > graph.begin(u) && graph.neighbor(e - 1) >= v;
      more_above += (v > u) - (v < u);
      if (v <= u) continue;
      const Offset back = find(v, u);
      faults += back < 0 || (weights != nullptr && !(weights[e] == weights[back]));
    }
  }
  /// Where v is in the row of u, or -1; something of the two where the row does not ascend.
  KOKKOS_FUNCTION Offset find(Vertex u, Vertex v) const {
    Offset low = graph.begin(u), high = graph.end(u);
    while (low < high) {
      const Offset middle = low + (high - low) / 2;
      if (graph.neighbor(middle) < v) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < graph.end(u) && graph.neighbor(low) == v ? low : Offset(-1);
  }
};

}  // namespace

template <class Vertex>
CsrGraph<Vertex, Memory> BorrowedRows<Vertex>::graph() const {
  // Who searches a graph only reads it, so that const may go.
  CsrGraph<Vertex, Memory> graph;
  graph.row_map = view_at(const_cast<Offset*>(row_map), num_vertices + 1);
  graph.entries = view_at(const_cast<Vertex*>(entries), num_entries);
  if (weights != nullptr) graph.weights = view_at(const_cast<float*>(weights), num_entries);
  graph.directed = directed;
  return graph;
}

template <class Vertex>
void check_arrays(const BorrowedRows<Vertex>& rows) {
  const CsrGraph<Vertex, Memory> graph = rows.graph();
  graph_view(ArraysOfRows<Vertex>{graph.row_map, graph.entries});
}

template <class Vertex>
bool is_undirected(const BorrowedRows<Vertex>& rows) {
  std::int64_t faults = 0, more_above = 0;
  Kokkos::parallel_reduce("dromos::python::is_undirected",
                          Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, rows.num_vertices),
                          CountOneWayEntries<Vertex>{rows.graph().view(), rows.weights}, faults, more_above);
  return faults == 0 && more_above == 0;
}

template <class Vertex>
CsrGraph<Vertex, Memory> forget_directions(const BorrowedRows<Vertex>& rows) {
  BuildOptions build;
  build.symmetrize = true;
  build.remove_duplicates = true;
  return build_csr(Space(), edge_list_of(Space(), rows.graph()), build);
}

template <class Vertex>
void search(const BorrowedRows<Vertex>& rows, const std::vector<std::int64_t>& roots, Level* level, Vertex* parent) {
  const Space space;
  const CsrGraph<Vertex, Memory> graph = rows.graph();
  const std::int64_t n = rows.num_vertices;
  for (const std::int64_t root : roots) check_root(root, n);
  BfsOptions options;
  options.levels = level != nullptr;
  options.parents = parent != nullptr;
  BfsResult<Vertex, Memory> result;
  const auto search_each = [&](const auto& search_from) {
    for (std::size_t i = 0; i < roots.size(); ++i) {
      const std::int64_t begin = static_cast<std::int64_t>(i) * n;
      if (level != nullptr) result.level = view_at(level + begin, n);
      if (parent != nullptr) result.parent = view_at(parent + begin, n);
      search_from(static_cast<Vertex>(roots[i]));
    }
  };
  if (graph.directed) {  // without the graph turned round, which would have to be built
    BfsScratch<Vertex, Memory> scratch(graph);
    search_each([&](Vertex root) { bfs(space, graph, root, scratch, result, options); });
  } else {
    BfsDirectionScratch<Vertex, Memory> scratch(space, graph, graph);
    search_each([&](Vertex root) { bfs_direction_optimizing(space, graph, root, scratch, result, options); });
  }
}

template <class Vertex>
void find_distances(const BorrowedRows<Vertex>& rows, const std::vector<std::int64_t>& roots, double* distance,
                    Vertex* parent) {
  const Space space;
  const std::int64_t n = rows.num_vertices;
  for (const std::int64_t root : roots) check_root(root, n);
  SsspScratch<Vertex, Memory> scratch(space, rows.graph());
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const std::int64_t begin = static_cast<std::int64_t>(i) * n;
    auto distances = view_at(distance + begin, n);
    const Vertex root = static_cast<Vertex>(roots[i]);
    sssp(space, scratch, root, distances);
    if (parent != nullptr) {
      auto parents = view_at(parent + begin, n);
      shortest_path_tree(space, scratch, root, distances, parents);
    }
    for (std::int64_t v = 0; v < n; ++v) {
      if (distances(v) >= no_distance<double>) distances(v) = std::numeric_limits<double>::infinity();
    }
  }
}

template <class Vertex>
std::int64_t label_components(const BorrowedRows<Vertex>& rows, bool strong, Vertex* label) {
  const Space space;
  const CsrGraph<Vertex, Memory> graph = rows.graph();
  const auto labels = view_at(label, rows.num_vertices);
  if (strong) {
    SccScratch<Vertex, Memory> scratch(graph, transpose(space, graph));
    SccResult<Vertex, Memory> result{labels};
    scc(space, scratch, result);
  } else {
    ComponentScratch<Vertex, Memory> scratch(graph);
    ComponentResult<Vertex, Memory> result{labels};
    connected_components(space, graph, scratch, result);
  }
  // A component is called by its smallest vertex, which has its number before any other of the component asks for it.
  Vertex num_components = 0;
  for (std::int64_t v = 0; v < rows.num_vertices; ++v) {
    const Vertex smallest = labels(v);
    labels(v) = static_cast<std::int64_t>(smallest) == v ? num_components++ : labels(smallest);
  }
  return num_components;
}

template <class Vertex>
PageRankStatistics rank_vertices(const BorrowedRows<Vertex>& rows, const PageRankOptions& options, const double* start,
                                 double* rank) {
  const Space space;
  const CsrGraph<Vertex, Memory> graph = rows.graph();
  auto ranks = view_at(rank, rows.num_vertices);
  PageRankScratch<Vertex, Memory> scratch(graph, transpose(space, graph));
  if (start != nullptr) scratch.start = view_at(start, rows.num_vertices);
  return pagerank(space, scratch, ranks, options);
}

template <class Vertex>
void find_core_numbers(const BorrowedRows<Vertex>& rows, Vertex* core) {
  const CsrGraph<Vertex, Memory> graph = rows.graph();
  auto cores = view_at(core, rows.num_vertices);
  KcoreScratch<Vertex, Memory> scratch(graph);
  kcore(Space(), graph, scratch, cores);
}

template <class Vertex>
void order_by_rcm(const BorrowedRows<Vertex>& rows, Vertex* order) {
  const Space space;
  RcmResult<Vertex, Memory> result;
  result.old_id = view_at(order, rows.num_vertices);
  CsrGraph<Vertex, Memory> graph = rows.graph();
  if (graph.directed && detail::num_not_ascending(space, graph.view()) != 0) graph = forget_directions(rows);
  if (graph.directed) {
    const SymmetricPattern<Vertex, Memory> pattern(space, graph);
    if (pattern.more().num_edges() != 0) {
      rcm(space, pattern, result);
      return;
    }
    graph.directed = false;
  }
  rcm(space, graph, result);
}

template <class Vertex>
FileGraph<Vertex> read_file_graph(const FileRequest& request) {
  const Space space;
  ReadOptions read = request.read;
  read.rows = true;
  GraphFile<Vertex> file = read_graph<Vertex>(request.path, read);
  const bool directed = request.directed < 0 ? file.directed.value_or(true) : request.directed == 1;
  if (directed && file.directed == false) {
    throw ArgumentError(request.path +
                        ": directed=True, and the file says that its edges have no direction; leave it out");
  }
  FileGraph<Vertex> result;
  result.names = file.names;
  result.words = std::move(file.words);
  EdgeList<Vertex, Memory> edges;
  if (file.rows) {
    const RowsOfFile<Vertex>& rows = *file.rows;
    if (rows.ascending && rows.graph.directed == directed && (!rows.has_self_loops || request.keep_self_loops) &&
        (!rows.has_repeated || request.keep_duplicates)) {
      result.graph = rows.graph;
      return result;
    }
    edges = edge_list_of(space, rows.graph);
  } else {
    edges = std::exchange(file.edges, {});
  }
  BuildOptions build;
  build.symmetrize = !directed;
  build.drop_self_loops = !request.keep_self_loops;
  build.remove_duplicates = !request.keep_duplicates;
  result.graph = build_csr(space, std::move(edges), build);
  return result;
}

#define DROMOS_PYTHON_CALLS(VERTEX)                                                                              \
  template struct BorrowedRows<VERTEX>;                                                                          \
  template void check_arrays(const BorrowedRows<VERTEX>&);                                                       \
  template bool is_undirected(const BorrowedRows<VERTEX>&);                                                      \
  template CsrGraph<VERTEX, Memory> forget_directions(const BorrowedRows<VERTEX>&);                              \
  template void search(const BorrowedRows<VERTEX>&, const std::vector<std::int64_t>&, Level*, VERTEX*);          \
  template void find_distances(const BorrowedRows<VERTEX>&, const std::vector<std::int64_t>&, double*, VERTEX*); \
  template std::int64_t label_components(const BorrowedRows<VERTEX>&, bool, VERTEX*);                            \
  template PageRankStatistics rank_vertices(const BorrowedRows<VERTEX>&, const PageRankOptions&, const double*,  \
                                            double*);                                                            \
  template void find_core_numbers(const BorrowedRows<VERTEX>&, VERTEX*);                                         \
  template void order_by_rcm(const BorrowedRows<VERTEX>&, VERTEX*);                                              \
  template FileGraph<VERTEX> read_file_graph(const FileRequest&);
DROMOS_PYTHON_CALLS(std::int32_t)
DROMOS_PYTHON_CALLS(std::int64_t)

}  // namespace dromos::python
