// SPDX-License-Identifier: BSD-3-Clause
// The algorithms that run on parts of a distributed graph, compiled once in the library: with a Halo of the default
// execution space, for both widths of vertex numbers. Who includes this compiles none of them again; who includes an
// algorithm and halo.hpp alone compiles it where it is called, as for every other space and view.
//
// A new algorithm is a line here and a source in src/distributed/parts/.
#pragma once

#include <cstdint>
#include <dromos/algorithms/betweenness.hpp>
#include <dromos/algorithms/color_propagation.hpp>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/algorithms/diameter.hpp>
#include <dromos/algorithms/kcore.hpp>
#include <dromos/algorithms/pagerank.hpp>
#include <dromos/algorithms/scc.hpp>
#include <dromos/algorithms/shortest_path_tree.hpp>
#include <dromos/algorithms/sssp.hpp>
#include <dromos/distributed/parts/halo.hpp>
#include <vector>

namespace dromos {

namespace detail {

using PartSpace = Kokkos::DefaultExecutionSpace;
using PartMemory = PartSpace::memory_space;
using PartRows = CsrGraph<LocalVertex, PartMemory>;
template <class T>
using PartValues = Kokkos::View<T*, PartMemory>;
template <class Global>
using PartHalo = Halo<PartSpace, Global>;

}  // namespace detail

// Each as `extern template` here, and as `template` in its source.

#define DROMOS_PART_BETWEENNESS(DECLARE, GLOBAL)                                                                    \
  DECLARE BetweennessStatistics betweenness(                                                                        \
      const detail::PartSpace&, const detail::PartRows&, const std::vector<GLOBAL>&,                                \
      BetweennessScratch<LocalVertex, detail::PartMemory>&, detail::PartValues<double>&, const BetweennessOptions&, \
      const detail::PartHalo<GLOBAL>&);
#define DROMOS_PART_COLOR_PROPAGATION(DECLARE, GLOBAL)                                                   \
  DECLARE ColorStatistics color_propagation(                                                             \
      const detail::PartSpace&, const detail::PartRows&, ColorScratch<LocalVertex, detail::PartMemory>&, \
      ColorResult<GLOBAL, detail::PartMemory>&, const ColorOptions&, const detail::PartHalo<GLOBAL>&);
#define DROMOS_PART_COMPONENTS(DECLARE, GLOBAL)                                                              \
  DECLARE ComponentStatistics connected_components(                                                          \
      const detail::PartSpace&, const detail::PartRows&, ComponentScratch<LocalVertex, detail::PartMemory>&, \
      ComponentResult<GLOBAL, detail::PartMemory>&, const ComponentOptions&, const detail::PartHalo<GLOBAL>&);
#define DROMOS_PART_DIAMETER(DECLARE, GLOBAL)                                                        \
  DECLARE DiameterBounds<GLOBAL> diameter(const detail::PartSpace&, const detail::PartRows&, GLOBAL, \
                                          const DiameterOptions&, const detail::PartHalo<GLOBAL>&);
#define DROMOS_PART_KCORE(DECLARE, GLOBAL)                                                                        \
  DECLARE KcoreStatistics kcore(const detail::PartSpace&, const detail::PartRows&,                                \
                                KcoreScratch<LocalVertex, detail::PartMemory>&, detail::PartValues<LocalVertex>&, \
                                const KcoreOptions&, const detail::PartHalo<GLOBAL>&);
#define DROMOS_PART_PAGERANK(DECLARE, GLOBAL)                                                                      \
  DECLARE PageRankStatistics pagerank(const detail::PartSpace&, PageRankScratch<LocalVertex, detail::PartMemory>&, \
                                      detail::PartValues<double>&, const PageRankOptions&,                         \
                                      const detail::PartHalo<GLOBAL>&);
#define DROMOS_PART_SCC(DECLARE, GLOBAL)                                                                    \
  DECLARE SccStatistics scc(const detail::PartSpace&, SccScratch<LocalVertex, detail::PartMemory, GLOBAL>&, \
                            SccResult<GLOBAL, detail::PartMemory>&, const SccOptions&,                      \
                            const detail::PartHalo<GLOBAL>&);
#define DROMOS_PART_PATHS(DECLARE, GLOBAL, DISTANCE)                                                                \
  DECLARE SsspStatistics sssp(const detail::PartSpace&, SsspScratch<LocalVertex, detail::PartMemory>&, LocalVertex, \
                              detail::PartValues<DISTANCE>&, const SsspOptions&, const detail::PartHalo<GLOBAL>&);  \
  DECLARE void shortest_path_tree(const detail::PartSpace&, SsspScratch<LocalVertex, detail::PartMemory>&,          \
                                  LocalVertex, const detail::PartValues<DISTANCE>&, detail::PartValues<GLOBAL>&,    \
                                  const SsspOptions&, const detail::PartHalo<GLOBAL>&);
#define DROMOS_PART_SSSP(DECLARE, GLOBAL)          \
  DROMOS_PART_PATHS(DECLARE, GLOBAL, std::int64_t) \
  DROMOS_PART_PATHS(DECLARE, GLOBAL, double)       \
  DROMOS_PART_PATHS(DECLARE, GLOBAL, float)

#define DROMOS_OF_EACH_NUMBER(ALGORITHM, DECLARE) \
  ALGORITHM(DECLARE, std::int32_t)                \
  ALGORITHM(DECLARE, std::int64_t)

DROMOS_OF_EACH_NUMBER(DROMOS_PART_BETWEENNESS, extern template)
DROMOS_OF_EACH_NUMBER(DROMOS_PART_COLOR_PROPAGATION, extern template)
DROMOS_OF_EACH_NUMBER(DROMOS_PART_COMPONENTS, extern template)
DROMOS_OF_EACH_NUMBER(DROMOS_PART_DIAMETER, extern template)
DROMOS_OF_EACH_NUMBER(DROMOS_PART_KCORE, extern template)
DROMOS_OF_EACH_NUMBER(DROMOS_PART_PAGERANK, extern template)
DROMOS_OF_EACH_NUMBER(DROMOS_PART_SCC, extern template)
DROMOS_OF_EACH_NUMBER(DROMOS_PART_SSSP, extern template)

}  // namespace dromos
