// SPDX-License-Identifier: BSD-3-Clause
#include "io/formats/edge_lines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "io/text/scan.hpp"

namespace dromos::io {
namespace {

using Weight = EdgeLineRules::Weight;

/// Reads one piece. Stateless but for its parameters, so that they stay in registers.
template <class Id>
class ChunkReader {
 public:
  ChunkReader(std::string_view text, std::string_view chunk, const EdgeLineRules& rules, bool weights)
      : p_(chunk.data()),
        end_(p_ + chunk.size()),
        readable_end_(text.data() + text.size()),
        rules_(rules),
        weights_(weights) {}

  /// Writes edges to the arrays (weight may be null) until the end or the first line that cannot be read, which it
  /// returns; nullptr at the end.
  const char* read(Id* source, Id* target, float* weight) {
    const char* p = p_;
    std::int64_t count = 0;
    Id least = std::numeric_limits<Id>::max(), most = -1;
    const char* fault = nullptr;
    while (p < end_) {
      const char* const line = p;
      p = skip_blanks(p, end_);
      if (p == end_) break;
      if (!is_digit(*p) || rules_.tag != 0) {
        const char* const next = skip_line_end(p, end_);
        if (next != nullptr) {
          p = next;
          continue;
        }
        if (rules_.is_comment(*p)) {
          p = skip_line(p, end_);
          continue;
        }
        p = skip_tag(p);
        if (p == nullptr) {
          fault = line;
          break;
        }
      }
      std::uint64_t u, v;
      double w = 0;
      p = read_columns(p, u, v, w);
      if (p == nullptr) {
        fault = line;
        break;
      }
      const Id from = static_cast<Id>(u), to = static_cast<Id>(v);
      source[count] = from;
      target[count] = to;
      least = std::min(least, std::min(from, to));
      most = std::max(most, std::max(from, to));
      if (weight != nullptr) weight[count] = static_cast<float>(w);
      ++count;
    }
    count_ = count;
    if (count > 0) range_ = {least, most};
    return fault;
  }

  std::int64_t count() const { return count_; }
  const IdRange& range() const { return range_; }

 private:
  const char* skip_tag(const char* p) const {
    if (rules_.tag == 0 || *p != rules_.tag || p + 1 == end_ || !is_blank(p[1])) return nullptr;
    return skip_blanks(p + 1, end_);
  }

  /// From the first id to past the line end; nullptr for anything wrong.
  const char* read_columns(const char* p, std::uint64_t& u, std::uint64_t& v, double& w) const {
    const char* after = parse_digits(p, end_, readable_end_, u);
    if (after == p) return nullptr;
    p = skip_separator(after, end_, rules_.commas);
    if (p == after) return nullptr;
    after = parse_digits(p, end_, readable_end_, v);
    if (after == p) return nullptr;
    u -= rules_.first_id;
    v -= rules_.first_id;
    if (u >= rules_.num_ids || v >= rules_.num_ids) return nullptr;
    if (after < end_ && *after == '\n' && rules_.weight != Weight::required && !weights_) return after + 1;
    return read_rest(after, w);
  }

  /// What follows the two ids.
  const char* read_rest(const char* p, double& w) const {
    const char* next = skip_line_end(skip_blanks(p, end_), end_);
    if (next != nullptr) return rules_.weight == Weight::required || needs_weight() ? nullptr : next;
    if (rules_.weight == Weight::none) return nullptr;
    const char* const begin = skip_separator(p, end_, rules_.commas);
    if (begin == p) return nullptr;
    if (rules_.dictionaries && begin < end_ && *begin == '{') return needs_weight() ? nullptr : skip_dictionary(begin);
    p = read_weight(begin, w);
    if (p == nullptr) return nullptr;
    next = skip_line_end(skip_blanks(p, end_), end_);
    if (next == nullptr && rules_.fourth_column) {
      const char* const fourth = skip_separator(p, end_, rules_.commas);
      double ignored;
      p = fourth == p ? nullptr : parse_number(fourth, end_, ignored);
      if (p != nullptr) next = skip_line_end(skip_blanks(p, end_), end_);
    }
    return next;
  }

  /// Past a line that ends in a brace; nullptr for another.
  const char* skip_dictionary(const char* p) const {
    const char* const next = skip_line(p, end_);
    const char* last = next;
    while (last > p && last[-1] <= ' ') --last;
    return last[-1] == '}' ? next : nullptr;
  }

  bool needs_weight() const { return weights_ && rules_.weight != Weight::none; }

  const char* read_weight(const char* p, double& w) const {
    if (!weights_) {  // digits are a number, and that is all we want to know
      const char* after = p;
      while (after < end_ && is_digit(*after)) ++after;
      if (after > p && (after == end_ || *after == '\n' || *after == '\r' || is_blank(*after))) return after;
    }
    p = parse_number(p, end_, w);
    if (p == nullptr || !(std::abs(w) <= std::numeric_limits<float>::max())) return nullptr;
    return weights_ && rules_.non_negative && (w < 0 || rounds_whole_number(w)) ? nullptr : p;
  }

  const char* p_;
  const char* end_;
  const char* readable_end_;
  EdgeLineRules rules_;
  bool weights_;
  std::int64_t count_ = 0;
  IdRange range_;
};

}  // namespace

template <class Id>
EdgeColumns<Id> read_edge_lines(const TextChunks& chunks, const EdgeLineRules& rules, bool weights) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(chunks.size()));
  parallel_for_each("dromos::read_graph::count_lines", chunks.size(), [&](const std::int64_t i) {
    counts[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(count_lines(chunks[i]));
  });
  const std::vector<std::int64_t> offsets = offsets_of(counts);

  EdgeColumns<Id> edges(offsets.back(), weights && rules.weight != Weight::none);
  std::vector<IdRange> ranges(counts.size());
  parallel_for_each("dromos::read_graph::edge_lines", chunks.size(), [&](const std::int64_t i) {
    const std::int64_t offset = offsets[static_cast<std::size_t>(i)];
    ChunkReader<Id> reader(chunks.text(), chunks[i], rules, weights);
    const char* const fault =
        reader.read(edges.source.data() + offset, edges.target.data() + offset, edges.weight_at(offset));
    if (fault != nullptr) throw explain_edge_line(chunks.text(), fault, rules, weights);
    counts[static_cast<std::size_t>(i)] = reader.count();
    ranges[static_cast<std::size_t>(i)] = reader.range();
  });
  for (const IdRange& range : ranges) edges.range.join(range);
  edges.close_gaps(offsets, counts);
  return edges;
}

template EdgeColumns<std::int32_t> read_edge_lines(const TextChunks&, const EdgeLineRules&, bool);
template EdgeColumns<std::int64_t> read_edge_lines(const TextChunks&, const EdgeLineRules&, bool);

}  // namespace dromos::io
