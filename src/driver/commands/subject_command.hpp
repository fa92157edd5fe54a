// SPDX-License-Identifier: BSD-3-Clause
// Subcommands of algorithms that run on any number of ranks from one source: their solvers work on a subject, which is
// the whole graph (driver/commands/whole_subject.hpp) or a part of it (driver/distributed/part_subject.hpp).
#pragma once

#include <dromos/version.hpp>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "driver/base/ranks.hpp"
#include "driver/commands/algorithm_command.hpp"
#include "driver/commands/whole_subject.hpp"
#ifdef DROMOS_ENABLE_MPI
#include "driver/distributed/part_subject.hpp"
#endif

namespace dromos::driver {

/// How the graph is spread, where there are several ranks.
struct SubjectOptions {
#ifdef DROMOS_ENABLE_MPI
  PartOptions part;
  void declare(ArgumentParser& parser) { part.declare(parser); }
#else
  void declare(ArgumentParser&) {}
#endif
};

/// What is to be asked of a subject.
struct SubjectUse {
  bool degrees = false;  ///< vertices by degree
  bool check = false;
};

/// Loads the graph and returns f(subject), on one rank or several.
///
/// \param prepare  everything that can be wrong before a graph is there; returns what the subject is to be used for
template <class Prepare, class F>
int with_subject(const GraphOptions& graph, const SubjectOptions& options, const Prepare& prepare, const F& f) {
#ifdef DROMOS_ENABLE_MPI
  if (num_ranks() > 1) {
    return on_ranks(options.part, [&](const Communicator& world) {
      const SubjectUse use = on_all_ranks(world, prepare);
      GraphOptions spread = graph;
      spread.on_grid = options.part.partition == "grid";
      return with_spread_arcs(world, spread, use.degrees, [&](const auto& arcs) {
        using Vertex = std::decay_t<decltype(arcs.slice.num_vertices)>;
        PartSubject<Vertex> subject(world, arcs, options.part, use.check);
        return f(subject);
      });
    });
  }
  options.part.refuse_on_one_rank();
#else
  static_cast<void>(options);
#endif
  prepare();
  return with_graph(graph, [&](const auto& loaded) {
    WholeSubject<std::decay_t<decltype(loaded)>> subject(loaded);
    return f(subject);
  });
}

/// Loads the graph, tells what it is, and runs Solver<Subject>(subject, options ...) on it, on one rank or several.
template <template <class> class Solver, class... Options>
CommandAction subject_action(const std::shared_ptr<AlgorithmCommand>& command, ArgumentParser& parser,
                             const std::string& activity, const std::shared_ptr<Options>&... options) {
  const auto spread = std::make_shared<SubjectOptions>();
  spread->declare(parser);
  return [=] {
    std::vector<std::string> methods;
    std::vector<NamedStrategy> strategies;
    const auto prepare = [&] {
      if (first_rank()) command->check();
      methods = command->resolve_methods();
      strategies = command->strategies.resolve();
      return SubjectUse{command->needs_degrees || (command->roots && !command->roots->named()), command->validate};
    };
    return with_subject(command->graph, *spread, prepare, [&](auto& subject) {
      introduce(*command, subject);
      Solver<std::decay_t<decltype(subject)>> solver(subject, *options...);
      return run_algorithm(*command, methods, strategies, subject, solver, activity);
    });
  };
}

}  // namespace dromos::driver
