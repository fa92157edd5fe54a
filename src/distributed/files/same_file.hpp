// SPDX-License-Identifier: BSD-3-Clause
// Do all ranks see the same file behind a name? Where hosts have folders of their own they need not, and ranks that
// read different files together wait for parts that do not exist, or free what they never had.
#pragma once

#include <dromos/comm/communicator.hpp>
#include <string>

namespace dromos::detail {

/// Throws on every rank: InputError where a rank cannot open the file, or sees one of another size or with other first
/// 64 KiB, which hold what an HDF5 file of Dromos says of itself. Collective.
void check_same_file(const Communicator& communicator, const std::string& path);

}  // namespace dromos::detail
