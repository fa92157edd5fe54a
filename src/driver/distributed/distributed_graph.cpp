// SPDX-License-Identifier: BSD-3-Clause
#include "driver/distributed/distributed_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/available_memory.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/gathered_bits.hpp>
#include <dromos/core/long_range.hpp>
#include <dromos/distributed/by_degree/subgraph.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/by_vertices/graph_1d_arcs.hpp>
#include <dromos/distributed/files/read_slice.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driver/base/command.hpp"
#include "driver/base/host_memory.hpp"
#include "driver/base/progress.hpp"
#include "driver/graphs/self_loops.hpp"

namespace dromos::driver {

/// How many arcs are not behind the one before them, by source and target.
template <class Space, class Vertex, class Memory>
Offset count_descents(const Space& space, const EdgeList<Vertex, Memory>& edges) {
  const auto source = edges.source;
  const auto target = edges.target;
  Offset num_descents = 0;
  reduce_range(
      "dromos::driver::count_descents", space, {1, edges.num_edges()},
      KOKKOS_LAMBDA(const std::int64_t e, Offset& descents) {
        descents += source(e) < source(e - 1) || (source(e) == source(e - 1) && target(e) <= target(e - 1));
      },
      num_descents);
  return num_descents;
}

/// Adds the out-degrees of a list to `degree`.
template <class Space, class Vertex, class Memory>
void add_degrees(const Space& space, const EdgeList<Vertex, Memory>& edges,
                 const Kokkos::View<Offset*, Memory>& degree) {
  const auto source = edges.source;
  for_range(
      "dromos::driver::add_degrees", space, edges.num_edges(),
      KOKKOS_LAMBDA(const std::int64_t e) { atomic_fetch_add(&degree(source(e)), Offset(1)); });
  fence(space, "dromos::driver::add_degrees");
}

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

/// Are the arcs of all ranks, one behind the other, in order and each there once? Collective.
template <class Vertex>
bool ascends(const Communicator& world, const EdgeList<Vertex>& slice) {
  std::int64_t descents = count_descents(Space(), slice);
  // Between the last arc of a rank and the first of the next that has one.
  std::int64_t ends[4] = {-1, -1, -1, -1};
  if (slice.num_edges() > 0) {
    const auto element = [](const Kokkos::View<Vertex*, Memory>& view, std::int64_t i) {
      Vertex value = 0;
      Kokkos::deep_copy(value, Kokkos::subview(view, i));
      return static_cast<std::int64_t>(value);
    };
    const std::int64_t last = slice.num_edges() - 1;
    ends[0] = element(slice.source, 0), ends[1] = element(slice.target, 0);
    ends[2] = element(slice.source, last), ends[3] = element(slice.target, last);
  }
  std::vector<std::int64_t> of_ranks[4];
  for (int i = 0; i < 4; ++i) of_ranks[i] = gather_counts(world, ends[i]);
  std::pair<std::int64_t, std::int64_t> before{-1, -1};
  for (std::size_t r = 0; r < of_ranks[0].size(); ++r) {
    if (of_ranks[0][r] < 0) continue;
    const std::pair<std::int64_t, std::int64_t> first{of_ranks[0][r], of_ranks[1][r]};
    if (world.rank() == 0) descents += first <= before;
    before = {of_ranks[2][r], of_ranks[3][r]};
  }
  return sum(world, descents) == 0;
}

}  // namespace

bool can_be_shared(const GraphOptions& options) {
  return !options.file.path.empty() && !options.relabel &&
         (options.file.format == "automatic" || options.file.format == "hdf5");
}

ArgumentError edges_without_direction(const FileOptions& options) {
  return ArgumentError(
      fmt::format("--directed: {} says that its edges have no direction; leave the option out", options.path));
}

bool is_had_by_slices(const Communicator& world, const GraphOptions& options) {
  if (options.file.path.empty()) return !options.relabel;
  return is_read_by_slices(world, options);
}

bool is_read_by_slices(const Communicator& world, const GraphOptions& options) {
  return max<std::int64_t>(world, world.rank() == 0 && can_be_shared(options) && has_slices(options.file.path)) != 0;
}

void check_is_read_by_slices(const Communicator& world, const FileOptions& input) {
  GraphOptions options;
  options.file = input;
  const bool by_slices = is_read_by_slices(world, options);
  on_all_ranks(world, [&] {
    if (by_slices) return;
    if (!std::filesystem::exists(input.path)) {
      throw InputError(input.path, 0, "there is no such file; expected an HDF5 file with a graph, check the name");
    }
    throw ArgumentError(
        fmt::format("{}: expected an HDF5 file with edges or rows, of which each rank reads its slice; make "
                    "one first, with one rank: dromos convert {} FILE.h5",
                    input.path, input.path));
  });
}

template <class Vertex>
SliceOfFile<Vertex> read_file_slice(const Communicator& world, const FileOptions& options) {
  std::unique_ptr<Progress> progress;
  if (world.rank() == 0) progress = std::make_unique<Progress>("reading " + options.path);
  SliceReadOptions read;
  read.weights = options.weights;
  read.non_negative_weights = options.non_negative_weights;
  read.before_reading = options.before_reading;
  return with_hint_at_ids(options, [&] {
    auto file = read_slice<Vertex>(world, options.path, read);
    on_all_ranks(world, [&] {
      if (options.directed && file.directed == false) throw edges_without_direction(options);
    });
    return file;
  });
}

template <class Vertex>
Kokkos::View<Offset*, Kokkos::HostSpace> row_map_of(const Communicator& world, const EdgeList<Vertex>& arcs) {
  const std::int64_t n = arcs.num_vertices;
  const Kokkos::View<Offset*, Memory> degree("dromos::driver::degree", n + 1);
  add_degrees(Space(), arcs, degree);
  const Kokkos::View<Offset*, Kokkos::HostSpace> row_map("dromos::driver::row_map", n + 1);
  Kokkos::deep_copy(row_map, degree);
  constexpr std::int64_t piece = std::int64_t(1) << 26;  // MPI counts in int
  for (std::int64_t first = 0; first < n; first += piece) {
    sum_in_place(world, row_map.data() + first, static_cast<int>(std::min(piece, n - first)));
  }
  Offset before = 0;
  for (std::int64_t v = 0; v <= n; ++v) before += std::exchange(row_map(v), before);
  return row_map;
}

namespace {

/// How a graph lies on ranks, of which one has a share: numbers, as far as they are known before it is there.
struct GraphOnRanks {
  double num_ranks = 1;
  double num_vertices = 0;
  double own = 0;     ///< vertices of a rank
  double others = 0;  ///< vertices of others that its edges lead to; on a grid, all that have edges
  double edges = 0;   ///< of its slice
  double listed = 0;  ///< arcs of these
  double arcs = 0;    ///< that are left of them
};

GraphOnRanks graph_on_ranks(const Communicator& world, const GraphOptions& options, double num_vertices,
                            double num_edges, bool mirrored) {
  const double share = 1.0 / world.size();
  GraphOnRanks graph;
  graph.num_ranks = world.size();
  graph.num_vertices = num_vertices;
  graph.own = share * num_vertices;
  graph.edges = share * num_edges;
  graph.listed = graph.edges * (mirrored ? 2 : 1);
  graph.arcs = graph.listed;
  const bool drawn = options.file.path.empty() && options.generator.is_random();
  // A file says nothing of its edges; they are taken to be like those of a random graph, and all different.
  const DrawnEdges edges =
      drawn ? options.generator.drawn_edges() : DrawnEdges::uniform(num_vertices, mirrored ? num_edges : num_edges / 2);
  if (drawn && !options.keep_duplicates) graph.arcs = share * edges.num_distinct(!mirrored) * (mirrored ? 2 : 1);
  graph.others = options.on_grid ? edges.num_met_by(1) : (1 - share) * edges.num_met_by(share);
  return graph;
}

/// What a rank has at its peak, whichever of the steps that follow each other has most.
double bytes_a_rank(const GraphOnRanks& graph, const GraphOptions& options, int id_bytes, bool with_degrees) {
  const double id = id_bytes, offset = sizeof(Offset), local = sizeof(LocalVertex);
  const double weight = options.wants_weights ? sizeof(float) : 0, read_weight = options.reads_weights() ? weight : 0;
  const double rows = graph.own * offset, directions = options.file.directed ? 2 : 1;
  const double arc = 2 * id;                              // on its way to the owner of its source
  const double both_ends = graph.num_ranks == 1 ? 1 : 2;  // as they leave and arrive; of a rank alone they are there
  // The edges; their arcs; then rows of these.
  const double slice = graph.edges * (2 * id + read_weight);
  const double leaving = slice + both_ends * graph.listed * arc;
  const double cleaning = slice + graph.listed * (arc + read_weight) + rows + graph.listed * (id + read_weight) +
                          bytes_beside_rows(graph.listed);
  // What is left travels once more; of a directed graph turned round as well.
  const double list = graph.arcs * (2 * id + weight), row_entries = graph.arcs * (id + weight) + rows;
  const double degrees = with_degrees ? graph.num_vertices * offset : 0;
  const double turned = (directions - 1) * row_entries;
  const double dealing = list + both_ends * graph.arcs * arc + turned;
  const double building = list + graph.arcs * (arc + weight) + row_entries + bytes_beside_rows(graph.arcs) + turned;
  // Then come local numbers: a bit and a count for each word of all vertices, lists of copies on both sides.
  const RanksMemory ranks = ranks_memory_of(options.command.substr(options.command.find(' ') + 1));
  const double known = graph.own + graph.others;
  const double part = !ranks.has_part ? directions * row_entries
                                      : directions * ((known + 1) * offset + graph.arcs * (local + weight)) +
                                            known * id + 2 * graph.others * local;
  // On a grid what was dealt out to owners is dealt out again, an arc with two local numbers and a weight.
  const double dealt = 2 * local + sizeof(float), dealt_rows = graph.arcs * (local + weight) + graph.others * local * 2;
  const double dealing_again =
      !options.on_grid ? 0
                       : list + directions * row_entries + (directions - 1) * dealt_rows + graph.num_vertices / 4 +
                             graph.others * 24 +
                             std::max(both_ends * graph.arcs * dealt,
                                      graph.arcs * (dealt + weight) + dealt_rows + bytes_beside_rows(graph.arcs));
  const double numbering = !ranks.has_part ? 0 : list + directions * row_entries + graph.num_vertices / 4 + part;
  const bool splits = options.working.splits_rows && options.wants_weights && graph.arcs >= 16 * known;
  const double split = splits ? graph.arcs * (local + weight) + known * offset : 0;
  const double turned_part =
      ranks.turns_rows ? (known + 1) * offset + graph.arcs * local + bytes_beside_rows(graph.arcs) : 0;
  // Beside bits in words: what finds them, for each rank that has copies of four in 32.
  const double others_ranks = graph.num_ranks - 1;
  const bool lends_many = ranks.lends_bits && 8 * graph.others >= others_ranks * graph.own;
  const double gathering = lends_many ? others_ranks * graph.own / 32 * sizeof(detail::GatheredWord) : 0;
  const double searching = list + part + split + turned_part + gathering + known * ranks.bytes_a_local +
                           graph.own * options.working.bytes_of_options +
                           graph.num_vertices * (ranks.ids_of_all * id + ranks.bytes_of_all) +
                           graph.others * graph.num_ranks * ranks.ids_of_all_copies * id +
                           (options.on_grid ? graph.others * others_ranks * ranks.bytes_of_other_ranks : 0);
  return std::max({leaving, cleaning, list + 2 * degrees,
                   degrees + std::max({dealing, building, dealing_again, numbering, searching})});
}

/// Throws on every rank where what the ranks of a machine have of a graph is more than the machine has. Collective.
template <class Vertex>
void check_slices_fit(const Communicator& world, const GraphOptions& options, const std::string& source,
                      double num_vertices, double num_edges, bool mirrored, bool with_degrees) {
  if (!host_accessible<Memory>) return;
  const Communicator node = world.split_by_node();
  const GraphOnRanks graph = graph_on_ranks(world, options, num_vertices, num_edges, mirrored);
  const double bytes = bytes_a_rank(graph, options, sizeof(Vertex), with_degrees);
  on_all_ranks(world, [&] {
    if (node.rank() == 0) {
      check_host_memory(
          fmt::format("the graph of {}, with the work on it by {} ranks of this machine,", source, node.size()),
          bytes * node.size());
    }
  });
}

/// This rank's slice of the edges of a generator. Collective.
template <class Vertex>
SliceOfFile<Vertex> generate_slice(const Communicator& world, const GraphOptions& options, bool with_degrees) {
  const GeneratorOptions& generator = options.generator;
  std::unique_ptr<Progress> progress;
  if (world.rank() == 0) progress = std::make_unique<Progress>("generating " + generator.describe());
  const auto [num_vertices, num_edges] = on_all_ranks(world, [&] {
    generator.check_ids<Vertex>();
    return std::pair(static_cast<double>(generator.num_vertices()), double(generator.num_edges()));
  });
  check_slices_fit<Vertex>(world, options, generator.describe(), num_vertices, num_edges, !options.file.directed,
                           with_degrees);
  SliceOfFile<Vertex> made;
  made.slice = on_all_ranks(world, [&] { return generator.generate<Vertex>(world.rank(), world.size()); });
  made.directed = options.file.directed;
  made.num_edges = sum(world, made.slice.num_edges());
  return made;
}

}  // namespace

namespace {

/// Ends the reading of a file whose sizes are all that is asked.
struct SizesOfFile {
  std::int64_t num_vertices = 0;
  std::int64_t num_edges = 0;
  bool mirrored = false;
};

template <class Vertex>
SizesOfFile sizes_of(const Communicator& world, const GraphOptions& options) {
  if (options.file.path.empty()) {
    return on_all_ranks(world, [&] {
      return SizesOfFile{options.generator.num_vertices(), options.generator.num_edges(), !options.file.directed};
    });
  }
  FileOptions file = options.file;
  file.before_reading = [&](std::int64_t num_vertices, std::int64_t num_edges, bool mirrored) {
    throw SizesOfFile{num_vertices, num_edges, mirrored || options.file.undirected};
  };
  try {
    const auto whole = read_file_slice<Vertex>(world, file);
    return {whole.slice.num_vertices, whole.num_edges, false};
  } catch (const SizesOfFile& sizes) {
    return sizes;
  }
}

}  // namespace

int tell_memory_of_ranks(const Communicator& world, const GraphOptions& options, bool with_degrees) {
  const bool by_slices = is_had_by_slices(world, options);
  const std::int64_t id_bits = on_all_ranks(world, [&] {
    if (!by_slices) {
      throw ArgumentError(
          "--memory on several ranks is for generated graphs and HDF5 files with edges or rows, of which each rank has "
          "its slice; ask on one rank, or make such a file first: dromos convert FILE FILE.h5");
    }
    return asked_id_bits(options);
  });
  return with_id_type(id_bits, [&](auto vertex) {
    using Vertex = decltype(vertex);
    const SizesOfFile sizes = sizes_of<Vertex>(world, options);
    const auto num_vertices = static_cast<double>(sizes.num_vertices), num_edges = static_cast<double>(sizes.num_edges);
    const GraphOnRanks graph = graph_on_ranks(world, options, num_vertices, num_edges, sizes.mirrored);
    const double own = resident_memory().now + bytes_a_rank(graph, options, sizeof(Vertex), with_degrees);
    MemoryNeeds needs;
    needs.command = options.command;
    needs.source = options.source();
    needs.num_vertices = num_vertices;
    needs.num_edges = num_edges;
    needs.id_bits = 8 * sizeof(Vertex);
    needs.bytes = static_cast<double>(max(world, static_cast<std::int64_t>(own)));
    const Communicator node = world.split_by_node();
    needs.num_ranks = node.size();
    needs.available = static_cast<double>(sum(node, static_cast<std::int64_t>(resident_memory().now))) +
                      static_cast<double>(available_host_memory());
    on_all_ranks(world, [&] {
      if (world.rank() == 0) options.tell(needs);
    });
    return exit_fine;
  });
}

template <class Vertex>
SlicedGraph<Vertex>::SlicedGraph(const Communicator& world, const GraphOptions& options, bool with_degrees) {
  const Space space;
  GraphSummary& summary = this->summary_;
  Kokkos::Timer timer;
  const bool generated = options.file.path.empty();
  FileOptions file_options = options.file;
  file_options.before_reading = [&](std::int64_t num_vertices, std::int64_t num_edges, bool mirrored) {
    check_slices_fit<Vertex>(world, options, options.file.path, static_cast<double>(num_vertices),
                             static_cast<double>(num_edges), mirrored || options.file.undirected, with_degrees);
  };
  SliceOfFile<Vertex> file =
      generated ? generate_slice<Vertex>(world, options, with_degrees) : read_file_slice<Vertex>(world, file_options);
  summary.read_seconds = max(world, timer.seconds());
  this->names_ = file.names;
  if (generated) {
    summary.source = options.generator.describe();
    summary.format = "generated";
    summary.directed = options.file.directed;
  } else {
    summary.source = options.file.path;
    summary.format = format_name(GraphFormat::hdf5);
    summary.directed = is_directed(options.file, file.directed);
  }
  if (options.wants_weights) summary.weights = options.makes_weights() ? "uniform" : "file";
  summary.bytes_read = sum(world, file.bytes_read);
  summary.id_bits = 8 * sizeof(Vertex);
  summary.num_vertices = file.slice.num_vertices;

  timer.reset();
  const Offset num_loops = sum(world, count_self_loops(space, file.slice));
  const bool has_all_arcs = summary.directed || file.is_symmetric;
  const bool nothing_goes =
      (options.keep_self_loops || num_loops == 0) && (options.keep_duplicates || ascends(world, file.slice));
  if (has_all_arcs && nothing_goes) {
    arcs_ = file.slice;
    summary.num_edges = file.num_edges;
  } else {
    BuildOptions build;
    build.symmetrize = !has_all_arcs && !(file.listed_both_ways && options.keep_duplicates);
    build.drop_self_loops = !options.keep_self_loops;
    build.remove_duplicates = !options.keep_duplicates;
    const auto graph = build_graph_1d(world, space, file.slice, build);
    arcs_ = arcs_of(space, graph);
    summary.num_edges = graph.num_arcs;
    summary.self_loops_removed = build.drop_self_loops ? num_loops : 0;
    const Offset loops_kept = build.drop_self_loops ? 0 : sum(world, count_self_loops(space, arcs_));
    const Offset listed = build.symmetrize ? 2 * file.num_edges - num_loops : file.num_edges;
    summary.duplicates_removed = duplicate_edges(summary.directed, file.listed_both_ways && build.symmetrize,
                                                 listed - summary.self_loops_removed - graph.num_arcs, graph.num_arcs,
                                                 loops_kept > 0 ? num_loops - loops_kept : 0, loops_kept);
  }
  summary.build_seconds = max(world, timer.seconds());
  if (with_degrees) row_map_ = row_map_of(world, arcs_);
}

template Kokkos::View<Offset*, Kokkos::HostSpace> row_map_of(const Communicator&, const EdgeList<std::int32_t>&);
template Kokkos::View<Offset*, Kokkos::HostSpace> row_map_of(const Communicator&, const EdgeList<std::int64_t>&);
template SliceOfFile<std::int32_t> read_file_slice(const Communicator&, const FileOptions&);
template SliceOfFile<std::int64_t> read_file_slice(const Communicator&, const FileOptions&);
template class SlicedGraph<std::int32_t>;
template class SlicedGraph<std::int64_t>;

}  // namespace dromos::driver
