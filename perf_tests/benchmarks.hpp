// SPDX-License-Identifier: BSD-3-Clause
// The benchmarks of algorithms on one node, each described in its own source bench_NAME.cpp. bench_main.cpp makes a
// program of each, and needs no other header for it: nine programs would parse Kokkos nine times.
#pragma once

namespace dromos::perf {

struct Benchmark;

void bfs_benchmark(Benchmark& benchmark);
void cc_benchmark(Benchmark& benchmark);
void scc_benchmark(Benchmark& benchmark);
void color_benchmark(Benchmark& benchmark);
void sssp_benchmark(Benchmark& benchmark);
void pagerank_benchmark(Benchmark& benchmark);
void kcore_benchmark(Benchmark& benchmark);
void bc_benchmark(Benchmark& benchmark);
void diameter_benchmark(Benchmark& benchmark);

/// The program: its main() returns this.
int benchmark_main(void (*describe)(Benchmark&), int argc, char** argv);

}  // namespace dromos::perf
