// SPDX-License-Identifier: BSD-3-Clause
#include "distributed/files/hdf5_shared_output.hpp"

#include <algorithm>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/distributed/edge_slice.hpp>
#include <vector>

#include "io/hdf5/hdf5_layout.hpp"

namespace dromos::detail {

SharedOutput::SharedOutput(const Communicator& communicator, const std::string& path, SlabAccess access)
    : communicator_(communicator), path_(path) {
  on_all_ranks(communicator_, [&] {
    access_ = shared_access(communicator_, access);
    if (communicator_.rank() != 0) return;
    file_ = std::make_unique<ReplacedFile>(path);
    if (!file_->is_replaced()) {
      throw ArgumentError(path + ": an HDF5 file cannot be written to a device or a pipe; name a file");
    }
  });
  temporary_path_ = broadcast_text(communicator_, file_ ? file_->temporary_path() : std::string(), 0);
  on_metadata([&] { writer_ = io::Hdf5Writer(temporary_path_, access_.file.get()); });
}

SharedOutput::~SharedOutput() = default;

void SharedOutput::fail(const std::string& reason) const {
  throw Error(path_ + ": cannot be written (" + reason + "); check the folder, its permissions and the free space");
}

void SharedOutput::write(const std::string& name, std::int64_t size, std::int64_t first, const void* data,
                         std::int64_t count, const Type& type, const io::Hdf5About& about) {
  io::Hdf5Id dataset;
  on_metadata([&] { dataset = writer_.make_dataset(name, type.file, size, 0, about); });
  if (is_collective()) {
    on_metadata([&] { write_slab(dataset.get(), first, data, count, type); });
    on_metadata([&] { dataset.close(name); });
    return;
  }
  on_metadata([&] {
    dataset.close(name);
    writer_.close();
  });
  write_in_turn(name, first, data, count, type);
  on_metadata([&] { writer_ = io::Hdf5Writer::reopen(temporary_path_); });
}

void SharedOutput::names(const std::string& group, std::int64_t num_vertices, const VertexNames& names) {
  if (names.is_affine()) return attribute(group, io::hdf5_layout::first_name, names.first_name());
  const auto [first, last] = slice_of(num_vertices, communicator_.rank(), communicator_.size());
  std::vector<std::int64_t> own;
  for (std::int64_t v = first; v < last; ++v) own.push_back(names.name(v));
  dataset(group + "/" + io::hdf5_layout::vertex_name, num_vertices, first, own.data(), last - first,
          io::about_vertex_names);
}

void SharedOutput::write_in_turn(const std::string& name, std::int64_t first, const void* data, std::int64_t count,
                                 const Type& type) {
  for (int turn = 0; turn < communicator_.size(); ++turn) {
    on_all_ranks(communicator_, [&] {
      if (turn != communicator_.rank() || count == 0) return;
      try {
        io::Hdf5Writer writer = io::Hdf5Writer::reopen(temporary_path_);
        io::Hdf5Id dataset(H5Dopen2(writer.file(), name.c_str(), H5P_DEFAULT), H5Dclose, name);
        write_slab(dataset.get(), first, data, count, type);
        dataset.close(name);
        writer.close();
      } catch (const io::Hdf5Failure& failure) {
        fail(failure.what());
      }
    });
  }
}

void SharedOutput::write_slab(hid_t dataset, std::int64_t first, const void* data, std::int64_t count,
                              const Type& type) {
  // In pieces as hdf5_input.cpp reads; a rank that has written all it has goes on with nothing.
  constexpr std::int64_t piece = std::int64_t(1) << 25;
  std::int64_t num_pieces = (count + piece - 1) / piece;
  if (is_collective()) num_pieces = access_.largest(num_pieces);
  std::string failed;
  for (std::int64_t i = 0; i < num_pieces; ++i) {
    const std::int64_t begin = std::min(count, i * piece), end = std::min(count, begin + piece);
    try {
      const hsize_t size = static_cast<hsize_t>(end - begin);
      const io::Hdf5Id file_space = io::select_elements(dataset, first + begin, end - begin);
      const io::Hdf5Id memory_space(H5Screate_simple(1, &size, nullptr), H5Sclose, "shape");
      io::check_hdf5(H5Dwrite(dataset, type.memory, memory_space.get(), file_space.get(), access_.transfer.get(),
                              static_cast<const char*>(data) + static_cast<std::size_t>(begin) * type.bytes),
                     "HDF5 cannot write it");
    } catch (const io::Hdf5Failure& failure) {
      if (failed.empty()) failed = failure.what();
    }
  }
  if (!failed.empty()) throw io::Hdf5Failure(failed);
}

void SharedOutput::commit() {
  on_metadata([&] { writer_.close(); });
  on_all_ranks(communicator_, [&] {
    if (file_) file_->commit();
  });
}

}  // namespace dromos::detail
