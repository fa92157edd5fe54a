// SPDX-License-Identifier: BSD-3-Clause
#include "driver/reports/spy_plot.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace dromos::driver {
namespace {

using Json = nlohmann::ordered_json;

/// [row, column, entries] of every square that has entries, `side` rows and columns each.
template <class Vertex>
Json count_in_squares(const EdgeList<Vertex, Kokkos::HostSpace>& entries, const Places<Vertex>& places,
                      std::int64_t side) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> count;
  for (Offset e = 0; e < entries.num_edges(); ++e) {
    ++count[{places.row(entries.source(e)) / side, places.column(entries.target(e)) / side}];
  }
  Json squares = Json::array();
  for (const auto& [square, num_entries] : count) squares.push_back({square.first, square.second, num_entries});
  return squares;
}

}  // namespace

template <class Vertex>
Json spy_picture(const std::string& source, const EdgeList<Vertex, Kokkos::HostSpace>& entries,
                 const SpyPanel<Vertex>& before, const SpyPanel<Vertex>& after) {
  const auto num_rows = static_cast<std::int64_t>(before.places.row.extent(0));
  const auto num_columns = static_cast<std::int64_t>(before.places.column.extent(0));
  const std::int64_t longest = std::max<std::int64_t>({num_rows, num_columns, 1});
  const std::int64_t side = (longest + spy_resolution - 1) / spy_resolution;
  Json data = {{"kind", "spy"}, {"graph", source}, {"rows", num_rows}, {"columns", num_columns}, {"side", side}};
  for (const SpyPanel<Vertex>* panel : {&before, &after}) {
    data["panels"].push_back({{"title", panel->title}, {"squares", count_in_squares(entries, panel->places, side)}});
  }
  return data;
}

template Json spy_picture(const std::string&, const EdgeList<std::int32_t, Kokkos::HostSpace>&,
                          const SpyPanel<std::int32_t>&, const SpyPanel<std::int32_t>&);
template Json spy_picture(const std::string&, const EdgeList<std::int64_t, Kokkos::HostSpace>&,
                          const SpyPanel<std::int64_t>&, const SpyPanel<std::int64_t>&);

}  // namespace dromos::driver
