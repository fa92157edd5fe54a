// SPDX-License-Identifier: BSD-3-Clause
// How posted vertices get to their owners: straight from rank to rank, or through nodes (the local all-to-all, L, of
// Pan, Pearce and Owens 2018, Section V-B). Through nodes, the ranks of a node first hand each other what is meant for
// their namesakes, so that between nodes only ranks of the same number talk, in fewer and larger messages:
//
//   2 nodes of 2 ranks; node A has ranks a0 a1, node B has b0 b1
//   straight     a0 -> b0, a0 -> b1, a1 -> b0, a1 -> b1, and back: 8 messages between the nodes
//   through      inside a node first: a0 gives a1 what b1 shall have, a1 gives a0 what b0 shall have
//                then a0 -> b0, a1 -> b1, and back: 4 messages of twice the size
//
// Either way what arrives is known by the rank that posted it, and in the order in which that one posted.
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/comm/request.hpp>
#include <dromos/distributed/by_degree/machine_order.hpp>
#include <dromos/distributed/moving/ship.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace dromos::detail {

template <class Space>
class VertexDelivery {
 public:
  using Memory = typename Space::memory_space;
  using Posts = Kokkos::View<std::uint64_t*, Memory>;

  /// \param nodes  through nodes where this has several with several ranks each; straight otherwise
  VertexDelivery(const Communicator& communicator, std::optional<NodeGrid> nodes) : communicator_(communicator) {
    if (!nodes || nodes->num_nodes == 1 || nodes->ranks_per_node == 1) return;
    nodes_ = nodes;
    const int rank = communicator.rank();
    node_ = communicator.split(rank % nodes->num_nodes, rank);
    across_ = communicator.split(rank / nodes->num_nodes, rank);
  }

  /// Starts sending block r of the posts to rank r. Collective.
  void start(const Space& space, const Posts& posts, const std::vector<Block>& leaving) {
    if (nodes_) {
      start_through_nodes(space, posts, leaving);
      return;
    }
    std::vector<std::int64_t> counts;
    for (const Block& block : leaving) counts.push_back(block.size);
    arriving_ = consecutive_blocks(exchange_counts(communicator_, counts));
    make_room(inbox_, total_size(arriving_));
    request_ = start_alltoallv(communicator_, space, posts, leaving, inbox_, arriving_);
  }
  void wait() { request_.wait(); }

  /// What arrived, after wait(); block r of it is what rank r posted.
  const Posts& inbox() const { return inbox_; }
  const std::vector<Block>& arriving() const { return arriving_; }

  bool goes_through_nodes() const { return nodes_.has_value(); }
  /// What going through nodes cost so far; the straight way is counted by the communicator given.
  CommCount cost() const {
    CommCount cost;
    if (nodes_) (cost += node_->counters().total()) += across_->counters().total();
    return cost;
  }

 private:
  static void make_room(Posts& posts, std::int64_t size) {
    if (static_cast<std::int64_t>(posts.extent(0)) >= size) return;
    posts = {};
    posts = uninitialized<std::uint64_t, Memory>("dromos::vertex_delivery", size + size / 4);
  }

  /// Copies these blocks one behind the other.
  static void pack(const Space& space, const Posts& from, const std::vector<Block>& blocks, const Posts& to) {
    std::int64_t place = 0;
    for (const Block& block : blocks) {
      if (block.size == 0) continue;
      Kokkos::deep_copy(space, Kokkos::subview(to, std::make_pair(place, place + block.size)),
                        Kokkos::subview(from, std::make_pair(block.offset, block.offset + block.size)));
      place += block.size;
    }
  }

  /// Sums of every `group` consecutive sizes, as blocks.
  static std::vector<Block> grouped(const std::vector<std::int64_t>& sizes, int group) {
    std::vector<std::int64_t> sums(sizes.size() / static_cast<std::size_t>(group), 0);
    for (std::size_t i = 0; i < sizes.size(); ++i) sums[i / static_cast<std::size_t>(group)] += sizes[i];
    return consecutive_blocks(sums);
  }

  // In what follows n counts nodes and g the ranks of a node; rank n + num_nodes * g is number g of node n.
  void start_through_nodes(const Space& space, const Posts& posts, const std::vector<Block>& leaving) {
    const int num_nodes = nodes_->num_nodes, per_node = nodes_->ranks_per_node;
    // Ranks in their order are sorted by g, and then by n: what namesakes of g shall have lies together.
    std::vector<std::int64_t> counts;
    for (const Block& block : leaving) counts.push_back(block.size);
    make_room(packed_, total_size(leaving));
    pack(space, posts, leaving, packed_);
    const std::vector<std::int64_t> handed = exchange_counts(*node_, counts);  // by g of who hands it, and then by n
    const std::vector<Block> handed_by = grouped(handed, num_nodes);
    make_room(gathered_, total_size(handed_by));
    alltoallv(*node_, space, packed_, grouped(counts, num_nodes), gathered_, handed_by);

    const std::vector<Block> pieces = consecutive_blocks(handed);
    std::vector<Block> by_node;
    counts.clear();
    for (int n = 0; n < num_nodes; ++n) {
      for (int g = 0; g < per_node; ++g) {
        by_node.push_back(pieces[g * num_nodes + n]);
        counts.push_back(by_node.back().size);
      }
    }
    make_room(packed_, total_size(by_node));
    pack(space, gathered_, by_node, packed_);
    const std::vector<std::int64_t> sizes = exchange_counts(*across_, counts);  // by n, and then by g, of who posted
    const std::vector<Block> blocks = consecutive_blocks(sizes);
    make_room(inbox_, total_size(blocks));
    request_ = start_alltoallv(*across_, space, packed_, grouped(counts, per_node), inbox_, grouped(sizes, per_node));
    arriving_.resize(leaving.size());
    for (int n = 0; n < num_nodes; ++n) {
      for (int g = 0; g < per_node; ++g) arriving_[n + num_nodes * g] = blocks[n * per_node + g];
    }
  }

  const Communicator& communicator_;
  std::optional<NodeGrid> nodes_;
  std::optional<Communicator> node_, across_;
  std::vector<Block> arriving_;
  Posts inbox_, packed_, gathered_;
  Request request_;
};

}  // namespace dromos::detail
