// SPDX-License-Identifier: BSD-3-Clause
// Which generated graph: the parameters that `dromos generate KIND` and `--generate KIND` share.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/core/types.hpp>
#include <dromos/graph/edge_list.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command_line/argument_parser.hpp"
#include "driver/graphs/drawn_edges.hpp"

namespace dromos::driver {

struct GeneratorOptions {
  std::string kind;  ///< empty: no graph is generated
  std::int64_t seed = 1;
  bool seed_given = false;  ///< on the command line

  /// What was given to a --columns that somebody else declares.
  std::string shared_columns;

  /// Declares the parameters; the kind and the seed are declared by whoever uses them.
  ///
  /// \param with_columns  false: somebody else declares --columns, and sets shared_columns
  void declare_parameters(ArgumentParser& parser, bool with_columns = true);

  /// Throws ArgumentError for a kind that does not exist, a parameter that it does not have, or one that is missing.
  void check() const;

  /// Does the graph depend on the seed?
  bool is_random() const;

  std::int64_t num_vertices() const;
  /// Throws ArgumentError where there are more vertices than the ids can number.
  template <class Vertex>
  void check_ids() const {
    if (num_vertices() <= max_num_vertices<Vertex>) return;
    throw ArgumentError(describe() + " has " + std::to_string(num_vertices()) + " vertices, more than the " +
                        std::to_string(max_num_vertices<Vertex>) + " that " + std::to_string(8 * sizeof(Vertex)) +
                        "-bit vertex ids can number; use --ids 64");
  }
  /// Of a structured graph: an upper bound.
  Offset num_edges() const;
  /// Of a Kronecker graph; -1: of any other kind.
  int kronecker_scale() const { return kind == "kronecker" ? static_cast<int>(scale_.value_or(16)) : -1; }
  /// What is expected of its edges, where they are drawn at random; of other kinds, as if they were.
  DrawnEdges drawn_edges() const;
  /// "kronecker, scale 16, edge factor 16, seed 1"
  std::string describe() const;

  /// The edges, in the memory of the default execution space; throws MemoryError where they do not fit. Instantiated
  /// for both id types. Of several parts, one behind the other and as slice_of() has them, the edges of one.
  template <class Vertex>
  EdgeList<Vertex> generate(int part = 0, int num_parts = 1) const;

  /// "kronecker, erdos-renyi, ..." for help texts.
  static std::string kinds();

 private:
  /// Throws ArgumentError for a text that is no number.
  std::optional<std::int64_t> columns() const;
  /// The options that count something, and what they were given.
  std::vector<std::pair<std::string, std::optional<std::int64_t>>> counts() const;

  std::optional<std::int64_t> scale_, edge_factor_, vertices_, edges_, degree_;
  std::optional<std::int64_t> rows_, columns_, rungs_, spine_, legs_, cycles_, length_, hubs_;
  std::optional<double> a_, b_, c_;
};

}  // namespace dromos::driver
