// SPDX-License-Identifier: BSD-3-Clause
// The block triangular form of a sparse matrix, square or not, structurally singular or not: an order of its rows and
// one of its columns in which nothing is left of the diagonal blocks, and no block can be taken apart further.
//
//         columns  1 2 | 3 | 4 5 | 6
//   row 1          x x   .   .     .     under-determined: more columns than rows, every row has a mate
//   row 2              | x | x   .       square blocks: strongly connected, no zero on the diagonal
//   row 3                  | x x | .
//   row 4                  | x x | .
//   row 5                        | x     over-determined: more rows than columns, every column has a mate
//   row 6                        | x
//
// A maximum matching pairs rows and columns. Whatever paths reach from free columns, that alternate between any edge to
// a row and the matched edge on to a column, is the under-determined part; what they reach from free rows is the
// over-determined one. Both are found by one search of the loop nest, which cannot meet itself: that would be a path
// from a free row to a free column, and the matching not maximum. Of the rest, rows are vertices, and entry (i, j) an
// edge from row i to the row that column j is matched with. Its strongly connected components are the blocks, ordered
// by their level in the graph of components, and of one level by their smallest row.
//
// Which rows and columns a block has, and the order of the blocks, does not depend on the matching, hence not on
// races; which columns are on the diagonal of a block, and which rows of the over-determined part are free, does.
//
// Source: A. L. Dulmage, N. S. Mendelsohn, "Coverings of bipartite graphs", Canadian Journal of Mathematics 1958; A.
// Pothen, C.-J. Fan, "Computing the block triangular form of a sparse matrix", ACM TOMS 1990; I. S. Duff, J. K. Reid,
// "An implementation of Tarjan's algorithm for the block triangularization of a matrix", ACM TOMS 1978.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/condensation.hpp>
#include <dromos/algorithms/maximum_matching.hpp>
#include <dromos/algorithms/scc.hpp>
#include <dromos/algorithms/topological_levels.hpp>
#include <dromos/core/device_sort.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/simple_kernels.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/traverse/until_empty.hpp>
#include <limits>
#include <string>
#include <type_traits>

namespace dromos {

struct BlockTriangularOptions {
  /// How edges are dealt out to threads.
  Strategy strategy{};
};

/// The form. Block 0 is the under-determined part, the last block the over-determined one, and either may be empty;
/// those between are the square blocks. Row i < num_matched of the permuted matrix has an entry in column i plus the
/// number of free columns: that is the diagonal of every square block.
template <class Vertex, class Memory>
struct BlockTriangularForm {
  Kokkos::View<Vertex*, Memory> row_order;     ///< num_rows, by place: the row that comes there
  Kokkos::View<Vertex*, Memory> column_order;  ///< num_columns, by place: the column, from 0
  Kokkos::View<Vertex*, Memory> row_begin;     ///< num_blocks + 1: place of the first row of each block, and num_rows
  Kokkos::View<Vertex*, Memory> column_begin;  ///< num_blocks + 1: the same of columns
  Kokkos::View<Vertex*, Memory> mate;          ///< by vertex of the bipartite graph, as maximum_matching() has it

  std::int64_t num_blocks() const {
    return row_begin.extent(0) == 0 ? 0 : static_cast<std::int64_t>(row_begin.extent(0)) - 1;
  }
};

struct BlockTriangularStatistics {
  std::int64_t num_matched = 0;  ///< the structural rank
  std::int64_t num_under_rows = 0, num_under_columns = 0;
  std::int64_t num_over_rows = 0, num_over_columns = 0;
  std::int64_t num_square_rows = 0;  ///< rows, and columns, of all square blocks
  std::int64_t num_square_blocks = 0;
  std::int64_t largest_square_block = 0;
  std::int64_t num_levels = 0;  ///< of the graph of square blocks: those of a level do not depend on each other
  double seconds = 0;
};

namespace detail {

/// Parts of the coarse decomposition, as marks of vertices.
enum BlockPart : int { square_part = 0, under_part = 1, over_part = 2 };

/// One step of the paths from all free vertices: v, and with it its mate, which joins, is of u's part. Vertices that a
/// path from a free row reaches, none from a free column does.
template <class Vertex, class Memory>
struct AlternateFromFree {
  Kokkos::View<const Vertex*, Memory> mate;
  Kokkos::View<int*, Memory> part;

  KOKKOS_FORCEINLINE_FUNCTION bool may_join(Vertex, Vertex v, Offset) const {
    return atomic_load(&part.data()[v]) == int(square_part);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool edge(Vertex u, Vertex v, Offset) const {
    return Kokkos::atomic_compare_exchange(&part.data()[v], int(square_part), part.data()[u]) == int(square_part);
  }
  KOKKOS_FORCEINLINE_FUNCTION Vertex joining(Vertex, Vertex v) const { return mate.data()[v]; }
  KOKKOS_FORCEINLINE_FUNCTION void joined(Vertex u, Vertex v) const {
    part.data()[mate.data()[v]] = part.data()[u];  // the mate is reached by this edge alone
  }
};

template <class Vertex, class Memory>
struct IsFree {
  Kokkos::View<const Vertex*, Memory> mate;
  KOKKOS_FUNCTION bool operator()(Vertex v) const { return mate(v) == no_vertex<Vertex>; }
};

/// Item u is row u of the matrix: in the graph of the square part, an arc to the row that each of its columns is
/// matched with.
template <class Vertex, class Memory>
struct MatchedArcs {
  static constexpr bool of_rows = true;
  CsrView<Vertex, Memory> graph;
  Kokkos::View<const Vertex*, Memory> mate;
  Kokkos::View<const Vertex*, Memory> index;  ///< by row: its number in the square part, or no_vertex
  Vertex num_rows;

  KOKKOS_FUNCTION Offset size() const { return num_rows; }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arc(Vertex u, Offset e, const F& f) const {
    if (u >= num_rows || index(u) == no_vertex<Vertex>) return;
    const Vertex row = mate(graph.neighbor(e));
    if (row == no_vertex<Vertex> || row == u) return;
    const Vertex to = index(row);
    if (to != no_vertex<Vertex>) f(index(u), to, e);
  }
};

/// Where alternating paths start.
template <class Vertex, class Memory>
struct StartParts {
  Kokkos::View<const Vertex*, Memory> queue;
  Kokkos::View<int*, Memory> part;
  Vertex num_rows;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    part(queue(i)) = queue(i) < num_rows ? over_part : under_part;
  }
};

template <class Vertex, class Memory>
struct WriteBlocks {
  Kokkos::View<const int*, Memory> part;
  Kokkos::View<const Vertex*, Memory> index, mate, place, component;
  Vertex behind;
  Kokkos::View<Vertex*, Memory> block;
  KOKKOS_FUNCTION void operator()(std::int64_t u) const {
    if (part(u) == under_part) {
      block(u) = 0;
    } else if (part(u) == square_part) {
      block(u) = 1 + place(component(index(u)));
    } else {
      block(u) = mate(u) == no_vertex<Vertex> ? behind + 1 : behind;
    }
  }
};

template <class Vertex, class Memory>
struct NumberSquareRows {
  Kokkos::View<const int*, Memory> part;
  Kokkos::View<Vertex*, Memory> index;
  KOKKOS_FUNCTION void operator()(std::int64_t u, Vertex& sum, bool final) const {
    const bool is_square = part(u) == square_part;
    if (final) index(u) = is_square ? sum : Vertex(no_vertex<Vertex>);
    sum += is_square;
  }
};

/// Keys that sort by a number first, then by place.
template <class T, class Memory>
struct WriteNumberKeys {
  Kokkos::View<const T*, Memory> first;
  Kokkos::View<std::uint64_t*, Memory> key;
  KOKKOS_FUNCTION void operator()(std::int64_t c) const {
    key(c) = static_cast<std::uint64_t>(first(c)) << 32 | static_cast<std::uint64_t>(c);
  }
};

template <class Vertex, class Memory>
struct WritePlaces {
  Kokkos::View<const std::uint64_t*, Memory> sorted;
  Kokkos::View<Vertex*, Memory> place;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { place(sorted(i) & 0xffffffffULL) = static_cast<Vertex>(i); }
};

template <class Vertex, class Memory>
struct WriteOrders {
  Kokkos::View<const std::uint64_t*, Memory> sorted;
  Kokkos::View<const Vertex*, Memory> mate;
  Vertex num_rows;
  std::int64_t num_free;
  Kokkos::View<Vertex*, Memory> row_order, column_order;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex row = static_cast<Vertex>(sorted(i) & 0xffffffffULL);
    row_order(i) = row;
    if (mate(row) != no_vertex<Vertex>) column_order(num_free + i) = mate(row) - num_rows;
  }
};

template <class Vertex, class Memory>
struct ListFreeColumns {
  Kokkos::View<const Vertex*, Memory> mate;
  Vertex num_rows;
  Kokkos::View<Vertex*, Memory> column_order;
  KOKKOS_FUNCTION void operator()(std::int64_t j, std::int64_t& sum, bool final) const {
    if (mate(num_rows + j) != no_vertex<Vertex>) return;
    if (final) column_order(sum) = static_cast<Vertex>(j);
    ++sum;
  }
};

template <class Vertex, class Memory>
struct FindSquareBegins {
  Kokkos::View<const Vertex*, Memory> row_order, block;
  Vertex num_under, num_free;
  Kokkos::View<Vertex*, Memory> row_begin, column_begin;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Vertex b = block(row_order(i));
    if (i > num_under && block(row_order(i - 1)) == b) return;
    row_begin(b) = static_cast<Vertex>(i);
    column_begin(b) = static_cast<Vertex>(i) + num_free;
  }
};

template <class Vertex, class Memory>
struct WriteOtherBegins {
  std::int64_t last;
  Vertex over, num_free, num_rows, num_columns;
  Kokkos::View<Vertex*, Memory> row_begin, column_begin;
  KOKKOS_FUNCTION void operator()(std::int64_t) const {
    row_begin(0) = column_begin(0) = 0;
    row_begin(last) = over;
    column_begin(last) = over + num_free;
    row_begin(last + 1) = num_rows;
    column_begin(last + 1) = num_columns;
  }
};

/// Finds the parts, the blocks of the square one, and the orders; memory of one call.
template <class Space, class Vertex, class Memory>
class BlockOrder {
 public:
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  using Ids = Kokkos::View<Vertex*, Memory>;

  BlockOrder(const Space& space, const BipartiteGraph<Vertex, Memory>& bipartite, const Ids& mate,
             const Strategy& strategy)
      : space_(space),
        bipartite_(bipartite),
        strategy_(strategy),
        mate_(mate),
        num_rows_(bipartite.num_rows),
        num_columns_(bipartite.num_columns()),
        part_("dromos::block_triangular_form::part", static_cast<std::size_t>(bipartite.graph.num_vertices())) {
    ensure_size(index_, static_cast<std::size_t>(num_rows_), "dromos::block_triangular_form::index");
    ensure_size(block_, static_cast<std::size_t>(num_rows_), "dromos::block_triangular_form::block");
  }

  /// part_ of every vertex.
  void find_parts(BlockTriangularStatistics& statistics) {
    const auto graph = bipartite_.graph.view();
    Frontier<Vertex, Memory> frontier(graph.num_vertices(), graph.num_edges());
    Frontier<Vertex, Memory> next(graph.num_vertices(), graph.num_edges());
    start_with(space_, graph, frontier, IsFree<Vertex, Memory>{mate_});
    const Vertex num_rows = num_rows_;
    for_range("dromos::block_triangular_form::free", space_, frontier.num_vertices(),
              StartParts<Vertex, Memory>{frontier.queue(), part_, num_rows});
    AlternateFromFree<Vertex, Memory> alternate{mate_, part_};
    SweepFusion<Memory> fusion;
    until_empty(space_, graph, frontier, next, alternate, strategy_, &fusion);
    statistics.num_under_rows = count(0, num_rows_, under_part);
    statistics.num_over_rows = count(0, num_rows_, over_part);
    statistics.num_square_rows = count(0, num_rows_, square_part);
    statistics.num_under_columns = count(num_rows_, graph.num_vertices(), under_part);
    statistics.num_over_columns = count(num_rows_, graph.num_vertices(), over_part);
  }

  std::int64_t count(std::int64_t first, std::int64_t last, int wanted) const {
    return count_equal("dromos::block_triangular_form::count", space_, part_, {first, last}, wanted);
  }

  /// block_ of every row: 0 in the under-determined part, then the square blocks in their order, then the matched rows
  /// of the over-determined part, then the free ones.
  void find_blocks(BlockTriangularStatistics& statistics) {
    number_square_rows();
    CsrGraph<Vertex, Memory> square;
    build_rows(space_, statistics.num_square_rows,
               MatchedArcs<Vertex, Memory>{bipartite_.graph.view(), mate_, index_, num_rows_},
               Kokkos::View<const float*, Memory>(), {}, square);
    SccScratch<Vertex, Memory> scratch(square, transpose(space_, square));
    SccResult<Vertex, Memory> components;
    SccOptions options;
    options.strategy = strategy_;
    const SccStatistics found = scc(space_, scratch, components, options);
    const Condensation<Vertex, Memory> condensed = condensation(space_, square, components.component);
    statistics.num_square_blocks = condensed.num_components();
    statistics.largest_square_block = found.components.largest_component;
    Kokkos::View<Level*, Memory> level;
    statistics.num_levels = topological_levels(space_, condensed.graph, level, {strategy_}).num_levels;
    const Ids place = order_by_level(level);
    for_range("dromos::block_triangular_form::blocks", space_, num_rows_,
              WriteBlocks<Vertex, Memory>{part_, index_, mate_, place, condensed.component,
                                          static_cast<Vertex>(condensed.num_components() + 1), block_});
  }

  /// index_: rows of the square part, in the order they have.
  void number_square_rows() {
    Kokkos::parallel_scan("dromos::block_triangular_form::number", Range(space_, 0, num_rows_),
                          NumberSquareRows<Vertex, Memory>{part_, index_});
  }

  /// By component: how many come before it by (level, number).
  Ids order_by_level(const Kokkos::View<Level*, Memory>& level) {
    const auto num = static_cast<std::int64_t>(level.extent(0));
    const Ids place(allocate("dromos::block_triangular_form::place"), level.extent(0));
    SortBuffers<std::uint64_t, Memory> keys = make_keys(num);
    for_range("dromos::block_triangular_form::level_keys", space_, num,
              WriteNumberKeys<Level, Memory>{level, keys.current});
    SortBuffers<Vertex, Memory> nothing;
    sort_by_key(space_, keys, nothing, 64);
    for_range("dromos::block_triangular_form::places", space_, num, WritePlaces<Vertex, Memory>{keys.current, place});
    return place;
  }

  /// Rows by (block, number), and after the free columns the columns in the order of their mates.
  void order(const BlockTriangularStatistics& statistics, const BlockTriangularForm<Vertex, Memory>& form) {
    SortBuffers<std::uint64_t, Memory> keys = make_keys(num_rows_);
    for_range("dromos::block_triangular_form::row_keys", space_, num_rows_,
              WriteNumberKeys<Vertex, Memory>{block_, keys.current});
    SortBuffers<Vertex, Memory> nothing;
    sort_by_key(space_, keys, nothing, 64);

    const auto column_order = form.column_order;
    const auto mate = mate_;
    const Vertex num_rows = num_rows_;
    const std::int64_t num_free = num_columns_ - statistics.num_matched;
    for_range("dromos::block_triangular_form::order", space_, num_rows_,
              WriteOrders<Vertex, Memory>{keys.current, mate, num_rows, num_free, form.row_order, column_order});
    Kokkos::parallel_scan("dromos::block_triangular_form::free_columns", Range(space_, 0, num_columns_),
                          ListFreeColumns<Vertex, Memory>{mate, num_rows, column_order});
    find_begins(statistics, form);
  }

  /// The first row of each square block is where the sorted rows change from one block to the next.
  void find_begins(const BlockTriangularStatistics& statistics, const BlockTriangularForm<Vertex, Memory>& form) {
    const auto row_begin = form.row_begin;
    const auto column_begin = form.column_begin;
    const Vertex num_free = static_cast<Vertex>(num_columns_ - statistics.num_matched);
    const Vertex num_under = static_cast<Vertex>(statistics.num_under_rows);
    const Vertex over = static_cast<Vertex>(statistics.num_under_rows + statistics.num_square_rows);
    for_range("dromos::block_triangular_form::square_begins", space_, {num_under, over},
              FindSquareBegins<Vertex, Memory>{form.row_order, block_, num_under, num_free, row_begin, column_begin});
    for_range("dromos::block_triangular_form::begins", space_, 1,
              WriteOtherBegins<Vertex, Memory>{statistics.num_square_blocks + 1, over, num_free, num_rows_,
                                               num_columns_, row_begin, column_begin});
    fence(space_, "dromos::block_triangular_form::end");
  }

 private:
  static auto allocate(const char* label) {
    return Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label));
  }

  SortBuffers<std::uint64_t, Memory> make_keys(std::int64_t count) const {
    const auto size = static_cast<std::size_t>(count);
    SortBuffers<std::uint64_t, Memory> keys;
    keys.current = Kokkos::View<std::uint64_t*, Memory>(allocate("dromos::block_triangular_form::keys"), size);
    if (!host_accessible<Memory>) {
      keys.spare = Kokkos::View<std::uint64_t*, Memory>(allocate("dromos::block_triangular_form::keys"), size);
    }
    return keys;
  }

  const Space space_;
  const BipartiteGraph<Vertex, Memory> bipartite_;
  const Strategy strategy_;
  const Ids mate_;
  const Vertex num_rows_, num_columns_;
  Kokkos::View<int*, Memory> part_;  ///< by vertex: BlockPart
  Ids index_, block_;                ///< by row
};

}  // namespace detail

/// Finds the block triangular form.
///
/// \param space    execution space instance; its memory space holds graph and form
/// \param matrix   its pattern, see bipartite_graph()
/// \param form     out: see BlockTriangularForm; arrays are sized on first use, and where the number of blocks changes
/// \param options  strategy
/// \throws ArgumentError as maximum_matching() does, and for 2^31 rows and columns or more
///
/// Cost: a maximum matching; the edges of the parts that are not square once more; the square part as a graph and its
/// transpose, their strongly connected components, and a sort of the rows. Memory of the call: the pattern twice, and
/// about 20 ids a row. Waits.
template <class Space, class Vertex, class Memory>
BlockTriangularStatistics block_triangular_form(const Space& space, const BipartiteGraph<Vertex, Memory>& matrix,
                                                BlockTriangularForm<Vertex, Memory>& form,
                                                const BlockTriangularOptions& options = {}) {
  static_assert(std::is_same_v<typename Space::memory_space, Memory>,
                "the matrix must lie in the memory space of the execution space");
  const ScopedRegion region("dromos::block_triangular_form");
  if (matrix.graph.num_vertices() > std::numeric_limits<std::int32_t>::max()) {
    throw ArgumentError("block_triangular_form: " + std::to_string(matrix.graph.num_vertices()) +
                        " rows and columns; it orders up to 2147483647");
  }
  const Kokkos::Timer timer;
  BlockTriangularStatistics statistics;
  MatchingOptions matching;
  matching.strategy = options.strategy;
  statistics.num_matched = maximum_matching(space, matrix, form.mate, matching).num_matched;
  detail::BlockOrder<Space, Vertex, Memory> order(space, matrix, form.mate, options.strategy);
  order.find_parts(statistics);
  order.find_blocks(statistics);
  const auto num_begins = static_cast<std::size_t>(statistics.num_square_blocks) + 3;
  detail::ensure_size(form.row_order, static_cast<std::size_t>(matrix.num_rows), "dromos::blocks::row_order");
  detail::ensure_size(form.column_order, static_cast<std::size_t>(matrix.num_columns()),
                      "dromos::blocks::column_order");
  detail::ensure_size(form.row_begin, num_begins, "dromos::blocks::row_begin");
  detail::ensure_size(form.column_begin, num_begins, "dromos::blocks::column_begin");
  order.order(statistics, form);
  statistics.seconds = timer.seconds();
  return statistics;
}

// Compiled once, in src/algorithms/block_triangular_form.cpp.
extern template BlockTriangularStatistics block_triangular_form(
    const Kokkos::DefaultExecutionSpace&,
    const BipartiteGraph<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    BlockTriangularForm<std::int32_t, Kokkos::DefaultExecutionSpace::memory_space>&, const BlockTriangularOptions&);
extern template BlockTriangularStatistics block_triangular_form(
    const Kokkos::DefaultExecutionSpace&,
    const BipartiteGraph<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&,
    BlockTriangularForm<std::int64_t, Kokkos::DefaultExecutionSpace::memory_space>&, const BlockTriangularOptions&);

}  // namespace dromos
