// SPDX-License-Identifier: BSD-3-Clause
// Tables in Parquet files, where Dromos was built with Apache Arrow: the columns are those of tables of text, by name
// or counted. Row groups are read side by side, straight into the place of their edges; words, which have to be met in
// order, by one thread.
#include <dromos/version.hpp>

#include "io/formats/compact_ids.hpp"
#include "io/formats/format_readers.hpp"

#ifdef DROMOS_ENABLE_PARQUET
#include <algorithm>
#include <array>
#include <utility>

#include "io/formats/parquet_table.hpp"
#include "io/formats/table_columns.hpp"
#include "io/text/text_chunks.hpp"
#endif

namespace dromos::io {

bool looks_like_parquet(std::string_view bytes) {
  if (bytes.substr(0, 4) != "PAR1") return false;
  // Text may begin with these letters, too, but does not go on with a byte of this kind.
  const unsigned char next = bytes.size() > 4 ? static_cast<unsigned char>(bytes[4]) : 0;
  return next < ' ' && next != '\n' && next != '\r' && next != '\t';
}

#ifdef DROMOS_ENABLE_PARQUET

namespace {

/// By name, or counted from 1.
std::size_t named_column(const std::string& name, const std::vector<std::string_view>& names, bool counted) {
  const std::size_t found = find_column(names, name);
  const std::string what = "expected a column " + io::quoted(name) + ", found ";
  if (!counted) {
    if (found != no_column) return found;
    throw LineFault{nullptr, what + list_of(names) + "; columns may also be counted from 1", false};
  }
  const std::size_t position = std::stoul(name) - 1;
  if (position >= names.size()) {
    throw LineFault{
        nullptr, what + io::counted(static_cast<long long>(names.size()), "column", "columns") + ": " + list_of(names),
        false};
  }
  // pandas calls columns without names 0, 1, 2.
  if (found != no_column && found != position) {
    throw LineFault{nullptr,
                    what + "one of that name, and another of that number, " + quoted(names[position]) +
                        "; give the columns names that are no numbers",
                    false};
  }
  return position;
}

EndColumns columns_of(const ParquetTable& table, const ReadOptions& options) {
  const std::vector<std::string_view> names(table.column_names().begin(), table.column_names().end());
  EndColumns columns;
  if (!options.columns.empty()) {
    const bool counted = are_counted(options.columns);
    columns.source = named_column(options.columns[0], names, counted);
    columns.target = named_column(options.columns[1], names, counted);
    if (options.columns.size() > 2) columns.weight = named_column(options.columns[2], names, counted);
  } else if (!find_usual_columns(names, columns)) {
    if (names.size() < 2 || names.size() > 3) {
      throw LineFault{nullptr,
                      "expected columns called source and target, src and dst, from and to, or alike, found " +
                          list_of(names) + "; name the two: --columns SOURCE,TARGET[,WEIGHT]",
                      false};
    }
    if (names.size() == 3) columns.weight = 2;
  }
  if (options.weights && columns.weight == no_column) {
    throw LineFault{nullptr,
                    "expected a column of weights, found " + list_of(names) +
                        "; name it as the third (--columns SOURCE,TARGET,WEIGHT), or read without weights",
                    false};
  }
  if (!options.weights) columns.weight = no_column;
  table.check_is_end(columns.source);
  table.check_is_end(columns.target);
  if (columns.weight != no_column) table.check_is_weight(columns.weight);
  return columns;
}

/// The rows before each row group, and all of them at the end.
std::vector<std::int64_t> first_rows_of(const ParquetTable& table) {
  std::vector<std::int64_t> counts;
  for (int group = 0; group < table.num_row_groups(); ++group) counts.push_back(table.num_rows(group));
  return offsets_of(counts);
}

/// Calls read(cursor, first edge, number of edges) for one column of a row group, some rows at a time.
template <class Read>
void for_each_piece(const ParquetTable& table, int group, std::size_t column, std::int64_t first, std::int64_t count,
                    const Read& read) {
  ParquetTable::Cursor cursor(table, group, column, first + 1);
  constexpr std::int64_t piece = 1 << 16;
  for (std::int64_t at = 0; at < count; at += piece) read(cursor, first + at, std::min(piece, count - at));
  cursor.expect_end();
}

EdgeColumns<std::int64_t> read_numbers(const ParquetTable& table, const EndColumns& columns,
                                       const ReadOptions& options) {
  const std::vector<std::int64_t> first_rows = first_rows_of(table);
  EdgeColumns<std::int64_t> edges(first_rows.back(), options.weights);
  parallel_for_each("dromos::read_graph::parquet", table.num_row_groups(), [&](const std::int64_t i) {
    const int group = static_cast<int>(i);
    const std::int64_t first = first_rows[static_cast<std::size_t>(i)];
    const std::int64_t count = first_rows[static_cast<std::size_t>(i + 1)] - first;
    const auto read_ends = [&](std::size_t column, std::int64_t* ids) {
      for_each_piece(
          table, group, column, first, count,
          [&](ParquetTable::Cursor& cursor, std::int64_t at, std::int64_t size) { cursor.read_ids(size, ids + at); });
    };
    read_ends(columns.source, edges.source.data());
    read_ends(columns.target, edges.target.data());
    if (!options.weights) return;
    for_each_piece(table, group, columns.weight, first, count,
                   [&](ParquetTable::Cursor& cursor, std::int64_t at, std::int64_t size) {
                     cursor.read_weights(size, edges.weight.data() + at, options.non_negative_weights);
                   });
  });
  return edges;
}

template <class Vertex>
GraphFile<Vertex> read_words(const ParquetTable& table, const EndColumns& columns, const ReadOptions& options) {
  const std::vector<std::int64_t> first_rows = first_rows_of(table);
  EdgeColumns<Vertex> edges(first_rows.back(), options.weights);
  WordTable<Vertex> words;
  std::vector<std::string> sources, targets;
  for (int group = 0; group < table.num_row_groups(); ++group) {
    const std::int64_t first = first_rows[static_cast<std::size_t>(group)];
    const std::int64_t count = first_rows[static_cast<std::size_t>(group) + 1] - first;
    ParquetTable::Cursor target_cursor(table, group, columns.target, first + 1);
    for_each_piece(table, group, columns.source, first, count,
                   [&](ParquetTable::Cursor& cursor, std::int64_t at, std::int64_t size) {
                     sources.resize(static_cast<std::size_t>(size));
                     targets.resize(static_cast<std::size_t>(size));
                     cursor.read_words(size, sources.data());
                     target_cursor.read_words(size, targets.data());
                     for (std::int64_t e = 0; e < size; ++e) {
                       edges.source(at + e) = words.number(std::move(sources[static_cast<std::size_t>(e)]));
                       edges.target(at + e) = words.number(std::move(targets[static_cast<std::size_t>(e)]));
                     }
                   });
    target_cursor.expect_end();
    if (!options.weights) continue;
    for_each_piece(table, group, columns.weight, first, count,
                   [&](ParquetTable::Cursor& cursor, std::int64_t at, std::int64_t size) {
                     cursor.read_weights(size, edges.weight.data() + at, options.non_negative_weights);
                   });
  }
  return file_of_words(edges, words);
}

}  // namespace

template <class Vertex>
GraphFile<Vertex> read_parquet(std::string_view bytes, const ReadOptions& options) {
  if (options.separator != 0) {
    throw LineFault{nullptr, "a Parquet file has no separators between its columns; leave --separator out", false};
  }
  const ParquetTable table(bytes);
  const EndColumns columns = columns_of(table, options);
  if (options.words) return read_words<Vertex>(table, columns, options);
  return compact_ids<Vertex>(read_numbers(table, columns, options));
}

#else

template <class Vertex>
GraphFile<Vertex> read_parquet(std::string_view, const ReadOptions&) {
  throw LineFault{
      nullptr,
      "expected a file that this Dromos reads, found a Parquet file, for which it must be built where Apache "
      "Arrow is installed (-D Dromos_ENABLE_PARQUET=ON); or write a table first, with pandas: "
      "pandas.read_parquet('FILE').to_csv('FILE.csv', index=False)",
      false};
}

#endif

template GraphFile<std::int32_t> read_parquet(std::string_view, const ReadOptions&);
template GraphFile<std::int64_t> read_parquet(std::string_view, const ReadOptions&);

}  // namespace dromos::io
