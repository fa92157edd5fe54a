// SPDX-License-Identifier: BSD-3-Clause
#include "driver/base/region_times.hpp"

#include <dromos/version.hpp>

#ifdef DROMOS_ENABLE_TEUCHOS
#include <Teuchos_DefaultSerialComm.hpp>
#include <Teuchos_TimeMonitor.hpp>
#include <cerrno>
#include <cstdio>
#include <dromos/core/error.hpp>
#include <dromos/io/replaced_file.hpp>
#include <dromos/teuchos/region_timers.hpp>
#include <memory>
#include <sstream>
#include <string>

#include "driver/base/ranks.hpp"
#ifdef DROMOS_ENABLE_MPI
#include <Teuchos_DefaultMpiComm.hpp>
#endif
#endif

namespace dromos::driver {

#ifdef DROMOS_ENABLE_TEUCHOS
namespace {

std::unique_ptr<Teuchos::Comm<int>> all_ranks() {
#ifdef DROMOS_ENABLE_MPI
  if (num_ranks() > 1) return std::make_unique<Teuchos::MpiComm<int>>(MPI_COMM_WORLD);
#endif
  return std::make_unique<Teuchos::SerialComm<int>>();
}

}  // namespace

void declare_timers(ArgumentParser& parser, bool& wanted) {
  parser.add_flag("--timers", wanted, "Show what each region of the library took, over all ranks").group("Results");
}

int with_timers(const CommandAction& action) {
  int exit_code = exit_fine;
  {
    const teuchos::RegionTimers timers;
    exit_code = action();
  }
  // Ranks may differ in what they entered: only the first reads the graph.
  const std::unique_ptr<Teuchos::Comm<int>> comm = all_ranks();
  std::ostringstream text;
  Teuchos::TimeMonitor::summarize(Teuchos::ptr<const Teuchos::Comm<int>>(comm.get()), text, false, true, false,
                                  Teuchos::Union, "dromos::");
  const std::string times = text.str();
  const bool arrived = std::fwrite(times.data(), 1, times.size(), stderr) == times.size() && std::fflush(stderr) == 0;
  if (!arrived) throw Error(describe_write_failure("stderr", errno));  // they were asked for
  return exit_code;
}
#else
void declare_timers(ArgumentParser&, bool&) {}
int with_timers(const CommandAction& action) { return action(); }
#endif

}  // namespace dromos::driver
