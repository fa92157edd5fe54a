// SPDX-License-Identifier: BSD-3-Clause
// The second, slow look at a line that the fast loop of edge_lines.cpp could not read: column by column, for a message.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "io/formats/edge_lines.hpp"
#include "io/text/scan.hpp"

namespace dromos::io {
namespace {

using Weight = EdgeLineRules::Weight;

bool all_digits(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return is_digit(c); });
}

bool is_number(std::string_view word) {
  double value;
  return parse_number(word.data(), word.data() + word.size(), value) == word.data() + word.size();
}

/// An empty string if the word is a valid id.
std::string fault_of_id(std::string_view word, const char* role, const EdgeLineRules& rules, bool& needs_64_bits) {
  const std::string found = std::string(" as the ") + role + ", found " + quoted(word);
  if (word.size() > 1 && word[0] == '-' && all_digits(word.substr(1))) {
    return "expected a vertex id of " + std::to_string(rules.first_id) + " or more" + found +
           ": ids cannot be negative; renumber the vertices";
  }
  if (!all_digits(word)) {
    const bool names_columns = !word.empty() && std::isalpha(static_cast<unsigned char>(word[0]));
    const char* const remedy = !rules.any_id   ? ""
                               : names_columns ? "; put # before a line that is not an edge, or read a table "
                                                 "(--columns, --names)"
                                               : "; a table with other columns or separators is read with --columns";
    return "expected a vertex id (a whole number)" + found + remedy;
  }
  std::uint64_t id = 0;
  parse_digits(word.data(), word.data() + word.size(), word.data() + word.size(), id);
  if (id < rules.first_id) {
    return "expected a vertex id from " + std::to_string(rules.first_id) + " on" + found +
           ": this format counts vertices from " + std::to_string(rules.first_id) + "; add 1 to all ids";
  }
  if (id - rules.first_id < rules.num_ids) return "";
  if (rules.any_id) {
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    needs_64_bits = id <= static_cast<std::uint64_t>(largest);
    return "expected a vertex id of at most " + std::to_string(largest) + " (64 bits)" + found +
           "; renumber the vertices";
  }
  if (rules.num_ids == 0) return "expected no edges, because the header declares no vertices; found " + quoted(word);
  return "expected a vertex id from " + std::to_string(rules.first_id) + " to " +
         std::to_string(rules.first_id + rules.num_ids - 1) + ", the vertices that the header declares," + found +
         "; correct the id or the header";
}

std::string fault_of_weight(std::string_view word, const char* role, bool non_negative) {
  double value;
  const char* const end = word.data() + word.size();
  const char* const after = parse_number(word.data(), end, value);
  if (after != end && !(after == nullptr && is_digit(word.back()) &&
                        word.find_first_not_of("0123456789.+-eE") == std::string_view::npos)) {
    return std::string("expected a number as the ") + role + ", found " + quoted(word);
  }
  if (after == nullptr || !(std::abs(value) <= std::numeric_limits<float>::max())) {
    return std::string("expected a finite number of at most 3.4e38 as the ") + role + ", found " + quoted(word);
  }
  if (non_negative && value < 0) {
    return std::string("expected a number of 0 or more as the ") + role + ", found " + quoted(word) +
           ": there are no shortest paths over edges of negative weight; correct it, or read without weights";
  }
  if (non_negative && rounds_whole_number(value)) return rounded_weight(role, quoted(word));
  return "";
}

}  // namespace

LineFault explain_edge_line(std::string_view text, const char* where, const EdgeLineRules& rules, bool weights) {
  const std::string_view line = line_at(text, where);
  const bool last = line.data() + line.size() == text.data() + text.size();
  LineFault fault{where, "", false};
  const auto say = [&](const std::string& message) {
    fault.message = message;
    return fault;
  };

  std::vector<std::string_view> words = split_words(line, rules.commas);
  if (rules.tag != 0) {
    if (words.empty() || words[0] != std::string_view(&rules.tag, 1)) {
      return say("expected a line of the form '" + std::string(rules.form) + "', found " + quoted(line));
    }
    words.erase(words.begin());
  }
  constexpr const char* roles[] = {"source", "target", "weight", "fourth column"};
  for (std::size_t i = 0; i < std::min<std::size_t>(2, words.size()); ++i) {
    const std::string message = fault_of_id(words[i], roles[i], rules, fault.id_needs_64_bits);
    if (!message.empty()) return say(message);
  }
  if (rules.dictionaries && words.size() > 2 && words[2][0] == '{') {
    return say(weights ? "expected a weight, found a dictionary of attributes, " + quoted(line) +
                             "; write weights alone (NetworkX: write_weighted_edgelist), or read without weights"
                       : "expected the end } of a dictionary of attributes, found " + quoted(line));
  }
  const bool weight_needed = rules.weight == Weight::required || (weights && rules.weight == Weight::optional);
  const std::size_t least = weight_needed ? 3 : 2;
  const std::size_t most = rules.fourth_column ? 4 : rules.weight == Weight::none ? 2 : 3;
  if (words.size() < least) {
    const bool only_weight = words.size() == 2 && rules.weight == Weight::optional;
    return say("expected at least " + std::to_string(least) + " columns (" + rules.form + "), found " +
               std::to_string(words.size()) + ": " + quoted(line) +
               (only_weight ? "; read without weights, or give every edge one"
                : rules.any_id && words.size() == 1 && !last
                    ? "; in an adjacency list (--format adjacency-list) it is a vertex without neighbors"
                : last ? "; the file ends here: was it cut off?"
                       : ""));
  }
  for (std::size_t i = 2; i < std::min(most, words.size()); ++i) {
    const std::string message = fault_of_weight(words[i], roles[i], weights && rules.non_negative && i == 2);
    if (!message.empty()) return say(message);
  }
  if (words.size() > most) {
    return say("expected the end of the line after " + std::to_string(most) + " columns (" + rules.form + "), found " +
               quoted(words[most]) +
               (rules.any_id && is_number(words[most])
                    ? "; if this is an adjacency list or a METIS file, name that: --format adjacency-list, or "
                      "--format metis"
                : rules.any_id ? "; --columns 1,2 reads the first two"
                               : ""));
  }
  return say("expected a line of the form '" + std::string(rules.form) + "', found " + quoted(line));
}

void check_num_edges(std::string_view text, const char* header, const EdgeLineRules& rules, std::int64_t found,
                     std::int64_t declared) {
  if (found == declared) return;
  const std::string disagreement = "the header " + quoted(line_at(text, header)) + " declares " +
                                   counted(declared, "edge", "edges") + ", and the file has " + std::to_string(found);
  const char* const end = text.data() + text.size();
  if (found < declared) {
    throw LineFault{text.back() == '\n' ? end - 1 : end,
                    disagreement + ": it ends too early; fetch or write the file again, or correct the header", false};
  }
  // Look for the first line too many.
  const char* p = skip_line(header, end);
  for (std::int64_t edge = 0; p < end; p = skip_line(p, end)) {
    p = skip_blanks(p, end);
    if (skip_line_end(p, end) == nullptr && !rules.is_comment(*p) && ++edge > declared) break;
  }
  throw LineFault{p, disagreement + ": this is the first line too many; correct the header or the lines", false};
}

}  // namespace dromos::io
