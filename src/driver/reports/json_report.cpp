// SPDX-License-Identifier: BSD-3-Clause
#include "driver/reports/json_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <dromos/core/build_info.hpp>
#include <dromos/io/replaced_file.hpp>

#include "driver/base/kokkos_session.hpp"
#include "driver/base/output_file.hpp"
#include "driver/base/standard_streams.hpp"

namespace dromos::driver {
namespace {

using Json = nlohmann::ordered_json;

/// Names of files need not be UTF-8; what is not is replaced instead of refused.
std::string leaf_text(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

void append(std::string& text, const Json& value, std::size_t indent) {
  const bool flat = std::none_of(value.begin(), value.end(), [](const Json& item) { return item.is_structured(); });
  const bool short_object = value.is_object() && value.size() <= 4;
  if (!value.is_structured() || value.empty() || (flat && (value.is_array() || short_object))) {
    text += leaf_text(value);
    return;
  }
  const std::string line = "\n" + std::string(indent + 2, ' ');
  text += value.is_object() ? "{" : "[";
  const char* separator = "";
  for (const auto& [key, item] : value.items()) {
    text += separator + line;
    if (value.is_object()) text += leaf_text(Json(key)) + ": ";
    append(text, item, indent + 2);
    separator = ",";
  }
  text += "\n" + std::string(indent, ' ') + (value.is_object() ? "}" : "]");
}

}  // namespace

std::string to_text(const Json& value) {
  std::string text;
  append(text, value, 0);
  return text + "\n";
}

void JsonReport::declare(ArgumentParser& parser) {
  parser.add_option("--json", path_, "Write the results as JSON; - writes them to stdout, and nothing else")
      .value_name("FILE")
      .writes_file()
      .group("Results");
}

void JsonReport::check() const {
  if (wanted() && !on_stdout()) check_writable("--json", path_);
}

void JsonReport::write() const {
  if (!wanted()) return;
  const BuildInfo& info = build_info();
  const Json dromos = {{"version", info.version},
                       {"git_commit", info.git_commit},
                       {"build_type", info.build_type},
                       {"compiler", info.compiler},
                       {"enabled_parts", info.enabled_parts}};
  Json report = {{"dromos", dromos}, {"kokkos", kokkos_configuration()}, {"graph", graph_}};
  report.update(sections_);
  if (!runs_.empty()) report["runs"] = runs_;
  const std::string text = to_text(report);
  if (on_stdout()) {
    print_output(text);
    return;
  }
  ReplacedFile file(path_);
  file.write(text.data(), text.size());
  file.commit();
}

}  // namespace dromos::driver
