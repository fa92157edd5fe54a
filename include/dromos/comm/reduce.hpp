// SPDX-License-Identifier: BSD-3-Clause
// Sums, minima and maxima of a few numbers over all ranks, and the exchange of one number with each.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_check.hpp>
#include <dromos/comm/waiting.hpp>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace dromos {

namespace detail {

template <class T>
MPI_Datatype mpi_type() {
  static_assert(std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint64_t> ||
                    std::is_same_v<T, std::int32_t> || std::is_same_v<T, double>,
                "reductions are for 32- and 64-bit integers and double");
  if (std::is_same_v<T, std::int64_t>) return MPI_INT64_T;
  if (std::is_same_v<T, std::uint64_t>) return MPI_UINT64_T;
  if (std::is_same_v<T, std::int32_t>) return MPI_INT32_T;
  return MPI_DOUBLE;
}

/// Adds the time until it dies, and one call with these bytes, to the counters.
class CountedCall {
 public:
  CountedCall(const Communicator& communicator, CommKind kind, std::int64_t bytes_sent, std::int64_t bytes_received)
      : count_(communicator.counters_to_update()[kind]), begin_(MPI_Wtime()) {
    ++count_.calls;
    ++count_.messages;
    count_.bytes_sent += bytes_sent;
    count_.bytes_received += bytes_received;
  }
  ~CountedCall() { count_.seconds += MPI_Wtime() - begin_; }
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;

 private:
  CommCount& count_;
  double begin_;
};

template <class T>
void allreduce(const Communicator& communicator, T* values, int count, MPI_Op op) {
  const std::int64_t bytes = communicator.size() > 1 ? static_cast<std::int64_t>(sizeof(T)) * count : 0;
  const CountedCall counted(communicator, CommKind::reduction, bytes, bytes);
  if (communicator.size() == 1) return;
  const MPI_Comm mpi = communicator.mpi();
  run_collective(
      "MPI_Allreduce", [&] { return MPI_Allreduce(MPI_IN_PLACE, values, count, mpi_type<T>(), op, mpi); },
      [&](MPI_Request* request) {
        return MPI_Iallreduce(MPI_IN_PLACE, values, count, mpi_type<T>(), op, mpi, request);
      });
}

}  // namespace detail

/// values[i] becomes the sum (minimum, maximum) over all ranks; `count` values, on the host.
template <class T>
void sum_in_place(const Communicator& communicator, T* values, int count) {
  detail::allreduce(communicator, values, count, MPI_SUM);
}
template <class T>
void min_in_place(const Communicator& communicator, T* values, int count) {
  detail::allreduce(communicator, values, count, MPI_MIN);
}
template <class T>
void max_in_place(const Communicator& communicator, T* values, int count) {
  detail::allreduce(communicator, values, count, MPI_MAX);
}

template <class T>
T sum(const Communicator& communicator, T value) {
  sum_in_place(communicator, &value, 1);
  return value;
}
template <class T>
T min(const Communicator& communicator, T value) {
  min_in_place(communicator, &value, 1);
  return value;
}
template <class T>
T max(const Communicator& communicator, T value) {
  max_in_place(communicator, &value, 1);
  return value;
}

/// What ranks report, as that of all together: each count becomes the sum, and each time that of the slowest rank.
inline void total_in_place(const Communicator& communicator, std::initializer_list<std::int64_t*> counts,
                           std::initializer_list<double*> times) {
  std::vector<std::int64_t> sums;
  std::vector<double> slowest;
  for (const std::int64_t* count : counts) sums.push_back(*count);
  for (const double* time : times) slowest.push_back(*time);
  sum_in_place(communicator, sums.data(), static_cast<int>(sums.size()));
  max_in_place(communicator, slowest.data(), static_cast<int>(slowest.size()));
  std::size_t i = 0, k = 0;
  for (std::int64_t* count : counts) *count = sums[i++];
  for (double* time : times) *time = slowest[k++];
}

/// MPI counts in int: what has more bytes than these goes in turns.
inline constexpr std::int64_t most_bytes_a_turn = std::int64_t(1) << 30;

/// values[i] becomes that of rank `root`; `count` plain values, on the host.
///
/// \param most_bytes  of one message, below 2^31
template <class T>
void broadcast_in_place(const Communicator& communicator, T* values, std::int64_t count, int root,
                        std::int64_t most_bytes = most_bytes_a_turn) {
  static_assert(std::is_trivially_copyable_v<T>, "only plain bytes travel");
  const std::int64_t bytes = count * static_cast<std::int64_t>(sizeof(T));
  const detail::CountedCall counted(communicator, CommKind::broadcast, communicator.rank() == root ? bytes : 0,
                                    communicator.rank() == root ? 0 : bytes);
  const MPI_Comm mpi = communicator.mpi();
  std::int64_t first = 0;
  do {
    // No pointer is moved where there is nothing.
    void* const begin = first == 0 ? static_cast<void*>(values) : reinterpret_cast<char*>(values) + first;
    const int size = static_cast<int>(std::min(bytes - first, most_bytes));
    detail::run_collective(
        "MPI_Bcast", [&] { return MPI_Bcast(begin, size, MPI_BYTE, root, mpi); },
        [&](MPI_Request* request) { return MPI_Ibcast(begin, size, MPI_BYTE, root, mpi, request); });
    first += size;
  } while (first < bytes);
}

/// The same number of counts for every rank, one after the other; the result is what the ranks have for this one.
///
///   rank 0 has 1 2, rank 1 has 3 4            rank 0 gets 1 3, rank 1 gets 2 4
///   rank 0 has 1 1 2 2, rank 1 has 3 3 4 4    rank 0 gets 1 1 3 3, rank 1 gets 2 2 4 4
inline std::vector<std::int64_t> exchange_counts(const Communicator& communicator,
                                                 const std::vector<std::int64_t>& counts) {
  const auto each = static_cast<int>(counts.size() / static_cast<std::size_t>(communicator.size()));
  const std::int64_t bytes = 8 * static_cast<std::int64_t>(each) * (communicator.size() - 1);
  const detail::CountedCall counted(communicator, CommKind::reduction, bytes, bytes);
  std::vector<std::int64_t> received(counts.size());
  const MPI_Comm mpi = communicator.mpi();
  detail::run_collective(
      "MPI_Alltoall",
      [&] { return MPI_Alltoall(counts.data(), each, MPI_INT64_T, received.data(), each, MPI_INT64_T, mpi); },
      [&](MPI_Request* request) {
        return MPI_Ialltoall(counts.data(), each, MPI_INT64_T, received.data(), each, MPI_INT64_T, mpi, request);
      });
  return received;
}

/// Element r of the result is rank r's value, a plain one on the host.
template <class T>
std::vector<T> gather_each(const Communicator& communicator, const T& own) {
  static_assert(std::is_trivially_copyable_v<T>, "only plain bytes travel");
  constexpr int size = sizeof(T);
  const std::int64_t bytes = size * static_cast<std::int64_t>(communicator.size() - 1);
  const detail::CountedCall counted(communicator, CommKind::reduction, bytes, bytes);
  std::vector<T> received(static_cast<std::size_t>(communicator.size()));
  const MPI_Comm mpi = communicator.mpi();
  detail::run_collective(
      "MPI_Allgather", [&] { return MPI_Allgather(&own, size, MPI_BYTE, received.data(), size, MPI_BYTE, mpi); },
      [&](MPI_Request* request) {
        return MPI_Iallgather(&own, size, MPI_BYTE, received.data(), size, MPI_BYTE, mpi, request);
      });
  return received;
}
inline std::vector<std::int64_t> gather_counts(const Communicator& communicator, std::int64_t count) {
  return gather_each(communicator, count);
}

namespace detail {

/// own_bytes of this rank to all, and of rank r bytes[r] from begins[r] on of rank r.
template <class T>
void allgather_turn(const Communicator& communicator, const T* own, int own_bytes, const std::vector<int>& bytes,
                    const std::vector<int>& begins, T* arrived) {
  const MPI_Comm mpi = communicator.mpi();
  run_collective(
      "MPI_Allgatherv",
      [&] { return MPI_Allgatherv(own, own_bytes, MPI_BYTE, arrived, bytes.data(), begins.data(), MPI_BYTE, mpi); },
      [&](MPI_Request* request) {
        return MPI_Iallgatherv(own, own_bytes, MPI_BYTE, arrived, bytes.data(), begins.data(), MPI_BYTE, mpi, request);
      });
}

}  // namespace detail

/// Every rank's values, one rank's behind the other's, on the host; any number of plain ones.
///
/// \param sizes       how many each rank has
/// \param most_bytes  that arrive in one turn, below 2^31; each rank sends at least a value in a turn
template <class T>
std::vector<T> gather_values(const Communicator& communicator, const std::vector<T>& own,
                             const std::vector<std::int64_t>& sizes, std::int64_t most_bytes = most_bytes_a_turn) {
  static_assert(std::is_trivially_copyable_v<T>, "only plain bytes travel");
  constexpr std::int64_t value_bytes = sizeof(T);
  const auto me = static_cast<std::size_t>(communicator.rank());
  const std::int64_t most = std::max<std::int64_t>(1, most_bytes / (value_bytes * communicator.size()));
  std::vector<std::int64_t> first_of;
  std::int64_t all = 0, largest = 0;
  for (const std::int64_t size : sizes) {
    first_of.push_back(all);
    all += size;
    largest = std::max(largest, size);
  }
  std::vector<T> values(static_cast<std::size_t>(all));
  const std::int64_t mine = sizes[me] * value_bytes;
  const detail::CountedCall counted(communicator, CommKind::reduction, mine * (communicator.size() - 1),
                                    all * value_bytes - mine);
  std::vector<int> bytes(sizes.size()), begins(sizes.size());
  std::vector<T> arrived;
  std::int64_t done = 0;  // of each rank's values
  do {
    std::int64_t in_turn = 0;
    for (std::size_t r = 0; r < sizes.size(); ++r) {
      const std::int64_t size = std::clamp<std::int64_t>(sizes[r] - done, 0, most);
      bytes[r] = static_cast<int>(size * value_bytes);
      begins[r] = static_cast<int>(in_turn * value_bytes);
      in_turn += size;
    }
    const T* const from = bytes[me] > 0 ? own.data() + done : own.data();
    if (largest <= most) {
      detail::allgather_turn(communicator, from, bytes[me], bytes, begins, values.data());
      return values;
    }
    arrived.resize(static_cast<std::size_t>(in_turn));
    detail::allgather_turn(communicator, from, bytes[me], bytes, begins, arrived.data());
    for (std::size_t r = 0; r < sizes.size(); ++r) {
      const auto begin = arrived.begin() + begins[r] / value_bytes;
      std::copy(begin, begin + bytes[r] / value_bytes, values.begin() + (first_of[r] + done));
    }
    done += most;
  } while (done < largest);
  return values;
}

/// The same where nobody knows how many the others have.
template <class T>
std::vector<T> gather_values(const Communicator& communicator, const std::vector<T>& own,
                             std::int64_t most_bytes = most_bytes_a_turn) {
  return gather_values(communicator, own, gather_counts(communicator, static_cast<std::int64_t>(own.size())),
                       most_bytes);
}

/// values[i] becomes the sum over all ranks; of any number of values, on the host.
template <class T>
void sum_everywhere(const Communicator& communicator, std::vector<T>& values) {
  constexpr std::size_t most = static_cast<std::size_t>(most_bytes_a_turn) / sizeof(T);
  for (std::size_t first = 0; first < values.size(); first += most) {
    sum_in_place(communicator, values.data() + first, static_cast<int>(std::min(most, values.size() - first)));
  }
}

}  // namespace dromos
