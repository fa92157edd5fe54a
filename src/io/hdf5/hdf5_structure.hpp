// SPDX-License-Identifier: BSD-3-Clause
// What HDF5 keeps for itself in a file, looked at before HDF5 follows it.
//
// HDF5 believes what leads it on: through a list of free places that returns to itself 1.10.8 goes until memory ends,
// and through a tree whose node is its own child until the stack does. The latest format has checksums over most of
// that, the oldest over nothing. So the header of every object is read here before HDF5 opens the object, with what
// hangs on it, and refused where HDF5 would not come to an end or would take far more than the file is long:
//
//   superblock -> root -> object header: chunks of messages; a message may name one more chunk
//                           group ............ tree of names, local heap with its list of free places
//                           chunked dataset .. tree of chunks
//                           text ............. global heap, if its length is variable: objects one behind the other
//                           attribute ........ its value behind its name, type and shape, as long as those say
//                           type ............. the header of another object, if the type has a name
//                           elements elsewhere local heap of names of files
//
// HDF5 1.10.8 cannot do without it, alone it opened what unit_tests/reader_cases/hdf5 has of damaged files: four of
// them crash it (an attribute longer than its message, a message in a heap that is not there, a node that is its own
// child, a type that is its own), one took all of 3 GiB, and one had not ended after 20 seconds. Of 240 files of the
// oldest format in which one to four bytes were changed at random, one crashed it.
//
// What HDF5 notices by itself is left to it: a wrong signature or version ends the walk, and bytes beyond the end of
// the file are 0 here. So are dense attributes and groups, which exist in the latest format only, and are under
// checksums. The names of the parts are those of the HDF5 File Format Specification, version 3.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "io/text/file_descriptor.hpp"

namespace dromos::io {

/// Both functions throw Hdf5Failure for what must not be followed.
class Hdf5Structure {
 public:
  /// The file outlives this object.
  explicit Hdf5Structure(const FileDescriptor& file) : file_(file) {}

  /// What HDF5 follows when it opens the file; to be called first.
  void check_root();
  /// What HDF5 follows when it opens the object there, as H5Lget_info() says where; looks at each object once.
  void check_object(std::uint64_t address);

 private:
  class Cursor;
  struct Message;

  Cursor at(std::uint64_t address) const;
  std::uint64_t next_address(Cursor& cursor) const;
  std::uint64_t next_length(Cursor& cursor) const;
  void read_superblock();
  bool is_inside(std::uint64_t address, std::uint64_t size) const;

  /// Returns the bytes of a value where it is the header of a type.
  std::uint64_t check_header(std::uint64_t address, bool of_type);
  void check_message(const Message& message);
  /// Returns the bytes of a value of that type, where a type is what is shared and its header says so; otherwise 0.
  std::uint64_t check_shared(Cursor cursor, bool of_type);
  void check_layout(Cursor cursor) const;
  void check_attribute(const Message& message);
  double num_elements(Cursor space, std::uint64_t num_bytes) const;
  /// \param level  the node's, or -1 for any. Adds to `bytes` what the nodes take.
  void check_tree(std::uint64_t address, std::uint64_t key_bytes, int level, std::uint64_t& bytes) const;
  void check_local_heap(std::uint64_t address) const;
  /// Returns the bytes of each object in it by index.
  const std::map<std::uint64_t, std::uint64_t>& check_global_heap(std::uint64_t address);

  const FileDescriptor& file_;
  bool may_open_ = false;  ///< there is a superblock, and the file is as long as it says; HDF5 opens no other
  bool met_shared_heap_ = false, shares_messages_ = false;  ///< anywhere; where it counts, beside the superblock
  std::uint64_t base_ = 0, num_bytes_ = 0, root_ = 0, extension_ = 0;
  int address_bytes_ = 8, length_bytes_ = 8;
  std::set<std::uint64_t> objects_;               ///< that were looked at
  std::map<std::uint64_t, std::uint64_t> types_;  ///< likewise, those with a name: the bytes of a value
  std::map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>> heaps_;  ///< global ones
};

}  // namespace dromos::io
