// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/io/write_graph.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "io/formats/undirected_edges.hpp"
#include "io/formats/write_binary.hpp"
#include "io/hdf5/hdf5_reader.hpp"
#include "io/text/text_output.hpp"

namespace dromos {
namespace {

/// Words and lines, collected into large pieces.
class LineWriter {
 public:
  explicit LineWriter(io::TextOutput& output) : output_(output) {}

  void text(std::string_view text) { buffer_.append(text); }
  void character(char c) { buffer_.push_back(c); }
  void number(std::int64_t value) {
    const fmt::format_int digits(value);
    buffer_.append(digits.data(), digits.data() + digits.size());
  }
  /// The shortest text that reads back as the same float.
  void number(float value) { fmt::format_to(fmt::appender(buffer_), "{}", value); }
  void end_line() {
    buffer_.push_back('\n');
    if (buffer_.size() >= piece) flush();
  }
  void flush() {
    output_.write({buffer_.data(), buffer_.size()});
    buffer_.clear();
  }

 private:
  static constexpr std::size_t piece = std::size_t(1) << 16;
  io::TextOutput& output_;
  fmt::memory_buffer buffer_;
};

/// How the formats with a line for each edge differ from each other.
struct LineStyle {
  std::string_view start = "";
  char separator = ' ';
  std::int64_t first_id = 0;
  /// Write 1 where there is no weight.
  bool needs_weight = false;
  bool whole_weights = false;
};

/// Writes the line of an edge whose ids are those of the file.
class EdgeWriter {
 public:
  EdgeWriter(LineWriter& out, const LineStyle& style, bool weighted) : out_(out), style_(style), weighted_(weighted) {}

  void write(std::int64_t source, std::int64_t target, float weight) {
    out_.text(style_.start);
    out_.number(source);
    out_.character(style_.separator);
    out_.number(target);
    if (weighted_ || style_.needs_weight) {
      out_.character(style_.separator);
      if (style_.whole_weights) {
        out_.number(static_cast<std::int64_t>(weight));
      } else {
        out_.number(weight);
      }
    }
    out_.end_line();
  }

 private:
  LineWriter& out_;
  LineStyle style_;
  bool weighted_;
};

template <class Vertex>
using HostEdges = EdgeList<Vertex, Kokkos::HostSpace>;

template <class Vertex>
float weight_of(const HostEdges<Vertex>& edges, Offset e) {
  return edges.weighted() ? edges.weight(e) : 1.0f;
}

template <class Vertex>
void write_edge_list(LineWriter& out, const HostEdges<Vertex>& edges, const VertexNames& names, bool directed) {
  out.text(directed ? "# Directed graph\n" : "# Undirected graph\n");
  out.text(fmt::format("# Nodes: {} Edges: {}\n", edges.num_vertices, edges.num_edges()));
  EdgeWriter writer(out, {"", '\t', 0, false, false}, edges.weighted());
  for (Offset e = 0; e < edges.num_edges(); ++e) {
    writer.write(names.name(edges.source(e)), names.name(edges.target(e)), weight_of(edges, e));
  }
}

template <class Vertex>
void write_table(LineWriter& out, const HostEdges<Vertex>& edges, const VertexNames& names) {
  out.text(edges.weighted() ? "source,target,weight\n" : "source,target\n");
  EdgeWriter writer(out, {"", ',', 0, false, false}, edges.weighted());
  for (Offset e = 0; e < edges.num_edges(); ++e) {
    writer.write(names.name(edges.source(e)), names.name(edges.target(e)), weight_of(edges, e));
  }
}

/// A line for each vertex, with its edges in the order of the list.
template <class Vertex>
void write_adjacency_list(LineWriter& out, const HostEdges<Vertex>& edges, const VertexNames& names, bool directed) {
  const auto n = static_cast<std::size_t>(edges.num_vertices);
  std::vector<Offset> rows(n + 1, 0);
  for (Offset e = 0; e < edges.num_edges(); ++e) ++rows[static_cast<std::size_t>(edges.source(e)) + 1];
  for (std::size_t v = 0; v < n; ++v) rows[v + 1] += rows[v];
  std::vector<Vertex> targets(static_cast<std::size_t>(edges.num_edges()));
  std::vector<Offset> at(rows.begin(), rows.end() - 1);
  for (Offset e = 0; e < edges.num_edges(); ++e) {
    targets[static_cast<std::size_t>(at[static_cast<std::size_t>(edges.source(e))]++)] = edges.target(e);
  }
  out.text(directed ? "# Directed graph\n" : "# Undirected graph\n");
  for (std::size_t v = 0; v < n; ++v) {
    out.number(names.name(static_cast<std::int64_t>(v)));
    for (Offset e = rows[v]; e < rows[v + 1]; ++e) {
      out.character(' ');
      out.number(names.name(targets[static_cast<std::size_t>(e)]));
    }
    out.end_line();
  }
}

/// An element for each vertex and each edge, with which readers of XML can do without anything else.
template <class Vertex>
void write_graphml(LineWriter& out, const HostEdges<Vertex>& edges, const VertexNames& names, bool directed) {
  out.text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
  if (edges.weighted()) {
    out.text("<key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n");
  }
  out.text(directed ? "<graph edgedefault=\"directed\">\n" : "<graph edgedefault=\"undirected\">\n");
  for (std::int64_t v = 0; v < edges.num_vertices; ++v) {
    out.text("<node id=\"");
    out.number(names.name(v));
    out.text("\"/>");
    out.end_line();
  }
  const auto write_edge = [&](std::int64_t source, std::int64_t target, float weight) {
    out.text("<edge source=\"");
    out.number(names.name(source));
    out.text("\" target=\"");
    out.number(names.name(target));
    if (edges.weighted()) {
      out.text("\"><data key=\"weight\">");
      out.number(weight);
      out.text("</data></edge>");
    } else {
      out.text("\"/>");
    }
    out.end_line();
  };
  if (directed) {
    for (Offset e = 0; e < edges.num_edges(); ++e) write_edge(edges.source(e), edges.target(e), weight_of(edges, e));
  } else {
    // Listed in both directions they would be two edges, and others would read a multigraph.
    for (const auto& [high, low, weight] : io::undirected_edges(edges)) write_edge(low, high, weight);
  }
  out.text("</graph>\n</graphml>");
  out.end_line();
}

template <class Vertex>
void write_matrix_market(LineWriter& out, const HostEdges<Vertex>& edges, bool directed) {
  out.text(fmt::format("%%MatrixMarket matrix coordinate {} {}\n", edges.weighted() ? "real" : "pattern",
                       directed ? "general" : "symmetric"));
  EdgeWriter writer(out, {"", ' ', 1, false, false}, edges.weighted());
  const auto write_sizes = [&](std::int64_t entries) {
    out.text(fmt::format("{} {} {}\n", edges.num_vertices, edges.num_vertices, entries));
  };
  if (directed) {
    write_sizes(edges.num_edges());
    for (Offset e = 0; e < edges.num_edges(); ++e) {
      writer.write(std::int64_t(edges.source(e)) + 1, std::int64_t(edges.target(e)) + 1, weight_of(edges, e));
    }
    return;
  }
  const auto halves = io::undirected_edges(edges);
  write_sizes(static_cast<std::int64_t>(halves.size()));
  for (const auto& [high, low, weight] : halves) {
    writer.write(std::int64_t(high) + 1, std::int64_t(low) + 1, weight);
  }
}

/// DIMACS and SMAT: the header has the numbers of vertices and arcs where it says {0} and {1}.
template <class Vertex>
void write_arcs(LineWriter& out, const HostEdges<Vertex>& edges, bool directed,
                fmt::format_string<const std::int64_t&, std::int64_t> header, const LineStyle& style) {
  EdgeWriter writer(out, style, edges.weighted());
  const std::int64_t first = style.first_id, n = edges.num_vertices;
  if (directed) {
    out.text(fmt::format(header, n, std::int64_t(edges.num_edges())));
    for (Offset e = 0; e < edges.num_edges(); ++e) {
      writer.write(edges.source(e) + first, edges.target(e) + first, weight_of(edges, e));
    }
    return;
  }
  const auto halves = io::undirected_edges(edges);
  std::int64_t num_arcs = 0;
  for (const auto& edge : halves) num_arcs += edge.high == edge.low ? 1 : 2;
  out.text(fmt::format(header, n, std::int64_t(num_arcs)));
  for (const auto& [high, low, weight] : halves) {
    writer.write(high + first, low + first, weight);
    if (high != low) writer.write(low + first, high + first, weight);
  }
}

template <class Vertex>
void write_metis(LineWriter& out, const HostEdges<Vertex>& edges) {
  const auto halves = io::undirected_edges(edges);
  const std::size_t n = static_cast<std::size_t>(edges.num_vertices);
  // The lower neighbors of a vertex are a run of `halves`; its higher ones are collected here, ascending like `halves`.
  std::vector<std::size_t> lower(n + 1), higher(n + 1);
  for (const auto& edge : halves) {
    ++lower[static_cast<std::size_t>(edge.high) + 1];
    if (edge.low != edge.high) ++higher[static_cast<std::size_t>(edge.low) + 1];
  }
  for (std::size_t v = 0; v < n; ++v) {
    lower[v + 1] += lower[v];
    higher[v + 1] += higher[v];
  }
  std::vector<std::size_t> edge_of_higher(higher[n]), end = higher;
  for (std::size_t i = 0; i < halves.size(); ++i) {
    if (halves[i].low != halves[i].high) edge_of_higher[end[static_cast<std::size_t>(halves[i].low)]++] = i;
  }

  out.text(fmt::format("{} {}{}\n", n, halves.size(), edges.weighted() ? " 001" : ""));
  for (std::size_t v = 0; v < n; ++v) {
    bool first = true;
    const auto write_neighbor = [&](std::int64_t neighbor, float weight) {
      if (!first) out.character(' ');
      first = false;
      out.number(neighbor + 1);
      if (edges.weighted()) {
        out.character(' ');
        out.number(static_cast<std::int64_t>(weight));
      }
    };
    for (std::size_t i = lower[v]; i < lower[v + 1]; ++i) write_neighbor(halves[i].low, halves[i].weight);
    for (std::size_t i = higher[v]; i < higher[v + 1]; ++i) {
      write_neighbor(halves[edge_of_higher[i]].high, halves[edge_of_higher[i]].weight);
    }
    out.end_line();
  }
}

/// Throws ArgumentError unless the weights are whole numbers of at least `least`, as the format wants them.
template <class Vertex>
void check_whole_weights(const std::string& path, GraphFormat format, const HostEdges<Vertex>& edges, float least,
                         float most = 9e18f) {
  for (Offset e = 0; e < static_cast<Offset>(edges.weight.extent(0)); ++e) {
    const float weight = edges.weight(e);
    if (weight >= least && weight <= most && std::floor(weight) == weight) continue;
    throw ArgumentError(
        fmt::format("{}: {} files have whole weights of at least {}, and edge {} has {}; leave the weights "
                    "out, or choose edge-list or matrix-market",
                    path, format_name(format), least, e, weight));
  }
}

template <class Vertex>
void check_arguments(const std::string& path, GraphFormat format, const HostEdges<Vertex>& edges,
                     const VertexNames& names, bool directed) {
  if (!is_written(format)) {
    throw ArgumentError(path + ": name the format to write, one of " + written_format_names());
  }
  if (names.size() < edges.num_vertices) {
    throw ArgumentError(
        fmt::format("{}: expected names for {} vertices, found {}", path, edges.num_vertices, names.size()));
  }
  if (format == GraphFormat::metis) {
    if (directed) {
      throw ArgumentError(
          path +
          ": METIS files hold undirected graphs, and this one is directed; make it undirected (--undirected), or "
          "choose another format");
    }
    check_whole_weights(path, format, edges, 1);
  }
  if (format == GraphFormat::dimacs) check_whole_weights(path, format, edges, 0);
  if (format == GraphFormat::gapbs) {
    const bool for_weights = path.size() >= 4 && path.compare(path.size() - 4, 4, ".wsg") == 0;
    const bool without = path.size() >= 3 && path.compare(path.size() - 3, 3, ".sg") == 0;
    if ((edges.weighted() && without) || (!edges.weighted() && for_weights)) {
      throw ArgumentError(
          fmt::format("{}: the GAP Benchmark Suite reads weights of names that end in .wsg, and none of "
                      ".sg, and the graph has {}; give a name that ends in {}",
                      path, edges.weighted() ? "weights" : "none", edges.weighted() ? ".wsg" : ".sg"));
    }
    check_whole_weights(path, format, edges, -2147483648.0f, 2147483520.0f);
    if (static_cast<std::int64_t>(edges.num_vertices) > max_num_vertices<std::int32_t>) {
      throw ArgumentError(fmt::format("{}: gapbs files number at most {} vertices, and the graph has {}; choose hdf5",
                                      path, max_num_vertices<std::int32_t>, std::int64_t(edges.num_vertices)));
    }
  }
  const bool is_graph500 = format == GraphFormat::graph500 || format == GraphFormat::graph500_64;
  if (is_graph500 && directed) {
    throw ArgumentError(path +
                        ": Graph500's edges have no direction, and this graph is directed; make it undirected "
                        "(--undirected), or choose another format");
  }
  if ((is_graph500 || format == GraphFormat::adjacency_list) && edges.weighted()) {
    throw ArgumentError(fmt::format("{}: {} files have no weights; leave --weights out, or choose another format", path,
                                    format_name(format)));
  }
}

}  // namespace

template <class Vertex>
void write_graph(const std::string& path, GraphFormat format, const EdgeList<Vertex, Kokkos::HostSpace>& edges,
                 const VertexNames& names, bool directed, const WriteOptions& options) {
  const ScopedRegion region("dromos::write_graph");
  check_arguments(path, format, edges, names, directed);
  if (format == GraphFormat::hdf5) return io::write_hdf5(path, edges, names, directed, options);
  if (options.compression != 0) {
    throw ArgumentError(path +
                        ": a level of compression is for HDF5; a text is compressed where its name ends in .gz or "
                        ".xz");
  }
  io::TextOutput file(path);
  LineWriter out(file);
  switch (format) {
    case GraphFormat::matrix_market:
      write_matrix_market(out, edges, directed);
      break;
    case GraphFormat::metis:
      write_metis(out, edges);
      break;
    case GraphFormat::dimacs:
      write_arcs(out, edges, directed, "p sp {} {}\n", {"a ", ' ', 1, true, true});
      break;
    case GraphFormat::csv:
      write_table(out, edges, names);
      break;
    case GraphFormat::adjacency_list:
      write_adjacency_list(out, edges, names, directed);
      break;
    case GraphFormat::graphml:
      write_graphml(out, edges, names, directed);
      break;
    case GraphFormat::gapbs:
      io::write_gapbs(file, edges, directed);
      break;
    case GraphFormat::graph500:
    case GraphFormat::graph500_64:
      io::write_graph500(file, edges, names, format == GraphFormat::graph500);
      break;
    case GraphFormat::smat:
      write_arcs(out, edges, directed, "{0} {0} {1}\n", {"", ' ', 0, true, false});
      break;
    default:
      write_edge_list(out, edges, names, directed);
  }
  out.flush();
  file.commit();
}

template void write_graph(const std::string&, GraphFormat, const EdgeList<std::int32_t, Kokkos::HostSpace>&,
                          const VertexNames&, bool, const WriteOptions&);
template void write_graph(const std::string&, GraphFormat, const EdgeList<std::int64_t, Kokkos::HostSpace>&,
                          const VertexNames&, bool, const WriteOptions&);

}  // namespace dromos
