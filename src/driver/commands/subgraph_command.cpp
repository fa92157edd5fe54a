// SPDX-License-Identifier: BSD-3-Clause
// dromos subgraph: a part of a graph as a graph, in any format that is written. What names the part becomes one bit a
// vertex, and these vertices induce the subgraph.
#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/algorithms/induced_subgraph.hpp>
#include <dromos/algorithms/kcore.hpp>
#include <dromos/algorithms/scc.hpp>
#include <dromos/core/error.hpp>
#include <dromos/graph/row_sources.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/io/replaced_file.hpp>
#include <dromos/io/write_graph.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "driver/base/command.hpp"
#include "driver/base/number_format.hpp"
#include "driver/base/option_values.hpp"
#include "driver/base/output_file.hpp"
#include "driver/base/printable.hpp"
#include "driver/base/progress.hpp"
#include "driver/base/talking.hpp"
#include "driver/graphs/load_graph.hpp"
#include "driver/graphs/output_format.hpp"
#include "driver/graphs/vertex_list.hpp"
#include "driver/reports/run_times.hpp"
#include "driver/reports/vertex_lines.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* subgraph_footer = R"(Examples:
  dromos subgraph --component largest -o web.h5 web-NotreDame.txt.xz
      the largest connected component, directions forgotten
  dromos subgraph --strong-component 17 -o around17.txt wiki-Vote.txt
      the vertices that 17 reaches and that reach 17
  dromos subgraph --core 10 --undirected -o dense.mtx --map dense-names.txt soc-Epinions1.txt
      where every vertex has 10 neighbors or more; which vertex of the file is row 1, 2, ... of the matrix
  dromos subgraph --around 6 --depth 2 --weights -o near.txt p2p-31.e
      what 6 reaches over at most two edges, with the weights
  dromos subgraph --list chosen.txt -o chosen.graph --undirected ca-GrQc.txt
      the vertices of a list, one a line, and the edges between them

Both ends of an edge have to be in the part. Edge lists and HDF5 keep the numbers that the file gives to its vertices,
CSV, adjacency lists and Graph500's edges do so, too; the other formats number them from 1 (SMAT and gapbs: from 0) in the
same order, and --map says which is which. HDF5 has the part by rows, ready to be searched. Edge lists, CSV and Graph500's
edges have no place for vertices without edges. Undirected edges are written once. Weights with --generate are random.)";

struct SubgraphCommand {
  GraphOptions graph;
  std::string component, strong_component, list;
  std::optional<std::int64_t> core, around, depth;
  std::int64_t num_repeats = 1;
  std::string output, format, map;

  /// Throws ArgumentError for what cannot be done; the format to write.
  GraphFormat check() const {
    graph.check();
    check_repeat(num_repeats, graph.asks_memory);
    std::vector<std::string> parts;
    if (!component.empty()) parts.push_back("--component");
    if (!strong_component.empty()) parts.push_back("--strong-component");
    if (core) parts.push_back("--core");
    if (around) parts.push_back("--around");
    if (!list.empty()) parts.push_back("--list");
    if (parts.empty()) {
      throw ArgumentError("say which part: --component, --strong-component, --core, --around with --depth, or --list");
    }
    if (parts.size() > 1) {
      throw ArgumentError(
          fmt::format("both {} and {}: give one part; a second command takes a part of a part", parts[0], parts[1]));
    }
    if (around && !depth) throw ArgumentError("--around: how far? give --depth D, the number of edges");
    if (depth && !around) throw ArgumentError("--depth is for a part around a vertex; give --around ID");
    if (output.empty()) throw ArgumentError("name the file to write: -o FILE");
    if (!map.empty()) check_writable("--map", map);
    return choose_output_format(format, output);
  }
};

/// A set of vertices, and what people call it.
struct Part {
  Bitmap<Memory> vertices;
  std::string description;
};

/// The class of a labelling that is called "largest" or by one of its vertices. Every label is the smallest vertex of
/// its class; of several largest classes the first counts.
template <class Vertex>
Part part_of_labels(const LoadedGraph<Vertex>& loaded, const Kokkos::View<Vertex*, Memory>& labels,
                    const std::string& option, const std::string& which, const std::string& what) {
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), labels);
  Vertex label = 0;
  std::string description = "the largest " + what;
  if (which == "largest") {
    std::vector<std::int64_t> sizes(on_host.extent(0), 0);
    for (std::size_t v = 0; v < sizes.size(); ++v) ++sizes[static_cast<std::size_t>(on_host(v))];
    label = static_cast<Vertex>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
  } else {
    std::int64_t name = 0;
    try {
      name = parse_vertex(which);
    } catch (const InvalidValue&) {
      throw ArgumentError(fmt::format("{}: expected largest or the number of a vertex, found '{}'", option, which));
    }
    label = on_host(loaded.vertex(name, "vertex"));
    description = fmt::format("the {} of {}", what, name);
  }
  return {select_vertices<Space, Vertex>(Space(), labels, label, label), description};
}

template <class Vertex>
Part find_part(const SubgraphCommand& command, const LoadedGraph<Vertex>& loaded) {
  const Space space;
  const auto& graph = loaded.graph();
  if (graph.num_vertices() == 0) throw ArgumentError(loaded.summary().source + " has no vertices: there is no part");
  if (!command.component.empty()) {
    ComponentScratch<Vertex, Memory> scratch(graph);
    ComponentResult<Vertex, Memory> result;
    connected_components(space, graph, scratch, result);
    return part_of_labels(loaded, result.component, "--component", command.component, "component");
  }
  if (!command.strong_component.empty()) {
    SccScratch<Vertex, Memory> scratch(graph, graph.directed ? transpose(space, graph) : graph);
    SccResult<Vertex, Memory> result;
    scc(space, scratch, result);
    return part_of_labels(loaded, result.component, "--strong-component", command.strong_component,
                          "strongly connected component");
  }
  if (command.core) {
    loaded.require_undirected("cores are");
    constexpr std::int64_t most = std::numeric_limits<Vertex>::max();
    KcoreScratch<Vertex, Memory> scratch(graph);
    Kokkos::View<Vertex*, Memory> core;
    const KcoreStatistics statistics = kcore(space, graph, scratch, core);
    if (*command.core > statistics.largest_core) {
      throw ArgumentError(fmt::format("--core {}: the largest core number of {} is {}", *command.core,
                                      loaded.summary().source, statistics.largest_core));
    }
    return {select_vertices<Space, Vertex>(space, core, static_cast<Vertex>(*command.core), static_cast<Vertex>(most)),
            fmt::format("the {}-core", *command.core)};
  }
  if (command.around) {
    BfsScratch<Vertex, Memory> scratch(graph);
    BfsResult<Vertex, Memory> result;
    BfsOptions options;
    options.parents = false;
    bfs(space, graph, loaded.vertex(*command.around, "vertex"), scratch, result, options);
    const auto depth = static_cast<Level>(std::min<std::int64_t>(*command.depth, std::numeric_limits<Level>::max()));
    return {select_vertices<Space, Level>(space, result.level, 0, depth),
            fmt::format("what {} reaches over {}", *command.around, counted(*command.depth, "edge", "edges"))};
  }
  const Bitmap<Memory> listed(graph.num_vertices(), "dromos::driver::listed");
  const auto words = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), listed.words());
  for (const ListedVertex& vertex : read_vertex_list(command.list)) {
    const auto found = loaded.names_in_file_order().find(vertex.name);
    if (!found || *found >= graph.num_vertices()) {
      throw InputError(command.list, vertex.line,
                       fmt::format("expected a vertex of {}, found {}; correct it or delete the line",
                                   loaded.summary().source, vertex.name));
    }
    words(Bitmap<Memory>::word_of(*found)) |= Bitmap<Memory>::mask(*found);
  }
  Kokkos::deep_copy(listed.words(), words);
  return {listed, "the vertices of " + command.list};
}

/// The edges of a graph, undirected ones once.
template <class Vertex>
EdgeList<Vertex, Kokkos::HostSpace> edges_to_write(const CsrGraph<Vertex, Memory>& graph) {
  auto arcs = copy_to<Kokkos::HostSpace>(edge_list_of(Space(), graph));
  if (graph.directed) return arcs;
  const auto is_first = [&](Offset e) { return arcs.source(e) <= arcs.target(e); };
  Offset count = 0;
  for (Offset e = 0; e < arcs.num_edges(); ++e) count += is_first(e);
  EdgeList<Vertex, Kokkos::HostSpace> edges(arcs.num_vertices, count);
  if (arcs.weighted())
    edges.weight = decltype(edges.weight)("dromos::driver::weights", static_cast<std::size_t>(count));
  Offset to = 0;
  for (Offset e = 0; e < arcs.num_edges(); ++e) {
    if (!is_first(e)) continue;
    edges.source(to) = arcs.source(e);
    edges.target(to) = arcs.target(e);
    if (arcs.weighted()) edges.weight(to) = arcs.weight(e);
    ++to;
  }
  return edges;
}

/// Vertices without an edge.
template <class Vertex>
std::int64_t count_isolated(const EdgeList<Vertex, Kokkos::HostSpace>& edges) {
  std::vector<bool> has_edge(static_cast<std::size_t>(edges.num_vertices), false);
  for (Offset e = 0; e < edges.num_edges(); ++e) {
    has_edge[static_cast<std::size_t>(edges.source(e))] = has_edge[static_cast<std::size_t>(edges.target(e))] = true;
  }
  return std::count(has_edge.begin(), has_edge.end(), false);
}

/// Formats of edges by the names of their ends, without vertices of their own.
bool lists_edges(GraphFormat format) {
  return format == GraphFormat::edge_list || format == GraphFormat::csv || format == GraphFormat::graph500 ||
         format == GraphFormat::graph500_64;
}

/// A line "number in the subgraph's file, number in the graph's" for every vertex.
void write_map(const std::string& path, const VertexNames& names, std::int64_t num_vertices, GraphFormat format) {
  const bool keeps_names = format == GraphFormat::hdf5 || format == GraphFormat::adjacency_list || lists_edges(format);
  const std::int64_t first = format == GraphFormat::smat || format == GraphFormat::gapbs ? 0 : 1;
  ReplacedFile file(path);
  fmt::memory_buffer lines;
  for (std::int64_t v = 0; v < num_vertices; ++v) {
    append_line(lines, keeps_names ? names.name(v) : v + first, names.name(v));
    if (lines.size() < std::size_t(1) << 20) continue;
    file.write(lines.data(), lines.size());
    lines.clear();
  }
  file.write(lines.data(), lines.size());
  file.commit();
}

template <class Vertex>
int run_subgraph(const SubgraphCommand& command, GraphFormat format, const LoadedGraph<Vertex>& loaded) {
  const bool talks = may_talk_beside(command.output) && may_talk_beside(command.map);
  if (talks) fmt::print("{}", loaded.summary().to_text());
  std::vector<double> find_seconds;
  const auto [part, induced] = run_measured(command.num_repeats, find_seconds, [&] {
    Part found = find_part(command, loaded);
    auto subgraph = induced_subgraph(Space(), loaded.graph(), found.vertices);
    return std::pair(std::move(found), std::move(subgraph));
  });
  const Kokkos::Timer timer;
  const auto edges = edges_to_write(induced.graph);
  const auto old_id = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), induced.old_id);
  std::vector<std::int64_t> names;
  for (std::size_t v = 0; v < old_id.extent(0); ++v) names.push_back(loaded.name(old_id(v)));
  const VertexNames vertex_names = VertexNames::table(std::move(names));
  {
    const Progress progress("writing " + command.output);
    if (format == GraphFormat::hdf5) {  // as rows, which need no building and keep vertices without edges
      write_rows(command.output, copy_to<Kokkos::HostSpace>(induced.graph), vertex_names);
    } else {
      write_graph(command.output, format, edges, vertex_names, induced.graph.directed);
    }
    if (!command.map.empty()) write_map(command.map, vertex_names, edges.num_vertices, format);
  }
  if (!talks) return exit_fine;
  const bool directed = induced.graph.directed;
  fmt::print("{}: {}, {}, found in {}\n{}: written as {} in {}\n", printable(part.description),
             counted(edges.num_vertices, "vertex", "vertices"),
             counted(edges.num_edges(), directed ? "directed edge" : "undirected edge",
                     directed ? "directed edges" : "undirected edges"),
             times_text(find_seconds), printable(command.output), format_name(format), duration(timer.seconds()));
  const std::int64_t num_isolated = lists_edges(format) ? count_isolated(edges) : 0;
  if (num_isolated > 0) {
    fmt::print("{} without an edge: a list of edges has no place for {}; HDF5 (.h5) has\n",
               counted(num_isolated, "vertex", "vertices"), num_isolated == 1 ? "it" : "them");
  }
  return exit_fine;
}

}  // namespace

CommandAction declare_subgraph(ArgumentParser& parser) {
  parser.footer(subgraph_footer);
  const auto command = std::make_shared<SubgraphCommand>();
  const std::string group = "Which part";
  parser
      .add_option("--component", command->component,
                  "The connected component, directions forgotten, of this vertex, or the largest one")
      .value_name("ID|largest")
      .suggest({"largest"})
      .group(group);
  parser
      .add_option("--strong-component", command->strong_component,
                  "The strongly connected component of this vertex, or the largest one")
      .value_name("ID|largest")
      .suggest({"largest"})
      .group(group);
  add_integer(parser, "--core", command->core,
              "The vertices of this core number or more: each has that many neighbors among them", 0)
      .value_name("K")
      .group(group);
  add_vertex(parser, "--around", command->around, "What this vertex reaches over at most --depth edges").group(group);
  add_integer(parser, "--depth", command->depth, "How far --around goes: 1 is the vertex and its neighbors", 0)
      .value_name("D")
      .group(group);
  parser.add_option("--list", command->list, "The vertices of a list: the first number of every line of a file")
      .value_name("FILE")
      .reads_file()
      .group(group);
  const std::string results = "Results";
  parser.add_option("-o,--output", command->output, "The file to write")
      .value_name("FILE")
      .writes_file()
      .group(results);
  declare_output_format(parser, command->format);
  parser
      .add_option("--map", command->map,
                  "Write \"number in the file written, number in the file read\" of every vertex of the part")
      .value_name("FILE")
      .writes_file()
      .group(results);
  add_repeat(parser, command->num_repeats, "How often the part is found, after once that is not measured")
      .group(results);
  parser.add_flag("--weights", command->graph.wants_weights, "Keep the weights of the edges (default: dropped)")
      .group(results);
  command->graph.allows_negative_weights = true;
  command->graph.declare_in_file_order(parser);
  return [command] {
    const GraphFormat format = command->check();
    return with_graph(command->graph, [&](const auto& loaded) { return run_subgraph(*command, format, loaded); });
  };
}

}  // namespace dromos::driver
