// SPDX-License-Identifier: BSD-3-Clause
// Everything goes in one stream. NCCL sends and receives blocks in groups; it has no bitwise OR: each rank gets its
// part of all ranks' words, a kernel unites them, and the parts are gathered. NCCL's calls only enqueue; who waits for
// the stream looks whether the other ranks' processes still run.
#include <mpi.h>
#include <nccl.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <dromos/comm/mpi_check.hpp>
#include <dromos/comm/mpi_transport.hpp>
#include <dromos/comm/nccl_transport.hpp>
#include <dromos/core/check_cuda.hpp>
#include <dromos/core/error.hpp>
#include <exception>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "comm/blocks.hpp"
#include "comm/copies/copy_stream_cuda.hpp"
#include "comm/copies/memory_kind_cuda.hpp"
#include "comm/shared/process_watch.hpp"
#include "comm/under_way.hpp"

#if NCCL_VERSION_CODE < NCCL_VERSION(2, 20, 0)
#error "Dromos needs NCCL 2.20 or newer; switch it off with -D Dromos_ENABLE_NCCL=OFF"
#endif

namespace dromos {
namespace {

using detail::check_cuda;
using detail::CopyStream;
using detail::MovingOperation;
using detail::PendingCopy;
using detail::UnderWay;

/// words[i] |= parts[k * num_words + i] for each k.
struct UniteParts {
  std::uint32_t* words;
  const std::uint32_t* parts;
  std::int64_t num_words;
  int num_parts;
  KOKKOS_FUNCTION void operator()(const std::int64_t i) const {
    std::uint32_t word = words[i];
    for (int k = 0; k < num_parts; ++k) word |= parts[k * num_words + i];
    words[i] = word;
  }
};

/// What lies in the stream before its end.
struct Enqueued : MovingOperation {
  std::unique_ptr<PendingCopy> work;

  explicit Enqueued(std::unique_ptr<PendingCopy> work_) : work(std::move(work_)) {}
  bool done() const override { return work == nullptr; }
  bool move() override {
    if (!work || !work->done()) return false;
    work.reset();
    return true;
  }
};

class NcclTransport : public Transport {
 public:
  explicit NcclTransport(MPI_Comm communicator)
      : mpi_(communicator), of_host_(make_host_memory_transport(communicator)) {
    check_mpi(MPI_Comm_rank(mpi_, &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(mpi_, &size_), "MPI_Comm_size");
    refuse_shared_gpus();
    watch_host();
    connect();
  }
  ~NcclTransport() override {
    if (scratch_ != nullptr) cudaFree(scratch_);
    if (nccl_ == nullptr) return;
    // Who fails leaves at once: others may be elsewhere.
    if (std::uncaught_exceptions() > exceptions_at_start_) {
      ncclCommAbort(nccl_);
    } else {
      ncclCommDestroy(nccl_);
    }
  }

  const char* name() const override { return "nccl"; }
  bool ors_gpu_memory() const override { return true; }
  void progress() override { under_way_.move_all(); }
  void set_piece_bytes(std::int64_t bytes) override { of_host_->set_piece_bytes(bytes); }

  std::unique_ptr<PendingOperation> exchange(const char* send, const std::vector<Block>& send_blocks, char* receive,
                                             const std::vector<Block>& receive_blocks) override {
    detail::check_own_blocks(send_blocks, receive_blocks, rank_);
    // A rank that neither sends nor receives has no arrays that say whose memory this is about: it takes part in both.
    const std::vector<Block> nothing(static_cast<std::size_t>(size_));
    const bool on_gpu = detail::is_gpu_memory(detail::any_bytes(receive_blocks) ? receive : send);
    auto of_host = on_gpu ? of_host_->exchange(send, nothing, receive, nothing)
                          : of_host_->exchange(send, send_blocks, receive, receive_blocks);
    if (!on_gpu) return of_host;
    send_and_receive(send, send_blocks, receive, receive_blocks);
    const Block& own = send_blocks[rank_];
    copy(receive + receive_blocks[rank_].offset, send + own.offset, own.size);
    return enqueued();
  }

  std::unique_ptr<PendingOperation> allgather(const char* send, std::int64_t size, char* receive,
                                              const std::vector<Block>& receive_blocks) override {
    if (!detail::is_gpu_memory(receive)) return of_host_->allgather(send, size, receive, receive_blocks);
    gather(send, size, receive, receive_blocks);
    return enqueued();
  }

  std::unique_ptr<PendingOperation> broadcast(char* data, std::int64_t size, int root) override {
    if (!detail::is_gpu_memory(data)) return of_host_->broadcast(data, size, root);
    if (size > 0) {
      check(ncclBroadcast(data, data, static_cast<std::size_t>(size), ncclInt8, root, nccl_, stream_.stream()),
            "ncclBroadcast");
    }
    return enqueued();
  }

  std::unique_ptr<PendingOperation> bitwise_or(std::uint32_t* words, std::int64_t num_words) override {
    if (!detail::is_gpu_memory(words)) return of_host_->bitwise_or(words, num_words);
    // Parts of one size, the last ones shorter or empty.
    const std::int64_t each = (num_words + size_ - 1) / size_;
    std::vector<Block> parts;
    for (int r = 0; r < size_; ++r) {
      const std::int64_t begin = std::min(r * each, num_words), end = std::min(begin + each, num_words);
      parts.push_back({4 * begin, 4 * (end - begin)});
    }
    const Block own = parts[rank_];
    reserve(own.size * (size_ - 1));
    std::vector<Block> sent = parts, received;
    sent[rank_] = {};
    for (int r = 0; r < size_; ++r) {
      received.push_back(r == rank_ ? Block{} : Block{own.size * (r < rank_ ? r : r - 1), own.size});
    }
    char* const data = reinterpret_cast<char*>(words);
    send_and_receive(data, sent, scratch_, received);
    const std::int64_t own_words = own.size / 4;
    Kokkos::parallel_for(
        "dromos::comm::unite",
        Kokkos::RangePolicy<Kokkos::Cuda, Kokkos::IndexType<std::int64_t>>(stream_.space(), 0, own_words),
        UniteParts{words + own.offset / 4, reinterpret_cast<const std::uint32_t*>(scratch_), own_words, size_ - 1});
    gather(data + own.offset, own.size, data, parts);
    return enqueued();
  }

 private:
  void check(ncclResult_t code, const char* what) {
    if (code != ncclSuccess) fail(std::string(what) + " failed: " + ncclGetErrorString(code));
  }
  [[noreturn]] void fail(const std::string& message) {
    if (nccl_ != nullptr) ncclCommAbort(std::exchange(nccl_, nullptr));
    throw Error("transport nccl: " + message);
  }

  /// Nothing moves: is everybody still there?
  void look_around(bool first) {
    ncclResult_t state = ncclSuccess;
    check(ncclCommGetAsyncError(nccl_, &state), "ncclCommGetAsyncError");
    check(state, "an operation");
    const int ended = watch_->first_ended_while_waiting(mpi_, first);
    if (ended >= 0) {
      fail("rank " + std::to_string(mates_[ended]) + " has ended while rank " + std::to_string(rank_) +
           " waits for its part of an operation");
    }
  }

  void refuse_shared_gpus() const {
    int device = 0;
    cudaDeviceProp properties{};
    check_cuda(cudaGetDevice(&device), "cudaGetDevice");
    check_cuda(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
    constexpr int bytes = static_cast<int>(sizeof(properties.uuid.bytes));
    std::string ids(static_cast<std::size_t>(bytes * size_), '\0');
    check_mpi(MPI_Allgather(properties.uuid.bytes, bytes, MPI_BYTE, ids.data(), bytes, MPI_BYTE, mpi_),
              "MPI_Allgather");
    std::set<std::string> gpus;
    for (int r = 0; r < size_; ++r) {
      if (!gpus.insert(ids.substr(static_cast<std::size_t>(bytes * r), bytes)).second) {
        throw Error("rank " + std::to_string(r) + " has the same GPU as a rank before it, and NCCL wants one for each");
      }
    }
  }

  void watch_host() {
    MPI_Comm node = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split_type(mpi_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
    int num_mates = 1;
    check_mpi(MPI_Comm_size(node, &num_mates), "MPI_Comm_size");
    mates_.resize(static_cast<std::size_t>(num_mates));
    check_mpi(MPI_Allgather(&rank_, 1, MPI_INT, mates_.data(), 1, MPI_INT, node), "MPI_Allgather");
    watch_.emplace(node);
    check_mpi(MPI_Comm_free(&node), "MPI_Comm_free");
    int sees_all = watch_->sees_all() ? 1 : 0;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &sees_all, 1, MPI_INT, MPI_MIN, mpi_), "MPI_Allreduce");
    if (sees_all == 0) throw Error("ranks of one host run in containers of their own");
  }

  void connect() {
    ncclUniqueId id{};
    int works = rank_ != 0 || ncclGetUniqueId(&id) == ncclSuccess ? 1 : 0;
    check_mpi(MPI_Bcast(&works, 1, MPI_INT, 0, mpi_), "MPI_Bcast");
    if (works == 0) throw Error("NCCL makes no communicator");
    check_mpi(MPI_Bcast(&id, static_cast<int>(sizeof(id)), MPI_BYTE, 0, mpi_), "MPI_Bcast");
    std::string fault;
    try {
      check(ncclCommInitRank(&nccl_, size_, id, rank_), "ncclCommInitRank");
    } catch (const Error& error) {
      fault = error.what();
    }
    works = fault.empty() ? 1 : 0;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &works, 1, MPI_INT, MPI_MIN, mpi_), "MPI_Allreduce");
    if (works == 1) return;
    if (fault.empty()) fail("another rank's NCCL refuses");
    throw Error(fault);
  }

  /// All blocks but this rank's own.
  void send_and_receive(const char* send, const std::vector<Block>& send_blocks, char* receive,
                        const std::vector<Block>& receive_blocks) {
    check(ncclGroupStart(), "ncclGroupStart");
    for (int i = 1; i < size_; ++i) {
      const int reader = (rank_ + i) % size_, sender = (rank_ + size_ - i) % size_;
      const Block &to = send_blocks[reader], &from = receive_blocks[sender];
      if (to.size > 0) ncclSend(send + to.offset, to.size, ncclInt8, reader, nccl_, stream_.stream());
      if (from.size > 0) ncclRecv(receive + from.offset, from.size, ncclInt8, sender, nccl_, stream_.stream());
    }
    check(ncclGroupEnd(), "ncclGroupEnd");  // and what failed in the group
  }

  void gather(const char* send, std::int64_t size, char* receive, const std::vector<Block>& blocks) {
    bool regular = size > 0;
    for (int r = 0; r < size_; ++r) regular = regular && blocks[r].size == size && blocks[r].offset == r * size;
    if (regular) {
      check(ncclAllGather(send, receive, static_cast<std::size_t>(size), ncclInt8, nccl_, stream_.stream()),
            "ncclAllGather");
      return;
    }
    std::vector<Block> sent(static_cast<std::size_t>(size_), Block{0, size});
    sent[rank_] = {};
    send_and_receive(send, sent, receive, blocks);
    copy(receive + blocks[rank_].offset, send, size);
  }

  void copy(char* to, const char* from, std::int64_t bytes) {
    if (bytes == 0 || to == from) return;
    check_cuda(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDefault, stream_.stream()),
               "cudaMemcpyAsync");
  }

  std::unique_ptr<PendingOperation> enqueued() {
    return under_way_.start(std::make_shared<Enqueued>(stream_.enqueued()));
  }

  void reserve(std::int64_t bytes) {
    if (bytes <= scratch_bytes_) return;
    check_cuda(cudaStreamSynchronize(stream_.stream()), "cudaStreamSynchronize");
    if (scratch_ != nullptr) check_cuda(cudaFree(std::exchange(scratch_, nullptr)), "cudaFree");
    scratch_bytes_ = 0;
    void* memory = nullptr;
    check_cuda(cudaMalloc(&memory, static_cast<std::size_t>(bytes)), "cudaMalloc");
    scratch_ = static_cast<char*>(memory);
    scratch_bytes_ = bytes;
  }

  MPI_Comm mpi_;
  int exceptions_at_start_ = std::uncaught_exceptions();
  std::unique_ptr<Transport> of_host_;
  int rank_ = 0;
  int size_ = 1;
  std::vector<int> mates_;  ///< the ranks of this host
  std::optional<detail::ProcessWatch> watch_;
  CopyStream stream_;
  ncclComm_t nccl_ = nullptr;
  char* scratch_ = nullptr;
  std::int64_t scratch_bytes_ = 0;
  UnderWay under_way_{[this](bool first) { look_around(first); }};
};

}  // namespace

std::unique_ptr<Transport> make_nccl_transport(MPI_Comm communicator) {
  return std::make_unique<NcclTransport>(communicator);
}

}  // namespace dromos
