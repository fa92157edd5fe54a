// SPDX-License-Identifier: BSD-3-Clause
// What does a message cost? Each operation of each transport on messages of growing size, in turn, on the memory that
// searches compute in:
//
//   mpirun -n 2 bench_transports
//   mpirun -n 4 bench_transports --transport shared,host-staged --operation bitwise-or --kib 128 --runs 1000
//
// Times are the slowest rank's, medians over the runs, from arrays ready to results ready. `size` is what a rank sends:
// to each other rank in an exchange, to all in the others; of changes, what it has, of which one word in 64 is another
// in each run. What arrives is checked in every run, outside of the timing.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/mpi_session.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/transfer.hpp>
#include <memory>
#include <string>
#include <vector>

#include "distributed_benchmark.hpp"

namespace {

using namespace dromos;
using perf::Json;
using Memory = perf::Space::memory_space;
using Words = Kokkos::View<std::uint32_t*, Memory>;

struct Options {
  std::vector<std::string> transports;
  std::vector<std::string> operations{"exchange", "allgather", "changes", "bitwise-or"};
  std::vector<double> kib{0.008, 4, 64, 2048, 65536};
  int runs = 100;
  std::string output;
};

/// What rank `from` says in word i to rank `to`: a function that no two ranks share, and a word in 64 no two turns.
KOKKOS_FUNCTION std::uint32_t said(int from, int to, std::int64_t i, std::uint32_t turn) {
  return static_cast<std::uint32_t>(i) * 2654435761u + static_cast<std::uint32_t>(from * 40503 + to * 9176 + 1) +
         (i % 64 == 0 ? turn : 0);
}

struct SayWords {
  Words words;
  std::int64_t each;
  int rank;
  int fixed_reader;  // -1: a block for each reader
  std::uint32_t turn;
  KOKKOS_FUNCTION void operator()(const std::int64_t i) const {
    words(i) = said(rank, fixed_reader >= 0 ? fixed_reader : static_cast<int>(i / each), i % each, turn);
  }
};

struct CountWrongWords {
  Words words;
  std::int64_t each;
  int reader;
  int num_united;  // 0: a block of each rank; else the OR of so many
  std::uint32_t turn;
  KOKKOS_FUNCTION void operator()(const std::int64_t i, std::int64_t& wrong) const {
    std::uint32_t expected = 0;
    for (int r = 0; r < num_united; ++r) expected |= said(r, 0, i, turn);
    if (num_united == 0) expected = said(static_cast<int>(i / each), reader, i % each, turn);
    wrong += words(i) != expected;
  }
};

/// One operation on arrays of one size.
struct Trial {
  const Communicator& ranks;
  std::string operation;
  std::int64_t each;  // words
  Words send, receive;
  std::vector<Block> blocks;
  std::uint32_t turn = 0;

  Trial(const Communicator& ranks_, const std::string& operation_, std::int64_t each_)
      : ranks(ranks_),
        operation(operation_),
        each(each_),
        send("bench::send", operation == "exchange" ? each * ranks.size() : each),
        receive("bench::receive", operation == "bitwise-or" ? 0 : each * ranks.size()),
        blocks(consecutive_blocks(std::vector<std::int64_t>(static_cast<std::size_t>(ranks.size()), each))) {}

  void prepare(const perf::Space& space) {
    ++turn;
    Kokkos::parallel_for("bench::say", Kokkos::RangePolicy<perf::Space>(space, 0, send.extent(0)),
                         SayWords{send, each, ranks.rank(), operation == "exchange" ? -1 : 0, turn});
    space.fence();
  }
  void run(const perf::Space& space) const {
    if (operation == "exchange") {
      alltoallv(ranks, space, send, blocks, receive, blocks);
    } else if (operation == "allgather") {
      allgatherv(ranks, space, send, each, receive, blocks);
    } else if (operation == "changes") {
      allgather_changes(ranks, space, send, receive, blocks);
    } else {
      bitwise_or(ranks, space, send);
    }
    space.fence();
  }
  bool is_right(const perf::Space& space) const {
    const bool unites = operation == "bitwise-or";
    const Words& words = unites ? send : receive;
    std::int64_t wrong = 0;
    Kokkos::parallel_reduce(
        "bench::check", Kokkos::RangePolicy<perf::Space>(space, 0, words.extent(0)),
        CountWrongWords{words, each, operation == "exchange" ? ranks.rank() : 0, unites ? ranks.size() : 0, turn},
        wrong);
    return wrong == 0;
  }
};

int benchmark(const Options& options) {
  const perf::Space space;
  const Communicator world(MPI_COMM_WORLD, TransportChoice::host_staged);
  std::vector<std::unique_ptr<Communicator>> communicators;
  if (options.transports.empty()) {
    for (const char* name : {"shared", "nccl", "gpu-aware", "host-staged"}) {
      try {
        communicators.push_back(std::make_unique<Communicator>(MPI_COMM_WORLD, transport_choice_from_name(name)));
      } catch (const ArgumentError& error) {  // on every rank, or on none
        if (world.rank() == 0) std::printf("left out: %s\n", error.what());
      }
    }
  }
  for (const std::string& name : options.transports) {
    communicators.push_back(std::make_unique<Communicator>(MPI_COMM_WORLD, transport_choice_from_name(name)));
  }
  Json result = perf::result_frame("bench_transports", {{"ranks", world.size()}, {"runs", options.runs}});
  if (world.rank() == 0) {
    std::printf("%-12s %12s %-18s %12s %12s  %s\n", "operation", "size KiB", "transport", "time us", "GB/s in",
                "valid");
  }
  for (const std::string& operation : options.operations) {
    for (const double kib : options.kib) {
      const auto words = static_cast<std::int64_t>(kib * 256 + 0.5);
      std::vector<Trial> trials;
      for (const auto& communicator : communicators) trials.emplace_back(*communicator, operation, words);
      std::vector<std::vector<double>> seconds(trials.size());
      std::vector<bool> valid(trials.size(), true);
      for (int run = -2; run < options.runs; ++run) {
        for (std::size_t t = 0; t < trials.size(); ++t) {
          trials[t].prepare(space);
          world.barrier();
          const double begin = MPI_Wtime();
          trials[t].run(space);
          const double time = max(world, MPI_Wtime() - begin);
          if (run >= 0) seconds[t].push_back(time);  // those before warm up
          if (!trials[t].is_right(space)) valid[t] = false;
        }
      }
      for (std::size_t t = 0; t < trials.size(); ++t) {
        const bool all_valid = min<std::int32_t>(world, valid[t] ? 1 : 0) == 1;
        if (world.rank() != 0) continue;
        const double time = perf::median(seconds[t]);
        const double bytes_in = 4.0 * static_cast<double>(words) * (world.size() - 1);
        const char* const name = trials[t].ranks.transport().name();
        std::printf("%-12s %12.3f %-18s %12.2f %12.3f  %s\n", operation.c_str(), kib, name, 1e6 * time,
                    1e-9 * bytes_in / time, all_valid ? "yes" : "NO");
        std::fflush(stdout);
        result["rows"].push_back({{"operation", operation},
                                  {"bytes", 4 * words},
                                  {"transport", name},
                                  {"ranks", world.size()},
                                  {"seconds", time},
                                  {"valid", all_valid}});
      }
    }
  }
  return perf::finish(world, options.output, result);
}

}  // namespace

int main(int argc, char** argv) {
  const MpiSession session;
  ArgumentParser parser("What each operation of each transport costs, by the size of messages");
  Options options;
  parser.add_option("--transport", options.transports, "which (default: all that work here)").comma_or_blank_list();
  parser.add_option("--operation", options.operations)
      .comma_or_blank_list()
      .one_of({"exchange", "allgather", "changes", "bitwise-or"});
  parser.add_option("--kib", options.kib, "KiB that a rank sends").comma_or_blank_list();
  parser.add_option("--runs", options.runs, "of each").in_range(1);
  parser.add_option("--json", options.output, "write the results to this file");
  return perf::run_benchmark("bench_transports", parser, argc, argv, [&] { return benchmark(options); });
}
