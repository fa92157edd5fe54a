// SPDX-License-Identifier: BSD-3-Clause
// dromos btf: the block triangular form of a matrix with every strategy, and whether it is one.
#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <dromos/algorithms/block_triangular_form.hpp>
#include <dromos/validate/block_rules.hpp>
#include <memory>

#include "driver/commands/algorithm_command.hpp"
#include "driver/graphs/load_matrix.hpp"
#include "driver/reports/permuted_output.hpp"
#include "driver/reports/spy_plot.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* btf_footer = R"(Examples:
  dromos btf matrix.mtx
      how many diagonal blocks there are, and what cannot be part of a square one
  dromos btf --validate --apply triangular.mtx matrix.mtx
      the matrix in that form, its values as they stand, after a proof that it is the form
  dromos btf --row-order rows.txt --column-order columns.txt matrix.mtx
      one line "row place block" for each row, and the same of columns; places and blocks count from 0

Block 0 is the under-determined part, of more columns than rows, and the last block the over-determined one; either may
be empty. The square blocks between have no zero on their diagonal and cannot be taken apart; nothing is left of any
block. A system in this form is solved block by block, from the last one up. Matrices need not be square: Matrix Market
files have rows and columns, and other files are graphs, whose edges are the entries of a square matrix.)";

template <class Vertex>
class BtfSolver {
 public:
  explicit BtfSolver(const LoadedMatrix<Vertex>& matrix) : matrix_(matrix) {}

  AlgorithmRun run(const std::string&, const NamedStrategy& strategy, Vertex) {
    const BlockTriangularStatistics found =
        block_triangular_form(space_, matrix_.pattern(), form_, {strategy.strategy});
    AlgorithmRun run;
    run.algorithm = "btf";
    run.strategy = strategy.name;
    run.add("num_matched", found.num_matched, "rank");
    run.add("num_square_blocks", found.num_square_blocks, "square blocks");
    run.add("largest_square_block", found.largest_square_block, "largest");
    run.add("num_levels", found.num_levels, "levels");
    add_part(run, "under", found.num_under_rows, found.num_under_columns);
    add_part(run, "over", found.num_over_rows, found.num_over_columns);
    run.seconds = found.seconds;
    return run;
  }

  RuleResult check(Vertex) const { return validate_block_triangular_form(matrix_.pattern(), form_); }

  // Without --output; see write_more().
  void write(const std::string&) const {}

  nlohmann::ordered_json picture() const {
    return spy_picture<Vertex>(matrix_.summary().source, matrix_.entries(),
                               {"before",
                                {places_in_order<Vertex>(matrix_.pattern().num_rows),
                                 places_in_order<Vertex>(matrix_.pattern().num_columns())}},
                               {"block triangular form", {places_of(form_.row_order), places_of(form_.column_order)}});
  }

  void write_more(const NamedFile& file) const {
    const auto row_places = places_of(form_.row_order), column_places = places_of(form_.column_order);
    if (file.option == "--apply") {
      return write_permuted<Vertex>(file.path, matrix_, matrix_.entries(), true, {row_places, column_places});
    }
    if (file.option == "--row-order") {
      write_side(file.path, matrix_.rows(), row_places, form_.row_begin);
    } else {
      write_side(file.path, matrix_.columns(), column_places, form_.column_begin);
    }
  }

 private:
  using HostIds = Kokkos::View<const Vertex*, Kokkos::HostSpace>;

  static void add_part(AlgorithmRun& run, const std::string& name, std::int64_t rows, std::int64_t columns) {
    run.results["num_" + name + "_rows"] = rows;
    run.results["num_" + name + "_columns"] = columns;
    run.cells.push_back({name, fmt::format("{} x {}", rows, columns)});
  }

  static HostIds places_of(const Kokkos::View<Vertex*, Memory>& order) {
    const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), order);
    const Kokkos::View<Vertex*, Kokkos::HostSpace> place("dromos::driver::places", order.extent(0));
    for (std::size_t i = 0; i < place.extent(0); ++i) place(on_host(i)) = static_cast<Vertex>(i);
    return place;
  }

  static void write_side(const std::string& path, const MatrixSide<Vertex>& side, const HostIds& place,
                         const Kokkos::View<Vertex*, Memory>& begins) {
    const auto begin = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), begins);
    std::vector<Vertex> block_at(place.extent(0));
    for (std::size_t b = 0; b + 1 < begin.extent(0); ++b) {
      std::fill(block_at.begin() + begin(b), block_at.begin() + begin(b + 1), static_cast<Vertex>(b));
    }
    const Kokkos::View<Vertex*, Kokkos::HostSpace> block("dromos::driver::blocks", place.extent(0));
    for (std::size_t i = 0; i < place.extent(0); ++i) block(i) = block_at[static_cast<std::size_t>(place(i))];
    write_host_pairs<Vertex>(path, side, place, block, {"btf", "place", "1", "in the permuted matrix, from 0", {}},
                             {"btf", "block", "1", "from 0: the under-determined part", {}});
  }

  Space space_;
  const LoadedMatrix<Vertex>& matrix_;
  BlockTriangularForm<Vertex, Memory> form_;
};

}  // namespace

CommandAction declare_btf(ArgumentParser& parser) {
  parser.footer(btf_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  command->of_matrix = true;
  command->plot_shows = "Where the entries are, before and after";
  command->declare(parser, "");
  const std::string form = ", in the file's own numbers; .h5: as columns, .mtx: the places as a vector";
  command->add_output(parser, "--row-order", "Write \"row place block\" of every row" + form, false);
  command->add_output(parser, "--column-order", "Write \"column place block\" of every column" + form, false);
  command->add_output(parser, "--apply", "Write the permuted matrix; from .mtx to .mtx with all values as they stand",
                      true);
  return algorithm_action<BtfSolver, LoadedMatrix>(command, "ordering");
}

}  // namespace dromos::driver
