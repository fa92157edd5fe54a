// SPDX-License-Identifier: BSD-3-Clause
// What solvers (driver/commands/algorithm_command.hpp) work on: here a whole graph on one rank. On several it is a part
// (driver/distributed/part_subject.hpp) that answers the same questions.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/component_summary.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/traverse/no_halo.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <string>
#include <vector>

#include "driver/graphs/load_graph.hpp"
#include "driver/graphs/root_options.hpp"
#include "driver/reports/algorithm_report.hpp"
#include "driver/reports/vertex_results.hpp"

namespace dromos::driver {

/// Loaded: a LoadedGraph, or what else summary() and vertices can be asked of.
template <class Loaded>
class WholeSubject {
 public:
  using Space = Kokkos::DefaultExecutionSpace;
  using Memory = Space::memory_space;
  using Global = typename Loaded::vertex_type;  ///< numbers of vertices in the whole graph
  using Local = Global;                         ///< and in the rows here

  explicit WholeSubject(const Loaded& loaded) : loaded_(loaded) {}

  /// Does this rank say what was found?
  bool speaks() const { return true; }
  const GraphSummary& summary() const { return loaded_.summary(); }
  std::string ranks() const { return ""; }
  void describe(AlgorithmRun&) const {}
  /// The largest that any rank has.
  int largest_of_ranks(int own) const { return own; }

  const CsrGraph<Local, Memory>& out_edges() const { return loaded_.graph(); }
  CsrGraph<Local, Memory> in_edges() const { return transpose(Space(), loaded_.graph()); }
  NoHalo halo() const { return {}; }
  /// Edges of the graph; an undirected one counts once.
  Offset num_edges() const { return loaded_.edges_from_arcs(loaded_.graph().num_edges()); }
  void require_undirected(const std::string& what) const { loaded_.require_undirected(what); }

  /// The vertices that choose(graph) returns, on every rank; what it throws, all ranks throw.
  template <class Choose>
  std::vector<Global> chosen(const Choose& choose) const {
    return choose(loaded_);
  }
  std::vector<Global> choose_roots(const RootOptions& options, std::uint64_t seed) const {
    return options.choose(loaded_, seed);
  }
  /// Vertices with out-edges.
  std::vector<Global> sources() const { return driver::sources(loaded_); }
  std::int64_t num_sources() const { return static_cast<std::int64_t>(sources().size()); }
  Local local(Global v) const { return v; }
  std::int64_t name(Global v) const { return loaded_.name(v); }
  std::int64_t place_in_file(Global v) const { return loaded_.place_in_file(v); }

  /// Calls write(); what it throws, all ranks throw.
  template <class F>
  void report(const F& write) const {
    write();
  }
  /// judge(graph).
  template <class Judge>
  RuleResult check(const Judge& judge) const {
    return judge(loaded_.graph());
  }
  /// judge(graph, values of all vertices).
  template <class T, class Judge>
  RuleResult check(const Kokkos::View<T*, Memory>& values, const Judge& judge) const {
    return judge(loaded_.graph(), values);
  }
  template <class T>
  ComponentSummary summarize(const Kokkos::View<T*, Memory>& labels) const {
    return summarize_components(Space(), labels);
  }
  template <class T>
  void write(const std::string& path, const Kokkos::View<T*, Memory>& values, const ResultHead& head) const {
    write_values(path, loaded_, values, head);
  }
  template <class Value>
  void write_tree(const std::string& path, const Kokkos::View<Value*, Memory>& values,
                  const Kokkos::View<Global*, Memory>& parents, const ResultHead& head,
                  const ResultHead& parent_head) const {
    driver::write_tree(path, loaded_, values, parents, head, parent_head);
  }
  void write_labels(const std::string& path, const Kokkos::View<Global*, Memory>& labels, bool by_first,
                    const ResultHead& head) const {
    driver::write_labels(path, loaded_, labels, by_first, head);
  }

  void write_order(const std::string& path, const Kokkos::View<Global*, Memory>& labels,
                   const std::string& algorithm) const {
    driver::write_order(path, loaded_, labels, algorithm);
  }

 private:
  const Loaded& loaded_;
};

}  // namespace dromos::driver
