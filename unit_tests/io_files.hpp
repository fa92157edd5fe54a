// SPDX-License-Identifier: BSD-3-Clause
// What the tests of reading and writing share: files in a folder of their own, and graphs as plain lists.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <dromos/io/read_graph.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

namespace dromos::test {

/// A folder that goes when the object goes.
class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(std::filesystem::path(testing::TempDir()) /
              ("dromos_io_" + std::to_string(getpid()) + "_" + std::to_string(count()++))) {
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }
  std::size_t num_files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

  /// Writes the bytes and returns the whole name.
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

 private:
  static int& count() {
    static int number = 0;
    return number;
  }
  std::filesystem::path path_;
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// An edge in the language of its file; weight 0 where there is none.
using NamedEdge = std::tuple<std::int64_t, std::int64_t, float>;

template <class Vertex>
std::vector<NamedEdge> named_edges(const GraphFile<Vertex>& file) {
  std::vector<NamedEdge> edges;
  for (Offset e = 0; e < file.edges.num_edges(); ++e) {
    edges.emplace_back(file.names.name(file.edges.source(e)), file.names.name(file.edges.target(e)),
                       file.edges.weighted() ? file.edges.weight(e) : 0.0f);
  }
  return edges;
}

}  // namespace dromos::test
