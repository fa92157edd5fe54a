// SPDX-License-Identifier: BSD-3-Clause
// Collective operations on Views, of any memory space, blocking and non-blocking.
//
//   alltoallv     each rank has a block for each other rank
//   allgatherv    each rank has a block for all
//   broadcast     one rank has an array for all
//   bitwise_or    each rank has a bitmap; all get the OR
//
// A block is (offset, size) in elements, one per rank:
//
//   2 ranks; rank 0 sends blocks {0, 1} and {1, 2} of a b c; rank 1 sends {0, 2} and {2, 1} of d e f
//   rank 0 receives a | d e, rank 1 receives b c | f
//
// What the execution space is still computing comes before anything travels: it is waited for, or what travels is
// enqueued behind it (transports between GPUs). Received data may be used by the same execution space instance, and by
// the host where the memory is the host's, after the blocking call or wait(). Each call is a collective of the
// communicator; ranks that have nothing to send or to receive call it with empty blocks.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/request.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/core/long_range.hpp>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace dromos {

/// Blocks one after the other, of these sizes.
inline std::vector<Block> consecutive_blocks(const std::vector<std::int64_t>& sizes) {
  std::vector<Block> blocks;
  std::int64_t offset = 0;
  for (const std::int64_t size : sizes) {
    blocks.push_back({offset, size});
    offset += size;
  }
  return blocks;
}

/// Elements in all blocks.
inline std::int64_t total_size(const std::vector<Block>& blocks) {
  std::int64_t total = 0;
  for (const Block& block : blocks) total += block.size;
  return total;
}

namespace detail {

inline std::vector<Block> in_bytes(std::vector<Block> blocks, std::size_t element_size) {
  for (Block& block : blocks) {
    block.offset *= static_cast<std::int64_t>(element_size);
    block.size *= static_cast<std::int64_t>(element_size);
  }
  return blocks;
}

/// Throws ArgumentError unless there is one block per rank and each lies in an array of `extent` elements.
inline void check_blocks(const Communicator& communicator, const std::vector<Block>& blocks, std::size_t extent,
                         const char* what) {
  if (blocks.size() != static_cast<std::size_t>(communicator.size())) {
    throw ArgumentError(std::string(what) + ": " + std::to_string(blocks.size()) + " blocks for " +
                        std::to_string(communicator.size()) + " ranks; expected one per rank");
  }
  for (std::size_t r = 0; r < blocks.size(); ++r) {
    const Block& block = blocks[r];
    if (block.offset < 0 || block.size < 0 || block.offset + block.size > static_cast<std::int64_t>(extent)) {
      throw ArgumentError(std::string(what) + ": the block of rank " + std::to_string(r) + " is " +
                          std::to_string(block.size) + " elements from " + std::to_string(block.offset) +
                          " on, and the array has " + std::to_string(extent));
    }
  }
}

/// Bytes and messages that go to, or come from, other ranks.
inline void count_blocks(const Communicator& communicator, CommCount& count, const std::vector<Block>& sent,
                         const std::vector<Block>& received) {
  ++count.calls;
  for (int r = 0; r < communicator.size(); ++r) {
    if (r == communicator.rank()) continue;
    count.messages += sent[r].size > 0;
    count.bytes_sent += sent[r].size;
    count.bytes_received += received[r].size;
  }
}

/// Of one allgather; blocks in elements.
inline CommCount& count_allgather(const Communicator& communicator, const std::vector<Block>& blocks,
                                  std::size_t element_size) {
  CommCount& count = communicator.counters_to_update()[CommKind::allgather];
  const std::int64_t own = blocks[static_cast<std::size_t>(communicator.rank())].size;
  const auto bytes = static_cast<std::int64_t>(element_size);
  ++count.calls;
  ++count.messages;
  count.bytes_sent += own * bytes * (communicator.size() - 1);
  count.bytes_received += (total_size(blocks) - own) * bytes;
  return count;
}

/// Of one bitwise OR of so many bytes. Of memory of a GPU each word goes to every other rank.
inline CommCount& count_bitwise_or(const Communicator& communicator, std::int64_t bytes, bool gpu_memory) {
  CommCount& count = communicator.counters_to_update()[CommKind::bitwise_or];
  const std::int64_t num_others = communicator.size() - 1;
  const std::int64_t each_way = num_others > 0 ? (gpu_memory ? num_others * bytes : bytes) : 0;
  ++count.calls;
  ++count.messages;
  count.bytes_sent += each_way;
  count.bytes_received += each_way;
  return count;
}

template <class Memory>
struct OrGathered {
  Kokkos::View<std::uint32_t*, Memory> gathered;
  int num_ranks;
  std::int64_t num_words;
  Kokkos::View<std::uint32_t*, Memory> words;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::uint32_t word = 0;
    for (int r = 0; r < num_ranks; ++r) word |= gathered(r * num_words + i);
    words(i) = word;
  }
};

/// words(i) becomes the OR of gathered(r * num_words + i) over all r.
template <class Space, class Memory>
void or_gathered(const Space& space, const Kokkos::View<std::uint32_t*, Memory>& gathered, int num_ranks,
                 const Kokkos::View<std::uint32_t*, Memory>& words) {
  const std::int64_t num_words = static_cast<std::int64_t>(words.extent(0));
  for_range("dromos::comm::bitwise_or", space, num_words, OrGathered<Memory>{gathered, num_ranks, num_words, words});
  fence(space, "dromos::comm::bitwise_or");
}

/// An operation that the stream waits for.
struct AlreadyEnqueued : PendingOperation {
  bool test() override { return true; }
  void wait() override {}
};

/// What the transport enqueues without the host waiting, if it does and may have this memory; else null.
template <class Memory>
StreamedOperations* streamed_operations(const Communicator& communicator) {
  return host_accessible<Memory> ? nullptr : communicator.transport().streamed();
}

/// What a request does at its end: nothing but to let go of the arrays.
template <class... Views>
std::function<void()> keep(const Views&... views) {
  return [kept = std::make_tuple(views...)] {};
}

template <class T>
char* as_bytes(T* data) {
  return reinterpret_cast<char*>(const_cast<std::remove_const_t<T>*>(data));
}

}  // namespace detail

/// Sends block r of `send` to rank r, and puts what comes from rank r into block r of `receive`. The arrays must not
/// overlap, and stay untouched until wait().
///
/// \param send_blocks     of `send`, one per rank; may overlap each other
/// \param receive_blocks  of `receive`, one per rank, of the sizes that the senders send; they do not overlap
/// \throws ArgumentError for blocks outside the arrays
template <class Space, class T, class Memory>
Request start_alltoallv(const Communicator& communicator, const Space& space, const Kokkos::View<T*, Memory>& send,
                        const std::vector<Block>& send_blocks, const Kokkos::View<T*, Memory>& receive,
                        const std::vector<Block>& receive_blocks) {
  static_assert(std::is_trivially_copyable_v<T>, "only plain bytes travel");
  const double begin = MPI_Wtime();
  detail::check_blocks(communicator, send_blocks, send.extent(0), "alltoallv, sending");
  detail::check_blocks(communicator, receive_blocks, receive.extent(0), "alltoallv, receiving");
  fence(space, "dromos::comm::alltoallv");
  const auto sent = detail::in_bytes(send_blocks, sizeof(T));
  const auto received = detail::in_bytes(receive_blocks, sizeof(T));
  CommCount& count = communicator.counters_to_update()[CommKind::exchange];
  detail::count_blocks(communicator, count, sent, received);
  auto operation = communicator.transport().exchange(detail::as_bytes(send.data()), sent,
                                                     detail::as_bytes(receive.data()), received);
  count.seconds += MPI_Wtime() - begin;
  return Request(std::move(operation), detail::keep(send, receive), count);
}

/// The same where all ranks know what no block is longer than, in elements: transports between GPUs do it then behind
/// what the execution space has to do, and the host does not wait, nor in wait().
template <class Space, class T, class Memory>
Request start_alltoallv(const Communicator& communicator, const Space& space, const Kokkos::View<T*, Memory>& send,
                        const std::vector<Block>& send_blocks, const Kokkos::View<T*, Memory>& receive,
                        const std::vector<Block>& receive_blocks, std::int64_t longest) {
  static_assert(sizeof(T) % 4 == 0, "blocks are of words of 4 bytes");
  constexpr auto bytes = static_cast<std::int64_t>(sizeof(T));
  if (StreamedOperations* const streamed = detail::streamed_operations<Memory>(communicator)) {
    detail::check_blocks(communicator, send_blocks, send.extent(0), "alltoallv, sending");
    detail::check_blocks(communicator, receive_blocks, receive.extent(0), "alltoallv, receiving");
    const auto sent = detail::in_bytes(send_blocks, sizeof(T)), received = detail::in_bytes(receive_blocks, sizeof(T));
    if (streamed->alltoall(native_stream(space), detail::as_bytes(send.data()), sent, detail::as_bytes(receive.data()),
                           received, longest * bytes)) {
      CommCount& count = communicator.counters_to_update()[CommKind::exchange];
      detail::count_blocks(communicator, count, sent, received);
      return Request(std::make_unique<detail::AlreadyEnqueued>(), nullptr, count);
    }
  }
  return start_alltoallv(communicator, space, send, send_blocks, receive, receive_blocks);
}

/// Sends the first `size` elements of `send` to every rank, and puts what comes from rank r into block r of `receive`.
/// `send` may be this rank's own block of `receive` (then so on every rank), otherwise they do not overlap.
///
/// \param receive_blocks  the same on every rank
template <class Space, class T, class Memory>
Request start_allgatherv(const Communicator& communicator, const Space& space, const Kokkos::View<T*, Memory>& send,
                         std::int64_t size, const Kokkos::View<T*, Memory>& receive,
                         const std::vector<Block>& receive_blocks) {
  static_assert(std::is_trivially_copyable_v<T>, "only plain bytes travel");
  const double begin = MPI_Wtime();
  detail::check_blocks(communicator, receive_blocks, receive.extent(0), "allgatherv");
  const Block own = receive_blocks[communicator.rank()];
  if (own.size != size || static_cast<std::size_t>(size) > send.extent(0)) {
    throw ArgumentError("allgatherv: this rank sends " + std::to_string(size) + " of " +
                        std::to_string(send.extent(0)) + " elements, and its block has " + std::to_string(own.size));
  }
  fence(space, "dromos::comm::allgatherv");
  const auto received = detail::in_bytes(receive_blocks, sizeof(T));
  CommCount& count = detail::count_allgather(communicator, receive_blocks, sizeof(T));
  auto operation = communicator.transport().allgather(detail::as_bytes(send.data()), received[communicator.rank()].size,
                                                      detail::as_bytes(receive.data()), received);
  count.seconds += MPI_Wtime() - begin;
  return Request(std::move(operation), detail::keep(send, receive), count);
}

/// Rank `root`'s array becomes that of all; of the same size on all.
template <class Space, class T, class Memory>
Request start_broadcast(const Communicator& communicator, const Space& space, const Kokkos::View<T*, Memory>& data,
                        int root) {
  static_assert(std::is_trivially_copyable_v<T>, "only plain bytes travel");
  if (root < 0 || root >= communicator.size()) {
    throw ArgumentError("broadcast: rank " + std::to_string(root) + " does not exist; there are " +
                        std::to_string(communicator.size()));
  }
  const double begin = MPI_Wtime();
  fence(space, "dromos::comm::broadcast");
  const auto bytes = static_cast<std::int64_t>(data.span() * sizeof(T));
  const bool is_root = communicator.rank() == root;
  CommCount& count = communicator.counters_to_update()[CommKind::broadcast];
  ++count.calls;
  ++count.messages;
  (is_root ? count.bytes_sent : count.bytes_received) += is_root ? bytes * (communicator.size() - 1) : bytes;
  auto operation = communicator.transport().broadcast(detail::as_bytes(data.data()), bytes, root);
  count.seconds += MPI_Wtime() - begin;
  return Request(std::move(operation), detail::keep(data), count);
}

/// Every rank's words become the bitwise OR of all ranks' words; as many on each. After wait() what is enqueued in
/// `space` finds them.
///
/// Bytes are counted as those of a reduction that sends each word once up and once down.
template <class Space, class Memory>
Request start_bitwise_or(const Communicator& communicator, const Space& space,
                         const Kokkos::View<std::uint32_t*, Memory>& words) {
  const double begin = MPI_Wtime();
  char* const data = detail::as_bytes(words.data());
  const Block all{0, static_cast<std::int64_t>(words.span() * sizeof(std::uint32_t))};
  constexpr bool gpu_memory = !host_accessible<Memory>;
  CommCount& count = detail::count_bitwise_or(communicator, all.size, gpu_memory);
  if (StreamedOperations* const streamed = detail::streamed_operations<Memory>(communicator)) {
    if (streamed->bitwise_or(native_stream(space), words.data(), static_cast<std::int64_t>(words.extent(0)))) {
      return Request(std::make_unique<detail::AlreadyEnqueued>(), nullptr, count);
    }
  }
  fence(space, "dromos::comm::bitwise_or");
  if (gpu_memory && !communicator.transport().ors_gpu_memory()) {
    // MPI libraries reduce memory of a GPU slowly or not at all: gather, and a kernel does the OR.
    const Kokkos::View<std::uint32_t*, Memory> gathered(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "dromos::comm::gathered"),
        words.extent(0) * static_cast<std::size_t>(communicator.size()));
    const auto blocks = consecutive_blocks(std::vector<std::int64_t>(communicator.size(), all.size));
    auto operation = communicator.transport().allgather(data, all.size, detail::as_bytes(gathered.data()), blocks);
    count.seconds += MPI_Wtime() - begin;
    const int num_ranks = communicator.size();
    return Request(
        std::move(operation),
        [space, gathered, words, num_ranks] { detail::or_gathered(space, gathered, num_ranks, words); }, count);
  }
  auto operation = communicator.transport().bitwise_or(words.data(), static_cast<std::int64_t>(words.extent(0)));
  count.seconds += MPI_Wtime() - begin;
  return Request(std::move(operation), detail::keep(words), count);
}

/// The same, waited for.
template <class Space, class T, class Memory>
void alltoallv(const Communicator& communicator, const Space& space, const Kokkos::View<T*, Memory>& send,
               const std::vector<Block>& send_blocks, const Kokkos::View<T*, Memory>& receive,
               const std::vector<Block>& receive_blocks) {
  start_alltoallv(communicator, space, send, send_blocks, receive, receive_blocks).wait();
}
template <class Space, class T, class Memory>
void alltoallv(const Communicator& communicator, const Space& space, const Kokkos::View<T*, Memory>& send,
               const std::vector<Block>& send_blocks, const Kokkos::View<T*, Memory>& receive,
               const std::vector<Block>& receive_blocks, std::int64_t longest) {
  start_alltoallv(communicator, space, send, send_blocks, receive, receive_blocks, longest).wait();
}
template <class Space, class T, class Memory>
void allgatherv(const Communicator& communicator, const Space& space, const Kokkos::View<T*, Memory>& send,
                std::int64_t size, const Kokkos::View<T*, Memory>& receive, const std::vector<Block>& receive_blocks) {
  if (StreamedOperations* const streamed = detail::streamed_operations<Memory>(communicator)) {
    if (streamed->allgather(native_stream(space), detail::as_bytes(send.data()),
                            size * static_cast<std::int64_t>(sizeof(T)), detail::as_bytes(receive.data()),
                            detail::in_bytes(receive_blocks, sizeof(T)))) {
      detail::count_allgather(communicator, receive_blocks, sizeof(T));
      return;
    }
  }
  start_allgatherv(communicator, space, send, size, receive, receive_blocks).wait();
}
/// The same of words, where `all` has the same in it on every rank before, such as what they were told the last time:
/// transports between GPUs then move the words that changed. Bytes are counted as if all did.
///
/// \param own  as many words as this rank's block has, outside of `all`
template <class Space, class Memory>
void allgather_changes(const Communicator& communicator, const Space& space,
                       const Kokkos::View<std::uint32_t*, Memory>& own, const Kokkos::View<std::uint32_t*, Memory>& all,
                       const std::vector<Block>& blocks) {
  detail::check_blocks(communicator, blocks, all.extent(0), "allgather_changes");
  if (StreamedOperations* const streamed = detail::streamed_operations<Memory>(communicator)) {
    if (streamed->allgather_changes(native_stream(space), own.data(), all.data(), blocks)) {
      detail::count_allgather(communicator, blocks, sizeof(std::uint32_t));
      return;
    }
  }
  allgatherv(communicator, space, own, blocks[communicator.rank()].size, all, blocks);
}
template <class Space, class T, class Memory>
void broadcast(const Communicator& communicator, const Space& space, const Kokkos::View<T*, Memory>& data, int root) {
  start_broadcast(communicator, space, data, root).wait();
}
template <class Space, class Memory>
void bitwise_or(const Communicator& communicator, const Space& space,
                const Kokkos::View<std::uint32_t*, Memory>& words) {
  const auto num_words = static_cast<std::int64_t>(words.extent(0));
  if (StreamedOperations* const streamed = detail::streamed_operations<Memory>(communicator)) {
    if (streamed->bitwise_or(native_stream(space), words.data(), num_words)) {
      detail::count_bitwise_or(communicator, num_words * static_cast<std::int64_t>(sizeof(std::uint32_t)), true);
      return;
    }
  }
  start_bitwise_or(communicator, space, words).wait();
}

}  // namespace dromos
