// SPDX-License-Identifier: BSD-3-Clause
// Values of vertices that changed where they are not at home: of copies to their owners, of delegates to all ranks.
// Only what changed travels: few as pairs of number and value, many as a bit for each vertex that the two ranks share
// and the values of those whose bit is set. A message is what takes fewer bytes; how many values it has is told before,
// so that the receiver knows which, and with that what else each rank has to say of the round (RoundReport).
//
//   2 delegates, 4 copies of rank 1's vertices 5 7 8 9; bits 0 1 | 1 0 1 1: delegate 1, and copies 0, 2 and 3 changed
//   to rank 1, as pairs     5 a  8 b  9 c        or     1 0 1 1, a b c
//   to all, of delegates    1 d                  or     0 1, d
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/bit_operations.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/reused_buffer.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/distributed/parts/announced_vertices.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <dromos/traverse/compact.hpp>
#include <dromos/traverse/until_empty.hpp>
#include <vector>

namespace dromos::detail {

/// An own vertex of the receiver, or a delegate by its number, and what is offered to it.
template <class Value>
struct Settled {
  LocalVertex vertex;
  Value value;
};

/// What came, valid until the next exchange: items of own vertices, then of delegates, among them what this rank has
/// told itself; and copies that others have announced.
template <class Value, class Memory>
struct ArrivedValues {
  Kokkos::View<const Settled<Value>*, Memory> items;
  LocalVertex first_delegate = 0;
  std::int64_t first_of_delegate = 0, first_mine = 0, last_mine = 0;
  Kokkos::View<const LocalVertex*, Memory> joining;

  std::int64_t size() const { return static_cast<std::int64_t>(items.extent(0)); }
  KOKKOS_FORCEINLINE_FUNCTION LocalVertex vertex(std::int64_t i) const {
    return i < first_of_delegate ? items(i).vertex : first_delegate + items(i).vertex;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_mine(std::int64_t i) const { return i >= first_mine && i < last_mine; }
};

/// Lists the bits that are set, as take_out() does, and keeps a copy of all.
template <class Memory>
struct ListChanged {
  TakeOutBits<LocalVertex, Memory> take_out;
  BitmapWords<Memory> copy;
  std::int64_t num_words;
  Kokkos::View<std::int64_t, Memory> num_listed;
  KOKKOS_FUNCTION void operator()(std::int64_t w, std::int64_t& sum, bool final) const {
    if (final) copy(w) = take_out.words(w);
    take_out(w, sum, final);
    if (final && w + 1 == num_words) num_listed() = sum;
  }
};

/// Where the delegates end in a list of numbers of away vertices, and the copies of each rank; behind these, its size.
template <class Memory>
struct FindRanges {
  Kokkos::View<const LocalVertex*, Memory> list;
  Kokkos::View<const std::int64_t, Memory> size;
  Kokkos::View<const LocalVertex*, Memory> bounds;
  Kokkos::View<std::int64_t*, transfer_space<Memory>> found;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t all = size();
    std::int64_t low = 0, high = all;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (list(middle) < bounds(i)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    found(i) = low;
    if (i == 0) found(bounds.extent(0)) = all;
  }
};

/// A message of so many values of vertices out of a block, in units of 8 bytes.
template <class Value>
struct ValueMessage {
  using Unit = std::uint64_t;
  std::int64_t block_size = 0, num_values = 0;

  std::int64_t units_of_bits() const { return (block_size + 63) / 64; }
  std::int64_t units_of_pairs() const { return units(num_values * static_cast<std::int64_t>(sizeof(Settled<Value>))); }
  std::int64_t units_with_bits() const {
    return units_of_bits() + units(num_values * static_cast<std::int64_t>(sizeof(Value)));
  }
  bool has_bits() const { return units_with_bits() < units_of_pairs(); }
  std::int64_t size() const { return has_bits() ? units_with_bits() : units_of_pairs(); }

 private:
  static std::int64_t units(std::int64_t bytes) { return (bytes + 7) / 8; }
};

/// Where the values of a message go: `first` is that of the first of them in the list of all.
struct PlacedMessage {
  std::int64_t first, pairs_or_values;
  bool has_bits;
};

template <class Give, class Memory>
struct PackMessages {
  using Value = typename Give::Value;
  Give op;
  Kokkos::View<const LocalVertex*, Memory> list, number_at_owner, bounds;
  LocalVertex first_away, num_delegates;
  Kokkos::View<const PlacedMessage*, Memory> messages;  ///< of delegates, then to each rank
  Kokkos::View<std::uint64_t*, Memory> buffer;

  /// The last rank whose copies do not begin behind it.
  KOKKOS_FUNCTION std::int64_t owner_of(LocalVertex away) const {
    std::int64_t low = 0, high = static_cast<std::int64_t>(bounds.extent(0));
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (bounds(middle) <= away ? low : high) = middle;
    }
    return low;
  }
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const LocalVertex away = list(i);
    const bool of_delegate = away < num_delegates;
    const PlacedMessage& message = messages(of_delegate ? 0 : 1 + owner_of(away));
    std::uint64_t* const to = buffer.data() + message.pairs_or_values;
    const Value value = op.give(first_away + away);
    if (message.has_bits) {
      reinterpret_cast<Value*>(to)[i - message.first] = value;
    } else {
      reinterpret_cast<Settled<Value>*>(to)[i - message.first] = {
          of_delegate ? away : number_at_owner(away - num_delegates), value};
    }
  }
};

/// The bits of a block as those of a message.
template <class Memory>
struct CutOutBlock {
  BitmapWords<Memory> bits;
  std::int64_t first, size;
  Kokkos::View<std::uint64_t*, Memory> to;

  KOKKOS_FUNCTION std::uint64_t word(std::int64_t at) const {
    return at < static_cast<std::int64_t>(bits.extent(0)) ? bits(at) : 0;
  }
  KOKKOS_FUNCTION void operator()(std::int64_t u) const {
    const std::int64_t begin = first + 64 * u, at = begin / 32;
    const int shift = static_cast<int>(begin % 32);
    std::uint64_t unit = (word(at) | word(at + 1) << 32) >> shift;
    if (shift > 0) unit |= word(at + 2) << (64 - shift);
    const std::int64_t left = size - 64 * u;
    to(u) = left < 64 ? unit & ((std::uint64_t(1) << left) - 1) : unit;
  }
};

/// Pairs from bits and values; item u is a unit of bits.
template <class Value, class Memory>
struct PairBitsWithValues {
  const std::uint64_t* bits;
  const Value* values;
  Kokkos::View<const LocalVertex*, Memory> vertices;  ///< of the block, from `first` on; none: numbers in the block
  std::int64_t first;
  Settled<Value>* to;

  KOKKOS_FUNCTION void operator()(std::int64_t u, std::int64_t& sum, bool final) const {
    const auto low = static_cast<std::uint32_t>(bits[u]), high = static_cast<std::uint32_t>(bits[u] >> 32);
    if (final) {
      std::int64_t i = sum;
      for (std::uint32_t rest = low; rest != 0; rest &= rest - 1) put(64 * u + count_trailing_zeros(rest), i++);
      for (std::uint32_t rest = high; rest != 0; rest &= rest - 1) put(64 * u + 32 + count_trailing_zeros(rest), i++);
    }
    sum += population_count(low) + population_count(high);
  }

 private:
  KOKKOS_FUNCTION void put(std::int64_t in_block, std::int64_t i) const {
    to[i] = {vertices.extent(0) != 0 ? vertices(first + in_block) : static_cast<LocalVertex>(in_block), values[i]};
  }
};

/// What ranks tell each other before values travel: how many there are, and of the round what all of them have done.
template <class Message>
class RoundReports {
 public:
  /// Collective. \param own  what this rank has swept
  RoundReports(const Communicator& communicator, const std::vector<Message>& to_ranks, const Message& of_delegates,
               const std::vector<Block>& announcing, const SweptByRanks& own) {
    std::int64_t num_told = of_delegates.num_values, longest = 0;
    for (std::size_t r = 0; r < to_ranks.size(); ++r) {
      num_told += to_ranks[r].num_values + announcing[r].size;
      longest = std::max({longest, to_ranks[r].size(), announcing[r].size});
    }
    for (std::size_t r = 0; r < to_ranks.size(); ++r) {
      words_.insert(words_.end(), {to_ranks[r].num_values, of_delegates.num_values, announcing[r].size, longest,
                                   num_told, own.num_vertices, own.num_edges, own.num_alone});
    }
    words_ = exchange_counts(communicator, words_);
  }

  std::int64_t num_values_of(std::size_t rank) const { return word(rank, 0); }
  std::int64_t num_delegates_of(std::size_t rank) const { return word(rank, 1); }
  std::vector<std::int64_t> num_announced() const {
    std::vector<std::int64_t> counts;
    for (std::size_t r = 0; r < num_ranks(); ++r) counts.push_back(word(r, 2));
    return counts;
  }
  /// No message of two ranks has more elements.
  std::int64_t longest() const {
    std::int64_t longest = 0;
    for (std::size_t r = 0; r < num_ranks(); ++r) longest = std::max(longest, word(r, 3));
    return longest;
  }
  SweptByRanks of_all() const {
    SweptByRanks all;
    for (std::size_t r = 0; r < num_ranks(); ++r) {
      all.num_told += word(r, 4);
      all.num_vertices += word(r, 5);
      all.num_edges += word(r, 6);
      all.num_alone += word(r, 7);
      all.num_busy += word(r, 6) > 0;
    }
    return all;
  }

 private:
  static constexpr std::size_t num_words = 8;
  std::size_t num_ranks() const { return words_.size() / num_words; }
  std::int64_t word(std::size_t rank, std::size_t i) const { return words_[rank * num_words + i]; }

  std::vector<std::int64_t> words_;
};

/// Of one part: which of its away vertices changed, and how ranks tell each other. Collective.
template <class Global, class Memory>
class ChangedValues {
 public:
  ChangedValues(const Communicator& communicator, const GraphPart<Global, Memory>& part)
      : changed_(part.num_delegates + part.num_copies, "dromos::halo::changed"),
        copy_(part.num_delegates + part.num_copies, "dromos::halo::copy_of_changed"),
        list_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::halo::list"),
              part.num_delegates + part.num_copies),
        bounds_("dromos::halo::bounds", communicator.size()),
        num_listed_("dromos::halo::num_listed"),
        found_("dromos::halo::found", communicator.size() + 1),
        messages_("dromos::halo::messages", communicator.size() + 1),
        messages_on_host_("dromos::halo::messages", communicator.size() + 1) {
    // Where the copies of each rank begin among the vertices that are away; behind the delegates.
    const auto bounds = Kokkos::create_mirror_view(bounds_);
    for (int r = 0; r < communicator.size(); ++r) {
      bounds(r) = static_cast<LocalVertex>(part.num_delegates + part.copies[static_cast<std::size_t>(r)].offset);
    }
    Kokkos::deep_copy(bounds_, bounds);
  }

  /// Bit i: the i-th away vertex, delegates first, has something to tell. All are zero after an exchange.
  const Bitmap<Memory>& changed() const { return changed_; }

  /// Tells give(v) of every vertex that changed. What arrived is there for what is enqueued in `space` next; the caller
  /// waits for that before the next exchange.
  ///
  /// \param round      in: what this rank has swept; out: what all ranks have, and how many values they told
  /// \param announced  of operators that announce: goes the same way, instead of values of copies
  template <class Space, class Give>
  ArrivedValues<typename Give::Value, Memory> exchange(const Communicator& communicator, const Space& space,
                                                       const GraphPart<Global, Memory>& part, const Give& op,
                                                       SweptByRanks& round,
                                                       AnnouncedVertices<Space, Global>* announced = nullptr) {
    using Value = typename Give::Value;
    using Message = ValueMessage<Value>;
    static_assert(sizeof(Settled<Value>) % sizeof(std::uint64_t) == 0,
                  "pairs of two messages lie one behind the other");
    using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
    constexpr bool announces = Announces<Give>::value;
    const auto num_ranks = static_cast<std::size_t>(communicator.size());
    const auto first_away = static_cast<LocalVertex>(part.num_own);
    list_changed(space, announces ? part.num_delegates : part.num_delegates + part.num_copies);
    const auto& first = found_;
    const std::int64_t num_changed = first(num_ranks);

    // What goes: first of delegates, then to each rank.
    const Message of_delegates{part.num_delegates, first(0)};
    const auto& messages = messages_on_host_;
    std::vector<Message> to_ranks;
    std::vector<Block> send;
    std::int64_t end = of_delegates.size();
    messages(0) = {0, of_delegates.has_bits() ? of_delegates.units_of_bits() : 0, of_delegates.has_bits()};
    for (std::size_t r = 0; r < num_ranks; ++r) {
      const std::int64_t last = r + 1 < num_ranks ? first(r + 1) : num_changed;
      to_ranks.push_back({part.copies[r].size, last - first(r)});
      const Message& message = to_ranks.back();
      send.push_back({end, message.size()});
      messages(r + 1) = {first(r), end + (message.has_bits() ? message.units_of_bits() : 0), message.has_bits()};
      end += message.size();
    }
    std::vector<Block> announcing(num_ranks);
    if constexpr (announces) announcing = announced->look(space);
    if (num_changed > 0) Kokkos::deep_copy(space, messages_, messages);
    const RoundReports<Message> told(communicator, to_ranks, of_delegates, announcing, round);
    round = told.of_all();
    if (round.num_told == 0) return {};

    // What comes: from each rank of own vertices, then of delegates.
    std::vector<Message> arriving;
    std::vector<Block> receive, from_all;
    std::int64_t num_copies = 0, num_items = 0, num_units = 0;
    bool any_bits = false;
    const auto expect = [&](const Message& message, std::vector<Block>& blocks) {
      arriving.push_back(message);
      blocks.push_back({num_units, message.size()});
      num_units += message.size();
      num_items += message.num_values;
      any_bits = any_bits || message.has_bits();
    };
    for (std::size_t r = 0; r < num_ranks; ++r) expect({part.lent[r].size, told.num_values_of(r)}, receive);
    num_copies = num_items;
    for (std::size_t r = 0; r < num_ranks; ++r) expect({part.num_delegates, told.num_delegates_of(r)}, from_all);

    const auto sent = sent_.template of<std::uint64_t>(end);
    const auto arrived = arrived_.template of<std::uint64_t>(num_units);
    if (num_changed > 0) {
      Kokkos::parallel_for("dromos::halo::pack", Range(space, 0, num_changed),
                           PackMessages<Give, Memory>{op, list_, part.number_at_owner, bounds_, first_away,
                                                      static_cast<LocalVertex>(part.num_delegates), messages_, sent});
    }
    const auto cut_out = [&](const Message& message, std::int64_t first_bit, std::int64_t at) {
      if (!message.has_bits()) return;
      Kokkos::parallel_for("dromos::halo::cut_out", Range(space, 0, message.units_of_bits()),
                           CutOutBlock<Memory>{copy_.words(), first_bit, message.block_size,
                                               Kokkos::subview(sent, Kokkos::make_pair(at, end))});
    };
    cut_out(of_delegates, 0, 0);
    for (std::size_t r = 0; r < num_ranks; ++r) {
      cut_out(to_ranks[r], part.num_delegates + part.copies[r].offset, send[r].offset);
    }
    ArrivedValues<Value, Memory> result;
    if constexpr (announces) {
      result.joining = announced->exchange(communicator, space, told.num_announced(), told.longest());
    } else {
      alltoallv(communicator, space, sent, send, arrived, receive, told.longest());
    }
    if (num_items > num_copies) {
      const Kokkos::View<std::uint64_t*, Memory> own =
          Kokkos::subview(sent, Kokkos::make_pair(std::int64_t(0), of_delegates.size()));
      allgatherv(communicator, space, own, of_delegates.size(), arrived, from_all);
    }

    result.first_mine = num_copies;
    for (int r = 0; r < communicator.rank(); ++r) {
      result.first_mine += told.num_delegates_of(static_cast<std::size_t>(r));
    }
    result.last_mine = result.first_mine + of_delegates.num_values;
    result.items =
        any_bits ? all_pairs<Value>(space, part, arrived, arriving, num_items) : pairs_in<Value>(arrived, num_items);
    result.first_delegate = first_away;
    result.first_of_delegate = num_copies;
    return result;
  }

 private:
  template <class Value>
  using Pairs = Kokkos::View<Settled<Value>*, Memory>;

  /// Of the first so many away vertices, those that changed, and where each rank's are among them. Waits.
  template <class Space>
  void list_changed(const Space& space, std::int64_t num_away) {
    using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
    const auto num_ranks = static_cast<std::int64_t>(bounds_.extent(0));
    if (num_away == 0) {
      for (std::int64_t r = 0; r <= num_ranks; ++r) found_(r) = 0;
      return;
    }
    // What is found is written where the host can read it: it waits once.
    const std::int64_t num_words = (num_away + Bitmap<Memory>::bits_per_word - 1) / Bitmap<Memory>::bits_per_word;
    Kokkos::parallel_scan("dromos::halo::list", Range(space, 0, num_words),
                          ListChanged<Memory>{{changed_.words(), list_}, copy_.words(), num_words, num_listed_});
    Kokkos::parallel_for("dromos::halo::ranges", Range(space, 0, num_ranks),
                         FindRanges<Memory>{list_, num_listed_, bounds_, found_});
    fence(space, "dromos::halo::ranges");
  }

  template <class Value>
  static Pairs<Value> pairs_in(const Kokkos::View<std::uint64_t*, Memory>& units, std::int64_t size) {
    return Pairs<Value>(reinterpret_cast<Settled<Value>*>(units.data()), size);
  }

  /// Of messages of both kinds, one behind the other: those from each rank of own vertices, then of delegates.
  template <class Value, class Space>
  Pairs<Value> all_pairs(const Space& space, const GraphPart<Global, Memory>& part,
                         const Kokkos::View<std::uint64_t*, Memory>& arrived,
                         const std::vector<ValueMessage<Value>>& messages, std::int64_t num_items) {
    const auto pairs = pairs_.template of<Settled<Value>>(num_items);
    std::int64_t item = 0, unit = 0;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const ValueMessage<Value>& message = messages[i];
      const bool of_own = i < part.lent.size();
      if (message.has_bits()) {
        const std::uint64_t* const bits = arrived.data() + unit;
        Kokkos::parallel_scan(
            "dromos::halo::pair_up",
            Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, message.units_of_bits()),
            PairBitsWithValues<Value, Memory>{bits, reinterpret_cast<const Value*>(bits + message.units_of_bits()),
                                              of_own ? Kokkos::View<const LocalVertex*, Memory>(part.lent_vertices)
                                                     : Kokkos::View<const LocalVertex*, Memory>(),
                                              of_own ? part.lent[i].offset : 0, pairs.data() + item});
      } else if (message.num_values > 0) {
        const auto here = Kokkos::make_pair(item, item + message.num_values);
        const auto from = Kokkos::subview(arrived, Kokkos::make_pair(unit, unit + message.size()));
        Kokkos::deep_copy(space, Kokkos::subview(pairs, here),
                          Pairs<Value>(reinterpret_cast<Settled<Value>*>(from.data()), message.num_values));
      }
      item += message.num_values;
      unit += message.size();
    }
    return pairs;
  }

  Bitmap<Memory> changed_, copy_;
  Kokkos::View<LocalVertex*, Memory> list_;
  Kokkos::View<LocalVertex*, Memory> bounds_;
  Kokkos::View<std::int64_t, Memory> num_listed_;
  Kokkos::View<std::int64_t*, transfer_space<Memory>> found_;
  Kokkos::View<PlacedMessage*, Memory> messages_;
  Kokkos::View<PlacedMessage*, transfer_space<Memory>> messages_on_host_;
  ReusedBuffer<Memory> sent_{"dromos::halo::told"}, arrived_{"dromos::halo::arrived"}, pairs_{"dromos::halo::pairs"};
};

}  // namespace dromos::detail
