// SPDX-License-Identifier: BSD-3-Clause
// For each of many vertices the first edge whose other end holds: what a search does backward, when its unvisited
// vertices look for a neighbor that was visited before. Most of them find one after a few edges, so that a vertex is
// not split as a sweep splits it (traverse/traverse.hpp): on a CPU one thread walks its row, on a GPU a thread, 8 lanes
// or a team, each taking over from the one before where the row is longer (traverse/find_first_warps.hpp).
//
//   struct FindParent {                                                       // the operator
//     Bitmap<Memory> visited;                                                 // before the sweep
//     Kokkos::View<Vertex*, Memory> parent;
//     KOKKOS_FUNCTION bool holds(Vertex, Vertex v) const { return visited.test(v); }
//     KOKKOS_FUNCTION void found(Vertex u, Vertex v) const { parent(u) = v; }    // told once of each u that found
//   };
//   find_first(space, in_edges, looking(could_be_found, visited, after), NoSink{}, FindParent{visited, parent});
//
// Who looks is said by two bitmaps, and who found is set in a third, word by word: whoever has the 32 vertices of a
// word has its bits, and there is nothing to claim.
//
//   could 1101, done 0001: vertices 2 and 3 look; 3 finds: after 1001
//
// `after` may be `done`; and if holds() asks it, too, then what is found early serves those who look later, and CPUs go
// through the words in order.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bit_words.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/deal_out.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/two_sums.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/graph_view.hpp>
#include <dromos/traverse/find_first_warps.hpp>
#include <dromos/traverse/frontier.hpp>
#include <dromos/traverse/no_halo.hpp>
#include <dromos/traverse/sweep.hpp>
#include <type_traits>
#include <utility>

namespace dromos {

/// Who looks: the vertices of `could` that are not in `done`. All three are of the same size.
template <class Vertex, class Memory>
struct Looking {
  BitmapWords<Memory> could, done;
  BitmapWords<Memory> after;  ///< out: what is done afterwards, `done` and who found
  Vertex first = 0;           ///< the vertex of the first bit

  std::int64_t num_words() const { return static_cast<std::int64_t>(done.extent(0)); }
  /// Those of words begin .. end - 1.
  Looking part(std::int64_t begin, std::int64_t end) const {
    const auto words = Kokkos::make_pair(begin, end);
    return {Kokkos::subview(could, words), Kokkos::subview(done, words), Kokkos::subview(after, words),
            first + static_cast<Vertex>(begin * Bitmap<Memory>::bits_per_word)};
  }
};

/// The same of whole bitmaps.
template <class Vertex, class Memory>
Looking<Vertex, Memory> looking(const Bitmap<Memory>& could, const Bitmap<Memory>& done, const Bitmap<Memory>& after) {
  return {could.words(), done.words(), after.words()};
}

/// A sink that counts what is found, and the edges that leave it; lists_: and lists it. On a CPU it is told as well how
/// many edges were looked at, each thread counts on its own, and nothing is listed.
template <class Graph, bool lists_>
struct CountingSink {
  using Vertex = typename Graph::vertex_type;
  static constexpr bool enabled = true;
  static constexpr bool lists = lists_;
  static constexpr int num_counts = 3;

  Graph graph;
  std::uint64_t* counts;  ///< vertices, edges; on a CPU also edges looked at
  Vertex* queue = nullptr;

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t reserve(std::uint64_t num_vertices, std::uint64_t num_edges) const {
    const std::uint64_t begin = atomic_fetch_add(&counts[0], num_vertices);
    atomic_fetch_add(&counts[1], num_edges);
    return begin;
  }
  template <class Get>
  KOKKOS_FORCEINLINE_FUNCTION void take(int count, const Get& get) const {
    Offset edges = 0;
    for (int i = 0; i < count; ++i) edges += graph.degree(get(i));
    const std::uint64_t begin = reserve(static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(edges));
    if constexpr (lists) write(position(begin), 0, count, get);
  }
  template <class Member, class Get>
  KOKKOS_FORCEINLINE_FUNCTION void take_together(const Member&, int count, const Get& get) const {
    if (count > 0) take(count, get);
  }

  /// What a thread of a CPU has counted.
  struct Tally {
    std::uint64_t vertices = 0, edges = 0, looked_at = 0;
  };
  template <class Get>
  KOKKOS_FORCEINLINE_FUNCTION void tally(Tally& mine, int count, const Get& get, Offset looked_at) const {
    static_assert(!lists, "on a CPU a pass over the bitmaps lists what was found");
    mine.vertices += static_cast<std::uint64_t>(count);
    for (int i = 0; i < count; ++i) mine.edges += static_cast<std::uint64_t>(graph.degree(get(i)));
    mine.looked_at += static_cast<std::uint64_t>(looked_at);
  }
  KOKKOS_FUNCTION void settle(const Tally& mine) const {
    if (mine.vertices > 0) reserve(mine.vertices, mine.edges);
    if (mine.looked_at > 0) atomic_fetch_add(&counts[2], mine.looked_at);
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t position(std::uint64_t reserved) const { return reserved; }
  KOKKOS_FORCEINLINE_FUNCTION Offset first_edge(std::uint64_t) const { return 0; }
  template <class Get>
  KOKKOS_FORCEINLINE_FUNCTION void write(std::uint64_t to, Offset, int count, const Get& get) const {
    for (int i = 0; i < count; ++i) queue[to + i] = get(i);
  }
};

namespace detail {

/// What a thread counts for a sink on its own.
template <class Sink, class = void>
struct TallyOf {
  using type = Nothing;
};
template <class Sink>
struct TallyOf<Sink, std::void_t<typename Sink::Tally>> {
  using type = typename Sink::Tally;
};
template <class Sink>
constexpr bool keeps_tally = !std::is_same_v<typename TallyOf<Sink>::type, Nothing>;

/// Does found() read at random? On a CPU it is told of many one behind the other, then, so that their reads overlap.
template <class Operator, class = void>
struct LooksUp : std::false_type {};
template <class Operator>
struct LooksUp<Operator, std::enable_if_t<Operator::found_looks_up>> : std::true_type {};

/// The edges of u up to the first whose other end holds: how many they are. Then v is that end, and `found` true.
template <class Rows, class Vertex, class Operator>
KOKKOS_FORCEINLINE_FUNCTION Offset look(const Rows& rows, Vertex u, const Operator& op, bool& found, Vertex& v) {
  const Offset begin = rows.begin(u), end = rows.end(u);
  for (Offset e = begin; e < end; ++e) {
    v = neighbor_of(rows, u, e);
    if (!op.holds(u, v)) continue;
    found = true;
    return e - begin + 1;
  }
  return end - begin;
}

/// On a CPU: a thread takes a few words of vertices at a time.
template <class Rows, class Sink, class Operator>
struct FindFirstRows {
  using Vertex = typename Rows::vertex_type;
  using Word = typename Bitmap<typename Rows::memory_space>::Word;
  static constexpr int bits = Bitmap<typename Rows::memory_space>::bits_per_word;
  static constexpr int tile_words = 8;
  using Tally = typename TallyOf<Sink>::type;

  Rows rows;
  Sink sink;
  Operator op;
  const Word* could;
  const Word* done;
  Word* after;
  std::int64_t num_words;
  Vertex first_vertex;

  KOKKOS_FUNCTION void operator()(const std::int64_t tile, Tally& tally) const {
    const std::int64_t first_word = tile * tile_words;
    const int words = static_cast<int>(dromos::min<std::int64_t>(tile_words, num_words - first_word));
    const Vertex first = first_vertex + static_cast<Vertex>(first_word * bits);
    Word now[tile_words];
    Vertex vertex[tile_words * bits];  // that look; of those before the one whose turn it is, who found
    int num_looking = 0, num_found = 0;
    for (int w = 0; w < words; ++w) {
      now[w] = done[first_word + w];
      if (after != done) atomic_store(&after[first_word + w], now[w]);
      for (Word rest = could[first_word + w] & ~now[w]; rest != 0; rest &= rest - 1) {
        vertex[num_looking++] = first + static_cast<Vertex>(w * bits + count_trailing_zeros(rest));
      }
    }
    [[maybe_unused]] Vertex end[LooksUp<Operator>::value ? tile_words * bits : 1];  // the other ends of who found
    Offset looked_at = 0;
    prefetch_first(vertex, num_looking);
    for (int i = 0; i < num_looking; ++i) {
      prefetch_ahead(vertex, i, num_looking);
      const Vertex u = vertex[i];
      bool found = false;
      Vertex v = u;
      looked_at += look(rows, u, op, found, v);
      if (!found) continue;
      if constexpr (LooksUp<Operator>::value) {
        end[num_found] = v;
      } else {
        op.found(u, v);
      }
      const int bit = static_cast<int>(u - first);
      now[bit / bits] |= Word(1) << (bit % bits);
      atomic_store(&after[first_word + bit / bits], now[bit / bits]);  // others may be asking
      vertex[num_found++] = u;
    }
    if constexpr (LooksUp<Operator>::value) {
      for (int i = 0; i < num_found; ++i) op.found(vertex[i], end[i]);
    }
    if constexpr (TellsNotFound<Operator>::value) {
      if (op.tells_not_found) tell_not_found(now, words, first);
    }
    const auto found = [&](int i) { return vertex[i]; };
    if constexpr (keeps_tally<Sink>) {
      sink.tally(tally, num_found, found, looked_at);
    } else if constexpr (Sink::enabled) {
      if (num_found > 0) sink.take(num_found, found);
    }
  }

 private:
  /// The operator, of all vertices of a tile that are not done now.
  KOKKOS_FORCEINLINE_FUNCTION void tell_not_found(const Word* now, int words, Vertex first) const {
    for (int w = 0; w < words; ++w) {
      const Vertex of_word = first + static_cast<Vertex>(w * bits);
      const std::int64_t behind = rows.num_vertices() - of_word;
      Word rest = ~now[w];
      if (behind < bits) rest &= (Word(1) << dromos::max<std::int64_t>(0, behind)) - 1;
      for (; rest != 0; rest &= rest - 1) op.not_found(of_word + static_cast<Vertex>(count_trailing_zeros(rest)));
    }
  }

  /// As those of Sweep. Rows of a tile follow each other and need no hint; most of their edges are never read, so that
  /// a vertex takes less time than the memory.
  static constexpr int ahead = 32;
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_ahead([[maybe_unused]] const Vertex* vertex, [[maybe_unused]] int i,
                                                  [[maybe_unused]] int size) const {
    if constexpr (HasPrefetch<Rows>::value) {
      if (i + ahead < size) rows.prefetch_edges(vertex[i + ahead]);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch_first([[maybe_unused]] const Vertex* vertex,
                                                  [[maybe_unused]] int size) const {
    if constexpr (HasPrefetch<Rows>::value) {
      for (int i = 0; i < dromos::min(+ahead, size); ++i) rows.prefetch_edges(vertex[i]);
    }
  }
};

}  // namespace detail

/// Enqueued in `space`, does not wait.
///
/// \param rows   a graph view (graph/graph_view.hpp); the rows that are looked through
/// \param who    vertices without edges may be among them, and cost what their bits cost
/// \param sink   who found joins it: QueueSink (opened without prefix sums), CountingSink, or NoSink
/// \param op     holds(u, v): is v what u looks for? Only reads. found(u, v): told once of each u for which it was so.
///               If there is a found_looks_up, which is constant and true, found() reads at random. If there is a
///               not_found(u), and tells_not_found is true, it is told of the vertices that are not done, whether they
///               could or not: of those that find nothing, and where there are warps perhaps, before, of some that do
/// Cost: a pass over the bitmaps, and of each vertex that looks the edges up to the first whose other end holds.
template <class Space, class Rows, class Vertex, class Memory, class Sink, class Operator>
void find_first(const Space& space, const Rows& rows, const Looking<Vertex, Memory>& who, const Sink& sink,
                const Operator& op) {
  check_graph_view<Rows>();
  static_assert(std::is_same_v<typename Rows::vertex_type, Vertex>, "the vertices that look are those of the rows");
  const std::int64_t num_words = who.num_words();
  if (num_words == 0) return;
  if constexpr (has_warps<Space>) {
    using Kernel = detail::FindFirstWarps<Space, Rows, Sink, Operator, false, false>;
    detail::launch_find_first(
        "dromos::find_first", space,
        Kernel{rows, sink, op, who.could.data(), who.done.data(), who.after.data(), num_words, who.first, {}},
        num_words * Bitmap<Memory>::bits_per_word);
  } else {
    using Kernel = detail::FindFirstRows<Rows, Sink, Operator>;
    deal_out_to_each<typename Kernel::Tally>(
        "dromos::find_first", space, (num_words + Kernel::tile_words - 1) / Kernel::tile_words,
        Kernel{rows, sink, op, who.could.data(), who.done.data(), who.after.data(), num_words, who.first},
        [&](const typename Kernel::Tally& mine) {
          if constexpr (detail::keeps_tally<Sink>) sink.settle(mine);
        },
        who.after.data() == who.done.data() ? DealOrder::ascending : DealOrder::by_shares);
  }
}

namespace detail {

/// Of a vertex that looks: itself, where it is counted here, and its edges.
template <class Rows, class Vertices, class Memory>
struct CountLooking {
  using Vertex = typename Rows::vertex_type;
  Rows rows;
  Vertices vertices;
  BitmapWords<Memory> could, done;
  Vertex first;

  KOKKOS_FUNCTION typename Bitmap<Memory>::Word word(std::int64_t w) const { return could(w) & ~done(w); }
  KOKKOS_FUNCTION void operator()(std::int64_t bit, TwoSums& sum) const {
    const Vertex v = first + static_cast<Vertex>(bit);
    sum.first += vertices.counts(v) ? 1 : 0;
    sum.second += static_cast<std::uint64_t>(rows.degree(v));
  }
};

/// Whether a vertex has an edge; counts those that do.
template <class Rows>
struct HasEdges {
  Rows rows;
  KOKKOS_FUNCTION bool operator()(std::int64_t v, std::int64_t& count) const {
    const bool has = rows.degree(static_cast<typename Rows::vertex_type>(v)) > 0;
    count += has;
    return has;
  }
};

}  // namespace detail

/// How many edges find_first() would look at, by a sample of those who look: the first of each of `num_samples` parts
/// of the bitmaps. By the calling thread, in whose memory everything lies.
///
/// \param num_looking, edges_looking  how many look, and their edges: of what the sample looks at, their part by
/// vertices
///        or by edges, whichever is more, since few have most of the edges
template <class Rows, class Vertex, class Memory, class Operator>
double would_look_at(const Rows& rows, const Looking<Vertex, Memory>& who, std::int64_t num_looking,
                     Offset edges_looking, std::int64_t num_samples, const Operator& op) {
  static_assert(host_accessible<Memory>);
  const std::int64_t num_words = who.num_words();
  Offset looked_at = 0, num_edges = 0;
  std::int64_t num_sampled = 0;
  for (std::int64_t sample = 0; sample < num_samples; ++sample) {
    std::int64_t w = num_words * sample / num_samples;
    const std::int64_t behind = num_words * (sample + 1) / num_samples;
    while (w < behind && (who.could(w) & ~who.done(w)) == 0) ++w;
    if (w == behind) continue;
    const auto bit = w * Bitmap<Memory>::bits_per_word + count_trailing_zeros(who.could(w) & ~who.done(w));
    const Vertex u = who.first + static_cast<Vertex>(bit);
    bool found = false;
    Vertex v = u;
    looked_at += detail::look(rows, u, op, found, v);
    num_edges += rows.end(u) - rows.begin(u);
    ++num_sampled;
  }
  if (num_edges == 0) return 0;
  return static_cast<double>(looked_at) *
         dromos::max(static_cast<double>(num_looking) / static_cast<double>(num_sampled),
                     static_cast<double>(edges_looking) / static_cast<double>(num_edges));
}

/// How many vertices look (first), and how many edges they have (second). Waits.
///
/// \param vertices  of a part of a distributed graph: counts(v) says which vertices are counted here; edges are counted
///                  of all that have rows here (traverse/no_halo.hpp)
template <class Space, class Rows, class Vertex, class Memory, class Vertices = WholeVertices>
TwoSums count_looking(const Space& space, const Rows& rows, const Looking<Vertex, Memory>& who,
                      const Vertices& vertices = {}) {
  TwoSums sums;
  reduce_bits("dromos::find_first::count_looking", space, who.num_words(),
              detail::CountLooking<Rows, Vertices, Memory>{rows, vertices, who.could, who.done, who.first},
              Kokkos::Sum<TwoSums>(sums));
  return sums;
}

/// Sets the bits of all vertices of degree > 0, clears the others, and returns how many are set. Waits.
///
/// \param rows    anything with vertex_type, num_vertices() and degree(v), as sweeps take it
/// \param marked  of as many bits as the rows have vertices
template <class Space, class Rows, class Memory>
std::int64_t mark_vertices_with_edges(const Space& space, const Rows& rows, const Bitmap<Memory>& marked) {
  std::int64_t num_marked = 0;
  write_bits("dromos::find_first::mark_vertices_with_edges", space, marked.words().data(), rows.num_vertices(),
             detail::HasEdges<Rows>{rows}, Kokkos::Sum<std::int64_t>(num_marked));
  return num_marked;
}

}  // namespace dromos
