// SPDX-License-Identifier: BSD-3-Clause
// Vertices that arrived from another rank enter a work set, those of them that are new.
//
// On a GPU a team takes a place in the queue for all that its threads have claimed: atomic operations on one counter
// come one after the other, and a large level brings hundreds of thousands of vertices.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/types.hpp>
#include <dromos/core/warp.hpp>
#include <dromos/traverse/frontier.hpp>

namespace dromos::detail {

/// What QueueSink::notes() count where vertices travel.
enum ArrivalNote { note_sent, note_received, note_enqueued };

/// Words that arrived from one rank or from several that follow each other, the first again behind the last one.
struct ArrivedWords {
  const std::uint64_t* words = nullptr;  ///< of the first
  std::int64_t count = 0;                ///< from each, or at most where kernels alone know
  int sender = 0;                        ///< the first
  int num_senders = 1;
  int num_ranks = 1;
  std::int64_t region = 0;                       ///< words from one sender's to the next one's
  const std::uint64_t* device_counts = nullptr;  ///< if not null, what came from each when the kernel runs

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t size(int k) const {
    return device_counts == nullptr ? count : static_cast<std::int64_t>(device_counts[k]);
  }
  KOKKOS_FORCEINLINE_FUNCTION const std::uint64_t* from(int k) const { return words + k * region; }
  KOKKOS_FORCEINLINE_FUNCTION int rank(int k) const { return (sender + k) % num_ranks; }
};

/// A sink for those whose work set comes from what was marked: queues nothing, but counts what arrived.
template <class Vertex_, class Memory_>
struct NotesOnly {
  using Vertex = Vertex_;
  using Memory = Memory_;
  static constexpr bool lists = false;

  std::uint64_t* counters;  ///< as many as there are kinds of ArrivalNote
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* notes() const { return counters; }
};

/// By teams of whole warps, as many for each sender.
template <class Space, class Sink, class Claim>
struct EnqueueClaimedByTeams {
  static constexpr int team_size = 256;
  static constexpr int resident_teams = 6;  // of a multiprocessor
  using Policy = Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<team_size, resident_teams>>;
  using Vertex = typename Sink::Vertex;

  Sink sink;
  Claim claim;
  ArrivedWords arrived;
  ArrivalNote note;
  CountsPublisher publisher{};  ///< if set

  struct Scratch {
    std::int64_t totals[team_size / warp_width];
    std::uint64_t reserved;
  };
  static std::size_t scratch_bytes() { return sizeof(Scratch) + 16; }

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    Scratch& scratch = *team_array<Scratch>(team, 1);
    const int k = team.league_rank() % arrived.num_senders, first = team.league_rank() / arrived.num_senders;
    const std::int64_t size = arrived.size(k);
    if (arrived.device_counts != nullptr && first == 0 && team.team_rank() == 0) {
      atomic_fetch_add(&sink.notes()[note_received], static_cast<std::uint64_t>(size));
    }
    const std::uint64_t* const words = arrived.from(k);
    const int rank = arrived.rank(k);
    const std::int64_t stride = static_cast<std::int64_t>(team.league_size() / arrived.num_senders) * team_size;
    for (std::int64_t begin = static_cast<std::int64_t>(first) * team_size; begin < size; begin += stride) {
      const std::int64_t i = begin + team.team_rank();
      const Vertex v = i < size ? claim(rank, words[i]) : no_vertex<Vertex>;
      if constexpr (Sink::lists) take_places(team, scratch, v);
    }
    if (publisher.teams_done == nullptr) return;
    team.team_barrier();
    if (team.team_rank() == 0) publisher.team_done(team.league_size());
  }

 private:
  /// Of what joins; a collective of the team.
  KOKKOS_FORCEINLINE_FUNCTION void take_places(const typename Policy::member_type& team, Scratch& scratch,
                                               Vertex v) const {
    const bool joins = v != no_vertex<Vertex>;
    std::int64_t num_joining = 0, num_edges = 0;
    const std::int64_t place = team_sum_before(team, joins ? 1 : 0, scratch.totals, num_joining);
    if (num_joining == 0) return;
    const std::int64_t edge =
        team_sum_before(team, joins ? static_cast<std::int64_t>(sink.graph.degree(v)) : 0, scratch.totals, num_edges);
    if (team.team_rank() == 0) {
      scratch.reserved = sink.reserve(static_cast<std::uint64_t>(num_joining), static_cast<std::uint64_t>(num_edges));
      atomic_fetch_add(&sink.notes()[note], static_cast<std::uint64_t>(num_joining));
    }
    team.team_barrier();
    const std::uint64_t reserved = scratch.reserved;
    if (joins) {
      sink.write(sink.position(reserved) + place, sink.first_edge(reserved) + static_cast<Offset>(edge), 1,
                 [v](int) { return v; });
    }
    team.team_barrier();
  }
};

/// By threads that come alone, several words each; counts.
template <class Sink, class Claim>
struct EnqueueClaimed {
  static constexpr std::int64_t chunk = 256;

  Sink sink;
  Claim claim;
  const std::uint64_t* words;
  std::int64_t num_words;
  int rank;

  KOKKOS_FUNCTION void operator()(const std::int64_t i, std::int64_t& count) const {
    typename Sink::Vertex found[chunk];
    int num_found = 0;
    const std::int64_t end = dromos::min((i + 1) * chunk, num_words);
    for (std::int64_t k = i * chunk; k < end; ++k) {
      const auto v = claim(rank, words[k]);
      if (v != no_vertex<typename Sink::Vertex>) found[num_found++] = v;
    }
    if (num_found == 0) return;
    sink.take(num_found, [&](int k) { return found[k]; });
    count += num_found;
  }
};

/// Claims what arrived and enqueues what was new; sink.notes()[note] counts that, and note_received what arrived where
/// the host does not know it. Enqueued in `space`.
///
/// \param claim      claim(rank, word): the vertex that joins by this word of that rank, or no_vertex
/// \param publisher  with warps, of the counters of the sink: tells the host what they are then
/// \returns whether there was anything to launch
template <class Space, class Sink, class Claim>
bool enqueue_claimed(const Space& space, const Sink& sink, const Claim& claim, const ArrivedWords& arrived,
                     ArrivalNote note = note_enqueued, [[maybe_unused]] const CountsPublisher& publisher = {}) {
  if (arrived.count == 0) return false;
  if constexpr (has_warps<Space>) {
    using Kernel = EnqueueClaimedByTeams<Space, Sink, Claim>;
    // Those that publish count each other at one address: as many as run at once.
    const std::int64_t most_teams =
        publisher.teams_done == nullptr ? 1 << 12 : std::int64_t(num_multiprocessors(space)) * Kernel::resident_teams;
    const std::int64_t wanted = (arrived.count + Kernel::team_size - 1) / Kernel::team_size;
    const std::int64_t for_each = dromos::min(dromos::max<std::int64_t>(1, most_teams / arrived.num_senders), wanted);
    typename Kernel::Policy policy(space, static_cast<int>(for_each) * arrived.num_senders, Kernel::team_size);
    policy.set_scratch_size(scratch_level<Space>, Kokkos::PerTeam(Kernel::scratch_bytes()));
    Kokkos::parallel_for("dromos::enqueue_claimed", policy, Kernel{sink, claim, arrived, note, publisher});
  } else {
    for (int k = 0; k < arrived.num_senders; ++k) {
      using Kernel = EnqueueClaimed<Sink, Claim>;
      std::int64_t num_new = 0;
      const std::int64_t size = arrived.size(k), num_chunks = (size + Kernel::chunk - 1) / Kernel::chunk;
      Kokkos::parallel_reduce("dromos::enqueue_claimed",
                              Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, num_chunks),
                              Kernel{sink, claim, arrived.from(k), size, arrived.rank(k)}, num_new);
      if constexpr (host_accessible<typename Sink::Memory>) sink.notes()[note] += static_cast<std::uint64_t>(num_new);
    }
  }
  return true;
}

}  // namespace dromos::detail
