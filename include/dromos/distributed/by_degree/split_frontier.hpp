// SPDX-License-Identifier: BSD-3-Clause
// A work set of a search separated by degree, on CPUs: two lists, of those of its vertices that have edges to normal
// vertices and of those that have edges to delegates, and how many edges each list has. So a sweep over a part of the
// edges is given only vertices that have some in that part, and the rule of directions knows them without a pass over
// the frontier.
//
//   found 4 (3 edges to normal vertices, 2 to delegates), 7 (0, 5), 9 (1, 0)
//   to normal vertices 4 9, with 4 edges        to delegates 4 7, with 7 edges
//
// On GPUs the same lists come from a pass over marks (distributed/by_degree/take_found.hpp).
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/deal_out.hpp>
#include <dromos/core/device_counts.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/by_degree/part_work.hpp>
#include <dromos/distributed/by_degree/subgraph.hpp>
#include <dromos/traverse/find_first.hpp>
#include <dromos/traverse/frontier.hpp>

namespace dromos::detail {

/// The room for the next work set, as a kernel sees it (QueueSink in traverse/frontier.hpp).
template <class Memory_>
struct SplitSink {
  using Vertex = LocalVertex;
  using Memory = Memory_;
  static constexpr bool enabled = true;
  static constexpr bool lists = true;
  static constexpr int num_counts = num_found_counts + QueueSink<NoDegrees<Memory>>::num_notes;

  PairOfDegrees<Memory> degrees;
  LocalVertex* with_normal;
  LocalVertex* with_delegate;
  std::uint64_t* counts;  ///< num_counts: FoundCount, then notes()

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* notes() const { return counts + num_found_counts; }

  /// Puts in the vertices get(0) .. get(count - 1), by an atomic for each list.
  template <class Get>
  KOKKOS_FORCEINLINE_FUNCTION void take(int count, const Get& get) const {
    std::uint64_t to_normal = 0, to_delegate = 0;
    for (int i = 0; i < count; ++i) {
      const auto of = degrees(get(i));
      to_normal += PartWork::pack(of.to_normal);
      to_delegate += PartWork::pack(of.to_delegate);
    }
    atomic_fetch_add(&counts[count_found], static_cast<std::uint64_t>(count));
    LocalVertex* normal = with_normal + reserve(work_to_normal, to_normal);
    LocalVertex* delegate = with_delegate + reserve(work_to_delegate, to_delegate);
    for (int i = 0; i < count; ++i) {
      const LocalVertex v = get(i);
      const auto of = degrees(v);
      if (of.to_normal != 0) *normal++ = v;
      if (of.to_delegate != 0) *delegate++ = v;
    }
  }
  /// The same by each thread of a team for itself.
  template <class Member, class Get>
  KOKKOS_FORCEINLINE_FUNCTION void take_together(const Member&, int count, const Get& get) const {
    if (count > 0) take(count, get);
  }
  KOKKOS_FORCEINLINE_FUNCTION void enqueue(LocalVertex v) const {
    take(1, [v](int) { return v; });
  }

 private:
  /// Where the list goes on: behind the vertices of the work that is there already.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t reserve(FoundCount list, std::uint64_t work) const {
    return PartWork::unpack(work == 0 ? 0 : atomic_fetch_add(&counts[list], work)).sources;
  }
};

/// Which vertices have edges of both kinds, and how many.
template <class Memory>
struct SplitRows {
  PairOfDegrees<Memory> degrees;
  Bitmap<Memory> has_normal, has_delegate;
};

/// Who a bitmap has and another has not: their number and their edges, those of neighbors in the numbering at once. A
/// thread takes a few words at a time.
template <class Memory>
struct CountFresh {
  using Word = typename Bitmap<Memory>::Word;
  static constexpr int tile_words = 64;
  static constexpr int bits = Bitmap<Memory>::bits_per_word;

  SplitRows<Memory> rows;
  BitmapWords<Memory> now, before;
  std::uint64_t* counts;

  std::int64_t num_words() const { return static_cast<std::int64_t>(now.extent(0)); }

  KOKKOS_FUNCTION void operator()(const std::int64_t tile) const {
    const std::int64_t end = dromos::min((tile + 1) * tile_words, static_cast<std::int64_t>(now.extent(0)));
    PartWork to_normal, to_delegate;
    std::int64_t num_fresh = 0;
    for (std::int64_t w = tile * tile_words; w < end; ++w) {
      const Word fresh = now(w) & ~before(w);
      num_fresh += population_count(fresh);
      to_normal.sources += population_count(fresh & rows.has_normal.words()(w));
      to_delegate.sources += population_count(fresh & rows.has_delegate.words()(w));
      for (Word rest = fresh; rest != 0;) {
        const int first = count_trailing_zeros(rest);
        const Word behind = ~rest & ~Word(0) << first;  // not among them, and larger
        const int last = behind == 0 ? bits : count_trailing_zeros(behind);
        const auto of = rows.degrees.of_range(w * bits + first, w * bits + last);
        to_normal.edges += of.to_normal;
        to_delegate.edges += of.to_delegate;
        rest = last == bits ? 0 : rest & ~Word(0) << last;
      }
    }
    if (num_fresh == 0) return;
    atomic_fetch_add(&counts[count_found], static_cast<std::uint64_t>(num_fresh));
    atomic_fetch_add(&counts[work_to_normal], to_normal.packed());
    atomic_fetch_add(&counts[work_to_delegate], to_delegate.packed());
  }
};

/// Lists those of them that have edges of one kind.
template <class Memory>
struct ListFresh {
  using Word = typename Bitmap<Memory>::Word;
  static constexpr int tile_words = 16;
  static constexpr int bits = Bitmap<Memory>::bits_per_word;

  BitmapWords<Memory> has_edges, now, before;
  LocalVertex* list;
  std::uint64_t* size;

  std::int64_t num_words() const { return static_cast<std::int64_t>(now.extent(0)); }

  KOKKOS_FUNCTION void operator()(const std::int64_t tile) const {
    const std::int64_t first = tile * tile_words;
    const int words =
        static_cast<int>(dromos::min<std::int64_t>(tile_words, static_cast<std::int64_t>(now.extent(0)) - first));
    Word fresh[tile_words];
    std::uint64_t count = 0;
    for (int w = 0; w < words; ++w) {
      fresh[w] = now(first + w) & ~before(first + w) & has_edges(first + w);
      count += static_cast<std::uint64_t>(population_count(fresh[w]));
    }
    if (count == 0) return;
    LocalVertex* to = list + atomic_fetch_add(size, count);
    for (int w = 0; w < words; ++w) {
      for (Word rest = fresh[w]; rest != 0; rest &= rest - 1) {
        *to++ = static_cast<LocalVertex>((first + w) * bits + count_trailing_zeros(rest));
      }
    }
  }
};

/// For a CountingSink: the work to delegates of a vertex, packed.
template <class Memory>
struct WorkToDelegate {
  using vertex_type = LocalVertex;
  using memory_space = Memory;
  PairOfDegrees<Memory> degrees;
  KOKKOS_FORCEINLINE_FUNCTION Offset degree(LocalVertex v) const {
    return static_cast<Offset>(PartWork::pack(degrees(v).to_delegate));
  }
};

/// How many edges lead from a vertex to normal vertices.
template <class Memory>
struct WorkToNormal {
  PairOfDegrees<Memory> degrees;
  KOKKOS_FORCEINLINE_FUNCTION Offset degree(LocalVertex v) const { return degrees(v).to_normal; }
};

/// Counts what is found, and its work to delegates: whoever finds a vertex through these edges has just read where they
/// are. For SplitFrontier::take_counted().
template <class Memory_>
struct CountingSplitSink : CountingSink<WorkToDelegate<Memory_>, false> {
  using Memory = Memory_;
  using Base = CountingSink<WorkToDelegate<Memory>, false>;
  static constexpr int num_counts = Base::num_counts + QueueSink<NoDegrees<Memory>>::num_notes;

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* notes() const { return this->counts + Base::num_counts; }
  KOKKOS_FORCEINLINE_FUNCTION void enqueue(LocalVertex v) const {
    this->take(1, [v](int) { return v; });
  }
};

/// Owns both lists, allocated once: 8 bytes a vertex. It is filled in one of three ways:
///
///   open(), collect()                  through a sink: where few are found
///   take_fresh()                       by what is new in a bitmap: where a pass over it is little beside what was done
///                                      to find them
///   open_counting(), take_counted()    by the same, where a sink has counted the work to delegates
///
/// Of what is taken from a bitmap, a list is made when it is asked for.
template <class Memory>
class SplitFrontier {
  static_assert(host_accessible<Memory>, "on a GPU take_found() makes the lists");

 public:
  using Sink = SplitSink<Memory>;

  explicit SplitFrontier(const SplitRows<Memory>& rows)
      : rows_(rows),
        with_normal_(rows.has_normal.size(), 0),
        with_delegate_(rows.has_delegate.size(), 0),
        counts_(dromos::max(Sink::num_counts, CountingSplitSink<Memory>::num_counts),
                "dromos::split_frontier::counts") {}

  std::int64_t num_vertices() const { return num_vertices_; }
  bool empty() const { return num_vertices_ == 0; }
  const PartWork& to_normal() const { return to_normal_; }
  const PartWork& to_delegate() const { return to_delegate_; }

  /// Those with edges to normal vertices, and to delegates; once they are listed.
  Frontier<LocalVertex, Memory>& with_normal() { return with_normal_; }
  Frontier<LocalVertex, Memory>& with_delegate() { return with_delegate_; }

  /// Makes these lists, unless they are there.
  template <class Space>
  void list_with_normal(const Space& space) {
    list(space, with_normal_, rows_.has_normal, to_normal_);
  }
  template <class Space>
  void list_with_delegate(const Space& space) {
    list(space, with_delegate_, rows_.has_delegate, to_delegate_);
  }

  /// Empties it and gives out the sink that fills it; collect() ends the filling.
  template <class Space>
  Sink open(const Space& space) {
    counts_.open(space);
    return {rows_.degrees, with_normal_.queue().data(), with_delegate_.queue().data(), counts_.on_device().data()};
  }
  /// Waits for what was enqueued and learns how much it gathered.
  template <class Space>
  void collect(const Space& space) {
    learn_counts(space);
    with_normal_.set_counts(to_normal_.sources, to_normal_.edges);
    with_delegate_.set_counts(to_delegate_.sources, to_delegate_.edges);
  }

  /// Holds from now on who is in `now` and not in `before`, which stay as they are until both lists are made or wanted
  /// no more. Waits.
  template <class Space>
  void take_fresh(const Space& space, const Bitmap<Memory>& now, const Bitmap<Memory>& before) {
    now_ = now;
    before_ = before;
    counts_.open(space);
    run("dromos::split_frontier::count_fresh", space,
        CountFresh<Memory>{rows_, now.words(), before.words(), counts_.on_device().data()});
    learn_counts(space);
    with_normal_.set_counts(0);
    with_delegate_.set_counts(0);
  }
  /// As open(), for sweeps that only count, and mark what they find.
  template <class Space>
  CountingSplitSink<Memory> open_counting(const Space& space) {
    counts_.open(space);
    return {{{rows_.degrees}, counts_.on_device().data()}};
  }
  /// As take_fresh(), where all of it has joined the sink that counts.
  template <class Space>
  void take_counted(const Space& space, const Bitmap<Memory>& now, const Bitmap<Memory>& before) {
    now_ = now;
    before_ = before;
    counts_.read(space);
    num_vertices_ = static_cast<std::int64_t>(counts_[0]);
    to_delegate_ = PartWork::unpack(counts_[1]);
    with_delegate_.set_counts(0);
    to_normal_ = {make_list(space, with_normal_, rows_.has_normal), 0};
    const WorkToNormal<Memory> work{rows_.degrees};
    to_normal_.edges = sum_of_degrees(space, work, with_normal_.queue(), to_normal_.sources);
    with_normal_.set_counts(to_normal_.sources, to_normal_.edges);
  }
  void clear() {
    num_vertices_ = 0;
    to_normal_ = to_delegate_ = {};
    with_normal_.set_counts(0);
    with_delegate_.set_counts(0);
  }

 private:
  template <class Space>
  void learn_counts(const Space& space) {
    counts_.read(space);
    num_vertices_ = static_cast<std::int64_t>(counts_[count_found]);
    to_normal_ = PartWork::unpack(counts_[work_to_normal]);
    to_delegate_ = PartWork::unpack(counts_[work_to_delegate]);
  }

  template <class Space>
  void list(const Space& space, Frontier<LocalVertex, Memory>& to, const Bitmap<Memory>& has_edges,
            const PartWork& work) {
    if (to.num_vertices() == work.sources) return;
    make_list(space, to, has_edges);
    to.set_counts(work.sources, work.edges);
  }
  template <class Space>
  std::int64_t make_list(const Space& space, Frontier<LocalVertex, Memory>& to, const Bitmap<Memory>& has_edges) {
    counts_.open(space);
    run("dromos::split_frontier::list_fresh", space,
        ListFresh<Memory>{has_edges.words(), now_.words(), before_.words(), to.queue().data(),
                          counts_.on_device().data()});
    counts_.read(space);
    return static_cast<std::int64_t>(counts_[0]);
  }

  template <class Space, class Kernel>
  static void run(const char* label, const Space& space, const Kernel& kernel) {
    deal_out(label, space, (kernel.num_words() + Kernel::tile_words - 1) / Kernel::tile_words, kernel);
  }

  SplitRows<Memory> rows_;
  Frontier<LocalVertex, Memory> with_normal_, with_delegate_;
  DeviceCounts<Memory> counts_;
  Bitmap<Memory> now_, before_;  // what the lists are made of
  std::int64_t num_vertices_ = 0;
  PartWork to_normal_, to_delegate_;
};

}  // namespace dromos::detail
