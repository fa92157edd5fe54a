// SPDX-License-Identifier: BSD-3-Clause
#include "hdf5_reader.hpp"

#include <algorithm>
#include <dromos/graph/row_sources.hpp>
#include <mutex>
#include <utility>
#include <vector>

#include "hdf5_graphs.hpp"
#include "hdf5_layout.hpp"
#include "hdf5_separated.hpp"

namespace dromos::io {
namespace {

/// Looks at the arcs of rows while they arrive: are the targets vertices, are rows ascending, and, where the graph says that
/// it is undirected, is every arc there in both directions? One pass, which most rows leave with nothing to remark: where
/// the targets of a row ascend, the first and the last tell whether all are vertices.
template <class Vertex>
class RowInspector {
 public:
  RowInspector(const Hdf5Input& file, const Hdf5Csr& csr, const Offset* row_map, const Vertex* entries)
      : row_map_(row_map),
        entries_(entries),
        num_vertices_(csr.num_vertices()),
        check_targets_(check_vertices(file, csr.entries, entries, 0, csr.num_vertices())) {}

  /// Arcs begin .. end - 1 are in memory.
  void look(std::int64_t begin, std::int64_t end) {
    Findings found;
    std::int64_t u = std::upper_bound(row_map_, row_map_ + num_vertices_ + 1, begin) - row_map_ - 1;
    for (std::int64_t e = begin; e < end; ++u) {
      const std::int64_t row_end = std::min(end, row_map_[u + 1]);
      if (e < row_end) look_at_row(static_cast<Vertex>(u), e, row_end, found);
      e = row_end;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    found_.add(found);
    borders_.push_back(begin);
  }

  /// When all are: the pairs of arcs of which look() saw one each.
  void finish() {
    for (const std::int64_t e : borders_) {
      const bool begins_row = std::binary_search(row_map_, row_map_ + num_vertices_ + 1, e);
      if (!begins_row) compare(e, found_);
    }
  }

  bool ascending() const { return !found_.descents; }
  bool has_self_loops() const { return found_.self_loops; }
  bool has_repeated() const { return found_.repeated; }
  /// As asymmetry_of(), of all arcs.
  std::uint64_t asymmetry() const { return found_.asymmetry; }

 private:
  struct Findings {
    bool descents = false, self_loops = false, repeated = false;
    std::uint64_t asymmetry = 0;

    void add(const Findings& other) {
      descents |= other.descents;
      self_loops |= other.self_loops;
      repeated |= other.repeated;
      asymmetry += other.asymmetry;
    }
  };

  void compare(std::int64_t e, Findings& found) const {
    found.descents |= entries_[e] < entries_[e - 1];
    found.repeated |= entries_[e] == entries_[e - 1];
  }

  void look_at_row(Vertex u, std::int64_t begin, std::int64_t end, Findings& found) const {
    const Vertex* const row = entries_ + begin;
    const std::int64_t size = end - begin;
    // Masks as wide as ids: bool would keep the loop from vectors.
    using Mask = std::make_unsigned_t<Vertex>;
    constexpr Mask all = ~Mask(0);
    Mask ascending = all, self_loops = row[0] == u ? all : 0;
    std::uint64_t multiples = asymmetry::multiple(row[0]), scattered = asymmetry::scattered(multiples);
    for (std::int64_t i = 1; i < size; ++i) {
      ascending &= row[i] > row[i - 1] ? all : 0;
      self_loops |= row[i] == u ? all : 0;
      const std::uint64_t multiple = asymmetry::multiple(row[i]);
      multiples += multiple;
      scattered += asymmetry::scattered(multiple);
    }
    found.self_loops |= self_loops != 0;
    found.asymmetry += asymmetry_of(u, static_cast<std::uint64_t>(size), multiples, scattered);
    if (ascending == 0) {
      check_targets_(begin, end);
      for (std::int64_t e = begin + 1; e < end; ++e) compare(e, found);
    } else if (row[0] < 0 || row[size - 1] >= num_vertices_) {
      check_targets_(begin, end);
    }
  }

  const Offset* row_map_;
  const Vertex* entries_;
  std::int64_t num_vertices_;
  CheckElements check_targets_;
  std::mutex mutex_;
  Findings found_;
  std::vector<std::int64_t> borders_;
};

Kokkos::View<float*, Kokkos::HostSpace> read_weights(const Hdf5Input& file, const std::optional<Hdf5Dataset>& dataset,
                                                     const ReadOptions& options) {
  if (!options.weights || !dataset) return {};
  const auto weights = array_for<float>("dromos::edge_list::weight", dataset->size);
  file.read(*dataset, 0, dataset->size, weights.data(),
            check_weights(file, *dataset, weights.data(), 0, options.non_negative_weights));
  return weights;
}

template <class Vertex>
RowsOfFile<Vertex> read_rows(const Hdf5Input& file, const Hdf5Csr& csr, const ReadOptions& options) {
  RowsOfFile<Vertex> rows;
  rows.graph.directed = csr.directed;
  rows.graph.row_map = array_for<Offset>("dromos::graph::row_map", csr.row_map.size);
  file.read(csr.row_map, 0, csr.row_map.size, rows.graph.row_map.data());
  check_offsets(file, csr, rows.graph.row_map.data(), 0, csr.row_map.size);
  rows.graph.entries = array_for<Vertex>("dromos::graph::entries", csr.entries.size);
  RowInspector<Vertex> inspector(file, csr, rows.graph.row_map.data(), rows.graph.entries.data());
  file.read(csr.entries, 0, csr.entries.size, rows.graph.entries.data(),
            [&](std::int64_t begin, std::int64_t end) { inspector.look(begin, end); });
  inspector.finish();
  check_symmetry(file, csr, inspector.asymmetry());
  rows.ascending = inspector.ascending();
  rows.has_self_loops = inspector.has_self_loops();
  rows.has_repeated = inspector.has_repeated();
  rows.graph.weights = read_weights(file, csr.weights, options);
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
