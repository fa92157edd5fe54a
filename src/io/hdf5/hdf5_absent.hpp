// SPDX-License-Identifier: BSD-3-Clause
// What a build without HDF5 says of HDF5 files.
#pragma once

#include <string>

namespace dromos::io {

/// Throws ArgumentError. In builds without HDF5 only.
[[noreturn]] void refuse_hdf5(const std::string& path);

}  // namespace dromos::io
