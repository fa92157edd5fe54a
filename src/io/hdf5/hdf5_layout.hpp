// SPDX-License-Identifier: BSD-3-Clause
// The names in Dromos' HDF5 files; doc/hdf5.md describes what they stand for. Version 1.
#pragma once

#include <cstdint>

namespace dromos::io::hdf5_layout {

// Attributes of the file.
inline constexpr const char* format = "format";
inline constexpr const char* format_name = "dromos";
inline constexpr const char* version = "format_version";
inline constexpr std::int64_t current_version = 1;
inline constexpr const char* created_by = "created_by";

// Attributes of groups.
inline constexpr const char* num_vertices = "num_vertices";
inline constexpr const char* directed = "directed";
inline constexpr const char* listed_both_ways = "listed_both_ways";
inline constexpr const char* first_name = "first_name";
inline constexpr const char* num_ranks = "num_ranks";
inline constexpr const char* threshold = "threshold";

// Attributes of datasets.
inline constexpr const char* unit = "unit";
inline constexpr const char* description = "description";

// Groups, and the datasets in them.
inline constexpr const char* edge_list = "/edge_list";  // source, target, weight
inline constexpr const char* csr = "/csr";              // row_map, entries, weights
inline constexpr const char* separated = "/separated";
inline constexpr const char* result = "/result";
inline constexpr const char* vertex_name = "vertex_name";

}  // namespace dromos::io::hdf5_layout
