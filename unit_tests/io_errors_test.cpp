// SPDX-License-Identifier: BSD-3-Clause
// Bad input: every kind gives one InputError with the right line and a message that names what was found.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dromos/core/error.hpp>
#include <dromos/io/read_graph.hpp>
#include <dromos/version.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "io_files.hpp"

namespace dromos::test {
namespace {

struct BadText {
  const char* name;
  std::string text;
  std::int64_t line;
  std::vector<std::string> fragments;  // of the message
  GraphFormat format = GraphFormat::automatic;
  bool weights = false;
};

void PrintTo(const BadText& bad, std::ostream* out) { *out << bad.name; }

const std::string mtx = "%%MatrixMarket matrix coordinate pattern general\n";
const std::string mtx_real = "%%MatrixMarket matrix coordinate real general\n";
const std::string nul(1, '\0');

const std::vector<BadText> bad_texts = {
    // Edge lists
    {"TooFewColumns", "1 2\n3\n4 5\n", 2, {"at least 2 columns", "found 1", "'3'"}},
    {"CutOffInTheMiddle", "1 2\n3 ", 2, {"found 1", "cut off"}},
    {"TrailingGarbage", "1 2\n3 4 x\n", 2, {"as the weight", "'x'"}},
    {"TrailingGarbageAfterWeight", "1 2 3\n3 4 5 x\n", 2, {"end of the line", "'x'"}},
    {"TooManyColumns", "1 2 3\n3 4 5 6\n", 2, {"end of the line after 3 columns", "'6'"}},
    {"GarbageTouchingAnId", "1 2\n3 4x\n", 2, {"whole number", "target", "'4x'"}},
    {"FractionalId", "1 2\n3.5 4\n", 2, {"whole number", "source", "'3.5'"}},
    {"NegativeId", "1 2\n\n-3 4\n", 3, {"negative", "'-3'", "source"}},
    {"NegativeTarget", "1 2\n3 -4\n", 2, {"negative", "'-4'", "target"}},
    {"HugeId", "1 2\n9223372036854775808 4\n", 2, {"9223372036854775807", "'9223372036854775808'"}},
    {"IdBeyondAnyType", "1 2\n3 123456789012345678901234567890\n", 2, {"'123456789012345678901234567890'"}},
    {"HeaderOfColumns", "one,two\n1,2\n", 1, {"'one'", "put #", "--columns"}},
    {"EmptyColumn", "1,2\n3,,4\n", 2, {"target", "''"}},
    {"TrailingComma", "1,2\n3,4,\n", 2, {"'3,4,'"}},
    {"BinaryInTheMiddle", "1 2\n" + std::string(5000, '#') + "\n3\x01 4\n", 3, {"'3\\x01'"}},
    {"LoneCarriageReturns", "1 2\r3 4\r5 6\r", 1, {"'2\\x0d3'"}},
    {"FewerEdgesThanTheComment", "# Nodes: 3 Edges: 3\n1 2\n2 3\n", 3, {"Edges: 3", "has 2", "too early"}},
    {"BadWeight", "1 2 3\n2 3 4e\n", 2, {"number as the weight", "'4e'"}},
    {"MissingWeight", "1 2 3\n2 3\n", 2, {"at least 3 columns", "read without weights"}, GraphFormat::automatic, true},
    {"InfiniteWeight", "1 2 3\n2 3 inf\n", 2, {"finite", "'inf'"}, GraphFormat::automatic, true},
    {"HugeWeight", "1 2 3\n2 3 1e39\n", 2, {"finite", "'1e39'"}, GraphFormat::automatic, true},
    {"HugerWeight", "1 2 3\n2 3 1e999\n", 2, {"finite", "'1e999'"}, GraphFormat::automatic, true},
    {"BipartiteKonect", "% bip unweighted\n1 2\n", 1, {"bipartite"}},
    // Not text
    {"Empty", "", 0, {"empty file"}},
    {"OnlyEmptyLines", "\n \n\t\r\n", 0, {"only empty lines"}},
    {"OnlyAByteOrderMark", "\xEF\xBB\xBF", 0, {"empty file"}},
    {"BinaryGarbage", "1 2\n\x02\x03\x7F" + nul + "\x05", 2, {"binary data", "'\\x02'", "position 4"}},
    {"Zstd", "\x28\xB5\x2F\xFD\x04", 0, {"zstd -"}},
    {"Bzip2", "BZh91AY&SY", 0, {"bzip2"}},
    {"Utf16",
     "\xFF\xFE"
     "1" +
         nul + " " + nul,
     0,
     {"UTF-16"}},
    {"Prose", "Not a graph at all.\n", 1, {"whole number", "'Not'"}},
    // Matrix Market
    {"DenseMatrix", "%%MatrixMarket matrix array real general\n1 1\n1\n", 1, {"dense", "array"}},
    {"ComplexMatrix", "%%MatrixMarket matrix coordinate complex general\n1 1 0\n", 1, {"complex"}},
    {"HermitianMatrix", "%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n", 1, {"hermitian"}},
    {"SkewMatrix", "%%MatrixMarket matrix coordinate real skew-symmetric\n1 1 0\n", 1, {"skew-symmetric"}},
    {"UnknownField", "%%MatrixMarket matrix coordinate quaternion general\n1 1 0\n", 1, {"'quaternion'"}},
    {"UnknownSymmetry", "%%MatrixMarket matrix coordinate real lopsided\n1 1 0\n", 1, {"'lopsided'"}},
    {"MatrixMarketVector", "%%MatrixMarket vector coordinate real general\n1 1 0\n", 1, {"'vector'"}},
    {"ShortBanner", "%%MatrixMarket matrix coordinate real\n1 1 0\n", 1, {"general|symmetric"}},
    {"RectangularMatrix", mtx + "3 4 1\n1 2\n", 2, {"square", "3 rows", "4 columns"}},
    {"NoSizes", mtx + "% only a comment\n", 2, {"ROWS COLUMNS ENTRIES", "end of the file"}},
    {"TwoSizes", mtx + "3 1\n1 2\n", 2, {"ROWS COLUMNS ENTRIES", "'3 1'"}},
    {"NegativeSize", mtx + "-3 -3 1\n1 2\n", 2, {"number of rows", "'-3'"}},
    {"OverflowingSize", mtx + "3 3 99999999999999999999\n1 2\n", 2, {"number of entries", "'99999999999999999999'"}},
    {"MatrixTruncated", mtx + "3 3 3\n1 2\n2 3\n", 4, {"'3 3 3'", "3 edges", "has 2", "too early"}},
    {"MatrixTooLong", mtx + "3 3 2\n1 2\n\n% c\n2 3\n3 1\n1 3\n", 7, {"2 edges", "has 4", "too many"}},
    {"MatrixZeroId", mtx + "3 3 2\n1 2\n0 3\n", 4, {"from 1", "'0'", "add 1"}},
    {"MatrixIdBeyondHeader", mtx + "3 3 2\n1 2\n2 4\n", 4, {"from 1 to 3", "'4'", "target"}},
    {"MatrixSourceBeyondHeader", mtx + "3 3 2\n1 2\n4 2\n", 4, {"from 1 to 3", "'4'", "source"}},
    {"MatrixWithoutVertices", mtx + "0 0 1\n1 1\n", 3, {"no vertices", "'1'"}},
    {"MatrixPatternWithValue", mtx + "3 3 1\n1 2 0.5\n", 3, {"after 2 columns", "'0.5'"}},
    {"MatrixValueMissing", mtx_real + "3 3 2\n1 2 1\n2 3\n", 4, {"at least 3 columns", "found 2"}},
    {"MatrixValueBad", mtx_real + "3 3 2\n1 2 1\n2 3 abc\n", 4, {"number as the weight", "'abc'"}},
    {"MatrixTooManyVertices", mtx + "3000000000 3000000000 1\n1 2\n", 2, {"3000000000 vertices", "64-bit ids"}},
    {"MatrixLies", mtx + "3 3 1000000000000000\n1 2\n", 3, {"1000000000000000 edges", "has 1"}},
    // METIS
    {"MetisTruncated", "4 3\n2 3 4\n1\n", 3, {"4 vertex lines", "has 2", "too early"}, GraphFormat::metis},
    {"MetisTooLong", "% c\n2 1\n2\n1\n\n1\n", 6, {"2 vertex lines", "one more", "'1'"}, GraphFormat::metis},
    {"MetisEdgesDisagree", "3 3\n2\n1 3\n2\n", 1, {"'3 3'", "3 edges", "4 neighbors"}, GraphFormat::metis},
    {"MetisZeroId", "3 2\n2\n1 0\n2\n", 3, {"from 1 to 3", "'0'", "add 1"}},
    {"MetisIdBeyondHeader", "3 2\n2\n1 4\n2\n", 3, {"from 1 to 3", "'4'"}},
    {"MetisNegativeId", "3 2\n2\n1 -3\n2\n", 3, {"'-3'", "negative"}},
    {"MetisGarbage", "3 2\n2\n1 3;\n2\n", 3, {"'3;'"}},
    {"MetisHugeId", "3 2\n2\n1 18446744073709551616\n2\n", 3, {"'18446744073709551616'"}},
    {"MetisWeightMissing", "3 2 1\n2 7\n1 7 3\n2 8\n", 3, {"edge weight", "end of the line"}, GraphFormat::metis},
    {"MetisVertexWeightMissing", "2 1 10\n5 2\n\n", 3, {"vertex weight", "end of the line"}, GraphFormat::metis},
    {"MetisWeightBad", "3 2 1\n2 7\n1 7 3 x\n2 8\n", 3, {"edge weight", "'x'"}, GraphFormat::metis},
    {"MetisFormat", "3 2 2\n2\n1 3\n2\n", 1, {"three digits", "'2'"}, GraphFormat::metis},
    {"MetisHeader", "3\n2\n1 3\n2\n", 1, {"N M [FORMAT [WEIGHTS]]", "'3'"}, GraphFormat::metis},
    {"MetisNoHeader", "% c\n% d\n", 2, {"N M [FORMAT [WEIGHTS]]"}, GraphFormat::metis},
    {"MetisTooManyVertices", "3000000000 1\n2\n1\n", 1, {"64-bit ids"}, GraphFormat::metis},
    {"MetisLies", "1000000 1000000000000000\n2\n1\n", 3, {"1000000 vertex lines", "has 2"}, GraphFormat::metis},
    {"MetisManyWeights", "2 1 010 1000000000000\n5 2\n5 1\n", 2, {"vertex weight"}, GraphFormat::metis},
    // DIMACS
    {"DimacsTruncated", "c x\np sp 3 3\na 1 2 1\na 2 3 1\n", 4, {"3 edges", "has 2"}},
    {"DimacsTooLong", "p sp 3 1\na 1 2 1\nc\na 2 3 1\n", 4, {"1 edge,", "has 2"}},
    {"DimacsNoProblem", "c x\na 1 2 1\n", 2, {"'p sp N M'", "'a 1 2 1'"}},
    {"DimacsOnlyComments", "c x\nc y\n", 2, {"'p sp N M'", "end of the file"}},
    {"DimacsOtherProblem", "p edge 3 3\ne 1 2\n", 1, {"'p sp N M'", "'p edge 3 3'"}},
    {"DimacsOtherLine", "p sp 3 2\na 1 2 1\ne 2 3\n", 3, {"'a U V WEIGHT'", "'e 2 3'"}},
    {"DimacsNoTag", "p sp 3 2\na 1 2 1\n2 3 1\n", 3, {"'a U V WEIGHT'", "'2 3 1'"}},
    {"DimacsTagTouches", "p sp 3 2\na 1 2 1\na2 3 1\n", 3, {"'a2 3 1'"}},
    {"DimacsNoWeight", "p sp 3 2\na 1 2 1\na 2 3\n", 3, {"at least 3 columns", "found 2"}},
    {"DimacsZeroId", "p sp 3 2\na 1 2 1\na 0 3 1\n", 3, {"from 1", "'0'"}},
    {"DimacsIdBeyondHeader", "p sp 3 2\na 1 2 1\na 2 4 1\n", 3, {"from 1 to 3", "'4'"}},
    // Words that begin as lines of DIMACS do
    {"WordsFromA", "a b\nb c\n", 1, {"vertex id", "'a'", "--names"}},
    {"WordsFromC", "c d 2\nd e 3\n", 1, {"vertex id", "'c'", "--names"}},
    {"WordsFromP", "p q\nc p\n", 1, {"vertex id", "'p'", "--names"}},
    // Attributes
    {"DictionaryIsNoWeight",
     "1 2 {'weight': 3}\n",
     1,
     {"expected a weight", "{'weight': 3}", "write_weighted_edgelist"},
     GraphFormat::edge_list,
     true},
    {"DictionaryWithoutEnd", "1 2 {'a': 1\n3 4 {}\n", 1, {"the end } of a dictionary"}},
    {"AdjacencyOfMany", "1 2 3 4\n2 3\n", 1, {"--format adjacency-list"}},
    {"AdjacencyOfNone", "1 2\n5\n2 3\n", 2, {"--format adjacency-list"}},
#ifdef DROMOS_ENABLE_PARQUET
    {"Parquet", "PAR1\x15\x04", 0, {"Parquet", "cut off"}},
#else
    {"Parquet", "PAR1\x15\x04", 0, {"Parquet", "pandas.read_parquet", "to_csv", "Dromos_ENABLE_PARQUET=ON"}},
#endif
    {"ParquetAsText", "PAR1\x15\x04", 0, {"Parquet", "--format parquet"}, GraphFormat::edge_list},
    {"TextLikeParquet", "PAR1 2\n", 1, {"vertex id", "'PAR1'"}},
    // SMAT
    {"SmatTruncated", "9 9 3\n1 2 1\n7 2 1\n", 3, {"3 edges", "has 2"}},
    {"SmatTooLong", "9 9 1\n1 2 1\n7 2 1\n", 3, {"1 edge,", "has 2"}},
    {"SmatIdBeyondHeader", "3 3 2\n0 1 1\n1 3 1\n", 3, {"from 0 to 2", "'3'"}, GraphFormat::smat},
    {"SmatRectangular", "9 8 2\n1 2 1\n7 2 1\n", 1, {"square", "edge list"}},
    {"SmatHeader", "9 9\n1 2 1\n", 1, {"ROWS COLUMNS ENTRIES"}, GraphFormat::smat},
    {"SmatValueMissing", "9 9 2\n1 2 1\n7 2\n", 3, {"at least 3 columns"}, GraphFormat::smat},
};

class BadTextTest : public testing::TestWithParam<BadText> {};

TEST_P(BadTextTest, GivesOneClearError) {
  const BadText& bad = GetParam();
  const TemporaryFolder folder;
  const std::string path = folder.write("graph.txt", bad.text);
  for (const std::int64_t chunk_bytes : {1, 7, 1 << 20}) {
    ReadOptions options;
    options.format = bad.format;
    options.weights = bad.weights;
    options.chunk_bytes = chunk_bytes;
    try {
      read_graph<std::int32_t>(path, options);
      FAIL() << "expected InputError";
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_EQ(error.file(), path);
      EXPECT_EQ(error.line(), bad.line) << message;
      EXPECT_EQ(message.find(path + (bad.line > 0 ? ":" + std::to_string(bad.line) : "") + ": "), 0u) << message;
      for (const std::string& fragment : bad.fragments) {
        EXPECT_NE(message.find(fragment), std::string::npos) << "no \"" << fragment << "\" in: " << message;
      }
      EXPECT_EQ(message.find('\n'), std::string::npos);
      EXPECT_LT(message.size(), path.size() + 400);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, BadTextTest, testing::ValuesIn(bad_texts),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

/// The message of the InputError that reading gives; it must belong to the file as a whole.
std::string message_of(const std::string& path) {
  try {
    read_graph<std::int32_t>(path);
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), 0);
    EXPECT_EQ(error.file(), path);
    return error.what();
  }
  ADD_FAILURE() << "expected InputError for " << path;
  return "";
}

void expect_in(const std::string& fragment, const std::string& message) {
  EXPECT_NE(message.find(fragment), std::string::npos) << message;
}

TEST(BadFile, Missing) {
  const TemporaryFolder folder;
  expect_in("no such file", message_of(folder.path("absent.txt")));
  expect_in("no such file", message_of(folder.write("file", "1 2\n") + "/below"));
}

TEST(BadFile, Folder) {
  const TemporaryFolder folder;
  expect_in("folder", message_of(folder.path("")));
}

TEST(BadFile, NoPermission) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may read everything";
  const TemporaryFolder folder;
  const std::string path = folder.write("secret.txt", "1 2\n");
  ASSERT_EQ(chmod(path.c_str(), 0), 0);
  expect_in("no permission", message_of(path));
}

TEST(BadFile, EveryTruncationOfCompressedFiles) {
  const TemporaryFolder folder;
  for (const char* name : {"/example.txt.gz", "/example.txt.xz"}) {
    const std::string bytes = bytes_of(std::string(DROMOS_INPUTS_DIR) + name);
    ASSERT_GT(bytes.size(), 100u);
    for (std::size_t size = 6; size < bytes.size(); ++size) {
      const std::string message = message_of(folder.write("cut", bytes.substr(0, size)));
      expect_in("cut off after " + std::to_string(size) + " bytes of it", message);
      ASSERT_FALSE(testing::Test::HasFailure()) << name << " cut to " << size << " of " << bytes.size() << " bytes";
    }
  }
}

TEST(BadFile, EveryDamageToCompressedFiles) {
  // Whatever byte is changed: an error, or the true text (some bytes of the headers, such as times, do not matter).
  const TemporaryFolder folder;
  const std::string text = bytes_of(std::string(DROMOS_INPUTS_DIR) + "/example.txt");
  const std::int64_t num_bytes = static_cast<std::int64_t>(text.size());
  for (const char* name : {"/example.txt.gz", "/example.txt.xz"}) {
    const std::string bytes = bytes_of(std::string(DROMOS_INPUTS_DIR) + name);
    int num_errors = 0;
    for (std::size_t i = 6; i < bytes.size(); ++i) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
      try {
        const auto file = read_graph<std::int32_t>(folder.write("damaged", damaged));
        EXPECT_EQ(file.bytes_read, num_bytes) << name << " byte " << i;
        EXPECT_EQ(file.edges.num_edges(), 5);
        EXPECT_EQ(file.names.name(5), 1000);
      } catch (const InputError& error) {
        ++num_errors;
      }
    }
    EXPECT_GT(num_errors, static_cast<int>(bytes.size()) * 9 / 10 - 20) << name;
  }
}

TEST(BadFile, GarbageAfterCompressedData) {
  const TemporaryFolder folder;
  for (const char* name : {"/example.txt.gz", "/example.txt.xz"}) {
    const std::string bytes = bytes_of(std::string(DROMOS_INPUTS_DIR) + name);
    message_of(folder.write("garbage", bytes + "1 2\n3 4\n5 6\n7 8\n"));
  }
}

TEST(BadFile, TooLargeADictionary) {
  expect_in("xz -d", message_of(DROMOS_READER_CASES_DIR "/decompression/promises_a_dictionary_of_1536_MiB.xz"));
}

TEST(BadFile, ChunksShorterThanTheirElements) {
#ifdef DROMOS_ENABLE_HDF5
  // HDF5 1.10 would read beyond what it has of such a chunk.
  expect_in("/edge_list/vertex_name: it declares 6 elements of 8 bytes, and the file has 39 bytes of them",
            message_of(DROMOS_READER_CASES_DIR "/hdf5/chunks_shorter_than_declared.h5"));
#else
  GTEST_SKIP() << "built without HDF5";
#endif
}

TEST(LargeIds, TheErrorSaysToUse64BitsAnd64BitsWork) {
  const TemporaryFolder folder;
  const std::string path = folder.write("large.mtx", mtx + "3000000000 3000000000 1\n3000000000 1\n");
  EXPECT_THROW(read_graph<std::int32_t>(path), InputError);
  const auto file = read_graph<std::int64_t>(path);
  EXPECT_EQ(file.edges.num_vertices, 3000000000);
  EXPECT_EQ(file.edges.source(0), 2999999999);
}

}  // namespace
}  // namespace dromos::test
