// SPDX-License-Identifier: BSD-3-Clause
// Random geometric graphs: points drawn uniformly in the unit square, an edge where two are no further apart than a
// radius. Alike degrees, great depth and neighbors near in number, as road networks and meshes have them.
//
// The square is cut into cells at least as wide as the radius, so that only points of neighboring cells are compared.
// Points are sorted by cell, row by row of cells, and are numbered in that order; what may be a neighbor of a vertex u
// and has a larger number then lies in two runs of vertices:
//
//   . . . . .      u is somewhere in the cell u. The rest of that cell and the cell behind it are one run (a),
//   . . u a .      the three cells of the next row another (b). Edges to the cells before u are listed there.
//   . b b b .
//
// Edge i is a pure function of i all the same: the neighbors of every vertex are counted once, which says by a binary
// search whose edge i is, and that vertex's runs are walked again. Coordinates are whole numbers of 31 bits and
// distances are compared as squares of 64, so that all machines, threads and ranks have the same edges, bit for bit.
//
// Source: E. N. Gilbert, "Random plane networks", J. SIAM 1961; cells as in the generators of the 10th DIMACS
// Implementation Challenge (rgg_n_2_..._s0).
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <dromos/core/device_sort.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/generate/counter_random.hpp>
#include <dromos/generate/generate_edges.hpp>
#include <dromos/graph/edge_list.hpp>
#include <string>

namespace dromos {

struct RandomGeometricOptions {
  std::int64_t num_vertices = 1 << 16;
  /// Neighbors of a vertex far from the border of the square, on average; those at the border have fewer.
  double expected_degree = 16;
  /// Equal seeds give equal graphs, on any number of threads and ranks and on any device.
  std::uint64_t seed = 1;
};

namespace generate_detail {

/// The square, its cells, and which point of the random sequence lies where.
class GeometricCells {
 public:
  static constexpr int coordinate_bits = 31;

  explicit GeometricCells(const RandomGeometricOptions& options)
      : num_points_(options.num_vertices), random_(options.seed) {
    constexpr double side = static_cast<double>(std::int64_t(1) << coordinate_bits);
    constexpr double pi = 3.14159265358979323846;
    const double others = static_cast<double>(std::max<std::int64_t>(1, num_points_ - 1));
    // A circle of this radius has its share of the other points. At most the diagonal of the square: all are neighbors.
    const double square = std::min(options.expected_degree / (pi * others), 2.0) * side * side;
    radius_squared_ = static_cast<std::uint64_t>(square);
    // Cells no narrower than the radius, no more of them than points.
    const double in_radius = side / std::max(1.0, std::ceil(std::sqrt(square)));
    const double in_points = std::sqrt(static_cast<double>(std::max<std::int64_t>(1, num_points_)));
    cells_per_side_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::min(in_radius, in_points)));
    while (std::int64_t(1) << point_bits_ < num_points_) ++point_bits_;
  }

  KOKKOS_FUNCTION std::int64_t num_points() const { return num_points_; }
  KOKKOS_FUNCTION std::int64_t num_cells() const { return cells_per_side_ * cells_per_side_; }
  KOKKOS_FUNCTION std::int64_t cells_per_side() const { return cells_per_side_; }

  KOKKOS_FUNCTION std::int32_t x(std::int64_t point) const { return coordinate(2 * point); }
  KOKKOS_FUNCTION std::int32_t y(std::int64_t point) const { return coordinate(2 * point + 1); }
  /// The column, or row, of cells that a coordinate lies in.
  KOKKOS_FUNCTION std::int64_t cell_of(std::int32_t c) const { return c * cells_per_side_ >> coordinate_bits; }

  /// Cell above point: what points are sorted by.
  KOKKOS_FUNCTION std::uint64_t key(std::int64_t point) const {
    const std::int64_t cell = cell_of(y(point)) * cells_per_side_ + cell_of(x(point));
    return first_key(cell) | static_cast<std::uint64_t>(point);
  }
  KOKKOS_FUNCTION std::uint64_t first_key(std::int64_t cell) const {
    return static_cast<std::uint64_t>(cell) << point_bits_;
  }
  KOKKOS_FUNCTION std::int64_t point(std::uint64_t key) const {
    return static_cast<std::int64_t>(key & ((std::uint64_t(1) << point_bits_) - 1));
  }
  /// Cells are no more than points.
  int key_bits() const { return 2 * point_bits_ + 1; }

  KOKKOS_FUNCTION bool near(std::int64_t x_distance, std::int64_t y_distance) const {
    return static_cast<std::uint64_t>(x_distance * x_distance + y_distance * y_distance) <= radius_squared_;
  }

 private:
  KOKKOS_FUNCTION std::int32_t coordinate(std::int64_t number) const {
    return static_cast<std::int32_t>(random_.bits(static_cast<std::uint64_t>(number)) >> (64 - coordinate_bits));
  }

  std::int64_t num_points_, cells_per_side_ = 1;
  int point_bits_ = 0;
  std::uint64_t radius_squared_ = 0;
  CounterRandom random_;
};

/// The first position in [0, size) whose value is at least `value`, of ascending ones; `size` where there is none.
template <class T, class Memory>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t first_at_least(const Kokkos::View<const T*, Memory>& ascending,
                                                        std::int64_t size, T value) {
  std::int64_t low = 0, high = size;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (ascending(middle) < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

template <class Memory>
struct PointKeys {
  GeometricCells cells;
  Kokkos::View<std::uint64_t*, Memory> key;
  KOKKOS_FUNCTION void operator()(const std::int64_t point) const { key(point) = cells.key(point); }
};

template <class Memory>
struct PlacePoints {
  GeometricCells cells;
  Kokkos::View<const std::uint64_t*, Memory> key;
  Kokkos::View<std::int32_t*, Memory> x, y;
  KOKKOS_FUNCTION void operator()(const std::int64_t v) const {
    const std::int64_t point = cells.point(key(v));
    x(v) = cells.x(point);
    y(v) = cells.y(point);
  }
};

template <class Memory>
struct FindCells {
  GeometricCells cells;
  Kokkos::View<const std::uint64_t*, Memory> key;
  Kokkos::View<std::int64_t*, Memory> begin;  // of each cell, and the end
  KOKKOS_FUNCTION void operator()(const std::int64_t cell) const {
    begin(cell) = first_at_least<std::uint64_t, Memory>(key, cells.num_points(), cells.first_key(cell));
  }
};

/// The points in the order of their cells.
template <class Memory>
struct GeometricPoints {
  GeometricCells cells;
  Kokkos::View<const std::int32_t*, Memory> x, y;
  Kokkos::View<const std::int64_t*, Memory> cell_begin;

  /// Calls visit(v) for the neighbors v > u in ascending order, until one returns false.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_later_neighbor(std::int64_t u, const Visit& visit) const {
    const std::int64_t width = cells.cells_per_side();
    const std::int64_t column = cells.cell_of(x(u)), row = cells.cell_of(y(u));
    const std::int64_t last_column = dromos::min(column + 1, width - 1);
    const std::int64_t row_begin = row * width;
    if (!visit_run(u, u + 1, cell_begin(row_begin + last_column + 1), visit) || row + 1 == width) return;
    visit_run(u, cell_begin(row_begin + width + dromos::max<std::int64_t>(column - 1, 0)),
              cell_begin(row_begin + width + last_column + 1), visit);
  }

 private:
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION bool visit_run(std::int64_t u, std::int64_t first, std::int64_t last,
                                             const Visit& visit) const {
    const std::int64_t x_u = x(u), y_u = y(u);
    for (std::int64_t v = first; v < last; ++v) {
      if (cells.near(x(v) - x_u, y(v) - y_u) && !visit(v)) return false;
    }
    return true;
  }
};

/// In a scan: how many edges are listed at the vertices before each.
template <class Memory>
struct CountEdgesBefore {
  GeometricPoints<Memory> points;
  Kokkos::View<Offset*, Memory> before;  // num_points + 1

  struct Counter {
    Offset& count;
    KOKKOS_FORCEINLINE_FUNCTION bool operator()(std::int64_t) const { return ++count, true; }
  };
  KOKKOS_FUNCTION void operator()(const std::int64_t u) const {
    Offset count = 0;
    points.for_each_later_neighbor(u, Counter{count});
    before(u + 1) = count;
  }
};

template <class Memory>
struct SumUp {
  Kokkos::View<Offset*, Memory> before;
  KOKKOS_FUNCTION void operator()(const std::int64_t i, Offset& sum, const bool is_final) const {
    sum += before(i);
    if (is_final) before(i) = sum;
  }
};

}  // namespace generate_detail

/// Edge i of a random geometric graph, by the vertex of the smaller number. Holds 16 bytes a vertex (and 8 a cell, of
/// which there are no more), and is copied into kernels as Views are.
template <class Vertex, class Memory = Kokkos::DefaultExecutionSpace::memory_space>
class RandomGeometricEdges {
 public:
  static_assert(is_vertex_type<Vertex>, "vertex ids are std::int32_t or std::int64_t");
  using vertex_type = Vertex;

  /// Draws, sorts and counts: every neighbor of every vertex is looked at once. Throws ArgumentError for a negative
  /// number of vertices or one that the ids, or the 32 bits left for them in a key, cannot number, and for a degree
  /// that is negative or not a number.
  template <class Space>
  RandomGeometricEdges(const Space& space, const RandomGeometricOptions& options);

  KOKKOS_FUNCTION std::int64_t num_vertices() const { return points_.cells.num_points(); }
  KOKKOS_FUNCTION Offset num_edges() const { return num_edges_; }
  /// The side of the square is 2^31.
  Kokkos::View<const std::int32_t*, Memory> x() const { return points_.x; }
  Kokkos::View<const std::int32_t*, Memory> y() const { return points_.y; }

  /// i: 0 .. num_edges() - 1; u and v: out, u < v.
  KOKKOS_FUNCTION void edge(Offset i, Vertex& u, Vertex& v) const {
    const std::int64_t owner =
        generate_detail::first_at_least<Offset, Memory>(edges_before_, num_vertices() + 1, i + 1) - 1;
    std::int64_t neighbor = 0;
    points_.for_each_later_neighbor(owner, Nth{i - edges_before_(owner), neighbor});
    u = static_cast<Vertex>(owner);
    v = static_cast<Vertex>(neighbor);
  }

 private:
  /// Stops at one neighbor.
  struct Nth {
    mutable Offset ahead;
    std::int64_t& found;
    KOKKOS_FORCEINLINE_FUNCTION bool operator()(std::int64_t v) const {
      found = v;
      return ahead-- != 0;
    }
  };

  static const RandomGeometricOptions& checked(const RandomGeometricOptions& options) {
    const std::int64_t n =
        generate_detail::checked_num_vertices<Vertex>("random geometric graph", options.num_vertices);
    if (n > std::int64_t(1) << 31 || !(options.expected_degree >= 0)) {
      throw ArgumentError("random geometric graph: " + std::to_string(n) + " vertices of degree " +
                          std::to_string(options.expected_degree) +
                          "; expected at most 2^31 vertices and no negative degree");
    }
    return options;
  }

  generate_detail::GeometricPoints<Memory> points_;
  Kokkos::View<const Offset*, Memory> edges_before_;
  Offset num_edges_ = 0;
};

template <class Vertex, class Memory>
template <class Space>
RandomGeometricEdges<Vertex, Memory>::RandomGeometricEdges(const Space& space, const RandomGeometricOptions& options)
    : points_{generate_detail::GeometricCells(checked(options)), {}, {}, {}} {
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  const auto allocate = [](const char* label) {
    return Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label));
  };
  const generate_detail::GeometricCells& cells = points_.cells;
  const std::int64_t n = cells.num_points();

  SortBuffers<std::uint64_t, Memory> keys{
      Kokkos::View<std::uint64_t*, Memory>(allocate("dromos::random_geometric::keys"), n), {}};
  if (!host_accessible<Memory>) {
    keys.spare = Kokkos::View<std::uint64_t*, Memory>(allocate("dromos::random_geometric::keys"), n);
  }
  Kokkos::parallel_for("dromos::random_geometric::draw", Range(space, 0, n),
                       generate_detail::PointKeys<Memory>{cells, keys.current});
  SortBuffers<std::uint64_t, Memory> no_values;
  sort_by_key(space, keys, no_values, cells.key_bits());
  keys.spare = {};

  const Kokkos::View<std::int32_t*, Memory> x(allocate("dromos::random_geometric::x"), n);
  const Kokkos::View<std::int32_t*, Memory> y(allocate("dromos::random_geometric::y"), n);
  Kokkos::parallel_for("dromos::random_geometric::place", Range(space, 0, n),
                       generate_detail::PlacePoints<Memory>{cells, keys.current, x, y});
  const Kokkos::View<std::int64_t*, Memory> begin(allocate("dromos::random_geometric::cells"), cells.num_cells() + 1);
  Kokkos::parallel_for("dromos::random_geometric::find_cells", Range(space, 0, cells.num_cells() + 1),
                       generate_detail::FindCells<Memory>{cells, keys.current, begin});
  points_.x = x;
  points_.y = y;
  points_.cell_begin = begin;

  const Kokkos::View<Offset*, Memory> before("dromos::random_geometric::edges_before", n + 1);
  Kokkos::parallel_for("dromos::random_geometric::count", Range(space, 0, n),
                       generate_detail::CountEdgesBefore<Memory>{points_, before});
  Kokkos::parallel_scan("dromos::random_geometric::sum_up", Range(space, 0, n + 1),
                        generate_detail::SumUp<Memory>{before});
  edges_before_ = before;
  Kokkos::deep_copy(space, Kokkos::View<Offset, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&num_edges_),
                    Kokkos::subview(before, n));
  fence(space, "dromos::random_geometric");
}

/// The whole edge list, each edge once, in the memory of the execution space. Throws as the generator does.
template <class Vertex, class Space>
EdgeList<Vertex, typename Space::memory_space> generate_random_geometric(const Space& space,
                                                                         const RandomGeometricOptions& options) {
  return generate_edges<Vertex>(space, RandomGeometricEdges<Vertex, typename Space::memory_space>(space, options));
}

// Compiled once in the library for the default execution space and both widths of ids.
extern template RandomGeometricEdges<std::int32_t>::RandomGeometricEdges(const Kokkos::DefaultExecutionSpace&,
                                                                         const RandomGeometricOptions&);
extern template RandomGeometricEdges<std::int64_t>::RandomGeometricEdges(const Kokkos::DefaultExecutionSpace&,
                                                                         const RandomGeometricOptions&);
extern template EdgeList<std::int32_t> generate_random_geometric(const Kokkos::DefaultExecutionSpace&,
                                                                 const RandomGeometricOptions&);
extern template EdgeList<std::int64_t> generate_random_geometric(const Kokkos::DefaultExecutionSpace&,
                                                                 const RandomGeometricOptions&);

}  // namespace dromos
