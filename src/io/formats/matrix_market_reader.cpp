// SPDX-License-Identifier: BSD-3-Clause
// Matrix Market coordinate files (R. Boisvert, R. Pozo, K. Remington: The Matrix Market exchange formats, NISTIR 5935,
// 1996). An entry (i, j) is an edge from i to j, whatever its value; a symmetric file lists one half, and each entry is
// an undirected edge.
#include <algorithm>
#include <cctype>

#include "io/formats/format_readers.hpp"
#include "io/formats/matrix_market_header.hpp"

namespace dromos::io {
namespace {

struct Banner {
  bool symmetric = false;
  bool values = false;
};

/// Words 0 to 4 of "%%MatrixMarket matrix coordinate FIELD SYMMETRY".
Banner read_banner(std::string_view line) {
  std::string lower(line);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::vector<std::string_view> words = split_words(lower);
  const std::string expected = "expected '%%MatrixMarket matrix coordinate pattern|integer|real general|symmetric'";
  const auto refuse = [&](const std::string& found) { throw LineFault{line.data(), expected + found, false}; };
  if (words.size() != 5 || words[0] != "%%matrixmarket") refuse(", found " + quoted(line));
  if (words[1] != "matrix") refuse(", found the object " + quoted(words[1]) + ": only matrices are graphs");
  if (words[2] == "array") refuse(", found a dense matrix ('array'); write it in coordinate form, one line an entry");
  if (words[2] != "coordinate") refuse(", found the form " + quoted(words[2]));
  if (words[3] == "complex") refuse(", found complex values; write the pattern or real weights instead");
  if (words[3] != "pattern" && words[3] != "integer" && words[3] != "real" && words[3] != "double") {
    refuse(", found the field " + quoted(words[3]));
  }
  if (words[4] == "skew-symmetric" || words[4] == "hermitian") {
    refuse(", found a " + std::string(words[4]) + " matrix, whose halves differ; write it as general");
  }
  if (words[4] != "general" && words[4] != "symmetric") refuse(", found the symmetry " + quoted(words[4]));
  return {words[4] == "symmetric", words[3] != "pattern"};
}

/// Throws LineFault for the first entry outside the matrix, which the line reader takes for a square one.
template <class Vertex>
void check_entries(const GraphFile<Vertex>& file, const MatrixMarketHeader& header) {
  for (Offset e = 0; e < file.edges.num_edges(); ++e) {
    if (file.edges.source(e) < header.rows && file.edges.target(e) < header.columns) continue;
    throw LineFault{header.sizes,
                    "expected entries of " + std::to_string(header.rows) + " rows and " +
                        std::to_string(header.columns) + " columns, as declared here, found the entry '" +
                        std::to_string(std::int64_t(file.edges.source(e)) + 1) + " " +
                        std::to_string(std::int64_t(file.edges.target(e)) + 1) + "'; correct it or the header",
                    false};
  }
}

}  // namespace

MatrixMarketHeader read_matrix_market_header(std::string_view text) {
  const Banner banner = read_banner(line_at(text, text.data()));
  const char* const end = text.data() + text.size();
  const char* p = skip_line(text.data(), end);
  while (p < end && (*p == '%' || skip_line_end(skip_blanks(p, end), end) != nullptr)) p = skip_line(p, end);
  if (p == end) {
    throw LineFault{end - 1, "expected the line 'ROWS COLUMNS ENTRIES', found the end of the file; fetch it again",
                    false};
  }
  const std::string_view sizes = line_at(text, p);
  const std::vector<std::string_view> words = split_words(sizes);
  if (words.size() != 3) throw LineFault{p, "expected the line 'ROWS COLUMNS ENTRIES', found " + quoted(sizes), false};
  MatrixMarketHeader header{banner.symmetric, banner.values, 0, 0, 0, p};
  header.rows = parse_count(words[0], "number of rows");
  header.columns = parse_count(words[1], "number of columns");
  header.entries = parse_count(words[2], "number of entries");
  return header;
}

template <class Vertex>
GraphFile<Vertex> read_matrix_market(std::string_view text, const ReadOptions& options) {
  const MatrixMarketHeader header = read_matrix_market_header(text);
  if (header.rows != header.columns && (header.symmetric || !options.rectangular)) {
    throw LineFault{header.sizes,
                    "expected a square matrix, found " + std::to_string(header.rows) + " rows and " +
                        std::to_string(header.columns) + " columns; a " +
                        (header.symmetric ? "symmetric matrix" : "graph") + " needs as many of one as of the other",
                    false};
  }
  const std::int64_t size = std::max(header.rows, header.columns);
  check_declared_vertices<Vertex>(size, header.sizes);

  EdgeLineRules rules;
  rules.form = header.values ? "ROW COLUMN VALUE" : "ROW COLUMN";
  rules.comments = "%";
  rules.weight = header.values ? EdgeLineRules::Weight::required : EdgeLineRules::Weight::none;
  rules.first_id = 1;
  GraphFile<Vertex> file = read_declared_edges<Vertex>(text, header.sizes, size, header.entries, rules, options);
  file.directed = !header.symmetric;
  file.num_rows = header.rows;
  file.num_columns = header.columns;
  if (header.rows != header.columns) check_entries(file, header);
  return file;
}

template GraphFile<std::int32_t> read_matrix_market(std::string_view, const ReadOptions&);
template GraphFile<std::int64_t> read_matrix_market(std::string_view, const ReadOptions&);

}  // namespace dromos::io
