// SPDX-License-Identifier: BSD-3-Clause
// An HDF5 file of Dromos, open for reading: attributes, and datasets of one dimension.
//
// Nothing that the file says of itself is believed before it is compared with what the file has: a dataset that
// declares more elements than its storage can hold is refused before memory is asked for.
//
// Two ways lead to the elements. Those that lie in one piece and need no conversion are read by all threads at once,
// past HDF5, straight from their place in the file to their place in memory: HDF5 itself reads with one thread, which
// reaches a fraction of what memory gives. All others (compressed, another width, another byte order) HDF5 reads.
//
// Every error is an InputError that names the file and the dataset or attribute.
#pragma once

#include <cstdint>
#include <dromos/core/error.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_handle.hpp"
#include "io/hdf5/hdf5_structure.hpp"
#include "io/text/file_descriptor.hpp"

namespace dromos::io {

/// How the file is opened and read: the default for one process. Several that read together, each its part, give
/// properties of their own; reading is then collective.
struct Hdf5Access {
  Hdf5Id file;
  Hdf5Id transfer;
  /// The largest of all processes' numbers; where they read together.
  std::function<std::int64_t(std::int64_t)> largest;

  bool is_collective() const { return static_cast<bool>(largest); }
};

/// A dataset of one dimension.
struct Hdf5Dataset {
  Hdf5Id id;
  std::string name;          ///< with its path: "/csr/entries"
  std::int64_t size = 0;     ///< elements
  std::int64_t offset = -1;  ///< its first byte in the file where elements lie in one piece, otherwise -1
  std::size_t element_bytes = 0;
  bool is_integer = true;  ///< or a floating-point number
};

/// Called for elements begin .. end - 1 of those asked for once they are in memory, by several threads at once; may
/// throw.
using CheckElements = std::function<void(std::int64_t begin, std::int64_t end)>;

class Hdf5Input {
 public:
  /// Opens a file of Dromos and checks its version. Collective where `access` is; it outlives this object.
  explicit Hdf5Input(std::string path, const Hdf5Access& access);
  Hdf5Input(const Hdf5Input&) = delete;
  Hdf5Input& operator=(const Hdf5Input&) = delete;

  const std::string& path() const { return path_; }
  /// Of the whole file.
  std::int64_t num_bytes() const { return num_bytes_; }

  /// Is there a group or a dataset of this name? Every object is asked for here before HDF5 opens it.
  bool has(const std::string& name) const;
  /// The names of what is in a group, ascending.
  std::vector<std::string> members(const std::string& group) const;
  /// The same as text for a message, separated by commas.
  std::string list(const std::string& group) const;

  /// An attribute of a group, of any integer type; nothing where there is none.
  std::optional<std::int64_t> find_integer(const std::string& group, const std::string& attribute) const;
  /// Must be there, and be in least .. most.
  std::int64_t integer(const std::string& group, const std::string& attribute, std::int64_t least,
                       std::int64_t most) const;
  /// A text, of fixed or variable length; nothing where there is none.
  std::optional<std::string> find_text(const std::string& object, const std::string& attribute) const;

  /// Must be there, of integers (or of floating-point numbers or integers), in one dimension.
  Hdf5Dataset integers(const std::string& name) const;
  Hdf5Dataset numbers(const std::string& name) const;
  /// Throws unless the dataset has this number of elements; `why` says what asks for it.
  void check_size(const Hdf5Dataset& dataset, std::int64_t size, const std::string& why) const;

  /// Elements first .. first + count - 1 to `to`, which has room for them; T: std::int32_t, std::uint32_t,
  /// std::int64_t, float or double, into which HDF5 converts (what does not fit becomes the largest or smallest number
  /// that does). Where processes read together every one calls this; a check that throws does so when all have read.
  template <class T>
  void read(const Hdf5Dataset& dataset, std::int64_t first, std::int64_t count, T* to,
            const CheckElements& check = nullptr) const {
    read_bytes(dataset, first, count, hdf5_memory_type<T>(), sizeof(T), to, check);
  }

  /// Throws InputError, "FILE: WHERE: MESSAGE".
  [[noreturn]] void fail(const std::string& where, const std::string& message) const {
    throw InputError(path_, 0, where + ": " + message);
  }
  /// One element is wrong.
  [[noreturn]] void fail_at(const Hdf5Dataset& dataset, std::int64_t index, const std::string& found,
                            const std::string& expected) const;

 private:
  bool has(const std::string& name, int& num_links) const;
  /// Looks at what HDF5 follows when it opens the object of that name. False for a soft link to nothing, or through
  /// more than so many others.
  bool check_link(const std::string& name, int& num_links) const;
  Hdf5Dataset open_dataset(const std::string& name, bool only_integers) const;
  void check_storage(const Hdf5Dataset& dataset) const;
  Hdf5Id open_attribute(const std::string& object, const std::string& attribute) const;
  void check_is_ours() const;
  void read_bytes(const Hdf5Dataset& dataset, std::int64_t first, std::int64_t count, hid_t memory_type,
                  std::size_t element_bytes, void* to, const CheckElements& check) const;
  void read_directly(const Hdf5Dataset& dataset, std::int64_t first, std::int64_t count, void* to,
                     const CheckElements& check) const;
  void read_piece(const Hdf5Dataset& dataset, std::int64_t first, std::int64_t count, char* to) const;
  void read_through_hdf5(const Hdf5Dataset& dataset, std::int64_t first, std::int64_t count, hid_t memory_type,
                         std::size_t element_bytes, void* to, const CheckElements& check) const;

  QuietHdf5 quiet_;
  std::string path_;
  const Hdf5Access& access_;
  FileDescriptor descriptor_;
  mutable Hdf5Structure structure_;  // remembers what it looked at
  Hdf5Id file_;
  std::int64_t num_bytes_ = 0;
};

}  // namespace dromos::io
