// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/by_degree/graph_delegate_arcs.hpp>
#include <dromos/distributed/edge_slice.hpp>
#include <dromos/distributed/files/saved_graph_delegate.hpp>
#include <limits>
#include <memory>
#include <vector>

#include "distributed/files/hdf5_access.hpp"
#include "distributed/files/hdf5_shared_output.hpp"
#include "distributed/files/same_file.hpp"
#include "io/hdf5/hdf5_graphs.hpp"
#include "io/hdf5/hdf5_layout.hpp"
#include "io/hdf5/hdf5_reader.hpp"
#include "io/hdf5/hdf5_separated.hpp"

namespace dromos {
namespace {

namespace layout = io::hdf5_layout;
using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

template <class T>
using HostArray = Kokkos::View<T*, Kokkos::HostSpace>;

std::string member(const std::string& name) { return std::string(layout::separated) + "/" + name; }

std::string ranks(int number) { return std::to_string(number) + (number == 1 ? " rank" : " ranks"); }

/// What of a dataset is a rank's: the sizes of all ranks' parts, one behind the other.
struct Part {
  std::int64_t total = 0, first = 0, count = 0;

  Part(const std::vector<std::int64_t>& counts, int rank) {
    for (std::size_t r = 0; r < counts.size(); ++r) {
      if (static_cast<int>(r) == rank) first = total;
      total += counts[r];
    }
    count = counts[static_cast<std::size_t>(rank)];
  }
};

/// Elements of row maps: of two kinds, one more than there are rows.
std::vector<std::int64_t> row_map_sizes(const Partition1d& partition) {
  std::vector<std::int64_t> sizes;
  for (int r = 0; r < partition.num_ranks(); ++r) sizes.push_back(2 * (partition.num_local(r) + 1));
  return sizes;
}

class Saver {
 public:
  Saver(const Communicator& communicator, const std::string& path)
      : communicator_(communicator), file_(communicator, path) {}

  template <class Vertex>
  void save(const SavedGraphDelegate<Vertex>& graph, const VertexNames& names) {
    file_.group(layout::separated);
    file_.attribute(layout::separated, layout::num_vertices, graph.partition.num_vertices());
    file_.attribute(layout::separated, layout::directed, std::int64_t(graph.directed));
    file_.attribute(layout::separated, layout::num_ranks, std::int64_t(communicator_.size()));
    file_.attribute(layout::separated, layout::threshold, std::int64_t(graph.separation.threshold));
    file_.names(layout::separated, graph.partition.num_vertices(), names);
    // What every rank has, each writes a slice of.
    write_slice("delegate_global", graph.delegate_global, {"vertex", "the delegates, by number"});
    write_slice("delegates_by_owner", graph.delegates_by_owner,
                {"delegate", "numbers of the delegates that each rank owns, rank by rank, by local number"});
    write_part("num_delegates_of_rank", std::vector<std::int64_t>{graph.delegates_of[communicator_.rank()].size},
               {"1", "delegates that each rank owns"});
    write_part("num_arcs_of_rank",
               std::vector<std::int64_t>{size_of(graph.normal.to_normal), size_of(graph.normal.to_delegate),
                                         size_of(graph.delegate.to_normal), size_of(graph.delegate.to_delegate)},
               {"1", "arcs nn, nd, dn, dd of each rank"});
    write_part("normal_row_maps", graph.normal.row_maps,
               {"edge", "where each row of an own vertex begins in the rank's part of nn and of nd, in turn"});
    write_part("nn", graph.normal.to_normal, {"block id", "normal neighbors of own normal vertices"});
    write_part("nd", graph.normal.to_delegate, {"delegate", "delegates that are neighbors of own normal vertices"});
    write_part("delegate_row_maps", graph.delegate.row_maps,
               {"edge", "where each row of a delegate begins in the rank's part of dn and of dd, in turn"});
    write_part("dn", graph.delegate.to_normal, {"local vertex", "own normal neighbors of delegates"});
    write_part("dd", graph.delegate.to_delegate, {"delegate", "delegates that are neighbors of delegates"});
    file_.commit();
  }

 private:
  template <class View>
  static std::int64_t size_of(const View& view) {
    return static_cast<std::int64_t>(view.extent(0));
  }

  template <class T>
  void write_slice(const std::string& name, const Kokkos::View<T*, Memory>& all, const io::Hdf5About& about) {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), all);
    const auto [first, last] = slice_of(size_of(all), communicator_.rank(), communicator_.size());
    using Value = std::remove_const_t<T>;
    file_.dataset<Value>(member(name), size_of(all), first, host.data() + first, last - first, about);
  }

  template <class View>
  void write_part(const std::string& name, const View& own, const io::Hdf5About& about) {
    file_.parts(member(name), own, about);
  }
  void write_part(const std::string& name, const std::vector<std::int64_t>& own, const io::Hdf5About& about) {
    write_part(name, Kokkos::View<const std::int64_t*, Kokkos::HostSpace>(own.data(), own.size()), about);
  }

  const Communicator& communicator_;
  detail::SharedOutput file_;
};

template <class Vertex>
class Loader {
 public:
  Loader(const Communicator& communicator, const std::string& path, SlabAccess access) : communicator_(communicator) {
    detail::check_same_file(communicator_, path);  // before they wait for each other
    on_all_ranks(communicator_, [&] {
      access_ = detail::shared_access(communicator_, access);
      file_ = std::make_unique<io::Hdf5Input>(path, access_);
      if (!file_->has(layout::separated)) {
        throw InputError(path, 0,
                         std::string("expected a graph separated by degree, in the group ") + layout::separated +
                             ", found " + file_->list("/") + "; name the file of one");
      }
    });
  }

  LoadedGraphDelegate<Vertex> load() {
    LoadedGraphDelegate<Vertex> result;
    SavedGraphDelegate<Vertex>& graph = result.graph;
    graph.rank = communicator_.rank();
    on_all_ranks(communicator_, [&] { read_head(graph); });
    const std::int64_t n = graph.num_local(), num_vertices = graph.partition.num_vertices();
    result.names = on_all_ranks(communicator_, [&] { return io::read_names(*file_, layout::separated, num_vertices); });
    const auto global = read_all<Vertex>("delegate_global");
    const std::int64_t d = static_cast<std::int64_t>(global.extent(0));
    check_range("delegate_global", global, 0, num_vertices);
    const auto by_owner = read_all<LocalVertex>("delegates_by_owner", d);
    check_range("delegates_by_owner", by_owner, 0, d);
    read_owners(graph, d);
    const auto arcs = read_all<std::int64_t>("num_arcs_of_rank", 4 * communicator_.size());
    const auto maps_of = [&](std::int64_t rows) {
      return std::vector<std::int64_t>(communicator_.size(), 2 * (rows + 1));
    };

    const auto normal_maps = read_part<std::uint32_t>("normal_row_maps", row_map_sizes(graph.partition));
    const auto nn = read_part<Vertex>("nn", arcs_of(arcs, 0));
    const auto nd = read_part<LocalVertex>("nd", arcs_of(arcs, 1));
    const auto delegate_maps = read_part<std::uint32_t>("delegate_row_maps", maps_of(d));
    const auto dn = read_part<LocalVertex>("dn", arcs_of(arcs, 2));
    const auto dd = read_part<LocalVertex>("dd", arcs_of(arcs, 3));
    check_rows("normal_row_maps", normal_maps, n, nn.extent(0), nd.extent(0));
    check_rows("delegate_row_maps", delegate_maps, d, dn.extent(0), dd.extent(0));
    check_block_ids(graph, nn);
    check_range("nd", nd, 0, d);
    check_range("dn", dn, 0, n);
    check_range("dd", dd, 0, d);

    if (!graph.directed) {
      const detail::GlobalOfOwn<Vertex> own{graph.partition, graph.rank};
      const detail::GlobalOfBlockId<Vertex> neighbor{graph.partition, graph.ids, graph.rank};
      const detail::GlobalOfDelegate<Vertex, Kokkos::HostSpace> delegate{global};
      check_symmetry(asymmetry_of_part(normal_maps, RowKind::to_normal, nn, own, neighbor),
                     asymmetry_of_part(normal_maps, RowKind::to_delegate, nd, own, delegate) +
                         asymmetry_of_part(delegate_maps, RowKind::to_normal, dn, delegate, own) +
                         asymmetry_of_part(delegate_maps, RowKind::to_delegate, dd, delegate, delegate));
    }

    graph.delegate_global = to_device(global);
    graph.delegates_by_owner = to_device(by_owner);
    graph.normal = {to_device(normal_maps), to_device(nn), to_device(nd), {}, {}};
    graph.delegate = {to_device(delegate_maps), to_device(dn), to_device(dd), {}, {}};
    detail::mark_rows_with_edges(Space(), graph);
    graph.separation.num_delegates = d;
    detail::count_arcs(communicator_, graph);
    result.bytes_read = bytes_read_;
    return result;
  }

 private:
  void read_head(SavedGraphDelegate<Vertex>& graph) const {
    const io::SeparatedHead saved = io::read_separated_head(*file_);
    const int saved_for = saved.partition.num_ranks();
    if (saved_for != communicator_.size()) {
      throw ArgumentError(file_->path() + ": it was separated by degree for " + ranks(saved_for) + ", and " +
                          ranks(communicator_.size()) + " load it; start " + ranks(saved_for) +
                          ", or make a list of edges of it with one: dromos convert " + file_->path() + " edges.h5");
    }
    io::check_num_vertices(*file_, layout::separated, saved.partition.num_vertices(), max_num_vertices<Vertex>);
    graph.partition = saved.partition;
    graph.ids = BlockIds<Vertex>(graph.partition.max_num_local(), communicator_.size());
    graph.directed = saved.directed;
    graph.separation.threshold = saved.threshold;
  }

  /// Sets which delegates each rank owns: as many as there are, and each rank no more than vertices.
  void read_owners(SavedGraphDelegate<Vertex>& graph, std::int64_t num_delegates) {
    const auto counts = read_all<std::int64_t>("num_delegates_of_rank", communicator_.size());
    on_all_ranks(communicator_, [&] {
      std::int64_t total = 0;
      for (int r = 0; r < communicator_.size(); ++r) {
        if (counts(r) < 0 || counts(r) > graph.partition.num_local(r)) break;
        graph.delegates_of.push_back({total, counts(r)});
        total += counts(r);
      }
      if (static_cast<int>(graph.delegates_of.size()) < communicator_.size() || total != num_delegates) {
        file_->fail(member("num_delegates_of_rank"),
                    "expected numbers that add up to the " + std::to_string(num_delegates) +
                        " delegates, none above the vertices of the rank; write the file again");
      }
    });
  }

  std::vector<std::int64_t> arcs_of(const HostArray<std::int64_t>& arcs, int kind) const {
    std::vector<std::int64_t> counts;
    for (int r = 0; r < communicator_.size(); ++r) counts.push_back(arcs(4 * r + kind));
    return counts;
  }

  template <class T>
  HostArray<T> read_all(const std::string& name, std::int64_t expected = -1) {
    return on_all_ranks(communicator_, [&] {
      const io::Hdf5Dataset dataset = file_->integers(member(name));
      if (expected >= 0) file_->check_size(dataset, expected, "by ranks or delegates");
      if (dataset.size > std::numeric_limits<LocalVertex>::max()) {
        file_->fail(dataset.name, "it has " + std::to_string(dataset.size) + " elements, more than delegates can be");
      }
      const auto values = io::array_for<T>("dromos::load_graph_delegate", dataset.size);
      file_->read(dataset, 0, dataset.size, values.data());
      bytes_read_ += dataset.size * static_cast<std::int64_t>(dataset.element_bytes);
      return values;
    });
  }

  template <class T>
  HostArray<T> read_part(const std::string& name, const std::vector<std::int64_t>& counts) {
    return on_all_ranks(communicator_, [&] {
      const io::Hdf5Dataset dataset = file_->integers(member(name));
      std::int64_t total = 0;
      for (const std::int64_t count : counts) {
        if (count < 0 || count > dataset.size - total) {
          file_->fail(dataset.name, "it has " + std::to_string(dataset.size) +
                                        " elements, fewer than the parts of the ranks; write the file again");
        }
        total += count;
      }
      file_->check_size(dataset, total, "the parts of all ranks");
      const Part part(counts, communicator_.rank());
      const auto values = io::array_for<T>("dromos::load_graph_delegate", part.count);
      file_->read(dataset, part.first, part.count, values.data());
      bytes_read_ += part.count * static_cast<std::int64_t>(dataset.element_bytes);
      return values;
    });
  }

  /// Throws on every rank where `bad(values(i))` for any i of any rank.
  template <class T, class Bad>
  void check_values(const std::string& name, const HostArray<T>& values, const std::string& expected,
                    const Bad& bad) const {
    on_all_ranks(communicator_, [&] {
      for (std::size_t i = 0; i < values.extent(0); ++i) {
        if (!bad(values(i))) continue;
        file_->fail(member(name), "element " + std::to_string(i) + " of this rank's part is " +
                                      std::to_string(values(i)) + "; expected " + expected + "; write the file again");
      }
    });
  }

  template <class T>
  void check_range(const std::string& name, const HostArray<T>& values, std::int64_t least, std::int64_t bound) const {
    check_values(name, values, "at least " + std::to_string(least) + " and below " + std::to_string(bound),
                 [&](T value) { return value < least || value >= bound; });
  }

  void check_block_ids(const SavedGraphDelegate<Vertex>& graph, const HostArray<Vertex>& nn) const {
    const int p = communicator_.size();
    check_values("nn", nn, "the block id of a vertex", [&](Vertex id) {
      if (id < 0 || id >= graph.ids.size()) return true;
      const int owner = (graph.rank + graph.ids.rank(id)) % p;
      return static_cast<std::int64_t>(graph.ids.local(id)) >= graph.partition.num_local(owner);
    });
  }

  void check_rows(const std::string& name, const HostArray<std::uint32_t>& maps, std::int64_t num_rows,
                  std::size_t num_first, std::size_t num_second) const {
    on_all_ranks(communicator_, [&] {
      const auto last = static_cast<std::size_t>(2 * num_rows);
      bool sound = maps(0) == 0 && maps(1) == 0 && maps(last) == num_first && maps(last + 1) == num_second;
      for (std::size_t i = 2; i <= last + 1; ++i) sound = sound && maps(i) >= maps(i - 2);
      if (sound) return;
      file_->fail(member(name),
                  "expected offsets of two kinds in turn, each from 0 to the number of the rank's arcs and "
                  "never falling, found others; write the file again");
    });
  }

  template <class Target, class SourceOf, class TargetOf>
  static std::uint64_t asymmetry_of_part(const HostArray<std::uint32_t>& maps, RowKind kind,
                                         const HostArray<Target>& targets, const SourceOf& source_of,
                                         const TargetOf& target_of) {
    const SubgraphView<Target, Kokkos::HostSpace> part{maps, targets, static_cast<int>(kind)};
    std::uint64_t asymmetry = 0;
    for (Target u = 0; u < part.num_vertices(); ++u) {
      for (Offset e = part.begin(u); e < part.end(u); ++e) {
        asymmetry += io::asymmetry_of(source_of(u), target_of(part.neighbor(e)));
      }
    }
    return asymmetry;
  }

  /// Of nn all ranks together have both arcs of every edge, of all other parts each rank, which searches them backward.
  void check_symmetry(std::uint64_t of_nn, std::uint64_t of_others) const {
    sum_in_place(communicator_, &of_nn, 1);
    on_all_ranks(communicator_, [&] {
      io::check_separated_symmetry(*file_, of_nn);
      io::check_separated_symmetry(*file_, of_others);
    });
  }

  template <class T>
  static Kokkos::View<T*, Memory> to_device(const HostArray<T>& values) {
    return Kokkos::create_mirror_view_and_copy(Memory(), values);
  }

  const Communicator& communicator_;
  io::Hdf5Access access_;
  std::unique_ptr<io::Hdf5Input> file_;
  std::int64_t bytes_read_ = 0;
};

}  // namespace

std::optional<SavedSeparation> find_separation(const std::string& path) {
  if (!io::begins_as_hdf5(path)) return std::nullopt;
  const io::Hdf5Access alone;
  const io::Hdf5Input file(path, alone);
  if (!file.has(layout::separated)) return std::nullopt;
  const io::SeparatedHead head = io::read_separated_head(file);
  return SavedSeparation{head.partition.num_vertices(), head.directed, head.partition.num_ranks(), head.threshold};
}

template <class Vertex>
void save_graph(const Communicator& communicator, const std::string& path, const SavedGraphDelegate<Vertex>& graph,
                const VertexNames& names) {
  const ScopedRegion region("dromos::save_graph");
  on_all_ranks(communicator, [&] {
    if (graph.partition.dealing() != Dealing::cyclic) {
      throw ArgumentError(path +
                          ": files of separated graphs are for vertices that are dealt out one by one; build the "
                          "graph with Dealing::cyclic");
    }
    if (graph.edges != DelegateEdges::follow_lower_end) {
      throw ArgumentError(path +
                          ": files of separated graphs are for edges whose two arcs are on one rank; separate the "
                          "graph with DelegateEdges::follow_lower_end");
    }
  });
  Saver(communicator, path).save<Vertex>(graph, names);
}

template <class Vertex>
LoadedGraphDelegate<Vertex> load_graph_delegate(const Communicator& communicator, const std::string& path,
                                                SlabAccess access) {
  const ScopedRegion region("dromos::load_graph_delegate");
  return Loader<Vertex>(communicator, path, access).load();
}

template void save_graph(const Communicator&, const std::string&, const SavedGraphDelegate<std::int32_t>&,
                         const VertexNames&);
template void save_graph(const Communicator&, const std::string&, const SavedGraphDelegate<std::int64_t>&,
                         const VertexNames&);
template LoadedGraphDelegate<std::int32_t> load_graph_delegate(const Communicator&, const std::string&, SlabAccess);
template LoadedGraphDelegate<std::int64_t> load_graph_delegate(const Communicator&, const std::string&, SlabAccess);

}  // namespace dromos
