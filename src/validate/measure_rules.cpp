// SPDX-License-Identifier: BSD-3-Clause
// Rules for distances and centralities in the default execution space, compiled once for both widths of ids.
#include <dromos/validate/betweenness_rules.hpp>
#include <dromos/validate/diameter_rules.hpp>
#include <dromos/validate/distance_rules.hpp>
#include <dromos/validate/rank_rules.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template RuleResult validate_betweenness(const CsrGraph<std::int32_t, Memory>&, const std::vector<std::int32_t>&,
                                         const Kokkos::View<double*, Memory>&);
template RuleResult validate_betweenness(const CsrGraph<std::int64_t, Memory>&, const std::vector<std::int64_t>&,
                                         const Kokkos::View<double*, Memory>&);

template RuleResult validate_diameter(const CsrGraph<std::int32_t, Memory>&, std::int32_t, std::int32_t, Level, Level,
                                      std::int64_t);
template RuleResult validate_diameter(const CsrGraph<std::int64_t, Memory>&, std::int64_t, std::int64_t, Level, Level,
                                      std::int64_t);

template RuleResult validate_pagerank(const Space&, const CsrGraph<std::int32_t, Memory>&,
                                      const Kokkos::View<double*, Memory>&, double, double,
                                      const Kokkos::View<const double*, Memory>&);
template RuleResult validate_pagerank(const Space&, const CsrGraph<std::int64_t, Memory>&,
                                      const Kokkos::View<double*, Memory>&, double, double,
                                      const Kokkos::View<const double*, Memory>&);

DROMOS_VALIDATE_DISTANCES_OF_EACH_TYPE(template, std::int32_t)
DROMOS_VALIDATE_DISTANCES_OF_EACH_TYPE(template, std::int64_t)

}  // namespace dromos
