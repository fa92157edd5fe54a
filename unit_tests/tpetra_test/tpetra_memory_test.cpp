// SPDX-License-Identifier: BSD-3-Clause
// What the functions on Tpetra matrices need at their peak beside the matrix: bytes an entry, all of it in Kokkos
// Views, which tell when they are made and go.
#include <dromos/interop/tpetra_orders.hpp>
#include <dromos/interop/tpetra_sets.hpp>

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <dromos/comm/communicator.hpp>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "distributed_matrix.hpp"

namespace dromos::test {
namespace {

std::int64_t bytes_now = 0, bytes_at_peak = 0;

/// Of this rank, in all Views that f makes, at the time when they are most.
template <class F>
std::int64_t peak_bytes_of(const F& f) {
  using namespace Kokkos::Tools::Experimental;
  bytes_now = bytes_at_peak = 0;
  set_allocate_data_callback([](Kokkos_Profiling_SpaceHandle, const char*, const void*, std::uint64_t size) {
    bytes_now += static_cast<std::int64_t>(size);
    bytes_at_peak = std::max(bytes_at_peak, bytes_now);
  });
  set_deallocate_data_callback([](Kokkos_Profiling_SpaceHandle, const char*, const void*, std::uint64_t size) {
    bytes_now -= static_cast<std::int64_t>(size);
  });
  f();
  set_allocate_data_callback(nullptr);
  set_deallocate_data_callback(nullptr);
  return bytes_at_peak;
}

/// Rows with so many entries that arrays of rows do not count; every second entry has an opposite.
RCP<Matrix> many_entries(const RCP<const Teuchos::Comm<int>>& comm) {
  constexpr Global num_rows = 3000, num_columns_of_row = 100;
  const auto map = rcp(new Map(num_rows, 0, comm));
  const auto matrix = rcp(new Matrix(map, 2 * num_columns_of_row));
  for (const Global i : tpetra::local_elements(*map)) {
    for (Global d = 1; d <= num_columns_of_row; ++d) {
      const Global ahead = (i + d) % num_rows, behind = (i + num_rows - d) % num_rows;
      const double value = 1;
      matrix->insertGlobalValues(i, 1, &value, &ahead);
      if (d % 2 == 0) matrix->insertGlobalValues(i, 1, &value, &behind);
    }
  }
  matrix->fillComplete();
  return matrix;
}

TEST(TpetraMemory, OrdersNeedFewBytesAnEntry) {
  const Communicator world(MPI_COMM_WORLD);
  const auto matrix = many_entries(all_ranks()), alone = many_entries(one_rank());
  const auto all = static_cast<double>(matrix->getGlobalNumEntries());
  struct Call {
    std::string name;
    double most;  ///< bytes an entry of the matrix on the first rank
    std::int64_t peak;
  };
  const std::vector<Call> calls = {
      // Global indices in 8 bytes, and their numbers in 4; where half of them or more come from others, nothing beside.
      {"rcm, one rank", 13, peak_bytes_of([&] { tpetra::rcm(*alone); })},
      {"rcm, all ranks", 17, peak_bytes_of([&] { tpetra::rcm(*matrix); })},
      {"mis2, one rank", 13, peak_bytes_of([&] { tpetra::mis2(*alone); })},
      {"color_vertices, one rank", 13, peak_bytes_of([&] { tpetra::color_vertices(*alone); })},
      // Nothing but what the transpose has more: 4 bytes for a third of the entries, and a bit.
      {"rcm local, one rank", 4, peak_bytes_of([&] { tpetra::rcm(*alone, {}, tpetra::Where::local); })},
      // Its own rows with all others' columns left out, and what their transpose has more.
      {"rcm local, all ranks", 9, peak_bytes_of([&] { tpetra::rcm(*matrix, {}, tpetra::Where::local); })},
      // Numbers, both arcs of each entry, and while so few are built 2 bytes for each.
      {"maximum_matching, one rank", 17, peak_bytes_of([&] { tpetra::maximum_matching(*alone); })},
  };
  for (const Call& call : calls) {
    const double bytes = static_cast<double>(call.peak) / all;
    if (world.rank() != 0) continue;
    std::printf("    %-28s %5.1f bytes an entry\n", call.name.c_str(), bytes);
    EXPECT_GT(call.peak, 0) << "Views do not tell";
    EXPECT_LT(bytes, call.most) << call.name;
  }
}

}  // namespace
}  // namespace dromos::test
