// SPDX-License-Identifier: BSD-3-Clause
#include "distributed/files/same_file.hpp"

#include <unistd.h>

#include <cstdint>
#include <dromos/comm/agree.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/core/error.hpp>
#include <vector>

#include "io/text/file_descriptor.hpp"

namespace dromos::detail {
namespace {

struct Look {
  std::int64_t num_bytes = 0;
  std::int64_t checksum = 0;  ///< of the beginning
};

Look look_at(const std::string& path) {
  const io::FileDescriptor file(path);
  std::vector<char> beginning(std::size_t(1) << 16);
  const ssize_t size = pread(file.number(), beginning.data(), beginning.size(), 0);
  std::uint64_t checksum = 0xcbf29ce484222325u;  // FNV-1a
  for (ssize_t i = 0; i < size; ++i) {
    checksum = (checksum ^ static_cast<unsigned char>(beginning[static_cast<std::size_t>(i)])) * 0x100000001b3u;
  }
  return {file.num_bytes(), static_cast<std::int64_t>(checksum)};
}

}  // namespace

void check_same_file(const Communicator& communicator, const std::string& path) {
  const Look own = on_all_ranks(communicator, [&] { return look_at(path); });
  Look first = own;
  broadcast_in_place(communicator, &first.num_bytes, 1, 0);
  broadcast_in_place(communicator, &first.checksum, 1, 0);
  on_all_ranks(communicator, [&] {
    if (own.num_bytes == first.num_bytes && own.checksum == first.checksum) return;
    throw InputError(path, 0,
                     "this rank sees another file of that name than rank 0: of " + std::to_string(own.num_bytes) +
                         " bytes, and rank 0 of " + std::to_string(first.num_bytes) +
                         (own.num_bytes == first.num_bytes ? " with another beginning" : "") +
                         "; put it in a folder that all hosts share");
  });
}

}  // namespace dromos::detail
