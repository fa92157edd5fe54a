// SPDX-License-Identifier: BSD-3-Clause
#include "io/hdf5/hdf5_separated.hpp"

#include <dromos/graph/block_ids.hpp>
#include <limits>
#include <string>

#include "io/hdf5/hdf5_graphs.hpp"
#include "io/hdf5/hdf5_layout.hpp"

namespace dromos::io {
namespace {

namespace layout = hdf5_layout;

template <class T>
using HostArray = Kokkos::View<T*, Kokkos::HostSpace>;

std::string member(const char* name) { return std::string(layout::separated) + "/" + name; }

/// A dataset that has a part for every rank, one behind the other.
class Parts {
 public:
  Parts(const Hdf5Input& file, const char* name) : file_(file), dataset_(file.integers(member(name))) {}
  /// With this many elements in all.
  Parts(const Hdf5Input& file, const char* name, std::int64_t size, const std::string& why) : Parts(file, name) {
    file.check_size(dataset_, size, why);
  }

  const Hdf5Dataset& dataset() const { return dataset_; }

  /// The part of the next rank.
  template <class T>
  HostArray<T> next(std::int64_t count) {
    if (count < 0 || count > dataset_.size - end_) {
      file_.fail(dataset_.name, "it has " + std::to_string(dataset_.size) +
                                    " elements, fewer than the parts of the ranks; write the file again");
    }
    const auto values = array_for<T>("dromos::read_separated", count);
    file_.read(dataset_, end_, count, values.data());
    begin_ = end_;
    end_ += count;
    return values;
  }

  [[noreturn]] void fail_at(std::int64_t i, std::int64_t found, const std::string& expected) const {
    file_.fail_at(dataset_, begin_ + i, std::to_string(found), expected);
  }

 private:
  const Hdf5Input& file_;
  Hdf5Dataset dataset_;
  std::int64_t begin_ = 0, end_ = 0;
};

template <class Vertex>
class Reader {
 public:
  explicit Reader(const Hdf5Input& file) : file_(file), head_(read_separated_head(file)), partition_(head_.partition) {
    check_num_vertices(file, layout::separated, partition_.num_vertices(), max_num_vertices<Vertex>);
    ids_ = BlockIds<std::int64_t>(partition_.max_num_local(), partition_.num_ranks());
    Parts delegates(file, "delegate_global");
    delegates_ = delegates.next<std::int64_t>(delegates.dataset().size);
    for (std::size_t i = 0; i < delegates_.extent(0); ++i) {
      check(delegates, static_cast<std::int64_t>(i), delegates_(i), partition_.num_vertices(), "a vertex");
    }
  }

  SeparatedEdges<Vertex> read() {
    const std::int64_t n = partition_.num_vertices(), d = num_delegates();
    const int p = partition_.num_ranks();
    Parts counts(file_, "num_arcs_of_rank", std::int64_t(4) * p, "four for each rank");
    Parts normal_maps(file_, "normal_row_maps", 2 * (n + p), "two for each vertex and each rank");
    Parts delegate_maps(file_, "delegate_row_maps", 2 * (d + 1) * p,
                        "two for each delegate and one more, of each rank");
    Parts nn(file_, "nn"), nd(file_, "nd"), dn(file_, "dn"), dd(file_, "dd");
    const std::int64_t num_arcs = nn.dataset().size + nd.dataset().size + dn.dataset().size + dd.dataset().size;
    SeparatedEdges<Vertex> result;
    result.directed = head_.directed;
    result.edges = EdgeList<Vertex, Kokkos::HostSpace>(static_cast<Vertex>(n), num_arcs);
    edges_ = &result.edges;
    for (int r = 0; r < p; ++r) {
      const auto own = counts.next<std::int64_t>(4);
      const auto of_own = [&](std::int64_t row) { return partition_.global_id(r, row); };
      const auto of_delegate = [&](std::int64_t row) { return delegates_(row); };
      const auto to_delegate = [&](const Parts& part, std::int64_t i, std::int64_t number) {
        check(part, i, number, d, "a delegate");
        return delegates_(number);
      };
      const auto to_own = [&](const Parts& part, std::int64_t i, std::int64_t local) {
        check(part, i, local, partition_.num_local(r), "a vertex of its rank");
        return of_own(local);
      };
      const auto to_any = [&](const Parts& part, std::int64_t i, std::int64_t id) {
        check(part, i, id, ids_.size(), "a block id");
        const int owner = static_cast<int>((std::int64_t(r) + ids_.rank(id)) % p);
        const std::int64_t local = ids_.local(id);
        if (local >= partition_.num_local(owner)) part.fail_at(i, id, "the block id of a vertex");
        return partition_.global_id(owner, local);
      };
      const auto rows = normal_maps.next<std::uint32_t>(2 * (partition_.num_local(r) + 1));
      add_arcs(normal_maps, rows, 0, nn, own(0), of_own, to_any);
      add_arcs(normal_maps, rows, 1, nd, own(1), of_own, to_delegate);
      const auto delegate_rows = delegate_maps.next<std::uint32_t>(2 * (d + 1));
      add_arcs(delegate_maps, delegate_rows, 0, dn, own(2), of_delegate, to_own);
      add_arcs(delegate_maps, delegate_rows, 1, dd, own(3), of_delegate, to_delegate);
    }
    if (num_read_ != num_arcs) {
      file_.fail(counts.dataset().name, "it counts " + std::to_string(num_read_) + " arcs; expected the " +
                                            std::to_string(num_arcs) + " of nn, nd, dn and dd; write the file again");
    }
    check_both_ways(result);
    return result;
  }

 private:
  std::int64_t num_delegates() const { return static_cast<std::int64_t>(delegates_.extent(0)); }

  void check(const Parts& part, std::int64_t i, std::int64_t value, std::int64_t bound, const char* what) const {
    if (value < 0 || value >= bound)
      part.fail_at(i, value, std::string(what) + " from 0 to " + std::to_string(bound - 1));
  }

  /// Of the rows of a rank, those of one kind: offsets at even (0) or odd (1) places.
  template <class Source, class Target>
  void add_arcs(const Parts& maps, const HostArray<std::uint32_t>& rows, std::int64_t kind, Parts& part,
                std::int64_t count, const Source& source_of, const Target& target_of) {
    const auto targets = part.next<Vertex>(count);
    const std::int64_t num_rows = static_cast<std::int64_t>(rows.extent(0)) / 2 - 1;
    if (rows(kind) != 0) maps.fail_at(kind, rows(kind), "0, where the first row begins");
    for (std::int64_t row = 0; row < num_rows; ++row) {
      const std::int64_t begin = rows(2 * row + kind), end = rows(2 * row + 2 + kind);
      if (end < begin || end > count) {
        maps.fail_at(2 * row + 2 + kind, end, std::to_string(begin) + " to " + std::to_string(count));
      }
      for (std::int64_t i = begin; i < end; ++i, ++num_read_) {
        edges_->source(num_read_) = static_cast<Vertex>(source_of(row));
        edges_->target(num_read_) = static_cast<Vertex>(target_of(part, i, targets(i)));
      }
    }
    const std::int64_t last = rows(2 * num_rows + kind);
    if (last != count) maps.fail_at(2 * num_rows + kind, last, std::to_string(count) + ", the rank's arcs");
  }

  void check_both_ways(const SeparatedEdges<Vertex>& result) const {
    if (result.directed) return;
    std::uint64_t asymmetry = 0;
    for (Offset e = 0; e < num_read_; ++e) asymmetry += asymmetry_of(edges_->source(e), edges_->target(e));
    check_separated_symmetry(file_, asymmetry);
  }

  const Hdf5Input& file_;
  SeparatedHead head_;
  Partition1d partition_;
  BlockIds<std::int64_t> ids_;
  HostArray<std::int64_t> delegates_;
  EdgeList<Vertex, Kokkos::HostSpace>* edges_ = nullptr;
  Offset num_read_ = 0;
};

}  // namespace

void check_separated_symmetry(const Hdf5Input& file, std::uint64_t asymmetry) {
  if (asymmetry == 0) return;
  file.fail(layout::separated,
            "expected every arc in both directions, as the attribute directed is 0, found one without "
            "its reverse; write the file again");
}

SeparatedHead read_separated_head(const Hdf5Input& file) {
  const auto attribute = [&](const char* name, std::int64_t least, std::int64_t most) {
    return file.integer(layout::separated, name, least, most);
  };
  SeparatedHead head;
  const std::int64_t num_ranks = attribute(layout::num_ranks, 1, std::numeric_limits<int>::max());
  // Each rank numbers its own in 32 bits.
  const std::int64_t num_vertices = attribute(layout::num_vertices, 0, num_ranks * max_num_vertices<std::int32_t>);
  head.partition = Partition1d(num_vertices, static_cast<int>(num_ranks));
  head.directed = attribute(layout::directed, 0, 1) != 0;
  head.threshold = attribute(layout::threshold, 0, std::numeric_limits<Offset>::max());
  return head;
}

template <class Vertex>
SeparatedEdges<Vertex> read_separated(const Hdf5Input& file) {
  return Reader<Vertex>(file).read();
}

template SeparatedEdges<std::int32_t> read_separated(const Hdf5Input&);
template SeparatedEdges<std::int64_t> read_separated(const Hdf5Input&);

}  // namespace dromos::io
