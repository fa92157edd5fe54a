// SPDX-License-Identifier: BSD-3-Clause
// --apply: the matrix or graph of the command line once more, its rows and columns in the order that was found.
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/graph/edge_list.hpp>
#include <string>

#include "driver/graphs/named_graph.hpp"
#include "driver/reports/places.hpp"

namespace dromos::driver {

/// Writes the file. From Matrix Market to Matrix Market, the entries of the input with their values as they stand;
/// otherwise `entries` without values, in the format that the name of the file tells.
///
/// \param input    whose summary names the file that was read
/// \param entries  by the numbers that rows and columns have inside; of undirected graphs in both directions
/// Throws ArgumentError for a matrix that is not square in another format, and what writing throws.
template <class Vertex>
void write_permuted(const std::string& path, const NamedGraph<Vertex>& input,
                    const EdgeList<Vertex, Kokkos::HostSpace>& entries, bool directed, const Places<Vertex>& places);

}  // namespace dromos::driver
