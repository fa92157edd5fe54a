// SPDX-License-Identifier: BSD-3-Clause
// Options of a command line in a file, as a Teuchos parameter list in XML or YAML: a parameter has the name of the
// option without its dashes, and with blanks for those inside.
//
//   dromos scc:                dromos scc --generate kronecker --scale 20 --directed --method serial,multistep
//     generate: kronecker
//     scale: 20
//     directed: true
//     method: [serial, multistep]
//
// The name of the list is that of the program, and of the subcommand.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dromos {

class ArgumentParser;

inline constexpr const char* parameter_file_option = "--parameters";

/// Declares the option --parameters FILE, where Teuchos is there to read the file: what the command line itself does
/// not say is then taken from there. ArgumentParser::parse() throws InputError for a file that cannot be used, and
/// parse_or_exit() says it.
void accept_parameter_file(ArgumentParser& parser);

struct Parameter {
  std::string name;          ///< as in the file: "edge factor"
  std::optional<bool> flag;  ///< where the value is true or false
  std::string value;         ///< otherwise: as the command line has it, several with commas between them
};

struct ParameterFile {
  std::string program;  ///< "dromos scc"
  std::vector<Parameter> parameters;
};

/// Reads a file. Throws InputError for one that cannot be read, is not a parameter list, or has sublists in it.
ParameterFile read_parameter_file(const std::string& path);

}  // namespace dromos
