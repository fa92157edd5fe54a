// SPDX-License-Identifier: BSD-3-Clause
// What a program can say about the Dromos it was built with: for `--version`, for the head of a result file, for a bug
// report. The same facts as preprocessor macros are in dromos/version.hpp.
#pragma once

#include <string>
#include <vector>

namespace dromos {

/// Everything that was decided when Dromos was configured and compiled.
struct BuildInfo {
  std::string version;         ///< "0.1.0"
  std::string git_commit;      ///< hash of the commit, with "-dirty" where files differed from it; empty outside of git
  std::string build_type;      ///< "Release"
  std::string compiler;        ///< "GNU 12.2.0"
  std::string kokkos_version;  ///< of the headers compiled against, "3.4.1"
  std::vector<std::string> kokkos_devices;  ///< the backends of that Kokkos, "OPENMP", "SERIAL"
  std::string default_execution_space;      ///< the one Dromos uses unless told otherwise, "OpenMP"
  std::vector<std::string> enabled_parts;   ///< of the optional ones, with versions: "MPI 3.1", "HDF5 1.10.8"
  std::vector<std::string> disabled_parts;  ///< the other optional ones: "CUDA"
};

/// Needs no initialized Kokkos.
const BuildInfo& build_info();

/// build_info() in a few lines for people; ends with a newline.
std::string version_text();

}  // namespace dromos
