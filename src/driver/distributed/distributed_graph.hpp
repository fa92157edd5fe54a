// SPDX-License-Identifier: BSD-3-Clause
// A graph in an HDF5 file, of which every rank reads its slice, or of a generator, of which every rank makes its slice:
// no rank ever has all of its edges. What the options leave out of a graph is left out of it as on one rank, so that
// numbers of edges and results are the same.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/core/error.hpp>
#include <dromos/distributed/files/read_slice.hpp>
#include <dromos/graph/edge_list.hpp>
#include <string>

#include "driver/graphs/load_graph.hpp"

namespace dromos::driver {

/// Can the options name a file that ranks share, each its part of the graph? Not where vertices are numbered by degree,
/// which is for who has the whole graph.
bool can_be_shared(const GraphOptions& options);

/// --directed of a file that says that its edges have no direction.
ArgumentError edges_without_direction(const FileOptions& options);

/// Out-degrees as prefix sums over all vertices, on every rank, from the arcs of all. Collective.
template <class Vertex>
Kokkos::View<Offset*, Kokkos::HostSpace> row_map_of(const Communicator& world, const EdgeList<Vertex>& arcs);

/// Returns read(). Throws TooManyVertices instead of an error that asks for 64-bit ids, where the options leave them
/// open.
template <class Read>
auto with_hint_at_ids(const FileOptions& options, const Read& read) {
  try {
    return read();
  } catch (const ArgumentError& error) {
    // The reader says so in this way when wider ids would do.
    if (options.id_bits != 0 || std::string(error.what()).find("--ids 64") == std::string::npos) throw;
    throw TooManyVertices(InputError(options.path, 0, error.what()));
  }
}

/// Do the options name a graph that can be read by slices? The same on every rank; collective.
bool is_read_by_slices(const Communicator& world, const GraphOptions& options);

/// The same, or a generated graph, of which every rank makes its slice; not where vertices are numbered by degree.
bool is_had_by_slices(const Communicator& world, const GraphOptions& options);

/// Throws AgreedError on every rank unless the file can be.
void check_is_read_by_slices(const Communicator& world, const FileOptions& input);

/// Says what the graph and the work on it would take on the rank that needs most. Collective; exit code. Throws on
/// every rank for a graph that is not had by slices: what the first rank, which reads it, needs would say nothing of
/// others.
int tell_memory_of_ranks(const Communicator& world, const GraphOptions& options, bool with_degrees);

/// This rank's slice of the edges. Collective. Throws on every rank as read_slice(), for --directed where the file says
/// that its edges have no direction, and TooManyVertices where 64-bit ids would do.
template <class Vertex>
SliceOfFile<Vertex> read_file_slice(const Communicator& world, const FileOptions& options);

template <class Vertex>
class SlicedGraph : public NamedGraph<Vertex> {
 public:
  /// Collective. `with_degrees`: somebody asks for row_map_in_file_order(), which takes 8 bytes a vertex on every rank.
  /// Throws, on every rank, AgreedError, or TooManyVertices where 64-bit ids would do.
  SlicedGraph(const Communicator& world, const GraphOptions& options, bool with_degrees);

  /// This rank's arcs; both of every undirected edge.
  const EdgeList<Vertex>& arcs() const { return arcs_; }

  Kokkos::View<Offset*, Kokkos::HostSpace> row_map_in_file_order() const override { return row_map_; }

 private:
  EdgeList<Vertex> arcs_;
  Kokkos::View<Offset*, Kokkos::HostSpace> row_map_;
};

}  // namespace dromos::driver
