// SPDX-License-Identifier: BSD-3-Clause
// The table in a Parquet file, column by column, as Apache Arrow's Parquet library reads it. That library is seen by
// parquet_table.cpp alone, which is compiled apart: it may want a newer C++ than Dromos.
//
//   file     row groups, each with one piece of every column; pieces are pages, encoded and compressed
//   cursor   goes down one column of one row group, and makes of whatever is stored there ids, words or weights
//
// Nothing is as large as the file says before it is there: a cursor holds a page.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dromos::io {

class ParquetTable {
 public:
  /// \param bytes  the whole file, which must outlive the table
  /// Throws LineFault where it is damaged, cut off or encrypted.
  explicit ParquetTable(std::string_view bytes);
  ~ParquetTable();
  ParquetTable(const ParquetTable&) = delete;
  ParquetTable& operator=(const ParquetTable&) = delete;

  /// Of the outermost level, where a nested column is one.
  const std::vector<std::string>& column_names() const;

  int num_row_groups() const;
  std::int64_t num_rows(int row_group) const;

  /// Throws LineFault unless the column has whole numbers, or words.
  void check_is_end(std::size_t column) const;
  /// Throws LineFault unless the column has numbers.
  void check_is_weight(std::size_t column) const;

  /// \param first_row  of the row group, counted from 1 in the file, for messages
  class Cursor {
   public:
    Cursor(const ParquetTable& table, int row_group, std::size_t column, std::int64_t first_row);
    ~Cursor();

    // The next `count` rows. Each throws LineFault, with column and row, for a value that is none of these, for a
    // missing one, and where the column is damaged.

    /// Whole numbers from 0 to 2^63 - 1; words of digits are such.
    void read_ids(std::int64_t count, std::int64_t* ids);
    /// Words; whole numbers become their digits.
    void read_words(std::int64_t count, std::string* words);
    /// Finite numbers, of 0 or more and whole ones only if a float has them where `non_negative`.
    void read_weights(std::int64_t count, float* weights, bool non_negative);
    /// Throws LineFault where the column has more rows than its row group.
    void expect_end();

   private:
    struct State;
    std::unique_ptr<State> state_;
  };

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dromos::io
