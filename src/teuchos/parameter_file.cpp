// SPDX-License-Identifier: BSD-3-Clause
#include <Teuchos_StringInputSource.hpp>
#include <Teuchos_XMLParameterListReader.hpp>
#include <Teuchos_XMLParameterListWriter.hpp>
#include <Teuchos_YamlParameterListCoreHelpers.hpp>
#include <cerrno>
#include <cstring>
#include <dromos/core/error.hpp>
#include <dromos/teuchos/parameter_file.hpp>
#include <fstream>
#include <sstream>

namespace dromos::teuchos {
namespace {

std::string read_text(const std::string& path) {
  errno = 0;
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    throw InputError(path, 0, std::string("cannot be read: ") + (errno != 0 ? std::strerror(errno) : "it is empty"));
  }
  return text.str();
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
  try {
    return is_xml ? list_of_xml(text) : *Teuchos::getParametersFromYamlString(text);
  } catch (const std::exception& error) {
    throw InputError(path, 0,
                     std::string("is not a parameter list in ") + (is_xml ? "XML: " : "YAML: ") + reason(error.what()));
  }
}

}  // namespace dromos::teuchos
