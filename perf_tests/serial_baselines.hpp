// SPDX-License-Identifier: BSD-3-Clause
// What one thread of the host takes for the same problem by the textbook algorithm, for benchmarks that ask whether
// parallelism was worth anything. Unlike the oracles of validate/, which are written to be obviously right, these are
// written to be fast where that changes the answer: without lists of lists.
#pragma once

#include <cstdint>
#include <string>

#include "benchmark_graph.hpp"

namespace dromos::perf {

using HostGraph = CsrGraph<Vertex, Kokkos::HostSpace>;

/// Solves the problem that the benchmark `name` measures, and returns a number that depends on the whole result, so
/// that no compiler leaves it out. Of "diameter" it is one search. Throws Error for a name that it does not know.
double solve_serially(const std::string& name, const HostGraph& graph, Vertex root);

}  // namespace dromos::perf
