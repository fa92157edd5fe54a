// SPDX-License-Identifier: BSD-3-Clause
// Reverse Cuthill-McKee by one thread of the host, which numbers exactly as rcm() does with all of them: on meshes and
// road networks, whose levels are many and small, threads would wait for each other longer than they work.
//
// Who is visited next is known long before: rows and edges of vertices further back in the queue are prefetched, and
// marks and degrees are bytes. Where numbers say nothing of the shape, a neighbor joins the queue without a branch,
// which would be guessed wrong; where neighbors are near in number, the branch is guessed right and faster.
//
//   queue   ... u | . . . v . . . w . .     edges of u are gone through, those of v fetched, the row of w fetched
//
// A component needs no search of its own: vertices by (degree, number), the first that nobody has seen is the one of
// smallest degree in its component. The search from there numbers at once, since most of the time it is the best.
//
// Source: as rcm.hpp.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <dromos/core/types.hpp>
#include <dromos/graph/csr_graph.hpp>
#include <memory>
#include <numeric>
#include <vector>

namespace dromos::detail {

/// `Graph`: a view of a graph in host memory, whose rows may lie in several parts.
template <class Graph>
class SerialRcm {
 public:
  using Vertex = typename Graph::vertex_type;

  /// \param most_edges  of a level; where one has more, number() gives up
  SerialRcm(const Graph& graph, Offset most_edges)
      : graph_(graph),
        n_(graph.num_vertices()),
        most_edges_(most_edges),
        degree_(new unsigned char[static_cast<std::size_t>(n_)]),
        mark_(static_cast<std::size_t>(n_), 0),
        order_(new Vertex[static_cast<std::size_t>(n_) + 1]) {}

  /// Numbers all components, those of smaller vertices first; false where it gave up.
  bool number(int max_searches) {
    is_near_ = numbers_are_near();
    Vertex first = 0;
    for (Vertex v = 0; v < n_; ++v) {
      degree_[at(v)] = static_cast<unsigned char>(std::min<Offset>(graph_.degree(v), many));
      if (degree_[at(v)] < degree_[at(first)]) first = v;
    }
    if (degree_[at(first)] == many) {
      for (Vertex v = 0; v < n_; ++v) first = before(v, first) ? v : first;
    }
    if (!number_component(first, max_searches)) return false;
    if (num_placed_ == n_) return true;
    for (const Vertex v : unseen_by_degree()) {
      if (mark_[at(v)] == 0 && !number_component(v, max_searches)) return false;
    }
    sort_components();
    return true;
  }

  /// By place, not yet reversed.
  const Vertex* order() const { return order_.get(); }
  std::int64_t num_components() const { return static_cast<std::int64_t>(components_.size()); }
  std::int64_t num_levels() const { return num_levels_; }
  int num_searches() const { return num_searches_; }

 private:
  using Ids = std::unique_ptr<Vertex[]>;

  /// A degree of this or more: the rows tell.
  static constexpr int many = 255;
  /// How far behind in the queue rows and edges are prefetched.
  static constexpr std::int64_t rows_ahead = 24, edges_ahead = 12;

  struct Component {
    Vertex smallest;
    std::int64_t begin, size;
  };

  /// What a search found. Nothing: it gave up.
  struct Found {
    std::int64_t num_reached = 0, last_level = 0;  ///< where the last level begins
    std::int64_t depth = 0;
  };

  static std::size_t at(Vertex v) { return static_cast<std::size_t>(v); }

  bool before(Vertex a, Vertex b) const {
    const int degree_a = degree_[at(a)], degree_b = degree_[at(b)];
    if (degree_a != degree_b) return degree_a < degree_b;
    if (degree_a == many && graph_.degree(a) != graph_.degree(b)) return graph_.degree(a) < graph_.degree(b);
    return a < b;
  }

  /// Of two children in one word, without a branch that depends on them.
  void sort_two(Vertex* pair) const {
    const auto key = [this](Vertex v) { return std::uint64_t(degree_[at(v)]) << 56 | static_cast<std::uint64_t>(v); };
    const std::uint64_t a = key(pair[0]), b = key(pair[1]);
    constexpr std::uint64_t number = (std::uint64_t(1) << 56) - 1;
    pair[0] = static_cast<Vertex>(std::min(a, b) & number);
    pair[1] = static_cast<Vertex>(std::max(a, b) & number);
  }

  /// Children of one parent; mostly two or three.
  void sort(Vertex* begin, Vertex* end) const {
    if (end - begin <= 3 && degree_[at(begin[0])] != many && degree_[at(end[-1])] != many) {
      sort_two(begin);
      if (end - begin == 2) return;
      if (degree_[at(begin[1])] != many) {
        sort_two(begin + 1);
        return sort_two(begin);
      }
    }
    if (end - begin > 32) return std::sort(begin, end, [this](Vertex a, Vertex b) { return before(a, b); });
    for (Vertex* i = begin + 1; i < end; ++i) {
      const Vertex v = *i;
      Vertex* to = i;
      for (; to > begin && before(v, to[-1]); --to) *to = to[-1];
      *to = v;
    }
  }

  /// From `start` to all of its component, in the order of Cuthill and McKee or, without `sorts`, just level by level.
  /// `queue` has room for one more than there are vertices in the component. Vertices with another mark are unseen.
  template <bool sorts>
  Found search(Vertex start, unsigned char mark, Vertex* queue) {
    return is_near_ ? search<sorts, true>(start, mark, queue) : search<sorts, false>(start, mark, queue);
  }

  template <bool sorts, bool branches>
  Found search(Vertex start, unsigned char mark, Vertex* queue) {
    // Marks are characters, which may be anything to a compiler: what it should keep in registers is local.
    unsigned char* const marks = mark_.data();
    const Offset* rows[Graph::num_parts];
    const Vertex* entries[Graph::num_parts];
    for (int k = 0; k < Graph::num_parts; ++k) {
      rows[k] = graph_.part(k).row_map.data();
      entries[k] = graph_.part(k).entries.data();
    }
    const Offset most_edges = most_edges_;
    Found found;
    Offset level_edges = 0;
    std::int64_t tail = 1, level_end = 1;
    queue[0] = start;
    marks[at(start)] = mark;
    for (std::int64_t head = 0; head < tail; ++head) {
      if (head == level_end) {
        found.last_level = head;
        ++found.depth;
        level_end = tail;
        level_edges = 0;
      }
      if (head + rows_ahead < tail) graph_.prefetch_row(queue[head + rows_ahead]);
      if (head + edges_ahead < tail) {
        const Vertex w = queue[head + edges_ahead];
        for (int k = 0; k < Graph::num_parts; ++k) {
          prefetch(&entries[k][rows[k][w]]);
          prefetch(&entries[k][rows[k][w + 1]]);  // a short row may reach into the next line
        }
      }
      const Vertex u = queue[head];
      const std::int64_t first = tail;
      for (int k = 0; k < Graph::num_parts; ++k) {
        const Offset begin = rows[k][u], end = rows[k][u + 1];
        level_edges += end - begin;
        if (level_edges > most_edges) return {};
        for (Offset e = begin; e < end; ++e) {
          const Vertex v = entries[k][e];
          if (branches && marks[at(v)] == mark) continue;
          queue[tail] = v;
          tail += branches || marks[at(v)] != mark;
          marks[at(v)] = mark;
        }
      }
      if (sorts && tail - first > 1) sort(queue + first, queue + tail);
    }
    found.num_reached = tail;
    return found;
  }

  /// Are neighbors near in number, most of the time? Asked of some rows.
  bool numbers_are_near() const {
    std::int64_t num_near = 0, num_far = 0;
    const std::int64_t step = std::max<std::int64_t>(1, n_ / 256);
    for (std::int64_t u = 0; u < n_; u += step) {
      for (Offset e = graph_.begin(static_cast<Vertex>(u)), end = std::min(graph_.end(static_cast<Vertex>(u)), e + 8);
           e < end; ++e) {
        ++(std::abs(neighbor_of(graph_, static_cast<Vertex>(u), e) - u) <= n_ / 16 ? num_near : num_far);
      }
    }
    return num_near > 3 * num_far;
  }

  /// The mark of the next search in a component whose vertices are these. Marks are few, and searches may be many.
  unsigned char next_mark(unsigned char mark, const Vertex* vertices, std::int64_t size) {
    if (mark < 255) return static_cast<unsigned char>(mark + 1);
    for (std::int64_t i = 0; i < size; ++i) mark_[at(vertices[i])] = 0;
    return 1;
  }

  /// \param start  the vertex of smallest degree
  bool number_component(Vertex start, int max_searches) {
    Vertex* const order = order_.get() + num_placed_;
    unsigned char mark = 1;
    Found found = search<true>(start, mark, order);
    if (found.num_reached == 0) return false;
    const std::int64_t size = found.num_reached;
    std::int64_t depth = found.depth;
    Vertex best = start;
    const Vertex* queue = order;
    int num_searches = 1;
    // A component of depth 0 or 1 has no deeper start.
    for (bool deeper = depth > 1; deeper && num_searches < max_searches; ++num_searches) {
      const Vertex* const candidate =
          std::min_element(queue + found.last_level, queue + size, [this](Vertex a, Vertex b) { return before(a, b); });
      const Vertex next = *candidate;
      if (!spare_) spare_.reset(new Vertex[static_cast<std::size_t>(n_) + 1]);
      mark = next_mark(mark, order, size);
      found = search<false>(next, mark, spare_.get());
      if (found.num_reached == 0) return false;
      queue = spare_.get();
      deeper = found.depth > depth;
      if (deeper) {
        depth = found.depth;
        best = next;
      }
    }
    if (best != start) {
      mark = next_mark(mark, order, size);
      if (search<true>(best, mark, order).num_reached == 0) return false;
    }
    components_.push_back({0, num_placed_, size});
    num_placed_ += size;
    num_levels_ = std::max(num_levels_, depth + 1);
    num_searches_ = std::max(num_searches_, num_searches);
    return true;
  }

  /// By (degree, number), those that no search has seen.
  std::vector<Vertex> unseen_by_degree() const {
    std::vector<std::int64_t> begin(many + 2, 0);
    for (Vertex v = 0; v < n_; ++v) begin[degree_[at(v)] + 1u] += mark_[at(v)] == 0;
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<Vertex> list(static_cast<std::size_t>(begin.back()));
    const std::int64_t first_of_many = begin[many];
    for (Vertex v = 0; v < n_; ++v) {
      if (mark_[at(v)] == 0) list[static_cast<std::size_t>(begin[degree_[at(v)]]++)] = v;
    }
    std::sort(list.begin() + first_of_many, list.end(), [this](Vertex a, Vertex b) { return before(a, b); });
    return list;
  }

  /// Components by their smallest vertices.
  void sort_components() {
    for (Component& component : components_) {
      const Vertex* const begin = order_.get() + component.begin;
      component.smallest = *std::min_element(begin, begin + component.size);
    }
    const auto is_before = [](const Component& a, const Component& b) { return a.smallest < b.smallest; };
    if (std::is_sorted(components_.begin(), components_.end(), is_before)) return;
    std::sort(components_.begin(), components_.end(), is_before);
    Ids sorted(new Vertex[static_cast<std::size_t>(n_) + 1]);
    Vertex* to = sorted.get();
    for (const Component& component : components_) {
      to = std::copy_n(order_.get() + component.begin, component.size, to);
    }
    order_ = std::move(sorted);
  }

  const Graph graph_;
  const Vertex n_;
  const Offset most_edges_;
  const std::unique_ptr<unsigned char[]> degree_;  // many: that or more
  std::vector<unsigned char> mark_;                // by which search of its component a vertex was seen last; 0: none
  Ids order_, spare_;
  std::vector<Component> components_;
  bool is_near_ = false;
  std::int64_t num_placed_ = 0, num_levels_ = 0;
  int num_searches_ = 0;
};

}  // namespace dromos::detail
