// SPDX-License-Identifier: BSD-3-Clause
// Edge lists: SOURCE TARGET [WEIGHT], with any ids, as SNAP, KONECT, LAW and the LDBC publish them.
//
// The ids are read into the type of the vertices. Should one of them need 64 bits where vertices have 32, the file is
// read again into 64 bits: that costs twice the time for the few files that need it, and saves half the memory for all
// others.
#include <algorithm>
#include <cctype>
#include <limits>
#include <type_traits>
#include <utility>

#include "io/formats/compact_ids.hpp"
#include "io/formats/format_readers.hpp"

namespace dromos::io {
namespace {

/// What the comments above the first edge say.
struct Comments {
  std::optional<bool> directed;
  /// SNAP's "# Nodes: 5242 Edges: 28980".
  std::optional<std::int64_t> num_edges;
  std::string_view num_edges_line;
  /// KONECT's "% sym ...", "% asym ..." or "% bip ...": its lines may have a time in column 4.
  bool konect = false;
};

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

bool has_word(const std::string& line, const std::string& word) {
  for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
    const auto is_letter = [&](std::size_t i) {
      return i < line.size() && std::isalpha(static_cast<unsigned char>(line[i]));
    };
    if ((at == 0 || !is_letter(at - 1)) && !is_letter(at + word.size())) return true;
  }
  return false;
}

void read_comment(std::string_view line, bool first, Comments& comments) {
  const std::string lower = lower_case(line);
  const std::vector<std::string_view> words = split_words(lower);
  if (first && words.size() >= 2 && words[0] == "%") {
    comments.konect = words[1] == "sym" || words[1] == "asym" || words[1] == "bip";
    if (words[1] == "bip") {
      throw LineFault{
          line.data(),
          "expected a graph whose sources and targets are the same set, found a bipartite one ('bip'), which "
          "numbers its two sides separately; give the two sides different ids",
          false};
    }
    if (comments.konect) comments.directed = words[1] == "asym";
  }
  const bool directed = has_word(lower, "directed"), undirected = has_word(lower, "undirected");
  if (!comments.directed && directed != undirected) comments.directed = directed;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    std::int64_t count = 0;
    const char* const end = words[i + 1].data() + words[i + 1].size();
    if (words[i] == "edges:" && std::from_chars(words[i + 1].data(), end, count).ptr == end) {
      comments.num_edges = count;
      comments.num_edges_line = line;
    }
  }
}

Comments read_comments(std::string_view text) {
  Comments comments;
  const char* const end = text.data() + text.size();
  bool first = true;
  for (const char* p = text.data(); p < end; p = skip_line(p, end)) {
    p = skip_blanks(p, end);
    if (skip_line_end(p, end) != nullptr) continue;
    if (*p != '#' && *p != '%') break;
    const std::string_view line = line_at(text, p);
    read_comment(line.substr(static_cast<std::size_t>(p - line.data())), first, comments);
    first = false;
  }
  return comments;
}

template <class Id>
EdgeColumns<Id> read_lines(std::string_view text, const Comments& comments, const ReadOptions& options) {
  EdgeLineRules rules;
  rules.form = comments.konect ? "SOURCE TARGET [WEIGHT [TIME]]" : "SOURCE TARGET [WEIGHT]";
  rules.comments = "#%";
  rules.weight = EdgeLineRules::Weight::optional;
  rules.non_negative = options.non_negative_weights;
  rules.commas = true;
  rules.fourth_column = comments.konect;
  rules.num_ids = static_cast<std::uint64_t>(std::numeric_limits<Id>::max()) + 1;
  rules.any_id = true;
  const EdgeColumns<Id> edges = read_edge_lines<Id>(TextChunks(text, options.chunk_bytes), rules, options.weights);
  // A comment binds nobody to its word, and lists that were made larger keep theirs; but fewer edges were lost.
  if (comments.num_edges && edges.size() < *comments.num_edges) {
    throw LineFault{text.data() + text.size() - (text.back() == '\n'),
                    "the comment " + quoted(comments.num_edges_line) + " announces " +
                        counted(*comments.num_edges, "edge", "edges") + ", and the file has " +
                        std::to_string(edges.size()) +
                        ": it ends too early; fetch the file again, or correct or delete the comment",
                    false};
  }
  return edges;
}

}  // namespace

template <class Vertex>
GraphFile<Vertex> read_edge_list(std::string_view text, const ReadOptions& options) {
  const Comments comments = read_comments(text);
  CompactEdges<Vertex> compact;
  bool needs_64_bits = false;
  try {
    compact = compact_ids<Vertex>(read_lines<Vertex>(text, comments, options));
  } catch (const LineFault& fault) {
    if (!fault.id_needs_64_bits) throw;
    needs_64_bits = true;
  }
  if (needs_64_bits) compact = compact_ids<Vertex>(read_lines<std::int64_t>(text, comments, options));
  GraphFile<Vertex> file;
  file.edges = std::move(compact.edges);
  file.names = std::move(compact.names);
  file.directed = comments.directed;
  return file;
}

template GraphFile<std::int32_t> read_edge_list(std::string_view, const ReadOptions&);
template GraphFile<std::int64_t> read_edge_list(std::string_view, const ReadOptions&);

}  // namespace dromos::io
