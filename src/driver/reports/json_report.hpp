// SPDX-License-Identifier: BSD-3-Clause
// --json: what a program did, for other programs.
//
//   { "dromos": {"version": ...}, "kokkos": {...}, "graph": {...}, "runs": [{"algorithm": "bfs", ...}, ...] }
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "command_line/argument_parser.hpp"
#include "driver/base/talking.hpp"

namespace dromos::driver {

class JsonReport {
 public:
  void declare(ArgumentParser& parser);

  bool wanted() const { return !path_.empty(); }
  /// The report goes to stdout, which is then no place for anything else.
  bool on_stdout() const { return path_ == "-"; }
  /// May text for people go to stdout?
  bool leaves_stdout() const { return may_talk_beside(path_); }

  /// Throws ArgumentError when the report could not be written; before the work that it reports.
  void check() const;

  void set_graph(nlohmann::ordered_json graph) { graph_ = std::move(graph); }
  /// Another member of the report.
  void add_section(const std::string& name, nlohmann::ordered_json section) { sections_[name] = std::move(section); }
  /// The program was stopped before all runs were done.
  void mark_interrupted() { add_section("interrupted", true); }
  void add_run(nlohmann::ordered_json run) { runs_.push_back(std::move(run)); }

  /// Writes the report where it is wanted.
  void write() const;

 private:
  std::string path_;
  nlohmann::ordered_json graph_ = nlohmann::ordered_json::object();
  nlohmann::ordered_json sections_ = nlohmann::ordered_json::object();
  nlohmann::ordered_json runs_ = nlohmann::ordered_json::array();
};

/// Indented text in which an array of plain values, or a small object of them, takes one line.
std::string to_text(const nlohmann::ordered_json& value);

}  // namespace dromos::driver
