// SPDX-License-Identifier: BSD-3-Clause
#include "io/formats/compact_ids.hpp"

#include <algorithm>
#include <boost/sort/pdqsort/pdqsort.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <limits>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "io/text/line_fault.hpp"
#include "io/text/text_chunks.hpp"

namespace dromos::io {
namespace {

using UnsignedId = std::uint64_t;

template <class Id>
IdRange range_of(const EdgeColumns<Id>& edges) {
  if (!edges.range.empty()) return edges.range;
  IdRange range;
  std::mutex mutex;
  parallel_for_ranges("dromos::compact_ids::range", edges.size(), [&](std::int64_t begin, std::int64_t end) {
    Id least = std::numeric_limits<Id>::max(), most = -1;
    for (std::int64_t e = begin; e < end; ++e) {
      least = std::min(least, std::min(edges.source.data()[e], edges.target.data()[e]));
      most = std::max(most, std::max(edges.source.data()[e], edges.target.data()[e]));
    }
    const std::lock_guard<std::mutex> lock(mutex);
    range.join({least, most});
  });
  return range;
}

// Three ways to know the vertex of an id; each says what should be in the cache some edges before vertex() asks for it.

/// Ids without gaps.
struct ShiftedIds {
  std::int64_t least;
  void prefetch_far(std::int64_t) const {}
  void prefetch_near(std::int64_t) const {}
  std::int64_t vertex(std::int64_t id) const { return id - least; }
};

/// Which ids of a range occur, and how many before each.
class MarkedIds {
 public:
  explicit MarkedIds(const IdRange& range) : least_(range.least), words_(range.span() / 64 + 1) {}

  /// From any number of threads.
  void mark(std::int64_t id) {
    const UnsignedId position = position_of(id);
    std::uint64_t* const marks = &words_[position / 64].marks;
    const std::uint64_t bit = std::uint64_t(1) << (position % 64);
    // Most marks are there already. A stale word only makes us mark again.
    if ((atomic_load(marks) & bit) == 0) Kokkos::atomic_fetch_or(marks, bit);
  }

  /// After all marks; returns their number.
  std::int64_t count() {
    std::int64_t before = 0;
    for (Word& word : words_) {
      word.before = before;
      before += __builtin_popcountll(word.marks);
    }
    return before;
  }

  void prefetch_far(std::int64_t id) const { prefetch(&words_[position_of(id) / 64]); }
  void prefetch_near(std::int64_t) const {}

  std::int64_t vertex(std::int64_t id) const {
    const UnsignedId position = position_of(id);
    const Word& word = words_[position / 64];
    return word.before + __builtin_popcountll(word.marks & ((std::uint64_t(1) << (position % 64)) - 1));
  }

  std::vector<std::int64_t> names(std::int64_t count) const {
    std::vector<std::int64_t> names;
    names.reserve(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t marks = words_[i].marks; marks != 0; marks &= marks - 1) {
        names.push_back(least_ + static_cast<std::int64_t>(i * 64) + __builtin_ctzll(marks));
      }
    }
    return names;
  }

 private:
  struct Word {
    std::uint64_t marks = 0;
    std::int64_t before = 0;
  };

  UnsignedId position_of(std::int64_t id) const { return static_cast<UnsignedId>(id - least_); }

  std::int64_t least_;
  std::vector<Word> words_;
};

/// The ids of all edges, sorted, each once: pieces by themselves, then pairs of neighboring results until one is left.
template <class Id>
std::vector<std::int64_t> sorted_ids(const EdgeColumns<Id>& edges) {
  constexpr std::int64_t piece = std::int64_t(1) << 18;
  const std::int64_t num_pieces = (edges.size() + piece - 1) / piece;
  std::vector<std::vector<std::int64_t>> tables(static_cast<std::size_t>(num_pieces));
  parallel_for_each("dromos::compact_ids::sort", num_pieces, [&](const std::int64_t i) {
    const std::int64_t begin = i * piece, end = std::min(edges.size(), (i + 1) * piece);
    std::vector<std::int64_t> ids(edges.source.data() + begin, edges.source.data() + end);
    ids.insert(ids.end(), edges.target.data() + begin, edges.target.data() + end);
    boost::sort::pdqsort(ids.begin(), ids.end());  // without mispredicted branches: half the time of std::sort
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    ids.shrink_to_fit();
    tables[static_cast<std::size_t>(i)] = std::move(ids);
  });
  while (tables.size() > 1) {
    std::vector<std::vector<std::int64_t>> merged((tables.size() + 1) / 2);
    parallel_for_each(
        "dromos::compact_ids::merge", static_cast<std::int64_t>(merged.size()), [&](const std::int64_t i) {
          const std::size_t first = static_cast<std::size_t>(2 * i);
          std::vector<std::int64_t> left = std::move(tables[first]);
          if (first + 1 < tables.size()) {
            const std::vector<std::int64_t> right = std::move(tables[first + 1]);
            std::vector<std::int64_t> both(left.size() + right.size());
            both.erase(std::set_union(left.begin(), left.end(), right.begin(), right.end(), both.begin()), both.end());
            left = std::move(both);
          }
          merged[static_cast<std::size_t>(i)] = std::move(left);
        });
    tables = std::move(merged);
  }
  std::vector<std::int64_t> ids = std::move(tables.front());
  ids.shrink_to_fit();
  return ids;
}

/// Position of an id in a sorted table: all ids with the same leading bits are a short run, whose start is listed.
class SortedIds {
 public:
  explicit SortedIds(const std::vector<std::int64_t>& ids) : ids_(ids) {
    const UnsignedId span = static_cast<UnsignedId>(ids.back()) - static_cast<UnsignedId>(ids.front());
    while ((span >> shift_) >= ids.size()) ++shift_;
    starts_.assign((span >> shift_) + 2, static_cast<std::int64_t>(ids.size()));
    for (std::int64_t i = static_cast<std::int64_t>(ids.size()) - 1; i >= 0; --i) {
      starts_[run_of(ids[static_cast<std::size_t>(i)])] = i;
    }
    for (std::size_t run = starts_.size() - 1; run-- > 0;) starts_[run] = std::min(starts_[run], starts_[run + 1]);
  }

  // Two misses in a row for each id, unless they are announced: first the run, and when that is there, the ids in it.
  void prefetch_far(std::int64_t id) const { prefetch(&starts_[run_of(id)]); }
  void prefetch_near(std::int64_t id) const { prefetch(&ids_[static_cast<std::size_t>(starts_[run_of(id)])]); }

  std::int64_t vertex(std::int64_t id) const {
    const UnsignedId run = run_of(id);
    const std::int64_t* const begin = ids_.data() + starts_[run];
    return std::lower_bound(begin, ids_.data() + starts_[run + 1], id) - ids_.data();
  }

 private:
  UnsignedId run_of(std::int64_t id) const { return static_cast<UnsignedId>(id - ids_.front()) >> shift_; }

  const std::vector<std::int64_t>& ids_;
  std::vector<std::int64_t> starts_;
  int shift_ = 0;
};

template <class Vertex>
void check_num_vertices(std::int64_t num_vertices) {
  if (num_vertices <= max_num_vertices<Vertex>) return;
  throw LineFault{nullptr,
                  "the edges join " + std::to_string(num_vertices) + " vertices, more than the " +
                      std::to_string(max_num_vertices<Vertex>) + " that " + std::to_string(8 * sizeof(Vertex)) +
                      "-bit vertex ids can number; use 64-bit ids (--ids 64)",
                  false};
}

/// Replaces each id by its vertex, in place where the types allow it.
template <class Vertex, class Id, class Ids>
EdgeList<Vertex, Kokkos::HostSpace> renumber(EdgeColumns<Id> edges, std::int64_t num_vertices, const Ids& known) {
  const auto renumber_column = [&](const std::string& label, Kokkos::View<Id*, Kokkos::HostSpace>& ids) {
    const std::int64_t size = static_cast<std::int64_t>(ids.extent(0));
    Kokkos::View<Vertex*, Kokkos::HostSpace> vertices;
    if constexpr (std::is_same_v<Vertex, Id>) {
      vertices = ids;
    } else {
      vertices = Kokkos::View<Vertex*, Kokkos::HostSpace>(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), size);
    }
    const Id* const from = ids.data();
    Vertex* const to = vertices.data();
    parallel_for_ranges("dromos::compact_ids::renumber", size, [&](std::int64_t begin, std::int64_t end) {
      constexpr std::int64_t far = 32, near = 16;
      for (std::int64_t e = begin; e < end; ++e) {
        if (e + far < end) known.prefetch_far(from[e + far]);
        if (e + near < end) known.prefetch_near(from[e + near]);
        to[e] = static_cast<Vertex>(known.vertex(from[e]));
      }
    });
    ids = Kokkos::View<Id*, Kokkos::HostSpace>();
    return vertices;
  };
  EdgeList<Vertex, Kokkos::HostSpace> list;
  list.num_vertices = static_cast<Vertex>(num_vertices);
  list.source = renumber_column("dromos::edge_list::source", edges.source);
  list.target = renumber_column("dromos::edge_list::target", edges.target);
  list.weight = edges.weight;
  return list;
}

template <class Vertex>
GraphFile<Vertex> file_of(EdgeList<Vertex, Kokkos::HostSpace> edges, VertexNames names) {
  GraphFile<Vertex> file;
  file.edges = std::move(edges);
  file.names = std::move(names);
  return file;
}

}  // namespace

template <class Vertex, class Id>
GraphFile<Vertex> compact_ids(EdgeColumns<Id> edges) {
  if (edges.size() == 0) return file_of(EdgeList<Vertex, Kokkos::HostSpace>(0, 0), VertexNames::consecutive(0, 0));
  const IdRange range = range_of(edges);
  if (range.span() / 32 <= static_cast<UnsignedId>(edges.size())) {
    MarkedIds ids(range);
    parallel_for_ranges("dromos::compact_ids::mark", edges.size(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t e = begin; e < end; ++e) ids.mark(edges.source.data()[e]);
      for (std::int64_t e = begin; e < end; ++e) ids.mark(edges.target.data()[e]);
    });
    const std::int64_t count = ids.count();
    check_num_vertices<Vertex>(count);
    if (static_cast<UnsignedId>(count - 1) == range.span()) {  // no gaps
      if constexpr (std::is_same_v<Vertex, Id>) {
        if (range.least == 0)
          return file_of(edges.to_edge_list(static_cast<Vertex>(count)), VertexNames::consecutive(count, 0));
      }
      return file_of(renumber<Vertex>(std::move(edges), count, ShiftedIds{range.least}),
                     VertexNames::consecutive(count, range.least));
    }
    VertexNames names = VertexNames::table(ids.names(count));
    return file_of(renumber<Vertex>(std::move(edges), count, ids), std::move(names));
  }
  std::vector<std::int64_t> names = sorted_ids(edges);
  const std::int64_t count = static_cast<std::int64_t>(names.size());
  check_num_vertices<Vertex>(count);
  const SortedIds ids(names);
  auto renumbered = renumber<Vertex>(std::move(edges), count, ids);
  return file_of(std::move(renumbered), VertexNames::table(std::move(names)));
}

template GraphFile<std::int32_t> compact_ids(EdgeColumns<std::int32_t>);
template GraphFile<std::int32_t> compact_ids(EdgeColumns<std::int64_t>);
template GraphFile<std::int64_t> compact_ids(EdgeColumns<std::int64_t>);

}  // namespace dromos::io
