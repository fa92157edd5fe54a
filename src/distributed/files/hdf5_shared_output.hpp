// SPDX-License-Identifier: BSD-3-Clause
// An HDF5 file of Dromos that all ranks write, each its part of every dataset; it appears whole or not at all.
//
// HDF5 runs on rank 0 alone: it makes each dataset, in one piece, and tells where in the file its elements lie. There
// the ranks write their parts themselves, all at once (file_parts.hpp), with any HDF5, parallel or not. Before the file
// gets its name each rank has read its own part back, and rank 0 has found every dataset where it was.
//
// Every member function is collective, and what goes wrong on one rank, all throw.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/io/vertex_names.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "distributed/files/file_parts.hpp"
#include "io/hdf5/hdf5_output.hpp"

namespace dromos::detail {

class SharedOutput {
 public:
  /// The communicator outlives this object.
  SharedOutput(const Communicator& communicator, const std::string& path);
  ~SharedOutput();
  SharedOutput(const SharedOutput&) = delete;
  SharedOutput& operator=(const SharedOutput&) = delete;

  void group(const std::string& name) {
    on_first_rank([&] { writer_.make_group(name); });
  }
  void attribute(const std::string& object, const std::string& name, std::int64_t value) {
    on_first_rank([&] { writer_.write_attribute(object, name, value); });
  }
  void attribute(const std::string& object, const std::string& name, const std::string& text) {
    on_first_rank([&] { writer_.write_attribute(object, name, text); });
  }
  /// A dataset of `size` elements, of which this rank has the `count` from `first` on, in host memory.
  template <class T>
  void dataset(const std::string& name, std::int64_t size, std::int64_t first, const T* data, std::int64_t count,
               const io::Hdf5About& about) {
    write(name, size, first, data, count, {io::hdf5_memory_type<T>(), io::hdf5_file_type<T>(), sizeof(T)}, about);
  }
  /// A dataset of the ranks' parts, those of rank 0 first; `own` has one dimension, in any memory.
  template <class View>
  void parts(const std::string& name, const View& own, const io::Hdf5About& about) {
    const auto values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), own);
    const std::int64_t count = static_cast<std::int64_t>(values.extent(0));
    const auto blocks = consecutive_blocks(gather_counts(communicator_, count));
    const std::int64_t first = blocks[static_cast<std::size_t>(communicator_.rank())].offset;
    dataset<typename View::non_const_value_type>(name, total_size(blocks), first, values.data(), count, about);
  }
  /// What the vertices of a group are called, of all of them, which every rank has.
  void names(const std::string& group, std::int64_t num_vertices, const VertexNames& names);
  /// Completes the file and gives it its name.
  void commit();

 private:
  struct Type {
    hid_t memory, file;
    std::size_t bytes;
  };

  void write(const std::string& name, std::int64_t size, std::int64_t first, const void* data, std::int64_t count,
             const Type& type, const io::Hdf5About& about);
  /// Throws Hdf5Failure unless HDF5, asked anew, finds every dataset where the ranks have written it.
  void check_places() const;

  /// Where HDF5 has the file open.
  template <class Body>
  void on_first_rank(const Body& body) {
    on_all_ranks(communicator_, [&] {
      if (communicator_.rank() != 0) return;
      try {
        body();
        writer_.check();
      } catch (const io::Hdf5Failure& failure) {
        throw Error(io::describe_write_failure(path_, failure));
      }
    });
  }

  const Communicator& communicator_;
  io::QuietHdf5 quiet_;
  std::string path_;
  // Of rank 0:
  std::unique_ptr<ReplacedFile> file_;
  io::Hdf5Writer writer_;
  std::vector<std::pair<std::string, std::int64_t>> places_;  // of datasets: name and first byte
  // Of every rank:
  std::unique_ptr<FileParts> parts_;
};

}  // namespace dromos::detail
