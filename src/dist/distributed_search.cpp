// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/dist/distributed_search.hpp>

#include <dromos/core/error.hpp>
#include <dromos/dist/bfs_1d.hpp>
#include <dromos/dist/graph_1d.hpp>
#include <dromos/dist/replicate.hpp>

namespace dromos {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template <class Vertex>
class Search1d : public DistributedSearch<Vertex> {
 public:
  Search1d(Bfs1dAlgorithm algorithm, const Communicator& communicator, const Space& space,
           const DistributedInput<Vertex>& input, const DistributedOptions& options)
      : communicator_(communicator),
        space_(space),
        graph_(build(communicator, space, input)),
        bfs_(communicator, space, graph_, algorithm, options.bfs_1d) {}

  void search(Vertex root) override { own_ = bfs_.search(root); }

  ReplicatedResult<Vertex> replicate_result() override {
    return {replicate(communicator_, space_, graph_.partition, bfs_.result().parent),
            replicate(communicator_, space_, graph_.partition, bfs_.result().level)};
  }

  DistributedStatistics statistics() override {
    const Bfs1dStatistics total = total_statistics(communicator_, own_);
    DistributedStatistics statistics;
    statistics.seconds = total.seconds;
    statistics.depth = static_cast<Level>(total.levels.size()) - 1;
    for (const Bfs1dLevel& level : total.levels) {
      statistics.communication_seconds += level.communication_seconds;
      statistics.num_reached += level.frontier_size;
      statistics.arcs_reached += level.frontier_edges;
      statistics.bytes_sent += level.bytes_sent;
      statistics.levels.push_back({level.frontier_size, level.frontier_edges, level.backward > 0, level.seconds});
    }
    return statistics;
  }

  LevelTable level_table() override {
    LevelTable table;
    table.columns = {"CLQ", "NLF", "LV", "RV", "NLQ", "QR", "UR", "backward", "bytes", "time", "communication"};
    for (const Bfs1dLevel& level : total_statistics(communicator_, own_).levels) {
      const auto number = [](std::int64_t value) { return static_cast<double>(value); };
      table.rows.push_back({number(level.frontier_size), number(level.frontier_edges), number(level.local_vertices),
                            number(level.received), number(level.next_queue()), level.queue_ratio(),
                            level.unique_ratio(), level.backward > 0 ? 1.0 : 0.0, number(level.bytes_sent),
                            level.seconds, level.communication_seconds});
    }
    return table;
  }

 private:
  static Graph1d<Vertex, Memory> build(const Communicator& communicator, const Space& space,
                                       const DistributedInput<Vertex>& input) {
    auto graph = build_graph_1d(communicator, space, input.slice, input.build);
    graph.directed = graph.rows.directed = input.directed;
    return graph;
  }

  const Communicator& communicator_;
  Space space_;
  Graph1d<Vertex, Memory> graph_;
  Bfs1d<Space, Vertex> bfs_;
  Bfs1dStatistics own_;
};

}  // namespace

const std::vector<DistributedAlgorithm>& all_distributed_algorithms() {
  static const std::vector<DistributedAlgorithm> algorithms = {
      {"straightforward", "by vertices; every edge between ranks is sent"},
      {"sort-unique", "by vertices; neighbors are sorted and made unique before they are sent"},
      {"relabelled-bitmask", "by vertices; each is sent once, or bitmaps where vertices look back at the frontier"},
  };
  return algorithms;
}

template <class Vertex>
std::unique_ptr<DistributedSearch<Vertex>> make_distributed_search(const std::string& name,
                                                                   const Communicator& communicator,
                                                                   const Space& space,
                                                                   const DistributedInput<Vertex>& input,
                                                                   const DistributedOptions& options) {
  for (const Bfs1dAlgorithm algorithm : all_bfs_1d_algorithms()) {
    if (name == bfs_1d_name(algorithm)) {
      return std::make_unique<Search1d<Vertex>>(algorithm, communicator, space, input, options);
    }
  }
  std::string names;
  for (const DistributedAlgorithm& algorithm : all_distributed_algorithms()) {
    names += (names.empty() ? "" : ", ") + std::string(algorithm.name);
  }
  throw ArgumentError("no distributed search is called '" + name + "'; there are " + names);
}

template std::unique_ptr<DistributedSearch<std::int32_t>> make_distributed_search(const std::string&,
                                                                                  const Communicator&, const Space&,
                                                                                  const DistributedInput<std::int32_t>&,
                                                                                  const DistributedOptions&);
template std::unique_ptr<DistributedSearch<std::int64_t>> make_distributed_search(const std::string&,
                                                                                  const Communicator&, const Space&,
                                                                                  const DistributedInput<std::int64_t>&,
                                                                                  const DistributedOptions&);

}  // namespace dromos
