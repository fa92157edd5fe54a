// SPDX-License-Identifier: BSD-3-Clause
// A Teuchos timer may itself push a region of its name, so that Kokkos Tools see timers; such a region, pushed while we
// start or stop a timer, is the one that was just told, and goes nowhere.
#include <Kokkos_Core.hpp>
#include <Teuchos_TimeMonitor.hpp>
#include <dromos/core/error.hpp>
#include <dromos/teuchos/region_timers.hpp>
#include <memory>
#include <vector>

namespace dromos::teuchos {
namespace {

namespace Tools = Kokkos::Tools::Experimental;

/// What the callbacks, which are plain functions, work on.
struct State {
  std::string prefix;
  Tools::EventSet before;  ///< the callbacks of a tool
  /// Of the regions that are open; null for one that is not timed.
  std::vector<std::unique_ptr<Teuchos::TimeMonitor>> open;
  bool in_timer = false;
};
std::unique_ptr<State> state;

void begin_region(const char* name) {
  if (state->in_timer) return;
  if (state->before.push_region != nullptr) state->before.push_region(name);
  std::unique_ptr<Teuchos::TimeMonitor> timer;
  if (std::string(name).compare(0, state->prefix.size(), state->prefix) == 0) {
    Kokkos::fence();
    state->in_timer = true;
    timer = std::make_unique<Teuchos::TimeMonitor>(*Teuchos::TimeMonitor::getNewCounter(name));
    state->in_timer = false;
  }
  state->open.push_back(std::move(timer));
}

void end_region() {
  if (state->in_timer) return;
  if (!state->open.empty()) {
    if (state->open.back()) Kokkos::fence();
    state->in_timer = true;
    state->open.pop_back();
    state->in_timer = false;
  }
  if (state->before.pop_region != nullptr) state->before.pop_region();
}

}  // namespace

RegionTimers::RegionTimers(const std::string& prefix) {
  if (state) throw ArgumentError("there is a RegionTimers already, and regions are timed once; end that one first");
  state = std::make_unique<State>();
  state->prefix = prefix;
  state->before = Tools::get_callbacks();
  Tools::set_push_region_callback(begin_region);
  Tools::set_pop_region_callback(end_region);
}

RegionTimers::~RegionTimers() {
  Tools::set_push_region_callback(state->before.push_region);
  Tools::set_pop_region_callback(state->before.pop_region);
  state.reset();
}

}  // namespace dromos::teuchos
