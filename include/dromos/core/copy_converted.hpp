// SPDX-License-Identifier: BSD-3-Clause
// One array into another whose elements are of another type.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace dromos::detail {

/// Element by element, whatever the types.
template <class From, class To>
struct CopyConverted {
  From from;
  To to;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { to(i) = static_cast<typename To::value_type>(from(i)); }
};

}  // namespace dromos::detail
