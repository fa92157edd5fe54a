// SPDX-License-Identifier: BSD-3-Clause
#include "driver/distributed/graph500_benchmark.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <Kokkos_Core.hpp>
#include <cstdio>
#include <dromos/algorithms/shortest_path_tree.hpp>
#include <dromos/algorithms/sssp.hpp>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/distributed/by_vertices/graph_1d.hpp>
#include <dromos/distributed/distributed_search.hpp>
#include <dromos/distributed/edge_slice.hpp>
#include <dromos/distributed/judging/validate_slice_distances.hpp>
#include <dromos/distributed/judging/validate_slices.hpp>
#include <dromos/distributed/moving/replicate.hpp>
#include <dromos/distributed/parts/graph_part.hpp>
#include <dromos/distributed/parts/part_algorithms.hpp>
#include <dromos/distributed/slice_roots.hpp>
#include <dromos/generate/edge_weights.hpp>
#include <functional>
#include <memory>

#include "driver/base/command.hpp"
#include "driver/base/number_format.hpp"
#include "driver/base/progress.hpp"
#include "driver/base/standard_streams.hpp"
#include "driver/base/talking.hpp"
#include "driver/distributed/distributed_options.hpp"
#include "driver/graphs/root_options.hpp"
#include "driver/reports/run_statistics.hpp"

namespace dromos::driver {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Json = nlohmann::ordered_json;

/// What is measured of one kernel: "bfs" (kernel 2) by one of its algorithms, or "sssp" (kernel 3).
struct Measurement {
  std::string kernel;
  std::string algorithm;
  std::string strategy;  ///< what ran
  double construction_time = 0;
  std::vector<double> times, edges, teps, validate_times;
  std::vector<std::int64_t> roots;
  std::string last_search;  ///< what is shown of it on request
};

/// Arcs out of the vertices that were reached.
struct CountArcsReached {
  CsrView<LocalVertex, Memory> graph;
  Kokkos::View<const float*, Memory> distance;
  KOKKOS_FUNCTION void operator()(std::int64_t v, Offset& arcs) const {
    if (distance(v) < no_distance<float>) arcs += graph.degree(static_cast<LocalVertex>(v));
  }
};

/// A search, and what looks at its result: returns the edges that TEPS count.
template <class Vertex>
struct Kernel {
  std::function<void(Vertex)> search;
  std::function<double(Vertex)> judge;
};

template <class Vertex>
class Graph500 {
 public:
  Graph500(const Graph500Options& options, const Communicator& world)
      : options_(options), world_(world), speaks_(world.rank() == 0 && options.report.leaves_stdout()) {}

  int run(const std::vector<std::string>& algorithms, JsonReport& report) {
    if (world_.rank() == 0) progress_ = std::make_unique<Progress>("generating the edges");
    generate();
    const auto starts =
        slice_roots(world_, space_, input_.slice, false, options_.num_roots, static_cast<std::uint64_t>(options_.seed));
    on_all_ranks(world_, [&] {
      if (starts.empty()) throw ArgumentError("the graph has no edge but self loops: there is nowhere to start");
    });
    const auto num_roots = static_cast<std::int64_t>(starts.size());
    if (world_.rank() == 0 && num_roots < options_.num_roots && !is_quiet()) {
      say_error(fmt::format("dromos: --roots {}: this graph has {} with an edge to another, and each is a root once\n",
                            options_.num_roots, counted(num_roots, "vertex", "vertices")));
    }
    const auto roots = repeated(starts, options_.num_repeats);
    const auto present = [&](const Measurement& measurement) {
      const Json fields = fields_of(measurement);
      progress_.reset();
      if (speaks_) print(measurement, fields);
      report.add_run(to_json(measurement, fields));
    };
    for (const std::string& algorithm : algorithms) present(measure_searches(algorithm, roots));
    if (options_.shortest_paths) present(measure_shortest_paths(roots));
    progress_.reset();
    if (world_.rank() == 0) {
      report.set_graph({{"source", fmt::format("kronecker, scale {}, edge factor {}, seed {}", options_.scale,
                                               options_.edge_factor, options_.seed)},
                        {"num_vertices", std::int64_t(1) << options_.scale},
                        {"num_input_edges", options_.edge_factor << options_.scale},
                        {"id_bits", 8 * sizeof(Vertex)}});
    }
    on_all_ranks(world_, [&] {
      if (world_.rank() == 0) report.write();
    });
    return exit_fine;
  }

 private:
  void generate() {
    const KroneckerEdges<Vertex> generator(options_.graph());
    world_.barrier();
    const double begin = MPI_Wtime();
    input_.slice = generate_slice<Vertex>(world_, space_, generator);
    input_.build.symmetrize = input_.build.drop_self_loops = input_.build.remove_duplicates = true;
    if (options_.shortest_paths) {
      weighted_slice_ = with_random_weights(space_, input_.slice, static_cast<std::uint64_t>(options_.seed));
    }
    generation_time_ = max(world_, MPI_Wtime() - begin);
  }

  void start_progress(const std::string& what) {
    if (world_.rank() != 0) return;
    progress_.reset();
    progress_ = std::make_unique<Progress>("running " + what);
  }

  /// Seconds that building takes, of the slowest rank.
  template <class F>
  double time_construction(const F& build) {
    world_.barrier();
    const double begin = MPI_Wtime();
    build();
    return max(world_, MPI_Wtime() - begin);
  }

  Measurement measure_searches(const std::string& algorithm, const std::vector<Vertex>& roots) {
    Measurement measurement;
    measurement.kernel = "bfs";
    measurement.algorithm = algorithm;
    start_progress(algorithm);
    DistributedOptions options;
    options.set_strategy(options_.strategies.resolve().front().strategy);
    options_.partition.apply(options);
    std::unique_ptr<DistributedSearch<Vertex>> search;
    measurement.construction_time =
        time_construction([&] { search = make_distributed_search(algorithm, world_, space_, input_, options); });
    measurement.strategy = search->strategy();
    measure({[&](Vertex root) { search->search(root); }, [&](Vertex root) { return judge(*search, root, algorithm); }},
            roots, measurement);
    const LevelTable table = search->level_table();
    if (options_.show_levels) measurement.last_search = "levels, all ranks together:\n" + to_text(table);
    return measurement;
  }

  /// Shortest paths on this rank's part, and the tree of the last search.
  struct PartPaths {
    GraphPart<Vertex, Memory> part;
    Halo<Space, Vertex> halo;
    SsspScratch<LocalVertex, Memory> scratch;
    SsspOptions options;
    Space space;
    SsspStatistics statistics;
    Kokkos::View<float*, Memory> distance;
    Kokkos::View<Vertex*, Memory> parent;

    PartPaths(const Communicator& world, const Space& on, const GraphPart<Vertex, Memory>& of,
              const SsspOptions& chosen)
        : part(of), halo(world, part), scratch(on, part.out_edges, halo), options(chosen), space(on) {}

    void search(Vertex root) {
      const LocalVertex local = local_number(space, part, root);
      statistics = sssp(space, scratch, local, distance, options, halo);
      shortest_path_tree(space, scratch, local, distance, parent, options, halo);
    }
    /// Of all ranks.
    Offset arcs_reached() const {
      Offset arcs = 0;
      Kokkos::parallel_reduce("dromos::driver::arcs_reached",
                              Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(space, 0, part.num_own),
                              CountArcsReached{part.out_edges.view(), distance}, arcs);
      return halo.sum(arcs);
    }
  };

  Measurement measure_shortest_paths(const std::vector<Vertex>& roots) {
    Measurement measurement;
    measurement.kernel = "sssp";
    measurement.algorithm = "delta-stepping";
    start_progress(measurement.algorithm);
    SsspOptions options{static_cast<float>(options_.delta), options_.strategies.resolve().front().strategy};
    measurement.strategy = name_of_what_runs<Space>(options.strategy);
    std::unique_ptr<PartPaths> paths;
    measurement.construction_time = time_construction([&] {
      // The rows of the first are gone before those of the second are split.
      const auto part = part_by_vertices(world_, space_, build_graph_1d(world_, space_, weighted_slice_, input_.build));
      paths = std::make_unique<PartPaths>(world_, space_, part, options);
    });
    measure({[&](Vertex root) { paths->search(root); }, [&](Vertex root) { return judge(*paths, root); }}, roots,
            measurement);
    if (options_.show_levels) {
      const SsspStatistics& last = paths->statistics;
      measurement.last_search = fmt::format("{} buckets, {} sweeps, {} edges relaxed", last.num_buckets,
                                            last.num_sweeps, with_separators(last.edges_relaxed));
    }
    return measurement;
  }

  void measure(const Kernel<Vertex>& kernel, const std::vector<Vertex>& roots, Measurement& measurement) {
    kernel.search(roots.front());  // not timed: touches memory, opens connections
    for (const Vertex root : roots) {
      if (progress_) progress_->update(static_cast<int>(measurement.times.size()), static_cast<int>(roots.size()));
      world_.barrier();
      const double start = MPI_Wtime();
      kernel.search(root);
      const double seconds = max(world_, MPI_Wtime() - start);
      const double validate_start = MPI_Wtime();
      const double edges = kernel.judge(root);
      measurement.roots.push_back(root);
      measurement.times.push_back(seconds);
      measurement.validate_times.push_back(max(world_, MPI_Wtime() - validate_start));
      measurement.edges.push_back(edges);
      measurement.teps.push_back(edges / seconds);
    }
  }

  // Both validate the search, unless that is to be skipped. Then the edges are arcs of the graph without loops and
  // duplicates: fewer than the input edges that TEPS ought to count.

  double judge(DistributedSearch<Vertex>& search, Vertex root, const std::string& algorithm) {
    if (options_.skip_validation) return static_cast<double>(search.statistics().arcs_reached) / 2;
    const ReplicatedResult<Vertex> result = search.replicate_result();
    return expect_valid(algorithm, root,
                        validate_slices(world_, space_, input_.slice, false, root, result.parent, result.level));
  }

  double judge(const PartPaths& paths, Vertex root) {
    if (options_.skip_validation) return static_cast<double>(paths.arcs_reached()) / 2;
    const auto own = [&](const auto& values) {
      return replicate(world_, space_, paths.part.partition,
                       std::decay_t<decltype(values)>(
                           Kokkos::subview(values, Kokkos::make_pair(std::int64_t(0), paths.part.num_own))));
    };
    const Kokkos::View<const Vertex*, Memory> parent = own(paths.parent);
    const Kokkos::View<const float*, Memory> distance = own(paths.distance);
    return expect_valid("delta-stepping", root,
                        validate_slice_distances(world_, space_, weighted_slice_, false, root, parent, distance));
  }

  double expect_valid(const std::string& algorithm, Vertex root, const SliceValidation& verdict) const {
    on_all_ranks(world_, [&] {
      if (!verdict.valid) {
        throw Error(fmt::format("wrong result of {} from root {}: {}; there are no results of an invalid run",
                                algorithm, root, verdict.message));
      }
    });
    return static_cast<double>(verdict.edges_reached);
  }

  Json fields_of(const Measurement& measurement) const {
    Json fields = {{"SCALE", options_.scale},
                   {"edgefactor", options_.edge_factor},
                   {"NBFS", measurement.times.size()},
                   {"graph_generation", generation_time_},
                   {"num_mpi_processes", world_.size()},
                   {"construction_time", measurement.construction_time}};
    const std::string& kernel = measurement.kernel;
    add_sample(fields, kernel, "time", measurement.times);
    add_sample(fields, kernel, "nedge", measurement.edges);
    add_rates(fields, kernel, "TEPS", measurement.teps);
    if (!options_.skip_validation) add_sample(fields, kernel, "validate", measurement.validate_times);
    return fields;
  }

  void print(const Measurement& measurement, const Json& fields) const {
    fmt::print("algorithm: {}\ntransport: {}\n", measurement.algorithm, world_.transport().name());
    for (const auto& [name, value] : fields.items()) {
      if (value.is_number_float()) {
        fmt::print("{}: {:.11g}\n", name, value.template get<double>());
      } else {
        fmt::print("{}: {}\n", name, value.template get<std::int64_t>());
      }
    }
    if (options_.skip_validation) {
      fmt::print("validation: skipped; this is no Graph500 result, and its edges are counted without duplicates\n");
    }
    if (options_.show_levels) {
      fmt::print("\n  last search, from root {}: {}\n", measurement.roots.back(), measurement.last_search);
    }
    fmt::print("\n");
    flush_standard_output();
  }

  Json to_json(const Measurement& measurement, const Json& fields) const {
    auto searches = Json::array();
    for (std::size_t i = 0; i < measurement.times.size(); ++i) {
      searches.push_back({{"root", measurement.roots[i]},
                          {"seconds", measurement.times[i]},
                          {"edges", measurement.edges[i]},
                          {"gteps", measurement.teps[i] / 1e9}});
    }
    return {{"algorithm", measurement.algorithm},
            {"kernel", measurement.kernel},
            {"strategy", measurement.strategy},
            {"transport", world_.transport().name()},
            {"validated", !options_.skip_validation},
            {"fields", fields},
            {"searches", searches}};
  }

  const Graph500Options& options_;
  const Communicator& world_;
  const bool speaks_;
  Space space_;
  DistributedInput<Vertex> input_;
  EdgeList<Vertex, Memory> weighted_slice_;
  double generation_time_ = 0;
  std::unique_ptr<Progress> progress_;
};

}  // namespace

template <class Vertex>
int run_graph500_benchmark(Graph500Options& options, const Communicator& world,
                           const std::vector<std::string>& algorithms) {
  return Graph500<Vertex>(options, world).run(algorithms, options.report);
}

template int run_graph500_benchmark<std::int32_t>(Graph500Options&, const Communicator&,
                                                  const std::vector<std::string>&);
template int run_graph500_benchmark<std::int64_t>(Graph500Options&, const Communicator&,
                                                  const std::vector<std::string>&);

}  // namespace dromos::driver
