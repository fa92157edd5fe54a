// SPDX-License-Identifier: BSD-3-Clause
#include "driver/distributed/separated_graph.hpp"

#include <fmt/format.h>

#include <dromos/comm/agree.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/distributed/by_degree/graph_delegate_arcs.hpp>
#include <dromos/distributed/by_degree/machine_order.hpp>
#include <dromos/distributed/files/saved_graph_delegate.hpp>
#include <string>
#include <utility>

#include "driver/base/progress.hpp"
#include "driver/distributed/distributed_graph.hpp"

namespace dromos::driver {
namespace {

/// Throws ArgumentError where the options ask for another graph than the file has.
void check_separation(const FileOptions& options, std::optional<std::int64_t> degree_threshold,
                      const SavedSeparation& saved) {
  const std::string advice =
      fmt::format("leave the option out, or search its edges: dromos convert {} edges.h5", options.path);
  if (degree_threshold && *degree_threshold != saved.threshold) {
    throw ArgumentError(
        fmt::format("--degree-threshold {}: {} has its graph separated by degree already, with threshold {}; "
                    "{}",
                    *degree_threshold, options.path, saved.threshold, advice));
  }
  if (options.undirected && saved.directed) {
    throw ArgumentError(
        fmt::format("--undirected: {} has a directed graph separated by degree; {}", options.path, advice));
  }
  if (options.directed && !saved.directed) throw edges_without_direction(options);
}

}  // namespace

bool is_separated(const Communicator& world, const GraphOptions& options,
                  std::optional<std::int64_t> degree_threshold) {
  const bool found = on_all_ranks(world, [&] {
    if (world.rank() != 0 || !can_be_shared(options)) return false;
    const auto saved = find_separation(options.file.path);
    if (saved) check_separation(options.file, degree_threshold, *saved);
    return saved.has_value();
  });
  return max<std::int64_t>(world, found) != 0;
}

template <class Vertex>
SeparatedGraph<Vertex>::SeparatedGraph(const Communicator& world, const GraphOptions& options, bool with_degrees) {
  GraphSummary& summary = this->summary_;
  summary.source = options.file.path;
  const Kokkos::Timer timer;
  {
    std::unique_ptr<Progress> progress;
    if (world.rank() == 0) progress = std::make_unique<Progress>("reading " + options.file.path);
    auto loaded = with_hint_at_ids(
        options.file, [&] { return load_graph_delegate<Vertex>(order_by_machine(world), options.file.path); });
    this->names_ = loaded.names;
    summary.bytes_read = sum(world, loaded.bytes_read);
    parts_ = std::make_shared<const Parts>(std::move(loaded.graph));
  }
  summary.read_seconds = max(world, timer.seconds());
  summary.format = format_name(GraphFormat::hdf5);
  summary.directed = parts_->directed;
  summary.id_bits = 8 * sizeof(Vertex);
  summary.num_vertices = parts_->partition.num_vertices();
  summary.num_edges = parts_->num_arcs();
  summary.separated = SeparationSummary{world.size(), parts_->separation.threshold, parts_->num_delegates()};
  if (with_degrees) row_map_ = row_map_of(world, arcs());
}

template <class Vertex>
EdgeList<Vertex> SeparatedGraph<Vertex>::arcs() const {
  return arcs_of(Kokkos::DefaultExecutionSpace(), *parts_);
}

template class SeparatedGraph<std::int32_t>;
template class SeparatedGraph<std::int64_t>;

}  // namespace dromos::driver
