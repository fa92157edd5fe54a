// SPDX-License-Identifier: BSD-3-Clause
// Operations of a transport that move only while somebody looks. Whoever waits for one moves all that are under way:
// ranks may wait for them in different orders.
#pragma once

#include <algorithm>
#include <deque>
#include <dromos/comm/transport.hpp>
#include <dromos/comm/waiting.hpp>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

namespace dromos::detail {

class MovingOperation {
 public:
  virtual ~MovingOperation() = default;
  /// As far as it goes without waiting; says whether anything moved.
  virtual bool move() = 0;
  virtual bool done() const = 0;
};

class UnderWay {
 public:
  /// \param look_around  called each time that some thousand looks found nothing moving: with true the first time in a
  /// row
  explicit UnderWay(std::function<void(bool)> look_around = nullptr) : look_around_(std::move(look_around)) {}

  std::unique_ptr<PendingOperation> start(std::shared_ptr<MovingOperation> operation) {
    operations_.push_back(operation);
    move_all();
    return std::make_unique<Handle>(*this, std::move(operation));
  }

  /// Each as far as it goes; says whether anything moved.
  bool move_all() {
    bool moved = false;
    for (const auto& operation : operations_) moved |= operation->move();
    operations_.erase(
        std::remove_if(operations_.begin(), operations_.end(), [](const auto& operation) { return operation->done(); }),
        operations_.end());
    return moved;
  }

  /// Until `arrived` holds.
  template <class F>
  void wait(const F& arrived) {
    constexpr int looks_between = 4096;
    int looks = 0;
    bool first = true;
    while (!arrived()) {
      if (move_all()) {
        looks = 0;
        first = true;
        continue;
      }
      if (yields_while_waiting()) std::this_thread::yield();
      if (++looks % looks_between != 0 || !look_around_) continue;
      look_around_(std::exchange(first, false));
    }
  }

 private:
  class Handle : public PendingOperation {
   public:
    Handle(UnderWay& all, std::shared_ptr<MovingOperation> operation) : all_(all), operation_(std::move(operation)) {}
    bool test() override {
      if (!operation_->done()) all_.move_all();
      return operation_->done();
    }
    void wait() override {
      all_.wait([this] { return operation_->done(); });
    }

   private:
    UnderWay& all_;
    std::shared_ptr<MovingOperation> operation_;
  };

  std::function<void(bool)> look_around_;
  std::deque<std::shared_ptr<MovingOperation>> operations_;
};

}  // namespace dromos::detail
