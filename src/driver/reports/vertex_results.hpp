// SPDX-License-Identifier: BSD-3-Clause
// --output: one value of every vertex, in the order and with the numbers of the graph's own file. A text has a line for
// each vertex; where the name asks for HDF5, a column holds the values of all (doc/hdf5.md), and where it asks for
// Matrix Market a dense vector of the values that the text would have.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/io/results.hpp>
#include <string>
#include <utility>
#include <vector>

#include "driver/graphs/named_graph.hpp"

namespace dromos::driver {

/// What an HDF5 file says of the column and of the run that it is from.
struct ResultHead {
  std::string algorithm;
  std::string column;                                         ///< "component"
  std::string unit;                                           ///< "vertex", "edge", "1"
  std::string description;                                    ///< and what stands for none
  std::vector<std::pair<std::string, std::int64_t>> numbers;  ///< {"root", 17}; a vertex by its place in the file
  std::string none = {};                                      ///< what a text says for the whole number -1: "inf"
};

/// What --order of components writes, for help texts.
constexpr const char* order_description =
    "Write \"vertex place\" of every vertex, component by component, the largest first; places count from 0; "
    ".h5: as a column, .mtx: as a vector";

/// Throws ArgumentError where results cannot be written to such a file: asked before the work that finds them.
void check_result_file(const std::string& option, const std::string& path);

/// A table without columns yet, of the graph's vertices in the file's own order.
template <class Vertex>
ResultTable result_table(const NamedGraph<Vertex>& graph, const std::string& algorithm);

/// Writes "vertex value", by the numbers that vertices have inside. Value: Vertex, std::int64_t, float or double.
template <class Vertex, class Value>
void write_host_values(const std::string& path, const NamedGraph<Vertex>& graph,
                       const Kokkos::View<const Value*, Kokkos::HostSpace>& values, const ResultHead& head);

/// Writes "vertex value other", both whole numbers; to HDF5 as two columns, the second as `other_head` says, and to
/// Matrix Market the first alone.
template <class Vertex>
void write_host_pairs(const std::string& path, const NamedGraph<Vertex>& graph,
                      const Kokkos::View<const Vertex*, Kokkos::HostSpace>& values,
                      const Kokkos::View<const Vertex*, Kokkos::HostSpace>& others, const ResultHead& head,
                      const ResultHead& other_head);

/// Writes "vertex value parent": the parent is a vertex, or no_vertex, which is written as -1. To HDF5 as two columns,
/// and to Matrix Market the value alone.
template <class Vertex, class Value>
void write_host_tree(const std::string& path, const NamedGraph<Vertex>& graph,
                     const Kokkos::View<const Value*, Kokkos::HostSpace>& values,
                     const Kokkos::View<const Vertex*, Kokkos::HostSpace>& parents, const ResultHead& head,
                     const ResultHead& parent_head);

/// Writes "vertex label", where every label is a vertex of its own class.
///
/// \param by_first  a class is called by its first vertex in the order of the file, whatever vertex labels it inside
template <class Vertex>
void write_host_labels(const std::string& path, const NamedGraph<Vertex>& graph,
                       const Kokkos::View<const Vertex*, Kokkos::HostSpace>& labels, bool by_first,
                       const ResultHead& head);

/// Writes "vertex place", by which the vertices of a class stand together, the largest class first; of classes of the
/// same size the one first that has the first vertex, and in a class as in the file.
///
/// \param labels  every label is a vertex of its own class
template <class Vertex>
void write_host_order(const std::string& path, const NamedGraph<Vertex>& graph,
                      const Kokkos::View<const Vertex*, Kokkos::HostSpace>& labels, const std::string& algorithm);

/// The same of values in the memory of the device.
template <class Vertex, class Value, class Memory>
void write_values(const std::string& path, const NamedGraph<Vertex>& graph, const Kokkos::View<Value*, Memory>& values,
                  const ResultHead& head) {
  write_host_values<Vertex, Value>(path, graph, Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values), head);
}

template <class Vertex, class Value, class Memory>
void write_tree(const std::string& path, const NamedGraph<Vertex>& graph, const Kokkos::View<Value*, Memory>& values,
                const Kokkos::View<Vertex*, Memory>& parents, const ResultHead& head, const ResultHead& parent_head) {
  write_host_tree<Vertex, Value>(path, graph, Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values),
                                 Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), parents), head, parent_head);
}

template <class Vertex, class Memory>
void write_labels(const std::string& path, const NamedGraph<Vertex>& graph, const Kokkos::View<Vertex*, Memory>& labels,
                  bool by_first, const ResultHead& head) {
  write_host_labels<Vertex>(path, graph, Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), labels), by_first,
                            head);
}

template <class Vertex, class Memory>
void write_order(const std::string& path, const NamedGraph<Vertex>& graph, const Kokkos::View<Vertex*, Memory>& labels,
                 const std::string& algorithm) {
  write_host_order<Vertex>(path, graph, Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), labels), algorithm);
}

}  // namespace dromos::driver
