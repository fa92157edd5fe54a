// SPDX-License-Identifier: BSD-3-Clause
#include "io/hdf5/hdf5_graphs.hpp"

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "io/hdf5/hdf5_layout.hpp"
#include "io/text/line_fault.hpp"
#include "io/text/parallel_pieces.hpp"

namespace dromos::io {

namespace layout = hdf5_layout;

namespace {

std::string member(const char* group, const char* name) { return std::string(group) + "/" + name; }

std::optional<Hdf5Dataset> open_weights(const Hdf5Input& file, const std::string& name, std::int64_t num_edges) {
  if (!file.has(name)) return std::nullopt;
  Hdf5Dataset weights = file.numbers(name);
  file.check_size(weights, num_edges, "one for each edge");
  return weights;
}

}  // namespace

void check_num_vertices(const Hdf5Input& file, const std::string& where, std::int64_t num_vertices,
                        std::int64_t most_vertices) {
  if (num_vertices <= most_vertices) return;
  file.fail(where, "it has " + std::to_string(num_vertices) + " vertices, more than the " +
                       std::to_string(most_vertices) + " that 32-bit vertex ids can number; use 64-bit ids (--ids 64)");
}

Hdf5EdgeList open_edge_list(const Hdf5Input& file, std::int64_t most_vertices) {
  const std::string group = layout::edge_list;
  Hdf5EdgeList edges;
  edges.num_vertices = file.integer(group, layout::num_vertices, 0, std::numeric_limits<std::int64_t>::max());
  check_num_vertices(file, group, edges.num_vertices, most_vertices);
  if (file.find_integer(group, layout::directed)) edges.directed = file.integer(group, layout::directed, 0, 1) != 0;
  if (file.find_integer(group, layout::listed_both_ways)) {
    edges.listed_both_ways = file.integer(group, layout::listed_both_ways, 0, 1) != 0;
  }
  edges.source = file.integers(member(layout::edge_list, "source"));
  edges.target = file.integers(member(layout::edge_list, "target"));
  file.check_size(edges.target, edges.source.size, "as many as " + edges.source.name);
  edges.weight = open_weights(file, member(layout::edge_list, "weight"), edges.num_edges());
  return edges;
}

Hdf5Csr open_csr(const Hdf5Input& file, std::int64_t most_vertices) {
  Hdf5Csr csr;
  csr.directed = file.integer(layout::csr, layout::directed, 0, 1) != 0;
  csr.row_map = file.integers(member(layout::csr, "row_map"));
  csr.entries = file.integers(member(layout::csr, "entries"));
  if (csr.row_map.size == 0) {
    file.fail(csr.row_map.name, "expected one element more than there are vertices, found none; write the file again");
  }
  check_num_vertices(file, layout::csr, csr.num_vertices(), most_vertices);
  csr.weights = open_weights(file, member(layout::csr, "weights"), csr.num_edges());
  return csr;
}

void check_has_graph(const Hdf5Input& file, bool or_separated) {
  if (file.has(layout::edge_list) || file.has(layout::csr) || (or_separated && file.has(layout::separated))) return;
  throw InputError(file.path(), 0,
                   "expected a graph, in the group " + std::string(layout::edge_list) + " or " + layout::csr +
                       ", found " + file.list("/") + "; name the file of the graph");
}

VertexNames read_names(const Hdf5Input& file, const std::string& group, std::int64_t num_vertices) {
  const std::string table = group + "/" + layout::vertex_name;
  if (!file.has(table)) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const std::int64_t first =
        file.find_integer(group, layout::first_name)
            ? file.integer(group, layout::first_name, std::numeric_limits<std::int64_t>::min(), most - num_vertices)
            : 0;
    return VertexNames::consecutive(num_vertices, first);
  }
  const Hdf5Dataset dataset = file.integers(table);
  file.check_size(dataset, num_vertices, "one for each vertex");
  std::vector<std::int64_t> names(static_cast<std::size_t>(num_vertices));
  file.read(dataset, 0, num_vertices, names.data());
  // Larger unsigned ones became the largest that fits.
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  if (!names.empty() && names.back() == largest) {
    file.fail_at(dataset, num_vertices - 1, std::to_string(largest) + " or more",
                 "a name of at most " + std::to_string(largest - 1));
  }
  for (std::size_t v = 1; v < names.size(); ++v) {
    if (names[v - 1] < names[v]) continue;
    file.fail_at(dataset, static_cast<std::int64_t>(v), std::to_string(names[v]),
                 "more than the one before, " + std::to_string(names[v - 1]));
  }
  return VertexNames::table(std::move(names));
}

void write_names(Hdf5Output& file, const std::string& group, std::int64_t num_vertices, const VertexNames& names) {
  if (names.is_affine()) return file.attribute(group, layout::first_name, names.first_name());
  std::vector<std::int64_t> table(static_cast<std::size_t>(num_vertices));
  for (std::int64_t v = 0; v < num_vertices; ++v) table[static_cast<std::size_t>(v)] = names.name(v);
  file.dataset(group + "/" + layout::vertex_name, table.data(), num_vertices, about_vertex_names);
}

template <class Vertex>
CheckElements check_vertices(const Hdf5Input& file, const Hdf5Dataset& dataset, const Vertex* values,
                             std::int64_t first, std::int64_t bound) {
  return [=, &file, &dataset](std::int64_t begin, std::int64_t end) {
    using Unsigned = std::make_unsigned_t<Vertex>;
    const Unsigned limit = static_cast<Unsigned>(bound);
    bool bad = false;
    for (std::int64_t i = begin; i < end; ++i) bad |= static_cast<Unsigned>(values[i]) >= limit;
    if (!bad) return;
    std::int64_t i = begin;
    while (static_cast<Unsigned>(values[i]) < limit) ++i;
    // Wider numbers that did not fit became the largest that does.
    const bool clipped = values[i] == std::numeric_limits<Vertex>::max() && dataset.element_bytes > sizeof(Vertex);
    file.fail_at(dataset, first + i, std::to_string(values[i]) + (clipped ? " or more" : ""),
                 bound > 0 ? "a vertex from 0 to " + std::to_string(bound - 1) : "none, as there are no vertices");
  };
}

template CheckElements check_vertices(const Hdf5Input&, const Hdf5Dataset&, const std::int32_t*, std::int64_t,
                                      std::int64_t);
template CheckElements check_vertices(const Hdf5Input&, const Hdf5Dataset&, const std::int64_t*, std::int64_t,
                                      std::int64_t);

CheckElements check_weights(const Hdf5Input& file, const Hdf5Dataset& dataset, const float* values, std::int64_t first,
                            bool non_negative) {
  // Numbers of a dataset that floats hold were not rounded.
  const bool rounded = non_negative && (dataset.is_integer ? dataset.element_bytes > 2 : dataset.element_bytes > 4);
  constexpr float first_rounded = 16777216;
  return [=, &file, &dataset](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (std::isfinite(values[i]) && (!non_negative || values[i] >= 0) && !(rounded && values[i] >= first_rounded)) {
        continue;
      }
      if (std::isfinite(values[i]) && values[i] >= 0) {
        file.fail_at(dataset, first + i, std::to_string(values[i]),
                     "weights below 16777216, which 24 bits hold, or a dataset of 32-bit floating-point numbers");
      }
      file.fail_at(dataset, first + i, std::to_string(values[i]),
                   std::isfinite(values[i]) ? "a weight of 0 or more" : "a finite weight of at most 3.4e38");
    }
  };
}

void check_offsets(const Hdf5Input& file, const Hdf5Csr& csr, const Offset* values, std::int64_t first,
                   std::int64_t count) {
  const Offset num_edges = csr.num_edges();
  const auto check_one = [&](std::int64_t i, bool sound, const std::string& expected) {
    if (!sound) file.fail_at(csr.row_map, first + i, std::to_string(values[i]), expected);
  };
  if (count == 0) return;
  if (first == 0) check_one(0, values[0] == 0, "0, where the first row begins");
  const std::string all = std::to_string(num_edges) + ", the number of elements of " + csr.entries.name;
  check_one(0, values[0] >= 0 && values[0] <= num_edges, "0 to " + all);
  parallel_for_ranges("dromos::hdf5::check_offsets", count - 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin + 1; i <= end; ++i) {
      if (values[i] >= values[i - 1] && values[i] <= num_edges) continue;
      check_one(i, values[i] >= values[i - 1], "at least the one before, " + std::to_string(values[i - 1]));
      check_one(i, false, "at most " + all);
    }
  });
  if (first + count == csr.row_map.size) check_one(count - 1, values[count - 1] == num_edges, all);
}

void check_weight_symmetry(const Hdf5Input& file, const Hdf5Dataset& weights, std::uint64_t asymmetry) {
  if (asymmetry == 0) return;
  file.fail(
      weights.name,
      "expected the same weight for both directions of every edge, as the graph is undirected, found one with two; "
      "write the file again, or with the attribute directed = 1");
}

void check_symmetry(const Hdf5Input& file, const Hdf5Csr& csr, std::uint64_t asymmetry) {
  if (csr.directed || asymmetry == 0) return;
  file.fail(csr.entries.name, std::string("expected every arc in both directions, as ") + layout::csr +
                                  " has the attribute directed = 0, found one without its reverse; write the file "
                                  "again, or with directed = 1");
}

}  // namespace dromos::io
