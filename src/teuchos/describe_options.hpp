// SPDX-License-Identifier: BSD-3-Clause
// The descriptions of options structs. Each takes its struct apart into all its fields, so that one that is added does
// not compile before it is described. To add a struct: write its describe(), and its line in options.cpp and in
// include/dromos/teuchos/options.hpp.
#pragma once

#include <dromos/teuchos/options.hpp>

#include "option_visitor.hpp"

namespace dromos::teuchos {

void describe(OptionVisitor& visit, BfsOptions& options);
void describe(OptionVisitor& visit, DirectionOptions& options);
void describe(OptionVisitor& visit, ColorOptions& options);
void describe(OptionVisitor& visit, ComponentOptions& options);
void describe(OptionVisitor& visit, SccOptions& options);
void describe(OptionVisitor& visit, MultistepOptions& options);
void describe(OptionVisitor& visit, ReachabilityOptions& options);
void describe(OptionVisitor& visit, SsspOptions& options);
void describe(OptionVisitor& visit, PageRankOptions& options);
void describe(OptionVisitor& visit, KcoreOptions& options);
void describe(OptionVisitor& visit, BetweennessOptions& options);
void describe(OptionVisitor& visit, DiameterOptions& options);
void describe(OptionVisitor& visit, RcmOptions& options);
void describe(OptionVisitor& visit, ColoringOptions& options);
void describe(OptionVisitor& visit, Mis2Options& options);
void describe(OptionVisitor& visit, MatchingOptions& options);
void describe(OptionVisitor& visit, BlockTriangularOptions& options);
void describe(OptionVisitor& visit, TopologicalOptions& options);
void describe(OptionVisitor& visit, FeedbackOptions& options);
void describe(OptionVisitor& visit, BuildOptions& options);
void describe(OptionVisitor& visit, ReadOptions& options);
void describe(OptionVisitor& visit, KroneckerOptions& options);
void describe(OptionVisitor& visit, ErdosRenyiOptions& options);
void describe(OptionVisitor& visit, RandomGeometricOptions& options);
void describe(OptionVisitor& visit, ChainOfCyclesOptions& options);
#ifdef DROMOS_ENABLE_MPI
void describe(OptionVisitor& visit, Bfs1dOptions& options);
void describe(OptionVisitor& visit, Bfs2dOptions& options);
void describe(OptionVisitor& visit, BfsDelegateOptions& options);
void describe(OptionVisitor& visit, DistributedOptions& options);
#endif

/// The documentation of every option of that kind.
inline constexpr const char* strategy_meaning = "How edges are dealt out to threads";

}  // namespace dromos::teuchos
