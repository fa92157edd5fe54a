// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <dromos/io/vertex_names.hpp>
#include <utility>

namespace dromos {

VertexNames VertexNames::consecutive(std::int64_t size, std::int64_t first_name) {
  VertexNames names;
  names.size_ = size;
  names.first_name_ = first_name;
  return names;
}

VertexNames VertexNames::table(std::vector<std::int64_t> names) {
  const std::int64_t size = static_cast<std::int64_t>(names.size());
  if (size == 0) return consecutive(0, 0);
  // Ascending without repetition: consecutive exactly if the ends are size - 1 apart (unsigned, so that no names
  // overflow the difference).
  if (static_cast<std::uint64_t>(names.back()) - static_cast<std::uint64_t>(names.front()) ==
      static_cast<std::uint64_t>(size - 1)) {
    return consecutive(size, names.front());
  }
  VertexNames result;
  result.size_ = size;
  result.table_ = std::make_shared<const std::vector<std::int64_t>>(std::move(names));
  return result;
}

std::optional<std::int64_t> VertexNames::find(std::int64_t name) const {
  if (!table_) {
    if (name < first_name_) return std::nullopt;
    const std::uint64_t vertex = static_cast<std::uint64_t>(name) - static_cast<std::uint64_t>(first_name_);
    if (vertex >= static_cast<std::uint64_t>(size_)) return std::nullopt;
    return static_cast<std::int64_t>(vertex);
  }
  const auto place = std::lower_bound(table_->begin(), table_->end(), name);
  if (place == table_->end() || *place != name) return std::nullopt;
  return place - table_->begin();
}

}  // namespace dromos
