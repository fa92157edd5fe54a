// SPDX-License-Identifier: BSD-3-Clause
// What the three ways of searching by vertices share: work sets, the bitmap of what is known to be visited, results,
// and what happens to vertices that other ranks found.
//
// The bitmap goes over all block ids. The piece of the rank's own vertices is exact, and decides who enters the next
// work set; what it says of other ranks' vertices is each way's own business. Memory of a rank: 16 bytes a vertex of
// its own (of 32-bit ids), and 1/8 to 1/4 of a byte for every vertex of the graph.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/ensure_size.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/core/types.hpp>
#include <dromos/distributed/by_vertices/bfs_1d_options.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/moving/enqueue_claimed.hpp>
#include <dromos/distributed/moving/vertex_pairs.hpp>
#include <dromos/traverse/frontier.hpp>
#include <vector>

namespace dromos::detail {

/// Who claims a vertex first writes its results. Taken by kernels; pointers, for the sake of GPUs.
template <class Vertex, class Memory>
struct ClaimVertices {
  Bitmap<Memory> known;
  Vertex* parent;
  Level* level;
  Partition1d partition;
  Vertex first;  ///< block id of this rank's first vertex
  Level next_level;

  /// One caller of many is told true. v is an own vertex, as block id.
  KOKKOS_FORCEINLINE_FUNCTION bool claim(Vertex v) const { return known.set(v); }
  /// For that one caller: the parent is vertex number parent_local of parent_rank.
  KOKKOS_FORCEINLINE_FUNCTION void write(Vertex v, int parent_rank, std::int64_t parent_local) const {
    parent[v - first] = static_cast<Vertex>(partition.global_id(parent_rank, parent_local));
    level[v - first] = next_level;
  }
};

/// For enqueue_claimed(): what another rank sent.
template <class Vertex, class Memory>
struct ClaimReceived {
  ClaimVertices<Vertex, Memory> claim;

  KOKKOS_FORCEINLINE_FUNCTION Vertex operator()(int rank, std::uint64_t word) const {
    const Vertex v = claim.first + static_cast<Vertex>(vertex_of_pair(word));
    if (!claim.claim(v)) return no_vertex<Vertex>;
    claim.write(v, rank, parent_of_pair(word));
    return v;
  }
};

struct NothingToEnqueue {
  KOKKOS_FUNCTION void operator()() const {}
};

/// Words i, i + stride, ... of the bitmap, for each thread i: nothing is known but the root, which is its own parent.
template <class Vertex, class Memory, class Enqueue>
struct StartSearch {
  ClaimVertices<Vertex, Memory> claim;
  int rank;
  Vertex root;      ///< no_vertex: another rank's
  Enqueue enqueue;  ///< by the thread that marks the root
  std::int64_t num_words;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t stride) const {
    using Bits = Bitmap<Memory>;
    const std::int64_t of_root = root == no_vertex<Vertex> ? -1 : static_cast<std::int64_t>(Bits::word_of(root));
    for (std::int64_t w = i; w < num_words; w += stride) {
      claim.known.words().data()[w] = w == of_root ? Bits::mask(root) : 0;
    }
    if (of_root < 0 || of_root % stride != i) return;
    claim.write(root, rank, root - claim.first);
    enqueue();
  }
};

/// By so many threads of a kernel of its own.
template <class Vertex, class Memory, class Enqueue>
struct StartByThreads {
  StartSearch<Vertex, Memory, Enqueue> start;
  std::int64_t num_threads;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { start(i, num_threads); }
};

template <class Space, class Vertex>
struct Bfs1dState {
  using Memory = typename Space::memory_space;

  const Communicator& communicator;
  Space space;
  const Graph1d<Vertex, Memory>& graph;
  LocalRows<Vertex, Memory> view;
  Bfs1dOptions options;
  Frontier<Vertex, Memory> frontier;
  Frontier<Vertex, Memory> next;
  Bitmap<Memory> known;
  BfsResult<Vertex, Memory> result;

  // Of all ranks, the same on every rank; kept by the loop over levels.
  std::int64_t frontier_size = 0;
  Offset frontier_edges = 0;
  bool edges_are_bound = false;  ///< that is what Bfs1dExpansion::first_edges_at_most() says, of the first level
  std::int64_t num_reached = 0;  ///< before the frontier
  Offset edges_reached = 0;
  Level next_level = 0;
  Vertex own_root = no_vertex<Vertex>;  ///< as block id, if it is this rank's
  Offset own_edges_reached = 0;         ///< of this rank's
  bool filled = false;                  ///< vertices that are not reached have results that say so

  Bfs1dState(const Communicator& communicator_, const Space& space_, const Graph1d<Vertex, Memory>& graph_,
             const Bfs1dOptions& options_)
      : communicator(communicator_),
        space(space_),
        graph(graph_),
        view(graph_.view()),
        options(options_),
        frontier(graph_.num_local(), graph_.rows.num_edges()),
        next(graph_.num_local(), graph_.rows.num_edges()),
        known(graph_.ids.size(), "dromos::bfs_1d::known") {
    const std::size_t num_local = static_cast<std::size_t>(graph.num_local());
    ensure_size(result.parent, num_local, "dromos::bfs_1d::parent");
    ensure_size(result.level, num_local, "dromos::bfs_1d::level");
  }

  ClaimVertices<Vertex, Memory> claim() const { return claim(next_level); }
  ClaimVertices<Vertex, Memory> claim(Level level) const {
    return {known, result.parent.data(), result.level.data(), graph.partition, graph.ids.first(graph.rank), level};
  }

  /// Nothing is visited but the root, a global id.
  /// \param edges_at_most  which leave it; below zero: unknown, and its owner waits for the answer
  /// \param fills_results  otherwise somebody else says of the vertices that are not reached that they are not
  /// \param left_to_others  somebody else enqueues start_search()
  void start(Vertex root, Offset edges_at_most, bool fills_results, bool left_to_others) {
    num_reached = 0;
    edges_reached = 0;
    own_edges_reached = 0;
    next_level = 0;
    const Place place = graph.partition.place(root);
    const bool own = place.rank == graph.rank;
    own_root = own ? graph.ids.id(place.rank, place.local) : no_vertex<Vertex>;
    frontier.set_counts(0);
    if (own && edges_at_most < 0) frontier.start(space, view, own_root);  // before there is more to wait for
    filled = fills_results;
    if (filled) fill(space, result.parent, no_vertex<Vertex>);
    if (filled) fill(space, result.level, no_level);
    if (left_to_others) {
      if (own) frontier.set_counts(1, edges_at_most);
      return;
    }
    if constexpr (sends_messages<Space>) {
      if (own && edges_at_most >= 0) {
        mark_start(frontier.start_by_kernel(space, view, own_root, edges_at_most));
        return;
      }
    }
    mark_start(NothingToEnqueue());
  }

  /// What begins a search, for kernels of so many threads.
  template <class Enqueue>
  StartSearch<Vertex, Memory, Enqueue> start_search(const Enqueue& enqueue) const {
    return {claim(0), graph.rank, own_root, enqueue, static_cast<std::int64_t>(known.words().extent(0))};
  }

  /// A level is over, whose frontier is that of the sums still: of all of its edges `own` left this rank's vertices.
  void pass_level(Offset own) {
    num_reached += frontier_size;
    own_edges_reached += own;
  }

  /// At the end of a search whose last frontier is a list: says of the vertices that are not reached that they are not.
  void fill_unreached() {
    if (filled) return;
    for_range(
        "dromos::bfs_1d::fill_unreached", space, graph.num_local(),
        FillUnreached<Vertex, Memory>{known.words().data(), static_cast<std::int64_t>(graph.ids.first(graph.rank)),
                                      result.parent.data(), result.level.data()});
    filled = true;
  }

 private:
  template <class Enqueue>
  void mark_start(const Enqueue& enqueue) {
    // On a GPU a thread has several words, since it takes registers for the root whether it has that or not.
    const auto num_words = static_cast<std::int64_t>(known.words().extent(0));
    const std::int64_t stride = is_gpu<Space> ? (num_words + 15) / 16 : num_words;
    for_range("dromos::bfs_1d::start", space, stride,
              StartByThreads<Vertex, Memory, Enqueue>{start_search(enqueue), stride});
  }
};

/// One way to get from a frontier to the next.
template <class Space, class Vertex>
class Bfs1dExpansion {
 public:
  virtual ~Bfs1dExpansion() = default;
  /// Where the first level needs to know of the root's edges only that they are not more than this; -1: it needs their
  /// number. The same on every rank.
  virtual Offset first_edges_at_most(const Bfs1dState<Space, Vertex>&) const { return -1; }
  /// Does it look backward as well, in a graph whose edges go both ways? Then a frontier whose edges all lead back is
  /// the last one.
  virtual bool goes_both_ways() const { return false; }
  /// May it be left to it to write the results of vertices that are not reached? Until it says that they are filled,
  /// the bitmap of what is known is exact of own vertices.
  virtual bool fills_results() const { return false; }
  /// Does it enqueue Bfs1dState::start_search() itself, with the first level?
  virtual bool starts_search() const { return false; }
  /// Before the first level of a search.
  virtual void start(Bfs1dState<Space, Vertex>& state) = 0;
  /// Several levels without the host, if that is possible from here: they are appended to `levels`, and state.frontier
  /// is what follows them, with all that a state knows of it. \returns whether; there may have been none, but the sums
  /// of the frontier are then known
  virtual bool expand_several(Bfs1dState<Space, Vertex>&, std::vector<Bfs1dLevel>&) { return false; }
  /// From state.frontier to state.next; says what it did.
  virtual void expand(Bfs1dState<Space, Vertex>& state, Bfs1dLevel& level) = 0;
};

}  // namespace dromos::detail
