// SPDX-License-Identifier: BSD-3-Clause
// dromos rcm: the reverse Cuthill-McKee order with every strategy, what it does to the bandwidth, and whether it is
// one.
#include <fmt/format.h>

#include <Kokkos_Core.hpp>
#include <dromos/algorithms/bandwidth.hpp>
#include <dromos/algorithms/rcm.hpp>
#include <dromos/graph/row_sources.hpp>
#include <dromos/validate/ordering_rules.hpp>
#include <memory>

#include "driver/commands/algorithm_command.hpp"
#include "driver/reports/permuted_output.hpp"
#include "driver/reports/spy_plot.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

constexpr const char* rcm_footer = R"(Examples:
  dromos rcm --undirected matrix.mtx
      the order of the pattern of A + A^T; bandwidth and profile before and after
  dromos rcm --strategy all --validate power.graph
      four strategies in turn, every order compared with the serial algorithm
  dromos rcm --output order.txt luxembourg_osm.mtx
      one line "vertex place" for each vertex; places count from 0
  dromos rcm --undirected --apply reordered.mtx matrix.mtx
      the matrix with rows and columns in that order, its values as they stand
  dromos rcm --undirected --plot spy.pdf matrix.mtx
      a picture of where the entries are, before and after

Components stand one after the other. The order does not depend on the strategy or the number of threads.)";

template <class Vertex>
class RcmSolver {
 public:
  explicit RcmSolver(const LoadedGraph<Vertex>& loaded) : loaded_(loaded) {
    loaded.require_undirected("the order and its bandwidth are");
    before_ = places_in_file(loaded);
    const Kokkos::View<Vertex*, Memory> in_file = Kokkos::create_mirror_view_and_copy(Memory(), before_);
    bandwidth_before_ = bandwidth(space_, loaded.graph(), in_file);
    profile_before_ = profile(space_, loaded.graph(), in_file);
  }

  AlgorithmRun run(const std::string&, const NamedStrategy& strategy, Vertex) {
    RcmOptions options;
    options.strategy = strategy.strategy;
    const RcmStatistics statistics = rcm(space_, loaded_.graph(), result_, options);
    AlgorithmRun run;
    run.algorithm = "rcm";
    run.strategy = strategy.name;
    run.add("bandwidth_before", bandwidth_before_, "bandwidth before");
    run.add("bandwidth", bandwidth(space_, loaded_.graph(), result_.new_id), "after");
    run.add("profile_before", profile_before_, "profile before");
    run.add("profile", profile(space_, loaded_.graph(), result_.new_id), "after");
    run.add("num_levels", statistics.num_levels, "levels");
    run.seconds = statistics.seconds;
    return run;
  }

  RuleResult check(Vertex) const { return validate_rcm(loaded_.graph(), result_.new_id, result_.old_id); }
  void write(const std::string& path) const {
    write_values(path, loaded_, result_.new_id, {"rcm", "place", "1", "row of the reordered matrix, from 0", {}});
  }
  nlohmann::ordered_json picture() const {
    const auto title = [](const char* when, std::int64_t width) {
      return fmt::format("{}: bandwidth {}", when, width);
    };
    const auto after = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result_.new_id);
    return spy_picture<Vertex>(loaded_.summary().source, entries(),
                               {title("before", bandwidth_before_), {before_, before_}},
                               {title("rcm", bandwidth(space_, loaded_.graph(), result_.new_id)), {after, after}});
  }
  void write_more(const NamedFile& file) const {
    const auto place = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result_.new_id);
    write_permuted<Vertex>(file.path, loaded_, entries(), false, {place, place});
  }

 private:
  EdgeList<Vertex, Kokkos::HostSpace> entries() const {
    return copy_to<Kokkos::HostSpace>(edge_list_of(space_, loaded_.graph()));
  }

  Space space_;
  const LoadedGraph<Vertex>& loaded_;
  RcmResult<Vertex, Memory> result_;
  HostPlaces<Vertex> before_;  ///< the places in the file
  std::int64_t bandwidth_before_ = 0, profile_before_ = 0;
};

}  // namespace

CommandAction declare_rcm(ArgumentParser& parser) {
  parser.footer(rcm_footer);
  const auto command = std::make_shared<AlgorithmCommand>();
  command->plot_shows = "Where the entries are, before and after";
  command->declare(parser, "vertex place");
  command->add_output(parser, "--apply",
                      "Write the reordered matrix or graph; from .mtx to .mtx with all values as they stand", true);
  return algorithm_action<RcmSolver>(command, "ordering");
}

}  // namespace dromos::driver
