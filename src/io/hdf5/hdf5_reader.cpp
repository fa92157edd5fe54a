// SPDX-License-Identifier: BSD-3-Clause
#include "io/hdf5/hdf5_reader.hpp"

#include <algorithm>
#include <atomic>
#include <dromos/graph/row_sources.hpp>
#include <utility>

#include "io/hdf5/hdf5_graphs.hpp"
#include "io/hdf5/hdf5_layout.hpp"
#include "io/hdf5/hdf5_separated.hpp"
#include "io/hdf5/row_findings.hpp"
#include "io/text/parallel_pieces.hpp"

namespace dromos::io {
namespace {

Kokkos::View<float*, Kokkos::HostSpace> read_weights(const Hdf5Input& file, const std::optional<Hdf5Dataset>& dataset,
                                                     const ReadOptions& options) {
  if (!options.weights || !dataset) return {};
  const auto weights = array_for<float>("dromos::edge_list::weight", dataset->size);
  file.read(*dataset, 0, dataset->size, weights.data(),
            check_weights(file, *dataset, weights.data(), 0, options.non_negative_weights));
  return weights;
}

/// The sum of asymmetry_of(source, target, weight) over arcs; source_of(e, u) is the source of arc e, where u is that
/// of the arc before it or 0.
template <class Vertex, class SourceOf>
std::uint64_t weight_asymmetry(std::int64_t num_arcs, const Vertex* target, const float* weight,
                               const SourceOf& source_of) {
  std::atomic<std::uint64_t> all{0};
  parallel_for_ranges("dromos::hdf5::weight_asymmetry", num_arcs, [&](std::int64_t begin, std::int64_t end) {
    std::uint64_t sum = 0;
    std::int64_t source = begin < end ? source_of(begin, -1) : 0;
    for (std::int64_t e = begin; e < end; ++e) {
      source = source_of(e, source);
      sum += asymmetry_of(static_cast<Vertex>(source), target[e], weight[e]);
    }
    all += sum;
  });
  return all;
}

template <class Vertex>
RowsOfFile<Vertex> read_rows(const Hdf5Input& file, const Hdf5Csr& csr, const ReadOptions& options) {
  RowsOfFile<Vertex> rows;
  rows.graph.directed = csr.directed;
  rows.graph.row_map = array_for<Offset>("dromos::graph::row_map", csr.row_map.size);
  file.read(csr.row_map, 0, csr.row_map.size, rows.graph.row_map.data());
  check_offsets(file, csr, rows.graph.row_map.data(), 0, csr.row_map.size);
  rows.graph.entries = array_for<Vertex>("dromos::graph::entries", csr.entries.size);
  const Vertex* const entries = rows.graph.entries.data();
  const CheckElements check_targets = check_vertices(file, csr.entries, entries, 0, csr.num_vertices());
  RowInspector<Vertex> inspector(rows.graph.row_map.data(), entries, csr.num_vertices());
  file.read(csr.entries, 0, csr.entries.size, rows.graph.entries.data(), [&](std::int64_t begin, std::int64_t end) {
    if (inspector.look(begin, end).outside) check_targets(begin, end);
  });
  const RowFindings found = inspector.finish();
  check_symmetry(file, csr, found.asymmetry);
  rows.ascending = !found.descents;
  rows.has_self_loops = found.self_loops;
  rows.has_repeated = found.repeated;
  rows.graph.weights = read_weights(file, csr.weights, options);
  if (!csr.directed && rows.graph.weighted()) {
    const Offset* const row_map = rows.graph.row_map.data();
    const std::int64_t n = csr.num_vertices();
    check_weight_symmetry(
        file, *csr.weights,
        weight_asymmetry(csr.num_edges(), entries, rows.graph.weights.data(), [&](std::int64_t e, std::int64_t source) {
          if (source < 0) {
            source = std::upper_bound(row_map, row_map + n + 1, e) - row_map - 1;
          }
          while (row_map[source + 1] <= e) ++source;
          return source;
        }));
  }
  return rows;
}

template <class Vertex>
EdgeList<Vertex, Kokkos::HostSpace> read_edges(const Hdf5Input& file, const Hdf5EdgeList& list,
                                               const ReadOptions& options) {
  EdgeList<Vertex, Kokkos::HostSpace> edges;
  edges.num_vertices = static_cast<Vertex>(list.num_vertices);
  const auto read_ends = [&](const Hdf5Dataset& dataset, const std::string& label) {
    const auto ends = array_for<Vertex>(label, dataset.size);
    file.read(dataset, 0, dataset.size, ends.data(), check_vertices(file, dataset, ends.data(), 0, list.num_vertices));
    return ends;
  };
  edges.source = read_ends(list.source, "dromos::edge_list::source");
  edges.target = read_ends(list.target, "dromos::edge_list::target");
  edges.weight = read_weights(file, list.weight, options);
  return edges;
}

}  // namespace

template <class Vertex>
GraphFile<Vertex> read_hdf5(const std::string& path, const ReadOptions& options) {
  const Hdf5Access alone;
  const Hdf5Input file(path, alone);
  check_has_graph(file, true);
  GraphFile<Vertex> result;
  result.bytes_read = file.num_bytes();
  // A file may have both; each is preferred for what it is asked for.
  const bool by_rows = file.has(hdf5_layout::csr) && (options.rows || !file.has(hdf5_layout::edge_list));
  if (by_rows) {
    const Hdf5Csr csr = open_csr(file, max_num_vertices<Vertex>);
    if (options.before_reading) options.before_reading(csr.num_vertices(), csr.num_edges(), false);
    result.names = read_names(file, hdf5_layout::csr, csr.num_vertices());
    result.directed = csr.directed;
    result.listed_both_ways = !csr.directed;
    result.rows = read_rows<Vertex>(file, csr, options);
    if (!options.rows) {
      result.edges = edge_list_of(Kokkos::DefaultHostExecutionSpace(), result.rows->graph);
      result.rows.reset();
    }
  } else if (!file.has(hdf5_layout::edge_list)) {
    SeparatedEdges<Vertex> separated = read_separated<Vertex>(file);
    result.names = read_names(file, hdf5_layout::separated, separated.edges.num_vertices);
    result.directed = separated.directed;
    result.listed_both_ways = !separated.directed;
    result.edges = std::move(separated.edges);
  } else {
    const Hdf5EdgeList list = open_edge_list(file, max_num_vertices<Vertex>);
    if (options.before_reading) {
      options.before_reading(list.num_vertices, list.num_edges(), list.directed == false && !list.listed_both_ways);
    }
    result.names = read_names(file, hdf5_layout::edge_list, list.num_vertices);
    result.directed = list.directed;
    result.listed_both_ways = list.listed_both_ways;
    result.edges = read_edges<Vertex>(file, list, options);
  }
  return result;
}

template GraphFile<std::int32_t> read_hdf5(const std::string&, const ReadOptions&);
template GraphFile<std::int64_t> read_hdf5(const std::string&, const ReadOptions&);

}  // namespace dromos::io
