// SPDX-License-Identifier: BSD-3-Clause
#include "driver/distributed/part_subject.hpp"

#include <dromos/core/nearest_name.hpp>

#include "driver/base/ranks.hpp"

namespace dromos::driver {

void PartOptions::declare(ArgumentParser& parser) {
  parser
      .add_option(
          "--partition", partition,
          "On several ranks (mpirun -n 4 dromos ...): vertices, one by one; blocks of vertices that follow each "
          "other, which is the default where that leaves most edges on a rank; or delegates: vertices of many "
          "edges on all ranks")
      .value_name("NAME")
      .suggest({"vertices", "blocks", "delegates"})
      .group("Several ranks");
  parser.add_option("--transport", transport, "How ranks talk: auto, shared, nccl, gpu-aware, host-staged or mixed")
      .value_name("NAME")
      .suggest({"auto", "shared", "nccl", "gpu-aware", "host-staged", "mixed"})
      .group("Several ranks");
}

void PartOptions::check() const {
  if (partition == "grid") {
    throw ArgumentError(
        "--partition grid is for breadth-first searches (dromos bfs --distributed 2d): this algorithm takes the edges "
        "of a "
        "vertex together, and a grid deals them out to several ranks. Use --partition delegates, which does so with "
        "vertices of many edges alone, or vertices or blocks");
  }
  for (const char* known : {"", "vertices", "blocks", "delegates"}) {
    if (partition == known) return;
  }
  throw ArgumentError("--partition: there is no partition '" + partition + "'" +
                      choice_hint(partition, {"vertices", "blocks", "delegates"}));
}

void PartOptions::refuse_on_one_rank() const {
  refuse_without_ranks({partition.empty() ? "" : "--partition", transport == "auto" ? "" : "--transport"});
}

int on_ranks(const PartOptions& options, const std::function<int(const Communicator&)>& body) {
  const Communicator bare(MPI_COMM_WORLD, TransportChoice::host_staged);
  const TransportChoice choice = on_all_ranks(bare, [&] {
    options.check();
    return transport_choice_from_name(options.transport);
  });
  const auto world = on_all_ranks(bare, [&] { return std::make_unique<Communicator>(MPI_COMM_WORLD, choice); });
  return body(*world);
}

}  // namespace dromos::driver
