// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/comm/agree.hpp>

#include <cstdint>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/allocation_failure.hpp>
#include <system_error>

namespace dromos {
namespace {

enum Failure : std::int64_t { failed = 1, bad_input = 2, out_of_memory = 3 };

struct Description {
  std::int64_t failure = failed;
  std::string message;
};

Description describe(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const ArgumentError& e) {
    return {bad_input, e.what()};
  } catch (const InputError& e) {
    return {bad_input, e.what()};
  } catch (const MemoryError& e) {
    return {out_of_memory, e.what()};
  } catch (const Error& e) {
    return {failed, e.what()};
  } catch (const std::system_error& e) {
    return {failed, e.what()};  // of the system, such as a stream that takes nothing: no mistake of ours
  } catch (const std::exception& e) {
    if (const auto error_of_memory = as_memory_error(e)) return {out_of_memory, error_of_memory->what()};
    return {failed, std::string(e.what()) + " (this should not happen: please report it)"};
  } catch (...) {
    return {failed, "an unknown exception (this should not happen: please report it)"};
  }
}

}  // namespace

std::string broadcast_text(const Communicator& communicator, std::string text, int root) {
  std::int64_t length = static_cast<std::int64_t>(text.size());
  broadcast_in_place(communicator, &length, 1, root);
  text.resize(static_cast<std::size_t>(length));
  broadcast_in_place(communicator, &text[0], length, root);
  return text;
}

void agree_or_throw(const Communicator& communicator, const std::exception_ptr& error) {
  const std::int64_t num_ranks = communicator.size();
  // The largest is that of the first rank that failed; 0 where none did, which is all that a fine run pays for.
  const std::int64_t verdict = max<std::int64_t>(communicator, error ? num_ranks - communicator.rank() : 0);
  if (verdict == 0) return;
  const int first = static_cast<int>(num_ranks - verdict);
  const std::int64_t num_failed = sum<std::int64_t>(communicator, error ? 1 : 0);

  Description description;
  if (communicator.rank() == first) description = describe(error);
  broadcast_in_place(communicator, &description.failure, 1, first);
  std::string message = broadcast_text(communicator, description.message, first);
  // Rank 0 does for all what only one needs to do, such as reading files: its errors are everybody's.
  if (num_failed < num_ranks && first != 0) message = "rank " + std::to_string(first) + ": " + message;
  if (description.failure == bad_input) throw AgreedError<ArgumentError>(message);
  if (description.failure == out_of_memory) throw AgreedError<MemoryError>(message);
  throw AgreedError<Error>(message);
}

}  // namespace dromos
