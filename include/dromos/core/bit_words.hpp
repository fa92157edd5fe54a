// SPDX-License-Identifier: BSD-3-Clause
// Kernels over the vertices of bitmaps, word by word.
//
//   write_bits("dromos::...", space, words, size, f);             bit v of the words = f(v), for every v < size
//   write_bits("dromos::...", space, words, size, f, reducer);    f(v, value) says the bit, and adds to a reduction
//   for_bits("dromos::...", space, num_words, f);                 f(v) for every bit v that is set in f.word(v / 32)
//   reduce_bits("dromos::...", space, num_words, f, reducer);     f(v, value) for each of them
//   copy_bits("dromos::...", space, from, first, to, at, size);   a range of bits to another place, word by word
//
// On a CPU a thread takes a word. On a GPU, where the threads of a warp would each walk through arrays 32 elements
// apart, a warp takes a word and a lane a vertex: what they read and write lies side by side, and a vote makes the
// word. Where words are asked which bits they have, the lanes ask for as many at once, since most have none.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/warp.hpp>
#include <string>

namespace dromos {

namespace detail {

inline constexpr int bit_words_team = 256;  // threads

/// What is done with a word, by one thread (whole()), and with the words from `first` on, at most 32, by each lane of a
/// warp (lanes()).
template <class F>
struct WriteWord {
  std::uint32_t* words;
  std::int64_t size;
  F f;

  template <class... Value>
  KOKKOS_FORCEINLINE_FUNCTION void whole(std::int64_t w, Value&... value) const {
    const std::int64_t first = w * warp_width, last = dromos::min(first + warp_width, size);
    std::uint32_t word = 0;
    for (std::int64_t v = first; v < last; ++v) word |= std::uint32_t(bool(f(v, value...))) << (v - first);
    words[w] = word;
  }
  template <class... Value>
  KOKKOS_FORCEINLINE_FUNCTION void lanes(std::int64_t first, int count, int lane, Value&... value) const {
    for (std::int64_t w = first; w < first + count; ++w) {
      const std::int64_t v = w * warp_width + lane;
      const std::uint32_t word = ballot(whole_warp, v < size && f(v, value...));
      if (lane == 0) words[w] = word;
    }
  }
};

template <class F>
struct VisitWord {
  F f;

  template <class... Value>
  KOKKOS_FORCEINLINE_FUNCTION void whole(std::int64_t w, Value&... value) const {
    for (std::uint32_t rest = f.word(w); rest != 0; rest &= rest - 1) {
      f(w * warp_width + count_trailing_zeros(rest), value...);
    }
  }
  template <class... Value>
  KOKKOS_FORCEINLINE_FUNCTION void lanes(std::int64_t first, int count, int lane, Value&... value) const {
    const std::uint32_t mine = lane < count ? f.word(first + lane) : 0;
    for (std::uint32_t rest = ballot(whole_warp, mine != 0); rest != 0; rest &= rest - 1) {
      const int k = count_trailing_zeros(rest);
      if ((warp_broadcast(mine, k) >> lane & 1u) != 0) f((first + k) * warp_width + lane, value...);
    }
  }
};

template <class Work>
struct EachWord {
  Work work;
  KOKKOS_FUNCTION void operator()(std::int64_t w) const { work.whole(w); }
};
template <class Work, class Value>
struct ReduceEachWord {
  Work work;
  KOKKOS_FUNCTION void operator()(std::int64_t w, Value& value) const { work.whole(w, value); }
};

/// f(w, lane) for the words of this thread's warp: every so-manieth of all.
template <class Member, class F>
KOKKOS_FORCEINLINE_FUNCTION void for_words_of_warp(const Member& team, std::int64_t num_words, const F& f) {
  const int warps = team.team_size() / warp_width;
  const std::int64_t stride = static_cast<std::int64_t>(team.league_size()) * warps;
  std::int64_t w = static_cast<std::int64_t>(team.league_rank()) * warps + team.team_rank() / warp_width;
  for (; w < num_words; w += stride) f(w, team.team_rank() % warp_width);
}

/// f(first, count, lane) for words of this thread's warp that lie side by side, at most 32 and as many as leave some
/// for every warp.
template <class Member, class F>
KOKKOS_FORCEINLINE_FUNCTION void for_blocks_of_warp(const Member& team, std::int64_t num_words, const F& f) {
  const int warps = team.team_size() / warp_width;
  const std::int64_t num_warps = static_cast<std::int64_t>(team.league_size()) * warps;
  const std::int64_t block = dromos::min<std::int64_t>((num_words + num_warps - 1) / num_warps, warp_width);
  std::int64_t first = (static_cast<std::int64_t>(team.league_rank()) * warps + team.team_rank() / warp_width) * block;
  for (; first < num_words; first += num_warps * block) {
    f(first, static_cast<int>(dromos::min(block, num_words - first)), team.team_rank() % warp_width);
  }
}

template <class Space, class Work>
struct WordsByWarps {
  std::int64_t num_words;
  Work work;
  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Space>::member_type& team) const {
    for_blocks_of_warp(team, num_words,
                       [&](std::int64_t first, int count, int lane) { work.lanes(first, count, lane); });
  }
};
template <class Space, class Work, class Value>
struct ReduceWordsByWarps {
  std::int64_t num_words;
  Work work;
  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Space>::member_type& team, Value& value) const {
    for_blocks_of_warp(team, num_words,
                       [&](std::int64_t first, int count, int lane) { work.lanes(first, count, lane, value); });
  }
};

/// Item w: the w-th word that has bits of the range [at, at + size) of `to`, which become those of `from` from `first`
/// on.
struct CopyBits {
  static constexpr int bits = 32;
  const std::uint32_t* from;
  std::int64_t first;
  std::uint32_t* to;
  std::int64_t at, size;

  std::int64_t num_words() const { return size == 0 ? 0 : (at + size - 1) / bits - at / bits + 1; }
  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const std::int64_t w = at / bits + item;
    const std::int64_t begin = dromos::max(w * bits, at), end = dromos::min((w + 1) * bits, at + size);
    const int skipped = static_cast<int>(begin - w * bits), count = static_cast<int>(end - begin);
    const std::int64_t source = first + (begin - at);
    const int shift = static_cast<int>(source % bits);
    std::uint32_t word = from[source / bits] >> shift;
    if (shift + count > bits) word |= from[source / bits + 1] << (bits - shift);
    const std::uint32_t mask = (count == bits ? ~0u : (1u << count) - 1) << skipped;
    to[w] = (to[w] & ~mask) | (word << skipped & mask);
  }
};

/// As many teams as the multiprocessors hold at once, each of which goes through many words.
template <class Space>
Kokkos::TeamPolicy<Space> teams_of_warps(const Space& space, std::int64_t num_words) {
  constexpr int warps = bit_words_team / warp_width;
  constexpr int teams_of_multiprocessor = 2048 / bit_words_team;
  const std::int64_t most = std::int64_t(teams_of_multiprocessor) * num_multiprocessors(space);
  return {space, static_cast<int>(dromos::min((num_words + warps - 1) / warps, most)), bit_words_team};
}

template <class Space, class Work>
void for_words(const std::string& label, const Space& space, std::int64_t num_words, const Work& work) {
  if (num_words == 0) return;
  if constexpr (has_warps<Space>) {
    Kokkos::parallel_for(label, teams_of_warps(space, num_words), WordsByWarps<Space, Work>{num_words, work});
  } else {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, num_words),
                         EachWord<Work>{work});
  }
}

template <class Space, class Work, class Reducer>
void reduce_words(const std::string& label, const Space& space, std::int64_t num_words, const Work& work,
                  const Reducer& reducer) {
  using Value = typename Reducer::value_type;
  if constexpr (has_warps<Space>) {
    if (num_words > 0) {
      Kokkos::parallel_reduce(label, teams_of_warps(space, num_words),
                              ReduceWordsByWarps<Space, Work, Value>{num_words, work}, reducer);
      return;
    }
  }
  Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, num_words),
                          ReduceEachWord<Work, Value>{work}, reducer);
}

}  // namespace detail

/// Bit v of `words` becomes f(v), for every v < size; those behind it in the last word zero. f reads none of these
/// words. Does not wait.
template <class Space, class F>
void write_bits(const std::string& label, const Space& space, std::uint32_t* words, std::int64_t size, const F& f) {
  detail::for_words(label, space, (size + warp_width - 1) / warp_width, detail::WriteWord<F>{words, size, f});
}

/// The same with f(v, value), which adds to a reduction beside. Waits.
template <class Space, class F, class Reducer>
void write_bits(const std::string& label, const Space& space, std::uint32_t* words, std::int64_t size, const F& f,
                const Reducer& reducer) {
  detail::reduce_words(label, space, (size + warp_width - 1) / warp_width, detail::WriteWord<F>{words, size, f},
                       reducer);
}

/// f(v) for every bit v that is set in f.word(v / 32), the words being 0 .. num_words - 1. Does not wait.
template <class Space, class F>
void for_bits(const std::string& label, const Space& space, std::int64_t num_words, const F& f) {
  detail::for_words(label, space, num_words, detail::VisitWord<F>{f});
}

/// The same with f(v, value), which adds to a reduction. Waits.
template <class Space, class F, class Reducer>
void reduce_bits(const std::string& label, const Space& space, std::int64_t num_words, const F& f,
                 const Reducer& reducer) {
  detail::reduce_words(label, space, num_words, detail::VisitWord<F>{f}, reducer);
}

/// The bits [at, at + size) of `to` become the bits [first, first + size) of `from`; the others stay as they are. The
/// two share no words. Does not wait.
template <class Space>
void copy_bits(const std::string& label, const Space& space, const std::uint32_t* from, std::int64_t first,
               std::uint32_t* to, std::int64_t at, std::int64_t size) {
  const detail::CopyBits copy{from, first, to, at, size};
  if (size == 0) return;
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, copy.num_words()),
                       copy);
}

}  // namespace dromos
