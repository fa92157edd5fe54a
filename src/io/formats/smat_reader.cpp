// SPDX-License-Identifier: BSD-3-Clause
// SMAT, the sparse matrix format of D. Gleich's codes: "N N M", then M lines SOURCE TARGET WEIGHT, ids from 0.
#include "io/formats/format_readers.hpp"

namespace dromos::io {

template <class Vertex>
GraphFile<Vertex> read_smat(std::string_view text, const ReadOptions& options) {
  const char* const end = text.data() + text.size();
  const char* p = text.data();
  while (p < end && skip_line_end(skip_blanks(p, end), end) != nullptr) p = skip_line(p, end);
  const std::string_view header = line_at(text, p);
  const std::vector<std::string_view> words = split_words(header);
  if (words.size() != 3) {
    throw LineFault{p, "expected the line 'ROWS COLUMNS ENTRIES' of an SMAT file, found " + quoted(header), false};
  }
  const std::int64_t rows = parse_count(words[0], "number of rows");
  const std::int64_t columns = parse_count(words[1], "number of columns");
  const std::int64_t entries = parse_count(words[2], "number of entries");
  if (rows != columns) {
    throw LineFault{p,
                    "expected a square SMAT matrix, found " + std::to_string(rows) + " rows and " +
                        std::to_string(columns) + " columns; if this is an edge list, name that format",
                    false};
  }
  check_declared_vertices<Vertex>(rows, p);

  EdgeLineRules rules;
  rules.form = "SOURCE TARGET WEIGHT";
  rules.weight = EdgeLineRules::Weight::required;
  GraphFile<Vertex> file = read_declared_edges<Vertex>(text, p, rows, entries, rules, options);
  file.directed = true;
  return file;
}

template GraphFile<std::int32_t> read_smat(std::string_view, const ReadOptions&);
template GraphFile<std::int64_t> read_smat(std::string_view, const ReadOptions&);

}  // namespace dromos::io
