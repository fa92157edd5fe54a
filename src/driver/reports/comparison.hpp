// SPDX-License-Identifier: BSD-3-Clause
// The rates of several machines beside each other, from result files (--json) that were written on each: the shape of
// Table II of Slota et al. 2015, a row a graph, a column a platform, and for other algorithms how much faster the last
// platform is than the one before it.
//
// A rate is what a run says it is: 10^9 edges of the graph a second (GEPS) or visited ones (GTEPS). Algorithms whose
// work is not a number of edges have none: of those it is runs a second. graph500 has the harmonic mean of its
// searches, as the specification has it; everything else the median of its runs.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace dromos::driver {

/// What a platform has more or less of.
enum class Scaling { none, threads, ranks };

class Comparison {
 public:
  /// Takes the runs of a result file; those that failed their validation are counted and left out. Throws InputError
  /// for a file that is none, or without runs.
  void add(const std::string& platform, const std::string& path);
  /// The same of a result that is no file yet; `where` is what errors call it.
  void add_result(const std::string& platform, const nlohmann::ordered_json& result, const std::string& where);

  /// From here on each number of threads or ranks is a platform of its own, and series() is that of a scaling plot.
  void tell_apart(Scaling by) { by_ = by; }

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
  /// [...], "series": [{"platform", "variant", "rates": [... or null]}]}. Where numbers of threads or ranks are told
  /// apart, the best of each: {"algorithm", "unit", "by", "curves": [{"label", "numbers": [...], "rates": [...]}]}
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

  /// A platform, as it was named, with so many threads or ranks.
  struct Part {
    std::string platform;
    std::int64_t number = 1;
  };
  std::string platform_of_run(const std::string& platform, const nlohmann::ordered_json& result,
                              const nlohmann::ordered_json& run);
  nlohmann::ordered_json scaling_curves(const std::string& algorithm) const;

  const Variants* find(const std::string& algorithm, const std::string& graph, const std::string& platform) const;
  void add_rates(const std::string& algorithm, const std::string& graph, const std::string& platform,
                 const std::string& variant, const RateKind& kind, const std::vector<double>& rates);

  std::vector<std::string> platforms_, graphs_, algorithms_;
  std::map<std::string, RateKind> kinds_;  // by algorithm
  std::map<std::string, std::map<std::string, std::map<std::string, Variants>>>
      rates_;  // by algorithm, graph, platform
  int num_invalid_ = 0;
  Scaling by_ = Scaling::none;
  std::map<std::string, Part> parts_;  // by the platform that they are in the table
};

}  // namespace dromos::driver
