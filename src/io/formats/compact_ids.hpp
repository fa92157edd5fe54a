// SPDX-License-Identifier: BSD-3-Clause
// From the ids of a file, which may be any numbers, to vertices 0 .. n - 1 in the same order.
//
//   edges of the file   (900, 7) (12, 900)       ids in use 7 12 900      edges (2, 0) (1, 2), names 7 12 900
//
// Ids that span a range of at most 32 times the number of edges are marked in a bitmap; the vertex of an id is then the
// number of marks before it, known at the start of each 64-bit word and counted within (2 bits of memory an id of the
// range). Ids spread more widely are sorted, and the vertex of an id is its position in the sorted table, found by the
// leading bits of the id and a binary search among the few ids that share them.
#pragma once

#include <dromos/io/read_graph.hpp>

#include "io/formats/edge_columns.hpp"

namespace dromos::io {

/// The edges and names of a file: vertices are the ids that occur. Id is as wide as Vertex or wider; where they are the
/// same, the edges are renumbered in place. Throws LineFault where there are more vertices than ids of type Vertex can
/// number.
template <class Vertex, class Id>
GraphFile<Vertex> compact_ids(EdgeColumns<Id> edges);

extern template GraphFile<std::int32_t> compact_ids(EdgeColumns<std::int32_t>);
extern template GraphFile<std::int32_t> compact_ids(EdgeColumns<std::int64_t>);
extern template GraphFile<std::int64_t> compact_ids(EdgeColumns<std::int64_t>);

}  // namespace dromos::io
