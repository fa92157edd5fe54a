// SPDX-License-Identifier: BSD-3-Clause
// k-core decomposition on parts of a distributed graph, compiled once for both widths of vertex numbers.
#include <dromos/distributed/parts/part_algorithms.hpp>

namespace dromos {

DROMOS_OF_EACH_NUMBER(DROMOS_PART_KCORE, template)

}  // namespace dromos
