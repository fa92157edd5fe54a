// SPDX-License-Identifier: BSD-3-Clause
// A Matrix Market file with its rows and columns in another order, every value written as it stands: none goes through
// a number of fewer digits.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>

namespace dromos {

/// Writes the matrix of the file `from` to the file `to`, which appears whole or not at all and is compressed where its
/// name ends in .gz or .xz. Comments stay. A symmetric matrix stays one, by the same half, where rows and columns have
/// the same places; otherwise both halves are written.
///
/// \param row_place     by row from 0: its place; column_place likewise
/// \throws InputError for what is no Matrix Market file; ArgumentError where it has another number of rows or columns;
///         Error where `to` cannot be written
/// Cost: two serial passes over the text.
template <class Vertex>
void write_permuted_matrix(const std::string& from, const std::string& to,
                           const Kokkos::View<const Vertex*, Kokkos::HostSpace>& row_place,
                           const Kokkos::View<const Vertex*, Kokkos::HostSpace>& column_place);

extern template void write_permuted_matrix(const std::string&, const std::string&,
                                           const Kokkos::View<const std::int32_t*, Kokkos::HostSpace>&,
                                           const Kokkos::View<const std::int32_t*, Kokkos::HostSpace>&);
extern template void write_permuted_matrix(const std::string&, const std::string&,
                                           const Kokkos::View<const std::int64_t*, Kokkos::HostSpace>&,
                                           const Kokkos::View<const std::int64_t*, Kokkos::HostSpace>&);

}  // namespace dromos
