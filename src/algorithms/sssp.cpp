// SPDX-License-Identifier: BSD-3-Clause
// Shortest paths in the default execution space, compiled once for both widths of ids and every type of distances.
#include <dromos/algorithms/shortest_path_tree.hpp>
#include <dromos/algorithms/sssp.hpp>

namespace dromos {

DROMOS_SSSP_OF_EACH_DISTANCE(template, std::int32_t)
DROMOS_SSSP_OF_EACH_DISTANCE(template, std::int64_t)

DROMOS_SHORTEST_PATH_TREE_OF_EACH_DISTANCE(template, std::int32_t)
DROMOS_SHORTEST_PATH_TREE_OF_EACH_DISTANCE(template, std::int64_t)

}  // namespace dromos
