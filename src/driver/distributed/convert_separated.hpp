// SPDX-License-Identifier: BSD-3-Clause
// dromos convert --separated: a graph in an HDF5 file, separated by degree for as many ranks as run this.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "driver/graphs/graph_file.hpp"

namespace dromos::driver {

/// Each rank reads its slice of the graph, without self loops and duplicates, and writes what it then has. Collective;
/// alone, without a launcher, MPI is started for it. Throws as SlicedGraph, and ArgumentError for input that has no
/// slices.
///
/// \param num_repeats  separations that are measured
int convert_separated(const FileOptions& input, const std::string& output, std::optional<std::int64_t> degree_threshold,
                      std::int64_t num_repeats);

}  // namespace dromos::driver
