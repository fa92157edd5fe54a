// SPDX-License-Identifier: BSD-3-Clause
// Searches of several ranks are no templates that users instantiate: the library has them for one execution space.
#pragma once

#include <Kokkos_Core.hpp>
#include <type_traits>

namespace dromos::detail {

/// True; for any other space the program does not compile, and the message says what to do.
template <class Space>
constexpr bool is_compiled_for() {
  static_assert(
      std::is_same_v<Space, Kokkos::DefaultExecutionSpace>,
      "searches of several ranks are compiled into the library for Kokkos' default execution space; for another "
      "one build a Dromos with a Kokkos whose default it is");
  return true;
}

}  // namespace dromos::detail
