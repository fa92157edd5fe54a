// SPDX-License-Identifier: BSD-3-Clause
// dromos convert: from one format to another.
#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <dromos/core/error.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/io/write_graph.hpp>
#include <dromos/version.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "driver/base/command.hpp"
#include "driver/base/number_format.hpp"
#include "driver/base/option_values.hpp"
#include "driver/base/printable.hpp"
#include "driver/base/progress.hpp"
#include "driver/base/ranks.hpp"
#include "driver/base/talking.hpp"
#include "driver/graphs/graph_file.hpp"
#include "driver/graphs/output_format.hpp"
#include "driver/graphs/working_memory.hpp"
#include "driver/reports/run_times.hpp"
#ifdef DROMOS_ENABLE_MPI
#include "driver/distributed/convert_separated.hpp"
#include "driver/distributed/convert_slices.hpp"
#endif

namespace dromos::driver {
namespace {

constexpr const char* convert_footer = R"(Examples:
  dromos convert web-NotreDame.txt.xz web-NotreDame.mtx
  dromos convert --undirected soc-Epinions1.txt soc-Epinions1.graph
  dromos convert --weights USA-road-d.NY.gr.xz roads.txt.gz
  dromos convert --repeat 5 soc-Epinions1.txt soc-Epinions1.txt.zst
      read five times, to see how long it takes, and written once
  dromos convert --csr soc-Epinions1.txt soc-Epinions1.h5
      the graph as it is searched, which later needs no building
  mpirun -n 4 dromos convert --csr kronecker.h5 rows.h5
      from HDF5 to HDF5 on several ranks, each its part
  mpirun -n 4 dromos convert --separated kronecker.h5 separated.h5
      the graph separated by degree, as four ranks have it

Formats other than edge lists and HDF5 number their vertices themselves, from 1 (SMAT: from 0): where the numbers of the
input have gaps they are closed, in ascending order.)";

struct ConvertCommand {
  FileOptions input;
  std::string output;
  std::string format;
  bool csr = false;
  bool separated = false;
  std::optional<std::int64_t> degree_threshold;
  std::int64_t compression = 0;
  bool asks_memory = false;
  std::int64_t num_repeats = 1;

  /// Throws ArgumentError for what cannot be done; the format to write.
  GraphFormat check() const {
    if (input.path.empty() || output.empty()) {
      throw ArgumentError("name two files: the one to read and the one to write");
    }
    input.check();
    check_repeat(num_repeats, asks_memory);
    const GraphFormat to = choose_output_format(format, output);
    if (degree_threshold && !separated) throw ArgumentError("--degree-threshold is for graphs with --separated");
    if (separated && (csr || compression > 0 || input.weights)) {
      throw ArgumentError(
          fmt::format("--separated: such a graph has neither compression nor weights, and rows of its own; "
                      "leave out {}",
                      csr               ? "--csr"
                      : compression > 0 ? "--compression"
                                        : "--weights"));
    }
    if (asks_memory && (num_ranks() > 1 || separated)) {
      throw ArgumentError("--memory: what is told is that of one rank, without --separated; leave out one of them");
    }
    if (num_ranks() > 1) check_ranks_can_write(output, to);
    if (num_ranks() > 1 && compression > 0) {
      throw ArgumentError(
          fmt::format("--compression: {} ranks were started, and one compresses; leave out the option or the "
                      "launcher",
                      num_ranks()));
    }
    if (to == GraphFormat::hdf5) return to;
    for (const char* option : {csr ? "--csr" : "", separated ? "--separated" : ""}) {
      if (*option == 0) continue;
      throw ArgumentError(fmt::format("{}: {} is no HDF5 file; give it a name that ends in .h5", option, output));
    }
    if (compression > 0) {
      throw ArgumentError(
          fmt::format("--compression: {} is no HDF5 file; a text is compressed where its name ends in "
                      ".gz, .xz, .bz2 or .zst",
                      output));
    }
    return to;
  }
};

/// The graph by rows, as commands that search it would build it. The list is used up.
template <class Vertex>
CsrGraph<Vertex, Kokkos::HostSpace> build_rows_of(EdgeList<Vertex, Kokkos::HostSpace>&& edges, bool directed) {
  const Kokkos::DefaultExecutionSpace space;
  BuildOptions build;
  build.symmetrize = !directed;
  build.drop_self_loops = build.remove_duplicates = true;
  EdgeList<Vertex> in_space = copy_to<Kokkos::DefaultExecutionSpace::memory_space>(edges);
  edges = {};
  return copy_to<Kokkos::HostSpace>(build_csr(space, std::move(in_space), build));
}

/// What is made of a list that is in memory.
template <class Vertex>
PlannedGraph planned_rows(const ConvertCommand& command, const GraphFile<Vertex>& file, bool directed) {
  PlannedGraph graph;
  graph.num_vertices = static_cast<double>(file.edges.num_vertices);
  graph.num_edges = static_cast<double>(file.edges.num_edges());
  graph.mirrored = !directed;
  graph.weighted = file.edges.weighted();
  graph.id_bytes = sizeof(Vertex);
  graph.has_edges = true;
  graph.is_list = !command.csr;
  return graph;
}

template <class Vertex>
int run_convert(const ConvertCommand& command, GraphFormat format) {
  std::vector<double> read_seconds;
  GraphFile<Vertex> file =
      run_measured(command.num_repeats, read_seconds, [&] { return read_file<Vertex>(command.input); });
  const bool directed = is_directed(command.input, file.directed);
  if (command.asks_memory) {
    const PlannedGraph graph = planned_rows(command, file, directed);
    if (!is_quiet()) fmt::print("{}", memory_needs("dromos convert", command.input.path, graph, {}).to_text());
    return exit_fine;
  }
  if (command.csr && host_accessible<Kokkos::DefaultExecutionSpace::memory_space>) {
    check_peak(command.input.path, planned_rows(command, file, directed), {});
  }
  const std::string num_vertices = counted(file.edges.num_vertices, "vertex", "vertices"),
                    num_edges = counted(file.edges.num_edges(), "edge", "edges");
  const Kokkos::Timer timer;
  {
    const Progress progress("writing " + command.output);
    WriteOptions write;
    write.compression = static_cast<int>(command.compression);
    write.listed_both_ways = file.listed_both_ways;
    if (command.csr) {
      write_rows(command.output, build_rows_of(std::move(file.edges), directed), file.names, write);
    } else {
      write_graph(command.output, format, file.edges, file.names, directed, write);
    }
  }
  if (!may_talk_beside(command.output)) return exit_fine;
  fmt::print("{}: {}, {} listed, read as {} in {}\n{}: written as {}, {}, in {}\n", printable(command.input.path),
             num_vertices, num_edges, format_name(file.format), times_text(read_seconds), printable(command.output),
             format_name(format) + (command.csr ? " by rows" : ""), directed ? "directed" : "undirected",
             duration(timer.seconds()));
  return exit_fine;
}

}  // namespace

CommandAction declare_convert(ArgumentParser& parser) {
  parser.footer(convert_footer);
  const auto command = std::make_shared<ConvertCommand>();
  command->input.declare(parser, "IN", "The file to read");
  parser.add_option("OUT", command->output, "The file to write").value_name("").writes_file();
  command->input.declare_columns(parser, about_columns);
  declare_output_format(parser, command->format);
  parser.add_flag("--weights", command->input.weights, "Keep the weights of the edges (default: dropped)");
  parser.add_flag(
      "--csr", command->csr,
      "HDF5: write the graph by rows as it is searched, without self loops and duplicates (default: the edges "
      "as they are listed)");
  add_integer(parser, "--compression", command->compression,
              "HDF5: 1, fast, to 9, small; read by one thread then (default: 0, none)", 0, 9)
      .value_name("LEVEL");
  parser.add_flag("--memory", command->asks_memory,
                  "Only say how much memory this would need at its peak; IN is read, nothing is written");
  add_repeat(parser, command->num_repeats,
             "How often IN is read, or with --separated the graph separated, after once that is not measured");
#ifdef DROMOS_ENABLE_MPI
  parser.add_flag(
      "--separated", command->separated,
      "HDF5: write the graph separated by degree for as many ranks as run this; IN is HDF5 with edges or rows");
  add_integer(parser, "--degree-threshold", command->degree_threshold,
              "With --separated: vertices of more neighbors are known to every rank (default: chosen by the graph)", 0);
#endif
  return [command] {
    GraphFormat format = GraphFormat::automatic;
    on_every_rank([&] { format = command->check(); });
#ifdef DROMOS_ENABLE_MPI
    if (command->separated) {
      return convert_separated(command->input, command->output, command->degree_threshold, command->num_repeats);
    }
    if (num_ranks() > 1) return convert_slices(command->input, command->output, command->csr, command->num_repeats);
#endif
    return with_id_type(command->input.id_bits,
                        [&](auto vertex) { return run_convert<decltype(vertex)>(*command, format); });
  };
}

}  // namespace dromos::driver
