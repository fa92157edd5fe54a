// SPDX-License-Identifier: BSD-3-Clause
#include "driver/distributed/block_results.hpp"

#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/files/slice_results.hpp>
#include <dromos/graph/block_partition.hpp>
#include <dromos/io/replaced_file.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "driver/graphs/output_format.hpp"
#include "driver/reports/vertex_lines.hpp"

namespace dromos::driver {
namespace {

/// Every rank's text, one behind the other, into a file.
void write_texts(const Communicator& world, const std::string& path, const fmt::memory_buffer& text) {
  using HostText = Kokkos::View<char*, Kokkos::HostSpace>;
  constexpr std::int64_t piece = std::int64_t(1) << 22;  // bytes that rank 0 is sent at once
  const auto ranks = static_cast<std::size_t>(world.size());
  const bool writes = world.rank() == 0;
  std::unique_ptr<ReplacedFile> file;
  on_all_ranks(world, [&] {
    if (!writes) return;
    file = std::make_unique<ReplacedFile>(path);
    file->write(text.data(), text.size());
  });
  const auto sizes = gather_counts(world, static_cast<std::int64_t>(text.size()));
  HostText sent, arrived;
  on_all_ranks(world, [&] {
    sent = HostText("dromos::driver::sent", static_cast<std::size_t>(std::min(piece, sizes[world.rank()])));
    if (writes) arrived = HostText("dromos::driver::arrived", static_cast<std::size_t>(piece));
  });
  for (std::size_t r = 1; r < ranks; ++r) {
    for (std::int64_t first = 0; first < sizes[r]; first += piece) {
      const std::int64_t size = std::min(piece, sizes[r] - first);
      std::vector<Block> leaving(ranks), arriving(ranks);
      if (static_cast<std::size_t>(world.rank()) == r) {
        std::memcpy(sent.data(), text.data() + first, static_cast<std::size_t>(size));
        leaving[0] = {0, size};
      }
      if (writes) arriving[r] = {0, size};
      alltoallv(world, Kokkos::DefaultHostExecutionSpace(), sent, leaving, arrived, arriving);
      on_all_ranks(world, [&] {
        if (writes) file->write(arrived.data(), static_cast<std::size_t>(size));
      });
    }
  }
  on_all_ranks(world, [&] {
    if (writes) file->commit();
  });
}

/// append(lines, i, v) for vertex number i of this rank's block, which is v.
template <class Vertex, class Append>
void write_block_lines(const Communicator& world, const std::string& path, std::int64_t num_vertices,
                       const std::string& head, const Append& append) {
  fmt::memory_buffer lines;
  on_all_ranks(world, [&] {
    if (world.rank() == 0) lines.append(head.data(), head.data() + head.size());
    const auto [first, last] = slice_of(num_vertices, world.rank(), world.size());
    for (std::int64_t v = first; v < last; ++v) append(lines, v - first, static_cast<Vertex>(v));
  });
  write_texts(world, path, lines);
}

template <class Vertex, class Value>
void write_block_vector(const Communicator& world, const std::string& path, std::int64_t num_vertices,
                        const ResultValues<Value>& block) {
  write_block_lines<Vertex>(
      world, path, num_vertices, vector_head<Value>(num_vertices),
      [&](fmt::memory_buffer& lines, std::int64_t i, Vertex) { append_value(lines, WrittenValue<Value>(block(i))); });
}

template <class Vertex>
void write_block_columns(const Communicator& world, const std::string& path, const NamedGraph<Vertex>& graph,
                         const ResultHead& head, std::vector<ResultColumn> columns) {
  ResultTable table = result_table(graph, head.algorithm);
  table.numbers = head.numbers;
  table.columns = std::move(columns);
  write_results(world, path, table);
}

template <class Value>
ResultColumn block_column(const ResultHead& head, const ResultValues<Value>& block) {
  return {head.column, head.unit, head.description, block};
}

}  // namespace

template <class Vertex, class Value>
void write_block_values(const Communicator& world, const std::string& path, const NamedGraph<Vertex>& graph,
                        const ResultValues<Value>& block, const ResultHead& head) {
  const std::int64_t n = graph.summary().num_vertices;
  if (names_matrix_market(path)) return write_block_vector<Vertex>(world, path, n, block);
  if (names_hdf5(path)) return write_block_columns(world, path, graph, head, {block_column(head, block)});
  write_block_lines<Vertex>(world, path, n, "", [&](fmt::memory_buffer& lines, std::int64_t i, Vertex v) {
    append_value_line(lines, graph.name(v), block(i), head.none);
  });
}

template <class Vertex, class Value>
void write_block_tree(const Communicator& world, const std::string& path, const NamedGraph<Vertex>& graph,
                      const ResultValues<Value>& block, const ResultValues<Vertex>& parents, const ResultHead& head,
                      const ResultHead& parent_head) {
  const std::int64_t n = graph.summary().num_vertices;
  if (names_matrix_market(path)) return write_block_vector<Vertex>(world, path, n, block);
  if (names_hdf5(path)) {
    return write_block_columns(world, path, graph, head,
                               {block_column(head, block), block_column(parent_head, parents)});
  }
  write_block_lines<Vertex>(world, path, n, "", [&](fmt::memory_buffer& lines, std::int64_t i, Vertex v) {
    const std::int64_t before = parents(i) == no_vertex<Vertex> ? -1 : graph.name(parents(i));
    append_tree_line(lines, graph.name(v), block(i), before, head.none);
  });
}

template <class Vertex>
void write_block_labels(const Communicator& world, const std::string& path, const NamedGraph<Vertex>& graph,
                        const ResultValues<Vertex>& labels, const ResultHead& head) {
  const std::int64_t n = graph.summary().num_vertices;
  if (names_hdf5(path)) return write_block_columns(world, path, graph, head, {block_column(head, labels)});
  const bool vector = names_matrix_market(path);
  write_block_lines<Vertex>(world, path, n, vector ? vector_head<std::int64_t>(n) : "",
                            [&](fmt::memory_buffer& lines, std::int64_t i, Vertex v) {
                              const std::int64_t label = graph.name(labels(i));
                              if (vector) {
                                append_value(lines, label);
                              } else {
                                append_line(lines, graph.name(v), label);
                              }
                            });
}

#define DROMOS_BLOCK_VALUES(VERTEX, VALUE)                                                                   \
  template void write_block_values(const Communicator&, const std::string&, const NamedGraph<VERTEX>&,       \
                                   const ResultValues<VALUE>&, const ResultHead&);                           \
  template void write_block_tree(const Communicator&, const std::string&, const NamedGraph<VERTEX>&,         \
                                 const ResultValues<VALUE>&, const ResultValues<VERTEX>&, const ResultHead&, \
                                 const ResultHead&);
#define DROMOS_BLOCK_RESULTS(VERTEX)                                                                   \
  DROMOS_BLOCK_VALUES(VERTEX, float)                                                                   \
  DROMOS_BLOCK_VALUES(VERTEX, double)                                                                  \
  DROMOS_BLOCK_VALUES(VERTEX, std::int64_t)                                                            \
  template void write_block_labels(const Communicator&, const std::string&, const NamedGraph<VERTEX>&, \
                                   const ResultValues<VERTEX>&, const ResultHead&);
DROMOS_BLOCK_RESULTS(std::int32_t)
DROMOS_BLOCK_RESULTS(std::int64_t)
DROMOS_BLOCK_VALUES(std::int32_t, std::int32_t)
#undef DROMOS_BLOCK_RESULTS
#undef DROMOS_BLOCK_VALUES

}  // namespace dromos::driver
