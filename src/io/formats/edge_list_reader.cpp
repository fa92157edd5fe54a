// SPDX-License-Identifier: BSD-3-Clause
// Edge lists: SOURCE TARGET [WEIGHT], with any ids, as SNAP, KONECT, LAW and the LDBC publish them.
//
// The ids are read into the type of the vertices. Should one of them need 64 bits where vertices have 32, the file is
// read again into 64 bits: that costs twice the time for the few files that need it, and saves half the memory for all
// others.
#include <limits>
#include <type_traits>
#include <utility>

#include "io/formats/compact_ids.hpp"
#include "io/formats/format_readers.hpp"
#include "io/formats/list_comments.hpp"

namespace dromos::io {
namespace {

template <class Id>
EdgeColumns<Id> read_lines(std::string_view text, const ListComments& comments, const ReadOptions& options) {
  EdgeLineRules rules;
  rules.form = comments.konect ? "SOURCE TARGET [WEIGHT [TIME]]" : "SOURCE TARGET [WEIGHT]";
  rules.comments = "#%";
  rules.weight = EdgeLineRules::Weight::optional;
  rules.non_negative = options.non_negative_weights;
  rules.commas = true;
  rules.dictionaries = true;
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
  const ListComments comments = read_list_comments(text);
  GraphFile<Vertex> file;
  bool needs_64_bits = false;
  try {
    file = compact_ids<Vertex>(read_lines<Vertex>(text, comments, options));
  } catch (const LineFault& fault) {
    if (!fault.id_needs_64_bits) throw;
    needs_64_bits = true;
  }
  if (needs_64_bits) file = compact_ids<Vertex>(read_lines<std::int64_t>(text, comments, options));
  file.directed = comments.directed;
  return file;
}

template GraphFile<std::int32_t> read_edge_list(std::string_view, const ReadOptions&);
template GraphFile<std::int64_t> read_edge_list(std::string_view, const ReadOptions&);

}  // namespace dromos::io
