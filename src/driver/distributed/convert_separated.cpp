// SPDX-License-Identifier: BSD-3-Clause
#include "driver/distributed/convert_separated.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_session.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/files/saved_graph_delegate.hpp>
#include <vector>

#include "driver/base/command.hpp"
#include "driver/base/number_format.hpp"
#include "driver/base/printable.hpp"
#include "driver/base/talking.hpp"
#include "driver/distributed/distributed_graph.hpp"
#include "driver/reports/run_times.hpp"

namespace dromos::driver {
namespace {

template <class Vertex>
int convert(const Communicator& world, const GraphOptions& options, const std::string& output, Offset threshold,
            std::int64_t num_repeats) {
  const Kokkos::DefaultExecutionSpace space;
  const SlicedGraph<Vertex> graph(world, options, false);
  const GraphSummary& summary = graph.summary();
  std::vector<double> separate_seconds;
  const auto separated = run_measured(num_repeats, separate_seconds, [&] {
    auto by_vertices = build_graph_1d(world, space, graph.arcs(), BuildOptions());
    by_vertices.directed = by_vertices.rows.directed = summary.directed;
    return separate_by_degree(world, space, by_vertices, threshold);
  });
  for (double& seconds : separate_seconds) seconds = max(world, seconds);
  const Kokkos::Timer timer;
  save_graph<Vertex>(world, output, separated, graph.names_in_file_order());
  if (world.rank() == 0) {
    if (may_talk_beside(output))
      fmt::print("{}{}: separated by degree for {}, {} of more than {} neighbors, in {}, written in {}\n",
                 summary.to_text(), printable(output), counted(world.size(), "rank", "ranks"),
                 counted(separated.num_delegates(), "vertex", "vertices"), separated.separation.threshold,
                 times_text(separate_seconds), duration(timer.seconds()));
  }
  return exit_fine;
}

}  // namespace

int convert_separated(const FileOptions& input, const std::string& output, std::optional<std::int64_t> degree_threshold,
                      std::int64_t num_repeats) {
  const MpiSession session;
  const Communicator world(MPI_COMM_WORLD, TransportChoice::host_staged);
  GraphOptions options;
  options.file = input;
  check_is_read_by_slices(world, input);
  return with_id_type(input.id_bits, [&](auto vertex) {
    return convert<decltype(vertex)>(world, options, output, degree_threshold.value_or(suggested_threshold),
                                     num_repeats);
  });
}

}  // namespace dromos::driver
