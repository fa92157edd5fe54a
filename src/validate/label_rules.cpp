// SPDX-License-Identifier: BSD-3-Clause
// Rules for components, colors and cores in the default execution space, compiled once for both widths of ids.
#include <dromos/validate/color_rules.hpp>
#include <dromos/validate/core_rules.hpp>
#include <dromos/validate/strong_component_rules.hpp>
#include <dromos/validate/weak_component_rules.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template RuleResult validate_components(const Space&, const CsrGraph<std::int32_t, Memory>&,
                                        const Kokkos::View<std::int32_t*, Memory>&);
template RuleResult validate_components(const Space&, const CsrGraph<std::int64_t, Memory>&,
                                        const Kokkos::View<std::int64_t*, Memory>&);

template RuleResult validate_strong_components(const CsrGraph<std::int32_t, Memory>&,
                                               const Kokkos::View<std::int32_t*, Memory>&);
template RuleResult validate_strong_components(const CsrGraph<std::int64_t, Memory>&,
                                               const Kokkos::View<std::int64_t*, Memory>&);

template Kokkos::View<const std::int32_t*, Memory> expected_colors(const CsrGraph<std::int32_t, Memory>&);
template Kokkos::View<const std::int64_t*, Memory> expected_colors(const CsrGraph<std::int64_t, Memory>&);
template RuleResult validate_colors(const Space&, const CsrGraph<std::int32_t, Memory>&,
                                    const Kokkos::View<std::int32_t*, Memory>&,
                                    const Kokkos::View<const std::int32_t*, Memory>&);
template RuleResult validate_colors(const Space&, const CsrGraph<std::int64_t, Memory>&,
                                    const Kokkos::View<std::int64_t*, Memory>&,
                                    const Kokkos::View<const std::int64_t*, Memory>&);
template RuleResult validate_colors(const Space&, const CsrGraph<std::int32_t, Memory>&,
                                    const Kokkos::View<std::int32_t*, Memory>&);
template RuleResult validate_colors(const Space&, const CsrGraph<std::int64_t, Memory>&,
                                    const Kokkos::View<std::int64_t*, Memory>&);

template RuleResult validate_cores(const Space&, const CsrGraph<std::int32_t, Memory>&,
                                   const Kokkos::View<std::int32_t*, Memory>&);
template RuleResult validate_cores(const Space&, const CsrGraph<std::int64_t, Memory>&,
                                   const Kokkos::View<std::int64_t*, Memory>&);

}  // namespace dromos
