// SPDX-License-Identifier: BSD-3-Clause
// Words that kernels put down for other ranks, on their way between GPUs without the host: nobody has to be told how
// many there are before they travel, and the kernel that takes them in reads it from the memory of its GPU. Where a
// transport has such operations (comm/transport.hpp) and there is memory for what may arrive; other levels go by way of
// the host.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/moving/enqueue_claimed.hpp>
#include <dromos/distributed/moving/rank_cursors.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <vector>

namespace dromos::detail {

template <class Space>
class StreamedWords {
 public:
  using Memory = typename Space::memory_space;
  using Words = Kokkos::View<std::uint64_t*, Memory>;

  /// \param most_arriving  from one rank at a time
  StreamedWords(const Communicator& communicator, std::int64_t most_arriving)
      : communicator_(communicator), most_arriving_(most_arriving) {}

  /// Allocates now what could be asked for, where words can travel so. Collective.
  void make_room_for_all() {
    if (take(0)) make_room(std::min(most_arriving_, most_in_inbox / (communicator_.size() - 1)));
  }

  /// May `most` words for one rank travel so? The same on every rank, where `most` is. Collective, the first time.
  bool take(std::int64_t most) {
    if (communicator_.size() == 1) return false;
    streamed_ = streamed_operations<Memory>(communicator_);
    return streamed_ != nullptr && most <= most_in_inbox / (communicator_.size() - 1);
  }

  /// Enqueues that what lies behind these blocks leaves, and the blocks are as before. After take(most) was true.
  ///
  /// \param behind  by rank counted from this one on, where `counted_from_here`
  /// \param num_sent  on the device: what left is added to it
  void travel(const Space& space, const std::uint64_t* words, const RankCursors<Memory>& cursors,
              const std::vector<Block>& behind, bool counted_from_here, std::int64_t most, std::uint64_t* num_sent) {
    const int p = communicator_.size(), rank = communicator_.rank();
    most_ = std::min(most, most_arriving_);
    make_room(most_);
    StreamedItems leaving;
    for (int r = 0; r < p; ++r) {
      const int k = counted_from_here ? (r - rank + p) % p : r;
      const std::int64_t begin = behind[k].offset + behind[k].size;
      leaving.items.push_back(words + begin);
      leaving.cursors.push_back(cursors.of(k));
      leaving.begins.push_back(static_cast<std::uint64_t>(begin));
    }
    leaving.num_sent = num_sent;
    streamed_->exchange(native_stream(space), leaving, {inbox_.data(), region_, arrived_.data()}, most);
    ++communicator_.counters_to_update()[CommKind::exchange].calls;
  }

  /// What arrived from all other ranks, of which the next one is the first.
  ArrivedWords arrived() const {
    const int p = communicator_.size();
    return {inbox_.data(), most_, (communicator_.rank() + 1) % p, p - 1, p, region_, arrived_.data()};
  }
  /// Counts what left and arrived, once the host knows.
  void count(std::int64_t num_sent, std::int64_t num_received) const {
    CommCount& count = communicator_.counters_to_update()[CommKind::exchange];
    count.messages += num_sent > 0 ? communicator_.size() - 1 : 0;
    count.bytes_sent += 8 * num_sent;
    count.bytes_received += 8 * num_received;
  }

 private:
  /// Words, from all ranks together: half a gigabyte; and at first.
  static constexpr std::int64_t most_in_inbox = std::int64_t(1) << 26;
  static constexpr std::int64_t first_in_inbox = std::int64_t(1) << 24;

  /// For so many from each rank. Allocating in the middle of a search costs as much as a level of millions of edges: at
  /// first there is room for most levels of most searches, and then for some more than is asked for.
  void make_room(std::int64_t most) {
    if (region_ > 0 && most <= region_) return;
    const std::int64_t others = communicator_.size() - 1;
    const std::int64_t wanted = std::max(most + most / 4, first_in_inbox / others);
    region_ =
        (std::max({most, std::min({wanted, most_arriving_, most_in_inbox / others}), std::int64_t(1)}) + 1) / 2 * 2;
    inbox_ = {};
    inbox_ = uninitialized<std::uint64_t, Memory>("dromos::streamed_words::inbox", region_ * others);
    arrived_ = Words("dromos::streamed_words::arrived", static_cast<std::size_t>(others + 1));
  }

  const Communicator& communicator_;
  std::int64_t most_arriving_;
  StreamedOperations* streamed_ = nullptr;
  std::int64_t region_ = 0, most_ = 0;
  Words inbox_, arrived_;
};

}  // namespace dromos::detail
