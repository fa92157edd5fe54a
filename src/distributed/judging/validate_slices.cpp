// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/distributed/judging/validate_slice_distances.hpp>
#include <dromos/distributed/judging/validate_slices.hpp>

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template SliceValidation validate_slices(const Communicator&, const Space&, const EdgeList<std::int32_t, Memory>&, bool,
                                         std::int32_t, const Kokkos::View<const std::int32_t*, Memory>&,
                                         const Kokkos::View<const Level*, Memory>&);
template SliceValidation validate_slices(const Communicator&, const Space&, const EdgeList<std::int64_t, Memory>&, bool,
                                         std::int64_t, const Kokkos::View<const std::int64_t*, Memory>&,
                                         const Kokkos::View<const Level*, Memory>&);

template SliceValidation validate_slice_distances(const Communicator&, const Space&,
                                                  const EdgeList<std::int32_t, Memory>&, bool, std::int32_t,
                                                  const Kokkos::View<const std::int32_t*, Memory>&,
                                                  const Kokkos::View<const float*, Memory>&);
template SliceValidation validate_slice_distances(const Communicator&, const Space&,
                                                  const EdgeList<std::int64_t, Memory>&, bool, std::int64_t,
                                                  const Kokkos::View<const std::int64_t*, Memory>&,
                                                  const Kokkos::View<const float*, Memory>&);

}  // namespace dromos
