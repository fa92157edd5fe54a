// SPDX-License-Identifier: BSD-3-Clause
// dromos generate: a generated graph as a file.
#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <dromos/core/error.hpp>
#include <dromos/io/write_graph.hpp>
#include <dromos/version.hpp>
#include <memory>
#include <vector>

#include "driver/base/command.hpp"
#include "driver/base/number_format.hpp"
#include "driver/base/option_values.hpp"
#include "driver/base/printable.hpp"
#include "driver/base/progress.hpp"
#include "driver/base/ranks.hpp"
#include "driver/base/talking.hpp"
#include "driver/graphs/generator_options.hpp"
#include "driver/graphs/output_format.hpp"
#include "driver/graphs/working_memory.hpp"
#include "driver/reports/run_times.hpp"
#ifdef DROMOS_ENABLE_MPI
#include "driver/distributed/generate_slices.hpp"
#endif

namespace dromos::driver {
namespace {

constexpr const char* generate_footer = R"(Examples:
  dromos generate kronecker --scale 16 -o kron16.mtx
  dromos generate erdos-renyi --vertices 1000 --edges 8000 --seed 7 --directed -o random.txt.gz
  dromos generate grid --rows 100 --columns 200 -o grid.graph
  dromos generate kronecker --scale 20 --repeat 5 -o kron20.h5
      drawn five times, to see how long it takes, and written once
  mpirun -n 4 dromos generate kronecker --scale 26 -o kron26.h5
      each rank makes a part of the edges and writes it: no machine has all of them

Edges are written as they were drawn: self loops and duplicates included, where the format can hold them.
The same kind, parameters and seed give the same graph on every machine.)";

struct GenerateCommand {
  GeneratorOptions generator;
  std::string output;
  std::string format;
  bool directed = false;
  bool asks_memory = false;
  std::int64_t num_repeats = 1;

  /// Throws ArgumentError for what cannot be done; the format to write.
  GraphFormat check() const {
    if (generator.kind.empty()) throw ArgumentError("name the kind of graph: one of " + GeneratorOptions::kinds());
    generator.check();
    check_repeat(num_repeats, asks_memory);
    if (output.empty()) throw ArgumentError("name the file to write: -o FILE");
    const GraphFormat to = choose_output_format(format, output);
    if (asks_memory && num_ranks() > 1) {
      throw ArgumentError("--memory: what is told is that of one rank; leave out the launcher");
    }
    if (num_ranks() > 1) check_ranks_can_write(output, to);
    return to;
  }
};

template <class Vertex>
int run_generate(const GenerateCommand& command, GraphFormat format) {
  if (command.asks_memory) {
    PlannedGraph graph;
    graph.num_vertices = static_cast<double>(command.generator.num_vertices());
    graph.num_edges = static_cast<double>(command.generator.num_edges());
    graph.id_bytes = sizeof(Vertex);
    graph.is_list = true;
    if (!is_quiet()) {
      fmt::print("{}", memory_needs("dromos generate", command.generator.describe(), graph, {}).to_text());
    }
    return exit_fine;
  }
  EdgeList<Vertex, Kokkos::HostSpace> edges;
  std::vector<double> generate_seconds;
  {
    const Progress progress("generating " + command.generator.describe());
    edges = run_measured(command.num_repeats, generate_seconds,
                         [&] { return copy_to<Kokkos::HostSpace>(command.generator.generate<Vertex>()); });
  }
  const Kokkos::Timer timer;
  {
    const Progress progress("writing " + command.output);
    write_graph(command.output, format, edges, VertexNames(), command.directed);
  }
  if (!may_talk_beside(command.output)) return exit_fine;
  fmt::print("{}: {}, {} drawn in {}, written to {} as {} in {}\n", command.generator.describe(),
             counted(edges.num_vertices, "vertex", "vertices"), counted(edges.num_edges(), "edge", "edges"),
             times_text(generate_seconds), printable(command.output), format_name(format), duration(timer.seconds()));
  return exit_fine;
}

}  // namespace

CommandAction declare_generate(ArgumentParser& parser) {
  parser.footer(generate_footer);
  const auto command = std::make_shared<GenerateCommand>();
  parser.add_option("KIND", command->generator.kind, GeneratorOptions::kinds())
      .value_name("")
      .suggest(words_of(GeneratorOptions::kinds()));
  parser.add_option("-o,--output", command->output, "The file to write").value_name("FILE").writes_file();
  declare_output_format(parser, command->format);
  add_integer(parser, "--seed", command->generator.seed, "Of the random graphs", 0);
  parser.add_flag("--directed", command->directed, "Say that edges have a direction (default: they have none)");
  parser.add_flag("--memory", command->asks_memory, "Only say how much memory this would need at its peak");
  add_repeat(parser, command->num_repeats, "How often the edges are drawn, after once that is not measured");
  command->generator.declare_parameters(parser);
  return [command] {
    GraphFormat format = GraphFormat::automatic;
    on_every_rank([&] { format = command->check(); });
#ifdef DROMOS_ENABLE_MPI
    if (num_ranks() > 1) {
      return generate_slices(command->generator, command->output, command->directed, command->num_repeats);
    }
#endif
    if (command->generator.num_vertices() <= max_num_vertices<std::int32_t>) {
      return run_generate<std::int32_t>(*command, format);
    }
    return run_generate<std::int64_t>(*command, format);
  };
}

}  // namespace dromos::driver
