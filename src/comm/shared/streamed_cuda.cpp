// SPDX-License-Identifier: BSD-3-Clause
// Operations between GPUs without the host: one kernel lays out what this rank has, raises a flag in each peer's
// memory, waits for the peers' flags in its own, and takes what they laid out. The kernels behind it in the stream find
// the result; nobody waits for it on the host.
//
//   memory of a rank     [arrived, by slot and rank][taken, by slot and rank][counters][slot 0][slot 1]
//
// Operation k lies in slot k % 2. Peer r writes arrived(k % 2, r) = k when its part lies there, and taken(k % 2, r) = k
// when it has read this rank's; this rank writes a slot again when everybody has taken what lay there. A wait has an
// end: a peer that does not come within ten seconds is a fault that the host is told of.
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstring>
#include <dromos/comm/mpi_check.hpp>
#include <dromos/core/check_cuda.hpp>
#include <dromos/core/error.hpp>
#include <string>
#include <vector>

#include "comm/shared/peer_memory.hpp"
#include "comm/shared/streamed.hpp"

namespace dromos::detail {
namespace {

constexpr int most_ranks = 16;
constexpr int team = 512;
constexpr int most_teams = 64;  // all of them run at once, as a kernel must whose teams wait for others
constexpr unsigned long long patience_ns = 10'000'000'000ull;
constexpr std::int64_t header_bytes = 4096;

/// The words before the slots.
struct Signals {
  unsigned long long arrived[2][most_ranks];
  unsigned long long taken[2][most_ranks];
  unsigned int teams_laid_out[2];
  unsigned int teams_done[2];
};
static_assert(sizeof(Signals) <= header_bytes);

struct Step {
  int rank, size;
  int slot;
  unsigned long long number;
  char* memory[most_ranks];  ///< of each rank
  const char* send;
  std::int64_t bytes;         ///< that this rank lays out
  char* receive[most_ranks];  ///< where each rank's part goes
  std::int64_t received[most_ranks];
  std::int64_t slot_bytes;
  unsigned int* fault;  ///< of the host: 1 + the rank that did not come
};

__device__ Signals& signals(const Step& step, int rank) { return *reinterpret_cast<Signals*>(step.memory[rank]); }
__device__ char* slot_of(const Step& step, int rank) {
  return step.memory[rank] + header_bytes + step.slot * step.slot_bytes;
}

/// Until the word has reached `number`; by one thread.
__device__ bool await(const Step& step, const unsigned long long* word, unsigned long long number, int peer) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  while (*static_cast<const volatile unsigned long long*>(word) < number) {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    if (now - begin > patience_ns) {
      *static_cast<volatile unsigned int*>(step.fault) = 1u + static_cast<unsigned int>(peer);
      __threadfence_system();
      return false;
    }
  }
  __threadfence_system();
  return true;
}

struct NothingBefore {
  __device__ void operator()() const {}
};

/// Raises this word of every peer, once the last team is here; before that it calls `before`.
template <class Word, class Before = NothingBefore>
__device__ void signal_after_all(const Step& step, unsigned int* teams, const Word& word, const Before& before = {}) {
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (atomicAdd(teams, 1u) + 1u != gridDim.x) return;
  *teams = 0;
  before();
  __threadfence_system();
  for (int r = 0; r < step.size; ++r) {
    if (r != step.rank) *static_cast<volatile unsigned long long*>(word(signals(step, r))) = step.number;
  }
}

/// Calls f(i) for the team's share of 0 .. count - 1.
template <class F>
__device__ void for_share(std::int64_t count, const F& f) {
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * team + threadIdx.x; i < count;
       i += static_cast<std::int64_t>(gridDim.x) * team) {
    f(i);
  }
}

/// In pieces of 16 bytes where everything is aligned to that, else of 4.
__device__ void copy_share(char* to, const char* from, std::int64_t bytes) {
  if ((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from)) % 16 == 0) {
    for_share(bytes / 16, [&](std::int64_t i) {
      reinterpret_cast<uint4*>(to)[i] = __ldcv(reinterpret_cast<const uint4*>(from) + i);
    });
    const std::int64_t done = bytes / 16 * 4;
    for_share(bytes / 4 - done, [&](std::int64_t i) {
      reinterpret_cast<unsigned int*>(to)[done + i] = __ldcv(reinterpret_cast<const unsigned int*>(from) + done + i);
    });
  } else {
    for_share(bytes / 4, [&](std::int64_t i) {
      reinterpret_cast<unsigned int*>(to)[i] = __ldcv(reinterpret_cast<const unsigned int*>(from) + i);
    });
  }
}

/// Until everybody has taken what lay in the slot before; a collective of the team.
__device__ bool await_slot(const Step& step, bool& came) {
  Signals& own = signals(step, step.rank);
  if (threadIdx.x == 0) {
    came = true;
    for (int r = 0; r < step.size && step.number > 2; ++r) {
      if (r != step.rank) came = came && await(step, &own.taken[step.slot][r], step.number - 2, r);
    }
  }
  __syncthreads();
  return came;
}

/// Until rank r has laid out its part; a collective of the team.
__device__ bool await_part(const Step& step, bool& came, int r) {
  __syncthreads();
  if (threadIdx.x == 0) came = await(step, &signals(step, step.rank).arrived[step.slot][r], step.number, r);
  __syncthreads();
  return came;
}

template <bool unites>
__global__ void __launch_bounds__(team) run_step(const Step step) {
  __shared__ bool came;
  Signals& own = signals(step, step.rank);
  if (!await_slot(step, came)) return;
  copy_share(slot_of(step, step.rank), step.send, step.bytes);
  signal_after_all(step, &own.teams_laid_out[step.slot],
                   [&](Signals& peer) { return &peer.arrived[step.slot][step.rank]; });
  for (int i = 1; i < step.size; ++i) {
    const int r = (step.rank + i) % step.size;
    if (!await_part(step, came, r)) return;
    if constexpr (unites) {
      const auto* const theirs = reinterpret_cast<const unsigned int*>(slot_of(step, r));
      auto* const mine = reinterpret_cast<unsigned int*>(step.receive[0]);
      // Another thread may be laying out this word: with bits of others in it, which does no harm to an OR.
      for_share(step.bytes / 4, [&](std::int64_t k) { mine[k] |= __ldcv(theirs + k); });
    } else {
      copy_share(step.receive[r], slot_of(step, r), step.received[r]);
    }
  }
  if (!unites && step.receive[step.rank] != step.send) {
    copy_share(step.receive[step.rank], step.send, step.bytes);
  }
  signal_after_all(step, &own.teams_done[step.slot], [&](Signals& peer) { return &peer.taken[step.slot][step.rank]; });
}

/// A slot has a region for each other rank, counted from its owner on: how many items there are, and the items.
struct ExchangeStep {
  Step step;
  const std::uint64_t* items[most_ranks];
  std::uint64_t* cursors[most_ranks];
  std::uint64_t begins[most_ranks];
  std::uint64_t* num_sent;
  StreamedInbox inbox;
  std::int64_t region_bytes;
};

constexpr std::int64_t items_begin = 16;  // bytes into a region

__global__ void __launch_bounds__(team) run_exchange(const ExchangeStep exchange) {
  __shared__ bool came;
  const Step& step = exchange.step;
  Signals& own = signals(step, step.rank);
  const bool first = blockIdx.x == 0 && threadIdx.x == 0;
  if (!await_slot(step, came)) return;
  for (int i = 1; i < step.size; ++i) {
    const int r = (step.rank + i) % step.size;
    const std::uint64_t count = *exchange.cursors[r] - exchange.begins[r];
    char* const region = slot_of(step, step.rank) + (i - 1) * exchange.region_bytes;
    if (first) {
      *reinterpret_cast<std::uint64_t*>(region) = count;
      atomicAdd(reinterpret_cast<unsigned long long*>(exchange.num_sent), static_cast<unsigned long long>(count));
    }
    auto* const to = reinterpret_cast<std::uint64_t*>(region + items_begin);
    for_share(static_cast<std::int64_t>(count), [&](std::int64_t k) { to[k] = exchange.items[r][k]; });
  }
  signal_after_all(
      step, &own.teams_laid_out[step.slot], [&](Signals& peer) { return &peer.arrived[step.slot][step.rank]; },
      [&] {
        for (int r = 0; r < step.size; ++r) {
          if (r != step.rank) *exchange.cursors[r] = exchange.begins[r];
        }
      });
  for (int i = 1; i < step.size; ++i) {
    const int r = (step.rank + i) % step.size;
    if (!await_part(step, came, r)) return;
    const char* const region = slot_of(step, r) + (step.size - i - 1) * exchange.region_bytes;
    const unsigned long long count = __ldcv(reinterpret_cast<const unsigned long long*>(region));
    if (first) exchange.inbox.arrived[i - 1] = count;
    copy_share(reinterpret_cast<char*>(exchange.inbox.items + (i - 1) * exchange.inbox.region), region + items_begin,
               static_cast<std::int64_t>(count) * 8);
  }
  signal_after_all(step, &own.teams_done[step.slot], [&](Signals& peer) { return &peer.taken[step.slot][step.rank]; });
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
      : memory_(make_device_peer_memory(communicator, header_bytes + 2 * slot_bytes)),
        rank_(rank),
        size_(size),
        slot_bytes_(slot_bytes) {
    check_cuda(cudaMemset(memory_->data(rank), 0, static_cast<std::size_t>(header_bytes)), "cudaMemset");
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    check_cuda(cudaHostAlloc(reinterpret_cast<void**>(&fault_), sizeof(unsigned int), cudaHostAllocMapped),
               "cudaHostAlloc");
    *fault_ = 0;
    check_mpi(MPI_Barrier(communicator), "MPI_Barrier");  // nobody signals into memory that is not zero yet
  }
  ~CudaStreamedOperations() override { cudaFreeHost(fault_); }

  bool allgather(void* stream, const char* send, std::int64_t size, char* receive,
                 const std::vector<Block>& receive_blocks) override {
    for (const Block& block : receive_blocks) {
      if (block.size > slot_bytes_ || block.size % 4 != 0 || block.offset % 4 != 0) return false;
    }
    Step step = next(send, size);
    std::int64_t most = size;
    for (int r = 0; r < size_; ++r) {
      step.receive[r] = receive + receive_blocks[r].offset;
      step.received[r] = receive_blocks[r].size;
      most = std::max(most, receive_blocks[r].size);
    }
    launch(run_step<false>, step, most, stream);
    return true;
  }

  bool bitwise_or(void* stream, std::uint32_t* words, std::int64_t num_words) override {
    if (num_words * 4 > slot_bytes_) return false;
    Step step = next(reinterpret_cast<const char*>(words), num_words * 4);
    step.receive[0] = reinterpret_cast<char*>(words);
    launch(run_step<true>, step, num_words * 4, stream);
    return true;
  }

  void exchange(void* stream, const StreamedItems& leaving, const StreamedInbox& inbox, std::int64_t most) override {
    ExchangeStep exchange{};
    exchange.step = next(nullptr, 0);
    for (int r = 0; r < size_; ++r) {
      exchange.items[r] = leaving.items[r];
      exchange.cursors[r] = leaving.cursors[r];
      exchange.begins[r] = leaving.begins[r];
    }
    exchange.num_sent = leaving.num_sent;
    exchange.inbox = inbox;
    exchange.region_bytes = region_bytes();
    launch(run_exchange, exchange, most * 8 * (size_ - 1), stream);
  }

  std::int64_t most_items() const override { return (region_bytes() - items_begin) / 8; }

  void check() const override {
    const unsigned int fault = *static_cast<volatile unsigned int*>(fault_);
    if (fault == 0) return;
    throw Error("transport shared: rank " + std::to_string(fault - 1) + " did not come to an operation that rank " +
                std::to_string(rank_) + "'s GPU waited ten seconds for");
  }

 private:
  Step next(const char* send, std::int64_t bytes) {
    check();
    Step step{};
    step.rank = rank_;
    step.size = size_;
    step.number = ++number_;
    step.slot = static_cast<int>(number_ % 2);
    for (int r = 0; r < size_; ++r) step.memory[r] = memory_->data(r);
    step.send = send;
    step.bytes = bytes;
    step.slot_bytes = slot_bytes_;
    step.fault = fault_;
    return step;
  }

  std::int64_t region_bytes() const { return slot_bytes_ / std::max(1, size_ - 1) / 16 * 16; }

  template <class Kernel, class Argument>
  static void launch(Kernel* kernel, const Argument& step, std::int64_t bytes, void* stream) {
    const auto teams =
        static_cast<unsigned int>(std::clamp<std::int64_t>((bytes / 16 + team - 1) / team, 1, most_teams));
    kernel<<<teams, team, 0, static_cast<cudaStream_t>(stream)>>>(step);
    check_cuda(cudaGetLastError(), "launching an operation between GPUs");
  }

  std::unique_ptr<PeerMemory> memory_;
  int rank_, size_;
  std::int64_t slot_bytes_;
  unsigned long long number_ = 0;
  unsigned int* fault_ = nullptr;
};

}  // namespace

std::unique_ptr<StreamedOperations> make_streamed_operations(MPI_Comm communicator, std::int64_t slot_bytes) {
  int rank = 0, size = 1;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
  if (size > most_ranks || share_a_gpu(communicator, size)) return nullptr;
  return std::make_unique<CudaStreamedOperations>(communicator, rank, size, slot_bytes);
}

}  // namespace dromos::detail
