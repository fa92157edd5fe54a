// SPDX-License-Identifier: BSD-3-Clause
// dromos mis2: a maximal independent set at distance 2 with every strategy, its size and whether it is one.
#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/algorithms/aggregates.hpp>
#include <dromos/algorithms/mis2.hpp>
#include <dromos/graph/row_sources.hpp>
#include <dromos/validate/independence_rules.hpp>
#include <memory>
#include <vector>

#include "driver/base/option_values.hpp"
#include "driver/commands/algorithm_command.hpp"
#include "driver/reports/permuted_output.hpp"
#include "driver/reports/spy_plot.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* mis2_footer = R"(Examples:
  dromos mis2 --undirected matrix.mtx
      roots of aggregates for the pattern of A + A^T
  dromos mis2 --strategy all --validate --output members.txt power.graph
      four strategies in turn, every set judged; one line "vertex member" for each vertex, 1 or 0
  dromos mis2 --seed 7 power.graph
      another set
  dromos mis2 --undirected --order order.txt --apply aggregated.mtx matrix.mtx
      rows and columns aggregate by aggregate; one line "vertex place aggregate" for each vertex

No two members are within two edges of each other, and every vertex is within two edges of a member. The set depends on
the graph and --seed alone, not on the strategy, the number of threads or the device. The aggregate of a member are its
neighbors, and those beside these that no member is beside; aggregates count from 0, in the order of their members.)";

template <class Vertex>
class Mis2Solver {
 public:
  Mis2Solver(const LoadedGraph<Vertex>& loaded, const std::int64_t& seed)
      : loaded_(loaded), seed_(static_cast<std::uint64_t>(seed)) {
    loaded.require_undirected("independent sets are");
  }

  AlgorithmRun run(const std::string&, const NamedStrategy& strategy, Vertex) {
    const Mis2Statistics statistics = mis2(space_, loaded_.graph(), member_, {strategy.strategy, seed_});
    AlgorithmRun run;
    run.algorithm = "mis2";
    run.strategy = strategy.name;
    run.add("num_members", statistics.num_members, "members");
    num_members_ = statistics.num_members;
    run.add("num_rounds", statistics.num_rounds, "rounds");
    run.results["seed"] = seed_;
    run.seconds = statistics.seconds;
    return run;
  }

  RuleResult check(Vertex) const {
    const RuleResult result = validate_mis2(loaded_.graph(), member_);
    return result.holds ? validate_aggregates(loaded_.graph(), member_, roots()) : result;
  }
  void write(const std::string& path) const {
    write_values(path, loaded_, member_, {"mis2", "member", "1", "1: in the set, 0: not", {}});
  }

  void write_more(const NamedFile& file) const {
    const Aggregates found = number_aggregates();
    if (file.option == "--apply") {
      return write_permuted<Vertex>(file.path, loaded_, entries(), false, {found.place, found.place});
    }
    write_host_pairs<Vertex>(file.path, loaded_, found.place, found.aggregate,
                             {"mis2", "place", "1", "aggregate by aggregate, the member first, from 0", {}},
                             {"mis2", "aggregate", "1", "from 0, in the order of their members", {}});
  }

  nlohmann::ordered_json picture() const {
    const auto before = places_in_file(loaded_), after = number_aggregates().place;
    return spy_picture<Vertex>(loaded_.summary().source, entries(), {"before", {before, before}},
                               {fmt::format("aggregates: {}", num_members_), {after, after}});
  }

 private:
  struct Aggregates {
    HostPlaces<Vertex> place, aggregate;
  };

  EdgeList<Vertex, Kokkos::HostSpace> entries() const {
    return copy_to<Kokkos::HostSpace>(edge_list_of(space_, loaded_.graph()));
  }

  Kokkos::View<Vertex*, Memory> roots() const {
    Kokkos::View<Vertex*, Memory> root;
    aggregates(space_, loaded_.graph(), member_, root);
    return root;
  }

  /// Aggregates in the order of their members in the file, in each the member, then the others as in the file.
  Aggregates number_aggregates() const {
    const auto root = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), roots());
    const std::size_t n = root.extent(0);
    std::vector<Vertex> number(n);  // by member
    std::vector<std::int64_t> group(n);
    Vertex num_aggregates = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Vertex v = loaded_.in_file_order(static_cast<Vertex>(i));
      if (root(v) == v) number[static_cast<std::size_t>(v)] = num_aggregates++;
    }
    Aggregates found{{}, HostPlaces<Vertex>("dromos::driver::aggregates", n)};
    for (std::size_t v = 0; v < n; ++v) {
      found.aggregate(v) = number[static_cast<std::size_t>(root(v))];
      group[v] = 2 * std::int64_t(found.aggregate(v)) + (root(v) == static_cast<Vertex>(v) ? 0 : 1);
    }
    found.place = places_by_group(loaded_, group, 2 * std::int64_t(num_aggregates));
    return found;
  }

  Space space_;
  const LoadedGraph<Vertex>& loaded_;
  const std::uint64_t seed_;
  Kokkos::View<Vertex*, Memory> member_;
  std::int64_t num_members_ = 0;
};

}  // namespace

CommandAction declare_mis2(ArgumentParser& parser) {
  parser.footer(mis2_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  command->draws = true;
  command->plot_shows = "Where the entries are, before and after";
  command->declare(parser, "vertex member");
  command->add_output(
      parser, "--order",
      "Write \"vertex place aggregate\" of every vertex, aggregate by aggregate, its member first; places "
      "and aggregates count from 0; .h5: as columns, .mtx: the places as a vector",
      false);
  command->add_output(parser, "--apply",
                      "Write the matrix or graph in that order; from .mtx to .mtx with all values as they stand", true);
  const std::shared_ptr<const std::int64_t> seed(command, &command->graph.generator.seed);
  return algorithm_action<Mis2Solver>(command, "choosing", seed);
}

}  // namespace dromos::driver
