// SPDX-License-Identifier: BSD-3-Clause
// Loops over more items than a backend counts right. With CUDA and Kokkos 3.4 the stride of a range has 32 bits: a
// range of 2^32 items never ends. Edges of a graph that fits one GPU can be as many, vertices cannot; so loops over
// edges and arcs go through here, which deals a range out in pieces of 2^30 on GPUs, one launch after the other.
//
//   for_range("dromos::...", space, edges.num_edges(), functor);             functor(i) for every i in [0, num_edges)
//   reduce_range("dromos::...", space, {1, num_edges}, functor, sum);         and a sum: functor(i, sum), i from 1 on
//
// A range of one piece is one launch, as without this; pieces differ in where they begin, so that one kernel is
// compiled. What a functor is told is the number of its item, whatever the pieces are.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <limits>
#include <string>
#include <type_traits>

namespace dromos {

/// Items begin .. end - 1, of which at most `most_at_once` are launched together; 0: as many as the backend is trusted
/// with. Tests set it to see several pieces of few items.
struct LongRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t most_at_once = 0;

  template <class Size, class = std::enable_if_t<std::is_integral_v<Size>>>
  LongRange(Size size) : end(static_cast<std::int64_t>(size)) {}
  LongRange(std::int64_t first, std::int64_t last, std::int64_t most = 0)
      : begin(first), end(last), most_at_once(most) {}

  /// How many items of it are launched together in an execution space.
  template <class Space>
  std::int64_t piece() const {
    if (most_at_once > 0) return most_at_once;
    return is_gpu<Space> ? std::int64_t(1) << 30 : std::numeric_limits<std::int64_t>::max();
  }
};

namespace detail {

/// The pieces of a range, one after the other; an empty range has one, since it has sums, too.
template <class Space>
class Pieces {
 public:
  Pieces(const Space& space, const LongRange& range)
      : space_(space), next_(range.begin), end_(dromos::max(range.begin, range.end)), most_(range.piece<Space>()) {}

  bool done() const { return taken_ && next_ == end_; }
  Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>> take() {
    const std::int64_t first = next_;
    next_ = end_ - first > most_ ? first + most_ : end_;
    taken_ = true;
    return {space_, first, next_};
  }

 private:
  const Space& space_;
  std::int64_t next_;
  const std::int64_t end_, most_;
  bool taken_ = false;
};

}  // namespace detail

/// functor(i) for every item, in no order. Does not wait.
template <class Space, class Functor>
void for_range(const std::string& label, const Space& space, const LongRange& range, const Functor& functor) {
  for (detail::Pieces<Space> pieces(space, range); !pieces.done();) {
    Kokkos::parallel_for(label, pieces.take(), functor);
  }
}

/// functor(i, sum) for every item, which adds to a sum that begins at 0. Waits. Sums of floating-point numbers of
/// several pieces are added in the order of the pieces.
template <class Space, class Functor, class T>
void reduce_range(const std::string& label, const Space& space, const LongRange& range, const Functor& functor,
                  T& sum) {
  sum = 0;
  for (detail::Pieces<Space> pieces(space, range); !pieces.done();) {
    T of_piece = 0;
    Kokkos::parallel_reduce(label, pieces.take(), functor, of_piece);
    sum += of_piece;
  }
}

/// The same with two sums: functor(i, sum, other).
template <class Space, class Functor, class T>
void reduce_range(const std::string& label, const Space& space, const LongRange& range, const Functor& functor, T& sum,
                  T& other) {
  sum = other = 0;
  for (detail::Pieces<Space> pieces(space, range); !pieces.done();) {
    T of_piece = 0;
    T other_of_piece = 0;
    Kokkos::parallel_reduce(label, pieces.take(), functor, of_piece, other_of_piece);
    sum += of_piece;
    other += other_of_piece;
  }
}

/// The same with one of Kokkos' reducers: functor(i, value), reduce_range_by<Kokkos::Min<Offset>>(...). Returns the
/// reducer's identity where there is no item.
template <class Reducer, class Space, class Functor>
typename Reducer::value_type reduce_range_by(const std::string& label, const Space& space, const LongRange& range,
                                             const Functor& functor) {
  typename Reducer::value_type all;
  const Reducer reducer(all);
  reducer.init(all);
  for (detail::Pieces<Space> pieces(space, range); !pieces.done();) {
    typename Reducer::value_type of_piece;
    reducer.init(of_piece);
    Kokkos::parallel_reduce(label, pieces.take(), functor, Reducer(of_piece));
    reducer.join(all, of_piece);
  }
  return all;
}

}  // namespace dromos
