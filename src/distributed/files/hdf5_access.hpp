// SPDX-License-Identifier: BSD-3-Clause
// HDF5's properties for ranks that share a file.
#pragma once

#include <dromos/comm/communicator.hpp>
#include <dromos/distributed/files/slab_access.hpp>

#include "io/hdf5/hdf5_input.hpp"

namespace dromos::detail {

/// Never automatic. Throws ArgumentError for collective access with a serial HDF5.
SlabAccess resolve(SlabAccess access);

/// For reading together, or, where access is independent, each alone. The communicator outlives the result.
io::Hdf5Access shared_access(const Communicator& communicator, SlabAccess access);

}  // namespace dromos::detail
