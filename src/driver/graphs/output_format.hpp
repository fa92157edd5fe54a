// SPDX-License-Identifier: BSD-3-Clause
// Which format a graph file is written in: by --to, or by the end of its name.
#pragma once

#include <dromos/io/graph_format.hpp>
#include <string>

#include "command_line/argument_parser.hpp"

namespace dromos::driver {

/// Declares --to.
void declare_output_format(ArgumentParser& parser, std::string& name);

/// The format of that name, or, where it is empty, the one that files called like `path` have (.gz and .xz aside).
/// Throws ArgumentError when neither tells, and when `path` cannot be written, or not by this build.
GraphFormat choose_output_format(const std::string& name, const std::string& path);

/// Throws ArgumentError for a format that several ranks cannot write together: any but HDF5.
void check_ranks_can_write(const std::string& path, GraphFormat format);

/// Is this a name of HDF5 files, for results that are text otherwise?
bool names_hdf5(const std::string& path);
/// Of Matrix Market files?
bool names_matrix_market(const std::string& path);

}  // namespace dromos::driver
