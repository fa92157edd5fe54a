// SPDX-License-Identifier: BSD-3-Clause
// What a distributed algorithm found, as one HDF5 file like that of a single node (io/results.hpp), which all ranks
// write, each the values of a contiguous block of vertices.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/distributed/edge_slice.hpp>
#include <dromos/io/results.hpp>
#include <string>

namespace dromos {

/// Writes a file that appears whole or not at all. Collective.
///
/// \param table  num_vertices, names, texts and numbers: of the whole, the same on every rank. Columns: this rank's
/// block,
///               slice_of(num_vertices, rank, size) (distributed/edge_slice.hpp)
/// Throws as write_results(), on every rank.
void write_results(const Communicator& communicator, const std::string& path, const ResultTable& table);

/// This rank's block of values that every rank has, on the host.
template <class T, class Memory>
ResultValues<T> block_of(const Communicator& communicator, const Kokkos::View<const T*, Memory>& all) {
  const auto [first, last] = slice_of(static_cast<Offset>(all.extent(0)), communicator.rank(), communicator.size());
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), Kokkos::subview(all, Kokkos::make_pair(first, last)));
}

}  // namespace dromos
