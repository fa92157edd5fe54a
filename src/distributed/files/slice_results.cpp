// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/files/slice_results.hpp>

#include "distributed/files/hdf5_shared_output.hpp"
#include "io/hdf5/hdf5_layout.hpp"

namespace dromos {

void write_results(const Communicator& communicator, const std::string& path, const ResultTable& table) {
  const ScopedRegion region("dromos::write_results");
  namespace layout = io::hdf5_layout;
  const auto [first, last] = slice_of(table.num_vertices, communicator.rank(), communicator.size());
  on_all_ranks(communicator, [&, begin = first, end = last] {
    for (const ResultColumn& column : table.columns) {
      if (column.size() == end - begin) continue;
      throw ArgumentError(path + ": column " + column.name + " has " + std::to_string(column.size()) +
                          " values on this rank; expected one for each of its block of " + std::to_string(end - begin) +
                          " vertices");
    }
  });
  detail::SharedOutput file(communicator, path);
  const std::string group = layout::result;
  file.group(group);
  file.attribute(group, layout::num_vertices, table.num_vertices);
  for (const auto& [name, text] : table.texts) file.attribute(group, name, text);
  for (const auto& [name, number] : table.numbers) file.attribute(group, name, number);
  file.names(group, table.num_vertices, table.names);
  for (const ResultColumn& column : table.columns) {
    std::visit(
        [&, begin = first](const auto& values) {
          file.dataset(group + "/" + column.name, table.num_vertices, begin, values.data(), column.size(),
                       {column.unit, column.description});
        },
        column.values);
  }
  file.commit();
}

}  // namespace dromos
