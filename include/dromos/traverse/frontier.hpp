// SPDX-License-Identifier: BSD-3-Clause
// Work sets: the vertices whose edges a sweep visits, and the place where the next sweep's vertices gather.
//
// A Frontier is a queue of vertices that knows how many vertices it holds and how many edges leave them. Both counts
// grow together, in one 64-bit atomic (Slota et al. 2015, Section III-C.2): the low bits count vertices, the high bits
// edges, split so that the graph's own sizes fit. Whoever reserves room for c vertices with d edges is thereby told
// where the vertices go in the queue and where their edges begin in the collapsed loop, so that prefix sums of degrees
// come with the queue and the global Manhattan collapse needs no scan.
//
//   3 vertex bits; A reserves (2 vertices, 5 edges), then B (1 vertex, 4 edges):
//   tail = 0|0  ->  A is told position 0, edge 0;  tail = 5|2  ->  B is told position 2, edge 5;  tail = 9|3
//
// Where the two counts do not fit 64 bits together (graphs beyond 2^32 vertices with 2^32 edges or so), two counters
// are used, and the prefix sums are computed by a scan when a strategy asks for them.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/device_counts.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <optional>

namespace dromos {

/// How the counts of vertices and edges share one 64-bit word. vertex_bits == 0: they do not, and use two words.
struct FrontierCounts {
  int vertex_bits = 0;

  FrontierCounts() = default;
  FrontierCounts(std::int64_t num_vertices, std::int64_t num_edges) {
    vertex_bits = bits_for(num_vertices);
    if (vertex_bits + bits_for(num_edges) > 64) vertex_bits = 0;
  }
  KOKKOS_FUNCTION bool packed() const { return vertex_bits != 0; }
  KOKKOS_FUNCTION std::uint64_t pack(std::uint64_t vertices, std::uint64_t edges) const {
    return edges << vertex_bits | vertices;
  }
  KOKKOS_FUNCTION std::int64_t vertices(std::uint64_t word) const {
    return static_cast<std::int64_t>(word & ((std::uint64_t(1) << vertex_bits) - 1));
  }
  KOKKOS_FUNCTION std::int64_t edges(std::uint64_t word) const {
    return static_cast<std::int64_t>(word >> vertex_bits);
  }

  /// Bits needed to write every number from 0 to value.
  static int bits_for(std::int64_t value) {
    int bits = 1;
    while (bits < 63 && (std::int64_t(1) << bits) <= value) ++bits;
    return bits;
  }
};

/// A queue as the input of a sweep.
template <class Vertex, class Memory>
struct QueueWork {
  static constexpr bool edges_in_order = false;
  Kokkos::View<const Vertex*, Memory> queue;
  /// Edges before each vertex of the queue in the collapsed loop; empty unless the strategy needs it.
  Kokkos::View<const Offset*, Memory> prefix_sums;
  std::int64_t num_vertices = 0;
  Offset num_edges = 0;

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t size() const { return num_vertices; }
  KOKKOS_FORCEINLINE_FUNCTION Vertex vertex(std::int64_t i) const { return queue.data()[i]; }
  /// Edges before vertex(i) in the collapsed loop, which counts from first_edge() to last_edge().
  KOKKOS_FORCEINLINE_FUNCTION Offset operator[](std::int64_t i) const { return prefix_sums.data()[i]; }
  Offset first_edge() const { return 0; }
  Offset last_edge() const { return num_edges; }
};

/// All vertices of a graph as the input of a sweep; the row map is its prefix sum.
template <class Graph>
struct AllVertices {
  /// Edge j of the collapsed loop is edge j of the graph.
  static constexpr bool edges_in_order = true;
  Graph graph;

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t size() const { return graph.num_vertices(); }
  KOKKOS_FORCEINLINE_FUNCTION typename Graph::vertex_type vertex(std::int64_t i) const {
    return static_cast<typename Graph::vertex_type>(i);
  }
  KOKKOS_FORCEINLINE_FUNCTION Offset operator[](std::int64_t i) const {
    return graph.begin(static_cast<typename Graph::vertex_type>(i));
  }
  Offset first_edge() const { return 0; }
  Offset last_edge() const { return graph.num_edges(); }
};

/// Takes nothing: for operators whose edges never add to a next work set.
struct NoSink {
  static constexpr bool enabled = false;
  static constexpr bool lists = false;
};

/// The room for the next work set, as a kernel sees it.
template <class Graph>
struct QueueSink {
  using Vertex = typename Graph::vertex_type;
  using Memory = typename Graph::memory_space;
  static constexpr bool enabled = true;
  static constexpr bool lists = true;  // what joins, not only its number

  Graph graph;
  FrontierCounts counts;
  Kokkos::View<Vertex*, Memory> queue;
  Kokkos::View<Offset*, Memory> prefix_sums;  // empty: not wanted
  Kokkos::View<std::uint64_t*, Memory> tail;

  /// Counters of whoever fills the work set, which are zero at first: Frontier::note() says what they were in the end.
  static constexpr int num_notes = 3;
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* notes() const { return tail.data() + 2; }

  /// Reserves room for so many vertices, which so many edges leave. The answer is for position() and first_edge().
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t reserve(std::uint64_t num_vertices, std::uint64_t num_edges) const {
    if (counts.packed()) return atomic_fetch_add(&tail.data()[0], counts.pack(num_vertices, num_edges));
    atomic_fetch_add(&tail.data()[1], num_edges);
    return atomic_fetch_add(&tail.data()[0], num_vertices);
  }
  /// Where in the queue the reserved room begins.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t position(std::uint64_t reserved) const {
    return counts.packed() ? counts.vertices(reserved) : static_cast<std::int64_t>(reserved);
  }
  /// The edges before it in the collapsed loop; 0 where the counts do not tell.
  KOKKOS_FORCEINLINE_FUNCTION Offset first_edge(std::uint64_t reserved) const {
    return counts.packed() ? counts.edges(reserved) : 0;
  }

  /// Puts in the vertices get(0) .. get(count - 1), by one atomic.
  template <class Get>
  KOKKOS_FORCEINLINE_FUNCTION void take(int count, const Get& get) const {
    const std::uint64_t reserved =
        reserve(static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(sum_of_degrees(count, get)));
    write(position(reserved), first_edge(reserved), count, get);
  }
  /// The same of all threads of a team, by one atomic of the team: a collective.
  template <class Member, class Get>
  KOKKOS_FORCEINLINE_FUNCTION void take_together(const Member& team, int count, const Get& get) const {
    const auto mine = static_cast<std::uint64_t>(count), edges = static_cast<std::uint64_t>(sum_of_degrees(count, get));
    std::uint64_t reserved = 0;
    if (counts.packed()) {
      reserved = team.team_scan(counts.pack(mine, edges), &tail.data()[0]);
    } else {
      team.team_scan(edges, &tail.data()[1]);
      reserved = team.team_scan(mine, &tail.data()[0]);
    }
    write(position(reserved), first_edge(reserved), count, get);
  }
  /// Puts in one vertex, by an atomic of its own.
  KOKKOS_FORCEINLINE_FUNCTION void enqueue(Vertex v) const {
    const std::uint64_t reserved = reserve(1, static_cast<std::uint64_t>(graph.degree(v)));
    write(position(reserved), first_edge(reserved), 1, [v](int) { return v; });
  }
  /// The same by one atomic of the threads of a warp that do so at the time: where many do. It takes more registers.
  KOKKOS_FORCEINLINE_FUNCTION void enqueue_together(Vertex v) const {
    const auto degree = static_cast<std::uint64_t>(graph.degree(v));
    if (!counts.packed()) take_numbers(&tail.data()[1], degree);
    const std::uint64_t reserved = take_numbers(&tail.data()[0], counts.packed() ? counts.pack(1, degree) : 1);
    write(position(reserved), first_edge(reserved), 1, [v](int) { return v; });
  }

  /// Writes `count` vertices, get(0) .. get(count - 1), at a reserved position; `edge` is where their edges begin.
  template <class Get>
  KOKKOS_FORCEINLINE_FUNCTION void write(std::int64_t to, Offset edge, int count, const Get& get) const {
    if (prefix_sums.extent(0) == 0) {
      for (int i = 0; i < count; ++i) queue.data()[to + i] = get(i);
    } else {
      for (int i = 0; i < count; ++i) {
        const Vertex v = get(i);
        queue.data()[to + i] = v;
        prefix_sums.data()[to + i] = edge;
        edge += graph.degree(v);
      }
    }
  }

 private:
  template <class Get>
  KOKKOS_FORCEINLINE_FUNCTION Offset sum_of_degrees(int count, const Get& get) const {
    Offset sum = 0;
    for (int i = 0; i < count; ++i) sum += graph.degree(get(i));
    return sum;
  }
};

namespace detail {

template <class Graph, class Vertex>
struct EnqueueOne {
  QueueSink<Graph> sink;
  Vertex v;
  KOKKOS_FUNCTION void operator()(std::int64_t) const { sink.enqueue(v); }
};

/// sink.enqueue(v), from outside of a kernel.
template <class Space, class Graph, class Vertex>
void launch_enqueue(const Space& space, const QueueSink<Graph>& sink, Vertex v) {
  for_range("dromos::frontier::start", space, 1, EnqueueOne<Graph, Vertex>{sink, v});
}

/// The same, and tells the host what the counters are then.
template <class Graph, class Vertex>
struct EnqueueOneAndPublish {
  QueueSink<Graph> sink;
  Vertex v;
  CountsPublisher publisher;
  KOKKOS_FUNCTION void operator()() const {
    sink.enqueue(v);
    publisher.publish(0);
  }
};

template <class Graph, class Vertex, class Memory>
struct ScanDegrees {
  Graph graph;
  Kokkos::View<Vertex*, Memory> queue;
  Kokkos::View<Offset*, Memory> prefix;

  KOKKOS_FUNCTION void operator()(std::int64_t i, Offset& sum, bool final) const {
    if (final) prefix(i) = sum;
    sum += graph.degree(queue(i));
  }
};

/// Writes how many edges are before those of each vertex of a queue, and returns how many there are.
template <class Space, class Graph, class Vertex, class Memory>
Offset scan_degrees(const Space& space, const Graph& graph, const Kokkos::View<Vertex*, Memory>& queue,
                    std::int64_t num_vertices, const Kokkos::View<Offset*, Memory>& prefix) {
  Offset num_edges = 0;
  Kokkos::parallel_scan("dromos::frontier::prefix_sums",
                        Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, num_vertices),
                        ScanDegrees<Graph, Vertex, Memory>{graph, queue, prefix}, num_edges);
  return num_edges;
}

template <class Graph, class Vertex, class Memory>
struct SumDegrees {
  Graph graph;
  Kokkos::View<Vertex*, Memory> list;
  KOKKOS_FUNCTION void operator()(std::int64_t i, Offset& partial) const { partial += graph.degree(list(i)); }
};

}  // namespace detail

/// The number of edges of a work set whose edges nobody has counted.
inline constexpr Offset unknown_edges = -1;

/// Edges that leave the first `count` vertices of a list. Waits.
template <class Space, class Graph, class Vertex, class Memory>
Offset sum_of_degrees(const Space& space, const Graph& graph, const Kokkos::View<Vertex*, Memory>& list,
                      std::int64_t count, const char* label = "dromos::frontier::sum_of_degrees") {
  Offset sum = 0;
  reduce_range(label, space, count, detail::SumDegrees<Graph, Vertex, Memory>{graph, list}, sum);
  return sum;
}

/// Owns a queue for up to every vertex of a graph, allocated once and reused for every sweep and every root.
/// Memory: 4 bytes (8 for 64-bit ids) a vertex, and 8 more once a strategy asks for prefix sums.
template <class Vertex, class Memory>
class Frontier {
 public:
  using Work = QueueWork<Vertex, Memory>;

  Frontier() = default;
  Frontier(std::int64_t num_vertices, Offset num_edges)
      : counts_(num_vertices, num_edges),
        queue_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::frontier::queue"), num_vertices),
        tail_(2 + QueueSink<CsrView<Vertex, Memory>>::num_notes, "dromos::frontier::tail") {}
  /// Vertices of a list that lies elsewhere, from which so many edges leave: a work set to sweep from, not into.
  explicit Frontier(const Kokkos::View<Vertex*, Memory>& list, Offset num_edges = unknown_edges) : queue_(list) {
    set_counts(static_cast<std::int64_t>(list.extent(0)), num_edges);
  }

  std::int64_t num_vertices() const { return num_vertices_; }
  /// Sum of the degrees of its vertices; unknown_edges where nobody has counted them.
  Offset num_edges() const { return num_edges_; }
  bool empty() const { return num_vertices_ == 0; }
  Kokkos::View<Vertex*, Memory> queue() const { return queue_; }
  Work work() const { return {queue_, prefix_valid_ ? prefix_ : decltype(prefix_)(), num_vertices_, num_edges_}; }

  /// Holds exactly one vertex of this degree from now on.
  template <class Space>
  void assign(const Space& space, Vertex v, Offset degree) {
    Kokkos::deep_copy(space, Kokkos::subview(queue_, Kokkos::make_pair(0, 1)), v);
    set_counts(1, degree);
  }

  /// Holds exactly one vertex from now on, whose degree is looked up where the graph is. Waits.
  template <class Space, class Graph>
  void start(const Space& space, const Graph& graph, Vertex v) {
    const auto sink = open(space, graph, prefix_.extent(0) != 0);
    if constexpr (host_accessible<Memory>) {
      queue_(0) = v;  // by this thread: a kernel would wake all the others for it
      set_counts(1, graph.degree(v));
      return;
    }
    detail::launch_enqueue(space, sink, v);
    collect(space);
  }

  /// The same without waiting, in a space that sends_messages: by one thread of the kernel that is launched next. Until
  /// learn_start() the frontier takes so many edges to leave the vertex, which has no more of them.
  template <class Space, class Graph>
  detail::EnqueueOneAndPublish<Graph, Vertex> start_by_kernel(const Space& space, const Graph& graph, Vertex v,
                                                              Offset at_most) {
    const auto sink = open(space, graph, prefix_.extent(0) != 0);
    starting_ = tail_.publisher();
    num_vertices_ = 1;
    num_edges_ = at_most;
    return {sink, v, *starting_};
  }
  /// Waits for what start_by_kernel() gave out, and knows the edges.
  template <class Space>
  void learn_start(const Space& space) {
    if constexpr (sends_messages<Space>) {
      if (!starting_) return;
      tail_.read(space, *starting_);
      starting_.reset();
      take_counts();
    }
  }

  /// Says that the first `num_vertices` elements of queue() were written by someone else and have this many edges; who
  /// does not know how many leaves it to the first sweep whose strategy asks.
  void set_counts(std::int64_t num_vertices, Offset num_edges = unknown_edges) {
    num_vertices_ = num_vertices;
    num_edges_ = num_vertices == 0 ? 0 : num_edges;
    prefix_valid_ = false;
  }

  /// Empties the frontier and gives out the sink that fills it; collect() ends the filling.
  template <class Space, class Graph>
  QueueSink<Graph> open(const Space& space, const Graph& graph, bool with_prefix_sums) {
    tail_.open(space);
    prefix_valid_ = with_prefix_sums && counts_.packed();
    if (prefix_valid_) allocate_prefix();
    return {graph, counts_, queue_, prefix_valid_ ? prefix_ : decltype(prefix_)(), tail_.on_device()};
  }

  /// Waits for the sweep and learns how much it gathered: the one host synchronisation of a sweep.
  template <class Space>
  void collect(const Space& space) {
    tail_.read(space);
    take_counts();
  }

  /// For the kernel that is launched next and is the last to fill it, in a space that sends_messages.
  CountsPublisher publisher() const { return tail_.publisher(); }
  /// As collect(space), where that kernel publishes.
  template <class Space>
  void collect(const Space& space, const CountsPublisher& publisher) {
    tail_.read(space, publisher);
    take_counts();
  }

  /// What QueueSink::notes()[k] was when collect() returned.
  std::int64_t note(int k) const { return static_cast<std::int64_t>(tail_[2 + k]); }

  /// Counts the edges where nobody has. Cost: a pass over the degrees, and a host synchronisation.
  template <class Space, class Graph>
  void ensure_num_edges(const Space& space, const Graph& graph) {
    if (num_edges_ == unknown_edges) num_edges_ = sum_of_degrees(space, graph, queue_, num_vertices_);
  }

  /// Computes the prefix sums by a scan where they did not come with the queue.
  template <class Space, class Graph>
  void ensure_prefix_sums(const Space& space, const Graph& graph) {
    if (prefix_valid_ || num_vertices_ == 0) return;
    allocate_prefix();
    num_edges_ = detail::scan_degrees(space, graph, queue_, num_vertices_, prefix_);
    prefix_valid_ = true;
  }

  /// Learns what sweeps of this strategy want to know.
  template <class Chosen, class Space, class Graph>
  void prepare_for(const Space& space, const Graph& graph) {
    if constexpr (Chosen::needs_prefix_sums) {
      ensure_prefix_sums(space, graph);
    } else if constexpr (Chosen::template needs_num_edges<Space>) {
      ensure_num_edges(space, graph);
    }
  }

 private:
  /// What the tail said the last time.
  void take_counts() {
    num_vertices_ = counts_.packed() ? counts_.vertices(tail_[0]) : static_cast<std::int64_t>(tail_[0]);
    num_edges_ = counts_.packed() ? counts_.edges(tail_[0]) : static_cast<Offset>(tail_[1]);
  }

  void allocate_prefix() {
    if (prefix_.extent(0) != queue_.extent(0)) {
      prefix_ = Kokkos::View<Offset*, Memory>(
          Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::frontier::prefix_sums"), queue_.extent(0));
    }
  }

  FrontierCounts counts_;
  Kokkos::View<Vertex*, Memory> queue_;
  Kokkos::View<Offset*, Memory> prefix_;
  DeviceCounts<Memory> tail_;
  std::int64_t num_vertices_ = 0;
  Offset num_edges_ = 0;
  bool prefix_valid_ = false;
  std::optional<CountsPublisher> starting_;  ///< the answer that start_by_kernel() left for later
};

}  // namespace dromos
