// SPDX-License-Identifier: BSD-3-Clause
#include "driver/reports/plot.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <dromos/core/error.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "driver/base/output_file.hpp"
#include "plot_comparison_script.hpp"

extern char** environ;

namespace dromos::driver {
namespace {

constexpr int no_matplotlib = 3;  // the script's exit code

/// Runs python3 with this script and returns its exit code, or -1 where it ended by a signal.
int run_python(const char* script, const std::string& argument, const std::string& input) {
  // The data goes through a file without a name, so that no pipe can fill up.
  std::FILE* const data = std::tmpfile();
  if (data == nullptr) throw Error(fmt::format("--plot: no temporary file: {}", std::strerror(errno)));
  std::fwrite(input.data(), 1, input.size(), data);
  std::rewind(data);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(data), STDIN_FILENO);
  std::string words[] = {"python3", "-c", script, argument};
  char* const arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  pid_t child = 0;
  const int failure = posix_spawnp(&child, "python3", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  std::fclose(data);
  if (failure != 0) {
    throw Error(
        fmt::format("--plot: python3 cannot be run ({}); it draws, with matplotlib (Debian: python3-matplotlib)",
                    std::strerror(failure)));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

void check_plot(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension != ".svg" && extension != ".png") {
    throw ArgumentError(fmt::format("--plot: expected a name that ends in .svg or .png, found '{}'", path));
  }
  check_writable("--plot", path);
}

void plot_comparison(const std::string& path, const nlohmann::ordered_json& series) {
  const int exit_code = run_python(plot_comparison_script, path, series.dump());
  if (exit_code == no_matplotlib) {
    throw Error("--plot: python3 has no matplotlib, which draws (Debian: python3-matplotlib)");
  }
  if (exit_code != 0) throw Error(fmt::format("--plot: python3 could not draw {} (what it says stands above)", path));
}

}  // namespace dromos::driver
