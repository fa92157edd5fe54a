// SPDX-License-Identifier: BSD-3-Clause
#include "driver/graphs/named_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <dromos/core/error.hpp>

#include "driver/base/number_format.hpp"
#include "driver/base/printable.hpp"

namespace dromos::driver {

template <class Vertex>
Vertex NamedGraph<Vertex>::vertex(std::int64_t name, const std::string& what) const {
  const auto found = names_.find(name);
  if (found && *found >= 0 && *found < summary_.num_vertices) return in_file_order(static_cast<Vertex>(*found));
  if (summary_.num_vertices == 0) throw ArgumentError(summary_.source + " has no vertices");
  std::int64_t least = names_.name(0), most = least;
  for (std::int64_t v = 0; v < summary_.num_vertices; ++v) {
    least = std::min(least, names_.name(v));
    most = std::max(most, names_.name(v));
  }
  throw ArgumentError(fmt::format(
      "{} {} is not a vertex of {}, whose {} numbered {} to {}{}", what, name, summary_.source,
      summary_.num_vertices == 1 ? "only vertex is" : with_separators(summary_.num_vertices) + " vertices are", least,
      most, most - least + 1 == summary_.num_vertices ? "" : " with gaps"));
}

template class NamedGraph<std::int32_t>;
template class NamedGraph<std::int64_t>;

nlohmann::ordered_json GraphSummary::to_json() const {
  nlohmann::ordered_json json = {
      {"file", bytes_read > 0 || format != "generated" ? nlohmann::ordered_json(source) : nullptr},
      {"source", source},
      {"format", format},
      {"num_vertices", num_vertices},
      {"num_edges", num_edges},
      {"directed", directed},
      {"self_loops_removed", self_loops_removed},
      {"duplicates_removed", duplicates_removed},
      {"id_bits", id_bits},
      {"relabeled", relabeled},
      {"weights", weights.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(weights)},
      {"bytes_read", bytes_read},
      {"read_seconds", read_seconds},
      {"build_seconds", build_seconds}};
  if (matrix) {
    json["num_rows"] = matrix->num_rows;
    json["num_columns"] = matrix->num_columns;
  }
  if (separated) {
    json["separated"] = {{"num_ranks", separated->num_ranks},
                         {"degree_threshold", separated->threshold},
                         {"num_delegates", separated->num_delegates}};
  }
  return json;
}

std::string GraphSummary::to_text() const {
  const std::string edges = directed ? counted(num_edges, "directed edge", "directed edges")
                                     : counted((num_edges + 1) / 2, "undirected edge", "undirected edges");
  std::string text = fmt::format("{}: {}, {}\n", printable(source), counted(num_vertices, "vertex", "vertices"), edges);
  if (matrix) {
    text = fmt::format("{}: {}, {}, {}\n", printable(source), counted(matrix->num_rows, "row", "rows"),
                       counted(matrix->num_columns, "column", "columns"), counted(num_edges, "entry", "entries"));
  }
  if (format == "generated") {
    text += fmt::format("generated in {}", duration(read_seconds));
  } else {
    text += fmt::format("read as {} in {} ({})", format, duration(read_seconds), byte_count(bytes_read));
  }
  if (separated) {
    return text + fmt::format(", separated by degree for {} already: {} of more than {} neighbors{}\n",
                              counted(separated->num_ranks, "rank", "ranks"),
                              counted(separated->num_delegates, "vertex", "vertices"), separated->threshold,
                              id_bits == 64 ? "; 64-bit ids" : "");
  }
  if (matrix) {
    return text + fmt::format(", built in {}{}; removed {}\n", duration(build_seconds),
                              id_bits == 64 ? ", 64-bit ids" : "",
                              counted(duplicates_removed, "duplicate", "duplicates"));
  }
  text += fmt::format(", built in {}{}{}{}; removed {} and {}\n", duration(build_seconds),
                      relabeled ? ", renumbered by degree" : "", weights == "uniform" ? ", random weights" : "",
                      id_bits == 64 ? ", 64-bit ids" : "", counted(self_loops_removed, "self loop", "self loops"),
                      counted(duplicates_removed, "duplicate", "duplicates"));
  return text;
}

}  // namespace dromos::driver
