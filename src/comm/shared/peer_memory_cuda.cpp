// SPDX-License-Identifier: BSD-3-Clause
// Device memory that CUDA maps into the processes of the other ranks (CUDA IPC). It is allocated by cudaMalloc itself:
// what Kokkos allocates may come from a pool, whose memory cannot be mapped.
#include <Kokkos_Core.hpp>
#include <dromos/comm/mpi_check.hpp>
#include <dromos/core/check_cuda.hpp>
#include <dromos/core/error.hpp>
#include <exception>
#include <string>
#include <vector>

#include "comm/copies/copy_stream_cuda.hpp"
#include "comm/shared/peer_memory.hpp"

namespace dromos::detail {
namespace {

struct UniteWords {
  std::uint32_t* words;
  const std::uint32_t* others;
  KOKKOS_FUNCTION void operator()(const std::int64_t i) const { words[i] |= others[i]; }
};

class DevicePeerMemory : public PeerMemory {
 public:
  DevicePeerMemory(MPI_Comm communicator, std::int64_t bytes)
      : mpi_(communicator), exceptions_at_start_(std::uncaught_exceptions()) {
    int size = 1;
    check_mpi(MPI_Comm_rank(mpi_, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(mpi_, &size), "MPI_Comm_size");
    peers_.resize(static_cast<std::size_t>(size), nullptr);
    try {
      map(bytes);
    } catch (...) {
      close_peers();
      if (peers_[rank_] != nullptr) cudaFree(peers_[rank_]);
      throw;
    }
  }
  ~DevicePeerMemory() override {
    close_peers();
    // A rank that fails leaves its memory to the end of its process: others may be reading.
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized != 0 || std::uncaught_exceptions() > exceptions_at_start_) return;
    MPI_Barrier(mpi_);
    if (peers_[rank_] != nullptr) cudaFree(peers_[rank_]);
  }

  char* data(int owner) const override { return peers_[owner]; }

  std::unique_ptr<PendingCopy> copy_out(char* to, const char* from, std::int64_t bytes) override {
    return out_.copy(to, from, bytes);
  }
  std::unique_ptr<PendingCopy> copy_in(char* to, const char* from, std::int64_t bytes) override {
    return in_.copy(to, from, bytes);
  }
  std::unique_ptr<PendingCopy> unite(char* to, const char* from, std::int64_t bytes) override {
    Kokkos::parallel_for(
        "dromos::comm::unite",
        Kokkos::RangePolicy<Kokkos::Cuda, Kokkos::IndexType<std::int64_t>>(in_.space(), 0, bytes / 4),
        UniteWords{reinterpret_cast<std::uint32_t*>(to), reinterpret_cast<const std::uint32_t*>(from)});
    return in_.enqueued();
  }

 private:
  void map(std::int64_t bytes) {
    const int size = static_cast<int>(peers_.size());
    std::string fault;
    cudaIpcMemHandle_t own{};
    attempt(fault, cudaMalloc(reinterpret_cast<void**>(&peers_[rank_]), static_cast<std::size_t>(bytes)), "cudaMalloc");
    if (fault.empty()) attempt(fault, cudaIpcGetMemHandle(&own, peers_[rank_]), "cudaIpcGetMemHandle");
    agree(fault);
    std::vector<cudaIpcMemHandle_t> handles(static_cast<std::size_t>(size));
    constexpr int handle_bytes = static_cast<int>(sizeof(cudaIpcMemHandle_t));
    check_mpi(MPI_Allgather(&own, handle_bytes, MPI_BYTE, handles.data(), handle_bytes, MPI_BYTE, mpi_),
              "MPI_Allgather");
    for (int r = 0; r < size && fault.empty(); ++r) {
      if (r == rank_) continue;
      void* peer = nullptr;
      attempt(fault, cudaIpcOpenMemHandle(&peer, handles[r], cudaIpcMemLazyEnablePeerAccess), "cudaIpcOpenMemHandle");
      peers_[r] = static_cast<char*>(peer);
    }
    agree(fault);
  }
  void close_peers() {
    for (int r = 0; r < static_cast<int>(peers_.size()); ++r) {
      if (r != rank_ && peers_[r] != nullptr) cudaIpcCloseMemHandle(peers_[r]);
    }
  }

  static void attempt(std::string& fault, cudaError_t code, const char* what) {
    if (code == cudaSuccess) return;
    fault = std::string(what) + ": " + cudaGetErrorString(code);
    cudaGetLastError();  // the next kernel's launch is not to find it
  }
  /// One rank's failure is that of all.
  void agree(const std::string& fault) const {
    int works = fault.empty() ? 1 : 0;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &works, 1, MPI_INT, MPI_MIN, mpi_), "MPI_Allreduce");
    if (works == 0) {
      throw Error("memory of a GPU cannot be shared between these ranks" +
                  (fault.empty() ? " (another rank's CUDA refuses)" : " (" + fault + ")"));
    }
  }

  MPI_Comm mpi_;
  int rank_ = 0;
  int exceptions_at_start_;
  std::vector<char*> peers_;
  CopyStream out_, in_;
};

}  // namespace

std::unique_ptr<PeerMemory> make_device_peer_memory(MPI_Comm communicator, std::int64_t bytes) {
  return std::make_unique<DevicePeerMemory>(communicator, bytes);
}

}  // namespace dromos::detail
