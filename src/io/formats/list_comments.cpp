// SPDX-License-Identifier: BSD-3-Clause
#include "io/formats/list_comments.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <vector>

#include "io/text/line_fault.hpp"
#include "io/text/scan.hpp"

namespace dromos::io {
namespace {

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

void read_comment(std::string_view line, bool first, ListComments& comments) {
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

}  // namespace

ListComments read_list_comments(std::string_view text) {
  ListComments comments;
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

}  // namespace dromos::io
