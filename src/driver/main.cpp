// SPDX-License-Identifier: BSD-3-Clause
// dromos: graph traversal from the command line.
//
// Parses first and starts Kokkos afterwards, so that a mistake in the command line costs nothing. Everything that a
// subcommand throws ends here, as one line on stderr and an exit code (command.hpp). Where a launcher started several
// ranks, what all of them throw is said by the first; what one throws alone ends them all (ranks.hpp). Exit code 0
// means that everything asked for has arrived, on stdout too; stopped halfway, the program leaves no half of a file.
#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdio>
#include <dromos/core/allocation_failure.hpp>
#include <dromos/core/build_info.hpp>
#include <dromos/core/error.hpp>
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "command_line/parameter_file.hpp"
#include "driver/base/command.hpp"
#include "driver/base/host_memory.hpp"
#include "driver/base/kokkos_session.hpp"
#include "driver/base/option_values.hpp"
#include "driver/base/output_file.hpp"
#include "driver/base/printable.hpp"
#include "driver/base/ranks.hpp"
#include "driver/base/region_times.hpp"
#include "driver/base/shared_cores.hpp"
#include "driver/base/standard_streams.hpp"
#include "driver/base/stopping.hpp"
#include "driver/base/talking.hpp"
#include "driver/base/usage_error.hpp"
#include "driver/base/waiting_threads.hpp"

namespace {

using dromos::ArgumentParser;
using dromos::UsageError;
using namespace dromos::driver;

constexpr const char* description = R"(Dromos: graph traversal on CPUs and GPUs.

A graph comes from a file (Matrix Market, edge list, adjacency list, METIS, DIMACS, SMAT, table, GraphML, GAPBS,
Graph500 edges; plain or compressed; HDF5; nearly all are recognised by content) or from a generator.)";

constexpr const char* footer = R"(Examples:
  dromos info web-NotreDame.txt.xz
      sizes, degrees and components of a graph, straight from the compressed file
  dromos bfs --strategy all --validate web-NotreDame.txt.xz
      breadth-first search from the vertex of highest degree, once with each strategy, and every result checked
  dromos bfs --root 17 --root 34 --levels karate.mtx
      searches from two vertices of the file, with the size of every level
  dromos bfs --generate kronecker --scale 20 --roots 16 --json result.json
      a Graph500 graph, 16 random roots, and the measurements as JSON
  mpirun -n 4 dromos graph500 --scale 20
      the Graph500 benchmark on four ranks
  dromos generate kronecker --scale 16 -o kron16.mtx
  dromos convert kron16.mtx kron16.graph
  dromos compare CPU=host.json GPU=device.json
      the results of several machines beside each other

dromos SUBCOMMAND --help explains each subcommand. Options that start with --kokkos- go to Kokkos
(--kokkos-help lists them); --threads or OMP_NUM_THREADS sets the number of threads.

Exit codes: 0 fine; 1 a result failed its validation, or something went wrong inside; 2 a file or an
argument that cannot be used, or memory that does not suffice.)";

/// Who meets an error: every rank, or perhaps this one alone.
enum class MetBy { all_ranks, this_rank };

int fail(ExitCode code, const std::string& message, MetBy met_by = MetBy::all_ranks) {
  if (met_by == MetBy::this_rank && num_ranks() > 1) {
    abort_all_ranks(code, fmt::format("dromos: error: rank {}: {}", this_rank(), printable(message)));
  }
  if (first_rank()) say_error(fmt::format("dromos: error: {}\n", printable(message)));
  return code;
}

/// Runs `body` and turns whatever it throws into a line on stderr and an exit code.
template <class Body>
int guarded(MetBy met_by, const Body& body) {
  const auto who = [&](const std::exception& error) { return all_ranks_throw(error) ? MetBy::all_ranks : met_by; };
  try {
    return body();
  } catch (const dromos::InputError& error) {
    return fail(exit_bad_input, error.what(), who(error));
  } catch (const dromos::ArgumentError& error) {
    return fail(exit_bad_input, error.what(), who(error));
  } catch (const dromos::MemoryError& error) {
    return fail(exit_bad_input, error.what(), who(error));
  } catch (const dromos::Error& error) {
    return fail(exit_failed, error.what(), who(error));
  } catch (const std::system_error& error) {
    // Printing throws where nothing takes what is printed.
    return fail(exit_failed, describe_output_failure(error), met_by);
  } catch (const std::exception& error) {
    if (const auto memory = dromos::as_memory_error(error)) return fail(exit_bad_input, memory->what(), met_by);
    return fail(exit_failed, fmt::format("{} (this should not happen: please report it)", error.what()), met_by);
  } catch (...) {
    return fail(exit_failed, "an unknown exception (this should not happen: please report it)", met_by);
  }
}

/// Text that is the same on all ranks, said once.
void say(FILE* where, const std::string& text) {
  if (first_rank()) fmt::print(where, "{}", text);
}

/// Starts Kokkos with its share of the command line and runs `body`.
template <class Body>
int with_kokkos(const CommandLine& line, const Body& body) {
  prepare_environment();
  const std::string cannot_start = first_text_of_ranks(why_kokkos_cannot_start(line));
  if (!cannot_start.empty()) throw dromos::ArgumentError(cannot_start);
  std::vector<std::string> words = line.kokkos;
  words.insert(words.begin(), line.program);
  if (!first_rank()) words.push_back("--kokkos-disable-warnings");  // the first rank's are enough
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  int argc = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  char** argv = pointers.data();
  const Kokkos::ScopeGuard kokkos(argc, argv);
  // Inside the guard: no View may outlive Kokkos, not even on the way out of an exception.
  return guarded(MetBy::this_rank, [&] {
    check_all_taken(argc, argv);
    return body();
  });
}

/// "help bfs" is "bfs --help".
void ask_for_help(std::vector<std::string>& words) {
  if (words.empty() || words.front() != "help") return;
  words.erase(words.begin());
  const auto& commands = all_commands();
  const bool is_known = words.empty() || std::any_of(commands.begin(), commands.end(), [&](const Command& command) {
                          return words.front() == command.name;
                        });
  if (is_known && words.size() < 2) words.push_back("--help");
}

/// Throws ArgumentError, on every rank, where files that the command line names are one that should not be. The first
/// rank's view of them counts: it reads and writes them.
void check_files(const ArgumentParser& subcommand) {
  std::string mistake;
  try {
    if (first_rank()) check_distinct(subcommand.files());
  } catch (const dromos::ArgumentError& error) {
    mistake = error.what();
  }
  mistake = first_text_of_ranks(mistake);
  if (!mistake.empty()) throw dromos::ArgumentError(mistake);
  if (first_rank()) mention_leftovers(subcommand.files());
}

bool asks_for_version(const std::string& word) { return word == "-V" || word == "--version"; }

/// Will threads wait for each other? Not where these words ask for a text, or for a command that does not compute.
bool may_compute(int argc, char** argv) {
  bool computes = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (asks_for_version(word) || word == "-h" || word == "--help" || (i == 1 && word == "help")) return false;
    for (const Command& command : all_commands()) computes = computes || (command.computes && word == command.name);
  }
  return computes;
}

/// The commands that these words may be about: the one that they begin with, since declaring the options of all takes
/// longer than everything else that a small graph needs; all of them where it is another word, and for commands that
/// tell of the others; none for the version.
std::vector<Command> commands_of(const std::vector<std::string>& words) {
  if (words.size() == 1 && asks_for_version(words.front())) return {};
  const auto& commands = all_commands();
  const auto named = std::find_if(commands.begin(), commands.end(), [&](const Command& command) {
    return !words.empty() && words.front() == command.name;
  });
  return named != commands.end() && named->computes ? std::vector<Command>{*named} : commands;
}

/// A command whose options are parsed.
struct Declared {
  const Command& command;
  ArgumentParser subcommand;
  CommandAction action;
};

/// Does what these words ask for. `compute` runs the action of a command that computes, with the value of --threads.
template <class Compute>
int obey(const std::vector<std::string>& words, const Compute& compute) {
  ArgumentParser parser(description, "dromos");
  parser.footer(footer);
  bool version = false;
  parser.add_flag("-V,--version", version, "Version, Kokkos and its devices, optional parts");
  const std::vector<Command> commands = commands_of(words);
  std::vector<Declared> declared_commands;
  bool timers = false;
  std::optional<std::int64_t> num_threads;
  for (const Command& command : commands) {
    ArgumentParser subcommand = parser.add_subcommand(command.name, command.summary);
    CommandAction action = command.declare(subcommand);
    if (command.computes) {
      declare_timers(subcommand, timers);
      accept_parameter_file(subcommand);
      add_integer(subcommand, "--threads", num_threads,
                  "Threads of the CPU (default: OMP_NUM_THREADS, or one for each core)", 1)
          .group("Results");
      declare_quiet(subcommand);
    }
    declared_commands.push_back({command, std::move(subcommand), std::move(action)});
  }

  try {
    if (parser.parse(words) == ArgumentParser::Request::help) {
      say(stdout, parser.help());
      return exit_fine;
    }
  } catch (const UsageError& error) {
    return fail(exit_bad_input, describe_usage_error(parser, error));
  }
  if (version) {
    say(stdout, dromos::version_text());
    return exit_fine;
  }
  for (const Declared& declared : declared_commands) {
    if (!declared.subcommand.parsed()) continue;
    if (num_ranks() > 1 && !declared.command.distributed) {
      throw dromos::ArgumentError(fmt::format("{} runs on one rank, and {} were started; leave out the launcher",
                                              declared.command.name, num_ranks()));
    }
    check_files(declared.subcommand);
    if (!declared.command.computes) return declared.action();
    return compute(num_threads, [&] { return timers ? with_timers(declared.action) : declared.action(); });
  }
  say(stderr, parser.help());
  return exit_bad_input;
}

int run(int argc, char** argv) {
  CommandLine line;
  std::string mistake;
  try {
    line = split_command_line(argc, argv);
  } catch (const dromos::ArgumentError& error) {
    mistake = error.what();  // perhaps of this rank alone: options for Kokkos need not be the same everywhere
  }
  mistake = first_text_of_ranks(mistake);
  if (!mistake.empty()) throw dromos::ArgumentError(mistake);
  check_same_words(line.own);
  ask_for_help(line.own);
  if (line.own.empty() && !line.kokkos.empty()) return with_kokkos(line, [] { return exit_fine; });  // --kokkos-help
  return obey(line.own, [&](const std::optional<std::int64_t>& num_threads, const CommandAction& action) {
    if (num_threads) use_threads(*num_threads);
    return with_kokkos(line, [&] {
      const int code = action();
      if (first_rank()) warn_of_shared_cores(host_concurrency());
      return code;
    });
  });
}

}  // namespace

int dromos::driver::run_command_line(const std::vector<std::string>& words) {
  const QuietAsBefore quiet;
  const auto compute = [](const std::optional<std::int64_t>& num_threads, const CommandAction& action) {
    if (num_threads) throw ArgumentError("--threads is of all that runs in this process: give it to batch itself");
    return guarded(MetBy::this_rank, action);
  };
  return guarded(MetBy::all_ranks, [&] { return obey(words, compute); });
}

int main(int argc, char** argv) {
  put_back_environment();
  give_freed_arrays_back();
  if (may_compute(argc, argv)) run_with_short_spins(argv);
  remove_unfinished_files_when_stopped();
  keep_standard_streams_apart();
  const Ranks ranks;
  // Before Kokkos starts, every rank does the same with the same words.
  const int code = guarded(MetBy::all_ranks, [&] { return run(argc, argv); });
  const bool stopped = remembered_signal() != 0 && code == exit_code_of_signal(remembered_signal());
  if (code != exit_fine && !stopped) return code;
  const int last_code = guarded(MetBy::all_ranks, [&] {
    finish_standard_output();
    return code;
  });
  // A shell that runs a loop of commands ends with the one that died of Ctrl-C, not with one that returned 130.
  if (stopped && last_code == code && num_ranks() == 1) end_by_remembered_signal();
  return last_code;
}
