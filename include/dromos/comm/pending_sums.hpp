// SPDX-License-Identifier: BSD-3-Clause
// Sums of a few numbers over all ranks that are under way while something else happens.
//
//   PendingSums sums(communicator, {num_found, num_edges});   // starts
//   ...                                                       // other communication, other work
//   const auto& totals = sums.wait();
//
// MPI makes progress with it mostly inside of other MPI calls: it hides behind communication, not behind computation.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_check.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/comm/waiting.hpp>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

namespace dromos {

class PendingSums {
 public:
  /// Nothing is under way; wait() returns no numbers.
  PendingSums() : state_(std::make_unique<State>()) {}

  /// Starts adding up. Collective; the communicator outlives this object.
  PendingSums(const Communicator& communicator, std::vector<std::int64_t> values)
      : state_(std::make_unique<State>()), count_(&communicator.counters_to_update()[CommKind::reduction]) {
    state_->values = std::move(values);
    const int size = static_cast<int>(state_->values.size());
    const std::int64_t bytes = communicator.size() > 1 ? 8 * static_cast<std::int64_t>(size) : 0;
    const detail::CountedCall counted(communicator, CommKind::reduction, bytes, bytes);
    if (communicator.size() == 1) return;
    check_mpi(MPI_Iallreduce(MPI_IN_PLACE, state_->values.data(), size, MPI_INT64_T, MPI_SUM, communicator.mpi(),
                             &state_->request),
              "MPI_Iallreduce");
  }
  PendingSums(PendingSums&&) noexcept = default;
  PendingSums& operator=(PendingSums&& other) {
    finish();
    state_ = std::move(other.state_);
    count_ = other.count_;
    return *this;
  }
  /// Waits; but on the way out of an exception it leaves the operation and its memory as they are, for the other ranks
  /// may never answer.
  ~PendingSums() {
    if (std::uncaught_exceptions() > 0 && state_ && state_->request != MPI_REQUEST_NULL) {
      state_.release();
      return;
    }
    finish();
  }

  /// The totals; further calls return them again.
  const std::vector<std::int64_t>& wait() {
    if (state_->request != MPI_REQUEST_NULL) {
      const double begin = MPI_Wtime();
      detail::wait_all(&state_->request, 1, "adding up");
      count_->seconds += MPI_Wtime() - begin;
    }
    return state_->values;
  }

 private:
  struct State {
    std::vector<std::int64_t> values;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void finish() {
    if (state_ && state_->request != MPI_REQUEST_NULL) detail::wait_all(&state_->request, 1, "adding up");
  }

  std::unique_ptr<State> state_;  // where MPI writes does not move with the object
  CommCount* count_ = nullptr;
};

}  // namespace dromos
