// SPDX-License-Identifier: BSD-3-Clause
// Strategies differ in their tuning, and a list of valid parameters must name everything that any of them has: a
// sublist has all of it, and what the chosen strategy lacks must stay neutral there, 0 or true.
#include <fmt/format.h>

#include "option_visitor.hpp"

namespace dromos::teuchos {
namespace {

/// Shows a field to the visitor, or a neutral value in its place.
template <class T, class Visit>
void visit_field(const std::string& where, Strategy& strategy, const std::string& name, const T& neutral,
                 const Visit& visit) {
  T instead = neutral;
  T* const field = find_field<T>(strategy, name);
  visit(field != nullptr ? *field : instead);
  if (instead != neutral) {
    throw ArgumentError(fmt::format("'{}': the strategy {} has no '{}'", where, strategy_name(strategy), name));
  }
}

}  // namespace

void visit_strategy(OptionVisitor& visit, const std::string& name, Strategy& strategy, const std::string& meaning) {
  visit.open(name, meaning, "name");
  std::vector<Strategy> strategies = all_strategies();
  strategies.insert(strategies.begin(), Best{});
  visit_choice(visit, "name", strategy, strategies, strategy_name, "Which strategy; best: chosen for the device");
  const auto number = [&](const std::string& field, std::int64_t most, const std::string& what) {
    visit_field<int>(name, strategy, field, 0, [&](int& value) {
      visit_integer(visit, field, value, {0, most}, what + "; 0: chosen for the device");
    });
  };
  const auto step = [&](const std::string& field, const std::string& what) {
    visit_field<bool>(name, strategy, field, true, [&](bool& value) { visit.flag(field, value, what); });
  };
  number("team size", 1024, "Threads a team");
  number("warp size", 1024, "hierarchical: threads that share a vertex of middling degree");
  number("vertices per team", 1 << 16, "All but manhattan-global: vertices a team takes");
  number("edges per team", 1 << 18, "manhattan-global: edges a team takes");
  number("queue size", 1 << 14, "Slots of a thread's queue of found vertices");
  step("coalesced", "manhattan-local: neighboring threads take neighboring edges");
  step("team scan", "manhattan-local: prefix sums by the whole team");
  step("local queue", "manhattan-local: found vertices gather in queues of the team");
  visit.close();
}

}  // namespace dromos::teuchos
