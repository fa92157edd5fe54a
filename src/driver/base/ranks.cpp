// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/ranks.hpp"

#include <cstdio>
#include <cstdlib>
#include <dromos/core/error.hpp>
#include <dromos/io/replaced_file.hpp>
#include <dromos/version.hpp>

#ifdef DROMOS_ENABLE_MPI
#include <mpi.h>

#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_check.hpp>
#include <dromos/comm/mpi_session.hpp>

#include "command_line/abort_all_ranks.hpp"
#else
namespace dromos {
class MpiSession {};
}  // namespace dromos
#endif

namespace dromos::driver {

#ifdef DROMOS_ENABLE_MPI

Ranks::Ranks() {
  if (launched_ranks() > 1) session_ = std::make_unique<MpiSession>();
}

bool has_launcher() { return launched_ranks() > 0; }
int num_ranks() { return MpiSession::is_running() ? MpiSession::world_size() : 1; }
int this_rank() { return MpiSession::is_running() ? MpiSession::world_rank() : 0; }
std::string first_text_of_ranks(const std::string& own) {
  if (num_ranks() == 1) return own;
  int first = own.empty() ? num_ranks() : this_rank();
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD), "MPI_Allreduce");
  if (first == num_ranks()) return "";
  int length = static_cast<int>(own.size());
  check_mpi(MPI_Bcast(&length, 1, MPI_INT, first, MPI_COMM_WORLD), "MPI_Bcast");
  std::string text = own;
  text.resize(static_cast<std::size_t>(length));
  check_mpi(MPI_Bcast(&text[0], length, MPI_CHAR, first, MPI_COMM_WORLD), "MPI_Bcast");
  return text;
}

void on_every_rank(const std::function<void()>& body) {
  if (num_ranks() == 1) return body();
  on_all_ranks(Communicator(MPI_COMM_WORLD, TransportChoice::host_staged), body);
}
bool all_ranks_throw(const std::exception& error) { return is_agreed(error); }
void abort_all_ranks(int exit_code, const std::string& message) {
  remove_temporary_files();
  dromos::abort_all_ranks(exit_code, message);
}

#else

std::string first_text_of_ranks(const std::string& own) { return own; }
Ranks::Ranks() = default;
bool has_launcher() { return false; }
int num_ranks() { return 1; }
int this_rank() { return 0; }
void on_every_rank(const std::function<void()>& body) { body(); }
bool all_ranks_throw(const std::exception&) { return true; }
void abort_all_ranks(int exit_code, const std::string& message) {
  remove_temporary_files();
  std::fprintf(stderr, "%s\n", message.c_str());
  std::_Exit(exit_code);
}

#endif

Ranks::~Ranks() = default;

void check_same_words(const std::vector<std::string>& words) {
  std::string own = "dromos";
  for (const std::string& word : words) own += " " + word;
  // Not empty, so that the first rank's is what all get.
  const std::string first = first_text_of_ranks(own);
  const std::string message =
      first_text_of_ranks(own == first ? ""
                                       : "rank " + std::to_string(this_rank()) + " was started as '" + own +
                                             "', and rank 0 as '" + first + "'; give all ranks the same command line");
  if (!message.empty()) throw ArgumentError(message);
}

void refuse_without_ranks(const std::vector<std::string>& options) {
  if (has_launcher()) return;
  for (const std::string& option : options) {
    if (option.empty()) continue;
    throw ArgumentError(
        option + " has no effect on one rank; a launcher starts several (mpirun -n 4 dromos ...), or leave it out");
  }
}

}  // namespace dromos::driver
