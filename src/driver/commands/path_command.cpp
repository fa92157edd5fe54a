// SPDX-License-Identifier: BSD-3-Clause
// dromos path: a shortest path from one vertex to another, by the number of its edges or by their weights. A search
// from the first vertex gives every vertex a parent, and the path is read backwards from the last.
#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/shortest_path_tree.hpp>
#include <dromos/algorithms/sssp.hpp>
#include <dromos/core/error.hpp>
#include <dromos/io/replaced_file.hpp>
#include <dromos/validate/distance_rules.hpp>
#include <dromos/validate/graph500_rules.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "driver/base/number_format.hpp"
#include "driver/commands/algorithm_command.hpp"
#include "driver/reports/vertex_lines.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* path_footer = R"(Examples:
  dromos path --from 6 --to 1032 p2p-31.e
      over as few edges as there can be
  dromos path --from 1 --to 1000 --weighted --output way.txt USA-road-d.NY.gr.xz
      over the smallest sum of weights; one line "vertex distance" for each vertex of the path, in its order
  dromos path --from 10 --to 40 --undirected --validate --json - roads.txt

Edges are followed forwards; --undirected follows them both ways. Of several shortest paths it is one. Where there is
none the program says so, and its exit code is 0.)";

struct PathOptions {
  std::optional<std::int64_t> from, to;
};

template <class Vertex>
class PathSolver {
 public:
  PathSolver(const LoadedGraph<Vertex>& loaded, const PathOptions& options)
      : loaded_(loaded),
        graph_(loaded.graph()),
        weighted_(!loaded.summary().weights.empty()),
        from_(loaded.vertex(*options.from, "--from: vertex")),
        to_(loaded.vertex(*options.to, "--to: vertex")) {}

  AlgorithmRun run(const std::string&, const NamedStrategy& strategy, Vertex) {
    AlgorithmRun run;
    run.algorithm = "path";
    run.strategy = strategy.name;
    if (weighted_) {
      if (!lengths_) lengths_.emplace(space_, graph_);
      const Kokkos::Timer timer;
      const SsspOptions options{0, strategy.strategy};
      if (lengths_->whole) {
        search(whole_, options);
      } else {
        search(real_, options);
      }
      run.seconds = timer.seconds();
    } else {
      if (!levels_) levels_.emplace(graph_);
      BfsOptions options;
      options.strategy = strategy.strategy;
      run.seconds = bfs(space_, graph_, from_, *levels_, found_, options).seconds;
      parent_ = found_.parent;
    }
    read_path();
    tell(run);
    return run;
  }

  RuleResult check(Vertex) const {
    if (weighted_) {
      const RuleResult distances = lengths_->whole ? validate_distances(space_, graph_, from_, whole_)
                                                   : validate_distances(space_, graph_, from_, real_);
      return distances.holds ? check_path() : distances;
    }
    const BfsValidation tree = validate_bfs(space_, graph_, from_, Kokkos::View<const Vertex*, Memory>(found_.parent),
                                            Kokkos::View<const Level*, Memory>(found_.level));
    return tree.valid ? check_path() : RuleResult{false, tree.message};
  }

  void write(const std::string& path) const {
    ReplacedFile file(path);
    fmt::memory_buffer lines;
    for (std::size_t i = 0; i < path_.size(); ++i) {
      if (weighted_) {
        append_line(lines, loaded_.name(path_[i]), text_of(distance_of_[i]));
      } else {
        append_line(lines, loaded_.name(path_[i]), static_cast<std::int64_t>(i));
      }
    }
    file.write(lines.data(), lines.size());
    file.commit();
  }

 private:
  using Json = nlohmann::ordered_json;
  /// Whole numbers where all lengths are.
  using Distance = std::variant<double, std::int64_t>;

  template <class T>
  void search(Kokkos::View<T*, Memory>& distance, const SsspOptions& options) {
    sssp(space_, *lengths_, from_, distance, options);
    shortest_path_tree(space_, *lengths_, from_, distance, parent_, options);
  }
  static std::string text_of(const Distance& distance) {
    return std::visit([](auto value) { return fmt::format("{}", value); }, distance);
  }
  static Json json_of(const Distance& distance) {
    return std::visit([](auto value) { return Json(value); }, distance);
  }
  template <class T>
  void read_distances(const Kokkos::View<T*, Memory>& found) {
    const auto distance = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
    for (const Vertex v : path_) distance_of_.push_back(distance(v));
  }

  /// From the parents: path_, and the distances of its vertices.
  void read_path() {
    const auto parent = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), parent_);
    path_.clear();
    distance_of_.clear();
    if (parent(to_) == no_vertex<Vertex>) return;
    for (Vertex v = to_;; v = parent(v)) {
      path_.push_back(v);
      if (v == from_) break;
    }
    std::reverse(path_.begin(), path_.end());
    if (!weighted_) return;
    if (lengths_->whole) {
      read_distances(whole_);
    } else {
      read_distances(real_);
    }
  }

  void tell(AlgorithmRun& run) const {
    const bool found = !path_.empty();
    std::vector<std::int64_t> names;
    for (const Vertex v : path_) names.push_back(loaded_.name(v));
    const auto num_edges = static_cast<std::int64_t>(path_.size()) - 1;
    run.results = {{"from", loaded_.name(from_)},
                   {"to", loaded_.name(to_)},
                   {"path_edges", found ? Json(num_edges) : Json(nullptr)},
                   {"length", found && weighted_ ? json_of(distance_of_.back()) : Json(nullptr)},
                   {"path", names}};
    run.cells = {{"from", std::to_string(loaded_.name(from_))},
                 {"to", std::to_string(loaded_.name(to_))},
                 {"edges", found ? with_separators(num_edges) : "-"}};
    if (weighted_) run.cells.push_back({"length", found ? text_of(distance_of_.back()) : "-"});
    if (!found) {
      run.text = fmt::format("\nthere is no path from {} to {}{}\n", loaded_.name(from_), loaded_.name(to_),
                             graph_.directed ? "; --undirected follows edges both ways" : "");
      return;
    }
    constexpr std::size_t most = 20;  // a line or two
    run.text = "\n";
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names.size() > most && i == most / 2) {
        run.text += fmt::format(" -> ({} more; --output FILE has all)", names.size() - most);
        i = names.size() - most / 2;
      }
      run.text += (i == 0 ? "" : " -> ") + std::to_string(names[i]);
    }
    run.text += "\n";
  }

  /// Every step is an edge, and the edges add up to what the search found.
  RuleResult check_path() const {
    const auto graph = copy_to<Kokkos::HostSpace>(graph_);
    for (std::size_t i = 0; i + 1 < path_.size(); ++i) {
      const Vertex u = path_[i], v = path_[i + 1];
      bool leads_on = false;
      for (Offset e = graph.row_map(u); e < graph.row_map(u + 1); ++e) {
        leads_on = leads_on || (graph.entries(e) == v && (!weighted_ || adds_up(i, graph.weights(e))));
      }
      if (leads_on) continue;
      return {false, fmt::format("step {} of the path, from vertex {} to {}, is no edge of a shortest path", i, u, v)};
    }
    return {};
  }

  /// Is the path from its vertex i to the next as long as that edge?
  bool adds_up(std::size_t i, float weight) const {
    return std::visit(
        [&](auto before) {
          using T = decltype(before);
          return before + static_cast<T>(weight) == std::get<T>(distance_of_[i + 1]);
        },
        distance_of_[i]);
  }

  const LoadedGraph<Vertex>& loaded_;
  Space space_;
  CsrGraph<Vertex, Memory> graph_;
  bool weighted_;  // as asked; a graph without edges has no array of weights
  Vertex from_, to_;
  std::optional<BfsScratch<Vertex, Memory>> levels_;
  std::optional<SsspScratch<Vertex, Memory>> lengths_;
  BfsResult<Vertex, Memory> found_;
  Kokkos::View<double*, Memory> real_;
  Kokkos::View<std::int64_t*, Memory> whole_;  // instead, where all lengths are whole
  Kokkos::View<Vertex*, Memory> parent_;
  std::vector<Vertex> path_;  // from_ to to_; empty where there is none
  std::vector<Distance> distance_of_;
};

}  // namespace

CommandAction declare_path(ArgumentParser& parser) {
  parser.footer(path_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  const auto options = std::make_shared<PathOptions>();
  const std::string group = "Which path";
  add_vertex(parser, "--from", options->from, "Where it begins, as the file numbers it").group(group);
  add_vertex(parser, "--to", options->to, "Where it ends").group(group);
  parser
      .add_flag("--weighted", command->graph.wants_weights,
                "The smallest sum of weights (default: as few edges as there can be)")
      .group(group);
  command->declare(parser, "");
  command->graph.declare_weight_source(parser);
  parser
      .add_option("--output", command->output,
                  "Write \"vertex distance\" of every vertex of the path, in its order and in the file's own numbers")
      .value_name("FILE")
      .writes_file()
      .group("Results");
  const CommandAction action = algorithm_action<PathSolver>(command, "finding a path in", options);
  return [command, options, action] {
    if (!options->from || !options->to) throw ArgumentError("name both ends of the path: --from ID --to ID");
    if (!command->graph.weights.empty() && !command->graph.wants_weights) {
      throw ArgumentError("--weights has no effect without --weighted; give both, or neither");
    }
    if (names_hdf5(command->output) || names_matrix_market(command->output)) {
      throw ArgumentError("--output " + command->output + ": a path is written as text; give another name");
    }
    return action();
  };
}

}  // namespace dromos::driver
