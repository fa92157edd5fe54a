// SPDX-License-Identifier: BSD-3-Clause
// Are the subdomains of a distributed matrix connected?
//
//   const auto parts = dromos::tpetra::components_of_parts(matrix);             // part r: the rows of rank r
//   if (!parts.all_connected()) std::cerr << parts.message() << "\n";
//   "2 of 8 parts are disconnected: part 3 (3 pieces, largest 410 of 512 rows), part 5 (2 pieces, largest 511 of 512
//   rows)"
//
//   components_of_parts(matrix, part)     the parts are those that a vector gives each row, wherever rows lie
//
// Two rows of a part are joined by an entry between them, in either direction and of whatever value; rows are global
// indices, and may begin anywhere and have gaps. The rows of a rank are looked at by that rank alone. Parts of a vector
// may have rows on many ranks: their entries become a distributed graph (distributed/by_vertices/graph_1d.hpp), of
// which each rank searches its part, and nothing is gathered on one rank.
#pragma once

#include <Teuchos_Array.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_Import.hpp>
#include <Tpetra_Vector.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/components_of_parts.hpp>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <dromos/distributed/parts/part_algorithms.hpp>
#include <dromos/interop/tpetra_gathered.hpp>
#include <dromos/interop/tpetra_local.hpp>
#include <dromos/interop/tpetra_names.hpp>
#include <dromos/interop/tpetra_options.hpp>
#include <dromos/teuchos/communicator.hpp>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

namespace dromos::tpetra {

/// The parts of a matrix, alike on every rank.
struct PartsOfRows : ComponentsOfParts {
  std::string how;  ///< where they were searched, for people to read

  /// For people to read; the first `most` disconnected parts.
  std::string message(std::int64_t most = 8) const { return ComponentsOfParts::message("rows", most); }
};

namespace detail {

/// An item for each element of an array, to the rank that another array names.
template <class T>
struct ItemsToRanks {
  HostArray<const T> item;
  HostArray<const int> rank;

  KOKKOS_FUNCTION std::int64_t size() const { return static_cast<std::int64_t>(item.extent(0)); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void items(std::int64_t i, const F& f) const {
    f(rank(i), item(i));
  }
};

/// Sends items to ranks; returns what arrived. Collective.
template <class T>
HostArray<T> send_items(const Communicator& communicator, const std::vector<T>& items, const std::vector<int>& ranks) {
  const HostArray<T> item("dromos::tpetra::items", items.size());
  const HostArray<int> rank("dromos::tpetra::ranks", ranks.size());
  std::copy(items.begin(), items.end(), item.data());
  std::copy(ranks.begin(), ranks.end(), rank.data());
  return ship<T>(communicator, HostSpace(), ItemsToRanks<T>{item, rank}).items;
}

/// The rows of a distributed matrix numbered one rank's behind the other's, by row and by column of this rank.
struct RowNumbers {
  std::int64_t num_all = 0, first = 0;
  std::vector<std::int64_t> of_column;
};

/// Collective. \throws ArgumentError on every rank where a column is no row, or a row is on two ranks
template <class Graph>
RowNumbers number_rows(const Communicator& communicator, const Graph& graph) {
  const auto& rows = *graph.getRowMap();
  if (!is_one_to_one(rows)) {
    throw ArgumentError("components_of_parts: rows of the matrix are on several ranks; each needs one");
  }
  RowNumbers numbers;
  std::vector<std::int64_t> first_of;
  for (const std::int64_t size : gather_counts(communicator, num_local_elements(rows))) {
    first_of.push_back(numbers.num_all);
    numbers.num_all += size;
  }
  numbers.first = first_of[static_cast<std::size_t>(communicator.rank())];
  const auto columns = local_elements(*graph.getColMap());
  Teuchos::Array<int> rank(columns.size());
  Teuchos::Array<typename Graph::local_ordinal_type> local(columns.size());
  rows.getRemoteIndexList(columns, rank(), local());
  on_all_ranks(communicator, [&] {
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(columns.size()); ++i) {
      if (rank[i] < 0) {
        throw ArgumentError("components_of_parts: the rows and columns of a graph are the same, and column " +
                            std::to_string(columns[i]) + " is no row of this matrix");
      }
      numbers.of_column.push_back(first_of[static_cast<std::size_t>(rank[i])] + local[i]);
    }
  });
  return numbers;
}

/// The part of a vertex, on its way to the owner of the vertex.
struct VertexPart {
  std::int64_t local, part;
};
/// Some vertices of a piece, on their way to the owner of the vertex that names it.
struct PieceVertices {
  std::int64_t name, part, num_vertices;
};

/// The pieces of all parts, from what each rank knows of its vertices. Collective.
///
/// \param name  by own vertex: the vertex that names its piece
/// \param part  by own vertex
inline std::vector<PartPieces> count_pieces(const Communicator& communicator, const Partition1d& partition,
                                            const std::vector<std::int64_t>& name,
                                            const std::vector<std::int64_t>& part) {
  std::map<std::int64_t, PieceVertices> own;
  for (std::size_t v = 0; v < part.size(); ++v) {
    if (part[v] < 0) continue;
    ++own.try_emplace(name[v], PieceVertices{name[v], part[v], 0}).first->second.num_vertices;
  }
  std::vector<PieceVertices> items;
  std::vector<int> ranks;
  for (const auto& [vertex, piece] : own) {
    items.push_back(piece);
    ranks.push_back(partition.place(vertex).rank);
  }
  const auto arrived = send_items(communicator, items, ranks);
  std::map<std::int64_t, PieceVertices> pieces;
  for (std::size_t i = 0; i < arrived.extent(0); ++i) {
    const PieceVertices& some = arrived(i);
    pieces.try_emplace(some.name, PieceVertices{some.name, some.part, 0}).first->second.num_vertices +=
        some.num_vertices;
  }
  const auto add = [](std::map<std::int64_t, PartPieces>& parts, const PartPieces& some) {
    PartPieces& all = parts.try_emplace(some.part, PartPieces{some.part, 0, 0, 0}).first->second;
    all.num_vertices += some.num_vertices;
    all.num_pieces += some.num_pieces;
    all.largest = std::max(all.largest, some.largest);
  };
  std::map<std::int64_t, PartPieces> named_here, all;
  for (const auto& [vertex, piece] : pieces) {
    add(named_here, {piece.part, piece.num_vertices, 1, piece.num_vertices});
  }
  std::vector<PartPieces> here, result;
  for (const auto& [number, each] : named_here) here.push_back(each);
  for (const PartPieces& each : gather_values(communicator, here)) add(all, each);
  for (const auto& [number, each] : all) result.push_back(each);
  return result;
}

/// The entries between rows of one part, as edges between row numbers. Not collective.
template <class Graph, class PartOfRow, class PartOfColumn>
EdgeList<std::int64_t, Kokkos::HostSpace> edges_inside(const Graph& graph, const RowNumbers& numbers,
                                                       const PartOfRow& part_of_row,
                                                       const PartOfColumn& part_of_column) {
  const auto local = graph.getLocalGraphHost();
  const auto num_rows = static_cast<std::int64_t>(local.numRows());
  const auto for_each = [&](const auto& f) {
    for (std::int64_t i = 0; i < num_rows; ++i) {
      if (part_of_row[i] < 0) continue;
      for (auto e = local.row_map(i); e < local.row_map(i + 1); ++e) {
        const auto j = static_cast<std::int64_t>(local.entries(e));
        if (part_of_row[i] == part_of_column[j]) f(numbers.first + i, numbers.of_column[static_cast<std::size_t>(j)]);
      }
    }
  };
  Offset num_edges = 0;
  for_each([&](std::int64_t, std::int64_t) { ++num_edges; });
  EdgeList<std::int64_t, Kokkos::HostSpace> edges(numbers.num_all, num_edges);
  Offset next = 0;
  for_each([&](std::int64_t u, std::int64_t v) {
    edges.source(next) = u;
    edges.target(next++) = v;
  });
  return edges;
}

}  // namespace detail

/// Finds the pieces of every rank's rows: part r are the rows of rank r. Collective.
///
/// \param matrix   fill-complete; columns that are no rows of the rank join nothing. The row map may overlap
/// \param options  of the search for components (algorithms/connected_components.hpp)
/// \returns as many parts as there are ranks, on every rank
/// \throws ArgumentError on every rank for a matrix that is not fill-complete, and for options that
///         connected_components() does not take
/// Cost: this rank's entries once more in memory, and one pass over them; three numbers a rank are exchanged.
template <class Matrix>
PartsOfRows components_of_parts(const Matrix& matrix, const ComponentOptions& options = {}) {
  using Memory = Kokkos::DefaultExecutionSpace::memory_space;
  const ScopedRegion region("dromos::tpetra::components_of_parts");
  const auto communicator = teuchos::make_communicator(*dromos::detail::pattern_of(matrix).getComm());
  const auto own = on_all_ranks(communicator, [&] {
    const auto graph = detail::own_graph(matrix);
    ComponentScratch<std::int32_t, Memory> scratch(graph);
    ComponentResult<std::int32_t, Memory> result;
    const auto found =
        connected_components(Kokkos::DefaultExecutionSpace(), graph, scratch, result, options).components;
    return PartPieces{communicator.rank(), graph.num_vertices(), found.num_components, found.largest_component};
  });
  PartsOfRows parts;
  parts.parts = gather_values(communicator, std::vector<PartPieces>{own});
  parts.how = "local: each rank searched its own rows";
  return parts;
}

/// Finds the pieces of the parts that a vector gives the rows. Collective.
///
/// \param matrix   fill-complete; rows and columns are the same global indices, each row is on one rank
/// \param part     on the row map, of a whole number type: the part of each row from 0 on, or negative for rows of none
/// \param options  of the search for components; not the method color
/// \returns the parts that have rows, ascending by number, on every rank
/// \throws ArgumentError on every rank for a matrix that is not so, a vector on another map, and for options that
///         connected_components() does not take
/// Cost: the entries inside of parts travel once, 16 bytes each, and lie twice in memory; a search of a distributed
/// graph (algorithms/connected_components.hpp); 24 bytes a piece, and 32 a part to every rank.
template <class Matrix, class Scalar>
PartsOfRows components_of_parts(
    const Matrix& matrix,
    const Tpetra::Vector<Scalar, LocalIndexOf<Matrix>, GlobalIndexOf<Matrix>, NodeOf<Matrix>>& part,
    const ComponentOptions& options = {}) {
  static_assert(std::is_integral_v<Scalar>, "parts have whole numbers: use a Tpetra::Vector<int> or of global indices");
  using Space = Kokkos::DefaultExecutionSpace;
  using Memory = Space::memory_space;
  const ScopedRegion region("dromos::tpetra::components_of_parts");
  const auto& graph = dromos::detail::pattern_of(matrix);
  if (!graph.isFillComplete()) {
    throw ArgumentError("the matrix is not fill-complete: call fillComplete() before its graph is used");
  }
  if (!part.getMap()->isSameAs(*graph.getRowMap())) {
    throw ArgumentError("components_of_parts: the vector of parts has " + std::to_string(part.getGlobalLength()) +
                        " elements, and is not on the row map of the matrix, which has " +
                        std::to_string(graph.getRowMap()->getGlobalNumElements()));
  }
  const auto communicator = teuchos::make_communicator(*graph.getComm());
  const detail::RowNumbers numbers = detail::number_rows(communicator, graph);
  std::decay_t<decltype(part)> part_of_column_vector(graph.getColMap());
  part_of_column_vector.doImport(
      part,
      Tpetra::Import<LocalIndexOf<Matrix>, GlobalIndexOf<Matrix>, NodeOf<Matrix>>(part.getMap(), graph.getColMap()),
      Tpetra::INSERT);
  const auto part_of_row = part.getData();
  const Space space;
  const auto edges = on_all_ranks(communicator, [&] {
    return copy_to<Memory>(detail::edges_inside(graph, numbers, part_of_row, part_of_column_vector.getData()));
  });
  BuildOptions build;
  build.symmetrize = build.drop_self_loops = true;
  build.sort_adjacencies = false;
  const auto rows =
      part_by_vertices(communicator, space, build_graph_1d(communicator, space, edges, build, Dealing::blocks));
  const Halo<Space, std::int64_t> halo(communicator, rows);
  ComponentScratch<LocalVertex, Memory> scratch(rows.out_edges);
  ComponentResult<std::int64_t, Memory> components;
  connected_components(space, rows.out_edges, scratch, components, options, halo);

  std::vector<detail::VertexPart> items;
  std::vector<int> owners;
  for (std::int64_t i = 0; i < num_local_elements(*graph.getRowMap()); ++i) {
    const Place place = rows.partition.place(numbers.first + i);
    items.push_back({place.local, static_cast<std::int64_t>(part_of_row[i])});
    owners.push_back(place.rank);
  }
  std::vector<std::int64_t> own_part(static_cast<std::size_t>(rows.num_own), -1);
  const auto arrived = detail::send_items(communicator, items, owners);
  for (std::size_t i = 0; i < arrived.extent(0); ++i)
    own_part[static_cast<std::size_t>(arrived(i).local)] = arrived(i).part;
  PartsOfRows parts;
  parts.parts = detail::count_pieces(communicator, rows.partition, detail::on_host(components.component), own_part);
  parts.how = "distributed: all ranks searched the graph of the entries inside of parts";
  return parts;
}

/// The same with the options in the sublist "options": those of ComponentOptions.
template <class Matrix>
PartsOfRows components_of_parts(const Matrix& matrix, const Teuchos::ParameterList& list) {
  detail::check_parameters(list, {"options"});
  return components_of_parts(matrix, detail::algorithm_options<ComponentOptions>(list));
}
template <class Matrix, class Scalar>
PartsOfRows components_of_parts(
    const Matrix& matrix,
    const Tpetra::Vector<Scalar, LocalIndexOf<Matrix>, GlobalIndexOf<Matrix>, NodeOf<Matrix>>& part,
    const Teuchos::ParameterList& list) {
  detail::check_parameters(list, {"options"});
  return components_of_parts(matrix, part, detail::algorithm_options<ComponentOptions>(list));
}

}  // namespace dromos::tpetra
