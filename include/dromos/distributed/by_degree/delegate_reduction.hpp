// SPDX-License-Identifier: BSD-3-Clause
// What the ranks found of the delegates, combined (Pan et al. 2018, Section V-A): first inside each node, where memory
// is shared, then between one rank of each node, whose result goes to the others of its node.
//
//   4 ranks on 2 nodes     node 0: 0001 0010 -> 0011     node 1: 0100 0001 -> 0101     across: 0111 to all four
//
// On one node the first step is all of it. Each step is non-blocking; the next one starts when somebody asks how far
// the combining is, or waits.
#pragma once

#include <Kokkos_Core.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/comm/counters.hpp>
#include <dromos/comm/exchange.hpp>
#include <dromos/comm/reduce.hpp>
#include <dromos/comm/request.hpp>
#include <dromos/core/bitmap.hpp>

namespace dromos::detail {

class DelegateReduction {
 public:
  /// \param ranks_per_node  0: those that share memory; k: pretend that there are p / k nodes, vertices being dealt out
  /// to
  ///                        nodes first, so that ranks r, r + p / k, r + 2 p / k, ... share one
  DelegateReduction(const Communicator& communicator, int ranks_per_node)
      : node_(ranks_per_node > 0 ? communicator.split(pretended_node(communicator, ranks_per_node), communicator.rank())
                                 : communicator.split_by_node()),
        across_(communicator.split(node_.rank() == 0 ? 0 : 1, communicator.rank())),
        speaks_for_node_(node_.rank() == 0) {
    std::int32_t num_nodes = speaks_for_node_ ? across_.size() : 0;
    num_nodes = max(communicator, num_nodes);
    several_nodes_ = num_nodes > 1;
  }

  /// Starts combining: every rank's bits become those of all. The bitmap stays untouched until wait().
  template <class Space, class Memory>
  void start(const Space& space, const Bitmap<Memory>& bits) {
    request_ = start_bitwise_or(node_, space, bits.words());
    step_ = several_nodes_ ? 1 : 0;
  }
  template <class Space, class Memory>
  void wait(const Space& space, const Bitmap<Memory>& bits) {
    request_.wait();
    if (step_ == 0) return;
    if (speaks_for_node_) bitwise_or(across_, space, bits.words());
    broadcast(node_, space, bits.words(), 0);
    step_ = 0;
  }

  /// What combining cost this rank so far.
  CommCount cost() const {
    CommCount cost = node_.counters().total();
    return cost += across_.counters().total();
  }

 private:
  static int pretended_node(const Communicator& communicator, int ranks_per_node) {
    return communicator.rank() % ((communicator.size() + ranks_per_node - 1) / ranks_per_node);
  }

  Communicator node_;
  Communicator across_;  // of those that speak for their nodes; the others have one that nobody uses
  bool speaks_for_node_;
  bool several_nodes_ = false;
  int step_ = 0;
  Request request_;
};

}  // namespace dromos::detail
