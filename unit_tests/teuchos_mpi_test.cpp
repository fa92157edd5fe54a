// SPDX-License-Identifier: BSD-3-Clause
// Teuchos communicators where Dromos takes its own, and timers of a distributed search over all ranks.
#include <gtest/gtest.h>
#include <mpi.h>

#include <Teuchos_DefaultMpiComm.hpp>
#include <Teuchos_DefaultSerialComm.hpp>
#include <Teuchos_TimeMonitor.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/distributed/distributed_search.hpp>
#include <dromos/distributed/edge_slice.hpp>
#include <dromos/generate/kronecker.hpp>
#include <dromos/teuchos/communicator.hpp>
#include <dromos/teuchos/options.hpp>
#include <dromos/teuchos/region_timers.hpp>
#include <sstream>

namespace {

using namespace dromos;
using Space = Kokkos::DefaultExecutionSpace;

TEST(TeuchosCommunicator, HasTheSameRanksInTheSameOrder) {
  int size = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm reversed = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &reversed);
  {
    const Teuchos::MpiComm<int> comm(reversed);
    const Communicator ranks = teuchos::make_communicator(comm);
    EXPECT_EQ(ranks.size(), size);
    EXPECT_EQ(ranks.rank(), size - 1 - rank);
    EXPECT_EQ(ranks.rank(), comm.getRank());
    EXPECT_EQ(sum<std::int64_t>(ranks, rank), size * (size - 1) / 2);
  }
  MPI_Comm_free(&reversed);
}

TEST(TeuchosCommunicator, SerialCommIsThisRankAlone) {
  const Teuchos::SerialComm<int> comm;
  const Communicator alone = teuchos::make_communicator(comm);
  EXPECT_EQ(alone.size(), 1);
  EXPECT_EQ(alone.rank(), 0);
}

TEST(TeuchosTimers, DistributedSearchIsSummarizedOverAllRanks) {
  const Teuchos::MpiComm<int> comm(MPI_COMM_WORLD);
  const Communicator ranks = teuchos::make_communicator(comm);
  Teuchos::ParameterList list;
  list.set("scale", 8);
  const auto kronecker = teuchos::read_options<KroneckerOptions>(list);
  DistributedInput<std::int32_t> input;
  input.slice = generate_slice<std::int32_t>(ranks, Space(), KroneckerEdges<std::int32_t>(kronecker));
  input.build.symmetrize = true;
  {
    const teuchos::RegionTimers timers;
    const auto search = make_distributed_search<std::int32_t>("relabelled-bitmask", ranks, Space(), input);
    search->search(1);
    search->search(2);
  }
  std::ostringstream text;
  Teuchos::TimeMonitor::summarize(Teuchos::ptr<const Teuchos::Comm<int>>(&comm), text, false, true, false,
                                  Teuchos::Union, "dromos::");
  const auto timer = Teuchos::TimeMonitor::lookupCounter("dromos::bfs_1d");
  ASSERT_FALSE(timer.is_null());
  EXPECT_EQ(timer->numCalls(), 2);
  if (comm.getRank() == 0) {
    EXPECT_NE(text.str().find("dromos::bfs_1d"), std::string::npos) << text.str();
    EXPECT_NE(text.str().find("dromos::build_graph_1d"), std::string::npos) << text.str();
    if (comm.getSize() > 1) {
      EXPECT_NE(text.str().find("MeanOverProcs"), std::string::npos) << text.str();
    }
  }
}

}  // namespace
