// SPDX-License-Identifier: BSD-3-Clause
// The memory that messages between ranks of one host lie in, and how bytes get into and out of it. There are two: the
// host's, beside the control words, and a GPU's.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>

#include "comm/copies/pending_copy.hpp"

namespace dromos::detail {

class ControlWords;

/// Copies go into this rank's own memory, or within the caller's, and out of another rank's.
class PeerMemory : public Copies {
 public:
  /// Of rank `owner`, as this process addresses it.
  virtual char* data(int owner) const = 0;

  /// to |= from, in words of 32 bits; from another rank's memory, in the order of these calls and those of copy_in().
  virtual std::unique_ptr<PendingCopy> unite(char* to, const char* from, std::int64_t bytes) = 0;
};

/// The host's.
std::unique_ptr<PeerMemory> make_host_peer_memory(const ControlWords& words);

/// Memory of the GPU that this rank computes on, mapped into the other ranks' processes. Collective; throws Error on
/// every rank where that does not work. Defined where Dromos is compiled for CUDA.
std::unique_ptr<PeerMemory> make_device_peer_memory(MPI_Comm communicator, std::int64_t bytes);

}  // namespace dromos::detail
