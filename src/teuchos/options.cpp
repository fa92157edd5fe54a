// SPDX-License-Identifier: BSD-3-Clause
#include <dromos/teuchos/options.hpp>

#include "describe_options.hpp"
#include "list_reader.hpp"
#include "list_writer.hpp"

namespace dromos::teuchos {

template <class Options>
Options read_options(const Teuchos::ParameterList& list, const Options& defaults) {
  Options options = defaults;
  ListReader reader(list);
  describe(reader, options);
  reader.close();
  return options;
}

template <class Options>
Teuchos::ParameterList to_parameters(const Options& options) {
  Teuchos::ParameterList list;
  ListWriter writer(list, false);
  Options written = options;  // which a writer leaves as it is
  describe(writer, written);
  return list;
}

template <class Options>
Teuchos::ParameterList valid_parameters() {
  Teuchos::ParameterList list;
  ListWriter writer(list, true);
  Options defaults;
  describe(writer, defaults);
  return list;
}

#define DROMOS_TEUCHOS_DEFINE_OPTIONS(Options)                                  \
  template Options read_options(const Teuchos::ParameterList&, const Options&); \
  template Teuchos::ParameterList to_parameters(const Options&);                \
  template Teuchos::ParameterList valid_parameters<Options>();

DROMOS_TEUCHOS_DEFINE_OPTIONS(BfsOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(DirectionOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(ColorOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(ComponentOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(SccOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(MultistepOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(ReachabilityOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(SsspOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(PageRankOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(KcoreOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(BetweennessOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(DiameterOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(RcmOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(ColoringOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(Mis2Options)
DROMOS_TEUCHOS_DEFINE_OPTIONS(MatchingOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(BlockTriangularOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(TopologicalOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(FeedbackOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(BuildOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(ReadOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(KroneckerOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(ErdosRenyiOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(RandomGeometricOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(ChainOfCyclesOptions)
#ifdef DROMOS_ENABLE_MPI
DROMOS_TEUCHOS_DEFINE_OPTIONS(Bfs1dOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(Bfs2dOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(BfsDelegateOptions)
DROMOS_TEUCHOS_DEFINE_OPTIONS(DistributedOptions)
#endif

}  // namespace dromos::teuchos
