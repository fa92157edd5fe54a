// SPDX-License-Identifier: BSD-3-Clause
// dromos diameter: bounds of the diameter of a component with every strategy, how long it took and whether they hold.
#include <Kokkos_Core.hpp>
#include <dromos/algorithms/diameter.hpp>
#include <dromos/validate/diameter_rules.hpp>
#include <limits>
#include <memory>

#include "driver/base/number_format.hpp"
#include "driver/commands/subject_command.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;

constexpr const char* diameter_footer = R"(Examples:
  dromos diameter --undirected web-NotreDame.txt.xz
      of the component of the vertex of highest degree, by at most 1000 searches
  dromos diameter --searches 20 luxembourg_osm.mtx.xz
      bounds after 20 searches; a double sweep alone takes 3
  dromos diameter --root 17 --strategy all --validate power.graph
      of the component of vertex 17; the bounds are checked by serial searches

The lower bound is a distance between two vertices, which are named. Where both bounds are equal they are the diameter.
--validate proves the upper bound by a search from every vertex where the component is small, and otherwise only looks
for a counterexample.)";

struct DiameterCommandOptions {
  std::int64_t max_searches = DiameterOptions().max_searches;
};

template <class Subject>
class DiameterSolver {
 public:
  using Global = typename Subject::Global;
  DiameterSolver(Subject& subject, const DiameterCommandOptions& options)
      : max_searches_(static_cast<int>(options.max_searches)), subject_(subject) {
    subject.require_undirected("the bounds of the diameter are");
  }

  AlgorithmRun run(const std::string&, const NamedStrategy& strategy, Global start_vertex) {
    bounds_ = diameter(space_, subject_.out_edges(), start_vertex, {max_searches_, strategy.strategy}, subject_.halo());
    const std::int64_t start = subject_.name(start_vertex);
    const std::int64_t from = subject_.name(bounds_.from), to = subject_.name(bounds_.to);
    AlgorithmRun run;
    run.algorithm = "diameter";
    run.strategy = strategy.name;
    run.seconds = bounds_.seconds;
    run.results = {{"start", start},
                   {"component_size", bounds_.component_size},
                   {"lower", bounds_.lower},
                   {"upper", bounds_.upper},
                   {"exact", bounds_.exact()},
                   {"from", from},
                   {"to", to},
                   {"num_searches", bounds_.num_searches}};
    run.cells = {{"start", std::to_string(start)},
                 {"component", with_separators(bounds_.component_size)},
                 {"at least", with_separators(bounds_.lower)},
                 {"at most", with_separators(bounds_.upper)},
                 {"from", std::to_string(from)},
                 {"to", std::to_string(to)},
                 {"searches", with_separators(bounds_.num_searches)}};
    return run;
  }

  RuleResult check(Global) const {
    return subject_.check([&](const auto& graph) {
      return validate_diameter(graph, bounds_.from, bounds_.to, bounds_.lower, bounds_.upper);
    });
  }
  void write(const std::string&) const {}  // there is nothing of every vertex

 private:
  Space space_;
  int max_searches_;
  Subject& subject_;
  DiameterBounds<Global> bounds_;
};

}  // namespace

CommandAction declare_diameter(ArgumentParser& parser) {
  parser.footer(diameter_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  const auto options = std::make_shared<DiameterCommandOptions>();
  command->roots.emplace();
  command->declare(parser, "");
  add_integer(parser, "--searches", options->max_searches, "Stop after so many searches", 3,
              std::numeric_limits<int>::max())
      .group("Algorithm");
  return subject_action<DiameterSolver>(command, parser, "measuring", options);
}

}  // namespace dromos::driver
