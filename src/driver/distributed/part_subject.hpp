// SPDX-License-Identifier: BSD-3-Clause
// What solvers work on where there are several ranks: this rank's part of the graph. Results are judged on all ranks,
// by the arcs as they were before the part was made of them; rank 0 writes them as if it had found them alone.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/component_summary.hpp>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/distributed/by_grid/process_grid.hpp>
#include <dromos/distributed/by_vertices/choose_dealing.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/judging/slice_graph.hpp>
#include <dromos/distributed/judging/slice_rules.hpp>
#include <dromos/distributed/moving/replicate.hpp>
#include <dromos/distributed/moving/to_blocks.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <dromos/distributed/parts/part_algorithms.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/io/results.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "driver/base/standard_streams.hpp"
#include "driver/distributed/block_results.hpp"
#include "driver/distributed/spread_arcs.hpp"
#include "driver/graphs/root_options.hpp"
#include "driver/reports/algorithm_report.hpp"
#include "driver/reports/vertex_results.hpp"

namespace dromos::driver {

/// How the graph is spread.
struct PartOptions {
  std::string partition;  ///< "vertices", "blocks", "delegates" or "grid"; where it is empty, one of the first two
  std::string grid;       ///< "2x3": rows and columns of the grid; empty: nearest to a square
  std::string transport = "auto";

  /// Declares --partition, --grid and --transport.
  void declare(ArgumentParser& parser);
  /// Throws ArgumentError for a partition that does not exist, and for a grid that the ranks do not fill.
  void check(int num_ranks) const;
  /// Throws ArgumentError as check().
  ProcessGrid process_grid(int num_ranks) const;
  /// Throws ArgumentError for what was given, where no launcher started several ranks.
  void refuse_on_one_rank() const;
};

/// body(communicator) with the transport of the options. What it throws on every rank, this throws. Collective.
int on_ranks(const PartOptions& options, const std::function<int(const Communicator&)>& body);

/// Values that are numbers of vertices of the part, or as wide, become as wide as those of the whole graph.
template <class Vertex, class T>
using ValueEverywhere = std::conditional_t<std::is_same_v<T, LocalVertex>, Vertex, T>;

template <class From, class To>
struct ConvertValues {
  Kokkos::View<const From*, Kokkos::DefaultExecutionSpace::memory_space> from;
  Kokkos::View<To*, Kokkos::DefaultExecutionSpace::memory_space> to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to(i) = static_cast<To>(from(i)); }
};

template <class Vertex>
class PartSubject {
 public:
  using Space = Kokkos::DefaultExecutionSpace;
  using Memory = Space::memory_space;
  using Global = Vertex;
  using Local = LocalVertex;

  /// \param keep_arcs  somebody will check()
  PartSubject(const Communicator& world, const SpreadArcs<Vertex>& arcs, const PartOptions& options, bool keep_arcs)
      : world_(world), arcs_(arcs), partition_(options.partition) {
    if (partition_.empty()) {
      partition_ = choose_dealing(world, space_, arcs.slice) == Dealing::blocks ? "blocks" : "vertices";
    }
    const Dealing dealing = partition_ == "blocks" ? Dealing::blocks : Dealing::cyclic;
    // Both arcs of every undirected edge are there already, and what was to go is gone.
    BuildOptions build;
    build.symmetrize = build.drop_self_loops = build.remove_duplicates = false;
    auto graph = build_graph_1d(world, space_, arcs.slice, build, dealing);
    graph.directed = arcs.directed;
    graph.rows.directed = arcs.directed;
    std::optional<Graph1d<Vertex, Memory>> turned;
    if (arcs.directed) {
      auto slice = arcs.slice;
      std::swap(slice.source, slice.target);
      turned = build_graph_1d(world, space_, slice, build, dealing);
    }
    if (partition_ == "grid") {
      grid_ = options.process_grid(world.size());
      part_ = part_on_grid(world, space_, std::exchange(graph, {}), grid_, std::exchange(turned, std::nullopt));
    } else if (partition_ == "delegates") {
      part_ = part_by_degree(world, space_, std::exchange(graph, {}), suggested_threshold,
                             std::exchange(turned, std::nullopt));
    } else {
      part_ = part_by_vertices(world, space_, std::exchange(graph, {}), std::exchange(turned, std::nullopt));
    }
    halo_ = std::make_unique<Halo<Space, Vertex>>(world, part_);
    if (!keep_arcs) arcs_.slice = {};
  }

  bool speaks() const { return world_.rank() == 0; }
  const GraphSummary& summary() const { return arcs_.graph->summary(); }
  /// Where it runs, for people.
  std::string ranks() const {
    const std::string grid = partition_ == "grid" ? " of " + grid_.name() : "";
    return "; " + std::to_string(world_.size()) + " ranks, by " + partition_ + grid + ", " + world_.transport().name();
  }
  void describe(AlgorithmRun& run) const {
    run.details["num_ranks"] = world_.size();
    run.details["partition"] = partition_;
    if (partition_ == "grid") {
      run.details["grid_rows"] = grid_.rows();
      run.details["grid_columns"] = grid_.columns();
    }
    run.details["transport"] = world_.transport().name();
  }

  const CsrGraph<Local, Memory>& out_edges() const { return part_.out_edges; }
  const CsrGraph<Local, Memory>& in_edges() const { return part_.in_edges; }
  const Halo<Space, Vertex>& halo() const { return *halo_; }
  Offset num_edges() const { return part_.directed() ? part_.num_arcs : part_.num_arcs / 2; }
  void require_undirected(const std::string& what) const {
    on_all_ranks(world_, [&] {
      if (speaks() && part_.directed()) throw undirected_only(summary(), what);
    });
  }

  template <class Choose>
  std::vector<Global> chosen(const Choose& choose) const {
    return chosen_by_first(world_, arcs_.graph, choose);
  }
  std::vector<Global> choose_roots(const RootOptions& options, std::uint64_t seed) const {
    return driver::choose_roots(world_, options, seed, arcs_.graph);
  }
  std::vector<Global> sources() const {
    return chosen([](const NamedGraph<Vertex>& graph) { return driver::sources(graph); });
  }
  std::int64_t num_sources() const {
    return broadcast_of_first(speaks() ? static_cast<std::int64_t>(driver::sources(*arcs_.graph).size()) : 0);
  }
  Local local(Global v) const { return local_number(space_, part_, v); }
  std::int64_t name(Global v) const { return speaks() ? arcs_.graph->name(v) : 0; }
  std::int64_t place_in_file(Global v) const { return speaks() ? arcs_.graph->place_in_file(v) : 0; }

  template <class F>
  void report(const F& write) const {
    on_all_ranks(world_, [&] {
      try {
        if (speaks()) write();
      } catch (const std::system_error& error) {
        throw Error(describe_output_failure(error));  // printing throws it
      }
    });
  }
  /// The largest that any rank has; collective.
  int largest_of_ranks(int own) const { return static_cast<int>(max(world_, static_cast<double>(own))); }
  /// judge(graph in slices): every rank judges by its own arcs, as they were read or made.
  template <class Judge>
  RuleResult check(const Judge& judge) {
    if (judged_.communicator == nullptr) {
      judged_ = slice_graph(world_, space_, arcs_.slice, arcs_.directed);
      arcs_.slice = {};
    }
    return judge(judged_);
  }
  /// judge(graph in slices, values of all vertices).
  template <class T, class Judge>
  RuleResult check(const Kokkos::View<T*, Memory>& values, const Judge& judge) {
    const auto all = everywhere(values);
    return check([&](const auto& graph) { return judge(graph, all); });
  }
  ComponentSummary summarize(const Kokkos::View<Global*, Memory>& labels) const {
    return halo_->summarize_components(space_, labels);
  }
  template <class T>
  void write(const std::string& path, const Kokkos::View<T*, Memory>& values, const ResultHead& head) const {
    if (arcs_.graph_everywhere) {
      return write_block_values<Vertex>(world_, path, *arcs_.graph, block(values), head);
    }
    const auto all = everywhere(values);
    report([&] { write_values(path, *arcs_.graph, all, head); });
  }
  template <class Value>
  void write_tree(const std::string& path, const Kokkos::View<Value*, Memory>& values,
                  const Kokkos::View<Global*, Memory>& parents, const ResultHead& head,
                  const ResultHead& parent_head) const {
    if (arcs_.graph_everywhere) {
      return write_block_tree<Vertex>(world_, path, *arcs_.graph, block(values), block(parents), head, parent_head);
    }
    const auto all = everywhere(values);
    const auto all_parents = everywhere(parents);
    report([&] { driver::write_tree(path, *arcs_.graph, all, all_parents, head, parent_head); });
  }
  void write_labels(const std::string& path, const Kokkos::View<Global*, Memory>& labels, bool by_first,
                    const ResultHead& head) const {
    // Labels of these graphs, which are in the order of their files, are what classes are called by, first or not.
    if (arcs_.graph_everywhere) {
      return write_block_labels<Vertex>(world_, path, *arcs_.graph, block(labels), head);
    }
    const auto all = everywhere(labels);
    report([&] { driver::write_labels(path, *arcs_.graph, all, by_first, head); });
  }

  void write_order(const std::string& path, const Kokkos::View<Global*, Memory>& labels,
                   const std::string& algorithm) const {
    const auto all = everywhere(labels);
    report([&] { driver::write_order(path, *arcs_.graph, all, algorithm); });
  }

 private:
  /// Values of local vertices as those of the own vertices.
  template <class T>
  Kokkos::View<ValueEverywhere<Vertex, T>*, Memory> of_own(const Kokkos::View<T*, Memory>& values) const {
    using To = ValueEverywhere<Vertex, T>;
    halo_->to_owners(space_, values);
    const Kokkos::View<To*, Memory> own("dromos::driver::own_values", part_.num_own);
    Kokkos::parallel_for("dromos::driver::own_values",
                         Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space_, 0, part_.num_own),
                         ConvertValues<T, To>{values, own});
    return own;
  }
  /// As those of all vertices of the graph, on every rank.
  template <class T>
  auto everywhere(const Kokkos::View<T*, Memory>& values) const {
    return replicate(world_, space_, part_.partition, of_own(values));
  }
  /// As those of this rank's block of the graph.
  template <class T>
  ResultValues<ValueEverywhere<Vertex, T>> block(const Kokkos::View<T*, Memory>& values) const {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(),
                                               to_blocks(world_, space_, part_.partition, of_own(values)));
  }

  std::int64_t broadcast_of_first(std::int64_t value) const {
    broadcast_in_place(world_, &value, 1, 0);
    return value;
  }

  const Communicator& world_;
  SpreadArcs<Vertex> arcs_;
  std::string partition_;
  ProcessGrid grid_;  // where the partition is one
  Space space_;
  GraphPart<Vertex, Memory> part_;
  std::unique_ptr<Halo<Space, Vertex>> halo_;
  SliceGraph<Vertex> judged_;  // once a result was
};

}  // namespace dromos::driver
