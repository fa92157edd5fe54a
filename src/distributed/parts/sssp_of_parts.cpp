// SPDX-License-Identifier: BSD-3-Clause
// Shortest paths and their tree on parts of a distributed graph, compiled once for both widths of vertex numbers.
#include <dromos/distributed/parts/part_algorithms.hpp>

namespace dromos {

DROMOS_OF_EACH_NUMBER(DROMOS_PART_SSSP, template)

}  // namespace dromos
