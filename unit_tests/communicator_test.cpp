// SPDX-License-Identifier: BSD-3-Clause
// Communicators, reductions of few numbers, and agreement on errors.
#include <gtest/gtest.h>

#include <cstdlib>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_check.hpp>
#include <dromos/comm/mpi_session.hpp>
#include <dromos/comm/pending_sums.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/comm/waiting.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <new>
#include <string>
#include <vector>

namespace dromos::test {
namespace {

TEST(Communicator, IsADuplicateOfItsParent) {
  const Communicator world(MPI_COMM_WORLD);
  EXPECT_EQ(world.size(), MpiSession::world_size());
  EXPECT_EQ(world.rank(), MpiSession::world_rank());
  int comparison = MPI_UNEQUAL;
  MPI_Comm_compare(world.mpi(), MPI_COMM_WORLD, &comparison);
  EXPECT_EQ(comparison, MPI_CONGRUENT);  // the same ranks, other messages
}

TEST(Communicator, WaitsWithOrWithoutACore) {
  const bool before = yields_while_waiting();
  for (const bool yields : {true, false}) {
    set_yields_while_waiting(yields);
    const Communicator world(MPI_COMM_WORLD);
    const std::int64_t size = world.size();
    for (int i = 0; i < 20; ++i) {
      world.barrier();
      EXPECT_EQ(sum<std::int64_t>(world, world.rank()), size * (size - 1) / 2);
      EXPECT_EQ(max(world, static_cast<double>(world.rank())), static_cast<double>(size - 1));
      std::int64_t values[2] = {world.rank(), 7};
      broadcast_in_place(world, values, 2, static_cast<int>(size - 1));
      EXPECT_EQ(values[0], size - 1);
      EXPECT_EQ(values[1], 7);
      const auto received =
          exchange_counts(world, std::vector<std::int64_t>(static_cast<std::size_t>(size), world.rank()));
      const auto gathered = gather_counts(world, world.rank());
      for (std::int64_t r = 0; r < size; ++r) {
        EXPECT_EQ(received[r], r);
        EXPECT_EQ(gathered[r], r);
      }
      PendingSums sums(world, {1, world.rank()});
      EXPECT_EQ(sums.wait()[0], world.size() > 1 ? size : 1);
      EXPECT_EQ(broadcast_text(world, "rank " + std::to_string(world.rank()), 0), "rank 0");
    }
  }
  set_yields_while_waiting(before);
}

TEST(Communicator, WhatIsTooMuchForOneMessageTravelsInTurns) {
  const Communicator world(MPI_COMM_WORLD);
  for (const int count : {0, 1, 2, 7, 100}) {
    std::vector<std::int64_t> own, expected;
    for (int r = 0; r < world.size(); ++r) {
      const int size = r % 3 == 1 ? 0 : count + 5 * r;
      for (int i = 0; i < size; ++i) (r == world.rank() ? own : expected).push_back(1000 * r + i);
      if (r == world.rank()) expected.insert(expected.end(), own.begin(), own.end());
    }
    for (const std::int64_t bytes : {1, 8, 50, 1000, 1 << 20}) {
      EXPECT_EQ(gather_values(world, own, bytes), expected) << count << " values, " << bytes << " bytes a turn";
      std::vector<std::int64_t> sent(static_cast<std::size_t>(count), world.rank());
      broadcast_in_place(world, sent.data(), count, world.size() - 1, bytes);
      EXPECT_EQ(sent, std::vector<std::int64_t>(static_cast<std::size_t>(count), world.size() - 1));
    }
    std::vector<double> ones(static_cast<std::size_t>(count), 1);
    sum_everywhere(world, ones);
    EXPECT_EQ(ones, std::vector<double>(static_cast<std::size_t>(count), world.size()));
  }
}

TEST(Communicator, LauncherAndMpiAgreeOnTheNumberOfRanks) {
  if (launched_ranks() == 0) GTEST_SKIP() << "started without a launcher";
  EXPECT_EQ(launched_ranks(), MpiSession::world_size());
  EXPECT_EQ(launched_rank(), MpiSession::world_rank());
}

TEST(Communicator, SplitsByColorInTheOrderOfKeys) {
  const Communicator world(MPI_COMM_WORLD);
  const int color = world.rank() % 2;
  const Communicator part = world.split(color, -world.rank());
  const int size_of_part = (world.size() + 1 - color) / 2;
  ASSERT_EQ(part.size(), size_of_part);
  EXPECT_EQ(part.rank(), size_of_part - 1 - world.rank() / 2);
  EXPECT_EQ(sum<std::int64_t>(part, 1), size_of_part);
}

TEST(Communicator, RanksOfOneMachineShareANode) {
  const Communicator world(MPI_COMM_WORLD);
  const Communicator node = world.split_by_node();
  EXPECT_GE(node.size(), 1);
  EXPECT_LE(node.size(), world.size());
}

TEST(Communicator, ManyCanBeMadeAndFreed) {
  // Each that is not freed takes one of a limited number of ids, 2048 with MPICH. Where there may be more ranks than
  // cores, ranks that wait busily for each other make this slow.
  const Communicator world(MPI_COMM_WORLD);
  const int count = world.size() <= 2 ? 3000 : 50;
  for (int i = 0; i < count; ++i) {
    const Communicator part = world.split(world.rank() % 3, world.rank());
    ASSERT_GE(part.size(), 1);
  }
}

TEST(Communicator, PieceSizesThatCannotBeUsedAreRefused) {
  Communicator world(MPI_COMM_WORLD);
  EXPECT_THROW(world.set_piece_bytes(0), ArgumentError);
  EXPECT_THROW(world.set_piece_bytes(6), ArgumentError);
  EXPECT_THROW(world.set_piece_bytes(std::int64_t(1) << 31), ArgumentError);
  EXPECT_NO_THROW(world.set_piece_bytes(4));
}

TEST(Communicator, FailuresOfMpiAreErrorsThatNameTheOperation) {
  const Communicator world(MPI_COMM_WORLD);
  int value = 0;
  const int code = MPI_Send(&value, 1, MPI_INT, world.size() + 5, 0, world.mpi());
  try {
    check_mpi(code, "MPI_Send to nowhere");
    FAIL() << "sending to a rank that does not exist succeeded";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("MPI_Send to nowhere"), std::string::npos) << error.what();
  }
}

TEST(Communicator, GpuAwareTransportIsRefusedWhereMemoryIsTheHosts) {
  if (is_gpu<Kokkos::DefaultExecutionSpace>) GTEST_SKIP() << "there is a GPU here";
  EXPECT_THROW(Communicator(MPI_COMM_WORLD, TransportChoice::gpu_aware), ArgumentError);
}

TEST(Communicator, NcclIsRefusedWhereMemoryIsTheHosts) {
  if (is_gpu<Kokkos::DefaultExecutionSpace>) GTEST_SKIP() << "there is a GPU here";
  EXPECT_THROW(Communicator(MPI_COMM_WORLD, TransportChoice::nccl), ArgumentError);
}

TEST(Communicator, MixedTransportNamesBothWays) {
  const Communicator world(MPI_COMM_WORLD, TransportChoice::mixed);
  EXPECT_EQ(std::string(world.transport().name()).rfind("shared+", 0), 0u) << world.transport().name();
  // A part may have one host alone, or a rank of each.
  const Communicator part = world.split(world.rank() % 2, world.rank());
  EXPECT_EQ(std::string(part.transport().name()).rfind("shared+", 0), 0u) << part.transport().name();
  EXPECT_EQ(sum<std::int64_t>(part, 1), part.size());
}

TEST(Communicator, RanksOfOneHostShareMemoryUnlessToldOtherwise) {
  EXPECT_STREQ(Communicator(MPI_COMM_WORLD).transport().name(), "shared");
  EXPECT_STREQ(Communicator(MPI_COMM_WORLD, TransportChoice::host_staged).transport().name(), "host-staged");
}

TEST(Communicator, TransportsHaveNames) {
  EXPECT_EQ(transport_choice_from_name("auto"), TransportChoice::automatic);
  EXPECT_EQ(transport_choice_from_name("shared"), TransportChoice::shared);
  EXPECT_EQ(transport_choice_from_name("host-staged"), TransportChoice::host_staged);
  EXPECT_EQ(transport_choice_from_name("gpu-aware"), TransportChoice::gpu_aware);
  EXPECT_EQ(transport_choice_from_name("nccl"), TransportChoice::nccl);
  EXPECT_EQ(transport_choice_from_name("mixed"), TransportChoice::mixed);
  EXPECT_THROW(transport_choice_from_name("pigeon"), ArgumentError);
}

TEST(Communicator, EnvironmentNamesTheTransport) {
  ASSERT_EQ(std::getenv("DROMOS_TRANSPORT"), nullptr) << "unset it for the tests";
  setenv("DROMOS_TRANSPORT", "pigeon", 1);
  EXPECT_THROW(Communicator{MPI_COMM_WORLD}, ArgumentError);
  setenv("DROMOS_TRANSPORT", "host-staged", 1);
  EXPECT_NO_THROW(Communicator{MPI_COMM_WORLD});
  unsetenv("DROMOS_TRANSPORT");
}

TEST(Reduce, SumsMinimaAndMaxima) {
  const Communicator world(MPI_COMM_WORLD);
  const std::int64_t p = world.size();
  const std::int64_t large = std::int64_t(1) << 40;
  EXPECT_EQ(sum(world, large + world.rank()), p * large + p * (p - 1) / 2);
  EXPECT_EQ(min(world, large + world.rank()), large);
  EXPECT_EQ(max(world, large + world.rank()), large + p - 1);
  EXPECT_DOUBLE_EQ(max(world, 0.5 * world.rank()), 0.5 * static_cast<double>(p - 1));
  std::int64_t several[3] = {1, world.rank(), -1};
  sum_in_place(world, several, 3);
  EXPECT_EQ(several[0], p);
  EXPECT_EQ(several[1], p * (p - 1) / 2);
  EXPECT_EQ(several[2], -p);
}

TEST(Reduce, CountsGoToEveryRank) {
  const Communicator world(MPI_COMM_WORLD);
  std::vector<std::int64_t> counts;
  for (int r = 0; r < world.size(); ++r) counts.push_back(100 * world.rank() + r);
  const auto received = exchange_counts(world, counts);
  const auto gathered = gather_counts(world, 7 + world.rank());
  struct Place {
    double product;
    std::int32_t vertex;
  };
  const auto places = gather_each(world, Place{0.5 * world.rank(), 3 * world.rank()});
  ASSERT_EQ(places.size(), static_cast<std::size_t>(world.size()));
  for (int r = 0; r < world.size(); ++r) {
    EXPECT_EQ(places[static_cast<std::size_t>(r)].product, 0.5 * r);
    EXPECT_EQ(places[static_cast<std::size_t>(r)].vertex, 3 * r);
    EXPECT_EQ(received[r], 100 * r + world.rank());
    EXPECT_EQ(gathered[r], 7 + r);
  }
}

TEST(Agree, NobodyThrowsWhereNobodyFailed) {
  const Communicator world(MPI_COMM_WORLD);
  EXPECT_EQ(on_all_ranks(world, [&] { return 10 + world.rank(); }), 10 + world.rank());
  EXPECT_NO_THROW(on_all_ranks(world, [] {}));
}

TEST(Agree, AllRanksThrowWhatOneRankThrew) {
  const Communicator world(MPI_COMM_WORLD);
  const int last = world.size() - 1;
  const std::string named = world.size() == 1 ? "" : "rank " + std::to_string(last) + ": ";
  const auto expect_error = [&](auto&& fail, const std::string& message, bool bad_input) {
    try {
      on_all_ranks(world, [&] {
        if (world.rank() == last) fail();
      });
      FAIL() << "rank " << last << " failed, and this rank went on";
    } catch (const Error& error) {
      EXPECT_EQ(named + message, error.what());
      EXPECT_EQ(dynamic_cast<const ArgumentError*>(&error) != nullptr, bad_input);
      EXPECT_TRUE(is_agreed(error));
    }
  };
  expect_error([] { throw ArgumentError("no such root"); }, "no such root", true);
  expect_error([] { throw InputError("g.txt", 7, "not a number"); }, "g.txt:7: not a number", true);
  expect_error([] { throw Error("broken"); }, "broken", false);
  expect_error([] { throw MemoryError("a graph", 2048, 1024); }, MemoryError("a graph", 2048, 1024).what(), false);
  expect_error([] { throw 3; }, "an unknown exception (this should not happen: please report it)", false);
  // Whoever meets it, memory that ran out is a MemoryError on all.
  EXPECT_THROW(on_all_ranks(world,
                            [&] {
                              if (world.rank() == last) throw std::bad_alloc();
                            }),
               MemoryError);
  EXPECT_THROW(on_all_ranks(world,
                            [&] {
                              if (world.rank() == 0) {
                                throw std::runtime_error("Kokkos failed to allocate memory for label \"rows\"");
                              }
                            }),
               MemoryError);
  EXPECT_EQ(sum<std::int64_t>(world, 1), world.size());  // ranks are still in step
}

TEST(Agree, TheFirstFailingRankSpeaks) {
  const Communicator world(MPI_COMM_WORLD);
  try {
    on_all_ranks(world, [&] {
      if (world.rank() >= world.size() / 2) throw Error("from " + std::to_string(world.rank()));
    });
    FAIL();
  } catch (const Error& error) {
    const std::string first = std::to_string(world.size() / 2);
    EXPECT_EQ((world.size() == 1 ? "" : "rank " + first + ": ") + "from " + first, error.what());
  }
}

TEST(Agree, WhatAllRanksThrowNamesNoRank) {
  const Communicator world(MPI_COMM_WORLD);
  try {
    on_all_ranks(world, [] { throw ArgumentError("the same everywhere"); });
    FAIL();
  } catch (const ArgumentError& error) {
    EXPECT_STREQ(error.what(), "the same everywhere");
  }
}

}  // namespace
}  // namespace dromos::test
