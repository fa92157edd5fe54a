// SPDX-License-Identifier: BSD-3-Clause
// Subcommands of algorithms that run on any number of ranks from one source: their solvers work on a subject, which is
// the whole graph (driver/commands/whole_subject.hpp) or a part of it (driver/distributed/part_subject.hpp).
#pragma once

#include <dromos/version.hpp>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "driver/base/ranks.hpp"
#include "driver/commands/algorithm_command.hpp"
#include "driver/commands/whole_subject.hpp"
#ifdef DROMOS_ENABLE_MPI
#include "driver/distributed/part_subject.hpp"
#endif

namespace dromos::driver {

/// Loads the graph, tells what it is, and runs Solver<Subject>(subject, options ...) on it, on one rank or several.
template <template <class> class Solver, class... Options>
CommandAction subject_action(const std::shared_ptr<AlgorithmCommand>& command, ArgumentParser& parser,
                             const std::string& activity, const std::shared_ptr<Options>&... options) {
#ifdef DROMOS_ENABLE_MPI
  const auto part = std::make_shared<PartOptions>();
  part->declare(parser);
#else
  static_cast<void>(parser);
#endif
  const auto run_on = [command, activity, options...](auto& subject, const auto& methods, const auto& strategies) {
    introduce(*command, subject);
    Solver<std::decay_t<decltype(subject)>> solver(subject, *options...);
    return run_algorithm(*command, methods, strategies, subject, solver, activity);
  };
  return [=] {
#ifdef DROMOS_ENABLE_MPI
    if (num_ranks() > 1) {
      return on_ranks(*part, [&](const Communicator& world) {
        const auto [methods, strategies] = on_all_ranks(world, [&] {
          if (world.rank() == 0) command->check();
          return std::pair(command->resolve_methods(), command->strategies.resolve());
        });
        const bool with_degrees = command->needs_degrees || (command->roots && !command->roots->named());
        return with_spread_arcs(world, command->graph, with_degrees,
                                [&, &methods = methods, &strategies = strategies](const auto& arcs) {
                                  using Vertex = std::decay_t<decltype(arcs.slice.num_vertices)>;
                                  PartSubject<Vertex> subject(world, arcs, *part, command->validate);
                                  return run_on(subject, methods, strategies);
                                });
      });
    }
#endif
    command->check();
    const auto methods = command->resolve_methods();
    const auto strategies = command->strategies.resolve();
    return with_graph(command->graph, [&](const auto& loaded) {
      WholeSubject<std::decay_t<decltype(loaded)>> subject(loaded);
      return run_on(subject, methods, strategies);
    });
  };
}

}  // namespace dromos::driver
