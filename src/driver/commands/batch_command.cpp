// SPDX-License-Identifier: BSD-3-Clause
// dromos batch: command lines of a file, one after the other, in one process.
//
// Where ranks have to find each other, or a GPU has to be woken, starting takes longer than a small graph. Nothing else
// is shared: each line reads its graph and writes its results as it would alone.
#include <fmt/format.h>

#include <cstdint>
#include <dromos/core/error.hpp>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "driver/base/command.hpp"
#include "driver/base/printable.hpp"
#include "driver/base/ranks.hpp"
#include "driver/base/standard_streams.hpp"
#include "io/text/text_file.hpp"

namespace dromos::driver {
namespace {

constexpr const char* batch_footer = R"(Examples:
  mpirun -n 4 dromos batch lines.txt
      where lines.txt has lines such as
          cc --output parts.txt web-NotreDame.txt.xz
          pagerank --json ranks.json "with blanks.mtx"

One command a line, as it would stand behind 'dromos'; '...' and "..." hold words with blanks together, and lines that
begin with # say nothing. The first line that fails ends it, with its exit code.)";

struct Line {
  std::int64_t number = 0;
  std::vector<std::string> words;
};

/// The first rank's text of a file, on every rank. Throws ArgumentError, everywhere, where it cannot be read.
std::string read_on_all_ranks(const std::string& path) {
  std::string text, mistake;
  try {
    if (first_rank()) text = io::TextFile(path, io::TextFile::Content::text, "a file of command lines").text();
  } catch (const InputError& error) {
    mistake = error.what();
  }
  mistake = first_text_of_ranks(mistake);
  if (!mistake.empty()) throw ArgumentError(mistake);
  return first_text_of_ranks(text);
}

/// The words of a line: between blanks, or between quotation marks of one kind.
std::vector<std::string> split(const std::string& path, std::int64_t number, const std::string& text) {
  std::vector<std::string> words;
  bool inside = false;  // of a word, perhaps an empty one
  char quote = 0;
  for (const char c : text) {
    if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? 0 : c;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\r')) {
      inside = false;
      continue;
    } else {
      if (!inside) words.emplace_back();
      words.back() += c;
      inside = true;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
  }
  if (quote != 0) throw InputError(path, number, fmt::format("{} opens a word that nothing closes", quote));
  return words;
}

/// The commands of a file, all of them looked at before the first runs.
std::vector<Line> read_lines(const std::string& path) {
  std::vector<Line> lines;
  std::istringstream texts(read_on_all_ranks(path));
  std::string text;
  for (std::int64_t number = 1; std::getline(texts, text); ++number) {
    const std::size_t start = text.find_first_not_of(" \t\r");
    if (start == std::string::npos || text[start] == '#') continue;
    Line line{number, split(path, number, text)};
    if (line.words.front() == "batch") throw InputError(path, number, "a batch within a batch; name its lines here");
    lines.push_back(std::move(line));
  }
  return lines;
}

int run_batch(const std::string& path) {
  for (const Line& line : read_lines(path)) {
    const int code = run_command_line(line.words);
    if (code == exit_fine) continue;
    if (first_rank()) say_error(fmt::format("dromos: {}:{}: ended the batch\n", printable(path), line.number));
    return code;
  }
  return exit_fine;
}

}  // namespace

CommandAction declare_batch(ArgumentParser& parser) {
  parser.footer(batch_footer);
  const auto path = std::make_shared<std::string>();
  parser.add_option("FILE", *path, "Command lines").value_name("").reads_file();
  return [path] {
    if (path->empty()) throw ArgumentError("name the file of command lines");
    return run_batch(*path);
  };
}

}  // namespace dromos::driver
