// SPDX-License-Identifier: BSD-3-Clause
// What edge lists and adjacency lists say of themselves in the comments above their first line.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dromos::io {

/// What the comments above the first edge say.
struct ListComments {
  std::optional<bool> directed;
  /// SNAP's "# Nodes: 5242 Edges: 28980".
  std::optional<std::int64_t> num_edges;
  std::string_view num_edges_line;
  /// KONECT's "% sym ...", "% asym ..." or "% bip ...": its lines may have a time in column 4.
  bool konect = false;
};

/// Of comments that begin with # or %. Throws LineFault for a bipartite graph.
ListComments read_list_comments(std::string_view text);

}  // namespace dromos::io
