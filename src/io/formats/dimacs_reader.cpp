// SPDX-License-Identifier: BSD-3-Clause
// The graph format of the 9th DIMACS implementation challenge (shortest paths): comments "c ...", one line "p sp N M",
// and M arcs "a U V WEIGHT" between vertices 1 .. N. Undirected graphs list both arcs.
#include "io/formats/format_readers.hpp"

namespace dromos::io {

template <class Vertex>
GraphFile<Vertex> read_dimacs(std::string_view text, const ReadOptions& options) {
  const char* const end = text.data() + text.size();
  const char* p = text.data();
  while (p < end && (*p == 'c' || skip_line_end(skip_blanks(p, end), end) != nullptr)) p = skip_line(p, end);
  if (p == end)
    throw LineFault{end - 1, "expected a line 'p sp N M', found the end of the file; fetch it again", false};
  const std::string_view problem = line_at(text, p);
  const std::vector<std::string_view> words = split_words(problem);
  if (words.size() != 4 || words[0] != "p" || words[1] != "sp") {
    throw LineFault{p, "expected a line 'p sp N M' before the arcs, found " + quoted(problem), false};
  }
  const std::int64_t num_vertices = parse_count(words[2], "number of vertices");
  const std::int64_t num_edges = parse_count(words[3], "number of arcs");
  check_declared_vertices<Vertex>(num_vertices, p);

  EdgeLineRules rules;
  rules.form = "a U V WEIGHT";
  rules.tag = 'a';
  rules.comments = "c";
  rules.weight = EdgeLineRules::Weight::required;
  rules.first_id = 1;
  GraphFile<Vertex> file = read_declared_edges<Vertex>(text, p, num_vertices, num_edges, rules, options);
  file.directed = true;
  return file;
}

template GraphFile<std::int32_t> read_dimacs(std::string_view, const ReadOptions&);
template GraphFile<std::int64_t> read_dimacs(std::string_view, const ReadOptions&);

}  // namespace dromos::io
