// SPDX-License-Identifier: BSD-3-Clause
// Tables, as spreadsheets and data frames write them: a line for each edge, columns between separators, perhaps a first
// line of names, quotes, and columns that are of no interest.
//
//   "";from;to;cost          columns from, to, cost are 2, 3, 4; separator ;
//   1;"7";12;0.5             the edge (7, 12) of weight 0.5
//
// A field in quotes may hold separators and, doubled, quotes, but no line end: lines are read side by side. Numbers are
// read in parallel; words, which have to be met in order, by one thread.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "io/formats/compact_ids.hpp"
#include "io/formats/format_readers.hpp"
#include "io/formats/table_columns.hpp"

namespace dromos::io {
namespace {

/// The fields of one line, one after the other.
class FieldReader {
 public:
  FieldReader(std::string_view line, char separator) : rest_(line), separator_(separator) {
    if (separator_ == ' ') skip_white_space();
  }

  /// The next field, without the quotes around it and the blanks outside of them; false at the end of the line.
  bool next(std::string_view& field) {
    if (done_ || (separator_ == ' ' && rest_.empty())) return false;
    if (separator_ != ' ') skip_white_space();
    if (!rest_.empty() && rest_.front() == '"') {
      field = take_quoted();
    } else {
      const std::size_t end = separator_ == ' ' ? rest_.find_first_of(" \t") : rest_.find(separator_);
      field = rest_.substr(0, end);
      rest_.remove_prefix(field.size());
      while (!field.empty() && is_blank(field.back())) field.remove_suffix(1);
    }
    if (separator_ == ' ') {
      skip_white_space();
    } else if (rest_.empty()) {
      done_ = true;
    } else {
      rest_.remove_prefix(1);
    }
    return true;
  }

  /// What follows the quote at the end of a field, or a quote that nobody closed.
  bool has_stray_quote() const { return stray_quote_; }

 private:
  /// Past blanks that separate nothing, or anything.
  void skip_white_space() {
    while (!rest_.empty() && is_blank(rest_.front()) && rest_.front() != (separator_ == ' ' ? '\0' : separator_)) {
      rest_.remove_prefix(1);
    }
  }

  std::string_view take_quoted() {
    std::size_t at = 1;
    for (;;) {
      at = rest_.find('"', at);
      if (at == std::string_view::npos || at + 1 == rest_.size() || rest_[at + 1] != '"') break;
      at += 2;  // a quote that is doubled is one of the field
    }
    if (at == std::string_view::npos) {
      stray_quote_ = true;
      const std::string_view field = rest_.substr(1);
      rest_ = {};
      return field;
    }
    const std::string_view field = rest_.substr(1, at - 1);
    rest_.remove_prefix(at + 1);
    const auto at_separator = [&] {
      return rest_.empty() || rest_.front() == separator_ || (separator_ == ' ' && is_blank(rest_.front()));
    };
    if (!at_separator()) skip_white_space();
    if (!at_separator()) {
      stray_quote_ = true;
      rest_ = {};
    }
    return field;
  }

  std::string_view rest_;
  char separator_;
  bool done_ = false;
  bool stray_quote_ = false;
};

std::vector<std::string_view> fields_of(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  FieldReader reader(line, separator);
  for (std::string_view field; reader.next(field);) fields.push_back(field);
  return fields;
}

/// The separator that this line has: the first kind of these that occurs, outside of quotes.
char separator_of(std::string_view line) {
  for (const char candidate : {'\t', ';', ',', '|'}) {
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') quoted = !quoted;
      if (c == candidate && !quoted) return candidate;
    }
  }
  return ' ';
}

struct TableLayout : EndColumns {
  char separator = ',';
  bool has_header = false;

  std::size_t num_needed() const {
    return 1 + std::max({source, target, weight == no_column ? std::size_t(0) : weight});
  }
};

std::size_t column_called(const std::string& name, const std::vector<std::string_view>& header, const char* where) {
  const std::size_t found = find_column(header, name);
  if (found != no_column) return found;
  throw LineFault{where,
                  "expected a column " + io::quoted(name) + " in the first line of the table, found " +
                      list_of(header) + "; columns may also be counted from 1",
                  false};
}

TableLayout layout_of(std::string_view first_line, const ReadOptions& options) {
  TableLayout layout;
  layout.separator = options.separator != 0 ? options.separator : separator_of(first_line);
  const std::vector<std::string_view> fields = fields_of(first_line, layout.separator);
  const char* const where = first_line.data();
  const auto& columns = options.columns;
  if (!columns.empty()) {
    const bool counted_all = are_counted(columns);
    std::array<std::size_t, 3> at = {0, 1, no_column};
    for (std::size_t i = 0; i < columns.size(); ++i) {
      at[i] = counted_all ? std::stoul(columns[i]) - 1 : column_called(columns[i], fields, where);
    }
    layout.source = at[0];
    layout.target = at[1];
    layout.weight = at[2];
    layout.has_header = !counted_all;
    if (counted_all && !options.words && fields.size() > std::max(at[0], at[1])) {
      const auto names_a_column = [](std::string_view field) {
        return !field.empty() && (std::isalpha(static_cast<unsigned char>(field[0])) || field[0] == '_');
      };
      layout.has_header = names_a_column(fields[at[0]]) && names_a_column(fields[at[1]]);
    }
  } else {
    layout.has_header = find_usual_columns(fields, layout);
    if (!layout.has_header && fields.size() > 2) layout.weight = 2;
  }
  if (options.weights && layout.weight == no_column) {
    throw LineFault{
        where,
        "expected a column of weights, found " + counted(static_cast<long long>(fields.size()), "column", "columns") +
            " and none of that name; name it as the third (--columns SOURCE,TARGET,WEIGHT), or read without "
            "weights",
        false};
  }
  if (!options.weights) layout.weight = no_column;
  return layout;
}

/// The fields of a line that matter.
struct TableEdge {
  std::string_view source, target, weight;
};

/// Throws LineFault where there are too few.
TableEdge split_edge(std::string_view line, const TableLayout& layout) {
  FieldReader reader(line, layout.separator);
  TableEdge edge;
  std::size_t i = 0;
  const std::size_t needed = layout.num_needed();
  for (std::string_view field; i < needed && reader.next(field); ++i) {
    if (i == layout.source) edge.source = field;
    if (i == layout.target) edge.target = field;
    if (i == layout.weight) edge.weight = field;
  }
  if (reader.has_stray_quote()) {
    throw LineFault{line.data(),
                    "expected a field that begins and ends with quotes, found " + quoted(line) +
                        "; quotes inside of a field are doubled, and a field ends on its line",
                    false};
  }
  if (i < needed) {
    const std::string separator = layout.separator == ' ' ? "blanks" : quoted(std::string_view(&layout.separator, 1));
    throw LineFault{line.data(),
                    "expected at least " + counted(static_cast<long long>(needed), "column", "columns") + " between " +
                        separator + ", found " + std::to_string(i) + ": " + quoted(line) +
                        "; --separator names another one",
                    false};
  }
  return edge;
}

std::int64_t parse_id(std::string_view field, const char* role) {
  const char* const end = field.data() + field.size();
  std::uint64_t id = 0;
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!field.empty() && parse_digits(field.data(), end, end, id) == end && id <= largest) {
    return static_cast<std::int64_t>(id);
  }
  throw LineFault{field.data(),
                  "expected a vertex id (a whole number from 0 to 2^63 - 1) as the " + std::string(role) + ", found " +
                      quoted(field) + "; where vertices are words, give --names FILE",
                  false};
}

float parse_weight(std::string_view field, bool non_negative) {
  double value = 0;
  const char* const end = field.data() + field.size();
  if (field.empty() || parse_number(field.data(), end, value) != end ||
      !(std::abs(value) <= std::numeric_limits<float>::max())) {
    throw LineFault{field.data(), "expected a finite number of at most 3.4e38 as the weight, found " + quoted(field),
                    false};
  }
  if (non_negative && value < 0) {
    throw LineFault{field.data(),
                    "expected a number of 0 or more as the weight, found " + quoted(field) +
                        ": there are no shortest paths over edges of negative weight; correct it, or read without "
                        "weights",
                    false};
  }
  if (non_negative && rounds_whole_number(value)) {
    throw LineFault{field.data(), rounded_weight("weight", quoted(field)), false};
  }
  return static_cast<float>(value);
}

/// Calls f(line) for each line that is neither empty nor a comment, without its line end.
template <class F>
void for_each_line(std::string_view text, const F& f) {
  const char* const end = text.data() + text.size();
  for (const char* p = text.data(); p < end;) {
    const char* const next = skip_line(p, end);
    std::string_view line(p, static_cast<std::size_t>(next - p));
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
    p = next;
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || line[first] == '#') continue;
    f(line);
  }
}

EdgeColumns<std::int64_t> read_numbers(std::string_view text, const TableLayout& layout, const ReadOptions& options) {
  const TextChunks chunks(text, options.chunk_bytes);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(chunks.size()));
  parallel_for_each("dromos::read_graph::count_lines", chunks.size(), [&](const std::int64_t i) {
    counts[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(count_lines(chunks[i]));
  });
  const std::vector<std::int64_t> offsets = offsets_of(counts);
  EdgeColumns<std::int64_t> edges(offsets.back(), options.weights);
  parallel_for_each("dromos::read_graph::table", chunks.size(), [&](const std::int64_t i) {
    std::int64_t at = offsets[static_cast<std::size_t>(i)];
    for_each_line(chunks[i], [&](std::string_view line) {
      const TableEdge edge = split_edge(line, layout);
      edges.source(at) = parse_id(edge.source, "source");
      edges.target(at) = parse_id(edge.target, "target");
      if (options.weights) edges.weight(at) = parse_weight(edge.weight, options.non_negative_weights);
      ++at;
    });
    counts[static_cast<std::size_t>(i)] = at - offsets[static_cast<std::size_t>(i)];
  });
  edges.close_gaps(offsets, counts);
  return edges;
}

/// The word that a field stands for.
std::string word_of(std::string_view field) {
  std::string word(field);
  for (std::size_t at = word.find("\"\""); at != std::string::npos; at = word.find("\"\"", at + 1)) word.erase(at, 1);
  return word;
}

template <class Vertex>
GraphFile<Vertex> read_words(std::string_view text, const TableLayout& layout, const ReadOptions& options) {
  EdgeColumns<Vertex> edges(static_cast<std::int64_t>(count_lines(text)), options.weights);
  WordTable<Vertex> table;
  std::int64_t at = 0;
  for_each_line(text, [&](std::string_view line) {
    const TableEdge edge = split_edge(line, layout);
    edges.source(at) = table.number(word_of(edge.source), edge.source.data());
    edges.target(at) = table.number(word_of(edge.target), edge.target.data());
    if (options.weights) edges.weight(at) = parse_weight(edge.weight, options.non_negative_weights);
    ++at;
  });
  edges.close_gaps({0, edges.size()}, {at});
  return file_of_words(edges, table);
}

}  // namespace

bool looks_like_table_header(std::string_view line) {
  EndColumns columns;
  return find_usual_columns(fields_of(line, separator_of(line)), columns);
}

template <class Vertex>
GraphFile<Vertex> read_table(std::string_view text, const ReadOptions& options) {
  std::string_view first_line;
  bool found = false;
  const char* const end = text.data() + text.size();
  for (const char* p = text.data(); p < end && !found; p = skip_line(p, end)) {
    first_line = line_at(text, p);
    const std::size_t first = first_line.find_first_not_of(" \t");
    found = first != std::string_view::npos && first_line[first] != '#';
  }
  if (!found) throw LineFault{nullptr, "expected a table, found no line that is not a comment", false};
  const TableLayout layout = layout_of(first_line, options);
  const char* const body = layout.has_header ? skip_line(first_line.data(), end) : first_line.data();
  const std::string_view lines(body, static_cast<std::size_t>(end - body));
  if (options.words) return read_words<Vertex>(lines, layout, options);
  return compact_ids<Vertex>(read_numbers(lines, layout, options));
}

template GraphFile<std::int32_t> read_table(std::string_view, const ReadOptions&);
template GraphFile<std::int64_t> read_table(std::string_view, const ReadOptions&);

}  // namespace dromos::io
