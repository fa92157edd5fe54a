// SPDX-License-Identifier: BSD-3-Clause
// What libFuzzer calls: one reader, DROMOS_FUZZED_READER, with the bytes that it invented. The format of the text is
// the reader's own whatever the bytes look like, so that each of them is reached. unit_tests/check_reader.hpp says what
// must hold.
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../unit_tests/check_reader.hpp"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  Kokkos::initialize();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string reader = DROMOS_FUZZED_READER;
  if (reader == "decompression") {
    dromos::test::check_decompression(bytes);
  } else if (reader == "hdf5") {
    dromos::test::check_hdf5(bytes);
  } else {
    dromos::test::check_reader(dromos::parse_format(reader), bytes);
  }
  return 0;
}
