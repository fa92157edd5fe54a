// SPDX-License-Identifier: BSD-3-Clause
// Rectangular matrices, and matrices written in another order of their rows and columns: every value as it stands.
#include <gtest/gtest.h>

#include <dromos/core/error.hpp>
#include <dromos/io/permute_matrix.hpp>
#include <dromos/io/read_graph.hpp>
#include <string>
#include <vector>

#include "io_files.hpp"

namespace dromos::test {
namespace {

const std::string general = "%%MatrixMarket matrix coordinate real general\n";

GraphFile<std::int32_t> read_matrix(const std::string& text, bool rectangular = true) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.rectangular = rectangular;
  return read_graph<std::int32_t>(folder.write("a.mtx", text), options);
}

/// The message of the InputError.
std::string fault_of(const std::string& text, bool rectangular) {
  try {
    read_matrix(text, rectangular);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_part(const std::string& part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos) << text << " lacks " << part;
}

template <class Vertex>
Kokkos::View<const Vertex*, Kokkos::HostSpace> places(const std::vector<Vertex>& values) {
  const Kokkos::View<Vertex*, Kokkos::HostSpace> view("places", values.size());
  for (std::size_t i = 0; i < values.size(); ++i) view(i) = values[i];
  return view;
}

template <class Vertex = std::int32_t>
std::string permuted(const std::string& text, const std::vector<Vertex>& rows, const std::vector<Vertex>& columns) {
  const TemporaryFolder folder;
  write_permuted_matrix<Vertex>(folder.write("a.mtx", text), folder.path("b.mtx"), places(rows), places(columns));
  return bytes_of(folder.path("b.mtx"));
}

TEST(MatrixMarketFormat, RectangularWhereAskedFor) {
  const auto file = read_matrix(general + "2 3 2\n1 3 5\n2 1 6\n");
  EXPECT_EQ(file.num_rows, 2);
  EXPECT_EQ(file.num_columns, 3);
  EXPECT_EQ(file.edges.num_vertices, 3);
  EXPECT_EQ(named_edges(file), (std::vector<NamedEdge>{{1, 3, 0}, {2, 1, 0}}));
  const auto square = read_matrix(general + "2 2 0\n");
  EXPECT_EQ(square.num_rows, 2);
  EXPECT_EQ(square.num_columns, 2);

  expect_part("2: expected a square matrix, found 2 rows and 3 columns", fault_of(general + "2 3 1\n1 3 5\n", false));
  expect_part("found the entry '3 1'", fault_of(general + "2 3 2\n1 3 5\n3 1 6\n", true));
  expect_part("found the entry '2 3'", fault_of(general + "3 2 1\n2 3 6\n", true));
  expect_part("from 1 to 3", fault_of(general + "2 3 1\n1 4 5\n", true));
  expect_part("a symmetric matrix needs", fault_of("%%MatrixMarket matrix coordinate real symmetric\n3 2 0\n", true));
}

TEST(PermuteMatrix, KeepsValuesAndComments) {
  const std::string text = general + "% of a bridge\n%\n2 3 3\n1 1 1.50000000000000000001\n\n  2   3 -2e-300\r\n1 3 7";
  EXPECT_EQ(permuted(text, {1, 0}, {2, 0, 1}),
            general + "% of a bridge\n%\n2 3 3\n2 3 1.50000000000000000001\n1 2 -2e-300\n2 2 7\n");
  EXPECT_EQ(permuted<std::int64_t>("%%MatrixMarket matrix coordinate pattern general\n2 1 1\n2 1\n", {1, 0}, {0}),
            "%%MatrixMarket matrix coordinate pattern general\n2 1 1\n1 1\n");
}

TEST(PermuteMatrix, SymmetricStaysSoWhereItIs) {
  const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n", text = symmetric + "3 3 2\n";
  EXPECT_EQ(permuted(text + "3 1 4\n2 2 5\n", {2, 1, 0}, {2, 1, 0}), symmetric + "3 3 2\n3 1 4\n2 2 5\n");
  EXPECT_EQ(permuted(text + "3 1 4\n2 2 5\n", {0, 1, 2}, {1, 0, 2}), general + "3 3 3\n3 2 4\n1 3 4\n2 1 5\n");
}

TEST(PermuteMatrix, RefusesWhatItCannotPermute) {
  EXPECT_THROW(permuted(general + "2 2 0\n", {0, 1, 2}, {0, 1}), ArgumentError);
  EXPECT_THROW(permuted(general + "2 2 1\n3 1 5\n", {0, 1}, {0, 1}), InputError);
  EXPECT_THROW(permuted("1 2\n2 1\n", {0, 1}, {0, 1}), InputError);
  const TemporaryFolder folder;
  const std::string bad = folder.write("a.mtx", general + "2 2 2\n1 1 5\n1 x 5\n");
  EXPECT_THROW(write_permuted_matrix<std::int32_t>(bad, folder.path("b.mtx"), places<std::int32_t>({0, 1}),
                                                   places<std::int32_t>({0, 1})),
               InputError);
  EXPECT_EQ(folder.num_files(), 1u);
}

}  // namespace
}  // namespace dromos::test
