// SPDX-License-Identifier: BSD-3-Clause
// How the ranks of a communicator read an HDF5 file that they share. To write one they need no choice
// (distributed/files/write_slice.hpp).
#pragma once

namespace dromos {

enum class SlabAccess {
  automatic,    ///< collective where the HDF5 library can, otherwise independent
  collective,   ///< all together, through MPI-IO; needs a parallel HDF5
  independent,  ///< each opens the file by itself and reads its part. Works with any HDF5.
};

}  // namespace dromos
