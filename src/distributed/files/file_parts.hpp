// SPDX-License-Identifier: BSD-3-Clause
// Parts of a file that several processes write, each at places of its own, with the system's plain calls.
//
// MPI-IO would do the same, and does it faster where parts are many and small; but a rank that has no room left then
// tells the others nothing, or waits in the close of the file for ever, and Open MPI says of such writes that they went
// well. Here every call is a rank's own, its result is looked at, and nothing waits. Parts are few and large: each rank
// has one of every dataset.
//
// What was written is remembered by a checksum, so that it can be read back when all is on the disk, without the arrays
// that it came from:
//
//   parts.reserve(offset, bytes);         // of the whole dataset, by one rank: a disk without room is known here
//   parts.write(own_offset, data, bytes);
//   parts.synchronize();                  // the disk has it
//   parts.verify();                       // and it is what was written
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dromos::detail {

class FileParts {
 public:
  /// Opens the file at `path`, which is there already.
  /// \param told  what messages call the file
  FileParts(const std::string& path, std::string told);
  ~FileParts();
  FileParts(const FileParts&) = delete;
  FileParts& operator=(const FileParts&) = delete;

  // All throw Error.

  /// Takes the room for bytes from `offset` on; where the file system cannot do that, nothing happens.
  void reserve(std::int64_t offset, std::int64_t bytes) const;
  void write(std::int64_t offset, const void* data, std::int64_t bytes);
  void synchronize() const;
  /// Reads everything back that this process has written. Cost: one read of it.
  void verify() const;

 private:
  struct Part {
    std::int64_t offset, bytes;
    std::uint64_t checksum;
  };

  [[noreturn]] void fail(int error) const;

  std::string told_;
  int descriptor_;
  std::vector<Part> parts_;
};

}  // namespace dromos::detail
