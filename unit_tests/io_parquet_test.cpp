// SPDX-License-Identifier: BSD-3-Clause
// Parquet files: written here by Apache Arrow, and by pandas where there is one, judged by edges written down by hand.
#include <gtest/gtest.h>

#include <dromos/version.hpp>

#ifndef DROMOS_ENABLE_PARQUET

TEST(Parquet, IsRead) { GTEST_SKIP() << "this build has no Apache Arrow, so that no Parquet file is read"; }

#else

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/util/compression.h>
#include <parquet/arrow/writer.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <dromos/core/error.hpp>
#include <dromos/io/read_graph.hpp>
#include <dromos/io/write_graph.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "io_files.hpp"

namespace dromos::test {
namespace {

using Edges = std::vector<NamedEdge>;

void require(const arrow::Status& status) {
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

/// An array of one of Arrow's types; nothing is a null.
template <class Type, class Value>
std::shared_ptr<arrow::Array> array_of(const std::vector<std::optional<Value> >& values) {
  typename arrow::TypeTraits<Type>::BuilderType builder;
  for (const auto& value : values) {
    require(value ? builder.Append(static_cast<typename arrow::TypeTraits<Type>::CType>(*value))
                  : builder.AppendNull());
  }
  return builder.Finish().ValueOrDie();
}

std::shared_ptr<arrow::Array> longs(const std::vector<std::optional<std::int64_t> >& values) {
  return array_of<arrow::Int64Type>(values);
}

std::shared_ptr<arrow::Array> doubles(const std::vector<std::optional<double> >& values) {
  return array_of<arrow::DoubleType>(values);
}

std::shared_ptr<arrow::Array> strings(const std::vector<std::string>& values) {
  arrow::StringBuilder builder;
  require(builder.AppendValues(values));
  return builder.Finish().ValueOrDie();
}

std::shared_ptr<arrow::Array> lists(std::int64_t count) {
  arrow::ListBuilder builder(arrow::default_memory_pool(), std::make_shared<arrow::Int64Builder>());
  for (std::int64_t i = 0; i < count; ++i) require(builder.Append());
  return builder.Finish().ValueOrDie();
}

struct NamedColumn {
  std::string name;
  std::shared_ptr<arrow::Array> values;
};

struct WriteSettings {
  std::int64_t rows_of_a_group = 1 << 20;
  arrow::Compression::type compression = arrow::Compression::UNCOMPRESSED;
  bool dictionary = true;
};

void write(const std::string& path, const std::vector<NamedColumn>& columns, const WriteSettings& settings = {}) {
  std::vector<std::shared_ptr<arrow::Field> > fields;
  std::vector<std::shared_ptr<arrow::Array> > arrays;
  for (const NamedColumn& column : columns) {
    fields.push_back(arrow::field(column.name, column.values->type()));
    arrays.push_back(column.values);
  }
  parquet::WriterProperties::Builder properties;
  properties.compression(settings.compression);
  if (!settings.dictionary) properties.disable_dictionary();
  const auto file = arrow::io::FileOutputStream::Open(path).ValueOrDie();
  require(parquet::arrow::WriteTable(*arrow::Table::Make(arrow::schema(fields), arrays), arrow::default_memory_pool(),
                                     file, settings.rows_of_a_group, properties.build()));
  require(file->Close());
}

template <class Vertex = std::int32_t>
GraphFile<Vertex> read(const std::vector<NamedColumn>& columns, const ReadOptions& options = {},
                       const WriteSettings& settings = {}) {
  const TemporaryFolder folder;
  write(folder.path("g"), columns, settings);
  GraphFile<Vertex> file = read_graph<Vertex>(folder.path("g"), options);
  EXPECT_EQ(file.format, GraphFormat::parquet);
  EXPECT_EQ(file.directed, std::nullopt);
  EXPECT_EQ(file.bytes_read, static_cast<std::int64_t>(bytes_of(folder.path("g")).size()));
  return file;
}

ReadOptions with_columns(std::vector<std::string> columns, bool weights = false) {
  ReadOptions options;
  options.columns = std::move(columns);
  options.weights = weights;
  return options;
}

ReadOptions with_weights(bool non_negative = false) {
  ReadOptions options;
  options.weights = true;
  options.non_negative_weights = non_negative;
  return options;
}

ReadOptions with_words() {
  ReadOptions options;
  options.format = GraphFormat::csv;  // as the program has it where there are names
  options.words = true;
  return options;
}

/// The message has all of these words, and begins with the name of the file.
void expect_error(const std::vector<NamedColumn>& columns, const ReadOptions& options,
                  const std::vector<std::string>& words, const WriteSettings& settings = {}) {
  const TemporaryFolder folder;
  const std::string path = folder.path("g");
  write(path, columns, settings);
  try {
    read_graph<std::int32_t>(path, options);
    FAIL() << "expected InputError with " << words.front();
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find(path + ": "), 0u) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    for (const std::string& word : words) EXPECT_NE(message.find(word), std::string::npos) << word << " in " << message;
  }
}

template <class Type>
void expect_ids_of_type() {
  const auto file = read({{"source", array_of<Type, int>({0, 7, 120})}, {"target", array_of<Type, int>({7, 120, 7})}});
  EXPECT_EQ(named_edges(file), (Edges{{0, 7, 0.f}, {7, 120, 0.f}, {120, 7, 0.f}})) << Type::type_name();
  EXPECT_EQ(file.edges.num_vertices, 3);
}

TEST(Parquet, IdsAreOfAnyWholeType) {
  expect_ids_of_type<arrow::Int8Type>();
  expect_ids_of_type<arrow::Int16Type>();
  expect_ids_of_type<arrow::Int32Type>();
  expect_ids_of_type<arrow::Int64Type>();
  expect_ids_of_type<arrow::UInt8Type>();
  expect_ids_of_type<arrow::UInt16Type>();
  expect_ids_of_type<arrow::UInt32Type>();
  expect_ids_of_type<arrow::UInt64Type>();
}

TEST(Parquet, LargestIds) {
  const std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  const auto file = read(
      {{"src", longs({largest, 0})}, {"dst", array_of<arrow::UInt32Type, std::uint32_t>({4294967295u, 2147483648u})}});
  EXPECT_EQ(named_edges(file), (Edges{{largest, 4294967295, 0.f}, {0, 2147483648, 0.f}}));
}

TEST(Parquet, UsualNamesAreFoundWhereverTheyStand) {
  const std::vector<NamedColumn> columns = {{"when", strings({"a", "b"})},
                                            {"Weight", doubles({0.5, 3})},
                                            {"TO", longs({2, 3})},
                                            {"lists", lists(2)},
                                            {"From", longs({1, 2})}};
  EXPECT_EQ(named_edges(read(columns)), (Edges{{1, 2, 0.f}, {2, 3, 0.f}}));
  EXPECT_EQ(named_edges(read(columns, with_weights(true))), (Edges{{1, 2, 0.5f}, {2, 3, 3.f}}));
}

TEST(Parquet, ColumnsAreNamedOrCounted) {
  const std::vector<NamedColumn> columns = {
      {"x", longs({1, 2})}, {"y", longs({20, 30})}, {"z", longs({7, 9})}, {"t", longs({5, 6})}};
  EXPECT_EQ(named_edges(read(columns, with_columns({"y", "x"}))), (Edges{{20, 1, 0.f}, {30, 2, 0.f}}));
  EXPECT_EQ(named_edges(read(columns, with_columns({"3", "4", "1"}, true))), (Edges{{7, 5, 1.f}, {9, 6, 2.f}}));
  expect_error(columns, with_columns({"x", "w"}), {"a column 'w'", "'x', 'y', 'z', 't'"});
  expect_error(columns, with_columns({"1", "5"}), {"a column '5'", "4 columns"});
  expect_error(columns, {}, {"source and target", "'x', 'y', 'z', 't'", "--columns"});
  expect_error(columns, with_columns({"x", "y"}, true), {"column of weights", "--columns"});
  // As pandas calls them where nobody did.
  const std::vector<NamedColumn> numbers = {{"0", longs({1, 2})}, {"1", longs({20, 30})}, {"2", longs({3, 4})}};
  EXPECT_EQ(named_edges(read(numbers, with_columns({"0", "1"}))), (Edges{{1, 20, 0.f}, {2, 30, 0.f}}));
  EXPECT_EQ(named_edges(read(numbers, with_weights())), (Edges{{1, 20, 3.f}, {2, 30, 4.f}}));
  expect_error(numbers, with_columns({"1", "2"}), {"'1'", "of that name", "of that number"});
}

TEST(Parquet, WeightsAreNumbersOfAnyType) {
  const NamedColumn source{"u", longs({1, 2})}, target{"v", longs({2, 3})};
  const Edges expected = {{1, 2, 4.f}, {2, 3, 16.f}};
  for (const auto& weights : {array_of<arrow::FloatType, float>({4.f, 16.f}), doubles({4., 16.}), longs({4, 16}),
                              array_of<arrow::Int8Type, int>({4, 16}), array_of<arrow::UInt64Type, int>({4, 16})}) {
    EXPECT_EQ(named_edges(read({source, target, {"w", weights}}, with_weights(true))), expected)
        << weights->type()->ToString();
  }
  const double infinite = std::numeric_limits<double>::infinity();
  expect_error({source, target, {"w", doubles({1., std::nan("")})}}, with_weights(), {"row 2 of column 'w'", "nan"});
  expect_error({source, target, {"w", doubles({infinite, 1.})}}, with_weights(), {"row 1 of column 'w'", "inf"});
  expect_error({source, target, {"w", doubles({1., 1e39})}}, with_weights(), {"row 2 of column 'w'", "3.4e38"});
  expect_error({source, target, {"w", longs({-1, 1})}}, with_weights(true), {"row 1 of column 'w'", "-1"});
  expect_error({source, target, {"w", longs({1, 16777217})}}, with_weights(true), {"row 2", "16777217", "24 bits"});
  expect_error({source, target, {"w", doubles({1., 16777217})}}, with_weights(true), {"row 2", "16777217", "24 bits"});
  expect_error({source, target, {"w", strings({"1", "2"})}}, with_weights(), {"column 'w'", "numbers", "String"});
  EXPECT_EQ(named_edges(read({source, target, {"w", longs({16777218, std::int64_t(1) << 62})}}, with_weights(true))),
            (Edges{{1, 2, 16777218.f}, {2, 3, 4611686018427387904.f}}));
  // Nobody who wants no weights is bothered with them.
  EXPECT_EQ(named_edges(read({source, target, {"w", strings({"a", "b"})}})), (Edges{{1, 2, 0.f}, {2, 3, 0.f}}));
}

TEST(Parquet, WordsAreNumberedAsTheyAreMet) {
  const NamedColumn source{"source", strings({"Ulm", "Bonn", "Ulm"})},
      target{"target", strings({"Bonn", "Kiel", "Ulm"})};
  const auto file = read({source, target}, with_words());
  EXPECT_EQ(file.words, (std::vector<std::string>{"Ulm", "Bonn", "Kiel"}));
  EXPECT_EQ(named_edges(file), (Edges{{0, 1, 0.f}, {1, 2, 0.f}, {0, 0, 0.f}}));
  expect_error({source, target}, {}, {"row 1 of column 'source'", "'Ulm'", "--names"});
  expect_error({source, {"target", strings({"a", "", "b"})}}, with_words(), {"row 2 of column 'target'", "empty"});
  expect_error({source, {"target", strings({"a", "b\nc", "b"})}}, with_words(),
               {"row 2 of column 'target'", "one line"});
  // Digits are numbers, and numbers are words where words are asked for.
  EXPECT_EQ(named_edges(read({{"source", strings({"7", "12"})}, {"target", longs({12, 900})}})),
            (Edges{{7, 12, 0.f}, {12, 900, 0.f}}));
  EXPECT_EQ(read({{"source", longs({-7, 12})}, {"target", longs({12, 900})}}, with_words()).words,
            (std::vector<std::string>{"-7", "12", "900"}));
}

TEST(Parquet, CategoriesAreWords) {
  const auto values = strings({"Bonn", "Kiel", "Ulm"});
  const auto category = [&](const std::vector<std::optional<int> >& indices) -> std::shared_ptr<arrow::Array> {
    return arrow::DictionaryArray::FromArrays(array_of<arrow::Int8Type>(indices), values).ValueOrDie();
  };
  const auto file = read({{"source", category({2, 0})}, {"target", category({1, 2})}}, with_words());
  EXPECT_EQ(file.words, (std::vector<std::string>{"Ulm", "Kiel", "Bonn"}));
}

TEST(Parquet, WhatIsNoVertexIsRefusedByColumnAndRow) {
  const NamedColumn source{"source", longs({1, 2, 3})};
  const WriteSettings groups_of_two{2};
  expect_error({source, {"target", longs({1, 2, std::nullopt})}}, {}, {"row 3 of column 'target'", "null"},
               groups_of_two);
  expect_error({source, {"target", longs({1, 2, std::nullopt})}}, with_words(), {"row 3 of column 'target'", "null"},
               groups_of_two);
  expect_error({source, {"target", longs({1, -2, 3})}}, {}, {"row 2 of column 'target'", "-2", "0 to 2^63"});
  expect_error({source, {"target", array_of<arrow::UInt64Type, std::uint64_t>({1, 2, std::uint64_t(1) << 63})}}, {},
               {"row 3 of column 'target'", "9223372036854775808"});
  expect_error({source, {"target", doubles({1., 2., 3.})}}, {}, {"column 'target'", "DOUBLE", "astype('int64')"});
  expect_error({source, {"target", lists(3)}}, {}, {"column 'target'", "nested"});
  expect_error({source, {"target", array_of<arrow::BooleanType, bool>({true, false, true})}}, {},
               {"column 'target'", "BOOLEAN"});
  expect_error({source, {"target", array_of<arrow::Date32Type, int>({1, 2, 3})}}, {}, {"column 'target'", "Date"});
  expect_error({source}, {}, {"source and target", "'source'"});
  ReadOptions separated;
  separated.separator = ';';
  separated.format = GraphFormat::csv;
  expect_error({source, {"target", longs({1, 2, 3})}}, separated, {"--separator"});
}

TEST(Parquet, NoRowsAreNoEdges) {
  const auto file = read({{"source", longs({})}, {"target", longs({})}});
  EXPECT_EQ(file.edges.num_edges(), 0);
  EXPECT_EQ(file.edges.num_vertices, 0);
}

/// Edges of three columns, and what they should be read as.
struct RandomTable {
  std::vector<NamedColumn> columns;
  Edges edges;
};

RandomTable random_table(std::size_t num_edges, std::int64_t largest_id) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<std::int64_t> id(0, largest_id);
  std::vector<std::optional<std::int64_t> > source, target;
  std::vector<std::optional<double> > weight;
  RandomTable table;
  for (std::size_t e = 0; e < num_edges; ++e) {
    source.push_back(id(random));
    target.push_back(id(random));
    weight.push_back(static_cast<double>(random() % 1000) / 8);
    table.edges.emplace_back(*source.back(), *target.back(), static_cast<float>(*weight.back()));
  }
  table.columns = {{"source", longs(source)}, {"target", longs(target)}, {"weight", doubles(weight)}};
  return table;
}

TEST(Parquet, RowGroupsPagesAndCompressionsAreOneTable) {
  for (const std::int64_t largest_id : {std::int64_t(5000), std::int64_t(1) << 50}) {
    const RandomTable table = random_table(30000, largest_id);
    for (const std::int64_t rows : {1 << 20, 11000, 999}) {
      for (const auto compression : {arrow::Compression::UNCOMPRESSED, arrow::Compression::SNAPPY,
                                     arrow::Compression::ZSTD, arrow::Compression::GZIP}) {
        if (!arrow::util::Codec::IsAvailable(compression)) continue;
        for (const bool dictionary : {true, false}) {
          const auto file = read<std::int64_t>(table.columns, with_weights(true), {rows, compression, dictionary});
          ASSERT_TRUE(named_edges(file) == table.edges) << rows << " rows, compression " << compression;
        }
      }
    }
  }
}

TEST(Parquet, WordsOfManyRowGroupsAreThoseOfATableOfText) {
  const RandomTable table = random_table(20000, 3000);
  std::string text = "source,target\n";
  for (const auto& [u, v, w] : table.edges) text += std::to_string(u) + "," + std::to_string(v) + "\n";
  const TemporaryFolder folder;
  const auto expected = read_graph<std::int32_t>(folder.write("g.csv", text), with_words());
  const auto file = read(table.columns, with_words(), {6000});
  EXPECT_EQ(file.words, expected.words);
  EXPECT_TRUE(named_edges(file) == named_edges(expected));
}

TEST(Parquet, WhatIsCutOffOrDamagedIsAnErrorOfTheFileOrAGraph) {
  const TemporaryFolder folder;
  const RandomTable table = random_table(300, 100);
  write(folder.path("g"), table.columns, {120, arrow::Compression::UNCOMPRESSED, true});
  const std::string bytes = bytes_of(folder.path("g"));
  const auto attempt = [&](const std::string& damaged) {
    const std::string path = folder.write("damaged", damaged);
    try {
      read_graph<std::int32_t>(path, with_weights());
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.find(path), 0u) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      return message;
    } catch (const MemoryError&) {
    }
    return std::string();
  };
  for (std::size_t size = 5; size < bytes.size(); size += 197) {
    EXPECT_NE(attempt(bytes.substr(0, size)).find("cut off"), std::string::npos) << size;
    // A tail that pretends to be whole.
    attempt(bytes.substr(0, size) + bytes.substr(bytes.size() - 8));
  }
  std::mt19937 random(3);
  int num_refused = 0;
  for (int i = 0; i < 500; ++i) {
    std::string damaged = bytes;
    damaged[5 + random() % (damaged.size() - 5)] ^= static_cast<char>(1 + random() % 255);
    num_refused += !attempt(damaged).empty();
  }
  EXPECT_GT(num_refused, 50);
  ReadOptions named;
  named.format = GraphFormat::parquet;
  EXPECT_THROW(read_graph<std::int32_t>(folder.write("text", "1 2\n2 3\n"), named), InputError);
}

TEST(Parquet, IsNotWritten) {
  const TemporaryFolder folder;
  const auto file = read({{"source", longs({1})}, {"target", longs({2})}});
  EXPECT_THROW(write_graph(folder.path("g.parquet"), GraphFormat::parquet, file.edges, file.names, true),
               ArgumentError);
}

TEST(Parquet, IsReadAsPandasWritesIt) {
  const TemporaryFolder folder;
  const std::string python = "/usr/bin/env python3";
  if (std::system((python + " -c 'import pandas, pyarrow' >/dev/null 2>&1").c_str()) != 0) {
    GTEST_SKIP() << "there is no python3 with pandas and pyarrow";
  }
  const std::string script = folder.write("write.py",
                                          "import sys, pandas\n"
                                          "edges = pandas.DataFrame({'source': [5, 9, 9], 'target': [9, 5, 7],\n"
                                          "                          'weight': [0.5, 2, 3]})\n"
                                          "edges[edges.weight > 1].to_parquet(sys.argv[1] + '/index')\n"
                                          "edges.to_parquet(sys.argv[1] + '/plain', compression='gzip')\n"
                                          "words = edges.astype({'source': 'str', 'target': 'category'})\n"
                                          "words.source = 'v' + words.source\n"
                                          "words.to_parquet(sys.argv[1] + '/words', row_group_size=1)\n"
                                          "missing = edges.astype({'target': 'Int64'})\n"
                                          "missing.loc[1, 'target'] = pandas.NA\n"
                                          "missing.to_parquet(sys.argv[1] + '/missing')\n");
  ASSERT_EQ(std::system((python + " " + script + " " + folder.path("")).c_str()), 0);
  EXPECT_EQ(named_edges(read_graph<std::int32_t>(folder.path("index"), with_weights())),
            (Edges{{9, 5, 2.f}, {9, 7, 3.f}}));
  EXPECT_EQ(named_edges(read_graph<std::int32_t>(folder.path("plain"), with_weights())),
            (Edges{{5, 9, 0.5f}, {9, 5, 2.f}, {9, 7, 3.f}}));
  try {
    read_graph<std::int32_t>(folder.path("missing"));
    FAIL() << "a vertex is missing";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("row 2 of column 'target'"), std::string::npos) << error.what();
  }
  try {
    const auto words = read_graph<std::int32_t>(folder.path("words"), with_words());
    EXPECT_EQ(words.words.size(), 5u);
    EXPECT_EQ(words.words.front(), "v5");
  } catch (const InputError& error) {
    FAIL() << error.what();
  }
}

}  // namespace
}  // namespace dromos::test

#endif
