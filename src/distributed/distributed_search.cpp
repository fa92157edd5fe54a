// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/distributed/distributed_search.hpp>

#include <dromos/core/error.hpp>

#include "distributed/search_factories.hpp"

namespace dromos {

using Space = Kokkos::DefaultExecutionSpace;

const std::vector<DistributedAlgorithm>& all_distributed_algorithms() {
  static const std::vector<DistributedAlgorithm> algorithms = {
      {"straightforward", "by vertices; every edge between ranks is sent"},
      {"sort-unique", "by vertices; neighbors are sorted and made unique before they are sent"},
      {"relabelled-bitmask", "by vertices; each is sent once, or bitmaps where vertices look back at the frontier"},
      {"delegate", "vertices of high degree on every rank, the others by vertices"},
      {"2d", "by arcs over a grid of ranks; rows contract what they found by a scan of bitmaps"},
      {"2d-wave", "by arcs over a grid of ranks; rows contract what they found from rank to rank"},
  };
  return algorithms;
}

template <class Vertex>
std::unique_ptr<DistributedSearch<Vertex>> make_distributed_search(const std::string& name,
                                                                   const Communicator& communicator, const Space& space,
                                                                   const DistributedInput<Vertex>& input,
                                                                   const DistributedOptions& options) {
  for (const auto make :
       {&detail::make_search_1d<Vertex>, &detail::make_search_delegate<Vertex>, &detail::make_search_2d<Vertex>}) {
    if (auto search = make(name, communicator, space, input, options)) return search;
  }
  std::string names;
  for (const DistributedAlgorithm& algorithm : all_distributed_algorithms()) {
    names += (names.empty() ? "" : ", ") + std::string(algorithm.name);
  }
  throw ArgumentError("no distributed search is called '" + name + "'; there are " + names);
}

template std::unique_ptr<DistributedSearch<std::int32_t>> make_distributed_search(const std::string&,
                                                                                  const Communicator&, const Space&,
                                                                                  const DistributedInput<std::int32_t>&,
                                                                                  const DistributedOptions&);
template std::unique_ptr<DistributedSearch<std::int64_t>> make_distributed_search(const std::string&,
                                                                                  const Communicator&, const Space&,
                                                                                  const DistributedInput<std::int64_t>&,
                                                                                  const DistributedOptions&);

}  // namespace dromos
