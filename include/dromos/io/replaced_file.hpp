// SPDX-License-Identifier: BSD-3-Clause
// A file that appears whole or not at all: it is written under a temporary name beside its own and renamed at the end,
// when the system has said that all of it is on the disk.
//
//   ReplacedFile file("graph.txt");       // graph.txt.k3v8q0zm2xa1.part, a name nobody can foresee
//   file.write(text.data(), text.size()); // or others write to file.temporary_path()
//   file.commit();                        // without this, the destructor removes what was written
//
// A symbolic link is written through. What stands for a device, a pipe or an open stream (/dev/stdout, or - for short)
// is written to as it is. A file that is replaced gives its owner, group and permissions to the new one; without
// permission to write it, it stays. Whatever fails throws Error, which names the file and the cause: a full disk is
// called one.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace dromos {

namespace io {
class TemporaryName;
}

class ReplacedFile {
 public:
  /// Makes the temporary file, for nobody else to write to, or opens the device; throws Error.
  explicit ReplacedFile(std::string path);
  /// Removes the temporary file unless commit() was called.
  ~ReplacedFile();
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;

  const std::string& path() const { return path_; }
  /// The file that is being written: beside the one behind all links, or that itself where it is a device or a pipe.
  const std::string& temporary_path() const { return temporary_path_; }
  /// False for a device, a pipe, or an open stream.
  bool is_replaced() const { return replaced_; }
  /// Of the file that is being written, open for reading and writing.
  int descriptor() const { return descriptor_; }

  /// All of it, behind what was written before; throws Error.
  void write(const char* data, std::size_t size);
  /// Waits until the disk has the file, and gives it its name in place of what had it before; throws Error. Whoever
  /// wrote to temporary_path() has closed it.
  void commit();
  /// Throws Error, which names the file and this reason.
  [[noreturn]] void fail(const std::string& reason) const;
  /// The same for an error number of the system.
  [[noreturn]] void fail(int error) const;

 private:
  void open_in_place(int own_descriptor);
  void open_temporary(bool replaces);
  void keep_owner_and_permissions(unsigned owner, unsigned group, unsigned permissions) const;
  void close();

  std::string path_;
  std::string final_path_;  // behind all links
  std::string temporary_path_;
  std::unique_ptr<io::TemporaryName> listed_;  // as long as a signal should remove the file
  int descriptor_ = -1;
  bool replaced_ = true;
  bool committed_ = false;
};

/// What a message says of an output that could not be written: "PATH: cannot be written ...", with the free space where
/// the disk is full, or the limit that was met.
std::string describe_write_failure(const std::string& path, int error);
std::string describe_write_failure(const std::string& path, const std::string& reason);

/// Removes what is being written and not complete. For signal handlers: takes no lock and no memory.
void remove_temporary_files() noexcept;

}  // namespace dromos
