// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/io/results.hpp>
#include <limits>

#include "io/hdf5/hdf5_graphs.hpp"
#include "io/hdf5/hdf5_layout.hpp"

namespace dromos {

namespace layout = io::hdf5_layout;

namespace {

template <class T>
ResultValues<T> read_values(const io::Hdf5Input& file, const io::Hdf5Dataset& dataset) {
  const auto values = io::array_for<T>("dromos::results", dataset.size);
  file.read(dataset, 0, dataset.size, values.data());
  return values;
}

ResultColumn read_column(const io::Hdf5Input& file, const std::string& name, std::int64_t num_vertices) {
  const std::string path = std::string(layout::result) + "/" + name;
  const io::Hdf5Dataset dataset = file.numbers(path);
  file.check_size(dataset, num_vertices, "one for each vertex");
  ResultColumn column;
  column.name = name;
  column.unit = file.find_text(path, layout::unit).value_or("");
  column.description = file.find_text(path, layout::description).value_or("");
  const bool narrow = dataset.element_bytes <= 4;
  if (dataset.is_integer) {
    if (narrow) {
      column.values = read_values<std::int32_t>(file, dataset);
    } else {
      column.values = read_values<std::int64_t>(file, dataset);
    }
  } else if (narrow) {
    column.values = read_values<float>(file, dataset);
  } else {
    column.values = read_values<double>(file, dataset);
  }
  return column;
}

}  // namespace

void write_results(const std::string& path, const ResultTable& table, const WriteOptions& options) {
  const ScopedRegion region("dromos::write_results");
  for (const ResultColumn& column : table.columns) {
    if (column.size() == table.num_vertices) continue;
    throw ArgumentError(path + ": column " + column.name + " has " + std::to_string(column.size()) +
                        " values; expected one for each of " + std::to_string(table.num_vertices) + " vertices");
  }
  io::Hdf5Output file(path, options.compression);
  const std::string group = layout::result;
  file.group(group);
  file.attribute(group, layout::num_vertices, table.num_vertices);
  for (const auto& [name, text] : table.texts) file.attribute(group, name, text);
  for (const auto& [name, number] : table.numbers) file.attribute(group, name, number);
  io::write_names(file, group, table.num_vertices, table.names);
  for (const ResultColumn& column : table.columns) {
    std::visit(
        [&](const auto& values) {
          file.dataset(group + "/" + column.name, values.data(), column.size(), {column.unit, column.description});
        },
        column.values);
  }
  file.commit();
}

ResultTable read_results(const std::string& path, const std::vector<std::string>& texts,
                         const std::vector<std::string>& numbers) {
  const ScopedRegion region("dromos::read_results");
  const io::Hdf5Access alone;
  const io::Hdf5Input file(path, alone);
  const std::string group = layout::result;
  if (!file.has(group)) {
    throw InputError(
        path, 0,
        "expected results, in the group " + group + ", found " + file.list("/") + "; name the file of the results");
  }
  ResultTable table;
  table.num_vertices = file.integer(group, layout::num_vertices, 0, std::numeric_limits<std::int64_t>::max() - 1);
  for (const std::string& name : texts) {
    if (const auto text = file.find_text(group, name)) table.texts.emplace_back(name, *text);
  }
  for (const std::string& name : numbers) {
    if (const auto number = file.find_integer(group, name)) table.numbers.emplace_back(name, *number);
  }
  for (const std::string& name : file.members(group)) {
    if (name != layout::vertex_name) table.columns.push_back(read_column(file, name, table.num_vertices));
  }
  table.names = io::read_names(file, group, table.num_vertices);
  return table;
}

}  // namespace dromos
