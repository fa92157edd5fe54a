// SPDX-License-Identifier: BSD-3-Clause
#include "driver/graphs/root_options.hpp"

#include <fmt/format.h>

#include <dromos/core/error.hpp>
#include <dromos/generate/random_roots.hpp>

#include "driver/base/number_format.hpp"
#include "driver/base/option_values.hpp"
#include "driver/base/printable.hpp"
#include "driver/base/standard_streams.hpp"
#include "driver/base/talking.hpp"

namespace dromos::driver {

void RootOptions::declare(ArgumentParser& parser, std::int64_t default_random) {
  default_random_ = default_random;
  const std::string group = "Where to start";
  add_vertices(parser, "--root", names_, "A vertex, as the file numbers it; several: repeat, or separate by commas")
      .group(group);
  add_integer(parser, "--roots", num_random_,
              "This many distinct random vertices that have out-edges (see --seed). Default: " +
                  (default_random > 0 ? std::to_string(default_random)
                                      : std::string("one root, the vertex of highest out-degree")),
              1)
      .group(group);
}

void RootOptions::check() const {
  if (!names_.empty() && num_random_) {
    throw ArgumentError("--root names the roots and --roots draws them at random: give one of the two");
  }
}

template <class Vertex>
std::vector<Vertex> RootOptions::choose(const NamedGraph<Vertex>& graph, std::uint64_t seed) const {
  std::vector<Vertex> roots;
  for (const std::int64_t name : names_) roots.push_back(graph.vertex(name));
  if (!roots.empty()) return roots;

  const std::int64_t n = graph.summary().num_vertices;
  if (n == 0) throw ArgumentError(graph.summary().source + " has no vertices: there is nowhere to start");
  // In the file's order, so that relabelling does not change which roots are chosen.
  const auto rows = graph.row_map_in_file_order();
  if (num_random_ || default_random_ > 0) {
    CsrGraph<Vertex, Kokkos::HostSpace> degrees;
    degrees.row_map = rows;
    for (const Vertex i : random_roots(degrees, num_random_.value_or(default_random_), seed))
      roots.push_back(graph.in_file_order(i));
    if (roots.empty()) {
      throw ArgumentError("--roots: no vertex of " + graph.summary().source + " has an out-edge; name one with --root");
    }
    const auto num_chosen = static_cast<std::int64_t>(roots.size());
    if (num_random_ && num_chosen < *num_random_ && !is_quiet()) {
      say_error(fmt::format("dromos: --roots {}: {} has {} with out-edges, and each is a root once\n", *num_random_,
                            printable(graph.summary().source), counted(num_chosen, "vertex", "vertices")));
    }
    return roots;
  }
  Vertex best = graph.in_file_order(0);
  Offset most = rows(1) - rows(0);
  for (std::int64_t i = 1; i < n; ++i) {
    const Offset degree = rows(i + 1) - rows(i);
    if (degree < most) continue;
    const Vertex v = graph.in_file_order(static_cast<Vertex>(i));
    if (degree > most || graph.name(v) < graph.name(best)) best = v;
    most = degree;
  }
  return {best};
}

template std::vector<std::int32_t> RootOptions::choose(const NamedGraph<std::int32_t>&, std::uint64_t) const;
template std::vector<std::int64_t> RootOptions::choose(const NamedGraph<std::int64_t>&, std::uint64_t) const;

}  // namespace dromos::driver
