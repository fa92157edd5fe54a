// SPDX-License-Identifier: BSD-3-Clause
// Every reader over every file of reader_cases/ and inputs/, whichever format it is in: a graph or one clear error, and
// nothing else. The files are where fuzzing starts (doc/fuzzing.md) and what it found; their names say what they are.
#include <gtest/gtest.h>

#include <algorithm>
#include <dromos/core/error.hpp>
#include <dromos/version.hpp>
#include <filesystem>
#include <vector>

#include "check_reader.hpp"
#include "io_files.hpp"

namespace dromos::test {
namespace {

std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::filesystem::path> all_cases() {
  std::vector<std::filesystem::path> files = files_below(DROMOS_READER_CASES_DIR);
  for (const std::filesystem::path& file : files_below(DROMOS_INPUTS_DIR)) files.push_back(file);
  return files;
}

TEST(ReaderCases, GiveAGraphOrOneClearError) {
  const std::vector<std::filesystem::path> cases = all_cases();
  EXPECT_GE(cases.size(), 35u);
  for (const std::filesystem::path& file : cases) {
    const std::string bytes = bytes_of(file);
    for (const GraphFormat format : {GraphFormat::automatic, GraphFormat::matrix_market, GraphFormat::edge_list,
                                     GraphFormat::metis, GraphFormat::dimacs, GraphFormat::smat}) {
      EXPECT_NO_THROW(check_reader(format, bytes)) << file << " as " << format_name(format);
    }
    EXPECT_NO_THROW(check_decompression(bytes)) << file;
    EXPECT_NO_THROW(check_hdf5(bytes)) << file;
  }
}

TEST(ReaderCases, GiveAGraphOrAnInputErrorAsFiles) {
  for (const std::filesystem::path& file : all_cases()) {
#ifndef DROMOS_ENABLE_HDF5
    if (file.extension() == ".h5") continue;  // not a matter of the file
#endif
    try {
      read_graph<std::int32_t>(file);
    } catch (const InputError& error) {
      EXPECT_EQ(error.file(), file.string());
    } catch (const std::exception& error) {
      ADD_FAILURE() << file << ": " << error.what();
    }
  }
}

}  // namespace
}  // namespace dromos::test
