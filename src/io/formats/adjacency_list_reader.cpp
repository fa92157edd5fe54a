// SPDX-License-Identifier: BSD-3-Clause
// Adjacency lists: a line for each vertex, its number and those of its neighbors, as NetworkX and others write them.
//
//   # a comment
//   10 20 30         edges (10, 20) and (10, 30)
//   50               a vertex without edges, or whose edges are in other lines
//
// Ids may have gaps, as those of edge lists. A vertex that is alone on its line is carried along as an edge to itself
// behind all others until the ids are vertices.
#include <limits>
#include <utility>
#include <vector>

#include "io/formats/compact_ids.hpp"
#include "io/formats/format_readers.hpp"
#include "io/formats/list_comments.hpp"

namespace dromos::io {
namespace {

std::int64_t parse_neighbor(std::string_view word) {
  const char* const end = word.data() + word.size();
  std::uint64_t id = 0;
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (parse_digits(word.data(), end, end, id) == end && id <= largest) return static_cast<std::int64_t>(id);
  throw LineFault{word.data(),
                  "expected a vertex id (a whole number from 0 to 2^63 - 1), found " + quoted(word) +
                      "; put # before a line that lists no neighbors",
                  false};
}

/// Calls f(p, line end) for each line that is neither empty nor a comment.
template <class F>
void for_each_list(std::string_view text, const F& f) {
  const char* const end = text.data() + text.size();
  for (const char* p = text.data(); p < end;) {
    const char* const next = skip_line(p, end);
    const char* line_end = next;
    while (line_end > p && (line_end[-1] == '\n' || line_end[-1] == '\r')) --line_end;
    p = skip_blanks(p, line_end);
    if (p < line_end && *p != '#' && *p != '%') f(p, line_end);
    p = next;
  }
}

/// Calls f(word) for each word of a line.
template <class F>
void for_each_word(const char* p, const char* end, const F& f) {
  while (p < end) {
    const char* const begin = p;
    while (p < end && !is_blank(*p) && *p != ',') ++p;
    f(std::string_view(begin, static_cast<std::size_t>(p - begin)));
    p = skip_separator(p, end, true);
  }
}

}  // namespace

template <class Vertex>
GraphFile<Vertex> read_adjacency_list(std::string_view text, const ReadOptions& options) {
  if (options.weights) {
    throw LineFault{nullptr, "expected weights, and an adjacency list has none; read without weights", false};
  }
  const ListComments comments = read_list_comments(text);
  const TextChunks chunks(text, options.chunk_bytes);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(chunks.size()));
  std::vector<std::vector<std::int64_t>> alone(counts.size());
  parallel_for_each("dromos::read_graph::count_neighbors", chunks.size(), [&](const std::int64_t i) {
    const auto piece = static_cast<std::size_t>(i);
    for_each_list(chunks[i], [&](const char* p, const char* end) {
      std::int64_t num_words = 0;
      std::string_view first;
      for_each_word(p, end, [&](std::string_view word) {
        if (num_words++ == 0) first = word;
      });
      counts[piece] += num_words - 1;
      if (num_words == 1) alone[piece].push_back(parse_neighbor(first));
    });
  });
  const std::vector<std::int64_t> offsets = offsets_of(counts);
  std::int64_t num_alone = 0;
  for (const auto& vertices : alone) num_alone += static_cast<std::int64_t>(vertices.size());
  const std::int64_t num_edges = offsets.back();

  EdgeColumns<std::int64_t> edges(num_edges + num_alone, false);
  parallel_for_each("dromos::read_graph::neighbors", chunks.size(), [&](const std::int64_t i) {
    std::int64_t at = offsets[static_cast<std::size_t>(i)];
    for_each_list(chunks[i], [&](const char* p, const char* end) {
      std::int64_t vertex = -1;
      for_each_word(p, end, [&](std::string_view word) {
        const std::int64_t id = parse_neighbor(word);
        if (vertex >= 0) {
          edges.source(at) = vertex;
          edges.target(at++) = id;
        } else {
          vertex = id;
        }
      });
    });
  });
  std::int64_t at = num_edges;
  for (const auto& vertices : alone) {
    for (const std::int64_t vertex : vertices) {
      edges.source(at) = edges.target(at) = vertex;
      ++at;
    }
  }
  GraphFile<Vertex> file = compact_ids<Vertex>(std::move(edges));
  const auto those = std::make_pair(std::int64_t(0), num_edges);
  file.edges.source = Kokkos::subview(file.edges.source, those);
  file.edges.target = Kokkos::subview(file.edges.target, those);
  file.directed = comments.directed;
  return file;
}

template GraphFile<std::int32_t> read_adjacency_list(std::string_view, const ReadOptions&);
template GraphFile<std::int64_t> read_adjacency_list(std::string_view, const ReadOptions&);

}  // namespace dromos::io
