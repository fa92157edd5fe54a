// SPDX-License-Identifier: BSD-3-Clause
// Ranges of sources that have about as many arcs each, chosen from a small sample of the arcs: what a builder works on
// one after the other that has no room for all arcs at once.
//
//   sampled sources 0 0 1 3 3 3 7 9, two ranges     the middle, after four, is among those of 3, nearer to the first
//                                                   of them than to the last: ranges 0 1 2 | 3 4 5 ...
//
// A vertex is in one range with all of its arcs. Of a star, half of whose arcs leave the hub, the hub is a range.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/arcs.hpp>
#include <string>
#include <utility>
#include <vector>

namespace dromos::detail {

/// What is known of an item of a sample: how many arcs it stands for, and the sources of two of them. Of an edge those
/// are all; the arcs of a row mostly have one source.
template <class Vertex>
struct SampledItem {
  Vertex first;
  Vertex last;
  Offset num_arcs;
};

/// A source, and how many arcs of it a sample stands for.
template <class Vertex>
struct SampledSource {
  Vertex source;
  double num_arcs;
};

template <class Arcs, class Vertex, class Memory>
struct SampleItems {
  Arcs source;
  std::int64_t stride;
  Kokkos::View<SampledItem<Vertex>*, Memory> sample;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    ArcWalk<Arcs> walk(source);
    // Anywhere in the stride: lists of edges have periods. A multiplicative hash (Knuth) does.
    const std::uint64_t hash = (static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u) >> 32;
    const Offset item = i * stride + static_cast<Offset>(hash % static_cast<std::uint64_t>(stride));
    SampledItem<Vertex> found{0, 0, 0};
    if (item < walk.num_items()) {
      walk.visit(item, [&](Vertex u, Vertex, Offset) {
        if (found.num_arcs++ == 0) found.first = u;
        found.last = u;
      });
    }
    sample(i) = found;
  }
};

/// The sources in a sample of the arcs, and how many arcs there may be.
template <class Vertex>
class SourceSample {
 public:
  SourceSample() = default;
  /// Cost: 8,192 items are looked at, and a sort of their sources on the host. Waits.
  template <class Space, class Arcs>
  SourceSample(const Space& space, const Arcs& arcs) {
    using Memory = typename Space::memory_space;
    const Offset num_items = ArcWalk<Arcs>(arcs).num_items();
    if (num_items == 0) return;
    const Offset stride = (num_items + most_items - 1) / most_items;
    const Offset num_sampled = (num_items + stride - 1) / stride;
    const Kokkos::View<SampledItem<Vertex>*, Memory> sample(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("dromos::build_csr::sample")), num_sampled);
    for_range("dromos::build_csr::sample", space, num_sampled, SampleItems<Arcs, Vertex, Memory>{arcs, stride, sample});
    fence(space, "dromos::build_csr::sample");
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sample);
    std::vector<SampledSource<Vertex>> sources;
    for (Offset i = 0; i < num_sampled; ++i) {
      const SampledItem<Vertex> item = host(i);
      if (item.num_arcs > 0) sources.push_back({item.first, static_cast<double>((item.num_arcs + 1) / 2)});
      if (item.num_arcs > 1) sources.push_back({item.last, static_cast<double>(item.num_arcs / 2)});
    }
    sort_up(std::move(sources));
    num_arcs_ = before_.back() * static_cast<double>(num_items) / static_cast<double>(num_sampled);
  }

  /// In any order, and the same source several times, where it comes to that.
  explicit SourceSample(std::vector<SampledSource<Vertex>> sources) {
    sort_up(std::move(sources));
    num_arcs_ = before_.back();
  }

  /// The sources at 1/2, 3/2, ... of `num` parts of the arcs, each of which stands for as many. None of an empty
  /// sample.
  std::vector<SampledSource<Vertex>> quantiles(int num) const {
    std::vector<SampledSource<Vertex>> found;
    for (int k = 0; k < num && !sources_.empty(); ++k) {
      found.push_back({sources_[index_of(before_.back() * (k + 0.5) / num)], num_arcs_ / num});
    }
    return found;
  }

  /// About so many arcs; exactly, where no item was left out.
  double num_arcs() const { return num_arcs_; }

  /// The ends of `num_ranges` ranges, ascending, the last num_vertices; ranges may be empty. Each end is before or
  /// behind the source in which the quantile lies, whichever is nearer to it.
  std::vector<Vertex> ends(int num_ranges, Vertex num_vertices) const {
    std::vector<Vertex> ends(static_cast<std::size_t>(num_ranges), num_vertices);
    for (int r = 1; r < num_ranges && !sources_.empty(); ++r) {
      const double wanted = before_.back() * r / num_ranges;
      const std::size_t i = index_of(wanted);
      ends[r - 1] = sources_[i] + (before_[i + 1] - wanted < wanted - before_[i] ? 1 : 0);
    }
    return ends;
  }

 private:
  static constexpr Offset most_items = 8192;

  void sort_up(std::vector<SampledSource<Vertex>> sources) {
    std::sort(sources.begin(), sources.end(), [](const auto& a, const auto& b) { return a.source < b.source; });
    double before = 0;
    for (const auto& [source, num_arcs] : sources) {
      if (sources_.empty() || sources_.back() != source) {
        sources_.push_back(source);
        before_.push_back(before);
      }
      before += num_arcs;
    }
    before_.push_back(before);
  }

  /// Where the arc is, of a sample that is not empty, that has so many before it.
  std::size_t index_of(double arc) const {
    return static_cast<std::size_t>(std::upper_bound(before_.begin() + 1, before_.end() - 1, arc) - before_.begin()) -
           1;
  }

  std::vector<Vertex> sources_;  ///< different ones, ascending
  std::vector<double> before_;   ///< by source: arcs of smaller sources in the sample; and all of them
  double num_arcs_ = 0;
};

}  // namespace dromos::detail
