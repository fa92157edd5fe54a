// SPDX-License-Identifier: BSD-3-Clause
#include "io/hdf5/hdf5_input.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <dromos/core/huge_pages.hpp>
#include <utility>
#include <vector>

#include "io/hdf5/hdf5_layout.hpp"
#include "io/text/line_fault.hpp"
#include "io/text/parallel_pieces.hpp"

namespace dromos::io {
namespace {

constexpr const char* again = "; write the file again";

/// The file that an object is in: links may lead to other files.
std::string file_name_of(hid_t object) {
  const ssize_t length = H5Fget_name(object, nullptr, 0);
  std::string name(length < 0 ? 0 : static_cast<std::size_t>(length), '\0');
  if (length > 0) H5Fget_name(object, name.data(), name.size() + 1);
  return name;
}

#if H5_VERSION_GE(1, 12, 0)
using Link = H5L_info1_t;
#else
using Link = H5L_info_t;
#endif

Link find_link(hid_t file, const std::string& name) {
  Link link;
#if H5_VERSION_GE(1, 12, 0)
  check_hdf5(H5Lget_info1(file, name.c_str(), &link, H5P_DEFAULT), "HDF5 cannot look it up");
#else
  check_hdf5(H5Lget_info(file, name.c_str(), &link, H5P_DEFAULT), "HDF5 cannot look it up");
#endif
  return link;
}

/// The name to which a soft link leads, from the root on.
std::string target_of(hid_t file, const std::string& name, const Link& link) {
  std::vector<char> target(link.u.val_size + 1);
  check_hdf5(H5Lget_val(file, name.c_str(), target.data(), link.u.val_size, H5P_DEFAULT), "HDF5 cannot read the link");
  return target[0] == '/' ? target.data() : name.substr(0, name.rfind('/') + 1) + target.data();
}

extern "C" herr_t append_name(hid_t, const char* name, const H5L_info_t*, void* list) {
  static_cast<std::vector<std::string>*>(list)->emplace_back(name);
  return 0;
}

}  // namespace

Hdf5Input::Hdf5Input(std::string path, const Hdf5Access& access)
    : path_(std::move(path)),
      access_(access),
      descriptor_(path_),
      structure_(descriptor_),
      num_bytes_(descriptor_.num_bytes()) {
  try {
    structure_.check_root();
    file_ = Hdf5Id(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access_.file.get()), H5Fclose, "HDF5 cannot open it");
  } catch (const Hdf5Failure& failure) {
    throw InputError(
        path_, 0, std::string(failure.what()) + "; where the file was cut short or damaged, fetch or write it again");
  }
  check_is_ours();
}

void Hdf5Input::check_is_ours() const {
  namespace layout = hdf5_layout;
  const auto format = find_text("/", layout::format);
  if (!format || *format != layout::format_name) {
    throw InputError(path_, 0,
                     std::string("expected a file of Dromos, with the attribute format = \"dromos\" (doc/hdf5.md), "
                                 "found an HDF5 file ") +
                         (format ? "whose format is " + quoted(*format) : "without it, with " + list("/")) +
                         "; write the graph in that layout");
  }
  const auto version = find_integer("/", layout::version);
  if (!version || *version != layout::current_version) {
    fail(std::string("attribute ") + layout::version,
         "expected " + std::to_string(layout::current_version) + ", found " +
             (version ? std::to_string(*version) : std::string("no such attribute")) +
             "; read it with the Dromos that wrote it" +
             (find_text("/", layout::created_by) ? " (" + find_text("/", layout::created_by).value() + ")" : ""));
  }
}

bool Hdf5Input::has(const std::string& name) const {
  int num_links = 16;  // as many as HDF5 follows
  return has(name, num_links);
}

bool Hdf5Input::has(const std::string& name, int& num_links) const {
  if (name == "/") return true;
  // Every part of the path has to be asked for.
  for (std::size_t end = name.find('/', 1);; end = name.find('/', end + 1)) {
    const std::string part = name.substr(0, end);
    const htri_t exists = H5Lexists(file_.get(), part.c_str(), H5P_DEFAULT);
    if (exists < 0) fail(name, "HDF5 cannot look it up (" + hdf5_reason() + ")" + again);
    if (exists == 0 || !check_link(part, num_links)) return false;
    if (end == std::string::npos) return true;
  }
}

bool Hdf5Input::check_link(const std::string& name, int& num_links) const {
  try {
    const Link link = find_link(file_.get(), name);
    if (link.type == H5L_TYPE_SOFT) return num_links-- > 0 && has(target_of(file_.get(), name, link), num_links);
    if (link.type == H5L_TYPE_HARD) {
      structure_.check_object(link.u.address);
      return true;
    }
  } catch (const Hdf5Failure& failure) {
    fail(name, failure.what() + std::string(again));
  }
  fail(name, std::string("expected it in this file, found a link to another one") + again);
}

std::vector<std::string> Hdf5Input::members(const std::string& group) const {
  std::vector<std::string> names;
  static_cast<void>(has(group));  // which looks at it before HDF5 does
  hsize_t index = 0;
  if (H5Literate_by_name(file_.get(), group.c_str(), H5_INDEX_NAME, H5_ITER_INC, &index, append_name, &names,
                         H5P_DEFAULT) < 0) {
    fail(group, "HDF5 cannot list it (" + hdf5_reason() + ")" + again);
  }
  return names;
}

std::string Hdf5Input::list(const std::string& group) const {
  std::string text;
  for (const std::string& name : members(group)) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "nothing in it" : quoted(text);
}

Hdf5Id Hdf5Input::open_attribute(const std::string& object, const std::string& attribute) const {
  static_cast<void>(has(object));  // which looks at it before HDF5 does
  const htri_t exists = H5Aexists_by_name(file_.get(), object.c_str(), attribute.c_str(), H5P_DEFAULT);
  if (exists == 0) return {};
  try {
    check_hdf5(exists, "HDF5 cannot look it up");
    return Hdf5Id(H5Aopen_by_name(file_.get(), object.c_str(), attribute.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                  "HDF5 cannot open it");
  } catch (const Hdf5Failure& failure) {
    fail(object + ", attribute " + attribute, failure.what() + std::string(again));
  }
}

std::optional<std::int64_t> Hdf5Input::find_integer(const std::string& group, const std::string& attribute) const {
  const Hdf5Id id = open_attribute(group, attribute);
  if (id.get() == 0) return std::nullopt;
  const std::string where = group + ", attribute " + attribute;
  try {
    const Hdf5Id type(H5Aget_type(id.get()), H5Tclose, "type");
    const Hdf5Id space(H5Aget_space(id.get()), H5Sclose, "shape");
    if (H5Tget_class(type.get()) != H5T_INTEGER || H5Sget_simple_extent_npoints(space.get()) != 1) {
      fail(where, std::string("expected one whole number, found something else") + again);
    }
    std::int64_t value = 0;
    check_hdf5(H5Aread(id.get(), H5T_NATIVE_INT64, &value), "HDF5 cannot read it");
    return value;
  } catch (const Hdf5Failure& failure) {
    fail(where, failure.what() + std::string(again));
  }
}

std::int64_t Hdf5Input::integer(const std::string& group, const std::string& attribute, std::int64_t least,
                                std::int64_t most) const {
  const auto value = find_integer(group, attribute);
  if (value && *value >= least && *value <= most) return *value;
  fail(group + ", attribute " + attribute,
       "expected a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ", found " +
           (value ? std::to_string(*value) : std::string("no such attribute")) + again);
}

std::optional<std::string> Hdf5Input::find_text(const std::string& object, const std::string& attribute) const {
  const Hdf5Id id = open_attribute(object, attribute);
  if (id.get() == 0) return std::nullopt;
  try {
    const Hdf5Id type(H5Aget_type(id.get()), H5Tclose, "type");
    const Hdf5Id space(H5Aget_space(id.get()), H5Sclose, "shape");
    if (H5Tget_class(type.get()) != H5T_STRING || H5Sget_simple_extent_npoints(space.get()) != 1) return std::nullopt;
    const Hdf5Id memory(H5Tcopy(type.get()), H5Tclose, "type");
    if (H5Tis_variable_str(type.get()) > 0) {
      if (H5Tcommitted(type.get()) > 0) return std::nullopt;  // nobody looked where the text is
      char* text = nullptr;
      check_hdf5(H5Aread(id.get(), memory.get(), &text), "HDF5 cannot read it");
      const std::string copy = text != nullptr ? text : "";
      if (text != nullptr) H5free_memory(text);
      return copy;
    }
    constexpr std::size_t most = std::size_t(1) << 16;  // what HDF5 keeps with an object
    const std::size_t size = H5Tget_size(type.get());
    if (size == 0 || size > most) return std::nullopt;
    std::string text(size, '\0');
    check_hdf5(H5Aread(id.get(), memory.get(), text.data()), "HDF5 cannot read it");
    const std::size_t end = std::min(text.find('\0'), text.find_last_not_of(' ') + 1);
    text.resize(std::min(end, text.size()));
    return text;
  } catch (const Hdf5Failure& failure) {
    fail(object + ", attribute " + attribute, failure.what() + std::string(again));
  }
}

Hdf5Dataset Hdf5Input::integers(const std::string& name) const { return open_dataset(name, true); }
Hdf5Dataset Hdf5Input::numbers(const std::string& name) const { return open_dataset(name, false); }

Hdf5Dataset Hdf5Input::open_dataset(const std::string& name, bool only_integers) const {
  if (!has(name)) {
    const std::string group = name.substr(0, name.rfind('/'));
    fail(name, "expected a dataset of this name, found only " + list(group) + again);
  }
  Hdf5Dataset dataset;
  dataset.name = name;
  try {
    dataset.id = Hdf5Id(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose, "HDF5 cannot open it as a dataset");
    const Hdf5Id type(H5Dget_type(dataset.id.get()), H5Tclose, "type");
    const Hdf5Id space(H5Dget_space(dataset.id.get()), H5Sclose, "shape");
    const H5T_class_t kind = H5Tget_class(type.get());
    dataset.is_integer = kind == H5T_INTEGER;
    dataset.element_bytes = H5Tget_size(type.get());
    if ((kind != H5T_INTEGER && (only_integers || kind != H5T_FLOAT)) || dataset.element_bytes > 8) {
      fail(name, std::string("expected ") + (only_integers ? "integers" : "numbers") + " of at most 64 bits, found " +
                     (kind == H5T_FLOAT    ? "floating-point numbers"
                      : kind == H5T_STRING ? "texts"
                                           : "another type") +
                     again);
    }
    hsize_t size = 0;
    const int rank = H5Sget_simple_extent_ndims(space.get());
    if (rank != 1 || H5Sget_simple_extent_dims(space.get(), &size, nullptr) < 0) {
      fail(name, "expected one dimension, found " + std::to_string(rank) + again);
    }
    if (size > static_cast<hsize_t>(1) << 60) {
      fail(name, "it declares " + std::to_string(size) + " elements, more than a file can have" + again);
    }
    dataset.size = static_cast<std::int64_t>(size);
    const haddr_t offset = H5Dget_offset(dataset.id.get());
    const bool in_one_piece = offset != HADDR_UNDEF && file_name_of(dataset.id.get()) == file_name_of(file_.get());
    dataset.offset = in_one_piece ? static_cast<std::int64_t>(offset) : -1;
    static_cast<void>(H5Eclear2(H5E_DEFAULT));  // a dataset not in one piece has no offset, which is an error to HDF5
    check_storage(dataset);
  } catch (const Hdf5Failure& failure) {
    fail(name, failure.what() + std::string(again));
  }
  return dataset;
}

void Hdf5Input::check_storage(const Hdf5Dataset& dataset) const {
  const Hdf5Id properties(H5Dget_create_plist(dataset.id.get()), H5Pclose, "properties");
  const H5D_layout_t layout = H5Pget_layout(properties.get());
  if (layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED && layout != H5D_COMPACT) {
    fail(dataset.name, std::string("expected the elements in this file, found a virtual dataset") + again);
  }
  if (H5Pget_external_count(properties.get()) > 0) {
    fail(dataset.name, std::string("expected the elements in this file, found them in another one") + again);
  }
  // Compression makes something smaller, but not without limit: deflate at most 1032 times.
  constexpr double most_compression = 4096;
  const bool compressed = layout == H5D_CHUNKED && H5Pget_nfilters(properties.get()) != 0;
  hsize_t piece = 1;  // of elements; the last chunk is as long as the others
  if (layout == H5D_CHUNKED && H5Pget_chunk(properties.get(), 1, &piece) != 1) piece = 1;
  const double pieces = std::ceil(static_cast<double>(dataset.size) / static_cast<double>(piece));
  const double stored = static_cast<double>(H5Dget_storage_size(dataset.id.get()));
  const double declared = pieces * static_cast<double>(piece) * static_cast<double>(dataset.element_bytes);
  const double room = compressed ? stored * most_compression : stored;
  const bool beyond_the_end =
      dataset.offset >= 0 && static_cast<double>(dataset.offset) + declared > static_cast<double>(num_bytes_);
  if (declared > room || beyond_the_end) {
    fail(dataset.name, "it declares " + counted(dataset.size, "element", "elements") + " of " +
                           std::to_string(dataset.element_bytes) + " bytes, and the file has " +
                           std::to_string(static_cast<std::int64_t>(stored)) + " bytes of them" + again);
  }
}

void Hdf5Input::check_size(const Hdf5Dataset& dataset, std::int64_t size, const std::string& why) const {
  if (dataset.size == size) return;
  fail(dataset.name, "expected " + counted(size, "element", "elements") + " (" + why + "), found " +
                         std::to_string(dataset.size) + again);
}

void Hdf5Input::fail_at(const Hdf5Dataset& dataset, std::int64_t index, const std::string& found,
                        const std::string& expected) const {
  fail(dataset.name, "element " + std::to_string(index) + " is " + found + "; expected " + expected + again);
}

void Hdf5Input::read_bytes(const Hdf5Dataset& dataset, std::int64_t first, std::int64_t count, hid_t memory_type,
                           std::size_t element_bytes, void* to, const CheckElements& check) const {
  if (first < 0 || count < 0 || first > dataset.size - count) {
    fail(dataset.name, "expected elements " + std::to_string(first) + " to " + std::to_string(first + count) +
                           ", found " + std::to_string(dataset.size) + again);
  }
  bool as_in_memory = false;
  try {
    const Hdf5Id type(H5Dget_type(dataset.id.get()), H5Tclose, "type");
    as_in_memory = H5Tequal(type.get(), memory_type) > 0;
  } catch (const Hdf5Failure& failure) {
    fail(dataset.name, failure.what() + std::string(again));
  }
  if (as_in_memory && dataset.offset >= 0 && !access_.is_collective()) {
    read_directly(dataset, first, count, to, check);
  } else {
    read_through_hdf5(dataset, first, count, memory_type, element_bytes, to, check);
  }
}

void Hdf5Input::read_directly(const Hdf5Dataset& dataset, std::int64_t first, std::int64_t count, void* to,
                              const CheckElements& check) const {
  // Large enough for the system call, small enough to be checked while it is in cache.
  constexpr std::int64_t piece_bytes = std::int64_t(1) << 19;
  // A huge page is for one thread: of two that touch it first, each would have the system clear one.
  constexpr std::int64_t page_bytes = huge_page_bytes;
  const std::int64_t bytes = static_cast<std::int64_t>(dataset.element_bytes);
  const std::int64_t before = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % page_bytes) / bytes;
  const std::int64_t piece = piece_bytes / bytes, page = page_bytes / bytes;
  parallel_for_each("dromos::hdf5::read", (before + count + page - 1) / page, [&](const std::int64_t i) {
    const std::int64_t page_end = std::min(count, (i + 1) * page - before);
    for (std::int64_t begin = std::max<std::int64_t>(0, i * page - before); begin < page_end; begin += piece) {
      const std::int64_t end = std::min(page_end, begin + piece);
      read_piece(dataset, first + begin, end - begin, static_cast<char*>(to) + begin * bytes);
      if (check) check(begin, end);
    }
  });
}

void Hdf5Input::read_piece(const Hdf5Dataset& dataset, std::int64_t first, std::int64_t count, char* to) const {
  const std::int64_t bytes = static_cast<std::int64_t>(dataset.element_bytes);
  for (std::int64_t done = 0; done < count * bytes;) {
    const ssize_t got = pread(descriptor_.number(), to + done, static_cast<std::size_t>(count * bytes - done),
                              dataset.offset + first * bytes + done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      fail(dataset.name, std::string("cannot be read (") + (got < 0 ? std::strerror(errno) : "the file ends early") +
                             "); fetch or write the file again");
    }
    done += got;
  }
}

void Hdf5Input::read_through_hdf5(const Hdf5Dataset& dataset, std::int64_t first, std::int64_t count, hid_t memory_type,
                                  std::size_t element_bytes, void* to, const CheckElements& check) const {
  // MPI counts bytes in int, in some versions of HDF5 without a check.
  constexpr std::int64_t piece_bytes = std::int64_t(1) << 28;
  const std::int64_t piece = piece_bytes / 8;
  std::int64_t num_pieces = (count + piece - 1) / piece;
  if (access_.is_collective()) num_pieces = access_.largest(num_pieces);
  std::string failure;  // thrown when all processes that read together are through
  for (std::int64_t i = 0; i < num_pieces; ++i) {
    const std::int64_t begin = std::min(count, i * piece), end = std::min(count, begin + piece);
    try {
      const Hdf5Id file_space = select_elements(dataset.id.get(), first + begin, end - begin);
      const hsize_t size = static_cast<hsize_t>(end - begin);
      const Hdf5Id memory_space(H5Screate_simple(1, &size, nullptr), H5Sclose, "shape");
      check_hdf5(H5Dread(dataset.id.get(), memory_type, memory_space.get(), file_space.get(), access_.transfer.get(),
                         static_cast<char*>(to) + static_cast<std::size_t>(begin) * element_bytes),
                 "HDF5 cannot read it");
    } catch (const Hdf5Failure& error) {
      if (failure.empty()) failure = error.what();
    }
  }
  if (!failure.empty())
    fail(dataset.name, failure + "; where the file was cut short or damaged, fetch or write it again");
  if (!check) return;
  parallel_for_ranges("dromos::hdf5::check", count, check);
}

}  // namespace dromos::io
