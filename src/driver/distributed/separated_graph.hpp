// SPDX-License-Identifier: BSD-3-Clause
// A graph separated by degree in an HDF5 file (`dromos convert --separated`), of which every rank reads its part and
// searches it as it is. What was to be left out of the graph was left out when it was separated.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/distributed/by_degree/graph_delegate.hpp>
#include <dromos/graph/edge_list.hpp>
#include <memory>
#include <optional>

#include "driver/graphs/load_graph.hpp"

namespace dromos::driver {

/// Do the options name such a file? The same on every rank; collective. Throws AgreedError on every rank for options
/// that ask for another graph than the file has.
bool is_separated(const Communicator& world, const GraphOptions& options, std::optional<std::int64_t> degree_threshold);

template <class Vertex>
class SeparatedGraph : public NamedGraph<Vertex> {
 public:
  using Parts = GraphDelegate<Vertex, Kokkos::DefaultExecutionSpace::memory_space>;

  /// Collective. `with_degrees`: somebody asks for row_map_in_file_order(), which takes 8 bytes a vertex on every rank,
  /// and arcs() for a moment.
  /// Throws, on every rank, AgreedError, or TooManyVertices where 64-bit ids would do.
  SeparatedGraph(const Communicator& world, const GraphOptions& options, bool with_degrees);

  /// Of the ranks of order_by_machine().
  const std::shared_ptr<const Parts>& parts() const { return parts_; }

  /// This rank's arcs; both of every undirected edge, on all ranks together. Two ids an arc.
  EdgeList<Vertex> arcs() const;

  Kokkos::View<Offset*, Kokkos::HostSpace> row_map_in_file_order() const override { return row_map_; }

 private:
  std::shared_ptr<const Parts> parts_;
  Kokkos::View<Offset*, Kokkos::HostSpace> row_map_;
};

}  // namespace dromos::driver
