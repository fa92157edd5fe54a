// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/comm/communicator.hpp>

#include <cstring>
#include <dromos/comm/mpi_check.hpp>
#include <dromos/comm/mpi_transport.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/comm/shared_transport.hpp>
#include <dromos/comm/waiting.hpp>
#include <dromos/core/error.hpp>
#include <exception>
#include <string>
#include <utility>

namespace dromos {

struct Communicator::State {
  MPI_Comm mpi = MPI_COMM_NULL;
  int rank = 0;
  int size = 1;
  TransportFactory factory;
  std::unique_ptr<Transport> transport;
  std::int64_t piece_bytes = 0;  // 0: as the transport has it
  CommCounters counters;
  int exceptions_at_start = std::uncaught_exceptions();

  /// Takes over `communicator`.
  State(MPI_Comm communicator, TransportFactory make) : mpi(communicator), factory(std::move(make)) {
    check_mpi(MPI_Comm_set_errhandler(mpi, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check_mpi(MPI_Comm_rank(mpi, &rank), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(mpi, &size), "MPI_Comm_size");
    transport = factory(mpi);
  }
  ~State() {
    transport.reset();
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized == 0 && std::uncaught_exceptions() <= exceptions_at_start) MPI_Comm_free(&mpi);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

namespace {

MPI_Comm duplicate(MPI_Comm parent) {
  MPI_Comm copy = MPI_COMM_NULL;
  detail::run_collective(
      "MPI_Comm_dup", [&] { return MPI_Comm_dup(parent, &copy); },
      [&](MPI_Request* request) { return MPI_Comm_idup(parent, &copy, request); });
  return copy;
}

}  // namespace

Communicator::Communicator(MPI_Comm parent, TransportChoice choice)
    : Communicator(parent, [choice](MPI_Comm mpi) { return make_transport(mpi, choice); }) {
  // What works between all of them works between some, and is not tried again.
  if (std::strcmp(transport().name(), "shared") == 0) state_->factory = make_shared_transport_of_part;
}

Communicator::Communicator(MPI_Comm parent, const TransportFactory& make)
    : Communicator(std::make_unique<State>(duplicate(parent), make)) {}

Communicator::Communicator(std::unique_ptr<State> state) : state_(std::move(state)) {}
Communicator::~Communicator() = default;
Communicator::Communicator(Communicator&&) noexcept = default;
Communicator& Communicator::operator=(Communicator&&) noexcept = default;

Communicator Communicator::split(int color, int key) const {
  MPI_Comm part = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split(state_->mpi, color, key, &part), "MPI_Comm_split");
  Communicator result(std::make_unique<State>(part, state_->factory));
  if (state_->piece_bytes > 0) result.set_piece_bytes(state_->piece_bytes);
  return result;
}

Communicator Communicator::split_by_node() const {
  MPI_Comm part = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(state_->mpi, MPI_COMM_TYPE_SHARED, state_->rank, MPI_INFO_NULL, &part),
            "MPI_Comm_split_type");
  Communicator result(std::make_unique<State>(part, state_->factory));
  if (state_->piece_bytes > 0) result.set_piece_bytes(state_->piece_bytes);
  return result;
}

int Communicator::rank() const { return state_->rank; }
int Communicator::size() const { return state_->size; }
MPI_Comm Communicator::mpi() const { return state_->mpi; }
Transport& Communicator::transport() const { return *state_->transport; }

void Communicator::barrier() const {
  const detail::CountedCall counted(*this, CommKind::reduction, 0, 0);
  detail::run_collective(
      "MPI_Barrier", [&] { return MPI_Barrier(state_->mpi); },
      [&](MPI_Request* request) { return MPI_Ibarrier(state_->mpi, request); });
}

void Communicator::set_piece_bytes(std::int64_t bytes) {
  constexpr std::int64_t most = std::int64_t(1) << 30;
  if (bytes < 4 || bytes > most || bytes % 4 != 0) {
    throw ArgumentError("messages in pieces of " + std::to_string(bytes) +
                        " bytes: expected a multiple of 4 from 4 to " + std::to_string(most));
  }
  state_->piece_bytes = bytes;
  state_->transport->set_piece_bytes(bytes);
}

const CommCounters& Communicator::counters() const { return state_->counters; }
CommCounters& Communicator::counters_to_update() const { return state_->counters; }

}  // namespace dromos
