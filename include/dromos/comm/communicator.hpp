// SPDX-License-Identifier: BSD-3-Clause
// A group of ranks that belongs to whoever holds the object: its messages cannot meet anyone else's, MPI errors come
// back as dromos::Error, and what it costs is counted.
//
//   const MpiSession session;
//   const Communicator world(MPI_COMM_WORLD);
//   const Communicator row = world.split(world.rank() / 4, world.rank());
//
// Operations on Views are in comm/exchange.hpp, on a few numbers in comm/reduce.hpp; agreement on errors in
// comm/agree.hpp. All are collectives of the communicator.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <dromos/comm/counters.hpp>
#include <dromos/comm/transport.hpp>
#include <memory>

namespace dromos {

class Communicator {
 public:
  /// Duplicates `parent`, so that this communicator's messages are its own. Collective.
  ///
  /// \param choice  the transport; automatic takes the first that works of shared, gpu-aware and host-staged, and the
  ///                environment variable DROMOS_TRANSPORT (auto or one of their names) decides where it is set
  /// Throws ArgumentError, on every rank, for a transport that does not work here.
  explicit Communicator(MPI_Comm parent, TransportChoice choice = TransportChoice::automatic);
  /// With a transport of the caller's making, for instance one that adds latency to measure what it does.
  Communicator(MPI_Comm parent, const TransportFactory& make_transport);
  /// Frees the duplicate; collective. Does nothing on the way out of an exception, when other ranks may be elsewhere.
  ~Communicator();
  Communicator(Communicator&&) noexcept;
  Communicator& operator=(Communicator&&) noexcept;

  /// The ranks of the same color, in the order of their keys; with the same transport. Collective.
  Communicator split(int color, int key) const;
  /// The ranks that share memory with this one, as split(). Collective.
  Communicator split_by_node() const;

  int rank() const;
  int size() const;
  MPI_Comm mpi() const;
  Transport& transport() const;

  /// Waits until every rank is here.
  void barrier() const;

  /// Messages beyond this many bytes travel in pieces (default 1 GiB; at least 4, a multiple of 4). The same on every
  /// rank.
  void set_piece_bytes(std::int64_t bytes);

  /// What operations on this communicator cost this rank so far.
  const CommCounters& counters() const;
  /// For operations to add to.
  CommCounters& counters_to_update() const;

 private:
  struct State;
  explicit Communicator(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace dromos
