// SPDX-License-Identifier: BSD-3-Clause
// dromos matching: a maximum matching of the rows and columns of a matrix with every strategy, and whether it is one.
#include <Kokkos_Core.hpp>
#include <dromos/algorithms/maximum_matching.hpp>
#include <dromos/validate/matching_rules.hpp>
#include <memory>
#include <vector>

#include "driver/commands/algorithm_command.hpp"
#include "driver/graphs/load_matrix.hpp"
#include "driver/reports/permuted_output.hpp"
#include "driver/reports/spy_plot.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* matching_footer = R"(Examples:
  dromos matching matrix.mtx
      the structural rank: how many rows and columns can be paired so that no pair is a zero
  dromos matching --strategy all --validate --output pairs.txt matrix.mtx
      four strategies in turn, every matching proved maximum; one line "row column" for each row
  dromos matching --apply diagonal.mtx matrix.mtx
      the rows moved to their columns, so that the diagonal has no zero as far as that can be; values as they stand

Matrices need not be square: Matrix Market files have rows and columns, and other files are graphs, whose edges are the
entries of a square matrix. A row without a column has -1. Which of several maximum matchings it is may differ from run
to run; how many are paired does not.)";

template <class Vertex>
class MatchingSolver {
 public:
  explicit MatchingSolver(const LoadedMatrix<Vertex>& matrix) : matrix_(matrix) {}

  AlgorithmRun run(const std::string&, const NamedStrategy& strategy, Vertex) {
    MatchingOptions options;
    options.strategy = strategy.strategy;
    const MatchingStatistics statistics = maximum_matching(space_, matrix_.pattern(), mate_, options);
    AlgorithmRun run;
    run.algorithm = "matching";
    run.strategy = strategy.name;
    run.add("num_matched", statistics.num_matched, "matched");
    run.add("num_started", statistics.num_started, "at the start");
    run.add("num_phases", statistics.num_phases, "phases");
    run.seconds = statistics.seconds;
    return run;
  }

  RuleResult check(Vertex) const {
    return validate_matching(matrix_.pattern().graph, matrix_.pattern().num_rows, mate_);
  }

  void write(const std::string& path) const {
    // HDF5 has columns by their place, as it has vertices; texts have them by name.
    const bool by_name = !names_hdf5(path);
    const auto mate = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mate_);
    const Vertex num_rows = matrix_.pattern().num_rows;
    const Kokkos::View<Vertex*, Kokkos::HostSpace> column("dromos::driver::column", static_cast<std::size_t>(num_rows));
    for (Vertex i = 0; i < num_rows; ++i) {
      const Vertex j = mate(i) == no_vertex<Vertex> ? mate(i) : mate(i) - num_rows;
      column(i) = j == no_vertex<Vertex> || !by_name ? j : static_cast<Vertex>(matrix_.columns().name(j));
    }
    write_host_values<Vertex, Vertex>(path, matrix_.rows(), column,
                                      {"matching", "column", "1", "from 0, -1: the row is not matched", {}});
  }

  void write_more(const NamedFile& file) const {
    write_permuted<Vertex>(file.path, matrix_, matrix_.entries(), true, places());
  }

  nlohmann::ordered_json picture() const {
    const Vertex num_rows = matrix_.pattern().num_rows, num_columns = matrix_.pattern().num_columns();
    return spy_picture<Vertex>(matrix_.summary().source, matrix_.entries(),
                               {"before", {places_in_order<Vertex>(num_rows), places_in_order<Vertex>(num_columns)}},
                               {"matched entries on the diagonal", places()});
  }

 private:
  /// Matched entries come to stand on the diagonal: of the rows and the columns those keep their places that are fewer,
  /// or the columns; the others go where their mates are, and what has no mate fills the gaps.
  Places<Vertex> places() const {
    const auto mate = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mate_);
    const Vertex num_rows = matrix_.pattern().num_rows, num_columns = matrix_.pattern().num_columns();
    const bool rows_move = num_rows >= num_columns;
    const Vertex num_moved = rows_move ? num_rows : num_columns;
    const HostPlaces<Vertex> moved("dromos::driver::moved", static_cast<std::size_t>(num_moved));
    std::vector<bool> is_taken(static_cast<std::size_t>(num_moved), false);
    for (Vertex i = 0; i < num_moved; ++i) {
      const Vertex other = mate(rows_move ? i : num_rows + i);
      moved(i) = other == no_vertex<Vertex> || !rows_move ? other : other - num_rows;
      if (moved(i) != no_vertex<Vertex>) is_taken[static_cast<std::size_t>(moved(i))] = true;
    }
    Vertex gap = 0;
    for (Vertex i = 0; i < num_moved; ++i) {
      if (moved(i) != no_vertex<Vertex>) continue;
      while (is_taken[static_cast<std::size_t>(gap)]) ++gap;
      moved(i) = gap++;
    }
    const auto kept = places_in_order<Vertex>(rows_move ? num_columns : num_rows);
    return {rows_move ? moved : kept, rows_move ? kept : moved};
  }

  Space space_;
  const LoadedMatrix<Vertex>& matrix_;
  Kokkos::View<Vertex*, Memory> mate_;
};

}  // namespace

CommandAction declare_matching(ArgumentParser& parser) {
  parser.footer(matching_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  command->of_matrix = true;
  command->plot_shows = "Where the entries are, before and after";
  command->declare(parser, "row column");
  command->add_output(
      parser, "--apply",
      "Write the matrix with the pairs on its diagonal; from .mtx to .mtx with all values as they stand", true);
  return algorithm_action<MatchingSolver, LoadedMatrix>(command, "matching");
}

}  // namespace dromos::driver
