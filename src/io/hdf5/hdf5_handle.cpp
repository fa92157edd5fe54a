// SPDX-License-Identifier: BSD-3-Clause
#include "io/hdf5/hdf5_handle.hpp"

#include <atomic>
#include <dromos/io/replaced_file.hpp>

namespace dromos::io {
namespace {

/// HDF5 has refused something in this process.
std::atomic<bool> met_failure{false};

extern "C" herr_t take_first_message(unsigned, const H5E_error2_t* entry, void* text) {
  if (entry->desc != nullptr) *static_cast<std::string*>(text) = entry->desc;
  return 1;  // no further entries
}

}  // namespace

std::string hdf5_reason() {
  std::string text;
  static_cast<void>(H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first_message, &text));
  static_cast<void>(H5Eclear2(H5E_DEFAULT));
  met_failure = true;
  return text.empty() ? "HDF5 gives no reason" : text;
}

std::string describe_write_failure(const std::string& path, const Hdf5Failure& failure) {
  return failure.system_error() != 0 ? dromos::describe_write_failure(path, failure.system_error())
                                     : dromos::describe_write_failure(path, failure.what());
}

QuietHdf5::QuietHdf5() {
  if (H5Eget_auto2(H5E_DEFAULT, &function_, &data_) < 0) function_ = nullptr;
  static_cast<void>(H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr));
}

QuietHdf5::~QuietHdf5() {
  // At the end of the program HDF5 1.10 closes once more what it could not read of a damaged file, and where it may
  // print, it never comes to an end of that ("infinite loop closing library"). So after a failure it stays quiet.
  if (!met_failure) static_cast<void>(H5Eset_auto2(H5E_DEFAULT, function_, data_));
}

Hdf5Id select_elements(hid_t dataset, std::int64_t first, std::int64_t count) {
  Hdf5Id space(H5Dget_space(dataset), H5Sclose, "shape");
  const hsize_t start = static_cast<hsize_t>(first), size = static_cast<hsize_t>(count);
  check_hdf5(count == 0 ? H5Sselect_none(space.get())
                        : H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &size, nullptr),
             "selection");
  return space;
}

}  // namespace dromos::io
