// SPDX-License-Identifier: BSD-3-Clause
// The ranks that a launcher (mpirun, srun) started, seen by a program that also runs alone and without MPI.
//
// Where there are several, every one of them reads the same command line; rank 0 alone speaks. Without a launcher, or
// in a build without MPI, there is one rank, and MPI is not touched.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dromos {
class MpiSession;
}

namespace dromos::driver {

/// Starts MPI where a launcher started several ranks, and ends it at the end of main().
class Ranks {
 public:
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

 private:
  std::unique_ptr<MpiSession> session_;
};

/// Did mpirun, or something like it, start this process?
bool has_launcher();
/// 1 without a launcher.
int num_ranks();
int this_rank();
/// Is this the rank that speaks?
inline bool first_rank() { return this_rank() == 0; }

/// Throws ArgumentError for the options that were given and are about several ranks, where no launcher started this;
/// their names, empty for those that were not given.
void refuse_without_ranks(const std::vector<std::string>& options);

/// The text of the first rank that has one, on every rank; empty where all are. Collective; also before Kokkos runs.
std::string first_text_of_ranks(const std::string& own);

/// Throws ArgumentError on every rank where one was started with other words than the first. Collective, likewise.
void check_same_words(const std::vector<std::string>& words);

/// Runs what each rank does for itself, such as a check of options. What it throws on any, all throw; collective.
void on_every_rank(const std::function<void()>& body);

/// Do all ranks throw this error? Then each may leave in order.
bool all_ranks_throw(const std::exception& error);

/// Says the message and ends every rank with this exit code; for errors of one rank that the others do not know of.
[[noreturn]] void abort_all_ranks(int exit_code, const std::string& message);

}  // namespace dromos::driver
