// SPDX-License-Identifier: BSD-3-Clause
#include "command_line/parameter_file.hpp"

#include <dromos/core/error.hpp>
#include <dromos/version.hpp>

#include "command_line/argument_parser.hpp"

#ifdef DROMOS_ENABLE_TEUCHOS
#include <Teuchos_Array.hpp>
#include <Teuchos_ParameterList.hpp>
#include <dromos/teuchos/parameter_file.hpp>
#include <sstream>
#include <type_traits>
#endif

namespace dromos {

#ifdef DROMOS_ENABLE_TEUCHOS
void accept_parameter_file(ArgumentParser& parser) {
  parser
      .add_parsed(
          parameter_file_option, [](const std::string&) {},
          "Options in a file, XML or YAML; those on the command line come before it")
      .value_name("FILE")
      .reads_file();
}

namespace {

/// With as many digits as it takes to get the same number back.
template <class T>
std::string text_of(const T& value) {
  std::ostringstream text;
  for (int digits = 6; digits <= 17; ++digits) {
    text.str("");
    text.precision(digits);
    text << value;
    if constexpr (std::is_same_v<T, double>) {
      if (std::stod(text.str()) != value) continue;
    }
    break;
  }
  return text.str();
}

/// Takes the value where it is a T or several of them.
template <class T>
bool take(const Teuchos::ParameterEntry& entry, std::string& value) {
  if (entry.isType<T>()) {
    value = text_of(Teuchos::getValue<T>(entry));
    return true;
  }
  if (!entry.isType<Teuchos::Array<T>>()) return false;
  for (const T& each : Teuchos::getValue<Teuchos::Array<T>>(entry)) value += (value.empty() ? "" : ",") + text_of(each);
  return true;
}

}  // namespace

ParameterFile read_parameter_file(const std::string& path) {
  const Teuchos::ParameterList list = teuchos::read_parameter_file(path);
  ParameterFile file;
  file.program = list.name();
  for (const auto& item : list) {
    const std::string& name = item.first;
    const Teuchos::ParameterEntry& entry = item.second;
    Parameter parameter;
    parameter.name = name;
    if (entry.isType<bool>()) {
      parameter.flag = Teuchos::getValue<bool>(entry);
    } else if (!take<int>(entry, parameter.value) && !take<long long>(entry, parameter.value) &&
               !take<double>(entry, parameter.value) && !take<std::string>(entry, parameter.value)) {
      throw InputError(path, 0,
                       "parameter '" + name +
                           "': expected true or false, a number, a string, or several of these, found " +
                           (entry.isList() ? "a sublist" : entry.getAny(false).typeName()));
    }
    file.parameters.push_back(parameter);
  }
  return file;
}
#else
void accept_parameter_file(ArgumentParser&) {}

ParameterFile read_parameter_file(const std::string& path) {
  throw InputError(path, 0, "cannot be read: this Dromos was built without Teuchos");
}
#endif

}  // namespace dromos
