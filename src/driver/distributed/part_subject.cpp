// SPDX-License-Identifier: BSD-3-Clause
#include "driver/distributed/part_subject.hpp"

#include <algorithm>
#include <dromos/core/nearest_name.hpp>

#include "driver/base/ranks.hpp"
#include "driver/distributed/partition_options.hpp"

namespace dromos::driver {

void PartOptions::declare(ArgumentParser& parser) {
  parser
      .add_option(
          "--partition", partition,
          "On several ranks (mpirun -n 4 dromos ...): vertices, one by one; blocks of vertices that follow each "
          "other, which is the default where that leaves most edges on a rank; delegates: vertices of many "
          "edges on all ranks; or grid: all vertices that have edges, and these dealt out to rows and columns of ranks")
      .value_name("NAME")
      .suggest({"vertices", "blocks", "delegates", "grid"})
      .group("Several ranks");
  parser.add_option("--grid", grid, "Rows and columns of --partition grid (default: nearest to a square)")
      .value_name("RxC")
      .group("Several ranks");
  parser.add_option("--transport", transport, "How ranks talk: auto, shared, nccl, gpu-aware, host-staged or mixed")
      .value_name("NAME")
      .suggest({"auto", "shared", "nccl", "gpu-aware", "host-staged", "mixed"})
      .group("Several ranks");
}

void PartOptions::check(int num_ranks) const {
  const std::vector<std::string> known = {"vertices", "blocks", "delegates", "grid"};
  if (!partition.empty() && std::find(known.begin(), known.end(), partition) == known.end()) {
    throw ArgumentError("--partition: there is no partition '" + partition + "'" + choice_hint(partition, known));
  }
  if (!grid.empty() && partition != "grid") {
    throw ArgumentError("--grid has no effect" + (partition.empty() ? "" : " on --partition " + partition) +
                        "; it is for --partition grid: leave it out");
  }
  process_grid(num_ranks);
}

ProcessGrid PartOptions::process_grid(int num_ranks) const {
  const GridShape shape = parse_grid(grid);
  return {num_ranks, shape.rows, shape.columns};
}

void PartOptions::refuse_on_one_rank() const {
  refuse_without_ranks(
      {partition.empty() ? "" : "--partition", grid.empty() ? "" : "--grid", transport == "auto" ? "" : "--transport"});
}

int on_ranks(const PartOptions& options, const std::function<int(const Communicator&)>& body) {
  const Communicator bare(MPI_COMM_WORLD, TransportChoice::host_staged);
  const TransportChoice choice = on_all_ranks(bare, [&] {
    options.check(bare.size());
    return transport_choice_from_name(options.transport);
  });
  const auto world = on_all_ranks(bare, [&] { return std::make_unique<Communicator>(MPI_COMM_WORLD, choice); });
  return body(*world);
}

}  // namespace dromos::driver
