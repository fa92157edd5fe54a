// SPDX-License-Identifier: BSD-3-Clause
#include "io/formats/parquet_table.hpp"

#include <arrow/buffer.h>
#include <arrow/io/memory.h>
#include <parquet/column_reader.h>
#include <parquet/exception.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>
#include <parquet/schema.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include "io/text/line_fault.hpp"
#include "io/text/scan.hpp"

namespace dromos::io {
namespace {

/// What values of a column are made of.
enum class Kind { signed_numbers, unsigned_numbers, fractions, words, others };

struct Column {
  Kind kind = Kind::others;
  std::string type;  ///< as people call it
  int leaf = 0;      ///< its number among all columns, parts of nested ones included
};

Column describe(const parquet::SchemaDescriptor& schema, int field) {
  const parquet::schema::NodePtr& node = schema.group_node()->field(field);
  Column column;
  if (!node->is_primitive()) {
    column.type = "a nested type";
    return column;
  }
  if (node->is_repeated()) {
    column.type = "a list";
    return column;
  }
  column.leaf = schema.ColumnIndex(*node);
  const parquet::Type::type physical = static_cast<const parquet::schema::PrimitiveNode&>(*node).physical_type();
  const auto& logical = node->logical_type();
  const bool plain = !logical || logical->is_none() || logical->is_invalid();
  column.type = plain ? parquet::TypeToString(physical) : logical->ToString();
  const bool is_whole = physical == parquet::Type::INT32 || physical == parquet::Type::INT64;
  if (is_whole && (plain || logical->is_int())) {
    const bool has_sign = plain || static_cast<const parquet::IntLogicalType&>(*logical).is_signed();
    column.kind = has_sign ? Kind::signed_numbers : Kind::unsigned_numbers;
  } else if (plain && (physical == parquet::Type::FLOAT || physical == parquet::Type::DOUBLE)) {
    column.kind = Kind::fractions;
  } else if (physical == parquet::Type::BYTE_ARRAY && (plain || logical->is_string() || logical->is_enum())) {
    column.kind = Kind::words;
  }
  return column;
}

[[noreturn]] void throw_damaged(const std::string& where, const std::string& what) {
  // One line, and not a page of it.
  std::string shown = what.substr(0, 200);
  std::replace(shown.begin(), shown.end(), '\n', ' ');
  throw LineFault{nullptr,
                  "expected " + (where.empty() ? "a Parquet file" : where) +
                      " as Apache Arrow reads it, found it damaged, cut off or of another kind (" + shown +
                      "); fetch or write the file again",
                  false};
}

/// Calls f(), and makes a LineFault of what Arrow's libraries throw.
template <class F>
auto reading(const std::string& where, const F& f) {
  try {
    return f();
  } catch (const LineFault&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw_damaged(where, error.what());
  }
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

struct ParquetTable::State {
  std::unique_ptr<parquet::ParquetFileReader> file;
  std::vector<std::string> names;
  std::vector<Column> columns;
};

ParquetTable::ParquetTable(std::string_view bytes) : state_(std::make_unique<State>()) {
  if (ends_with(bytes, "PARE")) {
    throw LineFault{nullptr, "expected a Parquet file, found an encrypted one: write it without encryption", false};
  }
  if (bytes.size() < 12 || !ends_with(bytes, "PAR1")) {
    throw LineFault{nullptr,
                    "expected a Parquet file that ends as it begins, with PAR1, found " +
                        quoted(bytes.substr(bytes.size() - std::min<std::size_t>(4, bytes.size()))) +
                        " at its end: it was cut off; fetch or write it again",
                    false};
  }
  reading("", [&] {
    parquet::ReaderProperties properties = parquet::default_reader_properties();
    properties.set_page_checksum_verification(true);
    const auto buffer = std::make_shared<arrow::Buffer>(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                                        static_cast<std::int64_t>(bytes.size()));
    state_->file = parquet::ParquetFileReader::Open(std::make_shared<arrow::io::BufferReader>(buffer), properties);
    const parquet::SchemaDescriptor& schema = *state_->file->metadata()->schema();
    for (int i = 0; i < schema.group_node()->field_count(); ++i) {
      state_->names.push_back(schema.group_node()->field(i)->name());
      state_->columns.push_back(describe(schema, i));
    }
    constexpr std::int64_t most = std::int64_t(1) << 48;
    std::int64_t all = 0;
    for (int group = 0; group < num_row_groups(); ++group) {
      if (num_rows(group) >= 0 && num_rows(group) <= most) all += num_rows(group);
      if (num_rows(group) < 0 || num_rows(group) > most || all > most) {
        throw_damaged(
            "", "row group " + std::to_string(group + 1) + " declares " + std::to_string(num_rows(group)) + " rows");
      }
    }
  });
}

ParquetTable::~ParquetTable() = default;

const std::vector<std::string>& ParquetTable::column_names() const { return state_->names; }

int ParquetTable::num_row_groups() const { return state_->file->metadata()->num_row_groups(); }

std::int64_t ParquetTable::num_rows(int row_group) const {
  return state_->file->metadata()->RowGroup(row_group)->num_rows();
}

void ParquetTable::check_is_end(std::size_t column) const {
  const Column& found = state_->columns[column];
  if (found.kind != Kind::others && found.kind != Kind::fractions) return;
  const std::string hint = found.kind == Kind::fractions
                               ? "; pandas makes fractions of whole numbers where one is missing: drop those rows and "
                                 "write the column with astype('int64')"
                               : "; name another one (--columns SOURCE,TARGET), or write the column in another type";
  throw LineFault{nullptr,
                  "expected whole numbers or strings in column " + io::quoted(state_->names[column]) +
                      ", which has vertices, found " + found.type + hint,
                  false};
}

void ParquetTable::check_is_weight(std::size_t column) const {
  const Column& found = state_->columns[column];
  if (found.kind != Kind::others && found.kind != Kind::words) return;
  throw LineFault{nullptr,
                  "expected numbers in column " + io::quoted(state_->names[column]) + ", which has weights, found " +
                      found.type +
                      "; name another one (--columns SOURCE,TARGET,WEIGHT), write the column as float64 or int64, or "
                      "read without weights",
                  false};
}

struct ParquetTable::Cursor::State {
  Column column;
  std::string name;
  std::shared_ptr<parquet::RowGroupReader> group;
  std::shared_ptr<parquet::ColumnReader> reader;
  std::int64_t row = 0;  ///< the next one, counted from 1

  std::string place(std::int64_t at) const { return "in row " + std::to_string(at) + " of column " + io::quoted(name); }

  [[noreturn]] void fail(std::int64_t at, const std::string& expected, const std::string& found) const {
    throw LineFault{nullptr, "expected " + expected + " " + place(at) + ", found " + found, false};
  }

  /// Calls take(i, value) for the next `count` rows, i from 0 on, as values of one physical type.
  template <class Type, class Take>
  void for_each_of(std::int64_t count, const Take& take) {
    using Value = typename Type::c_type;
    auto& typed = static_cast<parquet::TypedColumnReader<Type>&>(*reader);
    constexpr std::int64_t piece = 4096;
    std::vector<std::int16_t> levels(static_cast<std::size_t>(std::min(piece, count)));
    std::vector<Value> values(levels.size());
    const std::int16_t present = reader->descr()->max_definition_level();
    for (std::int64_t done = 0; done < count;) {
      std::int64_t num_values = 0;
      const std::int64_t wanted = std::min(piece, count - done);
      const std::int64_t num_read =
          reader->HasNext() ? typed.ReadBatch(wanted, levels.data(), nullptr, values.data(), &num_values) : 0;
      if (num_read <= 0) {
        throw_damaged("column " + io::quoted(name), "its values end before row " + std::to_string(row));
      }
      if (num_values < num_read) {
        const auto missing = std::find_if(levels.begin(), levels.begin() + num_read,
                                          [&](std::int16_t level) { return level < present; });
        fail(row + (missing - levels.begin()), "a value", "none (null); drop such rows, or fill them");
      }
      for (std::int64_t i = 0; i < num_read; ++i) take(done + i, values[static_cast<std::size_t>(i)]);
      done += num_read;
      row += num_read;
    }
  }

  /// take() gets std::int64_t, std::uint64_t, float, double or std::string_view.
  template <class Take>
  void for_each(std::int64_t count, const Take& take) {
    reading("column " + io::quoted(name), [&] {
      switch (reader->type()) {
        case parquet::Type::INT32:
          return for_each_of<parquet::Int32Type>(count, [&](std::int64_t i, std::int32_t value) {
            if (column.kind == Kind::unsigned_numbers) return take(i, std::uint64_t(static_cast<std::uint32_t>(value)));
            take(i, std::int64_t(value));
          });
        case parquet::Type::INT64:
          return for_each_of<parquet::Int64Type>(count, [&](std::int64_t i, std::int64_t value) {
            if (column.kind == Kind::unsigned_numbers) return take(i, static_cast<std::uint64_t>(value));
            take(i, value);
          });
        case parquet::Type::FLOAT:
          return for_each_of<parquet::FloatType>(count, take);
        case parquet::Type::DOUBLE:
          return for_each_of<parquet::DoubleType>(count, take);
        case parquet::Type::BYTE_ARRAY:
          return for_each_of<parquet::ByteArrayType>(count, [&](std::int64_t i, const parquet::ByteArray& value) {
            take(i, std::string_view(reinterpret_cast<const char*>(value.ptr), value.len));
          });
        default:
          throw_damaged("column " + io::quoted(name), "its type is not that of the file's schema");
      }
    });
  }
};

ParquetTable::Cursor::Cursor(const ParquetTable& table, int row_group, std::size_t column, std::int64_t first_row)
    : state_(std::make_unique<State>()) {
  state_->column = table.state_->columns[column];
  state_->name = table.state_->names[column];
  state_->row = first_row;
  reading("column " + io::quoted(state_->name), [&] {
    state_->group = table.state_->file->RowGroup(row_group);
    state_->reader = state_->group->Column(state_->column.leaf);
  });
}

ParquetTable::Cursor::~Cursor() = default;

namespace {

/// A value as a message has it.
template <class Value>
std::string shown(const Value& value) {
  if constexpr (std::is_same_v<Value, std::string_view>) {
    return quoted(value);
  } else if constexpr (std::is_floating_point_v<Value>) {
    std::array<char, 64> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() ? std::string(text.data(), end) : "a number";
  } else {
    return std::to_string(value);
  }
}

/// Do the 24 bits of a float hold this whole number?
bool is_held(std::uint64_t magnitude) {
  return magnitude == 0 || (magnitude >> __builtin_ctzll(magnitude)) < std::uint64_t(1) << 24;
}
bool is_held(std::int64_t value) {
  return is_held(value < 0 ? std::uint64_t(0) - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value));
}
template <class Value>
bool is_held(Value value) {
  return value != std::floor(value) || static_cast<double>(static_cast<float>(value)) == static_cast<double>(value);
}

}  // namespace

void ParquetTable::Cursor::read_ids(std::int64_t count, std::int64_t* ids) {
  const std::int64_t first = state_->row;
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  const auto refuse = [&](std::int64_t i, const std::string& found) {
    state_->fail(first + i, "a vertex id (a whole number from 0 to 2^63 - 1)", found);
  };
  state_->for_each(count, [&](std::int64_t i, const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_integral_v<Value>) {
      if (static_cast<std::uint64_t>(value) > largest) refuse(i, shown(value) + "; renumber the vertices");
      ids[i] = static_cast<std::int64_t>(value);
    } else if constexpr (std::is_same_v<Value, std::string_view>) {
      std::uint64_t id = 0;
      const char* const end = value.data() + value.size();
      if (value.empty() || parse_digits(value.data(), end, end, id) != end || id > largest) {
        refuse(i, quoted(value) + "; where vertices are words, give --names FILE");
      }
      ids[i] = static_cast<std::int64_t>(id);
    } else {
      refuse(i, "a fraction");
    }
  });
}

void ParquetTable::Cursor::read_words(std::int64_t count, std::string* words) {
  const std::int64_t first = state_->row;
  state_->for_each(count, [&](std::int64_t i, const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::string_view>) {
      // The names are written a line each.
      if (value.empty() || value.find_first_of(std::string_view("\n\r\0", 3)) != value.npos) {
        state_->fail(first + i, "the name of a vertex, of one line", value.empty() ? "an empty string" : quoted(value));
      }
      words[i].assign(value);
    } else {
      words[i] = shown(value);
    }
  });
}

void ParquetTable::Cursor::read_weights(std::int64_t count, float* weights, bool non_negative) {
  const std::int64_t first = state_->row;
  state_->for_each(count, [&](std::int64_t i, const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::string_view>) {
      state_->fail(first + i, "a number as the weight", quoted(value));
    } else {
      if (!(std::abs(static_cast<double>(value)) <= std::numeric_limits<float>::max())) {
        state_->fail(first + i, "a finite number of at most 3.4e38 as the weight", shown(value));
      }
      if (non_negative && value < Value(0)) {
        state_->fail(first + i, "a number of 0 or more as the weight",
                     shown(value) +
                         ": there are no shortest paths over edges of negative weight; correct it, or read without "
                         "weights");
      }
      if (non_negative && !is_held(value)) {
        state_->fail(
            first + i,
            "a weight that 24 bits hold (whole numbers up to 16777216, and larger ones that end in zero bits)",
            shown(value) + ": paths over rounded lengths would be wrong; divide all weights by a common factor");
      }
      weights[i] = static_cast<float>(value);
    }
  });
}

void ParquetTable::Cursor::expect_end() {
  reading("column " + io::quoted(state_->name), [&] {
    if (!state_->reader->HasNext()) return;
    throw_damaged("column " + io::quoted(state_->name),
                  "its row group ends before row " + std::to_string(state_->row) + ", and more values follow");
  });
}

}  // namespace dromos::io
