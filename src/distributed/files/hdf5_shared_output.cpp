// SPDX-License-Identifier: BSD-3-Clause
#include "distributed/files/hdf5_shared_output.hpp"

#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <dromos/distributed/edge_slice.hpp>
#include <vector>

#include "io/hdf5/hdf5_layout.hpp"

namespace dromos::detail {

SharedOutput::SharedOutput(const Communicator& communicator, const std::string& path)
    : communicator_(communicator), path_(path) {
  on_first_rank([&] {
    file_ = std::make_unique<ReplacedFile>(path);
    if (!file_->is_replaced()) {
      throw ArgumentError(path + ": an HDF5 file cannot be written to a device or a pipe; name a file");
    }
    writer_ = io::Hdf5Writer(file_->descriptor());
  });
  const std::string temporary_path = broadcast_text(communicator_, file_ ? file_->temporary_path() : std::string(), 0);
  on_all_ranks(communicator_, [&] { parts_ = std::make_unique<FileParts>(temporary_path, path_); });
}

SharedOutput::~SharedOutput() = default;

void SharedOutput::write(const std::string& name, std::int64_t size, std::int64_t first, const void* data,
                         std::int64_t count, const Type& type, const io::Hdf5About& about) {
  const std::int64_t element = static_cast<std::int64_t>(type.bytes);
  std::int64_t offset = 0;
  on_first_rank([&] {
    io::Hdf5Id dataset = writer_.make_dataset(name, type.file, size, 0, about);
    if (size > 0) {
      if (H5Tequal(type.memory, type.file) <= 0) {
        throw Error(path_ +
                    ": ranks write numbers as they have them in memory, and this machine has them in another "
                    "order of bytes than the file; write it with one rank");
      }
      const haddr_t place = H5Dget_offset(dataset.get());
      if (place == HADDR_UNDEF) throw io::Hdf5Failure(name + ": it has no place in the file");
      offset = static_cast<std::int64_t>(place);
      places_.push_back({name, offset});
    }
    dataset.close(name);
    parts_->reserve(offset, size * element);
  });
  broadcast_in_place(communicator_, &offset, 1, 0);
  on_all_ranks(communicator_, [&] { parts_->write(offset + first * element, data, count * element); });
}

void SharedOutput::names(const std::string& group, std::int64_t num_vertices, const VertexNames& names) {
  if (names.is_affine()) return attribute(group, io::hdf5_layout::first_name, names.first_name());
  const auto [first, last] = slice_of(num_vertices, communicator_.rank(), communicator_.size());
  std::vector<std::int64_t> own;
  for (std::int64_t v = first; v < last; ++v) own.push_back(names.name(v));
  dataset(group + "/" + io::hdf5_layout::vertex_name, num_vertices, first, own.data(), last - first,
          io::about_vertex_names);
}

void SharedOutput::check_places() const {
  const io::Hdf5Id file(H5Fopen(file_->temporary_path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
                        "HDF5 cannot read it back");
  for (const auto& [name, offset] : places_) {
    const io::Hdf5Id dataset(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose, name);
    if (H5Dget_offset(dataset.get()) != static_cast<haddr_t>(offset)) {
      throw io::Hdf5Failure(name + ": it is not where the ranks have written it");
    }
  }
}

void SharedOutput::commit() {
  on_first_rank([&] { writer_.close(); });
  on_all_ranks(communicator_, [&] { parts_->synchronize(); });
  // Only now: what another rank wrote may lie in the same page.
  on_all_ranks(communicator_, [&] { parts_->verify(); });
  on_first_rank([&] {
    check_places();
    file_->commit();
  });
}

}  // namespace dromos::detail
