// SPDX-License-Identifier: BSD-3-Clause
#include "io/hdf5/hdf5_output.hpp"

#include <algorithm>
#include <cstring>
#include <dromos/version.hpp>

#include "io/hdf5/hdf5_layout.hpp"

namespace dromos::io {

void check_compression(int level) {
  if (level >= 0 && level <= 9) return;
  throw ArgumentError("compression level " + std::to_string(level) + ": expected 0 (none) to 9 (smallest, slowest)");
}

Hdf5Writer::Hdf5Writer(int descriptor) : state_(std::make_unique<Hdf5WriteState>()) {
  state_->descriptor = descriptor;
  const Hdf5Id own = hdf5_write_access(*state_);
  constexpr hsize_t large = 1 << 16, page = 1 << 12;
  check_hdf5(H5Pset_alignment(own.get(), large, page), "alignment");
  check_hdf5(H5Pset_libver_bounds(own.get(), H5F_LIBVER_V110, H5F_LIBVER_V110), "version of the file format");
  file_ = Hdf5Id(H5Fcreate("output", H5F_ACC_TRUNC, H5P_DEFAULT, own.get()), H5Fclose, "HDF5 cannot make it");
  namespace layout = hdf5_layout;
  write_attribute("/", layout::format, std::string(layout::format_name));
  write_attribute("/", layout::version, layout::current_version);
  write_attribute("/", layout::created_by, std::string("Dromos ") + DROMOS_VERSION);
}

void Hdf5Writer::check() const {
  if (state_ && state_->error != 0) throw Hdf5Failure(std::strerror(state_->error), state_->error);
}

void Hdf5Writer::close() {
  file_.close("HDF5 cannot close it");
  check();
}

void Hdf5Writer::make_group(const std::string& name) {
  Hdf5Id(H5Gcreate2(file_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, name).close(name);
}

void Hdf5Writer::write_attribute(const std::string& object, const std::string& name, std::int64_t value) {
  const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose, "shape");
  Hdf5Id id(H5Acreate_by_name(file_.get(), object.c_str(), name.c_str(), H5T_STD_I64LE, space.get(), H5P_DEFAULT,
                              H5P_DEFAULT, H5P_DEFAULT),
            H5Aclose, name);
  check_hdf5(H5Awrite(id.get(), H5T_NATIVE_INT64, &value), name);
  id.close(name);
}

void Hdf5Writer::write_attribute(const std::string& object, const std::string& name, const std::string& text) {
  const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose, "shape");
  const Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose, "type");
  check_hdf5(H5Tset_size(type.get(), std::max<std::size_t>(1, text.size())), name);
  check_hdf5(H5Tset_cset(type.get(), H5T_CSET_UTF8), name);
  check_hdf5(H5Tset_strpad(type.get(), H5T_STR_NULLPAD), name);
  Hdf5Id id(H5Acreate_by_name(file_.get(), object.c_str(), name.c_str(), type.get(), space.get(), H5P_DEFAULT,
                              H5P_DEFAULT, H5P_DEFAULT),
            H5Aclose, name);
  check_hdf5(H5Awrite(id.get(), type.get(), text.empty() ? "" : text.data()), name);
  id.close(name);
}

Hdf5Id Hdf5Writer::make_dataset(const std::string& name, hid_t file_type, std::int64_t size, int compression,
                                const Hdf5About& about) {
  const hsize_t extent = static_cast<hsize_t>(size);
  const Hdf5Id space(H5Screate_simple(1, &extent, nullptr), H5Sclose, name);
  const Hdf5Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name);
  check_hdf5(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER), name);
  if (compression > 0 && size > 0) {
    constexpr hsize_t most = 1 << 17;  // elements: what is packed at a time should fit the cache
    const hsize_t chunk = std::min(extent, most);
    check_hdf5(H5Pset_chunk(properties.get(), 1, &chunk), name);
    check_hdf5(H5Pset_shuffle(properties.get()),
               name);  // bytes of the same weight side by side: they resemble each other
    check_hdf5(H5Pset_deflate(properties.get(), static_cast<unsigned>(compression)), name);
  } else {
    check_hdf5(H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY), name);
  }
  Hdf5Id dataset(
      H5Dcreate2(file_.get(), name.c_str(), file_type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
      H5Dclose, name);
  write_attribute(name, hdf5_layout::unit, about.unit);
  write_attribute(name, hdf5_layout::description, about.description);
  return dataset;
}

Hdf5Output::Hdf5Output(const std::string& path, int compression) : file_(path), compression_(compression) {
  check_compression(compression);
  if (!file_.is_replaced()) {
    throw ArgumentError(path + ": an HDF5 file cannot be written to a device or a pipe; name a file");
  }
  guarded([&] { writer_ = Hdf5Writer(file_.descriptor()); });
}

void Hdf5Output::write(const std::string& name, const void* data, std::int64_t size, hid_t memory_type, hid_t file_type,
                       const Hdf5About& about) {
  Hdf5Id dataset = writer_.make_dataset(name, file_type, size, compression_, about);
  if (size > 0) check_hdf5(H5Dwrite(dataset.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), name);
  dataset.close(name);
}

void Hdf5Output::commit() {
  guarded([&] { writer_.close(); });
  file_.commit();
}

}  // namespace dromos::io
