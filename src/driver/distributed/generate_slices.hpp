// SPDX-License-Identifier: BSD-3-Clause
// dromos generate on several ranks.
#pragma once

#include <string>

#include "driver/graphs/generator_options.hpp"

namespace dromos::driver {

/// Each rank generates its part of the edges and writes it to the HDF5 file. Returns the exit code; throws AgreedError
/// on every rank.
int generate_slices(const GeneratorOptions& generator, const std::string& output, bool directed);

}  // namespace dromos::driver
