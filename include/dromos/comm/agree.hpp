// SPDX-License-Identifier: BSD-3-Clause
// All ranks fail, or none: points at which they tell each other what went wrong.
//
// A rank that throws alone leaves the others waiting for it. So what can fail on one rank runs inside on_all_ranks(),
// which waits for every rank's verdict and, where any failed, throws the same error on all: the first failing rank's,
// with its number where it was not every rank's or rank 0's. What nobody foresaw is for main() to end
// all ranks with (comm/mpi_session.hpp).
#pragma once

#include <dromos/comm/communicator.hpp>
#include <dromos/core/error.hpp>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

namespace dromos {

/// Marks an error that every rank throws.
class Agreed {
 public:
  virtual ~Agreed() = default;

 protected:
  Agreed() = default;
  Agreed(const Agreed&) = default;
  Agreed& operator=(const Agreed&) = default;
};

/// Kind: Error, MemoryError or ArgumentError (which also stands for an InputError, whose message names file and line
/// already).
template <class Kind>
class AgreedError : public Kind, public Agreed {
 public:
  using Kind::Kind;
};

/// Returns when no rank brings an error; otherwise every rank throws AgreedError<ArgumentError> when the error is an
/// ArgumentError or InputError, AgreedError<MemoryError> when memory ran out, and AgreedError<Error> for any other.
/// Collective.
///
/// \param error  what this rank caught, or null
void agree_or_throw(const Communicator& communicator, const std::exception_ptr& error);

/// Rank `root`'s text, on every rank. Collective.
std::string broadcast_text(const Communicator& communicator, std::string text, int root);

/// Runs f() on every rank and returns what it returns; throws on all ranks where it threw on any. f must not wait for
/// other ranks. Collective. Cost: one small reduction.
template <class F>
auto on_all_ranks(const Communicator& communicator, const F& f) {
  std::exception_ptr error;
  if constexpr (std::is_void_v<decltype(f())>) {
    try {
      f();
    } catch (...) {
      error = std::current_exception();
    }
    agree_or_throw(communicator, error);
  } else {
    decltype(f()) result{};
    try {
      result = f();
    } catch (...) {
      error = std::current_exception();
    }
    agree_or_throw(communicator, error);
    return result;
  }
}

/// Was this error thrown by every rank?
inline bool is_agreed(const std::exception& error) { return dynamic_cast<const Agreed*>(&error) != nullptr; }

}  // namespace dromos
