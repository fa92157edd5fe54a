// SPDX-License-Identifier: BSD-3-Clause
// Operations between GPUs without the host: one kernel writes what this rank has into the memory of each peer, raises a
// flag there, waits for the peers' flags in its own memory, and takes what they wrote. The kernels behind it in the
// stream find the result; nobody waits for it on the host. Writing into another GPU's memory is sent off and forgotten,
// where reading from it would wait for each answer.
//
//   memory of a rank     [arrived, by slot and rank][taken, by slot and rank][counters][slot 0][slot 1]
//   a slot               [from the next rank][from the one after it] ...
//
// Operation k lies in slot k % 2, what is too long for its place there in several rounds. Peer r writes
// arrived(k % 2, r) when its part of a round lies here, and taken(k % 2, r) when it has read what this rank wrote
// there: both count on, by operation and round. A rank writes into a slot again when its owner has taken what lay
// there. A wait has an end: a peer that does not come within ten seconds is a fault that the host is told of.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstring>
#include <dromos/comm/mpi_check.hpp>
#include <dromos/core/check_cuda.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/peer_signals.hpp>
#include <dromos/core/warp.hpp>
#include <string>
#include <vector>

#include "comm/shared/peer_memory.hpp"
#include "comm/shared/streamed.hpp"

namespace dromos::detail {
namespace {

constexpr int most_ranks = 16;
constexpr int team = 512;
// All of them run at once, as a kernel must whose teams wait for others, and beside those of a second operation, which
// waits in another stream: two teams fit a multiprocessor, and no operation has more teams than there are those.
// Between two GPUs 128 move 64 MiB in 261 us and 64 in 284; where each writes to three others, 128 take 1,113 us and 64
// take 906.
constexpr int teams_of_multiprocessor = 2;
constexpr int teams_of_two = 128, teams_of_many = 64;
constexpr std::int64_t header_bytes = 1 << 16;

/// The words before the slots.
struct Signals {
  unsigned long long arrived[2][most_ranks];
  unsigned long long taken[2][most_ranks];
  unsigned int teams_laid_out[2];
  unsigned int teams_done[2];
  /// Of operations whose teams go by themselves: the part of this team of that rank lies here.
  unsigned long long arrived_of_team[2][most_ranks][teams_of_two];
};
static_assert(sizeof(Signals) <= header_bytes);

struct Step {
  int rank, size;
  int slot;
  unsigned long long number;
  char* memory[most_ranks];       ///< of each rank
  const char* send[most_ranks];   ///< to each rank, and what this one keeps
  std::int64_t sent[most_ranks];  ///< bytes
  char* receive[most_ranks];      ///< where each rank's part goes
  std::int64_t received[most_ranks];
  std::int64_t slot_bytes;
  std::int64_t region_bytes;  ///< of a slot that one rank writes
  unsigned int* fault;        ///< of the host: 1 + the rank that did not come
};

/// What flags say: that a round of operation `number` is over, or all of it.
__device__ unsigned long long after_round(unsigned long long number, unsigned long long round) {
  return number << 32 | (round + 1);
}
__device__ unsigned long long after_all_of(unsigned long long number) { return number << 32 | 0xffffffffull; }

__device__ Signals& signals(const Step& step, int rank) { return *reinterpret_cast<Signals*>(step.memory[rank]); }
/// Where rank `from` writes in the memory of rank `to`.
__device__ char* region(const Step& step, int to, int from) {
  const int place = (from - to - 1 + step.size) % step.size;
  return step.memory[to] + header_bytes + step.slot * step.slot_bytes + place * step.region_bytes;
}

/// Until the word has reached `goal`; by one thread.
__device__ bool await(const Step& step, const unsigned long long* word, unsigned long long goal, int peer) {
  if (await_word(reinterpret_cast<const std::uint64_t*>(word), goal)) return true;
  atomic_store(step.fault, 1u + static_cast<unsigned int>(peer));
  system_fence();
  return false;
}

/// Until word(r) of every peer r with a part in this has reached `goal`, a thread a peer; a collective of the team.
template <class Word, class TakesPart>
__device__ bool await_peers(const Step& step, unsigned long long goal, const Word& word, const TakesPart& takes_part) {
  const int r = static_cast<int>(threadIdx.x);
  const bool waits = r < step.size && r != step.rank && takes_part(r);
  return __syncthreads_and(!waits || await(step, word(r), goal, r)) != 0;
}

struct NothingBefore {
  __device__ void operator()() const {}
};

/// Raises this word of every peer to `value`; by one thread, which has ordered it behind what it tells of.
template <class Word>
__device__ void signal_peers(const Step& step, unsigned long long value, const Word& word) {
  for (int r = 0; r < step.size; ++r) {
    if (r != step.rank) *static_cast<volatile unsigned long long*>(word(signals(step, r))) = value;
  }
}

/// The same once the last team is here; before that it calls `before`.
template <class Word, class Before = NothingBefore>
__device__ void signal_after_all(const Step& step, unsigned int* teams, unsigned long long value, const Word& word,
                                 const Before& before = {}) {
  __syncthreads();
  if (threadIdx.x != 0) return;
  peer_fence();  // of what the whole team did before the barrier: it is cumulative
  if (atomicAdd(teams, 1u) + 1u != gridDim.x) return;
  *teams = 0;
  before();
  peer_fence();
  signal_peers(step, value, word);
}

/// Puts load(i) to store(i, ...) for the team's share of 0 .. count - 1, several at a time: nobody waits for one answer
/// before he asks for the next.
template <class Load, class Store>
__device__ void move_share(std::int64_t count, const Load& load, const Store& store) {
  constexpr int batch = 4;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * team;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * team + threadIdx.x; i < count; i += batch * stride) {
    decltype(load(i)) values[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      if (i + k * stride < count) values[k] = load(i + k * stride);
    }
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      if (i + k * stride < count) store(i + k * stride, values[k]);
    }
  }
}

template <class Word>
__device__ void copy_words(char* to, const char* from, std::int64_t first, std::int64_t last) {
  move_share(
      last - first, [&](std::int64_t i) { return __ldcv(reinterpret_cast<const Word*>(from) + first + i); },
      [&](std::int64_t i, const Word& word) { reinterpret_cast<Word*>(to)[first + i] = word; });
}

/// In pieces of 16 bytes where everything is aligned to that, else of 8, else of 4.
__device__ void copy_share(char* to, const char* from, std::int64_t bytes) {
  const std::uintptr_t alignment = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  std::int64_t done = 0;  // in words of 4 bytes
  if (alignment % 16 == 0) {
    copy_words<uint4>(to, from, 0, bytes / 16);
    done = bytes / 16 * 4;
  } else if (alignment % 8 == 0) {
    copy_words<unsigned long long>(to, from, 0, bytes / 8);
    done = bytes / 8 * 2;
  }
  copy_words<unsigned int>(to, from, done, bytes / 4);
}

struct Everybody {
  __device__ bool operator()(int) const { return true; }
};

/// Until every peer has taken what this rank wrote there, up to this; a collective of the team.
__device__ bool await_taken(const Step& step, unsigned long long goal) {
  const Signals& own = signals(step, step.rank);
  return await_peers(
      step, goal, [&](int r) { return &own.taken[step.slot][r]; }, Everybody());
}
/// The same for what lay in the slot before.
__device__ bool await_slot(const Step& step) {
  return step.number <= 2 || await_taken(step, after_all_of(step.number - 2));
}

/// Until the parts of the ranks that take part lie here; a collective of the team.
template <class TakesPart = Everybody>
__device__ bool await_parts(const Step& step, unsigned long long goal, const TakesPart& takes_part = {}) {
  const Signals& own = signals(step, step.rank);
  return await_peers(
      step, goal, [&](int r) { return &own.arrived[step.slot][r]; }, takes_part);
}

template <class Before = NothingBefore>
__device__ void signal_arrived(const Step& step, unsigned long long value, const Before& before = {}) {
  signal_after_all(
      step, &signals(step, step.rank).teams_laid_out[step.slot], value,
      [&](Signals& peer) { return &peer.arrived[step.slot][step.rank]; }, before);
}
__device__ void signal_taken(const Step& step, unsigned long long value) {
  signal_after_all(step, &signals(step, step.rank).teams_done[step.slot], value,
                   [&](Signals& peer) { return &peer.taken[step.slot][step.rank]; });
}

template <bool unites>
__global__ void __launch_bounds__(team, teams_of_multiprocessor) run_step(const Step step) {
  if (!await_slot(step)) return;
  for (int i = 1; i < step.size; ++i) {
    const int r = (step.rank + i) % step.size;
    copy_share(region(step, r, step.rank), step.send[r], step.sent[r]);
  }
  signal_arrived(step, after_all_of(step.number));
  if (!unites && step.receive[step.rank] != step.send[step.rank]) {
    copy_share(step.receive[step.rank], step.send[step.rank], step.sent[step.rank]);
  }
  if (!await_parts(step, after_all_of(step.number))) return;
  for (int i = 1; i < step.size; ++i) {
    const int r = (step.rank + i) % step.size;
    const char* const part = region(step, step.rank, r);
    if constexpr (unites) {
      auto* const mine = reinterpret_cast<unsigned int*>(step.receive[0]);
      // Another thread may still be sending this word: with bits of others in it, which does no harm to an OR.
      move_share(
          step.sent[step.rank] / 4,
          [&](std::int64_t k) { return mine[k] | __ldcv(reinterpret_cast<const unsigned int*>(part) + k); },
          [&](std::int64_t k, unsigned int word) { mine[k] = word; });
    } else {
      copy_share(step.receive[r], part, step.received[r]);
    }
  }
  signal_taken(step, after_all_of(step.number));
}

// Words of which those that changed travel. They go in pieces, which the same team has on every rank: a piece has so
// many changed words, each with its place in the piece, or all of its words where that is less. No team waits for
// another of its own rank.
constexpr int words_of_thread = 8;
constexpr int piece_words = words_of_thread * team;

struct PieceHeader {
  unsigned int num_changed;
  unsigned int has_all;
  unsigned int unused[2];
};
constexpr std::int64_t piece_bytes = sizeof(PieceHeader) + 4 * piece_words;

__host__ __device__ std::int64_t num_pieces(std::int64_t words) { return (words + piece_words - 1) / piece_words; }

/// The sum over the threads before this one, and over all; a collective of the team.
__device__ int team_sum_before(int mine, int& all) {
  __shared__ int sums[team / 32];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  int until_here = mine;
  for (int step = 1; step < 32; step *= 2) {
    const int before = __shfl_up_sync(0xffffffffu, until_here, step);
    if (lane >= step) until_here += before;
  }
  if (lane == 31) sums[warp] = until_here;
  __syncthreads();
  int before = 0;
  all = 0;
  for (int w = 0; w < team / 32; ++w) {
    if (w < warp) before += sums[w];
    all += sums[w];
  }
  __syncthreads();
  return before + until_here - mine;
}

/// The words of a piece that a thread has: fours where whole pieces are aligned to that, for fewer and wider accesses.
template <bool in_fours>
__device__ int word_of_thread(int k) {
  const int thread = static_cast<int>(threadIdx.x);
  return in_fours ? 4 * (k / 4 * team + thread) + k % 4 : k * team + thread;
}
template <bool in_fours>
__device__ void load_words(const unsigned int* from, int size, unsigned int (&values)[words_of_thread]) {
#pragma unroll
  for (int k = 0; k < words_of_thread; k += in_fours ? 4 : 1) {
    const int w = word_of_thread<in_fours>(k);
    if constexpr (in_fours) {
      const uint4 four = __ldcv(reinterpret_cast<const uint4*>(from + w));
      values[k] = four.x;
      values[k + 1] = four.y;
      values[k + 2] = four.z;
      values[k + 3] = four.w;
    } else {
      values[k] = w < size ? __ldcv(from + w) : 0;
    }
  }
}
template <bool in_fours>
__device__ void store_words(unsigned int* to, int size, const unsigned int (&values)[words_of_thread]) {
#pragma unroll
  for (int k = 0; k < words_of_thread; k += in_fours ? 4 : 1) {
    const int w = word_of_thread<in_fours>(k);
    if constexpr (in_fours) {
      *reinterpret_cast<uint4*>(to + w) = {values[k], values[k + 1], values[k + 2], values[k + 3]};
    } else if (w < size) {
      to[w] = values[k];
    }
  }
}
__device__ bool goes_in_fours(const void* words, int size) {
  return size == piece_words && reinterpret_cast<std::uintptr_t>(words) % 16 == 0;
}

/// Writes what changed in a piece of this rank's words to all peers, and to `known`, which has what they know.
template <bool in_fours>
__device__ void send_piece(const Step& step, std::int64_t piece, const unsigned int* words, unsigned int* known,
                           int size) {
  unsigned int values[words_of_thread], before[words_of_thread], changed = 0;
  load_words<in_fours>(words, size, values);
  load_words<in_fours>(known, size, before);
#pragma unroll
  for (int k = 0; k < words_of_thread; ++k) changed |= static_cast<unsigned int>(values[k] != before[k]) << k;
  int num_changed = 0;
  const int first = team_sum_before(__popc(changed), num_changed);
  const bool sends_all = 2 * num_changed > size;
  for (int i = 1; i < step.size; ++i) {
    char* const to = region(step, (step.rank + i) % step.size, step.rank) + piece * piece_bytes;
    if (threadIdx.x == 0) {
      *reinterpret_cast<uint4*>(to) = {static_cast<unsigned int>(num_changed), sends_all ? 1u : 0u, 0u, 0u};
    }
    char* const behind = to + sizeof(PieceHeader);
    if (sends_all) {
      store_words<in_fours>(reinterpret_cast<unsigned int*>(behind), size, values);
      continue;
    }
    int place = first;
#pragma unroll
    for (int k = 0; k < words_of_thread; ++k) {
      if ((changed >> k & 1u) == 0) continue;
      reinterpret_cast<uint2*>(behind)[place++] = {static_cast<unsigned int>(word_of_thread<in_fours>(k)), values[k]};
    }
  }
  if (changed != 0) store_words<in_fours>(known, size, values);
}

/// Takes what a peer wrote of one of its pieces.
__device__ void take_piece(const char* from, unsigned int* words, int size) {
  const uint4 header = __ldcv(reinterpret_cast<const uint4*>(from));
  const char* const behind = from + sizeof(PieceHeader);
  if (header.y == 0) {
    for (unsigned int i = threadIdx.x; i < header.x; i += team) {
      const uint2 changed = __ldcv(reinterpret_cast<const uint2*>(behind) + i);
      words[changed.x] = changed.y;
    }
    return;
  }
  unsigned int values[words_of_thread];
  if (goes_in_fours(words, size)) {
    load_words<true>(reinterpret_cast<const unsigned int*>(behind), size, values);
    store_words<true>(words, size, values);
  } else {
    load_words<false>(reinterpret_cast<const unsigned int*>(behind), size, values);
    store_words<false>(words, size, values);
  }
}

__global__ void __launch_bounds__(team, teams_of_multiprocessor) run_changes(const Step step) {
  if (!await_slot(step)) return;
  const auto for_pieces = [&](std::int64_t words, const auto& f) {
    for (std::int64_t piece = blockIdx.x; piece < num_pieces(words); piece += gridDim.x) {
      const std::int64_t first = piece * piece_words;
      f(piece, first, static_cast<int>(min(static_cast<std::int64_t>(piece_words), words - first)));
    }
  };
  for_pieces(step.sent[step.rank] / 4, [&](std::int64_t piece, std::int64_t first, int size) {
    const auto* const words = reinterpret_cast<const unsigned int*>(step.send[step.rank]) + first;
    auto* const known = reinterpret_cast<unsigned int*>(step.receive[step.rank]) + first;
    if (goes_in_fours(words, size) && goes_in_fours(known, size)) {
      send_piece<true>(step, piece, words, known, size);
    } else {
      send_piece<false>(step, piece, words, known, size);
    }
  });
  __syncthreads();
  if (threadIdx.x == 0) {
    peer_fence();  // of what the whole team did before the barrier: it is cumulative
    signal_peers(step, after_all_of(step.number),
                 [&](Signals& peer) { return &peer.arrived_of_team[step.slot][step.rank][blockIdx.x]; });
  }
  const Signals& own = signals(step, step.rank);
  const bool all_here = await_peers(
      step, after_all_of(step.number), [&](int r) { return &own.arrived_of_team[step.slot][r][blockIdx.x]; },
      Everybody());
  if (!all_here) return;
  for (int i = 1; i < step.size; ++i) {
    const int r = (step.rank + i) % step.size;
    const char* const part = region(step, step.rank, r);
    for_pieces(step.received[r] / 4, [&](std::int64_t piece, std::int64_t first, int size) {
      take_piece(part + piece * piece_bytes, reinterpret_cast<unsigned int*>(step.receive[r]) + first, size);
    });
  }
  signal_taken(step, after_all_of(step.number));
}

/// A region has how many items there are in all, and those of one round.
struct ExchangeStep {
  Step step;
  const std::uint64_t* items[most_ranks];
  std::uint64_t* cursors[most_ranks];
  std::uint64_t begins[most_ranks];
  std::uint64_t* num_sent;
  StreamedInbox inbox;
  std::int64_t most;  ///< for one rank in a round; even
};

constexpr std::int64_t items_begin = 16;  // bytes into a region

__global__ void __launch_bounds__(team, teams_of_multiprocessor) run_exchange(const ExchangeStep exchange) {
  const Step& step = exchange.step;
  const bool first = blockIdx.x == 0 && threadIdx.x == 0;
  const std::int64_t most = exchange.most;
  const auto num_rounds = [&](std::int64_t count) { return count > most ? (count + most - 1) / most : 1; };
  const auto num_leaving = [&](int r) { return static_cast<std::int64_t>(*exchange.cursors[r] - exchange.begins[r]); };
  std::int64_t my_rounds = 1;
  for (int r = 0; r < step.size; ++r) {
    if (r != step.rank) my_rounds = max(my_rounds, num_rounds(num_leaving(r)));
  }
  if (!await_slot(step)) return;
  bool more = true;
  for (std::int64_t round = 0; more; ++round) {
    more = round + 1 < my_rounds;
    if (round < my_rounds) {
      if (round > 0 && !await_taken(step, after_round(step.number, round - 1))) return;
      for (int i = 1; i < step.size; ++i) {
        const int r = (step.rank + i) % step.size;
        const std::int64_t count = num_leaving(r);
        char* const to = region(step, r, step.rank);
        if (first && round == 0) {
          *reinterpret_cast<std::uint64_t*>(to) = static_cast<std::uint64_t>(count);
          atomicAdd(reinterpret_cast<unsigned long long*>(exchange.num_sent), static_cast<unsigned long long>(count));
        }
        const std::int64_t begin = min(count, round * most);
        copy_share(to + items_begin, reinterpret_cast<const char*>(exchange.items[r] + begin),
                   8 * min(most, count - begin));
      }
      signal_arrived(step, after_round(step.number, round), [&] {
        if (round + 1 < my_rounds) return;
        for (int r = 0; r < step.size; ++r) {
          if (r != step.rank) *exchange.cursors[r] = exchange.begins[r];
        }
      });
    }
    const auto takes_part = [&](int r) {
      // After the first round the number is here, and stays until this rank has taken all.
      const char* const part = region(step, step.rank, r);
      return round == 0 || round < num_rounds(__ldcv(reinterpret_cast<const long long*>(part)));
    };
    if (!await_parts(step, after_round(step.number, round), takes_part)) return;
    for (int i = 1; i < step.size; ++i) {
      const int r = (step.rank + i) % step.size;
      if (!takes_part(r)) continue;
      const char* const part = region(step, step.rank, r);
      const std::int64_t count = __ldcv(reinterpret_cast<const long long*>(part));
      if (first && round == 0) exchange.inbox.arrived[i - 1] = static_cast<std::uint64_t>(count);
      const std::int64_t begin = min(count, round * most);
      copy_share(reinterpret_cast<char*>(exchange.inbox.items + (i - 1) * exchange.inbox.region + begin),
                 part + items_begin, 8 * min(most, count - begin));
      more = more || round + 1 < num_rounds(count);
    }
    signal_taken(step, more ? after_round(step.number, round) : after_all_of(step.number));
  }
}

/// Do several ranks compute on one GPU? One that waits would keep the other from coming. Collective.
bool share_a_gpu(MPI_Comm communicator, int size) {
  int device = 0;
  cudaDeviceProp properties{};
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  check_cuda(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  std::vector<cudaUUID_t> all(static_cast<std::size_t>(size));
  check_mpi(MPI_Allgather(&properties.uuid, static_cast<int>(sizeof(cudaUUID_t)), MPI_BYTE, all.data(),
                          static_cast<int>(sizeof(cudaUUID_t)), MPI_BYTE, communicator),
            "MPI_Allgather");
  for (int r = 0; r < size; ++r) {
    for (int s = 0; s < r; ++s) {
      if (std::memcmp(&all[r], &all[s], sizeof(cudaUUID_t)) == 0) return true;
    }
  }
  return false;
}

class CudaStreamedOperations : public StreamedOperations {
 public:
  CudaStreamedOperations(MPI_Comm communicator, int rank, int size, std::int64_t slot_bytes)
      : communicator_(communicator),
        memory_(make_device_peer_memory(communicator, header_bytes + 2 * slot_bytes)),
        rank_(rank),
        size_(size),
        slot_bytes_(slot_bytes) {
    check_cuda(cudaMemset(memory_->data(rank), 0, static_cast<std::size_t>(header_bytes)), "cudaMemset");
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    check_cuda(cudaHostAlloc(reinterpret_cast<void**>(&fault_), sizeof(unsigned int), cudaHostAllocMapped),
               "cudaHostAlloc");
    *fault_ = 0;
    int device = 0;
    check_cuda(cudaGetDevice(&device), "cudaGetDevice");
    check_cuda(cudaDeviceGetAttribute(&num_multiprocessors_, cudaDevAttrMultiProcessorCount, device),
               "cudaDeviceGetAttribute");
    // A team has to do with the same one of other GPUs. And nobody signals into memory that is not zero yet.
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &num_multiprocessors_, 1, MPI_INT, MPI_MIN, communicator), "MPI_Allreduce");
  }
  ~CudaStreamedOperations() override { cudaFreeHost(fault_); }

  void set_round_bytes(std::int64_t bytes) override { round_bytes_ = bytes; }

  bool allgather(void* stream, const char* send, std::int64_t size, char* receive,
                 const std::vector<Block>& receive_blocks) override {
    for (const Block& block : receive_blocks) {
      if (block.size > region_bytes() || block.size % 4 != 0 || block.offset % 4 != 0) return false;
    }
    Step step = next();
    send_to_all(step, send, size);
    std::int64_t most = size;
    for (int r = 0; r < size_; ++r) {
      step.receive[r] = receive + receive_blocks[r].offset;
      step.received[r] = receive_blocks[r].size;
      most = std::max(most, receive_blocks[r].size);
    }
    launch(run_step<false>, step, most, stream);
    return true;
  }

  bool allgather_changes(void* stream, const std::uint32_t* send, std::uint32_t* all,
                         const std::vector<Block>& blocks) override {
    std::int64_t most = 0;
    for (const Block& block : blocks) most = std::max(most, num_pieces(block.size));
    if (most * piece_bytes > region_bytes()) return false;
    Step step = next();
    for (int r = 0; r < size_; ++r) {
      step.receive[r] = reinterpret_cast<char*>(all + blocks[r].offset);
      step.received[r] = 4 * blocks[r].size;
    }
    step.send[rank_] = reinterpret_cast<const char*>(send);
    step.sent[rank_] = step.received[rank_];
    launch_teams(run_changes, step, most, teams_of_two, stream);
    return true;
  }

  bool alltoall(void* stream, const char* send, const std::vector<Block>& send_blocks, char* receive,
                const std::vector<Block>& receive_blocks, std::int64_t most) override {
    if (most > region_bytes()) return false;
    Step step = next();
    std::int64_t largest = 0;
    for (int r = 0; r < size_; ++r) {
      step.send[r] = send + send_blocks[r].offset;
      step.sent[r] = send_blocks[r].size;
      step.receive[r] = receive + receive_blocks[r].offset;
      step.received[r] = receive_blocks[r].size;
      largest = std::max({largest, step.sent[r], step.received[r]});
    }
    launch(run_step<false>, step, largest, stream);
    return true;
  }

  bool bitwise_or(void* stream, std::uint32_t* words, std::int64_t num_words) override {
    if (num_words * 4 > region_bytes()) return false;
    Step step = next();
    send_to_all(step, reinterpret_cast<const char*>(words), num_words * 4);
    step.receive[0] = reinterpret_cast<char*>(words);
    launch(run_step<true>, step, num_words * 4, stream);
    return true;
  }

  void exchange(void* stream, const StreamedItems& leaving, const StreamedInbox& inbox, std::int64_t most) override {
    ExchangeStep exchange{};
    exchange.step = next();
    for (int r = 0; r < size_; ++r) {
      exchange.items[r] = leaving.items[r];
      exchange.cursors[r] = leaving.cursors[r];
      exchange.begins[r] = leaving.begins[r];
    }
    exchange.num_sent = leaving.num_sent;
    exchange.inbox = inbox;
    exchange.most = std::max<std::int64_t>(2, std::min(round_bytes_, region_bytes() - items_begin) / 16 * 2);
    launch(run_exchange, exchange, most * 8 * (size_ - 1), stream);
  }

  PeerMail mail(std::int64_t region_bytes) override {
    check();
    region_bytes = (region_bytes + 15) / 16 * 16;
    constexpr std::uint64_t most_meetings = std::uint64_t(1) << 31;  // their number is half a word
    if (region_bytes > mail_.region_bytes || mail_.met > most_meetings) {
      region_bytes = std::max(region_bytes, mail_.region_bytes);
      mail_memory_ = nullptr;
      mail_memory_ = make_device_peer_memory(communicator_, PeerMail::bytes(size_, region_bytes));
      check_cuda(cudaMemset(mail_memory_->data(rank_), 0, static_cast<std::size_t>(PeerMail::header_bytes)),
                 "cudaMemset");
      check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
      check_mpi(MPI_Barrier(communicator_), "MPI_Barrier");  // nobody signals into memory that is not zero yet
      mail_ = {};
      mail_.rank = rank_;
      mail_.size = size_;
      for (int r = 0; r < size_; ++r) mail_.memory[r] = mail_memory_->data(r);
      mail_.region_bytes = region_bytes;
      mail_.fault = fault_;
    }
    return mail_;
  }
  void count_meetings(std::uint64_t meetings) override { mail_.met += meetings; }
  int most_teams_at_once() const override { return num_multiprocessors_; }

  void check() const override {
    const unsigned int fault = *static_cast<volatile unsigned int*>(fault_);
    if (fault == 0) return;
    throw Error("transport shared: rank " + std::to_string(fault - 1) + " did not come to an operation that rank " +
                std::to_string(rank_) + "'s GPU waited ten seconds for");
  }

 private:
  Step next() {
    check();
    Step step{};
    step.rank = rank_;
    step.size = size_;
    step.number = ++number_;
    step.slot = static_cast<int>(number_ % 2);
    for (int r = 0; r < size_; ++r) step.memory[r] = memory_->data(r);
    step.slot_bytes = slot_bytes_;
    step.region_bytes = region_bytes();
    step.fault = fault_;
    return step;
  }

  void send_to_all(Step& step, const char* send, std::int64_t bytes) const {
    for (int r = 0; r < size_; ++r) {
      step.send[r] = send;
      step.sent[r] = bytes;
    }
  }

  std::int64_t region_bytes() const { return slot_bytes_ / std::max(1, size_ - 1) / 16 * 16; }

  template <class Kernel, class Argument>
  void launch(Kernel* kernel, const Argument& step, std::int64_t bytes, void* stream) const {
    launch_teams(kernel, step, (bytes / 16 + team - 1) / team, size_ > 2 ? teams_of_many : teams_of_two, stream);
  }
  template <class Kernel, class Argument>
  void launch_teams(Kernel* kernel, const Argument& step, std::int64_t wanted, int most, void* stream) const {
    const auto teams =
        static_cast<unsigned int>(std::clamp<std::int64_t>(wanted, 1, std::min(num_multiprocessors_, most)));
    kernel<<<teams, team, 0, static_cast<cudaStream_t>(stream)>>>(step);
    check_cuda(cudaGetLastError(), "launching an operation between GPUs");
  }

  MPI_Comm communicator_;
  std::unique_ptr<PeerMemory> memory_;
  std::unique_ptr<PeerMemory> mail_memory_;
  PeerMail mail_;
  int rank_, size_;
  int num_multiprocessors_ = 1;
  std::int64_t slot_bytes_;
  std::int64_t round_bytes_ = slot_bytes_;
  unsigned long long number_ = 0;
  unsigned int* fault_ = nullptr;
};

}  // namespace

std::unique_ptr<StreamedOperations> make_streamed_operations(MPI_Comm communicator, std::int64_t slot_bytes) {
  int rank = 0, size = 1;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
  static_assert(most_ranks <= PeerMail::most_ranks);
  if (size > most_ranks || share_a_gpu(communicator, size)) return nullptr;
  return std::make_unique<CudaStreamedOperations>(communicator, rank, size, slot_bytes);
}

}  // namespace dromos::detail
