// SPDX-License-Identifier: BSD-3-Clause
// What an algorithm found, as columns of an HDF5 file: one value for each vertex, and what they are of.
//
//   ResultTable table;
//   table.numbers = {{"root", 17}};
//   table.columns = {{"level", "edge", "distance from the root, -1: not reached", level}};
//   write_results("levels.h5", table);
//
// doc/hdf5.md describes the file. In a build without HDF5 both functions throw ArgumentError.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/io/vertex_names.hpp>
#include <dromos/io/write_graph.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dromos {

template <class T>
using ResultValues = Kokkos::View<const T*, Kokkos::HostSpace>;

struct ResultColumn {
  std::string name;         ///< of the dataset: letters, digits and _
  std::string unit;         ///< "vertex", "edge", "1"
  std::string description;  ///< and what stands for none
  std::variant<ResultValues<std::int32_t>, ResultValues<std::int64_t>, ResultValues<float>, ResultValues<double>>
      values;

  std::int64_t size() const {
    return std::visit([](const auto& view) { return static_cast<std::int64_t>(view.extent(0)); }, values);
  }
};

struct ResultTable {
  std::int64_t num_vertices = 0;
  VertexNames names;
  std::vector<std::pair<std::string, std::string>> texts;     ///< {"algorithm", "bfs"}
  std::vector<std::pair<std::string, std::int64_t>> numbers;  ///< {"root", 17}
  std::vector<ResultColumn> columns;                          ///< num_vertices values each
};

/// Writes a file that appears whole or not at all. Throws as write_graph(), and ArgumentError for a column of another
/// length than num_vertices.
void write_results(const std::string& path, const ResultTable& table, const WriteOptions& options = {});

/// Every column, as it was written. `texts` and `numbers` are those asked for; a name that the file lacks is left out.
/// Throws InputError as read_graph() does.
ResultTable read_results(const std::string& path, const std::vector<std::string>& texts = {},
                         const std::vector<std::string>& numbers = {});

}  // namespace dromos
