// SPDX-License-Identifier: BSD-3-Clause
// Copies between memories that go on by themselves.
#pragma once

#include <cstdint>
#include <memory>

namespace dromos::detail {

/// A copy on its way. Both memories belong to it until it is done.
class PendingCopy {
 public:
  virtual ~PendingCopy() = default;
  virtual bool done() = 0;
};

/// Copies out of the caller's arrays, and into them: the two ways at once, each in the order of the calls.
class Copies {
 public:
  virtual ~Copies() = default;
  /// Null: has been done.
  virtual std::unique_ptr<PendingCopy> copy_out(char* to, const char* from, std::int64_t bytes) = 0;
  virtual std::unique_ptr<PendingCopy> copy_in(char* to, const char* from, std::int64_t bytes) = 0;
};

}  // namespace dromos::detail
