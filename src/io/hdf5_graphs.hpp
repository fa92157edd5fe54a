// SPDX-License-Identifier: BSD-3-Clause
// The graphs in an HDF5 file of Dromos: what of them is opened and compared before their elements are read, by one process
// or by several, each its part.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/huge_pages.hpp>
#include <dromos/core/types.hpp>
#include <dromos/io/vertex_names.hpp>
#include <optional>
#include <string>
#include <type_traits>

#include "hdf5_input.hpp"
#include "hdf5_output.hpp"

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
CheckElements check_vertices(const Hdf5Input& file, const Hdf5Dataset& dataset, const Vertex* values, std::int64_t first,
                             std::int64_t bound);

/// Checks weights: finite, and not below 0 where `non_negative`.
CheckElements check_weights(const Hdf5Input& file, const Hdf5Dataset& dataset, const float* values, std::int64_t first,
                            bool non_negative);

/// Checks offsets, elements first .. of /csr/row_map: none of the `count` is below the one before it, and they are in
/// 0 .. num_edges. With the first and the last element of the dataset, they are 0 and num_edges.
void check_offsets(const Hdf5Input& file, const Hdf5Csr& csr, const Offset* values, std::int64_t first,
                   std::int64_t count);

/// Is every arc there in both directions? The sum of asymmetry_of() over all arcs u -> v modulo 2^64 tells: every vertex has
/// two numbers, first and second, and an arc counts first(u) second(v) - second(u) first(v). It and its reverse cancel each
/// other, and without a reverse the sum is 0 by accident only, once in 2^64. What changes from vertex to vertex is
/// of few instructions, and sums over a row of arcs are vectors' work; the constants keep vertex 0 from counting little.
namespace asymmetry {
/// first(v), less a constant: a product of 32-bit numbers where ids have 32 bits.
template <class Vertex>
std::uint64_t multiple(Vertex v) {
  return static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<Vertex>>(v)) * std::uint64_t(0x9e3779b1);
}
/// second(v), less a constant, from the multiple. Without the square, small ids in arithmetic progression cancel each other.
inline std::uint64_t scattered(std::uint64_t multiple) {
  const auto half = static_cast<std::uint32_t>(multiple ^ (multiple >> 16));
  return static_cast<std::uint64_t>(half) * half;
}
inline constexpr std::uint64_t first_constant = 0xd1342543de82ef95, second_constant = 0x9e3779b97f4a7c15;
}  // namespace asymmetry

/// Of `count` arcs from u, for whose targets these are the sums of asymmetry::multiple() and of scattered() of those.
template <class Vertex>
std::uint64_t asymmetry_of(Vertex u, std::uint64_t count, std::uint64_t multiples, std::uint64_t scattered) {
  using namespace asymmetry;
  const std::uint64_t multiple_of_u = multiple(u);
  return (multiple_of_u + first_constant) * (scattered + count * second_constant) -
         (asymmetry::scattered(multiple_of_u) + second_constant) * (multiples + count * first_constant);
}
template <class Vertex>
std::uint64_t asymmetry_of(Vertex u, Vertex v) {
  const std::uint64_t multiple = asymmetry::multiple(v);
  return asymmetry_of(u, 1, multiple, asymmetry::scattered(multiple));
}

/// Throws InputError where the sum over an undirected graph is not 0.
void check_symmetry(const Hdf5Input& file, const Hdf5Csr& csr, std::uint64_t asymmetry);

/// Memory on the host for elements that a file has; not initialized.
template <class T>
Kokkos::View<T*, Kokkos::HostSpace> array_for(const std::string& label, std::int64_t size) {
  Kokkos::View<T*, Kokkos::HostSpace> view(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), size);
  advise_huge_pages(view.data(), static_cast<std::size_t>(size) * sizeof(T));
  return view;
}

}  // namespace dromos::io
