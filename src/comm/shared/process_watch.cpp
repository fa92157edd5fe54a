// SPDX-License-Identifier: BSD-3-Clause
#include "comm/shared/process_watch.hpp"

#include <unistd.h>

#include <dromos/comm/mpi_check.hpp>
#include <fstream>
#include <sstream>

namespace dromos::detail {

ProcessWatch::ProcessWatch(MPI_Comm communicator) {
  int size = 1;
  check_mpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
  processes_.resize(static_cast<std::size_t>(size));
  Process own;
  own.id = getpid();
  own.start = start_of(own.id);
  check_mpi(MPI_Allgather(&own, static_cast<int>(sizeof(Process)), MPI_BYTE, processes_.data(),
                          static_cast<int>(sizeof(Process)), MPI_BYTE, communicator),
            "MPI_Allgather");
}

int ProcessWatch::first_ended() const {
  for (std::size_t r = 0; r < processes_.size(); ++r) {
    if (start_of(processes_[r].id) != processes_[r].start) return static_cast<int>(r);
  }
  return -1;
}

int ProcessWatch::first_ended_while_waiting(MPI_Comm communicator, bool first) {
  constexpr double seconds_between = 0.2;
  int flag = 0;
  check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator, &flag, MPI_STATUS_IGNORE), "MPI_Iprobe");
  const double now = MPI_Wtime();
  if (first) next_look_ = now + seconds_between;
  if (now < next_look_) return -1;
  next_look_ = now + seconds_between;
  return first_ended();
}

/// 0: there is no such process, or it is a zombie.
unsigned long long ProcessWatch::start_of(long long id) {
  // proc(5): "id (name) state parent ...", the start is the 22nd; a name may hold spaces and parentheses.
  std::ifstream file("/proc/" + std::to_string(id) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return 0;
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream rest(line.substr(name_end + 1));
  std::string word;
  unsigned long long start = 0;
  for (int field = 3; rest >> word; ++field) {
    if (field == 3 && (word == "Z" || word == "X")) return 0;
    if (field == 22) {
      std::istringstream(word) >> start;
      break;
    }
  }
  return start;
}

}  // namespace dromos::detail
