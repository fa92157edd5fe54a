// SPDX-License-Identifier: BSD-3-Clause
// Orders for Tpetra matrices: reverse Cuthill-McKee, a zero-free diagonal, the block triangular form.
//
//   const auto found = dromos::tpetra::rcm(matrix, parameters.sublist("rcm"));
//   const auto form = dromos::tpetra::block_triangular_form(matrix);
//   const auto triangular = dromos::tpetra::reindexed(matrix, form.rows, form.columns);   // interop/tpetra_reindex.hpp
//
// Each takes a Tpetra::CrsMatrix or Tpetra::CrsGraph that is fill-complete; entry (i, j) counts whatever its value.
// Rows are the global indices of its range map, columns those of its domain map, which may begin anywhere and have
// gaps.
//
// The algorithms are those of one node (algorithms/): the pattern of all ranks is gathered on the first, and the answer
// dealt out again as maps and vectors; `how` says so. Only rcm() has a form that gathers nothing: Where::local orders
// the rows of each rank by themselves, which is what matters to a preconditioner that factors them by themselves.
//
//   parameter "options"   a sublist, read by teuchos::read_options: that of RcmOptions, MatchingOptions, ...
//   parameter "where"     of rcm: gathered or local
#pragma once

#include <Teuchos_ParameterList.hpp>
#include <Teuchos_RCP.hpp>
#include <cstdint>
#include <dromos/algorithms/bandwidth.hpp>
#include <dromos/algorithms/block_triangular_form.hpp>
#include <dromos/algorithms/maximum_matching.hpp>
#include <dromos/algorithms/rcm.hpp>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/graph/symmetric_pattern.hpp>
#include <dromos/interop/tpetra_gathered.hpp>
#include <dromos/interop/tpetra_local.hpp>
#include <dromos/interop/tpetra_names.hpp>
#include <dromos/interop/tpetra_options.hpp>
#include <dromos/interop/tpetra_reindex.hpp>
#include <string>
#include <vector>

namespace dromos::tpetra {

/// Which rows an order is one of.
enum class Where {
  gathered,  ///< all, on the first rank
  local      ///< each rank's own by themselves; entries in columns of other ranks are left out
};

/// Where::gathered or Where::local by name; throws ArgumentError for another.
inline Where where_from_name(const std::string& name) {
  if (name == "gathered") return Where::gathered;
  if (name == "local") return Where::local;
  throw ArgumentError("an order is found where its rows are gathered, or local: there is no '" + name + "'" +
                      choice_hint(name, {"gathered", "local"}));
}

/// What rcm() found; alike on every rank but for what lies on maps.
template <class Matrix>
struct Reordering {
  OrderingOf<Matrix> ordering;  ///< of rows and columns
  /// Of A + A^T, rows in ascending order and in the new one. Of Where::local the largest bandwidth of a rank's block,
  /// and the profiles of all of them together.
  std::int64_t bandwidth_before = 0, bandwidth_after = 0;
  std::int64_t profile_before = 0, profile_after = 0;
  std::int64_t num_components = 0;  ///< of Where::local those of each rank's block, together
};

namespace detail {

/// Every element is its own number.
template <class Memory>
struct NumberElements {
  Kokkos::View<std::int32_t*, Memory> number;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { number(i) = static_cast<std::int32_t>(i); }
};

/// Orders the pattern of A + A^T of a graph, and measures it before and after. Returns vertices by place.
template <class Matrix, class Memory>
std::vector<std::int32_t> order_rows(const CsrGraph<std::int32_t, Memory>& rows, const RcmOptions& options,
                                     Reordering<Matrix>& found) {
  using Space = Kokkos::DefaultExecutionSpace;
  const Space space;
  const SymmetricPattern<std::int32_t, Memory> graph(space, rows);
  RcmResult<std::int32_t, Memory> result;
  found.num_components = dromos::rcm(space, graph, result, options).num_components;
  const Kokkos::View<std::int32_t*, Memory> as_it_is("dromos::tpetra::as_it_is",
                                                     static_cast<std::size_t>(graph.num_vertices()));
  for_range("dromos::tpetra::as_it_is", space, graph.num_vertices(), NumberElements<Memory>{as_it_is});
  fence(space, "dromos::tpetra::as_it_is");
  found.bandwidth_before = bandwidth(space, graph, as_it_is, options.strategy);
  found.profile_before = profile(space, graph, as_it_is, options.strategy);
  found.bandwidth_after = bandwidth(space, graph, result.new_id, options.strategy);
  found.profile_after = profile(space, graph, result.new_id, options.strategy);
  return on_host(result.old_id);
}

template <class Matrix>
Reordering<Matrix> rcm_gathered(const Matrix& matrix, const RcmOptions& options) {
  GatheredPattern<Matrix> pattern(matrix);
  Reordering<Matrix> found;
  std::vector<std::int32_t> by_place;
  on_all_ranks(pattern.communicator(), [&] {
    if (pattern.is_here()) by_place = order_rows(pattern.take_graph("rcm", true), options, found);
  });
  std::int64_t numbers[] = {found.bandwidth_before, found.bandwidth_after, found.profile_before, found.profile_after,
                            found.num_components};
  broadcast_in_place(pattern.communicator(), numbers, 5, 0);
  found.bandwidth_before = numbers[0];
  found.bandwidth_after = numbers[1];
  found.profile_before = numbers[2];
  found.profile_after = numbers[3];
  found.num_components = numbers[4];
  found.ordering = make_ordering(pattern.communicator(), pattern.rows(), by_place, GatheredPattern<Matrix>::how);
  return found;
}

template <class Matrix>
Reordering<Matrix> rcm_local(const Matrix& matrix, const RcmOptions& options) {
  using Global = GlobalIndexOf<Matrix>;
  const auto map = dromos::detail::pattern_of(matrix).getRowMap();
  const auto communicator = teuchos::make_communicator(*map->getComm());
  Reordering<Matrix> found;
  const auto by_place = on_all_ranks(communicator, [&] {
    return with_own_graph(matrix, [&](const auto& rows) { return order_rows(rows, options, found); });
  });
  std::int64_t largest[] = {found.bandwidth_before, found.bandwidth_after};
  std::int64_t sums[] = {found.profile_before, found.profile_after, found.num_components};
  max_in_place(communicator, largest, 2);
  sum_in_place(communicator, sums, 3);
  found.bandwidth_before = largest[0];
  found.bandwidth_after = largest[1];
  found.profile_before = sums[0];
  found.profile_after = sums[1];
  found.num_components = sums[2];
  const HostArray<Global> order("dromos::tpetra::order", by_place.size());
  for (std::size_t i = 0; i < by_place.size(); ++i) {
    order(i) = map->getGlobalElement(static_cast<LocalIndexOf<Matrix>>(by_place[i]));
  }
  make_maps(*map, order, found.ordering);
  const auto place = Teuchos::rcp(new IndexVectorOf<Matrix>(map));
  const auto values = place->getDataNonConst();
  for (std::size_t i = 0; i < by_place.size(); ++i) {
    values[by_place[i]] = found.ordering.places->getGlobalElement(static_cast<LocalIndexOf<Matrix>>(i));
  }
  found.ordering.place = place;
  found.ordering.how = "local: each rank ordered its own rows, without entries in columns of other ranks";
  return found;
}

}  // namespace detail

/// The reverse Cuthill-McKee order of a matrix' rows, and with them its columns, by the pattern of A + A^T. Collective.
///
/// \param matrix   square, rows and columns the same global indices (Where::local: only the row map is looked at)
/// \param options  as of rcm() on a node (algorithms/rcm.hpp, which names the sources)
/// \param where    gathered: one order of all rows. local: one for each rank's rows, who keeps them; of an overlapping
///                 row map it is one for each rank's rows, too, but no matrix can be reindexed by it
/// \returns the ordering, on the range map (local: on the row map), with bandwidth and profile before and after
/// \throws ArgumentError on every rank for a matrix that is not fill-complete or not square, and for options that
///         rcm() does not take
/// Cost: gathered: the pattern travels to the first rank, a global index an entry, which needs 12 to 16 bytes an entry
/// meanwhile. local: where all columns of a rank are its rows, these are ordered where they lie, and beside them only
/// what A^T has more is kept; elsewhere the entries inside of the rank are once more in memory. Only the maps of the
/// result and five sums communicate.
template <class Matrix>
Reordering<Matrix> rcm(const Matrix& matrix, const RcmOptions& options = {}, Where where = Where::gathered) {
  const ScopedRegion region("dromos::tpetra::rcm");
  return where == Where::local ? detail::rcm_local(matrix, options) : detail::rcm_gathered(matrix, options);
}

/// The same with its parameters in a list: "where", and the sublist "options" with those of RcmOptions.
template <class Matrix>
Reordering<Matrix> rcm(const Matrix& matrix, const Teuchos::ParameterList& list) {
  detail::check_parameters(list, {"where", "options"});
  Where where = Where::gathered;
  if (list.isParameter("where")) {
    if (!list.isType<std::string>("where")) {
      throw ArgumentError("parameter 'where' of '" + list.name() + "' must be a string, gathered or local");
    }
    where = where_from_name(list.get<std::string>("where"));
  }
  return rcm(matrix, detail::algorithm_options<RcmOptions>(list), where);
}

/// What maximum_matching() found.
template <class Matrix>
struct Matching {
  /// On the domain map: the row that each column is matched with, as a global index; -1 where it has none.
  Teuchos::RCP<const IndexVectorOf<Matrix>> row_of_column;
  /// On the range map: the column that each row is matched with, or -1.
  Teuchos::RCP<const IndexVectorOf<Matrix>> column_of_row;
  std::int64_t num_matched = 0;  ///< the structural rank
  std::int64_t num_rows = 0, num_columns = 0;
  std::string how;

  /// Can the rows and columns be ordered so that there is an entry in every place of the diagonal?
  bool has_zero_free_diagonal() const { return num_matched == num_rows && num_matched == num_columns; }
};

namespace detail {

/// A matching on the first rank, dealt out. Collective.
///
/// \param mate  on the first rank: by vertex of the bipartite graph
template <class Matrix>
Matching<Matrix> deal_out_matching(const GatheredPattern<Matrix>& pattern, const std::vector<std::int32_t>& mate,
                                   std::int64_t num_matched) {
  using Global = GlobalIndexOf<Matrix>;
  const auto num_rows = static_cast<std::size_t>(pattern.rows().size());
  std::vector<Global> column_of_row, row_of_column;
  for (std::size_t v = 0; v < mate.size(); ++v) {
    const bool is_row = v < num_rows;
    const std::int64_t other = mate[v];
    const Global index = other < 0 ? Global(-1)
                         : is_row  ? pattern.columns().index(other - static_cast<std::int64_t>(num_rows))
                                   : pattern.rows().index(other);
    (is_row ? column_of_row : row_of_column).push_back(index);
  }
  Matching<Matrix> matching;
  matching.num_matched = num_matched;
  broadcast_in_place(pattern.communicator(), &matching.num_matched, 1, 0);
  matching.num_rows = static_cast<std::int64_t>(pattern.rows().map()->getGlobalNumElements());
  matching.num_columns = static_cast<std::int64_t>(pattern.columns().map()->getGlobalNumElements());
  matching.column_of_row = pattern.rows().deal_out(pattern.communicator(), column_of_row);
  matching.row_of_column = pattern.columns().deal_out(pattern.communicator(), row_of_column);
  matching.how = GatheredPattern<Matrix>::how;
  return matching;
}

}  // namespace detail

/// A maximum matching of the rows and columns of a matrix, square or not. Collective.
///
/// \param options  as of maximum_matching() on a node (algorithms/maximum_matching.hpp, which names the sources). Which
///                 of several maximum matchings it is depends on races
/// \throws ArgumentError on every rank for a matrix that is not fill-complete, and where rows and columns together are
///         2^31 or more
/// Cost: the pattern travels to the first rank, a global index an entry, which needs 12 to 16 bytes an entry meanwhile.
template <class Matrix>
Matching<Matrix> maximum_matching(const Matrix& matrix, const MatchingOptions& options = {}) {
  const ScopedRegion region("dromos::tpetra::maximum_matching");
  detail::GatheredPattern<Matrix> pattern(matrix);
  std::vector<std::int32_t> mate;
  std::int64_t num_matched = 0;
  on_all_ranks(pattern.communicator(), [&] {
    if (!pattern.is_here()) return;
    Kokkos::View<std::int32_t*, typename detail::GatheredPattern<Matrix>::Memory> found;
    num_matched =
        dromos::maximum_matching(Kokkos::DefaultExecutionSpace(), pattern.take_bipartite_graph(), found, options)
            .num_matched;
    mate = detail::on_host(found);
  });
  return detail::deal_out_matching(pattern, mate, num_matched);
}

/// The same with the options in the sublist "options".
template <class Matrix>
Matching<Matrix> maximum_matching(const Matrix& matrix, const Teuchos::ParameterList& list) {
  detail::check_parameters(list, {"options"});
  return maximum_matching(matrix, detail::algorithm_options<MatchingOptions>(list));
}

/// What block_triangular_form() found: see BlockTriangularForm. Block 0 is the under-determined part, the last one the
/// over-determined part, and either may be empty; those between are square.
template <class Matrix>
struct BlockForm {
  OrderingOf<Matrix> rows, columns;
  /// On every rank, num_blocks() + 1 each: the new index of the first row (column) of each block, and behind the last.
  std::vector<GlobalIndexOf<Matrix>> row_begin, column_begin;
  Matching<Matrix> matching;             ///< what the form was found by; in a square block it is the diagonal
  BlockTriangularStatistics statistics;  ///< numbers and sizes of the parts, on every rank

  std::int64_t num_blocks() const { return static_cast<std::int64_t>(row_begin.size()) - 1; }
  /// Is the matrix square, and is there a zero-free diagonal? Then block 0 and the last one are empty.
  bool is_structurally_nonsingular() const { return matching.has_zero_free_diagonal(); }
};

/// The block triangular form of a matrix, square or not, structurally singular or not: orders of its rows and columns
/// in which nothing is left of the diagonal blocks. Collective.
///
/// \param options  as of block_triangular_form() on a node (algorithms/block_triangular_form.hpp, which names sources)
/// \returns orders of the range map and of the domain map; reindexed(matrix, form.rows, form.columns) is the form
/// \throws ArgumentError on every rank for a matrix that is not fill-complete, and where rows and columns together are
///         2^31 or more
/// Cost: the pattern travels to the first rank, a global index an entry, which needs 12 to 16 bytes an entry meanwhile.
template <class Matrix>
BlockForm<Matrix> block_triangular_form(const Matrix& matrix, const BlockTriangularOptions& options = {}) {
  using Global = GlobalIndexOf<Matrix>;
  const ScopedRegion region("dromos::tpetra::block_triangular_form");
  detail::GatheredPattern<Matrix> pattern(matrix);
  const Communicator& communicator = pattern.communicator();
  BlockForm<Matrix> form;
  std::vector<std::int32_t> row_order, column_order, mate;
  on_all_ranks(communicator, [&] {
    if (!pattern.is_here()) return;
    BlockTriangularForm<std::int32_t, typename detail::GatheredPattern<Matrix>::Memory> found;
    form.statistics =
        dromos::block_triangular_form(Kokkos::DefaultExecutionSpace(), pattern.take_bipartite_graph(), found, options);
    row_order = detail::on_host(found.row_order);
    column_order = detail::on_host(found.column_order);
    mate = detail::on_host(found.mate);
    const Global row_base = pattern.rows().map()->getIndexBase();
    const Global column_base = pattern.columns().map()->getIndexBase();
    for (const std::int32_t begin : detail::on_host(found.row_begin)) form.row_begin.push_back(row_base + begin);
    for (const std::int32_t begin : detail::on_host(found.column_begin)) {
      form.column_begin.push_back(column_base + begin);
    }
  });
  detail::broadcast(communicator, form.row_begin);
  detail::broadcast(communicator, form.column_begin);
  broadcast_in_place(communicator, &form.statistics, 1, 0);
  const char* const how = detail::GatheredPattern<Matrix>::how;
  form.rows = detail::make_ordering(communicator, pattern.rows(), row_order, how);
  form.columns = detail::make_ordering(communicator, pattern.columns(), column_order, how);
  form.matching = detail::deal_out_matching(pattern, mate, form.statistics.num_matched);
  return form;
}

/// The same with the options in the sublist "options".
template <class Matrix>
BlockForm<Matrix> block_triangular_form(const Matrix& matrix, const Teuchos::ParameterList& list) {
  detail::check_parameters(list, {"options"});
  return block_triangular_form(matrix, detail::algorithm_options<BlockTriangularOptions>(list));
}

}  // namespace dromos::tpetra
