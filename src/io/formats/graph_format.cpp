// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <dromos/core/error.hpp>
#include <dromos/io/graph_format.hpp>
#include <dromos/version.hpp>
#include <utility>

#include "io/hdf5/hdf5_absent.hpp"

namespace dromos {
namespace {

constexpr std::array<std::pair<GraphFormat, const char*>, 14> names = {{{GraphFormat::automatic, "automatic"},
                                                                        {GraphFormat::matrix_market, "matrix-market"},
                                                                        {GraphFormat::edge_list, "edge-list"},
                                                                        {GraphFormat::metis, "metis"},
                                                                        {GraphFormat::dimacs, "dimacs"},
                                                                        {GraphFormat::smat, "smat"},
                                                                        {GraphFormat::csv, "csv"},
                                                                        {GraphFormat::adjacency_list, "adjacency-list"},
                                                                        {GraphFormat::gapbs, "gapbs"},
                                                                        {GraphFormat::graph500, "graph500"},
                                                                        {GraphFormat::graph500_64, "graph500-64"},
                                                                        {GraphFormat::graphml, "graphml"},
                                                                        {GraphFormat::parquet, "parquet"},
                                                                        {GraphFormat::hdf5, "hdf5"}}};

}  // namespace

std::string format_name(GraphFormat format) {
  for (const auto& [value, name] : names) {
    if (value == format) return name;
  }
  throw ArgumentError("there is no graph format number " + std::to_string(static_cast<int>(format)));
}

GraphFormat parse_format(const std::string& name) {
  for (const auto& [value, known] : names) {
    if (known == name) return value;
  }
  throw ArgumentError("unknown graph format '" + name + "'; expected one of " + format_names());
}

std::string format_names() {
  std::string list;
  for (const auto& [value, name] : names) list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

std::string written_format_names() {
  std::string list;
  for (const auto& [value, name] : names) {
    if (is_written(value)) list += (list.empty() ? "" : ", ") + std::string(name);
  }
  return list;
}

void require_hdf5([[maybe_unused]] const std::string& path) {
#ifndef DROMOS_ENABLE_HDF5
  io::refuse_hdf5(path);
#endif
}

}  // namespace dromos
