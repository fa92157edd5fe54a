// SPDX-License-Identifier: BSD-3-Clause
// The searches on a grid of ranks (distributed/by_grid/bfs_2d.hpp) behind the interface of all distributed searches:
// "2d" contracts by the scan, "2d-wave" by the wave.
#include <dromos/distributed/by_grid/bfs_2d.hpp>
#include <dromos/distributed/by_grid/graph_2d.hpp>

#include "distributed/search_factories.hpp"

namespace dromos::detail {
namespace {

using Space = Kokkos::DefaultExecutionSpace;

template <class Vertex>
class Search2d : public DistributedSearch<Vertex> {
  using Memory = Space::memory_space;

 public:
  Search2d(const Communicator& communicator, const Space& space, const DistributedInput<Vertex>& input,
           const Bfs2dOptions& options)
      : space_(space),
        communicators_(communicator, options.rows, options.columns),
        graph_(build(communicators_, space, input)),
        bfs_(communicators_, space, graph_, options),
        strategy_(options.strategy) {}

  void search(Vertex root) override { own_ = bfs_.search(root); }

  std::string strategy() const override { return name_of_what_runs<Space>(strategy_); }

  OwnResult<Vertex> result() override {
    return own_result(communicators_.world, space_, graph_.partition, bfs_.result());
  }

  ReplicatedResult<Vertex> replicate_result() override {
    return replicated_result(communicators_.world, space_, graph_.partition, bfs_.result());
  }

  DistributedStatistics statistics() override {
    const Bfs2dStatistics total = total_statistics(communicators_.world, own_);
    DistributedStatistics statistics;
    statistics.seconds = total.seconds;
    statistics.communication_seconds = total.predecessor_communication_seconds;
    statistics.bytes_sent = total.predecessor_bytes;
    statistics.messages = total.predecessor_messages;
    for (const Bfs2dLevel& level : total.levels) {
      statistics.add({level.frontier_size, level.frontier_edges, level.backward > 0, level.seconds},
                     level.communication_seconds, level.bytes_sent, level.messages);
    }
    return statistics;
  }

  std::int64_t graph_bytes() const override {
    const bool shared = graph_.in_edges.entries.data() == graph_.out_edges.entries.data();
    return bytes_of(graph_.out_edges.row_map) + bytes_of(graph_.out_edges.entries) + bytes_of(graph_.degree) +
           (shared ? 0 : bytes_of(graph_.in_edges.row_map) + bytes_of(graph_.in_edges.entries));
  }

  LevelTable level_table() override {
    LevelTable table;
    table.columns = {"frontier",     "edges",       "found",        "assigned",     "backward", "row lists",
                     "column lists", "row bytes",   "column bytes", "bytes",        "time",     "expand time",
                     "row time",     "column time", "end time",     "communication"};
    for (const Bfs2dLevel& level : total_statistics(communicators_.world, own_).levels) {
      const auto number = [](std::int64_t value) { return static_cast<double>(value); };
      table.rows.push_back({number(level.frontier_size), number(level.frontier_edges), number(level.found),
                            number(level.assigned), level.backward > 0 ? 1.0 : 0.0, number(level.row_lists),
                            number(level.column_lists), number(level.row_bytes), number(level.column_bytes),
                            number(level.bytes_sent), level.seconds, level.expand_seconds, level.row_seconds,
                            level.column_seconds, level.termination_seconds, level.communication_seconds});
    }
    return table;
  }

 private:
  static Graph2d<Memory> build(const GridCommunicators& communicators, const Space& space,
                               const DistributedInput<Vertex>& input) {
    auto graph = build_graph_2d(communicators, space, input.slice, input.build);
    graph.directed = input.directed;
    return graph;
  }

  Space space_;
  GridCommunicators communicators_;
  Graph2d<Memory> graph_;
  Bfs2d<Space, Vertex> bfs_;
  Strategy strategy_;
  Bfs2dStatistics own_;
};

}  // namespace

template <class Vertex>
SearchPointer<Vertex> make_search_2d(const std::string& name, const Communicator& communicator, const Space& space,
                                     const DistributedInput<Vertex>& input, const DistributedOptions& options) {
  Bfs2dOptions bfs_2d = options.bfs_2d;
  if (name == "2d") {
    bfs_2d.contraction = Contraction2d::scan;
  } else if (name == "2d-wave") {
    bfs_2d.contraction = Contraction2d::wave;
  } else {
    return nullptr;
  }
  return std::make_unique<Search2d<Vertex>>(communicator, space, input, bfs_2d);
}

template SearchPointer<std::int32_t> make_search_2d(const std::string&, const Communicator&, const Space&,
                                                    const DistributedInput<std::int32_t>&, const DistributedOptions&);
template SearchPointer<std::int64_t> make_search_2d(const std::string&, const Communicator&, const Space&,
                                                    const DistributedInput<std::int64_t>&, const DistributedOptions&);

}  // namespace dromos::detail
