// SPDX-License-Identifier: BSD-3-Clause
// What solvers ask of the graph of a Tpetra matrix: roots of aggregates, colors, and which rows can be worked on at
// once.
//
//   mis2(matrix)            a maximal independent set at distance 2: roots of aggregates
//   color_vertices(matrix)  rows of one color have no entry between them: multicolor Gauss-Seidel
//   condensation(matrix)    strongly connected components and their levels: what a sweep has to solve together, and
//                           what it can work on at once
//   feedback_edges(matrix)  entries without which no row depends on itself: where a sweep cuts its cycles
//
// Each takes a square Tpetra::CrsMatrix or Tpetra::CrsGraph that is fill-complete, whose rows and columns are the same
// global indices; entry (i, j) counts whatever its value. mis2 and color_vertices look at A + A^T without its diagonal.
//
// The algorithms are those of one node (algorithms/): the pattern of all ranks is gathered on the first, and the answer
// dealt out again as vectors on the range map; `how` says so. Parameters as in interop/tpetra_orders.hpp.
#pragma once

#include <Teuchos_ParameterList.hpp>
#include <Teuchos_RCP.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/coloring.hpp>
#include <dromos/algorithms/condensation.hpp>
#include <dromos/algorithms/feedback_edges.hpp>
#include <dromos/algorithms/mis2.hpp>
#include <dromos/algorithms/scc.hpp>
#include <dromos/algorithms/topological_levels.hpp>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/graph/symmetric_pattern.hpp>
#include <dromos/graph/transpose.hpp>
#include <dromos/interop/tpetra_gathered.hpp>
#include <dromos/interop/tpetra_names.hpp>
#include <dromos/interop/tpetra_options.hpp>
#include <string>
#include <utility>
#include <vector>

namespace dromos::tpetra {

/// A set of rows.
template <class Matrix>
struct RowSet {
  Teuchos::RCP<const IndexVectorOf<Matrix>> is_member;  ///< on the range map: 1 for members, 0 for others
  std::int64_t num_members = 0;
  std::string how;
};

/// A color for each row.
template <class Matrix>
struct RowColors {
  Teuchos::RCP<const IndexVectorOf<Matrix>> color;  ///< on the range map: from 0 on
  std::int64_t num_colors = 0;
  std::string how;
};

/// The strongly connected components of the rows, and the graph between them by its levels.
template <class Matrix>
struct RowComponents {
  /// On the range map: the component of each row, from 0 on in the order of their smallest global index.
  Teuchos::RCP<const IndexVectorOf<Matrix>> component;
  /// On the range map: the level of the row's component. An entry (i, j) between two components leads to a higher
  /// level; components of one level have no entry between them.
  Teuchos::RCP<const IndexVectorOf<Matrix>> level;
  std::int64_t num_components = 0;
  std::int64_t num_levels = 0;
  std::int64_t largest_component = 0;  ///< rows; above 1 there are cycles
  std::string how;
};

/// Entries without which the pattern has no cycle.
template <class Matrix>
struct CutEntries {
  using Global = GlobalIndexOf<Matrix>;

  /// Of the rows of this rank, by the range map: row and column of each entry, ascending.
  std::vector<std::pair<Global, Global>> entries;
  std::int64_t num_entries = 0;  ///< of all ranks
  std::int64_t num_inside = 0;   ///< entries of all ranks that could be on a cycle
  std::string how;
};

namespace detail {

template <class Global, class T>
std::vector<Global> widen(const std::vector<T>& values) {
  return std::vector<Global>(values.begin(), values.end());
}

/// f(pattern of A + A^T, values by row) on the first rank, and the values on the range map. Collective.
template <class Matrix, class F>
Teuchos::RCP<IndexVectorOf<Matrix>> of_symmetric_pattern(const Matrix& matrix, const char* caller, const F& f,
                                                         std::int64_t& number) {
  using Memory = typename GatheredPattern<Matrix>::Memory;
  GatheredPattern<Matrix> pattern(matrix);
  std::vector<std::int32_t> values;
  on_all_ranks(pattern.communicator(), [&] {
    if (!pattern.is_here()) return;
    const SymmetricPattern<std::int32_t, Memory> symmetric(Kokkos::DefaultExecutionSpace(),
                                                           pattern.take_graph(caller, true));
    Kokkos::View<std::int32_t*, Memory> found;
    number = f(symmetric, found);
    values = on_host(found);
  });
  broadcast_in_place(pattern.communicator(), &number, 1, 0);
  return pattern.rows().deal_out(pattern.communicator(), widen<GlobalIndexOf<Matrix>>(values));
}

}  // namespace detail

/// A maximal independent set at distance 2 of the rows: no two members within two entries of each other, and every
/// other row is near one. Collective.
///
/// \param options  as of mis2() on a node (algorithms/mis2.hpp, which names the sources). The set depends on pattern
/// and
///                 seed alone
/// \throws ArgumentError on every rank for a matrix that is not fill-complete or not square
/// Cost: the pattern travels to the first rank, a global index an entry, which needs 12 to 16 bytes an entry meanwhile.
template <class Matrix>
RowSet<Matrix> mis2(const Matrix& matrix, const Mis2Options& options = {}) {
  const ScopedRegion region("dromos::tpetra::mis2");
  RowSet<Matrix> set;
  set.is_member = detail::of_symmetric_pattern(
      matrix, "mis2",
      [&](const auto& graph, auto& member) {
        return dromos::mis2(Kokkos::DefaultExecutionSpace(), graph, member, options).num_members;
      },
      set.num_members);
  set.how = detail::GatheredPattern<Matrix>::how;
  return set;
}

/// The same with the options in the sublist "options".
template <class Matrix>
RowSet<Matrix> mis2(const Matrix& matrix, const Teuchos::ParameterList& list) {
  detail::check_parameters(list, {"options"});
  return mis2(matrix, detail::algorithm_options<Mis2Options>(list));
}

/// A distance-1 coloring of the rows. Collective.
///
/// \param options  as of color_vertices() on a node (algorithms/coloring.hpp, which names the sources). The colors
///                 depend on pattern and seed alone
/// \throws ArgumentError on every rank for a matrix that is not fill-complete or not square
/// Cost: as mis2().
template <class Matrix>
RowColors<Matrix> color_vertices(const Matrix& matrix, const ColoringOptions& options = {}) {
  const ScopedRegion region("dromos::tpetra::color_vertices");
  RowColors<Matrix> colors;
  colors.color = detail::of_symmetric_pattern(
      matrix, "color_vertices",
      [&](const auto& graph, auto& color) {
        return dromos::color_vertices(Kokkos::DefaultExecutionSpace(), graph, color, options).num_colors;
      },
      colors.num_colors);
  colors.how = detail::GatheredPattern<Matrix>::how;
  return colors;
}

/// The same with the options in the sublist "options".
template <class Matrix>
RowColors<Matrix> color_vertices(const Matrix& matrix, const Teuchos::ParameterList& list) {
  detail::check_parameters(list, {"options"});
  return color_vertices(matrix, detail::algorithm_options<ColoringOptions>(list));
}

/// The strongly connected components of the rows, where entry (i, j) leads from row i to row j, and the levels of the
/// graph between them. Collective.
///
/// \param options  as of scc() on a node (algorithms/scc.hpp, which names the sources)
/// \throws ArgumentError on every rank for a matrix that is not fill-complete or not square
/// Cost: the pattern travels to the first rank, a global index an entry, which needs 12 to 16 bytes an entry meanwhile.
template <class Matrix>
RowComponents<Matrix> condensation(const Matrix& matrix, const SccOptions& options = {}) {
  using Space = Kokkos::DefaultExecutionSpace;
  using Memory = Space::memory_space;
  using Global = GlobalIndexOf<Matrix>;
  const ScopedRegion region("dromos::tpetra::condensation");
  detail::GatheredPattern<Matrix> pattern(matrix);
  RowComponents<Matrix> found;
  std::vector<std::int32_t> component;
  std::vector<Level> level_of_component;
  on_all_ranks(pattern.communicator(), [&] {
    if (!pattern.is_here()) return;
    const Space space;
    const auto graph = pattern.take_graph("condensation", true);
    SccScratch<std::int32_t, Memory> scratch(graph, transpose(space, graph));
    SccResult<std::int32_t, Memory> result;
    found.largest_component = scc(space, scratch, result, options).components.largest_component;
    const auto condensed = dromos::condensation(space, graph, result.component);
    Kokkos::View<Level*, Memory> level;
    found.num_components = condensed.num_components();
    found.num_levels = topological_levels(space, condensed.graph, level, {options.strategy}).num_levels;
    component = detail::on_host(condensed.component);
    level_of_component = detail::on_host(level);
  });
  std::int64_t numbers[] = {found.num_components, found.num_levels, found.largest_component};
  broadcast_in_place(pattern.communicator(), numbers, 3, 0);
  found.num_components = numbers[0];
  found.num_levels = numbers[1];
  found.largest_component = numbers[2];
  std::vector<Global> level;
  for (const std::int32_t c : component) level.push_back(level_of_component[static_cast<std::size_t>(c)]);
  found.component = pattern.rows().deal_out(pattern.communicator(), detail::widen<Global>(component));
  found.level = pattern.rows().deal_out(pattern.communicator(), level);
  found.how = detail::GatheredPattern<Matrix>::how;
  return found;
}

/// The same with the options in the sublist "options": those of SccOptions.
template <class Matrix>
RowComponents<Matrix> condensation(const Matrix& matrix, const Teuchos::ParameterList& list) {
  detail::check_parameters(list, {"options"});
  return condensation(matrix, detail::algorithm_options<SccOptions>(list));
}

/// A set of entries without which the pattern has no cycle, where entry (i, j) leads from row i to row j: as few as a
/// heuristic finds. The diagonal is not looked at. Collective.
///
/// \param options  as of feedback_edges() on a node (algorithms/feedback_edges.hpp, which names the sources). The set
///                 depends on pattern and options alone
/// \throws ArgumentError on every rank for a matrix that is not fill-complete or not square
/// Cost: as condensation(), and every rank is told the whole set, two global indices an entry.
template <class Matrix>
CutEntries<Matrix> feedback_edges(const Matrix& matrix, const FeedbackOptions& options = {}) {
  using Space = Kokkos::DefaultExecutionSpace;
  using Memory = Space::memory_space;
  using Global = GlobalIndexOf<Matrix>;
  const ScopedRegion region("dromos::tpetra::feedback_edges");
  detail::GatheredPattern<Matrix> pattern(matrix);
  CutEntries<Matrix> cut;
  std::vector<Global> ends;  // row and column of each entry in turn
  on_all_ranks(pattern.communicator(), [&] {
    if (!pattern.is_here()) return;
    const auto graph = pattern.take_graph("feedback_edges", true);
    Kokkos::View<Offset*, Memory> found;
    cut.num_inside = dromos::feedback_edges(Space(), graph, found, options).num_inside;
    const auto row_map = detail::on_host(graph.row_map);
    const auto columns = detail::on_host(graph.entries);
    for (const Offset e : detail::on_host(found)) {
      const auto row = std::upper_bound(row_map.begin(), row_map.end(), e) - row_map.begin() - 1;
      ends.push_back(pattern.rows().index(row));
      ends.push_back(pattern.columns().index(columns[static_cast<std::size_t>(e)]));
    }
  });
  detail::broadcast(pattern.communicator(), ends);
  broadcast_in_place(pattern.communicator(), &cut.num_inside, 1, 0);
  cut.num_entries = static_cast<std::int64_t>(ends.size()) / 2;
  for (std::size_t i = 0; i < ends.size(); i += 2) {
    if (pattern.rows().map()->isNodeGlobalElement(ends[i])) cut.entries.emplace_back(ends[i], ends[i + 1]);
  }
  cut.how = detail::GatheredPattern<Matrix>::how;
  return cut;
}

/// The same with the options in the sublist "options": those of FeedbackOptions.
template <class Matrix>
CutEntries<Matrix> feedback_edges(const Matrix& matrix, const Teuchos::ParameterList& list) {
  detail::check_parameters(list, {"options"});
  return feedback_edges(matrix, detail::algorithm_options<FeedbackOptions>(list));
}

}  // namespace dromos::tpetra
