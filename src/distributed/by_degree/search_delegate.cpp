// SPDX-License-Identifier: BSD-3-Clause
// The search separated by degree (distributed/by_degree/bfs_delegate.hpp) behind the interface of all distributed
// searches.
#include <dromos/comm/agree.hpp>
#include <dromos/core/error.hpp>
#include <dromos/distributed/by_degree/bfs_delegate.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/by_degree/machine_order.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>

#include "distributed/search_factories.hpp"

namespace dromos::detail {
namespace {

using Space = Kokkos::DefaultExecutionSpace;

template <class Vertex>
class SearchDelegate : public DistributedSearch<Vertex> {
  using Memory = Space::memory_space;

 public:
  SearchDelegate(const Communicator& communicator, const Space& space, const DistributedInput<Vertex>& input,
                 const DistributedOptions& options)
      : communicator_(order_by_machine(communicator)),
        space_(space),
        graph_(input.separated ? checked(communicator_, *input.separated)
                               : build(communicator_, space, input, options.delegate.threshold)),
        bfs_(communicator_, space, graph_, options.delegate),
        strategy_(graph_.by_vertices ? options.delegate.dd_strategy : options.delegate.strategy) {}

  void search(Vertex root) override { own_ = bfs_.search(root); }

  std::string strategy() const override { return name_of_what_runs<Space>(strategy_); }

  OwnResult<Vertex> result() override { return own_result(communicator_, space_, graph_.partition, bfs_.result()); }

  ReplicatedResult<Vertex> replicate_result() override {
    return replicated_result(communicator_, space_, graph_.partition, bfs_.result());
  }

  DistributedStatistics statistics() override {
    const BfsDelegateStatistics total = total_statistics(communicator_, own_);
    DistributedStatistics statistics;
    statistics.seconds = total.seconds;
    statistics.communication_seconds = total.parents_seconds;
    statistics.bytes_sent = total.parents_bytes;
    for (const BfsDelegateLevel& level : total.levels) {
      const std::int64_t size = level.normal_vertices + level.delegates;
      const Offset edges = level.nn_edges + level.nd_edges + level.dn_edges + level.dd_edges;
      const bool backward = level.dd_backward + level.dn_backward + level.nd_backward > 0;
      statistics.add({size, edges, backward, level.seconds}, level.communication_seconds(), level.bytes_sent,
                     level.messages);
    }
    return statistics;
  }

  LevelTable level_table() override {
    LevelTable table;
    table.columns = {"normal",  "delegates", "nn",       "nd",    "dn",   "dd",      "nd back",  "dn back",
                     "dd back", "sent",      "combined", "bytes", "time", "combine", "exchange", "agreement"};
    for (const BfsDelegateLevel& level : total_statistics(communicator_, own_).levels) {
      const auto number = [](std::int64_t value) { return static_cast<double>(value); };
      table.rows.push_back({number(level.normal_vertices), number(level.delegates), number(level.nn_edges),
                            number(level.nd_edges), number(level.dn_edges), number(level.dd_edges),
                            number(level.nd_backward), number(level.dn_backward), number(level.dd_backward),
                            number(level.sent), level.reductions > 0 ? 1.0 : 0.0, number(level.bytes_sent),
                            level.seconds, level.reduction_seconds, level.exchange_seconds, level.agreement_seconds});
    }
    return table;
  }

  std::int64_t graph_bytes() const override { return graph_.bytes(); }

 private:
  static const GraphDelegate<Vertex, Memory>& checked(const Communicator& communicator,
                                                      const GraphDelegate<Vertex, Memory>& graph) {
    on_all_ranks(communicator, [&] {
      const int num_ranks = graph.partition.num_ranks();
      if (graph.rank == communicator.rank() && num_ranks == communicator.size()) return;
      throw ArgumentError("expected the part of rank " + std::to_string(communicator.rank()) + " of " +
                          std::to_string(communicator.size()) + " of a graph separated by degree, found that of rank " +
                          std::to_string(graph.rank) + " of " + std::to_string(num_ranks) +
                          "; load it with the ranks of order_by_machine()");
    });
    return graph;
  }

  static GraphDelegate<Vertex, Memory> build(const Communicator& communicator, const Space& space,
                                             const DistributedInput<Vertex>& input, Offset threshold) {
    auto by_vertices = build_graph_1d(communicator, space, input.slice, input.build);
    by_vertices.directed = by_vertices.rows.directed = input.directed;
    return separate_by_degree(communicator, space, by_vertices, threshold < 0 ? suggested_threshold : threshold,
                              DelegateEdges::follow_source);
  }

  Communicator communicator_;
  Space space_;
  GraphDelegate<Vertex, Memory> graph_;
  BfsDelegate<Space, Vertex> bfs_;
  Strategy strategy_;
  BfsDelegateStatistics own_;
};

}  // namespace

template <class Vertex>
SearchPointer<Vertex> make_search_delegate(const std::string& name, const Communicator& communicator,
                                           const Space& space, const DistributedInput<Vertex>& input,
                                           const DistributedOptions& options) {
  if (name != "delegate") return nullptr;
  return std::make_unique<SearchDelegate<Vertex>>(communicator, space, input, options);
}

template SearchPointer<std::int32_t> make_search_delegate(const std::string&, const Communicator&, const Space&,
                                                          const DistributedInput<std::int32_t>&,
                                                          const DistributedOptions&);
template SearchPointer<std::int64_t> make_search_delegate(const std::string&, const Communicator&, const Space&,
                                                          const DistributedInput<std::int64_t>&,
                                                          const DistributedOptions&);

}  // namespace dromos::detail
