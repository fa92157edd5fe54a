// SPDX-License-Identifier: BSD-3-Clause
// --plot of the subcommands that order a matrix: where its entries are, before and after.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/graph/edge_list.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "driver/reports/permuted_output.hpp"

namespace dromos::driver {

/// A matrix as it is shown: its entries stand at their places, under a title.
template <class Vertex>
struct SpyPanel {
  std::string title;
  Places<Vertex> places;
};

/// What the script draws: the entries of each panel counted in squares, of which there are at most spy_resolution a
/// side.
///
/// \param source   what the matrix is called
/// \param entries  by the numbers that rows and columns have inside; of undirected graphs in both directions
template <class Vertex>
nlohmann::ordered_json spy_picture(const std::string& source, const EdgeList<Vertex, Kokkos::HostSpace>& entries,
                                   const SpyPanel<Vertex>& before, const SpyPanel<Vertex>& after);

constexpr std::int64_t spy_resolution = 400;

}  // namespace dromos::driver
