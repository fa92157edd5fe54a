// SPDX-License-Identifier: BSD-3-Clause
// What --memory says, as --json writes it.
#pragma once

#include <functional>

#include "driver/graphs/working_memory.hpp"
#include "driver/reports/json_report.hpp"

namespace dromos::driver {

/// For GraphOptions::report_memory. `report` must outlive it.
inline std::function<bool(const MemoryNeeds&)> memory_report(JsonReport& report) {
  return [&report](const MemoryNeeds& needs) {
    report.set_graph(needs.graph_json());
    report.add_section("memory", needs.to_json());
    report.write();
    return report.leaves_stdout();
  };
}

}  // namespace dromos::driver
