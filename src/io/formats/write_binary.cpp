// SPDX-License-Identifier: BSD-3-Clause
#include "io/formats/write_binary.hpp"

#include <cstdint>
#include <dromos/core/error.hpp>
#include <string>
#include <vector>

#include "io/formats/binary_edges.hpp"
#include "io/formats/undirected_edges.hpp"

namespace dromos::io {
namespace {

constexpr std::size_t piece_bytes = std::size_t(1) << 20;

void write_when_large(TextOutput& file, std::string& bytes, std::size_t least = piece_bytes) {
  if (bytes.size() < least) return;
  file.write(bytes);
  bytes.clear();
}

template <class Vertex>
struct Arc {
  Vertex from, to;
  std::int32_t weight;
};

/// Offsets of the rows, then their neighbors in the order of the arcs.
template <class Vertex>
void write_arc_rows(TextOutput& file, const std::vector<Arc<Vertex>>& arcs, std::int64_t num_vertices, bool reversed,
                    bool weighted) {
  const auto row_of = [&](const Arc<Vertex>& arc) { return static_cast<std::size_t>(reversed ? arc.to : arc.from); };
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(num_vertices) + 1, 0);
  for (const auto& arc : arcs) ++offsets[row_of(arc) + 1];
  for (std::size_t v = 0; v + 1 < offsets.size(); ++v) offsets[v + 1] += offsets[v];
  std::vector<std::size_t> in_order(arcs.size());
  std::vector<std::int64_t> at(offsets.begin(), offsets.end() - 1);
  for (std::size_t i = 0; i < arcs.size(); ++i) in_order[static_cast<std::size_t>(at[row_of(arcs[i])]++)] = i;

  std::string bytes;
  for (const std::int64_t offset : offsets) {
    append_number(bytes, offset);
    write_when_large(file, bytes);
  }
  for (const std::size_t i : in_order) {
    append_number(bytes, static_cast<std::int32_t>(reversed ? arcs[i].from : arcs[i].to));
    if (weighted) append_number(bytes, arcs[i].weight);
    write_when_large(file, bytes);
  }
  write_when_large(file, bytes, 1);
}

}  // namespace

template <class Vertex>
void write_gapbs(TextOutput& file, const EdgeList<Vertex, Kokkos::HostSpace>& edges, bool directed) {
  const auto whole = [](float weight) { return static_cast<std::int32_t>(weight); };
  std::vector<Arc<Vertex>> arcs;
  if (directed) {
    for (Offset e = 0; e < edges.num_edges(); ++e) {
      arcs.push_back({edges.source(e), edges.target(e), edges.weighted() ? whole(edges.weight(e)) : 0});
    }
  } else {
    for (const auto& [high, low, weight] : undirected_edges(edges)) {
      arcs.push_back({high, low, whole(weight)});
      if (high != low) arcs.push_back({low, high, whole(weight)});
    }
  }
  std::string header(1, directed ? '\1' : '\0');
  append_number(header, static_cast<std::int64_t>(arcs.size()));
  append_number(header, static_cast<std::int64_t>(edges.num_vertices));
  file.write(header);
  write_arc_rows(file, arcs, edges.num_vertices, false, edges.weighted());
  if (directed) write_arc_rows(file, arcs, edges.num_vertices, true, edges.weighted());
}

template <class Vertex>
void write_graph500(TextOutput& file, const EdgeList<Vertex, Kokkos::HostSpace>& edges, const VertexNames& names,
                    bool packed) {
  std::string bytes;
  for (Offset e = 0; e < edges.num_edges(); ++e) {
    const std::int64_t u = names.name(edges.source(e)), v = names.name(edges.target(e));
    if (!packed) {
      append_number(bytes, u);
      append_number(bytes, v);
    } else {
      if (u > largest_packed_id || v > largest_packed_id) {
        throw ArgumentError("graph500: edge " + std::to_string(e) + " joins vertices " + std::to_string(u) + " and " +
                            std::to_string(v) + ", and ids of 48 bits end at " + std::to_string(largest_packed_id) +
                            "; choose graph500-64");
      }
      append_number(bytes, static_cast<std::uint32_t>(u));
      append_number(bytes, static_cast<std::uint32_t>(v));
      append_number(bytes, static_cast<std::uint32_t>(u >> 32 | (v >> 32) << 16));
    }
    write_when_large(file, bytes);
  }
  write_when_large(file, bytes, 1);
}

template void write_gapbs(TextOutput&, const EdgeList<std::int32_t, Kokkos::HostSpace>&, bool);
template void write_gapbs(TextOutput&, const EdgeList<std::int64_t, Kokkos::HostSpace>&, bool);
template void write_graph500(TextOutput&, const EdgeList<std::int32_t, Kokkos::HostSpace>&, const VertexNames&, bool);
template void write_graph500(TextOutput&, const EdgeList<std::int64_t, Kokkos::HostSpace>&, const VertexNames&, bool);

}  // namespace dromos::io
