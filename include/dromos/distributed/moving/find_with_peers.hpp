// SPDX-License-Identifier: BSD-3-Clause
// The last backward sweeps of a search on several GPUs in one launch: those who are left look again and again
// (traverse/find_first_again.hpp), and what a rank's teams find becomes known to all ranks in between.
//
//   each team   its part of the list looks | writes who found to all ranks | all meet, and hear how many found and how
//               many edges are left | sets the bits of those that the same team of each rank wrote | waits for its own
//               rank's teams | goes on, as long as anybody finds
//
// The bitmap that is asked is the same on all ranks, and changes between sweeps alone.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/peer_answer.hpp>
#include <dromos/comm/peer_mail.hpp>
#include <dromos/core/bitmap.hpp>
#include <dromos/core/device_message.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/traverse/direction_rule.hpp>
#include <dromos/traverse/find_first.hpp>
#include <dromos/traverse/find_first_again.hpp>
#include <dromos/traverse/find_first_warps.hpp>
#include <utility>
#include <vector>

namespace dromos::detail {

/// What one sweep of such a launch found.
struct PeerFinds {
  std::int64_t num_found = 0;  ///< by this rank
  Offset edges_found = 0;      ///< that leave them
  std::int64_t all_found = 0;  ///< by all ranks
  Offset all_edges_found = 0;
};
inline constexpr int peer_finds_words = 4;
inline constexpr int most_peer_finds = 255;
/// The most vertices that look, of all ranks.
inline constexpr std::int64_t most_looking_with_peers = 1 << 20;

/// What is known before a sweep.
struct PeerLooking {
  Offset own_edges = 0;  ///< that leave the vertices of this rank that look
  Offset all_edges = 0;
  std::int64_t all_vertices = 0;
};

/// The operator's next_sweep() says that another sweep begins; rows are those of own vertices, by their numbers, and
/// their ends have numbers of all ranks, as the bits of `asked`.
template <class Space, class Rows, class Operator>
struct FindWithPeers : FindFirstWarps<Space, Rows, CountingSink<Rows, true>, Operator, true, true> {
  using Base = FindFirstWarps<Space, Rows, CountingSink<Rows, true>, Operator, true, true>;
  using Member = typename Base::Member;
  using Vertex = typename Base::Vertex;
  using Bits = typename Base::Bits;
  using Tile = typename Base::Tile;

  PeerMail mail;
  typename Bits::Word* asked;
  Vertex first;  ///< the bit of this rank's first vertex
  PeerLooking looking;
  std::int64_t capacity;  ///< what a team writes for a rank, at most
  std::uint64_t* words;   ///< three sets of counts in turn, and how many teams came to meetings; zero
  std::uint64_t* next_words;
  std::uint64_t* notes;
  MessageSender host;

  /// Counts of a sweep: vertices found, edges looked at in vain, vertices left.
  static constexpr int words_of_set = 4, teams_here = 3 * words_of_set, num_words = teams_here + 1;
  /// Of a team for a rank: how many, and these.
  static constexpr std::int64_t bytes_before = 16;
  static KOKKOS_FUNCTION std::int64_t bytes_of_team(std::int64_t capacity) {
    return bytes_before + (capacity * static_cast<std::int64_t>(sizeof(Vertex)) + 15) / 16 * 16;
  }
  static std::size_t scratch_bytes() { return Base::scratch_bytes() + 16; }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    Tile& tile = *team_array<Tile>(team, 1);
    int* const came = team_array<int>(team, 1);
    FindWithPeers here(*this);  // who looks for what changes from sweep to sweep
    here.look_with_peers(team, tile, came);
  }

 private:
  KOKKOS_FUNCTION char* region(const Member& team, int to, int from, std::uint64_t meeting) const {
    return mail.region(to, from, meeting) + team.league_rank() * bytes_of_team(capacity);
  }

  KOKKOS_FUNCTION void look_with_peers(const Member& team, Tile& tile, int* came) {
    const bool leads = team.league_rank() == 0 && team.team_rank() == 0;
    const auto num_teams = static_cast<std::uint64_t>(team.league_size());
    if (team.league_rank() == 0 && team.team_rank() < num_words) next_words[team.team_rank()] = 0;
    std::int64_t size = this->more.list_size;
    for (int sweep = 0;; ++sweep) {
      const std::uint64_t meeting = mail.met + 1 + static_cast<std::uint64_t>(sweep);
      std::uint64_t* const counts = words + words_of_set * (sweep % 3);
      this->sink.counts = counts;
      this->more.num_left = counts + 2;
      look_at_share(team, tile, size, meeting);
      if (leads) {
        for (int k = 0; k < words_of_set; ++k) words[words_of_set * ((sweep + 1) % 3) + k] = 0;
      }
      const std::uint64_t all_here = num_teams * (2 * static_cast<std::uint64_t>(sweep) + 1);
      if (!mail.meet(team, meeting, &words[teams_here], all_here, true, counts, came)) return;
      size = static_cast<std::int64_t>(atomic_load(&counts[2]));
      const PeerFinds finds = learn(meeting, counts);
      if (leads) note(sweep, finds);
      take(team, meeting);
      const bool last = finds.all_found == 0 || looking.all_vertices == 0 || sweep + 1 == most_peer_finds ||
                        leads_back(finds.all_found, finds.all_edges_found);
      if (last) {
        tell_host(team, sweep + 1, size);
        return;
      }
      if (!mail.wait_for_own(team, &words[teams_here], all_here + num_teams, came)) return;
      swap_values(this->more.list, this->more.left);
      swap_values(this->more.list_ends, this->more.left_ends);
      this->op.next_sweep();
    }
  }

  /// One tile after the other; who found goes to all ranks, this one included.
  KOKKOS_FUNCTION void look_at_share(const Member& team, Tile& tile, std::int64_t size, std::uint64_t meeting) {
    const std::int64_t all_at_once = std::int64_t(team.league_size()) * Base::round_size;
    const int tile_here = size <= all_at_once ? Base::round_size : Base::tile_size;
    std::int64_t num_found = 0;
    for (std::int64_t begin = std::int64_t(team.league_rank()) * tile_here; begin < size;
         begin += std::int64_t(team.league_size()) * tile_here) {
      this->look(team, tile, begin, dromos::min<std::int64_t>(size, begin + tile_here));
      team.team_barrier();
      for (int r = 0; r < mail.size; ++r) {
        auto* const to = reinterpret_cast<Vertex*>(region(team, r, mail.rank, meeting) + bytes_before) + num_found;
        for (int i = team.team_rank(); i < tile.num_found; i += team.team_size()) {
          to[i] = first + static_cast<Vertex>(tile.found_list[i]);
        }
      }
      num_found += tile.num_found;
      team.team_barrier();
    }
    if (team.team_rank() < mail.size) {
      *reinterpret_cast<std::int64_t*>(region(team, team.team_rank(), mail.rank, meeting)) = num_found;
    }
  }

  /// What this rank counted, and the others said at the meeting.
  KOKKOS_FUNCTION PeerFinds learn(std::uint64_t meeting, const std::uint64_t* counts) {
    PeerFinds finds;
    const auto in_vain = static_cast<Offset>(atomic_load(&counts[1]));
    finds.all_found = finds.num_found = static_cast<std::int64_t>(atomic_load(&counts[0]));
    Offset all_in_vain = in_vain;
    for (int r = 0; r < mail.size; ++r) {
      if (r == mail.rank) continue;
      finds.all_found += static_cast<std::int64_t>(mail.said(r, meeting, 0));
      all_in_vain += static_cast<Offset>(mail.said(r, meeting, 1));
    }
    finds.edges_found = looking.own_edges - in_vain;
    finds.all_edges_found = looking.all_edges - all_in_vain;
    looking = {in_vain, all_in_vain, looking.all_vertices - finds.all_found};
    return finds;
  }

  KOKKOS_FUNCTION void take(const Member& team, std::uint64_t meeting) const {
    for (int r = 0; r < mail.size; ++r) {
      const char* const from = region(team, mail.rank, r, meeting);
      const std::int64_t count = atomic_load(reinterpret_cast<const std::int64_t*>(from));
      for (std::int64_t i = team.team_rank(); i < count; i += team.team_size()) {
        const Vertex v = atomic_load(reinterpret_cast<const Vertex*>(from + bytes_before) + i);
        Kokkos::atomic_fetch_or(&asked[Bits::word_of(v)], Bits::mask(v));
      }
    }
  }

  KOKKOS_FUNCTION void note(int sweep, const PeerFinds& finds) const {
    std::uint64_t* const to = notes + peer_finds_words * sweep;
    to[0] = static_cast<std::uint64_t>(finds.num_found);
    to[1] = static_cast<std::uint64_t>(finds.edges_found);
    to[2] = static_cast<std::uint64_t>(finds.all_found);
    to[3] = static_cast<std::uint64_t>(finds.all_edges_found);
  }

  /// By the first team: how many sweeps there were, how many vertices are left, and what each sweep found.
  KOKKOS_FUNCTION void tell_host(const Member& team, int num_sweeps, std::int64_t num_left) const {
    if (team.league_rank() != 0) return;
    team.team_barrier();
    for (int k = team.team_rank(); k < peer_finds_words * num_sweeps; k += team.team_size()) {
      host.write(2 + k, atomic_load(&notes[k]));
    }
    system_fence();
    team.team_barrier();
    if (team.team_rank() != 0) return;
    host.write(0, static_cast<std::uint64_t>(num_sweeps));
    host.write(1, static_cast<std::uint64_t>(num_left));
    host.send();
  }
};

/// The memory of such launches.
template <class Space, class Vertex>
class FindsWithPeers {
 public:
  using Memory = typename Space::memory_space;

  FindsWithPeers() = default;
  /// Collective.
  explicit FindsWithPeers(const Communicator& communicator) : communicator_(&communicator) {
    if constexpr (has_warps<Space>) {
      streamed_ = streamed_operations<Memory>(communicator);
      if (streamed_ == nullptr) return;
      streamed_->mail(region_bytes(most_looking_with_peers));
      words_ = Kokkos::View<std::uint64_t*, Memory>("dromos::find_with_peers::words", 2 * room_for_words);
      notes_ =
          Kokkos::View<std::uint64_t*, Memory>("dromos::find_with_peers::notes", peer_finds_words * most_peer_finds);
      message_ = DeviceMessage<Memory>(2 + peer_finds_words * most_peer_finds, "dromos::find_with_peers");
    }
  }

  explicit operator bool() const { return streamed_ != nullptr; }

  /// Those of the list that `scratch` has look, until nobody finds. Collective, where the lists of all ranks have at
  /// least one and at most most_looking_with_peers vertices, none of them visited. Waits.
  ///
  /// \param visited  of own vertices: joined by those that found
  /// \param asked    of all, what `op` asks: joined by those that any rank found
  /// \param found    gets those of this rank that the last sweep found
  /// \returns what each sweep found
  template <class Rows, class Operator>
  std::vector<PeerFinds> run(const Space& space, const Rows& rows, FindAgainScratch<Vertex, Memory>& scratch,
                             const Bitmap<Memory>& could, const Bitmap<Memory>& visited, const Bitmap<Memory>& asked,
                             Vertex first, const Kokkos::View<Vertex*, Memory>& found, const PeerLooking& looking,
                             const Operator& op) {
    using Kernel = FindWithPeers<Space, Rows, Operator>;
    static_assert(Kernel::num_words <= room_for_words);
    const PeerMail mail = streamed_->mail(region_bytes(most_looking_with_peers));
    const MessageSender sender = message_.expect();
    FindAgain<Vertex> more;
    more.likely = scratch.likely.data();
    more.num_rows = static_cast<std::size_t>(rows.num_vertices());
    more.list_size = scratch.num_left;
    more.counts_left = true;
    scratch.left.look_through(more);
    scratch.left_next.be_written(more);
    std::uint64_t* const words = words_.data() + (num_launches_ % 2) * room_for_words;
    std::uint64_t* const next_words = words_.data() + ((num_launches_ + 1) % 2) * room_for_words;
    ++num_launches_;
    const int num_teams = teams_for(looking.all_vertices);
    const Kernel kernel{{rows,
                         {rows, words, found.data()},
                         op,
                         could.words().data(),
                         visited.words().data(),
                         visited.words().data(),
                         static_cast<std::int64_t>(visited.words().extent(0)),
                         0,
                         more},
                        mail,
                        asked.words().data(),
                        first,
                        looking,
                        capacity(looking.all_vertices),
                        words,
                        next_words,
                        notes_.data(),
                        sender};
    typename Kernel::Policy policy(space, num_teams, find_team_size);
    policy.set_scratch_size(scratch_level<Space>, Kokkos::PerTeam(Kernel::scratch_bytes()));
    Kokkos::parallel_for("dromos::find_with_peers", as_argument<Space>(policy), kernel);
    wait_for_peers(space, message_, sender, *streamed_);
    const int num_sweeps = static_cast<int>(message_[0]);
    streamed_->count_meetings(static_cast<std::uint64_t>(num_sweeps));
    scratch.num_left = static_cast<std::int64_t>(message_[1]);
    if (num_sweeps % 2 != 0) std::swap(scratch.left, scratch.left_next);
    scratch.found_listed = true;
    std::vector<PeerFinds> finds;
    for (int i = 0; i < num_sweeps; ++i) {
      const auto word = [&](int k) { return static_cast<std::int64_t>(message_[2 + peer_finds_words * i + k]); };
      finds.push_back({word(0), word(1), word(2), word(3)});
      count(finds.back());
    }
    return finds;
  }

 private:
  static constexpr int room_for_words = 16;

  void count(const PeerFinds& finds) const {
    const std::int64_t others = communicator_->size() - 1;
    CommCount& count = communicator_->counters_to_update()[CommKind::allgather];
    ++count.calls;
    count.messages += finds.num_found > 0 ? others : 0;
    count.bytes_sent += others * finds.num_found * static_cast<std::int64_t>(sizeof(Vertex));
    count.bytes_received += (finds.all_found - finds.num_found) * static_cast<std::int64_t>(sizeof(Vertex));
  }

  int teams_for(std::int64_t num_looking) const {
    const std::int64_t wanted = (num_looking + find_team_size - 1) / find_team_size;
    return static_cast<int>(dromos::min<std::int64_t>(wanted, streamed_->most_teams_at_once()));
  }
  /// What a team writes for a rank, at most: whole tiles of its share.
  std::int64_t capacity(std::int64_t num_looking) const {
    const std::int64_t tile = std::int64_t(find_most_rounds) * find_round(true);
    const std::int64_t at_once = teams_for(num_looking) * tile;
    return (num_looking + at_once - 1) / at_once * tile;
  }
  std::int64_t region_bytes(std::int64_t num_looking) const {
    return teams_for(num_looking) * (32 + capacity(num_looking) * static_cast<std::int64_t>(sizeof(Vertex)));
  }

  const Communicator* communicator_ = nullptr;
  StreamedOperations* streamed_ = nullptr;
  std::int64_t num_launches_ = 0;
  Kokkos::View<std::uint64_t*, Memory> words_, notes_;
  DeviceMessage<Memory> message_;
};

}  // namespace dromos::detail
