// SPDX-License-Identifier: BSD-3-Clause
// Runs the program `dromos` as a user would, and keeps what it said.
//
//   RunDromos dromos;                                      // a folder of its own, removed at the end
//   dromos.write("small.txt", "7 12\n12 900\n");
//   const Outcome outcome = dromos.run("bfs small.txt --json -");
//   outcome.exit_code, outcome.out, outcome.error, outcome.json()
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace dromos::test {

struct Outcome {
  int exit_code = -1;  ///< -1: ended by a signal
  std::string out;
  std::string error;

  /// What went to stdout, as JSON.
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

class RunDromos {
 public:
  RunDromos() {
    static int number = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("dromos-test-" + std::to_string(getpid()) + "-" + std::to_string(number++));
    std::filesystem::create_directories(folder_ / "work");
    setenv("DROMOS_LOAD_WARNING", "0", 0);  // tests run beside each other, and look at all that is said
  }
  ~RunDromos() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  RunDromos(const RunDromos&) = delete;
  RunDromos& operator=(const RunDromos&) = delete;

  /// Runs `dromos ARGUMENTS`, words as a shell reads them, in the folder.
  Outcome run(const std::string& arguments) const { return shell("'" DROMOS_PROGRAM "' " + arguments); }

  /// Runs a command of the shell in the folder, and says how many bytes the one of its processes that needs most has in
  /// memory at its peak.
  double peak_of(const std::string& command) const {
    const std::string line = "cd '" + (folder_ / "work").string() + "' && " + command + " > /dev/null </dev/null";
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      _exit(127);
    }
    int status = 0;
    struct rusage usage = {};  // of the shell and of all that it and its children have waited for
    EXPECT_EQ(wait4(child, &status, 0, &usage), child);
    EXPECT_EQ(status, 0) << command;
    return static_cast<double>(usage.ru_maxrss) * 1024;
  }

  /// Runs a command of the shell in the folder.
  Outcome shell(const std::string& command) const {
    const std::string out = (folder_ / "out").string();
    const std::string error = (folder_ / "error").string();
    const std::string line =
        "cd '" + (folder_ / "work").string() + "' && " + command + " >'" + out + "' 2>'" + error + "' </dev/null";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_path(out), read_path(error)};
  }

  /// Makes a file in the folder.
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / "work" / name) << text; }
  /// The contents of a file in the folder.
  std::string read(const std::string& name) const { return read_path(folder_ / "work" / name); }
  /// The folder's own name.
  std::string folder() const { return (folder_ / "work").string(); }
  /// The names of all files in the folder.
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "work")) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

 private:
  static std::string read_path(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  std::filesystem::path folder_;
};

/// What a command that must succeed writes with --json.
inline nlohmann::json run_json(const RunDromos& dromos, const std::string& arguments) {
  const Outcome outcome = dromos.run(arguments + " --json -");
  EXPECT_EQ(outcome.exit_code, 0) << arguments << "\n" << outcome.error;
  EXPECT_EQ(outcome.error, "") << arguments;
  return outcome.exit_code == 0 ? outcome.json() : nlohmann::json();
}

/// A mistake: exit code 2, an error with the words, and no file that was not there before.
inline Outcome expect_refusal(const RunDromos& dromos, const std::string& arguments,
                              const std::vector<std::string>& words) {
  const std::set<std::string> before = dromos.files();
  Outcome outcome = dromos.run(arguments);
  EXPECT_EQ(outcome.exit_code, 2) << arguments;
  for (const std::string& word : words) {
    EXPECT_NE(outcome.error.find(word), std::string::npos) << word << " in " << outcome.error;
  }
  EXPECT_EQ(dromos.files(), before) << arguments;
  return outcome;
}

/// A graph that comes with the source.
inline std::string input(const std::string& name) { return "'" DROMOS_INPUTS_DIR "/" + name + "'"; }

}  // namespace dromos::test
