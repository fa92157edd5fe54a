// SPDX-License-Identifier: BSD-3-Clause
#include "distributed/files/hdf5_access.hpp"

#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>

namespace dromos::detail {

SlabAccess resolve(SlabAccess access) {
#ifdef H5_HAVE_PARALLEL
  constexpr bool parallel = true;
#else
  constexpr bool parallel = false;
#endif
  if (access == SlabAccess::automatic) return parallel ? SlabAccess::collective : SlabAccess::independent;
  if (access == SlabAccess::collective && !parallel) {
    throw ArgumentError(
        "collective access to HDF5 files needs a parallel HDF5 (Debian: libhdf5-openmpi-dev), and this "
        "Dromos was built with a serial one; use independent access");
  }
  return access;
}

io::Hdf5Access shared_access([[maybe_unused]] const Communicator& communicator, SlabAccess access) {
  io::Hdf5Access result;
  if (resolve(access) == SlabAccess::independent) return result;
#ifdef H5_HAVE_PARALLEL
  result.file = io::Hdf5Id(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "properties");
  io::check_hdf5(H5Pset_fapl_mpio(result.file.get(), communicator.mpi(), MPI_INFO_NULL), "MPI-IO");
  // One rank reads what HDF5 keeps for itself, and tells the others.
  io::check_hdf5(H5Pset_all_coll_metadata_ops(result.file.get(), true), "MPI-IO");
  result.transfer = io::Hdf5Id(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "properties");
  io::check_hdf5(H5Pset_dxpl_mpio(result.transfer.get(), H5FD_MPIO_COLLECTIVE), "MPI-IO");
  result.largest = [&communicator](std::int64_t number) { return max(communicator, number); };
#endif
  return result;
}

}  // namespace dromos::detail
