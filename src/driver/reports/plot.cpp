// SPDX-License-Identifier: BSD-3-Clause
#include "driver/reports/plot.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <dromos/core/error.hpp>
#include <dromos/io/replaced_file.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "driver/base/output_file.hpp"
#include "plot_script.hpp"

extern char** environ;

namespace dromos::driver {
namespace {

constexpr int no_matplotlib = 3;  // the script's exit code

/// Where the script writes: a file that we made and name, so that it is whole, in no other's place, and gone when we
/// are stopped.
constexpr int picture_descriptor = 3;

/// Runs the interpreter with the script and returns its exit code, or -1 where it ended by a signal.
///
/// \param picture  a descriptor of the file to write; -1: none
int run_python(const std::string& python, const std::string& format, const std::string& input, int picture) {
  // The data goes through a file without a name, so that no pipe can fill up.
  std::FILE* const data = std::tmpfile();
  if (data == nullptr) throw Error(fmt::format("--plot: no temporary file: {}", std::strerror(errno)));
  std::fwrite(input.data(), 1, input.size(), data);
  std::rewind(data);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(data), STDIN_FILENO);
  if (picture >= 0) posix_spawn_file_actions_adddup2(&actions, picture, picture_descriptor);
  std::string words[] = {python, "-c", plot_script, format};
  char* const arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  pid_t child = 0;
  const int failure = posix_spawnp(&child, python.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  std::fclose(data);
  if (failure != 0) {
    throw Error(
        fmt::format("--plot: {} cannot be run ({}); it draws, with matplotlib (Debian: python3-matplotlib); --python "
                    "names another interpreter",
                    python, std::strerror(failure)));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void check_exit_code(const PlotOptions& options, int exit_code) {
  if (exit_code == no_matplotlib) {
    throw Error(
        fmt::format("--plot: {} has no matplotlib, which draws (Debian: python3-matplotlib); --python names an "
                    "interpreter that has it",
                    options.python));
  }
  if (exit_code != 0) {
    throw Error(fmt::format("--plot: {} could not draw {} (what it says stands above)", options.python, options.path));
  }
}

}  // namespace

void PlotOptions::declare(ArgumentParser& parser, const std::string& what) {
  parser.add_option("--plot", path, what + ", as a picture: .pdf, .svg or .png")
      .value_name("FILE")
      .writes_file()
      .group("Results");
  parser.add_option("--python", python, "The interpreter that draws, with matplotlib")
      .value_name("NAME")
      .group("Results");
}

void PlotOptions::check() const {
  if (!wanted()) {
    if (python != PlotOptions().python) {
      throw ArgumentError(
          fmt::format("--python {} has no effect without --plot FILE; give both or leave it out", python));
    }
    return;
  }
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension != ".svg" && extension != ".png" && extension != ".pdf") {
    throw ArgumentError(fmt::format("--plot: expected a name that ends in .pdf, .svg or .png, found '{}'", path));
  }
  check_writable("--plot", path);
}

void PlotOptions::check_python() const {
  if (wanted()) check_exit_code(*this, run_python(python, "", "{}", -1));
}

void PlotOptions::draw(const nlohmann::ordered_json& data) const {
  ReplacedFile file(path);
  const std::string format = std::filesystem::path(path).extension().string().substr(1);
  check_exit_code(*this, run_python(python, format, data.dump(), file.descriptor()));
  file.commit();
}

}  // namespace dromos::driver
