// SPDX-License-Identifier: BSD-3-Clause
#include "driver/graphs/vertex_list.hpp"

#include <charconv>
#include <dromos/core/error.hpp>
#include <system_error>

#include "io/text/line_fault.hpp"
#include "io/text/scan.hpp"
#include "io/text/text_file.hpp"

namespace dromos::driver {

std::vector<ListedVertex> read_vertex_list(const std::string& path) {
  const io::TextFile file(path, io::TextFile::Content::text, "a list of vertices");
  const std::string_view text = file.text();
  const char* const end = text.data() + text.size();
  std::vector<ListedVertex> vertices;
  std::int64_t line = 0;
  for (const char* p = text.data(); p < end; p = io::skip_line(p, end)) {
    ++line;
    const std::vector<std::string_view> words = io::split_words(io::line_at(text, p), true);
    if (words.empty() || words[0][0] == '#' || words[0][0] == '%') continue;
    std::int64_t name = 0;
    const char* const word_end = words[0].data() + words[0].size();
    const auto [after, error] = std::from_chars(words[0].data(), word_end, name);
    if (error != std::errc() || after != word_end) {
      throw InputError(
          path, line,
          "expected the number of a vertex, found " + io::quoted(words[0]) + "; put # before a line that names none");
    }
    vertices.push_back({name, line});
  }
  if (vertices.empty()) throw InputError(path, 0, "expected the numbers of vertices, one a line, found none");
  return vertices;
}

}  // namespace dromos::driver
