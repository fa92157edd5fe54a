// SPDX-License-Identifier: BSD-3-Clause
// The formats with a line for each edge (edge lists, Matrix Market, DIMACS, SMAT), read in parallel by one loop that
// knows them by a few rules.
//
// The lines of each piece are counted first; that many edges have room in the arrays, and each piece writes where its
// lines begin. Comments and empty lines among the edges leave gaps, which are closed at the end; most files have none.
// The loop does not explain what it cannot read: it stops at the line, and explain_edge_line() takes a second, slow
// look.
#pragma once

#include <cstdint>
#include <string_view>

#include "io/formats/edge_columns.hpp"
#include "io/text/line_fault.hpp"
#include "io/text/text_chunks.hpp"

namespace dromos::io {

/// What a line of an edge looks like.
struct EdgeLineRules {
  enum class Weight { none, optional, required };

  /// For messages: "SOURCE TARGET [WEIGHT]".
  const char* form = "";
  /// The letter that begins the line of an edge, or 0.
  char tag = 0;
  /// Lines that begin with one of these are comments.
  std::string_view comments;
  Weight weight = Weight::none;
  /// Weights that are kept must not be below 0, nor whole numbers that would be rounded.
  bool non_negative = false;
  /// Columns may be separated by commas.
  bool commas = false;
  /// A fourth column may follow the weight; it must be a number and is not used.
  bool fourth_column = false;
  /// In place of a weight a dictionary may stand, as NetworkX writes attributes: {}, {'color': 'red'}. It is not read.
  bool dictionaries = false;
  /// Ids in the file are first_id .. first_id + num_ids - 1; they are stored less first_id.
  std::uint64_t first_id = 0;
  std::uint64_t num_ids = 0;
  /// Whether num_ids comes from the type that holds the ids, not from a header.
  bool any_id = false;

  bool is_comment(char c) const { return comments.find(c) != std::string_view::npos; }
};

/// Reads all lines of the text. Id: std::int32_t or std::int64_t. Memory: as many edges as the text has lines.
/// Throws LineFault for the first line that is neither an edge nor a comment nor empty.
template <class Id>
EdgeColumns<Id> read_edge_lines(const TextChunks& chunks, const EdgeLineRules& rules, bool weights);

extern template EdgeColumns<std::int32_t> read_edge_lines(const TextChunks&, const EdgeLineRules&, bool);
extern template EdgeColumns<std::int64_t> read_edge_lines(const TextChunks&, const EdgeLineRules&, bool);

/// What is wrong with this line, which is part of the text.
LineFault explain_edge_line(std::string_view text, const char* where, const EdgeLineRules& rules, bool weights);

/// Throws LineFault unless the number of edges found is the one that the header, the line at `header`, declares.
void check_num_edges(std::string_view text, const char* header, const EdgeLineRules& rules, std::int64_t found,
                     std::int64_t declared);

}  // namespace dromos::io
