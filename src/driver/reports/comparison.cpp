// SPDX-License-Identifier: BSD-3-Clause
#include "driver/reports/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dromos/core/error.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "driver/base/number_format.hpp"
#include "driver/base/text_table.hpp"
#include "driver/reports/run_statistics.hpp"

namespace dromos::driver {
namespace {

using Json = nlohmann::ordered_json;

void remember(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

Json read_result(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw InputError(path, 0, "cannot be opened; name a file that dromos wrote with --json");
  Json result;
  try {
    result = Json::parse(file);
  } catch (const Json::parse_error& error) {
    throw InputError(
        path, 0, fmt::format("is no JSON from byte {} on; expected a file that dromos wrote with --json", error.byte));
  }
  if (!result.is_object() || !result.contains("dromos") || !result.contains("graph")) {
    throw InputError(path, 0, "is JSON, but no result of dromos: it has no members \"dromos\" and \"graph\"");
  }
  return result;
}

/// "web-NotreDame" of "/data/web-NotreDame.txt.xz"; a generated graph as it describes itself.
std::string graph_name(const Json& graph) {
  const std::string source = graph.value("source", std::string("?"));
  if (graph.value("format", std::string()) == "generated") return source;
  std::filesystem::path name = std::filesystem::path(source).filename();
  if (name.extension() == ".xz" || name.extension() == ".gz") name.replace_extension();
  return name.stem().string();
}

std::string text_of(const Json& run, const char* member) {
  const auto found = run.find(member);
  return found != run.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool is_positive(const Json& run, const char* member) {
  const auto found = run.is_object() ? run.find(member) : run.end();
  return found != run.end() && found->is_number() && found->get<double>() > 0;
}

std::string rate_text(double rate) {
  return rate > 0 && rate < 0.01 ? fmt::format("{:.1e}", rate) : fmt::format("{:.2f}", rate);
}

struct GeometricMean {
  void add(double value) {
    if (value <= 0) return;
    sum_of_logarithms += std::log(value);
    ++count;
  }
  std::string text() const { return count == 0 ? std::string("-") : rate_text(std::exp(sum_of_logarithms / count)); }
  double sum_of_logarithms = 0;
  int count = 0;
};

/// A whole number that counts something; 1 where there is none.
std::int64_t number_of(const Json& object, const char* member) {
  const auto found = object.find(member);
  return found != object.end() && found->is_number_integer() ? std::max<std::int64_t>(1, found->get<std::int64_t>())
                                                             : 1;
}

bool has_value(const std::optional<double>& value) { return value.has_value(); }

}  // namespace

double Comparison::RateKind::typical(const std::vector<double>& rates) const {
  const SampleStatistics statistics(rates);
  return harmonic ? statistics.harmonic_mean : statistics.median;
}

void Comparison::add_rates(const std::string& algorithm, const std::string& graph, const std::string& platform,
                           const std::string& variant, const RateKind& kind, const std::vector<double>& rates) {
  remember(platforms_, platform);
  remember(graphs_, graph);
  remember(algorithms_, algorithm);
  kinds_[algorithm] = kind;
  auto& all = rates_[algorithm][graph][platform][variant];
  all.insert(all.end(), rates.begin(), rates.end());
}

/// "host, 4 threads": the number is that of the run, or of where all of them ran.
std::string Comparison::platform_of_run(const std::string& platform, const Json& result, const Json& run) {
  if (by_ == Scaling::none) return platform;
  std::int64_t number = 1;
  if (by_ == Scaling::threads) {
    number = number_of(result.value("kokkos", Json::object()), "concurrency");
  } else {
    number = std::max(number_of(run, "num_ranks"), number_of(run.value("fields", Json::object()), "num_mpi_processes"));
  }
  const std::string name =
      fmt::format("{}, {}", platform,
                  by_ == Scaling::threads ? counted(number, "thread", "threads") : counted(number, "rank", "ranks"));
  parts_[name] = {platform, number};
  return name;
}

void Comparison::add(const std::string& platform, const std::string& path) {
  add_result(platform, read_result(path), path);
}

void Comparison::add_result(const std::string& named_platform, const Json& result, const std::string& where) {
  const std::string graph = graph_name(result.at("graph"));
  bool any = false;
  for (const Json& run : result.value("runs", Json::array())) {
    if (!run.is_object()) continue;
    const std::string algorithm = text_of(run, "algorithm");
    if (algorithm.empty()) continue;
    const std::string platform = platform_of_run(named_platform, result, run);
    const auto searches = run.find("searches");
    if (searches != run.end() && searches->is_array()) {
      std::vector<double> rates;
      for (const Json& search : *searches) {
        if (is_positive(search, "gteps")) rates.push_back(search["gteps"].get<double>());
      }
      if (rates.empty()) continue;
      any = true;
      add_rates("graph500-" + text_of(run, "kernel"), graph, platform, algorithm, {"GTEPS", true}, rates);
      continue;
    }
    const char* const rate = run.contains("geps") ? "geps" : run.contains("gteps") ? "gteps" : "seconds";
    if (!run.contains(rate) || !run[rate].is_number()) continue;
    any = true;
    if (run.value("valid", Json()) == false) {
      ++num_invalid_;
      continue;
    }
    const std::string method = text_of(run, "method"), strategy = text_of(run, "strategy");
    const std::string variant = method.empty() || strategy.empty() ? method + strategy : method + ", " + strategy;
    const double value = run[rate].get<double>();
    if (rate != std::string("seconds")) {
      add_rates(algorithm, graph, platform, variant, {rate == std::string("geps") ? "GEPS" : "GTEPS"}, {value});
    } else if (value > 0) {
      add_rates(algorithm, graph, platform, variant, {"runs/s"}, {1 / value});
    }
  }
  if (!any) {
    throw InputError(where, 0,
                     "has no runs that could be compared; name a file of an algorithm, such as dromos scc --json");
  }
}

std::string Comparison::describe_rates(const std::string& algorithm) const {
  const RateKind& kind = kinds_.at(algorithm);
  return std::string(kind.unit == "runs/s" ? "runs a second" : "10^9 edges a second") +
         (kind.harmonic ? ", harmonic means over the searches" : ", medians");
}

const Comparison::Variants* Comparison::find(const std::string& algorithm, const std::string& graph,
                                             const std::string& platform) const {
  const auto by_graph = rates_.find(algorithm);
  if (by_graph == rates_.end()) return nullptr;
  const auto by_platform = by_graph->second.find(graph);
  if (by_platform == by_graph->second.end()) return nullptr;
  const auto variants = by_platform->second.find(platform);
  return variants == by_platform->second.end() ? nullptr : &variants->second;
}

std::optional<double> Comparison::best_rate(const std::string& algorithm, const std::string& graph,
                                            const std::string& platform) const {
  const Variants* const variants = find(algorithm, graph, platform);
  if (variants == nullptr) return std::nullopt;
  double best = 0;
  for (const auto& [variant, rates] : *variants) best = std::max(best, kinds_.at(algorithm).typical(rates));
  return best;
}

std::string Comparison::to_text(const std::string& algorithm) const {
  std::vector<TextTable::Column> columns = {{"network", TextTable::Align::left}};
  for (const std::string& platform : platforms_) columns.push_back({platform + " " + kinds_.at(algorithm).unit});
  std::vector<std::string> others;
  if (platforms_.size() > 1) {
    for (const std::string& other : algorithms_) {
      if (other != algorithm) others.push_back(other);
    }
  }
  for (const std::string& other : others) {
    columns.push_back({fmt::format("{} {} vs {}", other, platforms_.back(), platforms_[platforms_.size() - 2])});
  }
  TextTable table(columns);
  std::vector<GeometricMean> means(columns.size());
  std::size_t num_measured = 0, num_common = 0;
  for (const std::string& graph : graphs_) {
    std::vector<std::optional<double>> values;
    for (const std::string& platform : platforms_) values.push_back(best_rate(algorithm, graph, platform));
    const bool measured = std::any_of(values.begin(), values.end(), has_value);
    const bool common = std::all_of(values.begin(), values.end(), has_value);
    for (const std::string& other : others) {
      const auto last = best_rate(other, graph, platforms_.back());
      const auto before = best_rate(other, graph, platforms_[platforms_.size() - 2]);
      const bool both = last && before && *before > 0;
      values.push_back(both ? std::optional<double>(*last / *before) : std::nullopt);
    }
    std::vector<std::string> cells = {graph};
    for (const auto& value : values) {
      if (value && common) means[cells.size()].add(*value);
      cells.push_back(value ? rate_text(*value) : std::string("-"));
    }
    table.add_row(cells);
    num_measured += measured ? 1 : 0;
    num_common += common ? 1 : 0;
  }
  std::vector<std::string> cells = {"geometric mean"};
  if (num_common < num_measured) cells.front() += fmt::format(" of {} of {}", num_common, num_measured);
  for (std::size_t column = 1; column < columns.size(); ++column) {
    // A ratio that some of these graphs lack is a mean over fewer.
    const bool fewer = means[column].count > 0 && static_cast<std::size_t>(means[column].count) < num_common;
    cells.push_back(means[column].text() + (fewer ? fmt::format(" of {}", means[column].count) : std::string()));
  }
  table.add_row(cells);
  return table.str();
}

Json Comparison::scaling_curves(const std::string& algorithm) const {
  Json curves = Json::array();
  std::vector<std::string> names;
  for (const std::string& platform : platforms_) remember(names, parts_.at(platform).platform);
  for (const std::string& name : names) {
    for (const std::string& graph : graphs_) {
      std::map<std::int64_t, SampleStatistics> best;
      for (const auto& [platform, part] : parts_) {
        const Variants* const variants = part.platform == name ? find(algorithm, graph, platform) : nullptr;
        if (variants == nullptr) continue;
        const auto rate = [&](const auto& variant) { return kinds_.at(algorithm).typical(variant.second); };
        const auto fastest = std::max_element(variants->begin(), variants->end(),
                                              [&](const auto& a, const auto& b) { return rate(a) < rate(b); });
        SampleStatistics statistics(fastest->second);
        statistics.median = rate(*fastest);
        best.emplace(part.number, statistics);
      }
      if (best.empty()) continue;
      Json numbers = Json::array(), rates = Json::array(), low = Json::array(), high = Json::array();
      for (const auto& [number, statistics] : best) {
        numbers.push_back(number);
        rates.push_back(statistics.median);
        low.push_back(statistics.firstquartile);
        high.push_back(statistics.thirdquartile);
      }
      const std::string label = names.size() == 1 ? graph : name + ": " + graph;
      curves.push_back({{"label", label}, {"numbers", numbers}, {"rates", rates}, {"low", low}, {"high", high}});
    }
  }
  return {{"kind", "scaling"},
          {"algorithm", algorithm},
          {"unit", kinds_.at(algorithm).unit},
          {"by", by_ == Scaling::threads ? "threads" : "ranks"},
          {"curves", curves}};
}

Json Comparison::series(const std::string& algorithm) const {
  if (by_ != Scaling::none) return scaling_curves(algorithm);
  Json all = Json::array();
  for (const std::string& platform : platforms_) {
    std::vector<std::string> names;
    for (const std::string& graph : graphs_) {
      if (const Variants* const variants = find(algorithm, graph, platform)) {
        for (const auto& [variant, rates] : *variants) remember(names, variant);
      }
    }
    for (const std::string& variant : names) {
      Json rates = Json::array(), low = Json::array(), high = Json::array();
      for (const std::string& graph : graphs_) {
        const Variants* const variants = find(algorithm, graph, platform);
        const bool measured = variants != nullptr && variants->count(variant) > 0;
        const SampleStatistics statistics(measured ? variants->at(variant) : std::vector<double>{0});
        rates.push_back(measured ? Json(kinds_.at(algorithm).typical(variants->at(variant))) : Json());
        low.push_back(measured ? Json(statistics.firstquartile) : Json());
        high.push_back(measured ? Json(statistics.thirdquartile) : Json());
      }
      all.push_back({{"platform", platform}, {"variant", variant}, {"rates", rates}, {"low", low}, {"high", high}});
    }
  }
  return {{"kind", "comparison"},
          {"algorithm", algorithm},
          {"unit", kinds_.at(algorithm).unit},
          {"graphs", graphs_},
          {"series", all}};
}

}  // namespace dromos::driver
