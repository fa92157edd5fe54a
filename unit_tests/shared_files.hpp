// SPDX-License-Identifier: BSD-3-Clause
// What tests of files that ranks share have in common.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <dromos/comm/agree.hpp>
#include <dromos/comm/communicator.hpp>
#include <dromos/core/error.hpp>
#include <dromos/distributed/files/slab_access.hpp>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph_zoo.hpp"
#include "io_files.hpp"

namespace dromos::test {

/// A folder that all ranks see, which goes when the object goes. Collective.
class SharedFolder {
 public:
  explicit SharedFolder(const Communicator& world) : world_(world) {
    if (world.rank() == 0) own_ = std::make_unique<TemporaryFolder>();
    path_ = broadcast_text(world, own_ ? own_->path("") : std::string(), 0);
  }
  ~SharedFolder() { world_.barrier(); }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;
  std::string path(const std::string& name) const { return path_ + name; }
  /// On rank 0.
  std::size_t num_files() const { return own_->num_files(); }

 private:
  const Communicator& world_;
  std::unique_ptr<TemporaryFolder> own_;
  std::string path_;
};

/// A graph of each shape that slices could stumble over.
inline std::vector<ZooGraph> small_zoo() {
  std::vector<ZooGraph> zoo;
  const std::set<std::string> names = {
      "one-vertex", "self-loop",   "two-vertices-without-edges", "multi-edges", "dead-ends",
      "star-5000",  "kronecker-6", "kronecker-10-directed"};
  auto all = graph_zoo();
  for (ZooGraph& graph : all) {
    if (names.count(graph.name) > 0) zoo.push_back(std::move(graph));
  }
  return zoo;
}

/// The ways in which ranks share a file here.
inline std::vector<SlabAccess> all_accesses() {
#ifdef H5_HAVE_PARALLEL
  return {SlabAccess::collective, SlabAccess::independent};
#else
  return {SlabAccess::automatic, SlabAccess::independent};
#endif
}

/// What every rank says of a file.
template <class Read>
std::string message_of(const Communicator& world, const Read& read) {
  std::string message = "no error";
  try {
    read();
  } catch (const ArgumentError& error) {
    EXPECT_TRUE(is_agreed(error));
    message = error.what();
  }
  EXPECT_EQ(message, broadcast_text(world, message, 0));
  return message;
}

inline void expect_fragment(const std::string& message, const std::string& fragment) {
  EXPECT_NE(message.find(fragment), std::string::npos) << "'" << fragment << "' is not in: " << message;
}

}  // namespace dromos::test
