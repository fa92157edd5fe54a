// SPDX-License-Identifier: BSD-3-Clause
// What tables have in common, whatever they are written in: which columns are the ends of edges, and vertices that are
// called by words.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <dromos/graph/edge_list.hpp>
#include <dromos/io/read_graph.hpp>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/formats/edge_columns.hpp"
#include "io/text/line_fault.hpp"

namespace dromos::io {

constexpr std::size_t no_column = std::numeric_limits<std::size_t>::max();

/// Positions from 0.
struct EndColumns {
  std::size_t source = 0, target = 1, weight = no_column;
};

/// The position of a name, or no_column.
std::size_t find_column(const std::vector<std::string_view>& names, std::string_view name);

/// By usual names, whatever their case; false where there are none.
bool find_usual_columns(const std::vector<std::string_view>& names, EndColumns& columns);

/// Are all of these numbers from 1 on, and not names? Throws LineFault unless there are two or three.
bool are_counted(const std::vector<std::string>& columns);

/// "'a', 'b', 'c'", cut where it gets long.
std::string list_of(const std::vector<std::string_view>& names);

/// Words and their numbers, in the order in which they are met.
template <class Vertex>
class WordTable {
 public:
  /// Throws LineFault, at `where`, for a word without a letter and for one vertex too many.
  Vertex number(std::string word, const char* where = nullptr) {
    if (word.empty()) throw LineFault{where, "expected the name of a vertex, found an empty field", false};
    if (words_.size() == static_cast<std::size_t>(max_num_vertices<Vertex>) && numbers_.count(word) == 0) {
      throw LineFault{where,
                      fmt::format("the table names more vertices than the {} that {}-bit vertex ids can number; use "
                                  "64-bit ids (--ids 64)",
                                  max_num_vertices<Vertex>, 8 * sizeof(Vertex)),
                      false};
    }
    const auto [place, is_new] = numbers_.emplace(std::move(word), static_cast<Vertex>(words_.size()));
    if (is_new) words_.push_back(place->first);
    return place->second;
  }
  std::vector<std::string> take() { return std::move(words_); }
  std::int64_t size() const { return static_cast<std::int64_t>(words_.size()); }

 private:
  std::unordered_map<std::string, Vertex> numbers_;
  std::vector<std::string> words_;
};

/// What was read of a table whose vertices are words; takes these.
template <class Vertex>
GraphFile<Vertex> file_of_words(const EdgeColumns<Vertex>& edges, WordTable<Vertex>& words) {
  GraphFile<Vertex> file;
  file.edges = edges.to_edge_list(static_cast<Vertex>(words.size()));
  file.names = VertexNames::consecutive(words.size(), 0);
  file.words = words.take();
  return file;
}

}  // namespace dromos::io
