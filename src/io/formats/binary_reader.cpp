// SPDX-License-Identifier: BSD-3-Clause
// Binary files of edges: the rows of the GAP Benchmark Suite, which are recognised by their size, and the edges of
// Graph500, which have no header and have to be named. io/formats/binary_edges.hpp has the layouts.
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "io/formats/binary_edges.hpp"
#include "io/formats/compact_ids.hpp"
#include "io/formats/format_readers.hpp"

namespace dromos::io {
namespace {

struct GapbsHeader {
  bool directed;
  std::uint64_t num_arcs, num_vertices;

  std::size_t neighbors_at() const { return gapbs_header_bytes + 8 * (static_cast<std::size_t>(num_vertices) + 1); }
  /// Of the whole file, where a neighbor takes so many bytes.
  std::uint64_t num_bytes(std::uint64_t bytes_a_neighbor) const {
    const std::uint64_t rows = 8 * (num_vertices + 1) + bytes_a_neighbor * num_arcs;
    return gapbs_header_bytes + (directed ? 2 : 1) * rows;
  }
};

/// Nothing where these bytes are no header, or one of a graph that no file could hold.
std::optional<GapbsHeader> gapbs_header(std::string_view bytes) {
  constexpr std::uint64_t most = std::uint64_t(1) << 58;
  if (bytes.size() < gapbs_header_bytes || static_cast<unsigned char>(bytes[0]) > 1) return std::nullopt;
  const GapbsHeader header{bytes[0] == 1, number_at<std::uint64_t>(bytes, 1), number_at<std::uint64_t>(bytes, 9)};
  if (header.num_arcs > most || header.num_vertices > most) return std::nullopt;
  return header;
}

[[noreturn]] void throw_at_byte(std::size_t at, const std::string& message) {
  throw LineFault{nullptr, "byte " + std::to_string(at) + ": " + message, false};
}

/// Calls body(i) for i = 0 .. count - 1 in parallel until it returns false for one; the smallest such i, or count.
template <class Body>
std::int64_t first_refused(const std::string& label, std::int64_t count, const Body& body) {
  std::atomic<std::int64_t> first(count);
  parallel_for_ranges(label, count, [&](const std::int64_t begin, const std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (body(i)) continue;
      std::int64_t before = first.load();
      while (i < before && !first.compare_exchange_weak(before, i)) {
      }
      return;
    }
  });
  return first.load();
}

}  // namespace

bool looks_like_gapbs(std::string_view bytes) {
  const auto header = gapbs_header(bytes);
  return header && (bytes.size() == header->num_bytes(4) || bytes.size() == header->num_bytes(8));
}

template <class Vertex>
GraphFile<Vertex> read_gapbs(std::string_view bytes, const ReadOptions& options) {
  const auto header = gapbs_header(bytes);
  if (!header) {
    throw_at_byte(0, "expected the header of a graph of the GAP Benchmark Suite (0 or 1, arcs, vertices), found " +
                         quoted(bytes.substr(0, gapbs_header_bytes)));
  }
  const bool weighted = header->num_arcs > 0 && bytes.size() == header->num_bytes(8);
  if (!weighted && bytes.size() != header->num_bytes(4)) {
    throw_at_byte(1, "the header declares " + std::to_string(header->num_vertices) + " vertices and " +
                         std::to_string(header->num_arcs) + " arcs, which take " +
                         std::to_string(header->num_bytes(4)) + " bytes (with weights " +
                         std::to_string(header->num_bytes(8)) + "), and the file has " + std::to_string(bytes.size()) +
                         "; fetch or write it again");
  }
  check_declared_vertices<Vertex>(static_cast<std::int64_t>(header->num_vertices), nullptr);
  const auto n = static_cast<std::int64_t>(header->num_vertices), m = static_cast<std::int64_t>(header->num_arcs);
  const auto offset_of = [&](std::int64_t v) {
    return number_at<std::int64_t>(bytes, gapbs_header_bytes + 8 * static_cast<std::size_t>(v));
  };
  const std::size_t stride = weighted ? 8 : 4;
  const auto neighbor_at = [&](std::int64_t e) {
    return header->neighbors_at() + stride * static_cast<std::size_t>(e);
  };

  const std::int64_t bad_row = first_refused("dromos::read_graph::gapbs_rows", n, [&](const std::int64_t v) {
    return offset_of(v) >= 0 && offset_of(v) <= offset_of(v + 1) && offset_of(v + 1) <= m;
  });
  if (bad_row < n || offset_of(0) != 0 || offset_of(n) != m) {
    const std::int64_t v = bad_row < n ? bad_row : offset_of(0) != 0 ? 0 : n;
    throw_at_byte(gapbs_header_bytes + 8 * static_cast<std::size_t>(v),
                  "expected offsets that ascend from 0 to the " + std::to_string(m) + " arcs, found " +
                      std::to_string(offset_of(v)) + " for vertex " + std::to_string(v) + "; write the file again");
  }
  const bool with_weights = weighted && options.weights;
  EdgeColumns<Vertex> edges(m, with_weights);
  const std::int64_t bad_end = first_refused("dromos::read_graph::gapbs_neighbors", n, [&](const std::int64_t v) {
    for (std::int64_t e = offset_of(v); e < offset_of(v + 1); ++e) {
      const std::size_t at = neighbor_at(e);
      const auto neighbor = number_at<std::int32_t>(bytes, at);
      if (neighbor < 0 || neighbor >= n) return false;
      edges.source(e) = static_cast<Vertex>(v);
      edges.target(e) = static_cast<Vertex>(neighbor);
      if (!with_weights) continue;
      const auto weight = number_at<std::int32_t>(bytes, at + 4);
      if (options.non_negative_weights && weight < 0) return false;
      edges.weight(e) = static_cast<float>(weight);
    }
    return true;
  });
  if (bad_end < n) {
    for (std::int64_t e = offset_of(bad_end); e < offset_of(bad_end + 1); ++e) {
      const auto neighbor = number_at<std::int32_t>(bytes, neighbor_at(e));
      if (neighbor >= 0 && neighbor < n) continue;
      throw_at_byte(neighbor_at(e), "expected a neighbor of vertex " + std::to_string(bad_end) + " from 0 to " +
                                        std::to_string(n - 1) + ", found " + std::to_string(neighbor) +
                                        "; write the file again");
    }
    throw_at_byte(neighbor_at(offset_of(bad_end)),
                  "expected weights of 0 or more, found a negative one among those of vertex " +
                      std::to_string(bad_end) + ": there are no shortest paths over edges of negative weight");
  }
  GraphFile<Vertex> file;
  file.edges = edges.to_edge_list(static_cast<Vertex>(n));
  file.names = VertexNames::consecutive(n, 0);
  file.directed = header->directed;
  file.listed_both_ways = !header->directed;
  return file;
}

template <class Vertex>
GraphFile<Vertex> read_graph500(std::string_view bytes, bool packed, const ReadOptions& options) {
  if (options.weights) {
    throw LineFault{nullptr, "expected weights, and Graph500's edges have none; read without weights", false};
  }
  const std::size_t stride = packed ? packed_edge_bytes : plain_edge_bytes;
  if (bytes.size() % stride != 0) {
    throw LineFault{nullptr,
                    "expected edges of " + std::to_string(stride) + " bytes, found " + std::to_string(bytes.size()) +
                        " bytes, which is no multiple; fetch the file again, or name the other layout (--format " +
                        (packed ? "graph500-64" : "graph500") + ")",
                    false};
  }
  const auto m = static_cast<std::int64_t>(bytes.size() / stride);
  EdgeColumns<std::int64_t> edges(m, false);
  const std::int64_t bad = first_refused("dromos::read_graph::graph500", m, [&](const std::int64_t e) {
    const std::size_t at = stride * static_cast<std::size_t>(e);
    if (packed) {
      const auto high = number_at<std::uint32_t>(bytes, at + 8);
      edges.source(e) = number_at<std::uint32_t>(bytes, at) | static_cast<std::int64_t>(high & 0xFFFF) << 32;
      edges.target(e) = number_at<std::uint32_t>(bytes, at + 4) | static_cast<std::int64_t>(high >> 16) << 32;
      return edges.source(e) <= largest_packed_id && edges.target(e) <= largest_packed_id;
    }
    edges.source(e) = number_at<std::int64_t>(bytes, at);
    edges.target(e) = number_at<std::int64_t>(bytes, at + 8);
    return edges.source(e) >= 0 && edges.target(e) >= 0;
  });
  if (bad < m) {
    throw_at_byte(stride * static_cast<std::size_t>(bad),
                  "expected two vertex ids from 0 on, found a negative one in edge " + std::to_string(bad) +
                      "; name the other layout (--format " + (packed ? "graph500-64" : "graph500") +
                      "), or fetch the file again");
  }
  GraphFile<Vertex> file = compact_ids<Vertex>(std::move(edges));
  file.directed = false;
  return file;
}

template GraphFile<std::int32_t> read_gapbs(std::string_view, const ReadOptions&);
template GraphFile<std::int64_t> read_gapbs(std::string_view, const ReadOptions&);
template GraphFile<std::int32_t> read_graph500(std::string_view, bool, const ReadOptions&);
template GraphFile<std::int64_t> read_graph500(std::string_view, bool, const ReadOptions&);

}  // namespace dromos::io
