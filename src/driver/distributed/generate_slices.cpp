// SPDX-License-Identifier: BSD-3-Clause
#include "driver/distributed/generate_slices.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_session.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/types.hpp>
#include <dromos/distributed/files/write_slice.hpp>
#include <dromos/io/graph_format.hpp>
#include <memory>
#include <vector>

#include "driver/base/command.hpp"
#include "driver/base/number_format.hpp"
#include "driver/base/printable.hpp"
#include "driver/base/progress.hpp"
#include "driver/base/talking.hpp"
#include "driver/reports/run_times.hpp"

namespace dromos::driver {
namespace {

template <class Vertex>
int run(const Communicator& world, const GeneratorOptions& generator, const std::string& output, bool directed,
        std::int64_t num_repeats) {
  const auto progress = [&](const std::string& activity) {
    return world.rank() == 0 ? std::make_unique<Progress>(activity) : nullptr;
  };
  auto shown = progress("generating " + generator.describe());
  std::vector<double> generate_seconds;
  const auto edges = run_measured(num_repeats, generate_seconds, [&] {
    return on_all_ranks(world, [&] { return generator.generate<Vertex>(world.rank(), world.size()); });
  });
  for (double& seconds : generate_seconds) seconds = max(world, seconds);
  shown = progress("writing " + output);
  const Kokkos::Timer timer;
  SliceWriteOptions options;
  options.directed = directed;
  write_slice<Vertex>(world, output, edges, VertexNames(), options);
  shown.reset();
  const double write_seconds = max(world, timer.seconds());
  const Offset num_edges = sum(world, edges.num_edges());
  if (world.rank() == 0) {
    if (may_talk_beside(output))
      fmt::print("{}: {}, {} drawn by {} in {}, written to {} as {} in {}\n", generator.describe(),
                 counted(edges.num_vertices, "vertex", "vertices"), counted(num_edges, "edge", "edges"),
                 counted(world.size(), "rank", "ranks"), times_text(generate_seconds), printable(output),
                 format_name(GraphFormat::hdf5), duration(write_seconds));
  }
  return exit_fine;
}

}  // namespace

int generate_slices(const GeneratorOptions& generator, const std::string& output, bool directed,
                    std::int64_t num_repeats) {
  const MpiSession session;
  const Communicator world(MPI_COMM_WORLD, TransportChoice::host_staged);
  if (generator.num_vertices() <= max_num_vertices<std::int32_t>) {
    return run<std::int32_t>(world, generator, output, directed, num_repeats);
  }
  return run<std::int64_t>(world, generator, output, directed, num_repeats);
}

}  // namespace dromos::driver
