// SPDX-License-Identifier: BSD-3-Clause
// What stands above the entries of a Matrix Market file.
#pragma once

#include <cstdint>
#include <string_view>

namespace dromos::io {

struct MatrixMarketHeader {
  bool symmetric = false;
  bool values = false;
  std::int64_t rows = 0, columns = 0, entries = 0;
  const char* sizes = nullptr;  ///< the line 'ROWS COLUMNS ENTRIES'
};

/// Throws LineFault for what is no header, or one of a matrix that is no graph.
MatrixMarketHeader read_matrix_market_header(std::string_view text);

}  // namespace dromos::io
