// SPDX-License-Identifier: BSD-3-Clause
#include "command_line/wrapped_text.hpp"

#include <sstream>

namespace dromos {

std::string wrapped_text(const std::string& text, std::size_t indent, std::size_t width) {
  std::istringstream words(text);
  std::string lines;
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > width) {
      lines += std::string(indent, ' ') + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty()) lines += std::string(indent, ' ') + line + "\n";
  return lines;
}

}  // namespace dromos
