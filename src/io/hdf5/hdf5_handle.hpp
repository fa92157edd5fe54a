// SPDX-License-Identifier: BSD-3-Clause
// HDF5's identifiers with an owner, its return codes as exceptions, and its messages as text.
//
// The library keeps a stack of errors for every thread and prints it unless told not to. Here it prints nothing as long
// as a QuietHdf5 lives, and the innermost entry of the stack, which is what really happened, becomes the message.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <dromos/core/error.hpp>
#include <string>
#include <type_traits>
#include <utility>

namespace dromos::io {

/// What HDF5 refused to do, and its reason; readers and writers make their own error of it, with the name of the file.
class Hdf5Failure : public Error {
 public:
  explicit Hdf5Failure(const std::string& message, int system_error = 0)
      : Error(message), system_error_(system_error) {}
  /// The error number of the system, where that is the reason; otherwise 0.
  int system_error() const { return system_error_; }

 private:
  int system_error_;
};

/// The innermost message of this thread's stack of errors, which is cleared.
std::string hdf5_reason();

/// Throws Hdf5Failure, "WHAT: REASON", for a negative code.
inline void check_hdf5(std::int64_t code, const std::string& what) {
  if (code < 0) throw Hdf5Failure(what + ": " + hdf5_reason());
}

/// The message for an output at `path`: the system's reason where there is one, otherwise HDF5's.
std::string describe_write_failure(const std::string& path, const Hdf5Failure& failure);

/// HDF5 prints nothing as long as this lives; afterwards what the program around us had chosen, unless HDF5 failed.
class QuietHdf5 {
 public:
  QuietHdf5();
  ~QuietHdf5();
  QuietHdf5(const QuietHdf5&) = delete;
  QuietHdf5& operator=(const QuietHdf5&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Owns an identifier. A default one owns none and stands for HDF5's default properties, whose number is 0 as well.
class Hdf5Id {
 public:
  using Close = herr_t (*)(hid_t);

  Hdf5Id() = default;
  /// Takes over what an HDF5 function returned; throws Hdf5Failure where that is a failure.
  Hdf5Id(hid_t id, Close closer, const std::string& what) : id_(id), close_(closer) { check_hdf5(id, what); }
  ~Hdf5Id() {
    if (close_ != nullptr) close_(id_);
  }
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, 0)), close_(std::exchange(other.close_, nullptr)) {}
  Hdf5Id& operator=(Hdf5Id&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }

  hid_t get() const { return id_; }
  /// Closes now, for identifiers whose closing writes; throws Hdf5Failure.
  void close(const std::string& what) {
    if (close_ == nullptr) return;
    const Close closer = std::exchange(close_, nullptr);
    check_hdf5(closer(std::exchange(id_, 0)), what);
  }

 private:
  hid_t id_ = 0;
  Close close_ = nullptr;
};

/// Elements first .. first + count - 1 of a dataset, which may be none; throws Hdf5Failure.
Hdf5Id select_elements(hid_t dataset, std::int64_t first, std::int64_t count);

/// HDF5's name for a type as it is in memory, and as it is in files, whatever machine wrote them.
template <class T>
hid_t hdf5_memory_type() {
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_NATIVE_INT32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return H5T_NATIVE_UINT32;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
}
template <class T>
hid_t hdf5_file_type() {
  if constexpr (std::is_same_v<T, std::int32_t>) return H5T_STD_I32LE;
  if constexpr (std::is_same_v<T, std::uint32_t>) return H5T_STD_U32LE;
  if constexpr (std::is_same_v<T, std::int64_t>) return H5T_STD_I64LE;
  if constexpr (std::is_same_v<T, float>) return H5T_IEEE_F32LE;
  if constexpr (std::is_same_v<T, double>) return H5T_IEEE_F64LE;
}

}  // namespace dromos::io
