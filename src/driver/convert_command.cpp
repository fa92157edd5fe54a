// SPDX-License-Identifier: BSD-3-Clause
// dromos convert: from one format to another.
#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <dromos/core/error.hpp>
#include <dromos/io/write_graph.hpp>
#include <memory>

#include "command.hpp"
#include "graph_file.hpp"
#include "number_format.hpp"
#include "output_format.hpp"
#include "progress.hpp"

namespace dromos::driver {
namespace {

constexpr const char* footer = R"(Examples:
  dromos convert web-NotreDame.txt.xz web-NotreDame.mtx
  dromos convert --undirected soc-Epinions1.txt soc-Epinions1.graph
  dromos convert --weights USA-road-d.NY.gr.xz roads.txt.gz

Formats other than edge lists number their vertices themselves, from 1 (SMAT: from 0): where the numbers of the
input have gaps they are closed, in ascending order.)";

struct ConvertCommand {
  FileOptions input;
  std::string output;
  std::string format;
};

template <class Vertex>
int run_convert(const ConvertCommand& command, GraphFormat format) {
  Kokkos::Timer timer;
  const GraphFile<Vertex> file = read_file<Vertex>(command.input);
  const double read_seconds = timer.seconds();
  const bool directed = is_directed(command.input, file.directed);
  timer.reset();
  {
    const Progress progress("writing " + command.output);
    write_graph(command.output, format, file.edges, file.names, directed);
  }
  fmt::print("{}: {}, {} listed, read as {} in {}\n{}: written as {}, {}, in {}\n", command.input.path,
             counted(file.edges.num_vertices, "vertex", "vertices"), counted(file.edges.num_edges(), "edge", "edges"),
             format_name(file.format), duration(read_seconds), command.output, format_name(format),
             directed ? "directed" : "undirected", duration(timer.seconds()));
  return exit_fine;
}

}  // namespace

CommandAction declare_convert(ArgumentParser& parser) {
  parser.footer(footer);
  const auto command = std::make_shared<ConvertCommand>();
  command->input.declare(parser, "IN", "The file to read");
  parser.add_option("OUT", command->output, "The file to write").value_name("");
  declare_output_format(parser, command->format);
  parser.add_flag("--weights", command->input.weights, "Keep the weights of the edges (default: dropped)");
  return [command] {
    if (command->input.path.empty() || command->output.empty()) {
      throw ArgumentError("name two files: the one to read and the one to write");
    }
    command->input.check();
    const GraphFormat format = choose_output_format(command->format, command->output);
    return with_id_type(command->input.id_bits,
                        [&](auto vertex) { return run_convert<decltype(vertex)>(*command, format); });
  };
}

}  // namespace dromos::driver
