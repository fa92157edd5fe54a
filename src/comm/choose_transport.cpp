// SPDX-License-Identifier: BSD-3-Clause
// Which transport: what the caller says, what the environment says, what MPI says of itself, and what a trial shows.
// An MPI library that is not GPU-aware would crash on memory of a GPU, so that it is asked before it is tried.
#include <mpi.h>
#if defined(OPEN_MPI) && OPEN_MPI
#include <mpi-ext.h>
#endif

#include <Kokkos_Core.hpp>
#include <cstdlib>
#include <cstring>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/mixed_transport.hpp>
#include <dromos/comm/mpi_check.hpp>
#include <dromos/comm/mpi_transport.hpp>
#include <dromos/comm/nccl_transport.hpp>
#include <dromos/comm/shared_transport.hpp>
#include <dromos/core/error.hpp>
#include <dromos/core/kokkos_compat.hpp>
#include <string>
#include <vector>

namespace dromos {
namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;

/// 0 or 1 where the variable says so, -1 otherwise.
int switch_in_environment(const char* name) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return -1;
  if (std::strcmp(text, "0") == 0 || std::strcmp(text, "OFF") == 0) return 0;
  if (std::strcmp(text, "1") == 0 || std::strcmp(text, "ON") == 0) return 1;
  return -1;
}

/// Sends memory of the kind that searches compute in round the ring of all ranks: did every rank get what its neighbor
/// sent? On a GPU, Kokkos is initialized; on a CPU it may not be yet.
bool ring_works(MPI_Comm communicator, Transport& transport) {
  constexpr int length = 1000;
  constexpr std::int64_t bytes = length * static_cast<std::int64_t>(sizeof(int));
  int rank = 0, size = 1;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
  const int before = (rank + size - 1) % size;
  std::vector<int> values(length);
  for (int i = 0; i < length; ++i) values[i] = rank * length + i;
  std::vector<Block> to(static_cast<std::size_t>(size)), from(static_cast<std::size_t>(size));
  to[(rank + 1) % size] = from[before] = {0, bytes};
  const auto exchange = [&](const int* sent, int* received) {
    transport.exchange(reinterpret_cast<const char*>(sent), to, reinterpret_cast<char*>(received), from)->wait();
  };
  int works = 1;
  try {
    if constexpr (host_accessible<Memory>) {
      std::vector<int> received(length);
      exchange(values.data(), received.data());
      values = received;
    } else {
      using Values = Kokkos::View<int*, Memory>;
      using HostValues = Kokkos::View<int*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
      const Values sent("dromos::comm::trial_sent", length), received("dromos::comm::trial", length);
      Kokkos::deep_copy(sent, HostValues(values.data(), values.size()));
      exchange(sent.data(), received.data());
      Kokkos::deep_copy(HostValues(values.data(), values.size()), received);
    }
    for (int i = 0; i < length; ++i) works &= values[i] == before * length + i;
  } catch (const Error&) {
    works = 0;
  }
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &works, 1, MPI_INT, MPI_MIN, communicator), "MPI_Allreduce");
  return works == 1;
}

}  // namespace

bool mpi_takes_gpu_memory() {
  for (const char* name : {"DROMOS_GPU_AWARE_MPI", "TPETRA_ASSUME_GPU_AWARE_MPI"}) {
    const int said = switch_in_environment(name);
    if (said >= 0) return said == 1;
  }
#if defined(MPIX_GPU_SUPPORT_CUDA)
  int supported = 0;
  return MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &supported) == MPI_SUCCESS && supported != 0;
#elif defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

namespace {

/// Throws Error, on every rank, where messages arrive wrong in a trial.
std::unique_ptr<Transport> make_tried(MPI_Comm communicator, const TransportFactory& make) {
  if (is_gpu<Space> && !Kokkos::is_initialized()) throw Error("Kokkos is to be initialized before it");
  auto transport = make(communicator);
  if (!ring_works(communicator, *transport)) throw Error("messages arrived wrong in a trial");
  return transport;
}

void refuse_without_gpu() {
  if (is_gpu<Space>) return;
  throw Error(std::string("Kokkos runs on ") + Space::name() + " here, whose memory is the host's");
}

std::unique_ptr<Transport> make_tried_gpu_aware(MPI_Comm communicator) {
  refuse_without_gpu();
  // What one rank's library says must be what all say.
  int says_yes = mpi_takes_gpu_memory() ? 1 : 0;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &says_yes, 1, MPI_INT, MPI_MIN, communicator), "MPI_Allreduce");
  if (says_yes == 0) {
    throw Error(
        "this MPI library does not say that it takes memory of a GPU (set DROMOS_GPU_AWARE_MPI=1 where it is known to; "
        "it crashes where it does not)");
  }
  return make_tried(communicator, make_gpu_aware_transport);
}

std::unique_ptr<Transport> make_tried_nccl(MPI_Comm communicator) {
  refuse_without_gpu();
  return make_tried(communicator, make_nccl_transport);
}

/// The first that works; what between hosts is the fastest.
std::unique_ptr<Transport> make_between_hosts(MPI_Comm communicator) {
  for (const auto make : {make_tried_nccl, make_tried_gpu_aware}) {
    try {
      return make(communicator);
    } catch (const Error&) {  // on every rank, or on none
    }
  }
  return make_host_staged_transport(communicator);
}

std::unique_ptr<Transport> make_tried_mixed(MPI_Comm communicator) {
  return make_tried(communicator, [](MPI_Comm mpi) { return make_mixed_transport(mpi, make_between_hosts); });
}

/// Of ranks of which some share a host, and some do not; NCCL knows of hosts by itself.
std::unique_ptr<Transport> make_tried_where_ranks_mix(MPI_Comm communicator) {
  if (!ranks_mix(communicator)) throw Error("all hosts have one of these ranks, or one host has all");
  if (is_gpu<Space>) {
    try {
      return make_tried_nccl(communicator);
    } catch (const Error&) {
    }
  }
  return make_tried_mixed(communicator);
}

std::unique_ptr<Transport> make_tried_shared(MPI_Comm communicator) {
  return make_tried(communicator, make_shared_transport);
}

struct KnownTransport {
  const char* name;
  TransportChoice choice;
  std::unique_ptr<Transport> (*make)(MPI_Comm);
};
constexpr KnownTransport known_transports[] = {
    {"shared", TransportChoice::shared, make_tried_shared},
    {"nccl", TransportChoice::nccl, make_tried_nccl},
    {"gpu-aware", TransportChoice::gpu_aware, make_tried_gpu_aware},
    {"host-staged", TransportChoice::host_staged, make_host_staged_transport},
    {"mixed", TransportChoice::mixed, make_tried_mixed}};

}  // namespace

TransportChoice transport_choice_from_name(const std::string& name) {
  if (name == "auto") return TransportChoice::automatic;
  for (const KnownTransport& known : known_transports) {
    if (name == known.name) return known.choice;
  }
  throw ArgumentError("no transport is called '" + name + "'; there are " + transport_names);
}

std::unique_ptr<Transport> make_transport(MPI_Comm communicator, TransportChoice choice) {
  const char* const environment = std::getenv("DROMOS_TRANSPORT");
  if (choice == TransportChoice::automatic && environment != nullptr) {
    try {
      choice = transport_choice_from_name(environment);
    } catch (const ArgumentError& error) {
      throw ArgumentError("environment variable DROMOS_TRANSPORT: " + std::string(error.what()));
    }
  }
  for (const KnownTransport& known : known_transports) {
    if (choice != known.choice) continue;
    try {
      return known.make(communicator);
    } catch (const Error& error) {
      throw ArgumentError(std::string("transport ") + known.name + ": " + error.what() + "; use auto or host-staged");
    }
  }
  for (const auto make : {make_tried_shared, make_tried_where_ranks_mix}) {
    try {
      return make(communicator);
    } catch (const Error&) {
    }
  }
  return make_between_hosts(communicator);
}

}  // namespace dromos
