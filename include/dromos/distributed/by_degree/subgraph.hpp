// SPDX-License-Identifier: BSD-3-Clause
// A rank's part of a graph whose vertices are separated by degree: rows with 32-bit offsets, of the edges from one kind
// of vertex to one kind. The rows of the two parts that begin at the same vertices lie side by side:
//
//   vertex u    [4u, 4u + 16): where its row to normal vertices begins, its row to delegates, both of the next vertex
//
// so that whoever looks at both, as every sweep does that a vertex takes part in, misses the cache once.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>

namespace dromos {

/// The number of a vertex on its rank, or of a delegate on all.
using LocalVertex = std::int32_t;

/// Which of the two parts that begin at the same vertices.
enum class RowKind { to_normal, to_delegate };

/// What a sweep sees. Target: LocalVertex, or what numbers the vertices of all ranks.
template <class Target, class Memory>
struct SubgraphView {
  using vertex_type = Target;
  using memory_space = Memory;

  Kokkos::View<const std::uint32_t*, Memory> row_maps;  ///< 2 (num_rows + 1) elements, of both parts in turn
  Kokkos::View<const Target*, Memory> entries;
  int kind = 0;  ///< RowKind

  KOKKOS_FUNCTION Target num_vertices() const { return static_cast<Target>(row_maps.extent(0) / 2 - 1); }
  KOKKOS_FUNCTION Offset num_edges() const { return static_cast<Offset>(entries.extent(0)); }
  KOKKOS_FORCEINLINE_FUNCTION Offset begin(Target u) const { return row_maps.data()[index(u)]; }
  KOKKOS_FORCEINLINE_FUNCTION Offset end(Target u) const { return row_maps.data()[index(u) + 2]; }
  KOKKOS_FORCEINLINE_FUNCTION Offset degree(Target u) const { return end(u) - begin(u); }
  KOKKOS_FORCEINLINE_FUNCTION Target neighbor(Offset e) const { return entries.data()[e]; }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_row(Target u) const { prefetch(&row_maps.data()[index(u)]); }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_edges(Target u) const { prefetch(&entries.data()[begin(u)]); }

 private:
  KOKKOS_FORCEINLINE_FUNCTION std::size_t index(Target u) const {
    return 2 * static_cast<std::size_t>(u) + static_cast<std::size_t>(kind);
  }
};

/// How many edges of both parts begin at a vertex, in two reads. A pointer, for the sake of GPUs.
template <class Memory>
struct PairOfDegrees {
  const std::uint32_t* row_maps;

  struct Degrees {
    std::uint32_t to_normal, to_delegate;
  };
  KOKKOS_FORCEINLINE_FUNCTION Degrees operator()(std::int64_t u) const { return of_range(u, u + 1); }
  /// Of all of first .. end - 1 together.
  KOKKOS_FORCEINLINE_FUNCTION Degrees of_range(std::int64_t first, std::int64_t end) const {
    const RowBegins here = begins(first), next = begins(end);
    return {next.to_normal - here.to_normal, next.to_delegate - here.to_delegate};
  }

 private:
  struct alignas(8) RowBegins {
    std::uint32_t to_normal, to_delegate;
  };
  KOKKOS_FORCEINLINE_FUNCTION RowBegins begins(std::int64_t u) const {
    return reinterpret_cast<const RowBegins*>(row_maps)[u];
  }
};

/// Both parts that begin at the same vertices.
template <class ToNormal, class Memory>
struct SubgraphPair {
  Kokkos::View<std::uint32_t*, Memory> row_maps;
  Kokkos::View<ToNormal*, Memory> to_normal;
  Kokkos::View<LocalVertex*, Memory> to_delegate;
  /// One weight per edge, or no element at all.
  Kokkos::View<float*, Memory> weights_to_normal, weights_to_delegate;

  PairOfDegrees<Memory> degrees() const { return {row_maps.data()}; }
  SubgraphView<ToNormal, Memory> normal_view() const { return {row_maps, to_normal, 0}; }
  SubgraphView<LocalVertex, Memory> delegate_view() const { return {row_maps, to_delegate, 1}; }
};

/// For work sets whose number of edges nobody asks for.
template <class Memory>
struct NoDegrees {
  using vertex_type = LocalVertex;
  using memory_space = Memory;
  KOKKOS_FORCEINLINE_FUNCTION Offset degree(LocalVertex) const { return 0; }
};

}  // namespace dromos
