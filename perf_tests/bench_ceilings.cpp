// SPDX-License-Identifier: BSD-3-Clause
// The device's ceilings: see ceilings.hpp.
//
//   bench_ceilings --json ceilings.json
//   bench_bfs --scale 22 --ceilings ceilings.json        # and how far from them is a search?
#include <cstdio>

#include "benchmark_program.hpp"
#include "ceilings.hpp"
#include "command_line/argument_parser.hpp"

int main(int argc, char** argv) {
  using namespace dromos;
  using namespace dromos::perf;
  int most_mib = 1024;
  std::string json;
  ArgumentParser parser("How fast this device moves data: in order, at random, by atomics; and launches kernels");
  parser.add_option("--most-mib", most_mib, "MiB of the largest table, a power of two").in_range(1);
  parser.add_option("--json", json, "write the figures to this file");
  return run_program("bench_ceilings", parser, argc, argv, [&] {
    const Ceilings ceilings = measure_ceilings(1048576.0 * most_mib);
    std::printf("%s, %s, %d threads\n", device_name().c_str(), Space::name(), Space().concurrency());
    std::printf("  read in order     %10.2f GB/s\n", 1e-9 * ceilings.read_bytes_per_second);
    std::printf("  copy in order     %10.2f GB/s, read plus written\n", 1e-9 * ceilings.copy_bytes_per_second);
    std::printf("  launch and wait   %10.2f us\n", 1e6 * ceilings.launch_seconds);
    std::printf("  launch and answer %10.2f us\n", 1e6 * ceilings.answer_seconds);
    std::printf("  %12s %16s %16s\n", "table KiB", "random reads G/s", "atomics G/s");
    for (std::size_t i = 0; i < ceilings.random_reads.size(); ++i) {
      std::printf("  %12.0f %16.3f %16.3f\n", ceilings.random_reads[i].table_bytes / 1024,
                  1e-9 * ceilings.random_reads[i].per_second, 1e-9 * ceilings.random_atomics[i].per_second);
    }
    if (!json.empty()) {
      Json result = result_frame("ceilings", {{"most_mib", most_mib}});
      result["rows"].push_back(ceilings.to_json());
      write_result(json, result);
    }
    return 0;
  });
}
