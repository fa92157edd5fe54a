// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/comm/mixed_transport.hpp>

#include <algorithm>
#include <dromos/comm/mpi_check.hpp>
#include <dromos/comm/shared_transport.hpp>
#include <dromos/comm/waiting.hpp>
#include <dromos/core/error.hpp>
#include <exception>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace dromos {
namespace {

/// Part of a communicator, freed with this object unless an exception is on its way.
class OwnedComm {
 public:
  OwnedComm(MPI_Comm whole, int color, int key) : exceptions_at_start_(std::uncaught_exceptions()) {
    check_mpi(MPI_Comm_split(whole, color, key, &mpi_), "MPI_Comm_split");
    if (mpi_ != MPI_COMM_NULL) check_mpi(MPI_Comm_set_errhandler(mpi_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  }
  ~OwnedComm() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    const bool alone = std::uncaught_exceptions() > exceptions_at_start_;
    if (finalized == 0 && !alone && mpi_ != MPI_COMM_NULL) MPI_Comm_free(&mpi_);
  }
  OwnedComm(const OwnedComm&) = delete;
  OwnedComm& operator=(const OwnedComm&) = delete;

  MPI_Comm get() const { return mpi_; }

 private:
  MPI_Comm mpi_ = MPI_COMM_NULL;
  int exceptions_at_start_;
};

int rank_of(MPI_Comm communicator) {
  int rank = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  return rank;
}
int size_of(MPI_Comm communicator) {
  int size = 1;
  check_mpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
  return size;
}

std::vector<int> gathered(MPI_Comm communicator, int own) {
  std::vector<int> all(static_cast<std::size_t>(size_of(communicator)));
  check_mpi(MPI_Allgather(&own, 1, MPI_INT, all.data(), 1, MPI_INT, communicator), "MPI_Allgather");
  return all;
}

/// The lowest rank of this rank's host names it.
int host_of(MPI_Comm communicator) {
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
  int host = rank_of(communicator);
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &host, 1, MPI_INT, MPI_MIN, node), "MPI_Allreduce");
  check_mpi(MPI_Comm_free(&node), "MPI_Comm_free");
  return host;
}

class MixedTransport : public Transport {
 public:
  MixedTransport(MPI_Comm communicator, int host, const TransportFactory& between)
      : rank_(rank_of(communicator)),
        hosts_(gathered(communicator, host)),
        node_(communicator, host, rank_),
        leads_(rank_of(node_.get()) == 0),
        leaders_(communicator, leads_ ? 0 : MPI_UNDEFINED, rank_),
        between_(between(communicator)) {
    int shares = ranks_share_host(node_.get()) ? 1 : 0;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &shares, 1, MPI_INT, MPI_MIN, communicator), "MPI_Allreduce");
    if (shares == 0) throw Error("ranks of one host run in containers of their own");
    inside_ = make_shared_transport_of_part(node_.get());
    if (leads_) between_leaders_ = between(leaders_.get());
    for (int r = 0; r < static_cast<int>(hosts_.size()); ++r) {
      if (hosts_[r] == host) mates_.push_back(r);
    }
    name_ = std::string(inside_->name()) + "+" + between_->name();
  }
  ~MixedTransport() override {
    between_leaders_.reset();
    inside_.reset();
    between_.reset();
  }

  const char* name() const override { return name_.c_str(); }
  bool ors_gpu_memory() const override { return inside_->ors_gpu_memory() && between_->ors_gpu_memory(); }
  void progress() override {
    for (Transport* const transport : {inside_.get(), between_.get(), between_leaders_.get()}) {
      if (transport != nullptr) transport->progress();
    }
  }
  void set_piece_bytes(std::int64_t bytes) override {
    inside_->set_piece_bytes(bytes);
    between_->set_piece_bytes(bytes);
    if (between_leaders_) between_leaders_->set_piece_bytes(bytes);
  }

  std::unique_ptr<PendingOperation> exchange(const char* send, const std::vector<Block>& send_blocks, char* receive,
                                             const std::vector<Block>& receive_blocks) override {
    auto far = between_->exchange(send, of_others(send_blocks), receive, of_others(receive_blocks));
    auto near = inside_->exchange(send, of_mates(send_blocks), receive, of_mates(receive_blocks));
    return std::make_unique<NearAndFar>(*this, std::move(near), std::move(far));
  }

  std::unique_ptr<PendingOperation> allgather(const char* send, std::int64_t size, char* receive,
                                              const std::vector<Block>& receive_blocks) override {
    const std::vector<Block> to_all(hosts_.size(), Block{0, size});
    auto far = between_->exchange(send, of_others(to_all), receive, of_others(receive_blocks));
    auto near = inside_->allgather(send, size, receive, of_mates(receive_blocks));
    return std::make_unique<NearAndFar>(*this, std::move(near), std::move(far));
  }

  std::unique_ptr<PendingOperation> broadcast(char* data, std::int64_t size, int root) override {
    std::vector<Block> sent(hosts_.size()), received(hosts_.size());
    if (rank_ == root) {
      for (int r = 0; r < static_cast<int>(hosts_.size()); ++r) {
        if (hosts_[r] != hosts_[root] && is_leader(r)) sent[r] = {0, size};
      }
    } else if (leads_ && hosts_[root] != hosts_[rank_]) {
      received[root] = {0, size};
    }
    finish(*between_->exchange(data, sent, data, received));
    const auto mate = std::find(mates_.begin(), mates_.end(), root);
    return inside_->broadcast(data, size, mate == mates_.end() ? 0 : static_cast<int>(mate - mates_.begin()));
  }

  // The steps between are waited for at once: all ranks take them in the same order, whatever else is under way.
  std::unique_ptr<PendingOperation> bitwise_or(std::uint32_t* words, std::int64_t num_words) override {
    finish(*inside_->bitwise_or(words, num_words));
    if (between_leaders_) finish(*between_leaders_->bitwise_or(words, num_words));
    return inside_->broadcast(reinterpret_cast<char*>(words), 4 * num_words, 0);
  }

 private:
  /// Ranks of this host may wait for what this rank does not wait for.
  void finish(PendingOperation& operation) {
    while (!operation.test()) {
      progress();
      if (yields_while_waiting()) std::this_thread::yield();
    }
  }

  class NearAndFar : public PendingOperation {
   public:
    NearAndFar(MixedTransport& transport, std::unique_ptr<PendingOperation> near, std::unique_ptr<PendingOperation> far)
        : transport_(transport), near_(std::move(near)), far_(std::move(far)) {}
    bool test() override {
      if (far_ && far_->test()) far_.reset();
      return near_->test() && !far_;
    }
    void wait() override {
      if (far_) transport_.finish(*far_);
      far_.reset();
      near_->wait();
    }

   private:
    MixedTransport& transport_;
    std::unique_ptr<PendingOperation> near_, far_;
  };

  bool is_leader(int rank) const {
    return std::find(hosts_.begin(), hosts_.begin() + rank, hosts_[rank]) == hosts_.begin() + rank;
  }
  std::vector<Block> of_mates(const std::vector<Block>& blocks) const {
    std::vector<Block> part;
    for (const int mate : mates_) part.push_back(blocks[mate]);
    return part;
  }
  std::vector<Block> of_others(std::vector<Block> blocks) const {
    for (const int mate : mates_) blocks[mate] = {};
    return blocks;
  }

  int rank_;
  std::vector<int> hosts_;  ///< by rank
  std::vector<int> mates_;  ///< the ranks of this host, in the order of their numbers
  OwnedComm node_;
  bool leads_;
  OwnedComm leaders_;
  std::unique_ptr<Transport> inside_, between_, between_leaders_;
  std::string name_;
};

}  // namespace

std::unique_ptr<Transport> make_mixed_transport_of(MPI_Comm communicator, int host, const TransportFactory& between) {
  return std::make_unique<MixedTransport>(communicator, host, between);
}

std::unique_ptr<Transport> make_mixed_transport(MPI_Comm communicator, const TransportFactory& between) {
  return make_mixed_transport_of(communicator, host_of(communicator), between);
}

bool ranks_mix(MPI_Comm communicator) {
  const std::vector<int> hosts = gathered(communicator, host_of(communicator));
  std::vector<int> named = hosts;
  std::sort(named.begin(), named.end());
  const auto num_hosts = std::unique(named.begin(), named.end()) - named.begin();
  return num_hosts > 1 && num_hosts < static_cast<std::ptrdiff_t>(hosts.size());
}

}  // namespace dromos
