// SPDX-License-Identifier: BSD-3-Clause
// dromos convert on several ranks: from one HDF5 file to another, each rank its part.
#pragma once

#include <cstdint>
#include <string>

#include "driver/graphs/graph_file.hpp"

namespace dromos::driver {

/// Writes the edges as the file lists them, or the graph by rows (`rows`). Returns the exit code; throws AgreedError on
/// every rank, where the input is no HDF5 file among others.
///
/// \param num_repeats  readings that are measured
int convert_slices(const FileOptions& input, const std::string& output, bool rows, std::int64_t num_repeats);

}  // namespace dromos::driver
