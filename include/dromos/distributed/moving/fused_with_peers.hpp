// SPDX-License-Identifier: BSD-3-Clause
// Fused forward sweeps of several GPUs: as traverse/fused_kernel.hpp, but the work set is spread over ranks that reach
// each other's memory, and what a sweep finds of another rank's vertices travels within the launch.
//
//   each team   its windows of the own work set: own ends join, others are put down by rank | writes these to the same
//               team of their owners | all meet | takes what came to it: what is new joins | all meet, and hear the
//               sizes of the next work sets of all ranks | goes on, as long as these are small and not empty
//
// A sweep of a launch of its own, an exchange, a kernel that takes what arrived, and the host that waits for the sum of
// all ranks take some 40 us, whatever there is to do; two meetings take some 8.
//
// The operator says where an edge leads that is another rank's (SharedOutbox), and how a word that arrived joins:
//
//   SharedOutbox outbox;                                            // set by the kernel, a team's own
//   KOKKOS_FUNCTION Vertex arrives(int rank, std::uint64_t word);   // who joins, or no_vertex
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/peer_answer.hpp>
#include <dromos/comm/peer_mail.hpp>
#include <dromos/core/device_message.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/transfer.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <dromos/traverse/direction_rule.hpp>
#include <dromos/traverse/frontier.hpp>
#include <dromos/traverse/fused_kernel.hpp>
#include <utility>
#include <vector>

namespace dromos::detail {

/// What a team puts down for other ranks in one sweep; each of its edges at most once.
struct SharedOutbox {
  int* counts = nullptr;  ///< by rank, in scratch memory
  std::uint64_t* words = nullptr;
  std::int64_t capacity = 0;  ///< for each rank

  KOKKOS_FORCEINLINE_FUNCTION void put(int rank, std::uint64_t word) const {
    words[rank * capacity + Kokkos::atomic_fetch_add(&counts[rank], 1)] = word;
  }
};

/// One sweep of a launch, as the host learns of it.
struct PeerSweep {
  std::int64_t num_vertices = 0;  ///< of this rank's work set
  Offset num_edges = 0;
  std::int64_t all_vertices = 0;  ///< of all ranks
  Offset all_edges = 0;
  std::int64_t sent = 0, received = 0, joined_received = 0;  ///< by its sweep
};
inline constexpr int peer_sweep_words = 7;
inline constexpr int most_peer_sweeps = 1023;
static_assert(peer_sweep_words * (most_peer_sweeps + 1) <= 2 * (most_fused_sweeps + 1),
              "they lie in FusedTeams::sizes");
/// The most edges of a work set of all ranks.
inline constexpr Offset most_peer_edges = (Offset(1) << 20) - fused_team_size;

/// Before the words that a team writes for a rank, of which each of its edges is one at most: how many they are.
inline constexpr std::int64_t words_before = 2;

/// Before the first sweep of a launch that goes on with what others began.
struct NothingToBegin {
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t, std::int64_t) const {}
};

/// Begin: begin(thread, of so many threads), called once by each before the first sweep; what it does is done then on
/// this rank.
template <class Space, class Graph, class Operator, class Begin>
struct FusedWithPeers : FusedKernel<Space, Graph, Operator> {
  using Base = FusedKernel<Space, Graph, Operator>;
  using Member = typename Base::Member;
  using Vertex = typename Base::Vertex;
  using OneSweep = typename Base::OneSweep;
  using Scratch = typename Base::Scratch;

  PeerMail mail;
  std::uint64_t* outgoing;  ///< of each team for each rank
  std::int64_t capacity;    ///< words of one team for one rank
  bool edges_go_both_ways;  ///< it ends where all edges lead back
  bool has_begun;           ///< the first work set is not that of the root
  bool starts_small;        ///< and certainly small enough
  Begin begin;

  static constexpr std::size_t scratch_bytes() {
    return Base::scratch_bytes() + PeerMail::most_ranks * sizeof(int) + 8;
  }
  static_assert(scratch_bytes() + kokkos_scratch_bytes(fused_team_size) <= gpu_scratch_bytes);

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const Scratch scratch = Base::take_scratch(team);
    OneSweep sweep = this->shared;
    sweep.op.outbox = {team_array<int>(team, PeerMail::most_ranks),
                       outgoing + team.league_rank() * mail.size * capacity, capacity};
    const bool leads = team.league_rank() == 0 && team.team_rank() == 0;
    std::uint64_t* const teams_here = &this->words[fused_done];
    const auto num_teams = static_cast<std::uint64_t>(team.league_size());
    std::uint64_t here = 0, meeting = mail.met;
    std::uint64_t* next = &this->words[fused_next];
    prepare(team, sweep.graph, next, scratch);
    for (int i = 0;; ++i) {
      here += num_teams;
      const bool asks = i > 0 || !starts_small;  // how large the work sets of the others are
      if (!(asks ? mail.meet(team, ++meeting, teams_here, here, false, next, scratch.count)
                 : mail.wait_for_own(team, teams_here, here, scratch.count))) {
        return;
      }
      const std::uint64_t* const now = next;
      const std::uint64_t own = atomic_load(now);
      const int size = static_cast<int>(own & fused_vertex_mask);
      const auto edges = static_cast<Offset>(own >> fused_vertex_bits);
      if (asks) {
        const PeerSweep all = add_up(size, edges, meeting);
        if (leads) note_sizes(i, size, edges, all);
        if (ends(i, all)) {
          tell_host(team, i);
          return;
        }
      }
      next = &this->words[fused_next + (i + 1) % 3];
      ++meeting;
      if (edges > 0) {
        for (int r = team.team_rank(); r < mail.size; r += team.team_size()) sweep.op.outbox.counts[r] = 0;
        team.team_barrier();
        this->sweep_share(team, sweep, i % 2, size, static_cast<int>(edges), next, scratch);
        team.team_barrier();
        send(team, sweep.op.outbox, meeting, i);
      } else {
        send_nothing(team, meeting);
      }
      if (leads) {
        this->words[fused_next + (i + 2) % 3] = 0;
        begin_notes(i + 1);
      }
      here += num_teams;
      if (!mail.meet(team, meeting, teams_here, here, true, asks ? nullptr : now, scratch.count)) return;
      if (!asks && leads) note_sizes(i, size, edges, add_up(size, edges, meeting));
      take(team, sweep.op, meeting, (i + 1) % 2, next, i, scratch);
      begin_next_sweep(sweep.op);
    }
  }

 private:
  /// The first work set is where its sweep looks for it.
  KOKKOS_FUNCTION void prepare(const Member& team, const Graph& graph, std::uint64_t* now,
                               const Scratch& scratch) const {
    const std::int64_t all_threads = std::int64_t(team.league_size()) * team.team_size();
    begin(std::int64_t(team.league_rank()) * team.team_size() + team.team_rank(), all_threads);
    if (team.league_rank() != 0) return;
    const int rank = team.team_rank();
    if (rank < num_fused_words) this->next_words[rank] = 0;
    if (rank == 0 && this->start != no_vertex<Vertex>) this->queue[0][0] = this->start;
    team.team_barrier();
    const Offset edges = this->note_all_edges(team, graph, 0, this->first_size, scratch);
    if (rank != 0) return;
    *now = static_cast<std::uint64_t>(edges) << fused_vertex_bits | static_cast<std::uint64_t>(this->first_size);
    begin_notes(0);
  }

  KOKKOS_FUNCTION std::uint64_t* notes(int sweep) const { return this->sizes + peer_sweep_words * sweep; }
  KOKKOS_FUNCTION void begin_notes(int sweep) const {
    for (int k = 4; k < peer_sweep_words; ++k) notes(sweep)[k] = 0;
  }
  KOKKOS_FUNCTION void note_sizes(int sweep, int size, Offset edges, const PeerSweep& all) const {
    std::uint64_t* const to = notes(sweep);
    to[0] = static_cast<std::uint64_t>(size);
    to[1] = static_cast<std::uint64_t>(edges);
    to[2] = static_cast<std::uint64_t>(all.all_vertices);
    to[3] = static_cast<std::uint64_t>(all.all_edges);
  }

  /// This rank's work set and those of the others, as they said at the meeting.
  KOKKOS_FUNCTION PeerSweep add_up(int size, Offset edges, std::uint64_t meeting) const {
    PeerSweep all;
    all.all_vertices = size;
    all.all_edges = edges;
    for (int r = 0; r < mail.size; ++r) {
      if (r == mail.rank) continue;
      const std::uint64_t word = mail.said(r, meeting, 0);
      all.all_vertices += static_cast<std::int64_t>(word & fused_vertex_mask);
      all.all_edges += static_cast<Offset>(word >> fused_vertex_bits);
    }
    return all;
  }
  KOKKOS_FUNCTION bool ends(int sweep, const PeerSweep& all) const {
    const bool root_alone = sweep == 0 && !has_begun;  // which no edge leads back from
    return all.all_vertices == 0 || all.all_edges > this->max_edges || all.all_vertices > most_shared_edges ||
           sweep == this->max_sweeps ||
           (edges_go_both_ways && !root_alone && leads_back(all.all_vertices, all.all_edges));
  }

  KOKKOS_FUNCTION std::uint64_t* region(const Member& team, int to, int from, std::uint64_t meeting) const {
    return reinterpret_cast<std::uint64_t*>(mail.region(to, from, meeting)) +
           team.league_rank() * (words_before + capacity);
  }
  KOKKOS_FUNCTION void send_nothing(const Member& team, std::uint64_t meeting) const {
    if (team.team_rank() < mail.size && team.team_rank() != mail.rank) {
      *region(team, team.team_rank(), mail.rank, meeting) = 0;
    }
  }
  /// To the same team of each other rank.
  KOKKOS_FUNCTION void send(const Member& team, const SharedOutbox& outbox, std::uint64_t meeting, int sweep) const {
    std::int64_t sent = 0;
    for (int k = 1; k < mail.size; ++k) {
      const int r = (mail.rank + k) % mail.size;
      std::uint64_t* const to = region(team, r, mail.rank, meeting);
      const int count = outbox.counts[r];
      const std::uint64_t* const from = outbox.words + r * outbox.capacity;
      if (team.team_rank() == 0) *to = static_cast<std::uint64_t>(count);
      for (int j = team.team_rank(); j < count; j += team.team_size()) to[words_before + j] = atomic_load(&from[j]);
      sent += count;
    }
    if (team.team_rank() == 0 && sent > 0) {
      atomic_fetch_add(&notes(sweep)[4], static_cast<std::uint64_t>(sent));
    }
  }

  /// What came from the same team of each other rank; what is new joins work set `parity`, whose size grows in `next`.
  KOKKOS_FUNCTION void take(const Member& team, const Operator& op, std::uint64_t meeting, int parity,
                            std::uint64_t* next, int sweep, const Scratch& scratch) const {
    using Queue = typename Base::SharedQueue;
    if (team.team_rank() == 0) *scratch.count = 0;
    team.team_barrier();
    std::int64_t received = 0;
    Queue found(*this, scratch, parity, next);
    for (int k = 1; k < mail.size; ++k) {
      const int r = (mail.rank + k) % mail.size;
      const std::uint64_t* const from = region(team, mail.rank, r, meeting);
      const auto count = static_cast<std::int64_t>(atomic_load(from));
      received += count;
      for (std::int64_t first = 0; first < count; first += Queue::most * team.team_size()) {
        int num_new = 0;
        for (int j = 0; j < Queue::most; ++j) {
          const std::int64_t at = first + j * team.team_size() + team.team_rank();
          if (at >= count) break;
          const Vertex v = op.arrives(r, atomic_load(&from[words_before + at]));
          if (v == no_vertex<Vertex>) continue;
          found.put(v);
          ++num_new;
        }
        if (num_new > 0) Kokkos::atomic_fetch_add(scratch.count, num_new);
        found.flush_round(team);
      }
    }
    team.team_barrier();
    if (team.team_rank() == 0 && received > 0) {
      atomic_fetch_add(&notes(sweep)[5], static_cast<std::uint64_t>(received));
      atomic_fetch_add(&notes(sweep)[6], static_cast<std::uint64_t>(*scratch.count));
    }
  }

  /// By the first team: the sweeps, and the sizes of work sets 0 to i.
  KOKKOS_FUNCTION void tell_host(const Member& team, int i) const {
    if (team.league_rank() != 0) return;
    team.team_barrier();
    for (int k = team.team_rank(); k < peer_sweep_words * (i + 1); k += team.team_size()) {
      this->host.write(1 + k, atomic_load(&this->sizes[k]));
    }
    system_fence();
    team.team_barrier();
    if (team.team_rank() != 0) return;
    this->host.write(0, static_cast<std::uint64_t>(i));
    this->host.send();
  }
};

/// Where such a launch begins.
template <class Vertex>
struct PeerStart {
  bool has_begun = true;                ///< with work sets that are there; otherwise with a root
  Vertex own_root = no_vertex<Vertex>;  ///< if it is this rank's
  Offset most_edges = 0;                ///< that leave it, by what all ranks know
};

/// The memory of such launches.
template <class Space, class Vertex>
class SweepsWithPeers {
 public:
  using Memory = typename Space::memory_space;

  SweepsWithPeers() = default;
  /// Collective.
  /// \param most_vertices  of a work set of this rank
  SweepsWithPeers(const Communicator& communicator, std::int64_t most_vertices, Offset most_edges_of_rank)
      : communicator_(&communicator) {
    if constexpr (has_warps<Space>) {
      streamed_ = streamed_operations<Memory>(communicator);
      const bool fits = max<std::int64_t>(communicator, most_vertices) <= most_refilled_vertices &&
                        max<std::int64_t>(communicator, most_edges_of_rank) <= most_refilled_edges;
      if (!fits) streamed_ = nullptr;
      if (streamed_ == nullptr) return;
      num_teams_ = streamed_->most_teams_at_once();
      capacity_ = most_edges_of_team(most_peer_edges, num_teams_);
      region_bytes_ = 8 * num_teams_ * (words_before + capacity_);
      streamed_->mail(region_bytes_);
      outgoing_ = uninitialized<std::uint64_t, Memory>("dromos::fused_with_peers::outgoing",
                                                       num_teams_ * communicator.size() * capacity_);
      message_ = DeviceMessage<Memory>(1 + peer_sweep_words * (most_peer_sweeps + 1), "dromos::fused_with_peers");
      teams_ = FusedTeams<Memory>(most_vertices, num_teams_);
    }
  }

  /// Is there a way for them between these ranks? The same on every rank.
  explicit operator bool() const { return streamed_ != nullptr; }

  /// Sweeps from `frontier`, which on every rank is so small (most_peer_edges of all ranks, or a root), until the next
  /// one is not, or there is none; `frontier` is then that. Collective. Waits.
  ///
  /// \param from    where it begins
  /// \param begin   FusedWithPeers::begin
  /// \param behind  enqueues more behind it, before the host waits
  /// \returns the work sets, one more than there were sweeps
  template <class Graph, class Operator, class Begin, class Behind>
  std::vector<PeerSweep> run(const Space& space, const Graph& graph, Frontier<Vertex, Memory>& frontier,
                             Frontier<Vertex, Memory>& next, const Operator& op, bool edges_go_both_ways,
                             const PeerStart<Vertex>& from, const Begin& begin, const Behind& behind) {
    using Kernel = FusedWithPeers<Space, Graph, Operator, Begin>;
    const PeerMail mail = streamed_->mail(region_bytes_);
    const int own_words = teams_.launches(0)++ % 2 * num_fused_words;
    const MessageSender sender = message_.expect();
    Kernel kernel{{{graph, frontier.work(), NoSink{}, op},
                   {frontier.queue().data(), next.queue().data()},
                   from.own_root,
                   static_cast<int>(frontier.num_vertices()),
                   0,
                   most_peer_edges,
                   most_peer_sweeps,
                   false,
                   sender,
                   teams_.words.data() + own_words,
                   teams_.words.data() + (num_fused_words - own_words),
                   teams_.sizes.data(),
                   {teams_.prefix[0].data(), teams_.prefix[1].data()},
                   {teams_.starts[0].data(), teams_.starts[1].data()},
                   {teams_.rows[0].data(), teams_.rows[1].data()},
                   teams_.more_found.data(),
                   teams_.most_more_found},
                  mail,
                  outgoing_.data(),
                  capacity_,
                  edges_go_both_ways,
                  from.has_begun,
                  !from.has_begun && from.most_edges <= most_peer_edges,
                  begin};
    typename Kernel::Policy policy(space, num_teams_, fused_team_size);
    policy.set_scratch_size(scratch_level<Space>, Kokkos::PerTeam(Kernel::scratch_bytes()));
    Kokkos::parallel_for("dromos::fused_with_peers", as_argument<Space>(policy), kernel);
    behind();
    wait_for_peers(space, message_, sender, *streamed_);
    const int num_sweeps = static_cast<int>(message_[0]);
    streamed_->count_meetings(2 * static_cast<std::uint64_t>(num_sweeps) + (kernel.starts_small ? 0 : 1));
    std::vector<PeerSweep> sweeps;
    for (int i = 0; i <= num_sweeps; ++i) {
      const auto word = [&](int k) { return static_cast<std::int64_t>(message_[1 + peer_sweep_words * i + k]); };
      sweeps.push_back({word(0), word(1), word(2), word(3), word(4), word(5), word(6)});
    }
    count(sweeps);
    if (num_sweeps % 2 != 0) std::swap(frontier, next);
    frontier.set_counts(sweeps.back().num_vertices, sweeps.back().num_edges);
    return sweeps;
  }

 private:
  void count(const std::vector<PeerSweep>& sweeps) const {
    CommCount& count = communicator_->counters_to_update()[CommKind::exchange];
    for (const PeerSweep& sweep : sweeps) {
      count.calls += &sweep == &sweeps.back() ? 0 : 1;
      count.messages += sweep.sent > 0 ? communicator_->size() - 1 : 0;
      count.bytes_sent += 8 * sweep.sent;
      count.bytes_received += 8 * sweep.received;
    }
  }

  const Communicator* communicator_ = nullptr;
  StreamedOperations* streamed_ = nullptr;
  int num_teams_ = 0;
  std::int64_t capacity_ = 0, region_bytes_ = 0;
  Kokkos::View<std::uint64_t*, Memory> outgoing_;
  DeviceMessage<Memory> message_;
  FusedTeams<Memory> teams_;
};

}  // namespace dromos::detail
