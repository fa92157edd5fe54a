// SPDX-License-Identifier: BSD-3-Clause
// METIS graphs (G. Karypis, METIS manual, "Graph file"): "N M [FORMAT [WEIGHTS]]", then for each of the N vertices a
// line
//
//   [SIZE] [WEIGHT ...] NEIGHBOR [EDGE_WEIGHT] NEIGHBOR [EDGE_WEIGHT] ...
//
// FORMAT is three digits: vertices have a size, vertices have weights (WEIGHTS of them, one if not said), edges have
// weights. Vertices count from 1; an empty line is a vertex without neighbors; lines that begin with % are comments.
// The M undirected edges are listed from both ends. Self loops, which METIS itself does not allow, are read, listed
// once or twice.
//
// Which vertex a line belongs to depends on all lines before it, so the lines and words of each piece are counted
// first.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "io/formats/format_readers.hpp"

namespace dromos::io {
namespace {

struct Header {
  const char* where = nullptr;
  std::int64_t num_vertices = 0;
  std::int64_t num_edges = 0;
  bool vertex_sizes = false;
  std::int64_t num_vertex_weights = 0;
  bool edge_weights = false;
};

Header read_header(std::string_view text) {
  const char* const end = text.data() + text.size();
  Header header;
  header.where = text.data();
  while (header.where < end && *header.where == '%') header.where = skip_line(header.where, end);
  const std::string_view line = header.where < end ? line_at(text, header.where) : std::string_view();
  const std::vector<std::string_view> words = split_words(line);
  if (words.size() < 2 || words.size() > 4) {
    throw LineFault{std::min(header.where, end - 1),
                    "expected the METIS header 'N M [FORMAT [WEIGHTS]]', found " + quoted(line), false};
  }
  header.num_vertices = parse_count(words[0], "number of vertices");
  header.num_edges = parse_count(words[1], "number of edges");
  if (words.size() > 2) {
    const std::string_view format = words[2];
    if (format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos) {
      throw LineFault{header.where, "expected a METIS format of three digits 0 or 1, found " + quoted(format), false};
    }
    const std::string digits = std::string(3 - format.size(), '0') + std::string(format);
    header.vertex_sizes = digits[0] == '1';
    header.num_vertex_weights = digits[1] == '1';
    header.edge_weights = digits[2] == '1';
  }
  if (words.size() > 3 && header.num_vertex_weights > 0) {
    header.num_vertex_weights = parse_count(words[3], "number of vertex weights");
  }
  return header;
}

/// Lines and words of a piece, comments apart.
struct Counts {
  std::int64_t lines = 0;
  std::int64_t words = 0;
};

Counts count(std::string_view chunk) {
  Counts counts{static_cast<std::int64_t>(count_lines(chunk)), static_cast<std::int64_t>(count_words(chunk))};
  const char* const end = chunk.data() + chunk.size();
  for (std::size_t at = chunk.find('%'); at != std::string_view::npos; at = chunk.find('%', at + 1)) {
    if (at > 0 && chunk[at - 1] != '\n') continue;
    const char* const line = chunk.data() + at;
    --counts.lines;
    counts.words -=
        static_cast<std::int64_t>(count_words({line, static_cast<std::size_t>(skip_line(line, end) - line)}));
  }
  return counts;
}

/// The edges of one piece, written from the front of the room it was given.
template <class Vertex>
struct Output {
  Vertex* source;
  Vertex* target;
  float* weight;      // null: not wanted
  bool non_negative;  // and a fault otherwise
  std::int64_t count = 0;
  std::int64_t self_loops = 0;
};

/// Reads one piece; the text is needed to know how far memory goes.
template <class Vertex>
class MetisChunkReader {
 public:
  MetisChunkReader(std::string_view text, const Header& header) : text_(text), header_(header) {}

  /// `first_vertex` is that of the first line. Throws LineFault.
  void read(std::string_view chunk, std::int64_t first_vertex, Output<Vertex>& out) const {
    const char* const end = chunk.data() + chunk.size();
    std::int64_t vertex = first_vertex;
    for (const char* p = chunk.data(); p < end;) {
      if (*p == '%') {
        p = skip_line(p, end);
        continue;
      }
      if (vertex >= header_.num_vertices) {
        const char* const next = skip_line_end(skip_blanks(p, end), end);
        if (next == nullptr) throw surplus_line(p);
        p = next;
        continue;
      }
      p = read_vertex(p, end, static_cast<Vertex>(vertex), out);
      ++vertex;
    }
  }

 private:
  const char* read_vertex(const char* p, const char* end, Vertex vertex, Output<Vertex>& out) const {
    // The size comes first. Headers may announce as many weights as they like: the line ends before.
    for (std::int64_t i = header_.vertex_sizes ? -1 : 0; i < header_.num_vertex_weights; ++i) {
      p = read_weight(p, end, "vertex weight or size").after;
    }
    while (true) {
      p = skip_blanks(p, end);
      const char* const next = skip_line_end(p, end);
      if (next != nullptr) return next;
      std::uint64_t neighbor;
      const char* const after = parse_digits(p, end, text_.data() + text_.size(), neighbor);
      if (after == p || (after<end&& * after> ' ') ||
          neighbor - 1 >= static_cast<std::uint64_t>(header_.num_vertices)) {
        throw bad_neighbor(p, end);
      }
      p = after;
      double weight = 0;
      if (header_.edge_weights) {
        const Weight read = read_weight(p, end, "edge weight");
        p = read.after;
        weight = read.value;
        if (out.weight != nullptr && out.non_negative && weight < 0) throw negative_weight(read.after, end);
        if (out.weight != nullptr && out.non_negative && rounds_whole_number(weight)) {
          const char* const begin = begin_of_word(read.after);
          throw LineFault{begin, rounded_weight("edge weight", found(begin, end)), false};
        }
      }
      const Vertex target = static_cast<Vertex>(neighbor - 1);
      out.source[out.count] = vertex;
      out.target[out.count] = target;
      if (out.weight != nullptr) out.weight[out.count] = static_cast<float>(weight);
      ++out.count;
      out.self_loops += target == vertex;
    }
  }

  struct Weight {
    const char* after;
    double value;
  };

  Weight read_weight(const char* p, const char* end, const char* what) const {
    p = skip_blanks(p, end);
    double value;
    const char* const after = parse_number(p, end, value);
    if (after == nullptr || (after<end&& * after> ' ') || !(std::abs(value) <= std::numeric_limits<float>::max())) {
      throw LineFault{std::min(p, text_.data() + text_.size() - 1),
                      std::string("expected a number as the ") + what + ", found " + found(p, end) + "; the header " +
                          quoted(line_at(text_, header_.where)) + " asks for one",
                      false};
    }
    return {after, value};
  }

  /// \param after  where the weight ends
  LineFault negative_weight(const char* after, const char* end) const {
    const char* const p = begin_of_word(after);
    return {p,
            "expected a number of 0 or more as the edge weight, found " + found(p, end) +
                ": there are no shortest paths over edges of negative weight; correct it, or read without weights",
            false};
  }

  const char* begin_of_word(const char* p) const {
    while (p > text_.data() && p[-1] > ' ') --p;
    return p;
  }

  static std::string found(const char* p, const char* end) {
    const std::vector<std::string_view> words = split_words(line_at({p, static_cast<std::size_t>(end - p)}, p));
    return words.empty() ? "the end of the line" : quoted(words[0]);
  }

  LineFault bad_neighbor(const char* p, const char* end) const {
    const char* advice = "; correct the id or the header";
    if (*p == '0' && (p + 1 == end || p[1] <= ' ')) advice = ": METIS counts vertices from 1; add 1 to all ids";
    if (*p == '-') advice = ": ids cannot be negative";
    return {
        p,
        "expected a neighbor from 1 to " + std::to_string(header_.num_vertices) + ", found " + found(p, end) + advice,
        false};
  }

  LineFault surplus_line(const char* p) const {
    return {p,
            "the header " + quoted(line_at(text_, header_.where)) + " declares " +
                counted(header_.num_vertices, "vertex line", "vertex lines") +
                ", and this is one more: " + quoted(line_at(text_, p)) + "; correct the header or the lines",
            false};
  }

  std::string_view text_;
  const Header& header_;
};

void check_num_lines(std::string_view text, const Header& header, std::int64_t num_lines) {
  if (num_lines >= header.num_vertices) return;
  throw LineFault{
      text.data() + text.size() - (text.back() == '\n'),
      "the header " + quoted(line_at(text, header.where)) + " declares " +
          counted(header.num_vertices, "vertex line", "vertex lines") + ", and the file has " +
          std::to_string(num_lines) +
          ": it ends too early; fetch or write the file again (a vertex without neighbors is an empty line)",
      false};
}

void check_num_edges(std::string_view text, const Header& header, std::int64_t num_listed, std::int64_t self_loops) {
  if (header.num_edges <= num_listed) {  // so twice as many is a number, too
    const std::int64_t twice = 2 * header.num_edges;
    if (num_listed == twice || num_listed + self_loops == twice) return;
  }
  throw LineFault{header.where,
                  "the header " + quoted(line_at(text, header.where)) + " declares " +
                      counted(header.num_edges, "edge", "edges") +
                      ", each to be listed from both ends, and the lines list " +
                      counted(num_listed, "neighbor", "neighbors") + "; correct the header, or fetch the file again",
                  false};
}

}  // namespace

template <class Vertex>
GraphFile<Vertex> read_metis(std::string_view text, const ReadOptions& options) {
  const Header header = read_header(text);
  check_declared_vertices<Vertex>(header.num_vertices, header.where);
  const char* const end = text.data() + text.size();
  const char* const first = skip_line(header.where, end);
  const TextChunks chunks({first, static_cast<std::size_t>(end - first)}, options.chunk_bytes);

  const std::size_t num_chunks = static_cast<std::size_t>(chunks.size());
  std::vector<std::int64_t> lines(num_chunks), edges(num_chunks);
  parallel_for_each("dromos::read_graph::count_lines", chunks.size(), [&](const std::int64_t i) {
    const Counts counts = count(chunks[i]);
    lines[static_cast<std::size_t>(i)] = counts.lines;
    edges[static_cast<std::size_t>(i)] = counts.words;  // at most; weights leave gaps
  });
  const std::vector<std::int64_t> first_vertex = offsets_of(lines);
  const std::vector<std::int64_t> offsets = offsets_of(edges);

  EdgeColumns<Vertex> list(offsets.back(), options.weights && header.edge_weights);
  std::atomic<std::int64_t> self_loops(0);
  parallel_for_each("dromos::read_graph::metis", chunks.size(), [&](const std::int64_t i) {
    const std::size_t chunk = static_cast<std::size_t>(i);
    Output<Vertex> out{list.source.data() + offsets[chunk], list.target.data() + offsets[chunk],
                       list.weight_at(offsets[chunk]), options.non_negative_weights};
    MetisChunkReader<Vertex>(text, header).read(chunks[i], first_vertex[chunk], out);
    edges[chunk] = out.count;
    self_loops += out.self_loops;
  });
  check_num_lines(text, header, first_vertex.back());
  list.close_gaps(offsets, edges);
  check_num_edges(text, header, list.size(), self_loops);

  GraphFile<Vertex> file;
  file.edges = list.to_edge_list(static_cast<Vertex>(header.num_vertices));
  file.names = VertexNames::consecutive(header.num_vertices, 1);
  file.directed = false;
  file.listed_both_ways = true;
  return file;
}

template GraphFile<std::int32_t> read_metis(std::string_view, const ReadOptions&);
template GraphFile<std::int64_t> read_metis(std::string_view, const ReadOptions&);

}  // namespace dromos::io
