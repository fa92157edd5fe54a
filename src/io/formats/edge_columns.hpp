// SPDX-License-Identifier: BSD-3-Clause
// The edges of a file while it is read: room for as many as there can be, filled by the pieces of the text side by
// side, then moved together.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <dromos/core/available_memory.hpp>
#include <dromos/core/huge_pages.hpp>
#include <dromos/graph/edge_list.hpp>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace dromos::io {

/// Is this a whole number that a weight, which has 24 bits, would round? Paths over rounded lengths are wrong without a
/// word; of fractions everybody knows that they are rounded.
inline bool rounds_whole_number(double weight) {
  return weight == std::floor(weight) && static_cast<double>(static_cast<float>(weight)) != weight;
}

/// What there is to say where that is so.
inline std::string rounded_weight(const std::string& role, const std::string& found) {
  return "expected a " + role +
         " that 24 bits hold (whole numbers up to 16777216, and larger ones that end in zero bits), "
         "found " +
         found + ": paths over rounded lengths would be wrong; divide all weights by a common factor";
}

/// The edges of a text would not fit; read_graph() says of which.
struct EdgesDoNotFit {
  std::int64_t num_edges;
  std::uint64_t bytes_needed;
  std::uint64_t bytes_available;
};

/// Smallest and largest of some ids, and their distance.
struct IdRange {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = -1;

  bool empty() const { return most < least; }
  std::uint64_t span() const { return static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least); }
  void join(const IdRange& other) {
    least = std::min(least, other.least);
    most = std::max(most, other.most);
  }
};

/// Ids as the file has them (less its first id, where the format has one) or already vertices.
template <class Id>
class EdgeColumns {
 public:
  template <class T>
  using Column = Kokkos::View<T*, Kokkos::HostSpace>;

  Column<Id> source;
  Column<Id> target;
  Column<float> weight;  // empty: no weights
  IdRange range;         // of all ids, where their reader has looked; otherwise empty; it is trusted

  EdgeColumns() = default;
  /// Throws EdgesDoNotFit before there is anything where there is no memory for so many.
  EdgeColumns(std::int64_t capacity, bool weights)
      : source(allocate<Id>("dromos::edge_list::source", that_fits(capacity, weights))),
        target(allocate<Id>("dromos::edge_list::target", capacity)) {
    if (weights) weight = allocate<float>("dromos::edge_list::weight", capacity);
  }

  std::int64_t size() const { return static_cast<std::int64_t>(source.extent(0)); }
  /// The weights from position i on, or nullptr.
  float* weight_at(std::int64_t i) const { return weight.extent(0) == 0 ? nullptr : weight.data() + i; }

  /// Keeps what the pieces wrote: counts[i] edges from offsets[i] on. Free where there are no gaps.
  void close_gaps(const std::vector<std::int64_t>& offsets, const std::vector<std::int64_t>& counts) {
    close_gaps(source, offsets, counts);
    close_gaps(target, offsets, counts);
    if (weight.extent(0) != 0) close_gaps(weight, offsets, counts);
  }

  /// Shares the arrays; the ids must be vertices.
  EdgeList<Id, Kokkos::HostSpace> to_edge_list(Id num_vertices) const {
    EdgeList<Id, Kokkos::HostSpace> edges;
    edges.num_vertices = num_vertices;
    edges.source = source;
    edges.target = target;
    edges.weight = weight;
    return edges;
  }

 private:
  static std::int64_t that_fits(std::int64_t capacity, bool weights) {
    const std::uint64_t bytes = static_cast<std::uint64_t>(capacity) * (2 * sizeof(Id) + (weights ? sizeof(float) : 0));
    constexpr std::uint64_t small = std::uint64_t(1) << 26;  // not worth asking
    if (bytes <= small) return capacity;
    const auto available = static_cast<std::uint64_t>(available_host_memory());
    if (bytes > available) throw EdgesDoNotFit{capacity, bytes, available};
    return capacity;
  }

  template <class T>
  static Column<T> allocate(const std::string& label, std::int64_t size) {
    const Column<T> column(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), size);
    advise_huge_pages(column.data(), column.extent(0) * sizeof(T));
    return column;
  }

  template <class T>
  static void close_gaps(Column<T>& column, const std::vector<std::int64_t>& offsets,
                         const std::vector<std::int64_t>& counts) {
    std::int64_t size = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (size != offsets[i]) std::copy_n(column.data() + offsets[i], counts[i], column.data() + size);
      size += counts[i];
    }
    // What lies beyond was never written, so it takes no memory.
    if (size != static_cast<std::int64_t>(column.extent(0))) {
      column = Kokkos::subview(column, std::make_pair(std::int64_t(0), size));
    }
  }
};

}  // namespace dromos::io
