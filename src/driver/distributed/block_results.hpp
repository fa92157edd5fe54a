// SPDX-License-Identifier: BSD-3-Clause
// --output of what ranks have in blocks of vertices (distributed/moving/to_blocks.hpp), where every rank knows what
// vertices are called: the files of driver/reports/vertex_results.hpp, and no rank ever has all values.
//
// To HDF5 every rank writes its part. Texts are written by rank 0, in the order of ranks: each makes the lines of its
// block, which reach rank 0 in pieces, so that the file may be a pipe, or on a disk that only rank 0 sees. A file
// appears whole or not at all, and what goes wrong on one rank, all throw.
#pragma once

#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/io/results.hpp>
#include <string>

#include "driver/graphs/named_graph.hpp"
#include "driver/reports/vertex_results.hpp"

namespace dromos::driver {

/// "vertex value". The graph's vertices are in the order of its file; so in all of these, which are collective.
template <class Vertex, class Value>
void write_block_values(const Communicator& world, const std::string& path, const NamedGraph<Vertex>& graph,
                        const ResultValues<Value>& block, const ResultHead& head);

/// "vertex value parent".
template <class Vertex, class Value>
void write_block_tree(const Communicator& world, const std::string& path, const NamedGraph<Vertex>& graph,
                      const ResultValues<Value>& block, const ResultValues<Vertex>& parents, const ResultHead& head,
                      const ResultHead& parent_head);

/// "vertex label"; of labels by which a class is to be called.
template <class Vertex>
void write_block_labels(const Communicator& world, const std::string& path, const NamedGraph<Vertex>& graph,
                        const ResultValues<Vertex>& labels, const ResultHead& head);

}  // namespace dromos::driver
