// SPDX-License-Identifier: BSD-3-Clause
// Graph building in the default execution space, compiled once for both widths of ids.
#include <dromos/graph/build_csr.hpp>

namespace dromos {

namespace detail {

DROMOS_ROW_BUCKETS(, std::uint16_t, std::int32_t)
DROMOS_ROW_BUCKETS(, std::uint16_t, std::int64_t)
DROMOS_ROW_BUCKETS(, std::uint32_t, std::int32_t)
DROMOS_ROW_BUCKETS(, std::uint32_t, std::int64_t)

}  // namespace detail

DROMOS_BUILD_CSR(, std::int32_t)
DROMOS_BUILD_CSR(, std::int64_t)

}  // namespace dromos
