// SPDX-License-Identifier: BSD-3-Clause
// Tells the formats apart by content. HDF5 and Parquet begin with a signature, and the size of a file of the GAP
// Benchmark Suite follows from its header. Of the texts two announce themselves: Matrix Market by its banner, DIMACS by
// its lines "p sp N M" and "a U V WEIGHT". The other three are lines of numbers:
//
//   METIS       N M [FORMAT [WEIGHTS]], then N lines, one a vertex, that list M edges from both ends
//   SMAT        N N M, then M lines SOURCE TARGET WEIGHT with ids below N
//   table       a first line of words with usual names of columns
//   edge list   anything else
//
// and only an edge list has comments that begin with #. What decides must hold for truncated and faulty files too,
// because the reader that knows the format gives the better message. So METIS needs no exact counts where most lines
// cannot be edges, and SMAT none where the first line is N N M with an N above every id of the lines that follow.
#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

#include "io/formats/format_readers.hpp"
#include "io/hdf5/hdf5_reader.hpp"

namespace dromos::io {
namespace {

/// How much of the text is looked at line by line.
constexpr std::size_t sample_bytes = std::size_t(1) << 16;

/// The words of a line as whole numbers; nothing if one is not.
std::optional<std::vector<std::uint64_t>> whole_numbers(std::string_view line) {
  std::vector<std::uint64_t> numbers;
  for (const std::string_view word : split_words(line)) {
    const char* const end = word.data() + word.size();
    std::uint64_t number = 0;
    if (parse_digits(word.data(), end, end, number) != end || number == ~std::uint64_t(0)) return std::nullopt;
    numbers.push_back(number);
  }
  return numbers;
}

/// Calls f(line) for each line that is a METIS comment.
template <class F>
void for_each_comment(std::string_view text, const F& f) {
  const char* const end = text.data() + text.size();
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1)) {
    if (at > 0 && text[at - 1] != '\n') continue;
    const char* const line = text.data() + at;
    f(std::string_view(line, static_cast<std::size_t>(skip_line(line, end) - line)));
  }
}

/// The lines after the header, comments apart.
struct Lines {
  std::uint64_t count = 0;
  std::uint64_t empty_at_end = 0;
};

Lines count_body_lines(std::string_view text) {
  Lines lines;
  lines.count = count_lines(text);
  const char* p = text.data() + text.size();
  for (; p > text.data() && p[-1] <= ' '; --p) lines.empty_at_end += p[-1] == '\n';
  if (lines.empty_at_end > 0 && p > text.data()) --lines.empty_at_end;  // it ends the last line that is not empty
  for_each_comment(text, [&](std::string_view) { --lines.count; });
  return lines;
}

std::uint64_t count_body_words(std::string_view text) {
  std::uint64_t words = count_words(text);
  for_each_comment(text, [&](std::string_view line) { words -= count_words(line); });
  return words;
}

/// What the first lines after the header look like.
struct Sample {
  std::int64_t num_lines = 0;  // empty ones too, if others follow
  std::int64_t num_empty = 0;
  std::int64_t not_edges = 0;        // of one word, or more than three
  std::int64_t not_three_words = 0;  // SMAT has three
  bool whole_ids = true;             // the first two words of each line
  std::uint64_t largest_source = 0, largest_target = 0, largest_word = 0;
  bool hash_comments = false;
};

Sample sample_body(std::string_view text) {
  Sample sample;
  if (text.size() > sample_bytes) text = text.substr(0, text.rfind('\n', sample_bytes) + 1);
  std::int64_t empty_lines = 0;
  const char* const end = text.data() + text.size();
  for (const char* p = text.data(); p < end; p = skip_line(p, end)) {
    if (*p == '%') continue;
    const std::vector<std::string_view> words = split_words(line_at(text, p));
    if (words.empty()) {
      ++empty_lines;
      continue;
    }
    if (words[0][0] == '#') {
      sample.hash_comments = true;
      continue;
    }
    sample.num_lines += 1 + empty_lines;
    sample.num_empty += empty_lines;
    empty_lines = 0;
    sample.not_edges += words.size() != 2 && words.size() != 3;
    sample.not_three_words += words.size() != 3;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const char* const word_end = words[i].data() + words[i].size();
      std::uint64_t number = 0;
      const bool whole = parse_digits(words[i].data(), word_end, word_end, number) == word_end;
      if (i < 2 && !whole) sample.whole_ids = false;
      if (i == 0) sample.largest_source = std::max(sample.largest_source, number);
      if (i == 1) sample.largest_target = std::max(sample.largest_target, number);
      sample.largest_word = std::max(sample.largest_word, number);
    }
  }
  return sample;
}

bool is_metis(const std::vector<std::uint64_t>& header, const Sample& sample, std::string_view body_text) {
  if (header.size() < 2 || header.size() > 4) return false;
  const std::uint64_t format = header.size() > 2 ? header[2] : 0;
  if (format % 10 > 1 || format / 10 % 10 > 1 || format / 100 > 1) return false;
  const std::uint64_t n = header[0], m = header[1];
  if (static_cast<std::uint64_t>(sample.num_lines) > n) return false;
  // Most lines cannot be edges, but neighbors.
  const bool neighbors = format != 0 || sample.largest_word <= n;
  if (neighbors && 2 * sample.not_edges > sample.num_lines - sample.num_empty) return true;
  // As many lines as vertices, and as many words as the edges and weights need. Few edge lists get as far as the
  // counts, which are passes over the text at the speed of memory.
  if (n > body_text.size() || m > body_text.size()) return false;
  const Lines lines = count_body_lines(body_text);
  if (n > lines.count || n + lines.empty_at_end < lines.count) return false;
  const std::uint64_t vertex_weights = format / 10 % 10 == 0 ? 0 : header.size() > 3 ? header[3] : 1;
  const std::uint64_t words_a_vertex = format / 100 + vertex_weights;
  return count_body_words(body_text) == 2 * m * (1 + format % 10) + n * words_a_vertex;
}

bool is_smat(const std::vector<std::uint64_t>& header, const Sample& sample, std::string_view body_text) {
  if (header.size() != 3) return false;
  if (sample.num_lines == 0) return header[0] == header[1] && header[2] == 0;
  if (sample.not_three_words > 0 || !sample.whole_ids) return false;
  const bool in_range = sample.largest_source < header[0] && sample.largest_target < header[1];
  if (!in_range) return false;
  if (header[0] == header[1]) return true;
  const Lines lines = count_body_lines(body_text);
  return header[2] == lines.count - lines.empty_at_end;
}

/// Is this line, which begins with a letter of DIMACS, one of its lines? Words may be vertices: "a b" is an edge.
bool is_dimacs_line(std::string_view line) {
  const std::vector<std::string_view> words = split_words(line);
  const auto is_whole = [&](std::size_t i) { return whole_numbers(words[i]).has_value(); };
  if (words[0] == "p")
    return words.size() == 1 || words[1] == "sp" || (words.size() == 4 && is_whole(2) && is_whole(3));
  return words.size() == 1 || (words.size() > 2 && is_whole(1) && is_whole(2));
}

/// Comments "c ..." may say anything; what follows them decides.
bool is_dimacs(std::string_view text, const char* first) {
  const char* const end = text.data() + text.size();
  for (const char* p = first; p < end; p = skip_line(p, end)) {
    const std::vector<std::string_view> words = split_words(line_at(text, p));
    if (words.empty() || words[0] == "c") continue;
    return (words[0] == "p" || words[0] == "a") && is_dimacs_line(line_at(text, p));
  }
  return true;
}

}  // namespace

bool begins_as_hdf5(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;  // a pipe gives its first bytes once
  std::array<char, 4> start{};
  std::ifstream(path, std::ios::binary).read(start.data(), start.size());
  return std::string_view(start.data(), start.size()) == "\x89HDF";
}

GraphFormat recognize_format(std::string_view text) {
  if (looks_like_gapbs(text)) return GraphFormat::gapbs;
  if (looks_like_parquet(text)) return GraphFormat::parquet;
  constexpr std::string_view banner = "%%matrixmarket";
  if (text.size() >= banner.size() && std::equal(banner.begin(), banner.end(), text.begin(), [](char a, char b) {
        return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b);
      })) {
    return GraphFormat::matrix_market;
  }
  if (looks_like_xml(text)) return GraphFormat::graphml;
  const char* const end = text.data() + text.size();
  bool comments = false;
  for (const char* p = text.data(); p < end; p = skip_line(p, end)) {
    const char* const first = skip_blanks(p, end);
    if (skip_line_end(first, end) != nullptr) continue;
    if (*first == '#') return GraphFormat::edge_list;
    if (*first == '%') {
      comments = true;
      continue;
    }
    if ((*first == 'c' || *first == 'p' || *first == 'a') && (first + 1 == end || first[1] <= ' ') &&
        is_dimacs(text, first)) {
      return GraphFormat::dimacs;
    }
    const std::string_view line = line_at(text, first);
    const auto header = whole_numbers(line);
    if (!header) return looks_like_table_header(line) ? GraphFormat::csv : GraphFormat::edge_list;
    const char* const body = skip_line(first, end);
    const std::string_view body_text(body, static_cast<std::size_t>(end - body));
    const Sample sample = sample_body(body_text);
    if (sample.hash_comments) return GraphFormat::edge_list;
    if (is_metis(*header, sample, body_text)) return GraphFormat::metis;
    if (is_smat(*header, sample, body_text)) return GraphFormat::smat;
    return GraphFormat::edge_list;
  }
  if (comments) return GraphFormat::edge_list;  // a list of no edges
  throw LineFault{nullptr, "expected a graph, found only empty lines; fetch or write the file again", false};
}

}  // namespace dromos::io
