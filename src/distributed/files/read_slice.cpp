// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <dromos/distributed/edge_slice.hpp>
#include <dromos/distributed/files/read_slice.hpp>
#include <dromos/graph/row_sources.hpp>
#include <memory>
#include <vector>

#include "distributed/files/hdf5_access.hpp"
#include "distributed/files/same_file.hpp"
#include "io/hdf5/hdf5_graphs.hpp"
#include "io/hdf5/hdf5_layout.hpp"
#include "io/hdf5/hdf5_reader.hpp"

namespace dromos {
namespace {

namespace layout = io::hdf5_layout;
using HostSpace = Kokkos::DefaultHostExecutionSpace;

template <class T>
using HostArray = Kokkos::View<T*, Kokkos::HostSpace>;

/// Reads the parts of one file that belong to a rank. Every member function is collective: what goes wrong on one rank,
/// all throw together, so that nobody waits in the next step.
template <class Vertex>
class SliceReader {
 public:
  SliceReader(const Communicator& communicator, const std::string& path, const SliceReadOptions& options)
      : communicator_(communicator), options_(options) {
    detail::check_same_file(communicator_, path);  // before they wait for each other
    on_all_ranks(communicator_, [&] {
      access_ = detail::shared_access(communicator_, options.access);
      file_ = std::make_unique<io::Hdf5Input>(path, access_);
      io::check_has_graph(*file_, false);
    });
  }

  SliceOfFile<Vertex> read() {
    const bool by_rows = on_all_ranks(communicator_, [&] { return !file_->has(layout::edge_list); });
    SliceOfFile<Vertex> result = by_rows ? read_rows() : read_list();
    result.bytes_read = bytes_read_;
    return result;
  }

 private:
  /// Elements of this rank, then the check of them; agreed in between.
  template <class T>
  HostArray<T> read_slab(const io::Hdf5Dataset& dataset, std::int64_t first, std::int64_t count) {
    HostArray<T> values;
    on_all_ranks(communicator_, [&] {
      values = io::array_for<T>("dromos::read_slice", count);
      file_->read(dataset, first, count, values.data());
    });
    bytes_read_ += count * static_cast<std::int64_t>(dataset.element_bytes);
    return values;
  }

  void check(const io::CheckElements& check, std::int64_t count) const {
    on_all_ranks(communicator_, [&] { check(0, count); });
  }

  HostArray<Vertex> read_vertices(const io::Hdf5Dataset& dataset, std::int64_t first, std::int64_t count,
                                  std::int64_t num_vertices) {
    const auto values = read_slab<Vertex>(dataset, first, count);
    check(io::check_vertices(*file_, dataset, values.data(), first, num_vertices), count);
    return values;
  }

  HostArray<float> read_weights(const std::optional<io::Hdf5Dataset>& dataset, std::int64_t first, std::int64_t count) {
    if (!options_.weights || !dataset) return {};
    const auto weights = read_slab<float>(*dataset, first, count);
    check(io::check_weights(*file_, *dataset, weights.data(), first, options_.non_negative_weights), count);
    return weights;
  }

  SliceOfFile<Vertex> read_list() {
    const auto list = on_all_ranks(communicator_, [&] { return io::open_edge_list(*file_, max_num_vertices<Vertex>); });
    if (options_.before_reading) {
      options_.before_reading(list.num_vertices, list.num_edges(), list.directed == false && !list.listed_both_ways);
    }
    const auto [first, last] = slice_of(list.num_edges(), communicator_.rank(), communicator_.size());
    SliceOfFile<Vertex> result;
    result.directed = list.directed;
    result.listed_both_ways = list.listed_both_ways;
    result.num_edges = list.num_edges();
    result.names =
        on_all_ranks(communicator_, [&] { return io::read_names(*file_, layout::edge_list, list.num_vertices); });
    EdgeList<Vertex, Kokkos::HostSpace> edges;
    edges.num_vertices = static_cast<Vertex>(list.num_vertices);
    edges.source = read_vertices(list.source, first, last - first, list.num_vertices);
    edges.target = read_vertices(list.target, first, last - first, list.num_vertices);
    edges.weight = read_weights(list.weight, first, last - first);
    result.slice = copy_to<Kokkos::DefaultExecutionSpace::memory_space>(edges);
    return result;
  }

  SliceOfFile<Vertex> read_rows() {
    const auto csr = on_all_ranks(communicator_, [&] { return io::open_csr(*file_, max_num_vertices<Vertex>); });
    if (options_.before_reading) options_.before_reading(csr.num_vertices(), csr.num_edges(), false);
    const auto [first, last] = slice_of(csr.num_edges(), communicator_.rank(), communicator_.size());
    SliceOfFile<Vertex> result;
    result.directed = csr.directed;
    result.listed_both_ways = !csr.directed;
    result.num_edges = csr.num_edges();
    result.names = on_all_ranks(communicator_, [&] { return io::read_names(*file_, layout::csr, csr.num_vertices()); });
    EdgeList<Vertex, Kokkos::HostSpace> edges;
    edges.num_vertices = static_cast<Vertex>(csr.num_vertices());
    edges.source = read_sources(csr, first, last);
    edges.target = read_vertices(csr.entries, first, last - first, csr.num_vertices());
    edges.weight = read_weights(csr.weights, first, last - first);
    if (!csr.directed) check_symmetry(csr, edges);
    if (!csr.directed) check_weight_symmetry(csr.weights, edges);
    result.is_symmetric = !csr.directed;
    result.slice = copy_to<Kokkos::DefaultExecutionSpace::memory_space>(edges);
    return result;
  }

  /// The last row that begins at or before this arc, by bisection; the same number of steps on every rank.
  std::int64_t row_of(const io::Hdf5Csr& csr, Offset arc) {
    std::int64_t low = 0, high = csr.row_map.size;  // row_map[low] <= arc, and high is beyond or row_map[high] > arc
    for (std::int64_t rest = csr.row_map.size; rest > 0; rest /= 2) {
      const std::int64_t middle = std::max(low, low + (high - low) / 2);
      const Offset begin = read_slab<Offset>(csr.row_map, std::min(middle, csr.row_map.size - 1), 1)(0);
      (begin <= arc ? low : high) = middle;
    }
    return low;
  }

  HostArray<Vertex> read_sources(const io::Hdf5Csr& csr, Offset first, Offset last) {
    const std::int64_t n = csr.num_vertices();
    const std::int64_t own = row_of(csr, first);
    std::vector<std::int64_t> begins = gather_counts(communicator_, own);
    begins.front() = 0;  // rows without arcs at the beginning belong to somebody too
    begins.push_back(n);
    const auto rank = static_cast<std::size_t>(communicator_.rank());
    const std::int64_t row = begins[rank], end = std::min(begins[rank + 1] + 1, n);
    on_all_ranks(communicator_, [&] {
      if (row > end) file_->fail(csr.row_map.name, "expected offsets that never fall; write the file again");
    });
    const auto offsets = read_slab<Offset>(csr.row_map, row, end - row + 1);
    on_all_ranks(communicator_, [&] { io::check_offsets(*file_, csr, offsets.data(), row, end - row + 1); });
    const auto local = io::array_for<Offset>("dromos::read_slice::offsets", end - row + 1);
    for (std::int64_t i = 0; i <= end - row; ++i) local(i) = std::clamp(offsets(i), first, last) - first;
    const auto source = io::array_for<Vertex>("dromos::edge_list::source", last - first);
    row_sources(HostSpace(), Kokkos::View<const Offset*, Kokkos::HostSpace>(local), static_cast<Vertex>(row), source);
    return source;
  }

  void check_symmetry(const io::Hdf5Csr& csr, const EdgeList<Vertex, Kokkos::HostSpace>& edges) const {
    std::uint64_t asymmetry = 0;
    for (Offset e = 0; e < edges.num_edges(); ++e) asymmetry += io::asymmetry_of(edges.source(e), edges.target(e));
    sum_in_place(communicator_, &asymmetry, 1);
    on_all_ranks(communicator_, [&] { io::check_symmetry(*file_, csr, asymmetry); });
  }

  /// Of weights that were read.
  void check_weight_symmetry(const std::optional<io::Hdf5Dataset>& weights,
                             const EdgeList<Vertex, Kokkos::HostSpace>& edges) const {
    if (!options_.weights || !weights) return;
    std::uint64_t asymmetry = 0;
    for (Offset e = 0; e < edges.num_edges(); ++e) {
      asymmetry += io::asymmetry_of(edges.source(e), edges.target(e), edges.weight(e));
    }
    sum_in_place(communicator_, &asymmetry, 1);
    on_all_ranks(communicator_, [&] { io::check_weight_symmetry(*file_, *weights, asymmetry); });
  }

  const Communicator& communicator_;
  SliceReadOptions options_;
  io::Hdf5Access access_;
  std::unique_ptr<io::Hdf5Input> file_;
  std::int64_t bytes_read_ = 0;
};

}  // namespace

bool has_slices(const std::string& path) {
  if (!io::begins_as_hdf5(path)) return false;
  try {
    const io::Hdf5Access alone;
    const io::Hdf5Input file(path, alone);
    return file.has(layout::edge_list) || file.has(layout::csr) || !file.has(layout::separated);
  } catch (const InputError&) {
    return true;  // for reading to say
  }
}

template <class Vertex>
SliceOfFile<Vertex> read_slice(const Communicator& communicator, const std::string& path,
                               const SliceReadOptions& options) {
  const ScopedRegion region("dromos::read_slice");
  return SliceReader<Vertex>(communicator, path, options).read();
}

template SliceOfFile<std::int32_t> read_slice(const Communicator&, const std::string&, const SliceReadOptions&);
template SliceOfFile<std::int64_t> read_slice(const Communicator&, const std::string&, const SliceReadOptions&);

}  // namespace dromos
