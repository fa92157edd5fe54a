// SPDX-License-Identifier: BSD-3-Clause
// The vertices of high degree, which every rank knows: a dense number for each, by descending degree, the highest
// degree 0.
//
// While the graph is built every rank can tell of each vertex whether it is a delegate, and which: a bit for each block
// id (graph/block_ids.hpp), and for each word of bits the delegates before it, which is where in `number` to look.
//
//   4 vertices of degrees 2 9 1 7, TH = 5     bits 0 1 0 1     before 0     number 0 1     global 1 3
//
// By descending degree, because whoever looks for a visited neighbor among delegates finds it soonest at a hub.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/device_sort.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/distributed/by_degree/edge_distributor.hpp>
#include <dromos/distributed/by_degree/subgraph.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <limits>
#include <string>
#include <vector>

namespace dromos::detail {

/// Who is a delegate, for kernels.
template <class Vertex, class Memory>
struct DelegateLookup {
  Bitmap<Memory> marked;                             // by block id
  Kokkos::View<const std::int32_t*, Memory> before;  // delegates before each word of `marked`
  Kokkos::View<const LocalVertex*, Memory> number;   // by place among the delegates in the order of block ids
  Kokkos::View<const Vertex*, Memory> global;        // by number
  Kokkos::View<const Offset*, Memory> degree;        // by number; in the whole graph

  KOKKOS_FORCEINLINE_FUNCTION bool contains(Vertex id) const {
    return (marked.words().data()[Bitmap<Memory>::word_of(id)] & Bitmap<Memory>::mask(id)) != 0;
  }
  /// Of a block id that is a delegate's.
  KOKKOS_FORCEINLINE_FUNCTION LocalVertex number_of(Vertex id) const {
    const std::size_t word = Bitmap<Memory>::word_of(id);
    const auto below = marked.words().data()[word] & (Bitmap<Memory>::mask(id) - 1);
    return number.data()[before.data()[word] + population_count(below)];
  }
};

/// Degrees of a rank's vertices, by local number: out-edges, and where there is a second graph its as well.
template <class Vertex, class Memory>
struct DelegateDegree {
  CsrView<Vertex, Memory> rows, turned;
  bool both;

  DelegateDegree(const Graph1d<Vertex, Memory>& graph, const Graph1d<Vertex, Memory>* other)
      : rows(graph.rows.view()), turned(other == nullptr ? rows : other->rows.view()), both(other != nullptr) {}
  KOKKOS_FUNCTION Offset operator()(std::int64_t local) const {
    const auto v = static_cast<Vertex>(local);
    return both ? rows.degree(v) + turned.degree(v) : rows.degree(v);
  }
};

template <class Vertex, class Memory>
struct MarkOwnDelegates {
  DelegateDegree<Vertex, Memory> degree;
  std::int64_t first;
  Offset threshold;
  Bitmap<Memory> marked;
  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    if (is_delegate(degree(v), threshold)) marked.set(first + v);
  }
};

template <class Memory>
struct CountBeforeWord {
  BitmapWords<Memory> words;
  Kokkos::View<std::int32_t*, Memory> before;
  KOKKOS_FUNCTION void operator()(std::int64_t w, std::int64_t& sum, bool final) const {
    if (final) before(w) = static_cast<std::int32_t>(sum);
    sum += population_count(words(w));
  }
};

/// Writes how many delegates are before each word, and returns how many there are.
template <class Space, class Memory>
std::int64_t count_before(const Space& space, const Bitmap<Memory>& marked,
                          const Kokkos::View<std::int32_t*, Memory>& before) {
  const auto words = marked.words();
  std::int64_t total = 0;
  Kokkos::parallel_scan(
      "dromos::delegates::before",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, static_cast<std::int64_t>(words.extent(0))),
      CountBeforeWord<Memory>{words, before}, total);
  return total;
}

template <class Vertex, class Memory>
struct ListMarked {
  BitmapWords<Memory> words;
  Kokkos::View<const std::int32_t*, Memory> before;
  Kokkos::View<Vertex*, Memory> ids;
  KOKKOS_FUNCTION void operator()(std::int64_t w) const {
    Vertex* to = ids.data() + before(w);
    for (auto rest = words(w); rest != 0; rest &= rest - 1) {
      *to++ = static_cast<Vertex>(w * Bitmap<Memory>::bits_per_word + count_trailing_zeros(rest));
    }
  }
};

/// The block ids of all delegates, ascending.
template <class Space, class Vertex, class Memory>
void list_marked(const Space& space, const Bitmap<Memory>& marked, const Kokkos::View<std::int32_t*, Memory>& before,
                 const Kokkos::View<Vertex*, Memory>& ids) {
  const auto words = marked.words();
  for_range("dromos::delegates::list", space, words.extent(0), ListMarked<Vertex, Memory>{words, before, ids});
}

/// Degrees of the rank's own delegates, which are some elements of `ids`, to the same places of `degrees`.
template <class Vertex, class Memory>
struct ReadDegrees {
  DelegateDegree<Vertex, Memory> degree;
  BlockIds<Vertex> block_ids;
  Kokkos::View<const Vertex*, Memory> ids;
  Kokkos::View<Offset*, Memory> degrees;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { degrees(i) = degree(block_ids.local(ids(i))); }
};

template <class Memory>
struct WriteDelegateKeys {
  Kokkos::View<const Offset*, Memory> degrees;
  Kokkos::View<std::uint64_t*, Memory> keys;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    constexpr Offset most = 0xffffffff;
    const auto below = static_cast<std::uint64_t>(most - dromos::min(degrees(i), most));
    keys(i) = below << 32 | static_cast<std::uint64_t>(i);
  }
};

/// Keys that sort by descending degree, equal ones by place.
template <class Space, class Memory>
void write_keys(const Space& space, const Kokkos::View<Offset*, Memory>& degrees,
                const Kokkos::View<std::uint64_t*, Memory>& keys) {
  for_range("dromos::delegates::keys", space, keys.extent(0), WriteDelegateKeys<Memory>{degrees, keys});
}

template <class Vertex, class Memory>
struct NumberByKey {
  Kokkos::View<const std::uint64_t*, Memory> keys;
  Kokkos::View<const Vertex*, Memory> ids;
  Kokkos::View<const Offset*, Memory> degrees;
  Partition1d partition;
  BlockIds<Vertex> block_ids;
  Kokkos::View<LocalVertex*, Memory> number;
  Kokkos::View<Vertex*, Memory> global;
  Kokkos::View<Offset*, Memory> degree;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const auto place = static_cast<std::uint32_t>(keys(i) & 0xffffffff);
    const Vertex id = ids(place);
    number(place) = static_cast<LocalVertex>(i);
    global(i) = static_cast<Vertex>(partition.global_id(block_ids.rank(id), block_ids.local(id)));
    degree(i) = degrees(place);
  }
};

template <class Space, class Vertex, class Memory>
void number_by_key(const Space& space, const Graph1d<Vertex, Memory>& graph,
                   const Kokkos::View<std::uint64_t*, Memory>& keys, const Kokkos::View<Vertex*, Memory>& ids,
                   const Kokkos::View<Offset*, Memory>& degrees, const Kokkos::View<LocalVertex*, Memory>& number,
                   const Kokkos::View<Vertex*, Memory>& global, const Kokkos::View<Offset*, Memory>& degree) {
  for_range("dromos::delegates::number", space, keys.extent(0),
            NumberByKey<Vertex, Memory>{keys, ids, degrees, graph.partition, graph.ids, number, global, degree});
  fence(space, "dromos::delegates::number");
}

/// Throws ArgumentError for more delegates than LocalVertex numbers.
inline void check_num_delegates(std::int64_t num_delegates) {
  if (num_delegates > std::numeric_limits<LocalVertex>::max()) {
    throw ArgumentError(std::to_string(num_delegates) +
                        " vertices would be known to every rank, and their numbers end at 2^31 - 1; raise the degree "
                        "threshold, or distribute the graph by vertices");
  }
}

template <class Vertex, class Memory>
struct FoundDelegates {
  DelegateLookup<Vertex, Memory> lookup;
  std::vector<Block> of_rank;  ///< places of the delegates that each rank owns
};

/// Finds and numbers the delegates of a graph. Collective. Memory of a rank: a bit and a byte for each vertex of the
/// graph, and 24 bytes a delegate. Throws ArgumentError on every rank where they are more than can be numbered.
///
/// \param turned  the graph turned round, whose edges count as well; null: they do not
template <class Space, class Vertex, class Memory>
FoundDelegates<Vertex, Memory> find_delegates(const Communicator& communicator, const Space& space,
                                              const Graph1d<Vertex, Memory>& graph, Offset threshold,
                                              const Graph1d<Vertex, Memory>* turned) {
  using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  const Bitmap<Memory> marked(graph.ids.size(), "dromos::delegates::marked");
  const DelegateDegree<Vertex, Memory> degree_of(graph, turned);
  Kokkos::parallel_for("dromos::delegates::mark", Range(space, 0, graph.num_local()),
                       MarkOwnDelegates<Vertex, Memory>{
                           degree_of, static_cast<std::int64_t>(graph.ids.first(graph.rank)), threshold, marked});
  fence(space, "dromos::delegates::mark");
  constexpr int bits = Bitmap<Memory>::bits_per_word;
  std::vector<Block> blocks;
  for (int r = 0; r < communicator.size(); ++r) {
    blocks.push_back(
        {static_cast<std::int64_t>(graph.ids.first(r)) / bits, (graph.partition.num_local(r) + bits - 1) / bits});
  }
  const Block own = blocks[communicator.rank()];
  const Kokkos::View<std::uint32_t*, Memory> own_words =
      Kokkos::subview(marked.words(), Kokkos::make_pair(own.offset, own.offset + own.size));
  allgatherv(communicator, space, own_words, own.size, marked.words(), blocks);

  const auto before = uninitialized<std::int32_t, Memory>("dromos::delegates::before", marked.words().extent(0));
  const std::int64_t num_delegates = count_before(space, marked, before);
  on_all_ranks(communicator, [&] { check_num_delegates(num_delegates); });
  const auto ids = uninitialized<Vertex, Memory>("dromos::delegates::ids", num_delegates);
  list_marked(space, marked, before, ids);

  const auto degrees = uninitialized<Offset, Memory>("dromos::delegates::degrees", num_delegates);
  const auto before_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), before);
  std::vector<Block> delegates_of;
  std::int64_t next = num_delegates;
  for (int r = communicator.size(); r-- > 0;) {
    const std::int64_t first = before_host(blocks[r].offset);
    delegates_of.insert(delegates_of.begin(), {first, next - first});
    next = first;
  }
  const Block mine = delegates_of[communicator.rank()];
  Kokkos::parallel_for("dromos::delegates::degrees", Range(space, mine.offset, mine.offset + mine.size),
                       ReadDegrees<Vertex, Memory>{degree_of, graph.ids, ids, degrees});
  fence(space, "dromos::delegates::degrees");
  const Kokkos::View<Offset*, Memory> own_degrees =
      Kokkos::subview(degrees, Kokkos::make_pair(mine.offset, mine.offset + mine.size));
  allgatherv(communicator, space, own_degrees, mine.size, degrees, delegates_of);

  SortBuffers<std::uint64_t, Memory> keys{
      uninitialized<std::uint64_t, Memory>("dromos::delegates::keys", num_delegates),
      uninitialized<std::uint64_t, Memory>("dromos::delegates::keys", num_delegates)};
  SortBuffers<char, Memory> nothing;
  write_keys(space, degrees, keys.current);
  sort_by_key(space, keys, nothing, 64);
  const auto number = uninitialized<LocalVertex, Memory>("dromos::delegates::number", num_delegates);
  const auto global = uninitialized<Vertex, Memory>("dromos::delegates::global", num_delegates);
  const auto degree = uninitialized<Offset, Memory>("dromos::delegates::degree", num_delegates);
  number_by_key(space, graph, keys.current, ids, degrees, number, global, degree);
  return {{marked, before, number, global, degree}, delegates_of};
}

}  // namespace dromos::detail
