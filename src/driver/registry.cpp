// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `dromos`: one declaration and one line each.
#include "driver/base/command.hpp"

namespace dromos::driver {

CommandAction declare_batch(ArgumentParser& parser);
CommandAction declare_bc(ArgumentParser& parser);
CommandAction declare_bfs(ArgumentParser& parser);
CommandAction declare_btf(ArgumentParser& parser);
CommandAction declare_cc(ArgumentParser& parser);
CommandAction declare_color(ArgumentParser& parser);
CommandAction declare_coloring(ArgumentParser& parser);
CommandAction declare_compare(ArgumentParser& parser);
CommandAction declare_completion(ArgumentParser& parser);
CommandAction declare_condense(ArgumentParser& parser);
CommandAction declare_convert(ArgumentParser& parser);
CommandAction declare_diameter(ArgumentParser& parser);
CommandAction declare_generate(ArgumentParser& parser);
CommandAction declare_graph500(ArgumentParser& parser);
CommandAction declare_info(ArgumentParser& parser);
CommandAction declare_kcore(ArgumentParser& parser);
CommandAction declare_man(ArgumentParser& parser);
CommandAction declare_matching(ArgumentParser& parser);
CommandAction declare_mis2(ArgumentParser& parser);
CommandAction declare_pagerank(ArgumentParser& parser);
CommandAction declare_path(ArgumentParser& parser);
CommandAction declare_rcm(ArgumentParser& parser);
CommandAction declare_scc(ArgumentParser& parser);
CommandAction declare_sssp(ArgumentParser& parser);
CommandAction declare_subgraph(ArgumentParser& parser);

const std::vector<Command>& all_commands() {
  static const std::vector<Command> commands = {
      {"bfs", "Breadth-first search: levels and parents from one root or many", declare_bfs, true},
      {"cc", "Connected components, the direction of edges forgotten", declare_cc, true},
      {"scc", "Strongly connected components, by Multistep or one of its parts", declare_scc, true},
      {"condense", "The graph of strong components, its levels, and cuts of cycles", declare_condense},
      {"color", "Color propagation: the largest vertex that reaches each vertex", declare_color, true},
      {"sssp", "Shortest paths over weighted edges, by delta-stepping", declare_sssp, true},
      {"path", "A shortest path from one vertex to another", declare_path},
      {"kcore", "Core numbers: how densely each vertex is embedded", declare_kcore, true},
      {"pagerank", "PageRank: how often a random walk is at each vertex", declare_pagerank, true},
      {"rcm", "Reverse Cuthill-McKee order: neighbors stand close together", declare_rcm},
      {"matching", "Maximum matching of rows and columns: a diagonal without zeros", declare_matching},
      {"btf", "Block triangular form of a matrix, square or not, singular or not", declare_btf},
      {"coloring", "Colors of vertices: few, and neighbors differ", declare_coloring},
      {"mis2", "Maximal independent set at distance 2: roots of aggregates", declare_mis2},
      {"bc", "Betweenness centrality: how many shortest paths lead over each vertex", declare_bc, true},
      {"diameter", "Bounds of the largest distance in a component", declare_diameter, true},
      {"info", "What a graph looks like: sizes, degrees, weak components", declare_info, true},
      {"graph500", "The Graph500 benchmark, on any number of ranks", declare_graph500, true},
      {"generate", "Write a Kronecker, Erdos-Renyi or structured graph to a file", declare_generate, true},
      {"subgraph", "Write a part of a graph: a component, a core, a neighborhood, a list", declare_subgraph},
      {"convert", "Read a graph in one format and write it in another", declare_convert, true},
      {"compare", "Results of several machines (--json) as a table, or as a plot", declare_compare, false, false},
      {"batch", "Command lines of a file, one after the other, in one process", declare_batch, true},
      {"completion", "The completion of this command line for a shell", declare_completion, false, false},
      {"man", "The manual page of this program", declare_man, false, false},
  };
  return commands;
}

}  // namespace dromos::driver
