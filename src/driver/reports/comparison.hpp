// SPDX-License-Identifier: BSD-3-Clause
// The rates of several machines beside each other, from result files (--json) that were written on each: the shape of
// Table II of Slota et al. 2015, a row a graph, a column a platform, and for other algorithms how much faster the last
// platform is than the one before it.
//
// A rate is what a run says it is: 10^9 edges of the graph a second (GEPS) or visited ones (GTEPS). Algorithms whose
// work is not a number of edges have none: of those it is runs a second. graph500 has the harmonic mean of its
// searches, as the specification has it; everything else the median of its runs.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace dromos::driver {

class Comparison {
 public:
  /// Takes the runs of a result file; those that failed their validation are counted and left out. Throws InputError
  /// for a file that is none, or without runs.
  void add(const std::string& platform, const std::string& path);

  // In the order in which the files have them.
  const std::vector<std::string>& algorithms() const { return algorithms_; }
  int num_invalid() const { return num_invalid_; }

  /// The best method and strategy of a platform on a graph; in the unit of the algorithm.
  std::optional<double> best_rate(const std::string& algorithm, const std::string& graph,
                                  const std::string& platform) const;

  /// "10^9 edges a second, medians": what the rates of an algorithm are.
  std::string describe_rates(const std::string& algorithm) const;

  /// The table: rates of `algorithm`, ratios of all others. The last row has geometric means over the graphs that every
  /// platform has a rate for, since means over different graphs say nothing about platforms; it says over how many
  /// where these are not all.
  std::string to_text(const std::string& algorithm) const;

  /// Every method and strategy of an algorithm on every platform, as the plot wants it: {"algorithm", "unit", "graphs":
  /// [...], "series": [{"platform", "variant", "rates": [... or null]}]}
  nlohmann::ordered_json series(const std::string& algorithm) const;

 private:
  /// Rates of repeated runs, by variant ("multistep, vertex-chunk").
  using Variants = std::map<std::string, std::vector<double>>;

  /// How an algorithm's rates are given.
  struct RateKind {
    std::string unit;       ///< "GEPS", "GTEPS", "runs/s"
    bool harmonic = false;  ///< the harmonic mean stands for several, not the median
    double typical(const std::vector<double>& rates) const;
  };

  const Variants* find(const std::string& algorithm, const std::string& graph, const std::string& platform) const;
  void add_rates(const std::string& algorithm, const std::string& graph, const std::string& platform,
                 const std::string& variant, const RateKind& kind, const std::vector<double>& rates);

  std::vector<std::string> platforms_, graphs_, algorithms_;
  std::map<std::string, RateKind> kinds_;  // by algorithm
  std::map<std::string, std::map<std::string, std::map<std::string, Variants>>>
      rates_;  // by algorithm, graph, platform
  int num_invalid_ = 0;
};

}  // namespace dromos::driver
