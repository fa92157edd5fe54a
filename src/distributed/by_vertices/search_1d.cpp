// SPDX-License-Identifier: BSD-3-Clause
// The searches by vertices (distributed/by_vertices/bfs_1d.hpp) behind the interface of all distributed searches.
#include <dromos/distributed/by_vertices/bfs_1d.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>

#include "distributed/search_factories.hpp"

namespace dromos::detail {
namespace {

using Space = Kokkos::DefaultExecutionSpace;

template <class Vertex>
class Search1d : public DistributedSearch<Vertex> {
  using Memory = Space::memory_space;

 public:
  Search1d(Bfs1dAlgorithm algorithm, const Communicator& communicator, const Space& space,
           const DistributedInput<Vertex>& input, const DistributedOptions& options)
      : communicator_(communicator),
        space_(space),
        graph_(build(communicator, space, input)),
        bfs_(communicator, space, graph_, algorithm, options.bfs_1d),
        strategy_(algorithm == Bfs1dAlgorithm::sort_unique ? ManhattanGlobal::name
                                                           : name_of_what_runs<Space>(options.bfs_1d.strategy)) {}

  void search(Vertex root) override { own_ = bfs_.search(root); }

  std::string strategy() const override { return strategy_; }

  OwnResult<Vertex> result() override { return own_result(communicator_, space_, graph_.partition, bfs_.result()); }

  ReplicatedResult<Vertex> replicate_result() override {
    return replicated_result(communicator_, space_, graph_.partition, bfs_.result());
  }

  DistributedStatistics statistics() override {
    const Bfs1dStatistics total = total_statistics(communicator_, own_);
    DistributedStatistics statistics;
    statistics.seconds = total.seconds;
    for (const Bfs1dLevel& level : total.levels) {
      statistics.add({level.frontier_size, level.frontier_edges, level.backward > 0, level.seconds},
                     level.communication_seconds, level.bytes_sent, level.messages);
    }
    return statistics;
  }

  std::int64_t graph_bytes() const override {
    return detail::bytes_of(graph_.rows.row_map) + detail::bytes_of(graph_.rows.entries);
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
  std::string strategy_;
  Bfs1dStatistics own_;
};

}  // namespace

template <class Vertex>
SearchPointer<Vertex> make_search_1d(const std::string& name, const Communicator& communicator, const Space& space,
                                     const DistributedInput<Vertex>& input, const DistributedOptions& options) {
  for (const Bfs1dAlgorithm algorithm : all_bfs_1d_algorithms()) {
    if (name == bfs_1d_name(algorithm)) {
      return std::make_unique<Search1d<Vertex>>(algorithm, communicator, space, input, options);
    }
  }
  return nullptr;
}

template SearchPointer<std::int32_t> make_search_1d(const std::string&, const Communicator&, const Space&,
                                                    const DistributedInput<std::int32_t>&, const DistributedOptions&);
template SearchPointer<std::int64_t> make_search_1d(const std::string&, const Communicator&, const Space&,
                                                    const DistributedInput<std::int64_t>&, const DistributedOptions&);

}  // namespace dromos::detail
