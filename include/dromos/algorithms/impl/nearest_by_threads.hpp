// SPDX-License-Identifier: BSD-3-Clause
// Shortest paths by threads of a CPU that go on each for itself, the nearest vertices first, roughly, where vertices
// have few edges: sweeps of roads are so thin that threads which begin and end them together mostly wait.
//
// Each thread has buckets of its own, by distance, and takes its nearest one out as the vertices came. Whoever gets
// nearer by that goes into a bucket of the thread that found it. Before a thread goes on to its next bucket, it helps
// one that is behind: others hand out what they have in their bucket, in lists of a few vertices.
//
//   thread 0    bucket 7: [a b c ..] [k l m ..] [x y]     thread 1, whose next bucket is 9, takes [k l m ..] before
//
// So a distance may be looked at before it is the last one, as within any bucket, and nobody waits for anybody but who
// has nothing to do at all.
//
// Where rows are short, a list is gone through in passes, each of which asks for much before it waits for any of it:
// rows, then edges, then those whose ends get nearer, without a branch on which do, as nobody could foresee that, and
// at last what they get. Elsewhere most edges of a row are of no use, which is foreseen, and what is found is known at
// once.
//
// Buckets lie in a ring that begins with the thread's next one. Whoever is too far for the ring waits in a heap, so
// that a few long edges cost no memory.
//
// Source: M. D'Antonio, T. S. Mai, P. Tsigas, H. Vandierendonck, "Wasp: efficient asynchronous single-source shortest
// path on multicore systems via work stealing", SC 2025 (buckets of threads, help for who is behind); there lists are
// taken from deques without locks, here a lock is held for a list of vertices.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <deque>
#include <dromos/core/deal_out.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/launch_teams.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <dromos/graph/graph_view.hpp>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <queue>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace dromos::detail {

/// Of a bucket that no vertex is in.
inline constexpr std::int64_t no_bucket = std::numeric_limits<std::int64_t>::max();

/// A vertex that waits, and a trace of its distance then, by which it is known whether it has got nearer since: whoever
/// made it so has put it in again. Traces that are the same by chance cost a look at its edges.
template <class Vertex>
struct WaitingVertex {
  Vertex vertex;
  std::uint32_t trace;
};

template <class Distance>
std::uint32_t trace_of(Distance d) {
  if constexpr (sizeof(Distance) == sizeof(std::uint32_t)) {
    std::uint32_t bits;
    std::memcpy(&bits, &d, sizeof bits);
    return bits;
  } else {
    std::uint64_t bits;
    std::memcpy(&bits, &d, sizeof bits);
    return static_cast<std::uint32_t>(bits ^ (bits >> 32));
  }
}

/// Vertices of one bucket.
template <class Vertex>
struct VertexList {
  static constexpr int most = 64;
  int size;
  VertexList* next;
  Offset begin, end;  ///< of the only vertex' edges those that are meant; 0, 0: all edges of all vertices
  WaitingVertex<Vertex> vertices[most];
};

/// Held for some ten instructions.
class ShortLock {
 public:
  void lock() {
    while (held_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  void unlock() { held_.clear(std::memory_order_release); }

 private:
  std::atomic_flag held_ = ATOMIC_FLAG_INIT;
};

/// What others may see of a thread, and take from it.
template <class Vertex>
struct HandedOut {
  using List = VertexList<Vertex>;
  alignas(64) std::atomic<std::int64_t> bucket{no_bucket};  ///< that the thread is in; no_bucket: it has nothing
  alignas(64) std::atomic<int> num_lists{0};  ///< apart from the bucket: who waits looks at it all the time
  ShortLock lock;
  std::deque<List*> lists;                      ///< of the bucket
  std::vector<std::unique_ptr<List[]>> memory;  ///< the thread's: lists wander from thread to thread

  void hand_out(List* list) {
    const std::lock_guard<ShortLock> guard(lock);
    lists.push_back(list);
    tell();
  }
  /// The thread's own next list, or null.
  List* take() {
    if (num_lists.load(std::memory_order_relaxed) == 0) return nullptr;
    const std::lock_guard<ShortLock> guard(lock);
    if (lists.empty()) return nullptr;
    List* const list = lists.front();
    lists.pop_front();
    tell();
    return list;
  }
  /// For another thread: a list, and the bucket that it is of, if that is before `limit`; or null.
  std::pair<List*, std::int64_t> give(std::int64_t limit) {
    const std::pair<List*, std::int64_t> nothing{nullptr, no_bucket};
    if (num_lists.load(std::memory_order_relaxed) == 0 || bucket.load(std::memory_order_relaxed) >= limit) {
      return nothing;
    }
    const std::lock_guard<ShortLock> guard(lock);
    const std::int64_t of = bucket.load(std::memory_order_relaxed);
    if (lists.empty() || of >= limit) return nothing;
    List* const list = lists.back();
    lists.pop_back();
    tell();
    return {list, of};
  }

 private:
  void tell() { num_lists.store(static_cast<int>(lists.size()), std::memory_order_relaxed); }
};

/// How threads are to go on.
struct ThreadBuckets {
  double width;             ///< of a bucket; 0: all distances are in one
  int num_threads;          ///< at most; where Kokkos has fewer, those do it
  bool short_rows = false;  ///< most rows have a few edges, and no row has many
};

/// What threads share.
template <class Rows, class Weights, class Distance>
struct NearestByThreads {
  using Vertex = typename Rows::vertex_type;
  const Rows rows;
  const Weights weights;
  Distance* distance;
  const Vertex* first;  ///< those to begin with
  std::int64_t num_first;
  double buckets_per_distance;  ///< 0: all are in one
  bool short_rows;
  Offset most_edges;  ///< that all threads look at
  std::vector<HandedOut<Vertex>> handed_out;

  alignas(64) std::atomic<int> num_begun{0};  ///< pieces of `first`
  alignas(64) std::atomic<int> num_busy{0};   ///< threads that have something
  alignas(64) std::atomic<int> num_idle{0};   ///< threads that ask for something
  alignas(64) std::atomic<Offset> num_edges{0};
  std::atomic<bool> stops{false}, lacks_memory{false};
  std::mutex of_left{};
  std::vector<Vertex> left{};  ///< whose edges have not been looked at

  int num_threads() const { return static_cast<int>(handed_out.size()); }
};

/// One of the threads.
template <class Rows, class Weights, class Distance>
class NearestOfThread {
 public:
  using All = NearestByThreads<Rows, Weights, Distance>;
  using Vertex = typename All::Vertex;

  NearestOfThread(All& all, int rank)
      : all_(all),
        mine_(all.handed_out[static_cast<std::size_t>(rank)]),
        rank_(rank),
        alone_(all.num_threads() == 1),
        buckets_ahead_(all.short_rows ? 1 : 0),
        per_distance_(all.buckets_per_distance) {}

  void run() {
    all_.num_busy.fetch_add(1);
    try {
      while (!all_.stops.load(std::memory_order_relaxed)) {
        while (List* const list = next_list()) relax(list);
        if (begin_some()) continue;
        const std::int64_t next = next_bucket();
        if (help_who_is_before(next == no_bucket ? next : next - buckets_ahead_)) continue;
        if (next != no_bucket) {
          begin(next);
        } else if (!wait()) {
          break;
        }
      }
      if (all_.stops.load(std::memory_order_relaxed)) leave();
    } catch (const std::bad_alloc&) {
      all_.lacks_memory.store(true);
      all_.stops.store(true);
    }
    all_.num_edges.fetch_add(num_edges_);
    mine_.bucket.store(no_bucket, std::memory_order_relaxed);
    all_.num_busy.fetch_sub(1);
  }

 private:
  using Entry = WaitingVertex<Vertex>;
  using List = VertexList<Vertex>;
  using Far = std::pair<std::int64_t, std::pair<Vertex, std::uint32_t>>;
  static constexpr std::int64_t num_buckets = 256;
  static constexpr double last_bucket = 4611686018427387904.0;  // 2^62: all that is further
  static constexpr int lists_at_once = 64;
  /// Where somebody has nothing, a list of so many is handed out.
  static constexpr int worth_handing_out = 16;
  /// Of longer rows others may take a part.
  static constexpr Offset most_edges_of_list = 1 << 12;
  static constexpr Offset edges_between_looks = 1 << 14;
  /// Short rows: in lists of so many at least, so many at once, of whose edges so many are asked for without asking how
  /// many there are.
  static constexpr int worth_passes = 8, rows_at_once = 16, few_edges = 4;
  static constexpr bool may_read_on = std::is_same_v<Rows, CsrView<Vertex, typename Rows::memory_space>>;
  struct Way {
    Vertex to;
    Distance length;
  };

  std::int64_t bucket_of(Distance d) const {
    return static_cast<std::int64_t>(std::min(last_bucket, static_cast<double>(d) * per_distance_));
  }
  bool others_ask() const { return all_.num_idle.load(std::memory_order_relaxed) > 0; }

  List* new_list() {
    if (free_ == nullptr) {
      mine_.memory.emplace_back(new List[lists_at_once]);
      for (int i = 0; i < lists_at_once; ++i) set_free(&mine_.memory.back()[static_cast<std::size_t>(i)]);
    }
    List* const list = free_;
    free_ = list->next;
    list->size = 0;
    list->next = nullptr;
    list->begin = list->end = 0;
    return list;
  }
  void set_free(List* list) {
    list->next = free_;
    free_ = list;
  }

  [[gnu::always_inline]] void put(Vertex v, Distance d) { put(bucket_of(d), {v, trace_of(d)}); }
  [[gnu::always_inline]] void put(std::int64_t bucket, const Entry& entry) {
    if (bucket <= now_) {
      if (filling_ == nullptr) filling_ = new_list();
      filling_->vertices[filling_->size++] = entry;
      if (filling_->size == List::most || (filling_->size >= worth_handing_out && others_ask())) {
        mine_.hand_out(std::exchange(filling_, nullptr));
      }
      return;
    }
    if (num_in_ring_ == 0) {
      next_ = last_ = bucket;
    } else if (bucket < next_) {
      if (last_ - bucket < num_buckets) next_ = bucket;
      bucket = next_;
    }
    if (bucket >= next_ + num_buckets) {
      far_.emplace(bucket, std::pair(entry.vertex, entry.trace));
      return;
    }
    last_ = std::max(last_, bucket);
    List*& list = ring_[static_cast<std::size_t>(bucket & (num_buckets - 1))];
    if (list == nullptr || list->size == List::most) {
      List* const longer = new_list();
      longer->next = list;
      list = longer;
    }
    list->vertices[list->size++] = entry;
    ++num_in_ring_;
  }

  /// Of those that are not handed out.
  std::int64_t next_bucket() {
    const std::int64_t far = far_.empty() ? no_bucket : far_.top().first;
    if (num_in_ring_ == 0) return far;
    while (ring_[static_cast<std::size_t>(next_ & (num_buckets - 1))] == nullptr) ++next_;
    return std::min(next_, far);
  }

  void begin(std::int64_t bucket) {
    now_ = bucket;
    mine_.bucket.store(bucket, std::memory_order_relaxed);
    for (; !far_.empty() && far_.top().first <= bucket; far_.pop()) {
      const auto [v, trace] = far_.top().second;
      put(bucket, {v, trace});
    }
    if (num_in_ring_ == 0 || next_ != bucket) return;
    List* list = std::exchange(ring_[static_cast<std::size_t>(bucket & (num_buckets - 1))], nullptr);
    ++next_;
    oldest_first_.clear();
    for (; list != nullptr; list = list->next) oldest_first_.push_back(list);
    for (auto it = oldest_first_.rbegin(); it != oldest_first_.rend(); ++it) {
      num_in_ring_ -= (*it)->size;
      const bool has_room = *it == oldest_first_.front() && (*it)->size < List::most;
      if (has_room && filling_ == nullptr && ((*it)->size < worth_handing_out || !others_ask())) {
        filling_ = *it;
      } else {
        mine_.hand_out(*it);
      }
    }
  }

  List* next_list() {
    if (all_.stops.load(std::memory_order_relaxed)) return nullptr;
    if (List* const list = mine_.take()) return list;
    return std::exchange(filling_, nullptr);
  }

  /// A piece of the vertices to begin with.
  bool begin_some() {
    const std::int64_t n = all_.num_first, pieces = all_.num_threads();
    if (all_.num_begun.load(std::memory_order_relaxed) >= pieces) return false;
    const std::int64_t i = all_.num_begun.fetch_add(1);
    if (i >= pieces) return false;
    now_ = -1;
    for (std::int64_t k = n * i / pieces; k < n * (i + 1) / pieces; ++k) {
      put(all_.first[k], atomic_load(&all_.distance[all_.first[k]]));
    }
    return true;
  }

  bool help_who_is_before(std::int64_t bucket) {
    if (alone_ || all_.num_busy.load(std::memory_order_relaxed) == 1) return false;  // nobody else has anything
    for (int k = 1; k < all_.num_threads(); ++k) {
      const auto [list, of] = all_.handed_out[static_cast<std::size_t>((rank_ + k) % all_.num_threads())].give(bucket);
      if (list == nullptr) continue;
      now_ = of;
      mine_.bucket.store(of, std::memory_order_relaxed);
      relax(list);
      return true;
    }
    return false;
  }

  /// Until somebody hands something out, which the thread has then begun with; false: nobody has anything any more.
  bool wait() {
    if (alone_) return false;
    mine_.bucket.store(no_bucket, std::memory_order_relaxed);
    all_.num_idle.fetch_add(1);
    all_.num_busy.fetch_sub(1);
    bool helps = false;
    for (int looks = 1; !helps && all_.num_busy.load() > 0 && !all_.stops.load(std::memory_order_relaxed); ++looks) {
      bool is_some = false;
      for (int k = 1; k < all_.num_threads() && !is_some; ++k) {
        const auto& other = all_.handed_out[static_cast<std::size_t>((rank_ + k) % all_.num_threads())];
        is_some = other.num_lists.load(std::memory_order_relaxed) > 0;
      }
      if (is_some) {  // busy before it has anything: who is not busy has nothing
        all_.num_busy.fetch_add(1);
        helps = help_who_is_before(no_bucket);
        if (!helps) all_.num_busy.fetch_sub(1);
      } else {
        pause(looks);
      }
    }
    if (!helps) all_.num_busy.fetch_add(1);  // run() ends it
    all_.num_idle.fetch_sub(1);
    return helps;
  }
  /// Whoever looks disturbs those who have something to do.
  static void pause(int looks) {
    if (looks > 2000) return std::this_thread::sleep_for(std::chrono::microseconds(50));
    if (looks > 64) return std::this_thread::yield();
    for (std::atomic<int> steps{std::min(8 * looks, 512)}; steps.load(std::memory_order_relaxed) > 0;) --steps;
  }

  void relax(List* list) {
    if (all_.short_rows && list->size >= worth_passes) {
      alone_ ? relax_short_rows<true>(*list) : relax_short_rows<false>(*list);
    } else {
      alone_ ? relax_edges<true>(*list) : relax_edges<false>(*list);
    }
    set_free(list);
    if (num_edges_ < edges_between_looks) return;
    if (all_.num_edges.fetch_add(num_edges_) + num_edges_ > all_.most_edges) all_.stops.store(true);
    num_edges_ = 0;
  }

  template <bool Alone>
  void relax_edges(const List& list) {
    const Rows rows = all_.rows;
    const Weights weights = all_.weights;
    Distance* const distance = all_.distance;
    constexpr int ahead = 4;  // vertices
    for (int i = 0; i < std::min(list.size, ahead); ++i) prefetch_edges(list.vertices[i].vertex);
    for (int i = 0; i < list.size; ++i) {
      if (i + 2 * ahead < list.size) prefetch_row(list.vertices[i + 2 * ahead].vertex);
      if (i + ahead < list.size) prefetch_edges(list.vertices[i + ahead].vertex);
      const Vertex u = list.vertices[i].vertex;
      const Distance d = atomic_load(&distance[u]);
      if (trace_of(d) != list.vertices[i].trace) continue;
      Offset begin = rows.begin(u), end = rows.end(u);
      if (list.end > 0) {
        begin = list.begin;
        end = list.end;
      } else if (!Alone && end - begin > most_edges_of_list) {
        for (; end - begin > most_edges_of_list; begin += most_edges_of_list) {
          hand_out_edges(list.vertices[i], begin, begin + most_edges_of_list);
        }
      }
      num_edges_ += end - begin;
      for (Offset e = begin; e < end; ++e) {
        const Vertex v = neighbor_of(rows, u, e);
        const Distance offered = d + static_cast<Distance>(weights(e));
        if (offered < atomic_load(&distance[v])) take<Alone>({v, offered});
      }
    }
  }

  /// The same, in passes.
  template <bool Alone>
  void relax_short_rows(const List& list) {
    const Rows rows = all_.rows;
    const Weights weights = all_.weights;
    const Distance* const distance = all_.distance;
    for (int i = 0; i < list.size; ++i) prefetch_row(list.vertices[i].vertex);
    struct Row {
      Vertex vertex;
      Distance distance;
      Offset begin, end;
    };
    Row of[List::most];
    int num_rows = 0;
    for (int i = 0; i < list.size; ++i) {
      const Vertex u = list.vertices[i].vertex;
      const Distance d = atomic_load(&distance[u]);
      of[num_rows] = {u, d, rows.begin(u), rows.end(u)};
      prefetch_edges(u);
      num_rows += trace_of(d) == list.vertices[i].trace;
    }
    constexpr int most_ways = 256;
    Way ways[most_ways];
    int num_ways = 0;
    const auto take_ways = [&] {
      for (int i = 0; i < num_ways; ++i) {
        take<Alone>(ways[i]);
        if constexpr (HasPrefetch<Rows>::value) rows.prefetch_row(ways[i].to);
      }
      num_ways = 0;
    };
    for (int i = 0; i < num_rows; ++i) {
      const Vertex u = of[i].vertex;
      const Distance d = of[i].distance;
      Offset e = of[i].begin;
      const Offset end = of[i].end;
      num_edges_ += end - e;
      int num = num_ways;
      const auto look_at = [&](bool is_of_row) {
        const Vertex v = neighbor_of(rows, u, e);
        const Distance offered = d + static_cast<Distance>(weights(e));
        ways[num] = {v, offered};
        num += is_of_row & (offered < atomic_load(&distance[v]));
        ++e;
      };
      if (may_read_on && end - e <= few_edges && e + few_edges <= num_edges_of_all_) {
        for (int k = 0; k < few_edges; ++k) look_at(e < end);
        num_ways = num;
      } else {
        while (e < end) {
          const Offset until = std::min<Offset>(end, e + most_ways - num);
          while (e < until) look_at(true);
          num_ways = num;
          if (e < end) take_ways();
          num = num_ways;
        }
      }
      if (i % rows_at_once == rows_at_once - 1 || num_ways > most_ways - few_edges) take_ways();
    }
    take_ways();
  }

  /// Of a way that was shorter when it was looked at.
  template <bool Alone>
  [[gnu::always_inline]] void take(const Way& way) {
    Distance* const theirs = &all_.distance[way.to];
    if (Alone) {
      if (!(way.length < *theirs)) return;
      *theirs = way.length;
    } else if (!(way.length < atomic_fetch_min_of_positive(theirs, way.length))) {
      return;
    }
    put(way.to, way.length);
  }
  void hand_out_edges(const Entry& of, Offset begin, Offset end) {
    List* const list = new_list();
    list->vertices[list->size++] = of;
    list->begin = begin;
    list->end = end;
    mine_.hand_out(list);
  }
  void prefetch_row(Vertex v) const {
    if constexpr (HasPrefetch<Rows>::value) all_.rows.prefetch_row(v);
    prefetch(&all_.distance[v]);
  }
  void prefetch_edges(Vertex v) const {
    if constexpr (HasPrefetch<Rows>::value) all_.rows.prefetch_edges(v);
    if constexpr (Kokkos::is_view<Weights>::value) prefetch(&all_.weights.data()[all_.rows.begin(v)]);
  }

  /// All that the thread has left.
  void leave() {
    while (begin_some()) {
    }
    const std::lock_guard<std::mutex> guard(all_.of_left);
    const auto leave_entry = [this](const Entry& entry) {
      if (trace_of(atomic_load(&all_.distance[entry.vertex])) == entry.trace) all_.left.push_back(entry.vertex);
    };
    const auto leave_lists = [&](const List* list) {
      for (; list != nullptr; list = list->next) {
        for (int i = 0; i < list->size; ++i) leave_entry(list->vertices[i]);
      }
    };
    for (const List* const list : ring_) leave_lists(list);
    leave_lists(filling_);
    while (const List* const list = mine_.take()) {
      for (int i = 0; i < list->size; ++i) leave_entry(list->vertices[i]);
    }
    for (; !far_.empty(); far_.pop()) leave_entry({far_.top().second.first, far_.top().second.second});
  }

  All& all_;
  HandedOut<Vertex>& mine_;
  const int rank_;
  const bool alone_;
  /// Of whom it would help: those who help are in the way of each other where rows are short.
  const int buckets_ahead_;
  const double per_distance_;
  List* free_ = nullptr;
  List* filling_ = nullptr;  ///< of bucket now_, and not handed out yet
  std::int64_t now_ = -1;
  std::array<List*, num_buckets> ring_{};
  std::int64_t next_ = 0, last_ = 0;  ///< no bucket of the ring is before or after these
  std::int64_t num_in_ring_ = 0;
  std::priority_queue<Far, std::vector<Far>, std::greater<Far>> far_;
  std::vector<List*> oldest_first_;
  Offset num_edges_ = 0;
  const Offset num_edges_of_all_ = static_cast<Offset>(all_.rows.num_edges());
};

/// What threads have done.
template <class Vertex>
struct FollowedByThreads {
  Offset num_edges = 0;
  std::vector<Vertex> left;  ///< whose edges have not been looked at since they got nearer
};

/// So many edges a thread is worth. More threads than that get in each other's way: what one has found far away,
/// another finds again, nearer.
inline constexpr Offset edges_of_own_thread = 1 << 16;

/// How many threads are faster than fewer.
template <class Space>
int num_threads_for(const Space& space, Offset num_edges) {
  return static_cast<int>(dromos::min<std::int64_t>(space.concurrency(), 1 + num_edges / edges_of_own_thread));
}

/// Each vertex that gets nearer offers its neighbors a way, from `first` on, by threads of a space on the host,
/// until none does; or until they have looked at more than `most_edges`, where buckets are too wide for the graph.
///
/// \param distance  in and out: of every vertex
/// \throws std::bad_alloc when what waits finds no room; `distance` holds lengths of some paths then
template <class Space, class Rows, class Weights, class Distance, class Vertex>
FollowedByThreads<Vertex> relax_by_threads(const Space& space, const Rows& rows, const Weights& weights,
                                           Distance* distance, const Vertex* first, std::int64_t num_first,
                                           const ThreadBuckets& buckets, Offset most_edges) {
  using Thread = NearestOfThread<Rows, Weights, Distance>;
  const UncountedViews uncounted;
  typename Thread::All all{rows,
                           weights,
                           distance,
                           first,
                           num_first,
                           buckets.width > 0 ? 1 / buckets.width : 0,
                           buckets.short_rows,
                           most_edges,
                           std::vector<HandedOut<Vertex>>(static_cast<std::size_t>(buckets.num_threads))};
  if (buckets.num_threads == 1) {
    Thread(all, 0).run();
  } else {
    deal_out("dromos::sssp::nearest_by_threads", space, buckets.num_threads,
             [&all](std::int64_t rank) { Thread(all, static_cast<int>(rank)).run(); });
  }
  if (all.lacks_memory) throw std::bad_alloc();
  return {all.num_edges, std::move(all.left)};
}

}  // namespace dromos::detail
