// SPDX-License-Identifier: BSD-3-Clause
// A non-blocking operation under way, together with the arrays it works on.
#pragma once

#include <mpi.h>

#include <dromos/comm/counters.hpp>
#include <dromos/comm/transport.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

namespace dromos {

/// Keeps the Views of its operation alive; what it receives may be read after wait(). Its communicator outlives it.
class Request {
 public:
  /// Nothing is under way.
  Request() = default;
  /// \param finish  runs once, when the operation has arrived: copies results to where they belong
  /// \param count   gets the seconds that are spent waiting
  Request(std::unique_ptr<PendingOperation> operation, std::function<void()> finish, CommCount& count)
      : operation_(std::move(operation)), finish_(std::move(finish)), count_(&count) {}
  Request(Request&& other) noexcept = default;
  Request& operator=(Request&& other) {
    wait();
    operation_ = std::move(other.operation_);
    finish_ = std::move(other.finish_);
    count_ = other.count_;
    return *this;
  }
  /// Waits; but on the way out of an exception it leaves the operation and its memory as they are, for the other ranks
  /// may never answer.
  ~Request() {
    if (!operation_) return;
    if (std::uncaught_exceptions() > 0) {
      operation_.release();
      new std::function<void()>(std::move(finish_));
      return;
    }
    try {
      wait();
    } catch (...) {  // a destructor cannot tell; wait() before it, to be told
    }
  }

  bool pending() const { return operation_ != nullptr; }

  /// The same, and at its end this as well.
  Request then(std::function<void()> more) && {
    finish_ = [first = std::move(finish_), more = std::move(more)] {
      if (first) first();
      more();
    };
    return std::move(*this);
  }

  /// Has the operation arrived? Then it is finished as by wait().
  bool test() {
    if (!operation_) return true;
    const double begin = MPI_Wtime();
    const bool arrived = operation_->test();
    if (arrived) finish();
    count_->seconds += MPI_Wtime() - begin;
    return arrived;
  }

  void wait() {
    if (!operation_) return;
    const double begin = MPI_Wtime();
    operation_->wait();
    finish();
    count_->seconds += MPI_Wtime() - begin;
  }

 private:
  void finish() {
    operation_.reset();
    if (finish_) std::exchange(finish_, nullptr)();
  }

  std::unique_ptr<PendingOperation> operation_;
  std::function<void()> finish_;
  CommCount* count_ = nullptr;
};

}  // namespace dromos
