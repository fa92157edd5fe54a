// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/ranks.hpp"

#include <cstdio>
#include <cstdlib>
#include <dromos/io/replaced_file.hpp>
#include <dromos/version.hpp>

#ifdef DROMOS_ENABLE_MPI
#include <mpi.h>

#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mpi_session.hpp>
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

int num_ranks() { return MpiSession::is_running() ? MpiSession::world_size() : 1; }
int this_rank() { return MpiSession::is_running() ? MpiSession::world_rank() : 0; }
void on_every_rank(const std::function<void()>& body) {
  if (num_ranks() == 1) return body();
  on_all_ranks(Communicator(MPI_COMM_WORLD, TransportChoice::host_staged), body);
}
bool all_ranks_throw(const std::exception& error) { return is_agreed(error); }
void abort_all_ranks(int exit_code, const std::string& message) {
  remove_temporary_files();
  MpiSession::abort_all(exit_code, message);
}

#else

Ranks::Ranks() = default;
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

}  // namespace dromos::driver
