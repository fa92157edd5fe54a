// SPDX-License-Identifier: BSD-3-Clause
// What must hold for every reader and every input, however damaged: one of two things, a graph or one clear error, and
// the same one however the text was cut into pieces. The fuzzers (fuzz/) ask for it with inputs that they invent, and
// io_reader_cases_test with the files in reader_cases/.
#pragma once

#include <dromos/io/graph_format.hpp>
#include <string_view>

namespace dromos::test {

/// Reads the text as that format (automatic: recognised first) into 32-bit and 64-bit ids, with and without weights, in
/// one piece and in many. Throws std::logic_error for what must not be, and lets whatever a reader should not throw
/// pass. Kokkos must be initialised.
void check_reader(GraphFormat format, std::string_view text);

/// Reads a file of these bytes as HDF5, as edges, as rows and as results: these or an InputError. Does
/// nothing in a build without HDF5.
void check_hdf5(std::string_view bytes);

/// Decompresses the bytes as each kind of compressed data, and if that gives text, checks reading it.
void check_decompression(std::string_view bytes);

}  // namespace dromos::test
