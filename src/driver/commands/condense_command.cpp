// SPDX-License-Identifier: BSD-3-Clause
// dromos condense: the graph of the strongly connected components with every strategy, its levels, and edges without
// which the graph has no cycle.
#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <dromos/algorithms/condensation.hpp>
#include <dromos/algorithms/feedback_edges.hpp>
#include <dromos/algorithms/scc.hpp>
#include <dromos/algorithms/topological_levels.hpp>
#include <dromos/graph/row_sources.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/io/write_graph.hpp>
#include <dromos/validate/level_rules.hpp>
#include <dromos/validate/strong_component_rules.hpp>
#include <memory>
#include <vector>

#include "driver/commands/algorithm_command.hpp"
#include "driver/reports/permuted_output.hpp"
#include "driver/reports/spy_plot.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* condense_footer = R"(Examples:
  dromos condense web-NotreDame.txt.xz
      how many components, edges between them, and levels: components of a level do not depend on each other
  dromos condense --validate --output levels.txt --graph components.mtx wiki-Vote.txt
      one line "vertex component level" for each vertex, and the graph whose vertices are the components
  dromos condense --feedback cut.txt sweep.txt
      edges without which the graph has no cycle, few of them
  dromos condense --order order.txt --apply triangular.mtx matrix.mtx
      rows and columns in the order of the levels, component by component: nothing is left of the diagonal blocks

Components count from 0, in the order of their first vertex; where vertices are renumbered inside (--relabel), in that
order. Files of graphs whose vertices count from 1 have component 0 as vertex 1. The time is that of components, their
graph and its levels.)";

template <class Vertex>
class CondenseSolver {
 public:
  explicit CondenseSolver(const LoadedGraph<Vertex>& loaded)
      : loaded_(loaded),
        graph_(loaded.graph()),
        scratch_(graph_, graph_.directed ? transpose(space_, graph_) : graph_) {}

  AlgorithmRun run(const std::string&, const NamedStrategy& strategy, Vertex) {
    strategy_ = strategy.strategy;
    SccOptions options;
    options.strategy = strategy.strategy;
    const Kokkos::Timer timer;
    const SccStatistics statistics = scc(space_, scratch_, components_, options);
    condensed_ = condensation(space_, graph_, components_.component);
    const TopologicalStatistics levels = topological_levels(space_, condensed_.graph, level_, {strategy.strategy});
    AlgorithmRun run;
    run.seconds = timer.seconds();
    run.algorithm = "condense";
    run.strategy = strategy.name;
    add_components(run, statistics.components, "components");
    run.add("num_edges", condensed_.graph.num_edges(), "edges");
    run.add("num_levels", levels.num_levels, "levels");
    num_levels_ = levels.num_levels;
    return run;
  }

  RuleResult check(Vertex) const {
    const RuleResult result = validate_strong_components(graph_, components_.component);
    return result.holds ? validate_levels(condensed_.graph, level_) : result;
  }

  void write(const std::string& path) const {
    const auto component = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), condensed_.component);
    const auto level_of = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), level_);
    const Kokkos::View<Vertex*, Kokkos::HostSpace> level("dromos::driver::level", component.extent(0));
    for (std::size_t v = 0; v < level.extent(0); ++v) level(v) = static_cast<Vertex>(level_of(component(v)));
    write_host_pairs<Vertex>(path, loaded_, component, level,
                             {"condense", "component", "1", "vertex of the graph of components, from 0", {}},
                             {"condense", "level", "1", "of the component, from 0", {}});
  }

  void write_more(const NamedFile& file) const {
    if (file.option == "--order") {
      return write_host_values<Vertex, Vertex>(
          file.path, loaded_, places(),
          {"condense", "place", "1", "component by component in the order of their levels, from 0", {}});
    }
    if (file.option == "--apply") {
      const auto place = places();
      return write_permuted<Vertex>(file.path, loaded_, entries(), graph_.directed, {place, place});
    }
    const GraphFormat format = choose_output_format("", file.path);
    if (file.option == "--graph") {
      return write_graph(file.path, format, copy_to<Kokkos::HostSpace>(edge_list_of(space_, condensed_.graph)),
                         VertexNames::consecutive(condensed_.num_components(), 0), true);
    }
    Kokkos::View<Offset*, Memory> found;
    FeedbackOptions options;
    options.strategy = strategy_;
    feedback_edges(space_, graph_, found, options);
    const auto cut = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
    const auto all = entries();
    EdgeList<Vertex, Kokkos::HostSpace> edges(graph_.num_vertices(), static_cast<Offset>(cut.extent(0)));
    for (Offset i = 0; i < edges.num_edges(); ++i) {
      edges.source(i) = loaded_.place_in_file(all.source(cut(i)));
      edges.target(i) = loaded_.place_in_file(all.target(cut(i)));
    }
    write_graph(file.path, format, edges, loaded_.names_in_file_order(), true);
  }

  nlohmann::ordered_json picture() const {
    const auto before = places_in_file(loaded_), after = places();
    const auto title = fmt::format("components: {}, levels: {}", condensed_.num_components(), num_levels_);
    return spy_picture<Vertex>(loaded_.summary().source, entries(), {"before", {before, before}},
                               {title, {after, after}});
  }

 private:
  EdgeList<Vertex, Kokkos::HostSpace> entries() const {
    return copy_to<Kokkos::HostSpace>(edge_list_of(space_, graph_));
  }

  /// Level after level, in each component after component by their first vertices in the file: no edge leads back from
  /// one component to another, so that the matrix is upper block triangular.
  HostPlaces<Vertex> places() const {
    const auto component = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), condensed_.component);
    const auto level = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), level_);
    const auto num_components = static_cast<std::size_t>(condensed_.num_components());
    std::vector<Vertex> order;
    std::vector<bool> is_listed(num_components, false);
    for (Vertex i = 0; i < graph_.num_vertices(); ++i) {
      const Vertex c = component(loaded_.in_file_order(i));
      if (!is_listed[static_cast<std::size_t>(c)]) order.push_back(c);
      is_listed[static_cast<std::size_t>(c)] = true;
    }
    std::stable_sort(order.begin(), order.end(), [&](Vertex a, Vertex b) { return level(a) < level(b); });
    std::vector<std::int64_t> rank(num_components), group(component.extent(0));
    for (std::size_t k = 0; k < order.size(); ++k)
      rank[static_cast<std::size_t>(order[k])] = static_cast<std::int64_t>(k);
    for (std::size_t v = 0; v < group.size(); ++v) group[v] = rank[static_cast<std::size_t>(component(v))];
    return places_by_group(loaded_, group, static_cast<std::int64_t>(num_components));
  }

  const LoadedGraph<Vertex>& loaded_;
  Space space_;
  CsrGraph<Vertex, Memory> graph_;
  Strategy strategy_{};
  SccScratch<Vertex, Memory> scratch_;
  SccResult<Vertex, Memory> components_;
  Condensation<Vertex, Memory> condensed_;
  Kokkos::View<Level*, Memory> level_;
  std::int64_t num_levels_ = 0;
};

}  // namespace

CommandAction declare_condense(ArgumentParser& parser) {
  parser.footer(condense_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  command->plot_shows = "Where the entries are, before and after";
  command->declare(parser, "vertex component level");
  command->add_output(
      parser, "--order",
      "Write \"vertex place\" of every vertex, component by component, so that edges between components "
      "lead to later ones; places count from 0; .h5: as a column, .mtx: as a vector",
      false);
  command->add_output(parser, "--apply",
                      "Write the matrix or graph in that order, upper block triangular; from .mtx to .mtx with all "
                      "values as they stand",
                      true);
  command->add_output(parser, "--graph", "Write the graph of the components, one vertex each", true);
  command->add_output(parser, "--feedback", "Write edges without which the graph has no cycle, few of them", true);
  return algorithm_action<CondenseSolver>(command, "condensing");
}

}  // namespace dromos::driver
