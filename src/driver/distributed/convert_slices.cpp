// SPDX-License-Identifier: BSD-3-Clause
#include "driver/distributed/convert_slices.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_session.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/by_vertices/row_block.hpp>
#include <dromos/distributed/files/write_slice.hpp>
#include <memory>
#include <vector>

#include "driver/base/command.hpp"
#include "driver/base/number_format.hpp"
#include "driver/base/printable.hpp"
#include "driver/base/progress.hpp"
#include "driver/base/talking.hpp"
#include "driver/distributed/distributed_graph.hpp"
#include "driver/reports/run_times.hpp"

namespace dromos::driver {
namespace {

template <class Vertex>
int convert(const Communicator& world, const FileOptions& input, const std::string& output, bool rows,
            std::int64_t num_repeats) {
  std::vector<double> read_seconds;
  const SliceOfFile<Vertex> file =
      run_measured(num_repeats, read_seconds, [&] { return read_file_slice<Vertex>(world, input); });
  for (double& seconds : read_seconds) seconds = max(world, seconds);
  const bool directed = is_directed(input, file.directed);
  const Kokkos::Timer timer;
  std::unique_ptr<Progress> progress;
  if (world.rank() == 0) progress = std::make_unique<Progress>("writing " + output);
  if (rows) {
    BuildOptions build;
    build.symmetrize = !directed && !file.is_symmetric;
    build.drop_self_loops = build.remove_duplicates = true;
    auto block = build_row_block(world, Kokkos::DefaultExecutionSpace(), file.slice, build);
    block.rows.directed = directed;
    write_rows<Vertex>(world, output, block, file.names);
  } else {
    SliceWriteOptions options;
    options.directed = directed;
    options.listed_both_ways = file.listed_both_ways;
    write_slice<Vertex>(world, output, file.slice, file.names, options);
  }
  progress.reset();
  const double write_seconds = max(world, timer.seconds());
  if (world.rank() == 0) {
    if (may_talk_beside(output))
      fmt::print("{}: {}, {} listed, read as {} by {} in {}\n{}: written as {}{}, {}, in {}\n", printable(input.path),
                 counted(file.slice.num_vertices, "vertex", "vertices"), counted(file.num_edges, "edge", "edges"),
                 format_name(GraphFormat::hdf5), counted(world.size(), "rank", "ranks"), times_text(read_seconds),
                 printable(output), format_name(GraphFormat::hdf5), rows ? " by rows" : "",
                 directed ? "directed" : "undirected", duration(write_seconds));
  }
  return exit_fine;
}

}  // namespace

int convert_slices(const FileOptions& input, const std::string& output, bool rows, std::int64_t num_repeats) {
  const MpiSession session;
  const Communicator world(MPI_COMM_WORLD, TransportChoice::host_staged);
  check_is_read_by_slices(world, input);
  return with_id_type(input.id_bits,
                      [&](auto vertex) { return convert<decltype(vertex)>(world, input, output, rows, num_repeats); });
}

}  // namespace dromos::driver
