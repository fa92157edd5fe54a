// SPDX-License-Identifier: BSD-3-Clause
// An HDF5 file of Dromos, being written: it appears whole or not at all.
//
// What HDF5 keeps for itself carries checksums (the format of HDF5 1.10), and large datasets begin at pages of memory,
// so that they can be read from their place in the file (hdf5_input.hpp).
#pragma once

#include <cstdint>
#include <dromos/io/replaced_file.hpp>
#include <memory>
#include <string>

#include "io/hdf5/hdf5_file_driver.hpp"
#include "io/hdf5/hdf5_handle.hpp"

namespace dromos::io {

/// What stands beside a dataset for who reads it elsewhere.
struct Hdf5About {
  std::string unit;  ///< "vertex", "edge", "1"
  std::string description;
};

/// The calls that write into an open file; throw Hdf5Failure. Whoever uses them keeps a QuietHdf5.
class Hdf5Writer {
 public:
  Hdf5Writer() = default;
  /// Makes a file of what is open, for reading and writing, as this descriptor.
  explicit Hdf5Writer(int descriptor);

  hid_t file() const { return file_.get(); }
  void make_group(const std::string& name);
  void write_attribute(const std::string& object, const std::string& name, std::int64_t value);
  void write_attribute(const std::string& object, const std::string& name, const std::string& text);
  /// A dataset of `size` elements, not written yet. \param compression  0, or a level of deflate from 1 to 9
  Hdf5Id make_dataset(const std::string& name, hid_t file_type, std::int64_t size, int compression,
                      const Hdf5About& about);
  /// Throws Hdf5Failure where something could not be written, as far as HDF5 has written it yet.
  void check() const;
  /// Closes the file; what could not be written is known then at the latest.
  void close();

 private:
  std::unique_ptr<Hdf5WriteState> state_;  // outlives the file
  Hdf5Id file_;
};

inline const Hdf5About about_vertex_names = {"1", "what the source of the graph calls each vertex, ascending"};
inline const Hdf5About about_sources = {"vertex", "where each edge begins"};
inline const Hdf5About about_targets = {"vertex", "where each edge ends"};
inline const Hdf5About about_weights = {"1", "weight of each edge"};
inline const Hdf5About about_row_map = {"edge",
                                        "where the row of each vertex begins in entries, and the end of the last"};

/// By one process.
class Hdf5Output {
 public:
  /// Throws ArgumentError for a level of compression outside of 0 .. 9 and for a device or a pipe, and Error where the
  /// file cannot be made.
  explicit Hdf5Output(const std::string& path, int compression = 0);

  void group(const std::string& name) {
    guarded([&] { writer_.make_group(name); });
  }
  void attribute(const std::string& object, const std::string& name, std::int64_t value) {
    guarded([&] { writer_.write_attribute(object, name, value); });
  }
  void attribute(const std::string& object, const std::string& name, const std::string& text) {
    guarded([&] { writer_.write_attribute(object, name, text); });
  }
  /// `data` has `size` elements, on the host.
  template <class T>
  void dataset(const std::string& name, const T* data, std::int64_t size, const Hdf5About& about) {
    guarded([&] { write(name, data, size, hdf5_memory_type<T>(), hdf5_file_type<T>(), about); });
  }
  /// Completes the file and gives it its name.
  void commit();

 private:
  void write(const std::string& name, const void* data, std::int64_t size, hid_t memory_type, hid_t file_type,
             const Hdf5About& about);
  template <class Body>
  void guarded(const Body& body) const {
    try {
      body();
      writer_.check();
    } catch (const Hdf5Failure& failure) {
      throw Error(describe_write_failure(file_.path(), failure));
    }
  }

  QuietHdf5 quiet_;
  ReplacedFile file_;
  int compression_;
  Hdf5Writer writer_;
};

/// Throws ArgumentError unless it is from 0 to 9.
void check_compression(int level);

}  // namespace dromos::io
