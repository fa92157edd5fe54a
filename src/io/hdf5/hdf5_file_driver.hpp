// SPDX-License-Identifier: BSD-3-Clause
// How HDF5 writes a file of ours: a driver in the sense of its "virtual file layer", on a descriptor that is open
// already.
//
// HDF5 1.10 does not survive a write that fails: what it could not write it keeps, tries again when the file is closed
// and once more at the end of the program, and ends there in a segmentation fault or an endless loop. So this driver
// tells HDF5 that all is well, remembers the first error of the system, and writes nothing more; whoever writes asks
// for that error. It also keeps HDF5 from opening the file by name, where another file might have taken its place.
//
//   Hdf5WriteState state{descriptor};
//   ... H5Fcreate(anything, ..., hdf5_write_access(state)) ... H5Fclose() ...
//   if (state.error != 0) ...                    // an error number of the system: ENOSPC
#pragma once

#include "io/hdf5/hdf5_handle.hpp"

namespace dromos::io {

struct Hdf5WriteState {
  int descriptor = -1;  ///< open for reading and writing; stays open
  int error = 0;        ///< the first that the system has named
};

/// HDF5's properties of a file that is written to `state.descriptor`. `state` outlives every such file.
Hdf5Id hdf5_write_access(Hdf5WriteState& state);

}  // namespace dromos::io
