// SPDX-License-Identifier: BSD-3-Clause
// The options of algorithms, builders and generators as Teuchos parameter lists, the way Trilinos applications keep
// theirs.
//
//   const SccOptions options = teuchos::read_options<SccOptions>(parameters.sublist("components"));
//
//   components:                       <ParameterList name="components">
//     method: multistep                 <Parameter name="method" type="string" value="multistep"/>
//     strategy: manhattan-local         <ParameterList name="multistep">
//     multistep:                          <Parameter name="waste limit" type="double" value="0.1"/>
//       waste limit: 0.1                </ParameterList>
//                                     </ParameterList>
//
// A parameter has the name of the field in the options struct, with blanks for underscores, and means what is said
// there. What is not in the list keeps its default. A strategy is a sublist with its "name" and tuning, or its name
// alone.
//
// Link Dromos::teuchos_support; find_package(Dromos COMPONENTS teuchos) provides it. Options is any of the structs that
// are listed at the end of this file.
#pragma once

#include <Teuchos_ParameterList.hpp>
#include <dromos/algorithms/betweenness.hpp>
#include <dromos/algorithms/bfs.hpp>
#include <dromos/algorithms/bfs_direction_optimizing.hpp>
#include <dromos/algorithms/block_triangular_form.hpp>
#include <dromos/algorithms/color_propagation.hpp>
#include <dromos/algorithms/coloring.hpp>
#include <dromos/algorithms/connected_components.hpp>
#include <dromos/algorithms/diameter.hpp>
#include <dromos/algorithms/feedback_edges.hpp>
#include <dromos/algorithms/kcore.hpp>
#include <dromos/algorithms/maximum_matching.hpp>
#include <dromos/algorithms/mis2.hpp>
#include <dromos/algorithms/pagerank.hpp>
#include <dromos/algorithms/rcm.hpp>
#include <dromos/algorithms/scc.hpp>
#include <dromos/algorithms/sssp.hpp>
#include <dromos/algorithms/topological_levels.hpp>
#include <dromos/generate/deep_graphs.hpp>
#include <dromos/generate/erdos_renyi.hpp>
#include <dromos/generate/kronecker.hpp>
#include <dromos/generate/random_geometric.hpp>
#include <dromos/graph/build_csr.hpp>
#include <dromos/io/read_graph.hpp>
#include <dromos/version.hpp>
#ifdef DROMOS_ENABLE_MPI
#include <dromos/distributed/distributed_search.hpp>
#endif

namespace dromos::teuchos {

/// The options that a list describes; `defaults` for what it leaves out. Numbers may have any numeric type that holds
/// their value; a double may be "infinity". Parameters that were read are marked as used.
///
/// \throws ArgumentError for a parameter that does not exist, naming the nearest that does, for a value of the wrong
/// type
///         and for one out of range; each names the sublist, the parameter, the value and what was expected
template <class Options>
Options read_options(const Teuchos::ParameterList& list, const Options& defaults = Options());

/// The list that read_options() turns into the same options, each parameter with its documentation.
template <class Options>
Teuchos::ParameterList to_parameters(const Options& options);

/// Every parameter that there is, at its default, with its documentation and a validator of its type, and of its value
/// where there are few to choose from: for Teuchos::ParameterList::validateParametersAndSetDefaults(), for tools that
/// show or edit lists, and to be written to a file as a template. Ranges of numbers are said in the documentation, and
/// read_options() checks them.
template <class Options>
Teuchos::ParameterList valid_parameters();

// What is compiled into the library.
#define DROMOS_TEUCHOS_DECLARE_OPTIONS(Options)                                        \
  extern template Options read_options(const Teuchos::ParameterList&, const Options&); \
  extern template Teuchos::ParameterList to_parameters(const Options&);                \
  extern template Teuchos::ParameterList valid_parameters<Options>();

DROMOS_TEUCHOS_DECLARE_OPTIONS(BfsOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(DirectionOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(ColorOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(ComponentOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(SccOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(MultistepOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(ReachabilityOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(SsspOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(PageRankOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(KcoreOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(BetweennessOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(DiameterOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(RcmOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(ColoringOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(Mis2Options)
DROMOS_TEUCHOS_DECLARE_OPTIONS(MatchingOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(BlockTriangularOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(TopologicalOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(FeedbackOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(BuildOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(ReadOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(KroneckerOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(ErdosRenyiOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(RandomGeometricOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(ChainOfCyclesOptions)
#ifdef DROMOS_ENABLE_MPI
DROMOS_TEUCHOS_DECLARE_OPTIONS(Bfs1dOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(Bfs2dOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(BfsDelegateOptions)
DROMOS_TEUCHOS_DECLARE_OPTIONS(DistributedOptions)
#endif
#undef DROMOS_TEUCHOS_DECLARE_OPTIONS

}  // namespace dromos::teuchos
