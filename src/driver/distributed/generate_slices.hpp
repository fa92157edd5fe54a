// SPDX-License-Identifier: BSD-3-Clause
// dromos generate on several ranks.
#pragma once

#include <cstdint>
#include <string>

#include "driver/graphs/generator_options.hpp"

namespace dromos::driver {

/// Each rank generates its part of the edges and writes it to the HDF5 file. Returns the exit code; throws AgreedError
/// on every rank.
///
/// \param num_repeats  how often edges are generated, which is measured
int generate_slices(const GeneratorOptions& generator, const std::string& output, bool directed,
                    std::int64_t num_repeats);

}  // namespace dromos::driver
