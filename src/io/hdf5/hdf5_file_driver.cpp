// SPDX-License-Identifier: BSD-3-Clause
#include "io/hdf5/hdf5_file_driver.hpp"

#if __has_include(<H5FDdevelop.h>)
#include <H5FDdevelop.h>
#endif
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>

namespace dromos::io {
namespace {

/// What HDF5 hands from the properties to open_file(): it copies these bytes.
struct Info {
  Hdf5WriteState* state;
};

/// HDF5 sees the first member only, and fills in the rest of it.
struct File {
  H5FD_t common;
  Hdf5WriteState* state;
  haddr_t end_of_addresses, end_of_file;
};

constexpr haddr_t largest_address = static_cast<haddr_t>(std::numeric_limits<off_t>::max());

File& file_of(H5FD_t* file) { return *reinterpret_cast<File*>(file); }
const File& file_of(const H5FD_t* file) { return *reinterpret_cast<const File*>(file); }

extern "C" {

H5FD_t* open_file(const char*, unsigned, hid_t access, haddr_t) {
  const auto* const info = static_cast<const Info*>(H5Pget_driver_info(access));
  struct stat status;
  if (info == nullptr || fstat(info->state->descriptor, &status) != 0) return nullptr;
  File* const file = new (std::nothrow) File();
  if (file == nullptr) return nullptr;
  file->state = info->state;
  file->end_of_file = static_cast<haddr_t>(status.st_size);
  return &file->common;
}

herr_t close_file(H5FD_t* file) {
  delete &file_of(file);
  return 0;
}

int compare_files(const H5FD_t* a, const H5FD_t* b) {
  return file_of(a).state->descriptor - file_of(b).state->descriptor;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t end_of_addresses(const H5FD_t* file, H5FD_mem_t) { return file_of(file).end_of_addresses; }

herr_t set_end_of_addresses(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  file_of(file).end_of_addresses = end;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return file_of(file).end_of_file; }

herr_t read_file(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* to) {
  char* at = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t got = pread(file_of(file).state->descriptor, at, size, static_cast<off_t>(address));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    at += got;
    address += static_cast<haddr_t>(got);
    size -= static_cast<size_t>(got);
  }
  std::memset(at, 0, size);  // beyond the end of the file
  return 0;
}

herr_t write_file(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* data) {
  Hdf5WriteState& state = *file_of(file).state;
  const haddr_t end = address + size;
  const char* from = static_cast<const char*>(data);
  while (size > 0 && state.error == 0) {
    const ssize_t written = pwrite(state.descriptor, from, size, static_cast<off_t>(address));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      state.error = written < 0 ? errno : ENOSPC;
      break;
    }
    from += written;
    address += static_cast<haddr_t>(written);
    size -= static_cast<size_t>(written);
  }
  file_of(file).end_of_file = std::max(file_of(file).end_of_file, end);
  return 0;
}

herr_t truncate_file(H5FD_t* file, hid_t, hbool_t) {
  File& own = file_of(file);
  struct stat status;
  // Asked of the system: others may have written to places that HDF5 has given away.
  const bool known = fstat(own.state->descriptor, &status) == 0;
  if (own.state->error == 0 && (!known || static_cast<haddr_t>(status.st_size) != own.end_of_addresses) &&
      ftruncate(own.state->descriptor, static_cast<off_t>(own.end_of_addresses)) != 0) {
    own.state->error = errno;
  }
  own.end_of_file = own.end_of_addresses;
  return 0;
}

}  // extern "C"

const H5FD_class_t& driver_class() {
  static const H5FD_class_t result = [] {
    H5FD_class_t driver = {};
#ifdef H5FD_CLASS_VERSION
    driver.version = H5FD_CLASS_VERSION;
    driver.value = static_cast<H5FD_class_value_t>(600);  // any of those that HDF5 leaves to others
#endif
    driver.name = "dromos_output";
    driver.maxaddr = largest_address;
    driver.fc_degree = H5F_CLOSE_WEAK;
    driver.fapl_size = sizeof(Info);
    driver.open = open_file;
    driver.close = close_file;
    driver.cmp = compare_files;
    driver.query = query;
    driver.get_eoa = end_of_addresses;
    driver.set_eoa = set_end_of_addresses;
    driver.get_eof = end_of_file;
    driver.read = read_file;
    driver.write = write_file;
    driver.truncate = truncate_file;
    constexpr H5FD_mem_t free_lists[] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(free_lists), std::end(free_lists), std::begin(driver.fl_map));
    return driver;
  }();
  return result;
}

}  // namespace

Hdf5Id hdf5_write_access(Hdf5WriteState& state) {
  Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "properties");
  // The properties keep the driver for as long as they need it.
  const Hdf5Id driver(H5FDregister(&driver_class()), H5FDunregister, "file driver");
  const Info info{&state};
  check_hdf5(H5Pset_driver(access.get(), driver.get(), &info), "file driver");
  return access;
}

}  // namespace dromos::io
