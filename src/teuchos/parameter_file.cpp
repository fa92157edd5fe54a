// SPDX-License-Identifier: BSD-3-Clause
#include <Teuchos_StringInputSource.hpp>
#include <Teuchos_XMLParameterListReader.hpp>
#include <Teuchos_XMLParameterListWriter.hpp>
#include <Teuchos_YamlParameterListCoreHelpers.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dromos/core/error.hpp>
#include <dromos/teuchos/parameter_file.hpp>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

namespace dromos::teuchos {
namespace {

/// Teuchos' readers call themselves for every level and leave a stack that is too deep by a segmentation fault, or take
/// minutes for YAML that is; a list of ours has two levels.
constexpr int most_levels = 100;
/// Its YAML takes 10 to 20 us a character, whether that is of a name, a string or an array: a second at this size.
constexpr std::size_t most_bytes = std::size_t(64) << 10;

std::string read_text(const std::string& path) {
  errno = 0;
  std::ifstream file(path);
  std::string text(most_bytes + 1, '\0');
  if (file) file.read(&text[0], static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.empty()) {
    throw InputError(path, 0, std::string("cannot be read: ") + (errno != 0 ? std::strerror(errno) : "it is empty"));
  }
  if (text.size() > most_bytes) {
    throw InputError(
        path, 0,
        "is larger than 64 KiB, the most that a file of parameters may have; check the name, or give long lists "
        "on the command line");
  }
  return text;
}

/// The end of the tag that begins at `at`: its '>', which is none inside quotes.
std::size_t end_of_tag(const std::string& text, std::size_t at) {
  while ((at = text.find_first_of("\"'>", at)) != std::string::npos && text[at] != '>') {
    at = text.find(text[at], at + 1);
    if (at == std::string::npos) break;
    ++at;
  }
  return at;
}

/// The most elements that are open at once. Comments, instructions and the like are passed over, whatever they hold; an
/// end without a beginning, which the reader refuses where it meets it, makes no room for elements behind it.
int levels_of_xml(const std::string& text) {
  constexpr std::pair<const char*, const char*> no_elements[] = {
      {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};
  int level = 0, most = 0;
  std::size_t at = text.find('<');
  while (at != std::string::npos) {
    const auto begins = [&](const auto& kind) { return text.compare(at, std::strlen(kind.first), kind.first) == 0; };
    const auto kind = std::find_if(std::begin(no_elements), std::end(no_elements), begins);
    std::size_t end = std::string::npos;
    if (kind != std::end(no_elements)) {
      end = text.find(kind->second, at + std::strlen(kind->first));
    } else {
      end = end_of_tag(text, at);
      if (text.compare(at, 2, "</") == 0) {
        level = std::max(0, level - 1);
      } else {
        most = std::max(most, ++level);
        if (end != std::string::npos && text[end - 1] == '/') --level;
      }
    }
    at = end == std::string::npos ? end : text.find('<', end);
  }
  return most;
}

/// At least as many as the text is nested: lines that are indented further than those around them, items of lists
/// within lists ("- - -"), and brackets.
int levels_of_yaml(const std::string& text) {
  std::vector<std::size_t> indents;
  int brackets = 0, most = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos || line[begin] == '#') continue;
    while (!indents.empty() && indents.back() >= begin) indents.pop_back();
    indents.push_back(begin);
    std::size_t at = begin;
    for (; at + 1 < line.size() && (line[at] == '-' || line[at] == '?') && line[at + 1] == ' '; ++at) {
      at = std::min(line.find_first_not_of(' ', at + 1), line.size()) - 1;
      indents.push_back(at + 1);
    }
    for (const char c : line) {
      brackets += c == '[' || c == '{';
      brackets -= c == ']' || c == '}';
      most = std::max(most, static_cast<int>(indents.size()) + brackets);
    }
  }
  return most;
}

/// What Teuchos says of a file in many lines, without where in its own source it says so.
std::string reason(const std::string& message) {
  std::istringstream lines(message);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    const bool about_teuchos =
        line.find("Throw number") != std::string::npos || line.find("Throw test that evaluated") != std::string::npos;
    if (line.empty() || about_teuchos) continue;
    const auto begin = line.find_first_not_of(" \t");
    if (begin != std::string::npos) text += (text.empty() ? "" : " ") + line.substr(begin);
  }
  return text;
}

Teuchos::ParameterList list_of_xml(const std::string& text) {
  const Teuchos::XMLObject xml = Teuchos::StringInputSource(text).getObject();
  Teuchos::ParameterList list = Teuchos::XMLParameterListReader().toParameterList(xml);
  const std::string& name_attribute = Teuchos::XMLParameterListWriter::getNameAttributeName();
  if (xml.hasAttribute(name_attribute)) list.setName(xml.getAttribute(name_attribute));
  return list;
}

}  // namespace

Teuchos::ParameterList read_parameter_file(const std::string& path) {
  const std::string text = read_text(path);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) throw InputError(path, 0, "is empty; expected a parameter list in XML or YAML");
  const bool is_xml = text[first] == '<';
  if ((is_xml ? levels_of_xml(text) : levels_of_yaml(text)) > most_levels) {
    throw InputError(path, 0,
                     "is nested deeper than " + std::to_string(most_levels) +
                         " levels; expected a parameter list of a few, check the name");
  }
  try {
    return is_xml ? list_of_xml(text) : *Teuchos::getParametersFromYamlString(text);
  } catch (const std::exception& error) {
    throw InputError(path, 0,
                     std::string("is not a parameter list in ") + (is_xml ? "XML: " : "YAML: ") + reason(error.what()));
  }
}

}  // namespace dromos::teuchos
