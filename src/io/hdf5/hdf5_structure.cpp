// SPDX-License-Identifier: BSD-3-Clause
#include "io/hdf5/hdf5_structure.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include "io/hdf5/hdf5_handle.hpp"

namespace dromos::io {
namespace {

constexpr std::uint64_t undefined = std::numeric_limits<std::uint64_t>::max();

[[noreturn]] void refuse(const char* part, std::uint64_t address, const std::string& found) {
  throw Hdf5Failure(std::string(part) + " at byte " + std::to_string(address) + " " + found);
}

std::uint64_t padded(std::uint64_t size) { return (size + 7) / 8 * 8; }

// Of messages that lead somewhere, or say how much something takes.
namespace message_type {
constexpr std::uint64_t type = 3, external_files = 7, layout = 8, attribute = 12, shared_heap = 15, continuation = 16,
                        symbol_table = 17;
}

}  // namespace

/// Reads little-endian numbers one behind the other.
class Hdf5Structure::Cursor {
 public:
  Cursor(const FileDescriptor& file, std::uint64_t position) : file_(&file), position_(position) {}

  std::uint64_t position() const { return position_; }
  std::uint64_t next(int num_bytes) {
    std::uint64_t number = 0;
    for (int i = 0; i < num_bytes; ++i) number |= std::uint64_t(next_byte()) << (8 * i);
    return number;
  }
  bool next_is(std::string_view signature) {
    bool same = true;
    for (const char c : signature) same &= next_byte() == static_cast<unsigned char>(c);
    return same;
  }
  Cursor& skip(std::uint64_t num_bytes) {
    position_ += num_bytes;
    return *this;
  }

 private:
  unsigned char next_byte() {
    const std::uint64_t position = position_++;
    if (position < first_ || position - first_ >= num_read_) {
      if (position >= static_cast<std::uint64_t>(file_->num_bytes())) return 0;
      const ssize_t got = pread(file_->number(), bytes_.data(), bytes_.size(), static_cast<off_t>(position));
      first_ = position;
      num_read_ = static_cast<std::uint64_t>(std::max<ssize_t>(got, 0));
      if (num_read_ == 0) return 0;
    }
    return bytes_[position - first_];
  }

  const FileDescriptor* file_;
  std::uint64_t position_, first_ = 0, num_read_ = 0;
  std::array<unsigned char, 256> bytes_;
};

struct Hdf5Structure::Message {
  std::uint64_t type, size;
  Cursor data;
};

void Hdf5Structure::read_superblock() {
  num_bytes_ = static_cast<std::uint64_t>(file_.num_bytes());
  // Behind what another program put before it, it begins at a power of two.
  while (!Cursor(file_, base_).next_is("\x89HDF\r\n\x1a\n")) {
    base_ = base_ == 0 ? 512 : 2 * base_;
    if (base_ >= num_bytes_) return;
  }
  Cursor cursor = Cursor(file_, base_).skip(8);
  const std::uint64_t version = cursor.next(1);
  if (version < 2) cursor.skip(4);
  address_bytes_ = static_cast<int>(cursor.next(1));
  length_bytes_ = static_cast<int>(cursor.next(1));
  if (std::min(address_bytes_, length_bytes_) < 1 || std::max(address_bytes_, length_bytes_) > 8) {
    refuse("the superblock", base_,
           "has addresses of " + std::to_string(address_bytes_) + " and lengths of " + std::to_string(length_bytes_) +
               " bytes, where 1 to 8 were expected");
  }
  cursor.skip(version == 0 ? 9 : version == 1 ? 13 : 1);
  const std::uint64_t said = next_address(cursor);
  if (said != base_) refuse("the superblock", base_, "says that it is at byte " + std::to_string(said));
  extension_ = version < 2 ? undefined : next_address(cursor);
  if (version < 2) next_address(cursor);
  const std::uint64_t end = next_address(cursor);
  if (version < 2) next_address(cursor);
  if (version < 2) next_length(cursor);
  root_ = next_address(cursor);
  may_open_ = base_ != 0 || end <= num_bytes_;
}

Hdf5Structure::Cursor Hdf5Structure::at(std::uint64_t address) const {
  return Cursor(file_, is_inside(address, 0) ? base_ + address : num_bytes_);
}

std::uint64_t Hdf5Structure::next_address(Cursor& cursor) const {
  const std::uint64_t number = cursor.next(address_bytes_);
  const bool is_undefined = address_bytes_ < 8 && number + 1 == std::uint64_t(1) << (8 * address_bytes_);
  return is_undefined ? undefined : number;
}

std::uint64_t Hdf5Structure::next_length(Cursor& cursor) const { return cursor.next(length_bytes_); }

bool Hdf5Structure::is_inside(std::uint64_t address, std::uint64_t size) const {
  const std::uint64_t room = num_bytes_ - base_;
  return address <= room && size <= room - address;
}

void Hdf5Structure::check_root() {
  read_superblock();
  if (!may_open_) return;
  if (extension_ != undefined) check_object(extension_);
  shares_messages_ = met_shared_heap_;
  check_object(root_);
}

void Hdf5Structure::check_object(std::uint64_t address) {
  if (objects_.insert(address).second) check_header(address, false);
}

std::uint64_t Hdf5Structure::check_header(std::uint64_t address, bool of_type) {
  constexpr const char* part = "the object header";
  Cursor cursor = at(address);
  bool is_old = true, has_order = false;
  std::uint64_t size = 0;
  if (cursor.next_is("OHDR")) {
    is_old = false;
    cursor.skip(1);
    const std::uint64_t flags = cursor.next(1);
    has_order = (flags & 4) != 0;
    cursor.skip(((flags & 32) != 0 ? 16u : 0u) + ((flags & 16) != 0 ? 4u : 0u));
    size = cursor.next(1 << (flags & 3));
  } else {
    cursor = at(address);
    if (cursor.next(1) != 1) return 0;
    size = cursor.skip(7).next(4);
    cursor.skip(4);
  }
  const std::uint64_t message_head = is_old ? 8 : has_order ? 6 : 4;
  std::uint64_t bytes_of_type = 0;

  std::map<std::uint64_t, std::uint64_t> chunks;  // ends by beginnings
  std::set<std::uint64_t> to_walk;
  const auto add_chunk = [&](std::uint64_t begin, std::uint64_t num_bytes) {
    if (!is_inside(begin, num_bytes)) {
      refuse(part, address,
             "has a chunk of " + std::to_string(num_bytes) + " bytes at byte " + std::to_string(begin) +
                 ", beyond the end of the file");
    }
    const auto after = chunks.lower_bound(begin);
    const bool overlaps = (after != chunks.end() && after->first < begin + std::max<std::uint64_t>(1, num_bytes)) ||
                          (after != chunks.begin() && std::prev(after)->second > begin);
    if (overlaps) {
      refuse(part, address, "has a chunk at byte " + std::to_string(begin) + " that overlaps another one of its own");
    }
    chunks.emplace(begin, begin + num_bytes);
    to_walk.insert(begin);
  };
  add_chunk(cursor.position() - base_, size);
  for (bool first = true; !to_walk.empty(); first = false) {
    const std::uint64_t begin = *to_walk.begin();
    to_walk.erase(to_walk.begin());
    const std::uint64_t around = first || is_old ? 0 : 4;  // bytes of the signature before messages, and of a checksum
    cursor = at(begin).skip(around);
    const std::uint64_t end = base_ + chunks[begin];
    while (cursor.position() + message_head + around <= end) {
      const std::uint64_t type = cursor.next(is_old ? 2 : 1), message_bytes = cursor.next(2);
      const bool shared = (cursor.next(1) & 2) != 0;
      cursor.skip(is_old ? 3 : has_order ? 2 : 0);
      if (cursor.position() + message_bytes + around > end) break;
      const Message message{type, message_bytes, cursor};
      if (type == message_type::continuation) {
        Cursor data = cursor;
        const std::uint64_t next = next_address(data);
        add_chunk(next, next_length(data));
      } else if (shared) {
        check_shared(cursor, of_type);
      } else if (!of_type) {
        check_message(message);
      } else if (type == message_type::type) {  // nothing else of it is followed
        bytes_of_type = Cursor(cursor).skip(4).next(4);
      }
      cursor.skip(message_bytes);
    }
  }
  return bytes_of_type;
}

void Hdf5Structure::check_message(const Message& message) {
  Cursor cursor = message.data;
  if (message.type == message_type::symbol_table) {
    std::uint64_t bytes = 0;
    check_tree(next_address(cursor), static_cast<std::uint64_t>(length_bytes_), -1, bytes);
    check_local_heap(next_address(cursor));
  } else if (message.type == message_type::shared_heap) {
    met_shared_heap_ = true;
  } else if (message.type == message_type::external_files) {
    check_local_heap(next_address(cursor.skip(8)));
  } else if (message.type == message_type::layout) {
    check_layout(cursor);
  } else if (message.type == message_type::attribute) {
    check_attribute(message);
  }
}

std::uint64_t Hdf5Structure::check_shared(Cursor cursor, bool of_type) {
  const std::uint64_t position = cursor.position(), version = cursor.next(1), kind = cursor.next(1);
  if (version > 1 && kind == 1) {  // in a heap under checksums
    if (!shares_messages_)
      refuse("the message", position, "is in a heap of shared messages, which the file does not have");
    return 0;
  }
  if (version == 1) cursor.skip(6 + static_cast<std::uint64_t>(length_bytes_));
  const std::uint64_t address = next_address(cursor);
  if (of_type) refuse("the type", address, "belongs to a type that has a name, and has one itself");
  const auto [type, is_new] = types_.try_emplace(address, 0);
  if (is_new) type->second = check_header(address, true);
  return type->second;
}

void Hdf5Structure::check_layout(Cursor cursor) const {
  constexpr std::uint64_t chunked = 2;
  const std::uint64_t version = cursor.next(1);
  std::uint64_t dimensions = 0, kind = 0;
  if (version < 3) {
    dimensions = cursor.next(1);
    kind = cursor.next(1);
    cursor.skip(5);
  } else {
    kind = cursor.next(1);
    if (version == 3) dimensions = cursor.next(1);
  }
  if (version > 3 || kind != chunked) return;  // later ones index chunks under checksums
  std::uint64_t bytes = 0;
  check_tree(next_address(cursor), 8 + 8 * dimensions, -1, bytes);
}

/// Of a shape that takes so many bytes; as a floating-point number, since the product may be beyond all integers.
double Hdf5Structure::num_elements(Cursor space, std::uint64_t num_bytes) const {
  constexpr std::uint64_t with_largest = 1, of_nothing = 2;
  const std::uint64_t position = space.position(), version = space.next(1), rank = space.next(1), flags = space.next(1);
  const std::uint64_t kind = space.next(1);
  if (version != 1 && version != 2) return 0;  // no other is read
  const std::uint64_t head = version == 1 ? 8 : 4, lists = (flags & with_largest) != 0 ? 2 : 1;
  if (head + rank * lists * static_cast<std::uint64_t>(length_bytes_) > num_bytes) {
    refuse("the shape", position,
           "of " + std::to_string(num_bytes) + " bytes says that it has " + std::to_string(rank) + " dimensions");
  }
  if (version == 2 && kind == of_nothing) return 0;
  double number = 1;
  space.skip(head - 4);
  for (std::uint64_t i = 0; i < rank; ++i) number *= static_cast<double>(next_length(space));
  return number;
}

void Hdf5Structure::check_attribute(const Message& message) {
  constexpr std::uint64_t variable_length = 9, type_is_shared = 1, space_is_shared = 2;
  Cursor cursor = message.data;
  const std::uint64_t position = cursor.position(), version = cursor.next(1), said_flags = cursor.next(1);
  const std::uint64_t flags = version > 1 ? said_flags : 0;
  if (version < 1 || version > 3) return;  // no other is read
  const std::uint64_t name = cursor.next(2), type = cursor.next(2), space = cursor.next(2);
  const auto stored = [&](std::uint64_t size) { return version == 1 ? padded(size) : size; };
  if (version == 3) cursor.skip(1);
  Cursor type_cursor = cursor.skip(stored(name)), space_cursor = Cursor(type_cursor).skip(stored(type));
  cursor = Cursor(space_cursor).skip(stored(space));
  const std::uint64_t before = cursor.position() - position;
  if (before > message.size) {
    refuse("the attribute", position,
           "of " + std::to_string(message.size) + " bytes says that its name, type and shape are of " +
               std::to_string(before));
  }
  if ((flags & space_is_shared) != 0) {
    if (!shares_messages_)
      refuse("the attribute", position, "has its shape in a heap of shared messages, which the file does not have");
    return;
  }
  const double elements = num_elements(space_cursor, space);
  const bool of_variable_length =
      (flags & type_is_shared) == 0 && (Cursor(type_cursor).next(1) & 15) == variable_length;
  const std::uint64_t element_bytes =
      (flags & type_is_shared) != 0 ? check_shared(type_cursor, false) : type_cursor.skip(4).next(4);
  if (elements * static_cast<double>(element_bytes) > static_cast<double>(message.size - before)) {
    refuse("the attribute", position,
           "has " + std::to_string(message.size - before) +
               " bytes for its value, less than its type "
               "and shape take");
  }
  if (!of_variable_length) return;
  const std::uint64_t length = cursor.next(4), heap = next_address(cursor);
  const auto& sizes = check_global_heap(heap);
  const auto object = sizes.find(cursor.next(4));
  const std::uint64_t size = object == sizes.end() ? 0 : object->second;
  if (length <= size) return;
  refuse("the global heap", heap, "has " + std::to_string(size) + " bytes of a text of " + std::to_string(length));
}

void Hdf5Structure::check_tree(std::uint64_t address, std::uint64_t key_bytes, int level, std::uint64_t& bytes) const {
  constexpr const char* part = "the tree node";
  Cursor cursor = at(address);
  if (!cursor.next_is("TREE")) return;
  const int own_level = static_cast<int>(cursor.skip(1).next(1));
  if (level >= 0 && own_level != level) {
    refuse(
        part, address,
        "is of level " + std::to_string(own_level) + ", where the one above leads to level " + std::to_string(level));
  }
  const std::uint64_t num_children = cursor.next(2);
  next_address(cursor);
  next_address(cursor);
  bytes += 8 + num_children * (key_bytes + static_cast<std::uint64_t>(address_bytes_));
  // Where several nodes lead to the same one, a few levels are more work than anybody waits for.
  if (bytes > num_bytes_) refuse(part, address, "belongs to a tree of more nodes than the file has room for");
  if (own_level == 0) return;
  for (std::uint64_t i = 0; i < num_children; ++i) {
    check_tree(next_address(cursor.skip(key_bytes)), key_bytes, own_level - 1, bytes);
  }
}

void Hdf5Structure::check_local_heap(std::uint64_t address) const {
  constexpr const char* part = "the local heap";
  constexpr std::uint64_t none = 1;
  Cursor cursor = at(address);
  if (!cursor.next_is("HEAP")) return;
  const std::uint64_t size = next_length(cursor.skip(4));
  std::uint64_t place = next_length(cursor);
  const std::uint64_t data = next_address(cursor);
  if (!is_inside(data, size)) {
    refuse(part, address, "is of " + std::to_string(size) + " bytes, more than the file has there");
  }
  const std::uint64_t least = 2 * static_cast<std::uint64_t>(length_bytes_);
  // Free places do not overlap, so there are so many at most.
  for (std::uint64_t left = size / least; place != none && place < size; --left) {
    if (left == 0) refuse(part, address, "has a list of free places that returns to itself");
    if (size - place < least) refuse(part, address, "has a free place beyond its end");
    Cursor free_place = at(data + place);
    place = next_length(free_place);
  }
}

const std::map<std::uint64_t, std::uint64_t>& Hdf5Structure::check_global_heap(std::uint64_t address) {
  constexpr const char* part = "the global heap";
  const auto [heap, is_new] = heaps_.try_emplace(address);
  auto& sizes = heap->second;
  Cursor cursor = at(address);
  if (!is_new || !cursor.next_is("GCOL")) return sizes;
  const std::uint64_t size = next_length(cursor.skip(4));
  if (!is_inside(address, size)) {
    refuse(part, address, "is of " + std::to_string(size) + " bytes, more than the file has there");
  }
  const std::uint64_t head = padded(8 + static_cast<std::uint64_t>(length_bytes_));
  for (std::uint64_t begin = head; begin + head <= size;) {
    cursor = at(address + begin);
    const std::uint64_t index = cursor.next(2), content = next_length(cursor.skip(6));
    const std::uint64_t num_bytes = index == 0 ? content : content <= size ? head + padded(content) : undefined;
    if (num_bytes < head || num_bytes > size - begin) {
      refuse(
          part, address,
          "has an object of " + std::to_string(content) + " bytes where " + std::to_string(size - begin) + " are left");
    }
    sizes[index] = content;
    begin += num_bytes;
  }
  return sizes;
}

}  // namespace dromos::io
