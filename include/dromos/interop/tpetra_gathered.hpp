// SPDX-License-Identifier: BSD-3-Clause
// The pattern of a distributed matrix on the first rank, for algorithms that run on one node, and the way back: what
// was found there, dealt out as a Tpetra::Vector on the map that the indices came from.
//
// Rows are the global indices of the range map, columns those of the domain map. Either may begin anywhere and have
// gaps: on the first rank they are numbered from 0 in ascending order, so that no vertex stands for an index that is
// not there.
//
//   rank 0 has rows 12 5, rank 1 has row 9     numbers 0 1 2 are global indices 5 9 12
//   entry (9, 12) of a matrix with these rows and columns is the edge 1 -> 2
//
// Entries of a row that several ranks have (an overlapping row map) are united. Numbers have 32 bits.
//
// Rows travel whole, so that an entry is one global index on the way and 4 bytes once it is numbered; the rows of a
// graph are built from these, and no list of edges is in between.
#pragma once

#include <Kokkos_Core.hpp>
#include <Teuchos_RCP.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/algorithms/maximum_matching.hpp>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/interop/tpetra_local.hpp>
#include <dromos/interop/tpetra_names.hpp>
#include <dromos/teuchos/communicator.hpp>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace dromos::tpetra::detail {

using HostSpace = Kokkos::DefaultHostExecutionSpace;
template <class T>
using HostArray = Kokkos::View<T*, Kokkos::HostSpace>;

/// Every rank's values on the first rank, one rank's behind the other's; none on the others. One rank's are not copied.
/// Collective.
template <class T>
std::pair<HostArray<T>, std::vector<Block>> gather_on_first(const Communicator& communicator, const HostArray<T>& own) {
  const auto num_ranks = static_cast<std::size_t>(communicator.size());
  std::vector<std::int64_t> counts(num_ranks, 0);
  counts[0] = static_cast<std::int64_t>(own.extent(0));
  if (num_ranks == 1) return {own, consecutive_blocks(counts)};
  const auto sent = consecutive_blocks(counts);
  auto blocks = consecutive_blocks(exchange_counts(communicator, counts));
  const HostArray<T> all("dromos::tpetra::gathered", static_cast<std::size_t>(total_size(blocks)));
  alltoallv(communicator, HostSpace(), own, sent, all, blocks);
  return {all, std::move(blocks)};
}

/// The other way: block r of the first rank's values on rank r, which knows its size. Collective.
template <class T>
HostArray<T> deal_out_from_first(const Communicator& communicator, const HostArray<T>& all,
                                 const std::vector<Block>& blocks, std::int64_t size) {
  const auto num_ranks = static_cast<std::size_t>(communicator.size());
  std::vector<std::int64_t> counts(num_ranks, 0);
  counts[0] = size;
  const HostArray<T> own("dromos::tpetra::dealt_out", static_cast<std::size_t>(size));
  const bool is_first = communicator.rank() == 0;
  alltoallv(communicator, HostSpace(), all, is_first ? blocks : std::vector<Block>(num_ranks), own,
            consecutive_blocks(counts));
  return own;
}

/// The global indices of a one-to-one map, numbered in ascending order on the first rank.
template <class Map>
class NumberedIndices {
 public:
  using Global = typename Map::global_ordinal_type;
  using Local = typename Map::local_ordinal_type;
  using Node = typename Map::node_type;

  /// Collective. \throws ArgumentError on every rank where an index is on several, is negative, or there are too many
  NumberedIndices(const Communicator& communicator, const Teuchos::RCP<const Map>& map, const char* what)
      : map_(map), num_local_(num_local_elements(*map)) {
    const auto elements = local_elements(*map);
    const HostArray<Global> own("dromos::tpetra::own_indices", static_cast<std::size_t>(num_local_));
    for (std::int64_t i = 0; i < num_local_; ++i) own(i) = elements[i];
    std::tie(arrived_, blocks_) = gather_on_first(communicator, own);
    on_all_ranks(communicator, [&] { sort(what); });
  }

  /// On the first rank; 0 on the others, as the numbers below.
  std::int64_t size() const { return static_cast<std::int64_t>(sorted_.size()); }
  Global index(std::int64_t number) const { return sorted_[static_cast<std::size_t>(number)]; }
  const std::vector<Global>& indices() const { return sorted_; }
  const Teuchos::RCP<const Map>& map() const { return map_; }

  /// The number of a global index, -1 where it is none of them. Cost: one comparison without gaps, else a search.
  std::int32_t number(Global index) const {
    if (sorted_.empty() || index < sorted_.front() || index > sorted_.back()) return -1;
    if (static_cast<std::size_t>(sorted_.back() - sorted_.front()) + 1 == sorted_.size()) {
      return static_cast<std::int32_t>(index - sorted_.front());
    }
    const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), index);
    return *at == index ? static_cast<std::int32_t>(at - sorted_.begin()) : -1;
  }

  /// What the first rank has by number, as a vector on the map. Collective.
  Teuchos::RCP<Tpetra::Vector<Global, Local, Global, Node>> deal_out(const Communicator& communicator,
                                                                     const std::vector<Global>& by_number) const {
    const HostArray<Global> all("dromos::tpetra::by_arrival", arrived_.extent(0));
    for (std::size_t i = 0; i < all.extent(0); ++i) {
      all(i) = by_number[static_cast<std::size_t>(number(arrived_(i)))];
    }
    const auto own = deal_out_from_first(communicator, all, blocks_, num_local_);
    const auto vector = Teuchos::rcp(new Tpetra::Vector<Global, Local, Global, Node>(map_));
    const auto values = vector->getDataNonConst();
    for (std::int64_t i = 0; i < num_local_; ++i) values[i] = own(i);
    return vector;
  }

  /// What the first rank has in any order, to each rank as many as it has indices. Collective.
  HostArray<Global> deal_out_in_order(const Communicator& communicator, const HostArray<Global>& all) const {
    return deal_out_from_first(communicator, all, blocks_, num_local_);
  }

 private:
  void sort(const char* what) {
    if (arrived_.extent(0) > static_cast<std::size_t>(max_num_vertices<std::int32_t>)) {
      throw ArgumentError(std::to_string(arrived_.extent(0)) + " " + what + " are too many to be numbered in 32 bits");
    }
    sorted_.assign(arrived_.data(), arrived_.data() + arrived_.extent(0));
    std::sort(sorted_.begin(), sorted_.end());
    if (!sorted_.empty() && sorted_.front() < 0) {
      throw ArgumentError("global index " + std::to_string(sorted_.front()) + " among the " + what +
                          " is negative; -1 has to mean that there is none");
    }
    const auto twice = std::adjacent_find(sorted_.begin(), sorted_.end());
    if (twice == sorted_.end()) return;
    throw ArgumentError("global index " + std::to_string(*twice) + " is on several ranks of the map of the " + what +
                        "; that map must be one-to-one");
  }

  Teuchos::RCP<const Map> map_;
  std::int64_t num_local_;
  HostArray<Global> arrived_;  ///< on the first rank: by rank and local index
  std::vector<Block> blocks_;  ///< of it, by rank
  std::vector<Global> sorted_;
};

/// Item i is a row as it arrived: an arc for each of its entries.
template <class Memory>
struct GatheredArcs {
  Kokkos::View<const Offset*, Memory> begin;         ///< of each row that arrived, and behind the last
  Kokkos::View<const std::int32_t*, Memory> row;     ///< its number
  Kokkos::View<const std::int32_t*, Memory> column;  ///< by entry
  bool drop_self_loops = false;

  KOKKOS_FUNCTION Offset size() const { return static_cast<Offset>(row.extent(0)); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void arcs(Offset i, const F& f) const {
    const std::int32_t u = row(i);
    for (Offset e = begin(i); e < begin(i + 1); ++e) {
      const std::int32_t v = column(e);
      if (u != v || !drop_self_loops) f(u, v, e);
    }
  }
};

/// The pattern of a matrix on the first rank.
template <class Matrix>
class GatheredPattern {
 public:
  using Global = GlobalIndexOf<Matrix>;
  using Space = Kokkos::DefaultExecutionSpace;
  using Memory = Space::memory_space;

  static constexpr const char* how = "gathered: found on the first rank, from the pattern of all";

  /// Collective. Cost: a global index an entry, and two a row, to the first rank. Memory there, with indices of 64
  /// bits: 12 bytes an entry, 16 where nearly all are its own; 4 are kept. \throws ArgumentError on every rank for a
  /// matrix that is not fill-complete, and as NumberedIndices does
  explicit GatheredPattern(const Matrix& matrix)
      : communicator_(teuchos::make_communicator(*dromos::detail::pattern_of(matrix).getComm())),
        rows_(communicator_, check_fill_complete(dromos::detail::pattern_of(matrix)).getRangeMap(), "rows"),
        columns_(communicator_, dromos::detail::pattern_of(matrix).getDomainMap(), "columns") {
    const auto& graph = dromos::detail::pattern_of(matrix);
    const auto heads = gather_on_first(communicator_, own_rows(graph)).first;
    const auto columns = gather_on_first(communicator_, own_columns(graph)).first;
    on_all_ranks(communicator_, [&] { number_entries(heads, columns); });
  }

  const Communicator& communicator() const { return communicator_; }
  bool is_here() const { return communicator_.rank() == 0; }
  const NumberedIndices<MapOf<Matrix>>& rows() const { return rows_; }
  const NumberedIndices<MapOf<Matrix>>& columns() const { return columns_; }

  /// The entries as the edges of a graph of the rows, each once and sorted, directed; on the first rank. The pattern
  /// has none afterwards. Throws ArgumentError where rows and columns are not the same global indices.
  CsrGraph<std::int32_t, Memory> take_graph(const char* caller, bool drop_self_loops) {
    if (rows_.indices() != columns_.indices()) {
      throw ArgumentError(std::string(caller) + ": the rows and columns of a graph are the same, and this matrix has " +
                          std::to_string(rows_.size()) + " rows and " + std::to_string(columns_.size()) +
                          (rows_.size() == columns_.size() ? " columns with other global indices" : " columns"));
    }
    GatheredArcs<Memory> arcs = std::exchange(entries_, {});
    arcs.drop_self_loops = drop_self_loops;
    dromos::detail::RowOptions options;
    options.remove_duplicates = true;
    CsrGraph<std::int32_t, Memory> graph;
    const Space space;
    dromos::detail::build_rows(space, rows_.size(), arcs, Kokkos::View<const float*, Memory>(), options, graph);
    fence(space, "dromos::tpetra::gathered_graph");
    return graph;
  }

  /// The entries as the edges between rows and columns; on the first rank. The pattern has none afterwards.
  BipartiteGraph<std::int32_t, Memory> take_bipartite_graph() {
    return dromos::detail::build_bipartite<Memory>(Space(), static_cast<std::int32_t>(rows_.size()),
                                                   static_cast<std::int32_t>(columns_.size()),
                                                   std::exchange(entries_, {}));
  }

 private:
  struct RowHead {
    Global row;
    std::int64_t num_entries;
  };

  static HostArray<RowHead> own_rows(const GraphOf<Matrix>& graph) {
    const auto local = graph.getLocalGraphHost();
    const auto rows = local_elements(*graph.getRowMap());
    const auto num_rows = static_cast<std::int64_t>(local.numRows());
    const HostArray<RowHead> heads("dromos::tpetra::own_rows", static_cast<std::size_t>(num_rows));
    for (std::int64_t i = 0; i < num_rows; ++i) {
      heads(i) = {rows[i], static_cast<std::int64_t>(local.row_map(i + 1) - local.row_map(i))};
    }
    return heads;
  }

  static HostArray<Global> own_columns(const GraphOf<Matrix>& graph) {
    const auto local = graph.getLocalGraphHost();
    const auto columns = local_elements(*graph.getColMap());
    const HostArray<Global> own(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::tpetra::own_columns"),
                                local.entries.extent(0));
    for (std::size_t e = 0; e < own.extent(0); ++e) own(e) = columns[static_cast<std::int64_t>(local.entries(e))];
    return own;
  }

  void number_entries(const HostArray<RowHead>& heads, const HostArray<Global>& columns) {
    const auto unset = [](const char* label) {
      return Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label));
    };
    const HostArray<Offset> begin("dromos::tpetra::begin", heads.extent(0) + 1);
    const HostArray<std::int32_t> row(unset("dromos::tpetra::row"), heads.extent(0));
    const HostArray<std::int32_t> column(unset("dromos::tpetra::column"), columns.extent(0));
    for (std::size_t i = 0; i < heads.extent(0); ++i) {
      row(i) = rows_.number(heads(i).row);
      begin(i + 1) = begin(i) + heads(i).num_entries;
      for (Offset e = begin(i); e < begin(i + 1); ++e) {
        column(e) = columns_.number(columns(e));
        if (row(i) >= 0 && column(e) >= 0) continue;
        throw ArgumentError("the matrix has an entry in row " + std::to_string(heads(i).row) + ", column " +
                            std::to_string(columns(e)) + ", which is outside of its range and domain maps");
      }
    }
    entries_.begin = Kokkos::create_mirror_view_and_copy(Memory(), begin);
    entries_.row = Kokkos::create_mirror_view_and_copy(Memory(), row);
    entries_.column = Kokkos::create_mirror_view_and_copy(Memory(), column);
  }

  Communicator communicator_;
  NumberedIndices<MapOf<Matrix>> rows_, columns_;
  GatheredArcs<Memory> entries_;  ///< none on other ranks
};

/// A View as a vector on the host.
template <class T, class Memory>
std::vector<std::remove_const_t<T>> on_host(const Kokkos::View<T*, Memory>& view) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return std::vector<std::remove_const_t<T>>(host.data(), host.data() + host.extent(0));
}

/// The first rank's values on all ranks. Collective.
template <class T>
void broadcast(const Communicator& communicator, std::vector<T>& values) {
  auto size = static_cast<std::int64_t>(values.size());
  broadcast_in_place(communicator, &size, 1, 0);
  values.resize(static_cast<std::size_t>(size));
  broadcast_in_place(communicator, values.data(), size, 0);
}

}  // namespace dromos::tpetra::detail
