// SPDX-License-Identifier: BSD-3-Clause
// The graphs in an HDF5 file of Dromos: what of them is opened and compared before their elements are read, by one
// process or by several, each its part.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstring>
#include <dromos/core/huge_pages.hpp>
#include <dromos/core/types.hpp>
#include <dromos/io/vertex_names.hpp>
#include <optional>
#include <string>

#include "io/hdf5/hdf5_input.hpp"
#include "io/hdf5/hdf5_output.hpp"
#include "io/hdf5/row_findings.hpp"

namespace dromos::io {

/// /edge_list
struct Hdf5EdgeList {
  Hdf5Dataset source, target;
  std::optional<Hdf5Dataset> weight;
  std::int64_t num_vertices = 0;
  std::optional<bool> directed;
  bool listed_both_ways = false;

  Offset num_edges() const { return source.size; }
};

/// Throws InputError for arrays that do not belong together, and for more vertices than `most_vertices`.
Hdf5EdgeList open_edge_list(const Hdf5Input& file, std::int64_t most_vertices);

/// /csr
struct Hdf5Csr {
  Hdf5Dataset row_map, entries;
  std::optional<Hdf5Dataset> weights;
  bool directed = true;

  std::int64_t num_vertices() const { return row_map.size - 1; }
  Offset num_edges() const { return entries.size; }
};

Hdf5Csr open_csr(const Hdf5Input& file, std::int64_t most_vertices);

/// Throws InputError unless there is a group of one of these, or /separated where that will do, and says what there is.
void check_has_graph(const Hdf5Input& file, bool or_separated);

/// Calls the vertices as the group says: table, or consecutive numbers.
VertexNames read_names(const Hdf5Input& file, const std::string& group, std::int64_t num_vertices);
void write_names(Hdf5Output& file, const std::string& group, std::int64_t num_vertices, const VertexNames& names);

/// Throws InputError unless ids can number that many vertices.
void check_num_vertices(const Hdf5Input& file, const std::string& where, std::int64_t num_vertices,
                        std::int64_t most_vertices);

/// Checks values[i], element first + i of the dataset: 0 .. bound - 1.
template <class Vertex>
CheckElements check_vertices(const Hdf5Input& file, const Hdf5Dataset& dataset, const Vertex* values,
                             std::int64_t first, std::int64_t bound);

/// Checks weights: finite, and, where `non_negative`, neither below 0 nor possibly rounded on the way to floats.
CheckElements check_weights(const Hdf5Input& file, const Hdf5Dataset& dataset, const float* values, std::int64_t first,
                            bool non_negative);

/// Checks offsets, elements first .. of /csr/row_map: none of the `count` is below the one before it, and they are in
/// 0 .. num_edges. With the first and the last element of the dataset, they are 0 and num_edges.
void check_offsets(const Hdf5Input& file, const Hdf5Csr& csr, const Offset* values, std::int64_t first,
                   std::int64_t count);

/// Throws InputError where the sum of asymmetry_of() over the arcs of an undirected graph is not 0.
void check_symmetry(const Hdf5Input& file, const Hdf5Csr& csr, std::uint64_t asymmetry);

/// The same of arcs with weights: their sum is 0 where every arc has a reverse of the same weight.
template <class Vertex>
std::uint64_t asymmetry_of(Vertex u, Vertex v, float weight) {
  const float no_sign = weight + 0.0f;  // of a zero
  std::uint32_t bits = 0;
  std::memcpy(&bits, &no_sign, sizeof bits);
  const std::uint64_t mixed = (bits + asymmetry::second_constant) * asymmetry::first_constant;
  return asymmetry_of(u, v) * ((mixed ^ (mixed >> 32)) | 1);
}
/// Throws InputError where the sum of that over the arcs of an undirected graph by rows is not 0: it is searched as it
/// is, whereas of a list the lighter of two weights becomes that of both directions.
void check_weight_symmetry(const Hdf5Input& file, const Hdf5Dataset& weights, std::uint64_t asymmetry);

/// Memory on the host for elements that a file has; not initialized.
template <class T>
Kokkos::View<T*, Kokkos::HostSpace> array_for(const std::string& label, std::int64_t size) {
  Kokkos::View<T*, Kokkos::HostSpace> view(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), size);
  advise_huge_pages(view.data(), static_cast<std::size_t>(size) * sizeof(T));
  return view;
}

}  // namespace dromos::io
