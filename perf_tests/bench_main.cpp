// SPDX-License-Identifier: BSD-3-Clause
// The program of one benchmark: DROMOS_BENCHMARK is the function that describes it.
#include "benchmarks.hpp"

int main(int argc, char** argv) { return dromos::perf::benchmark_main(dromos::perf::DROMOS_BENCHMARK, argc, argv); }
