// SPDX-License-Identifier: BSD-3-Clause
// Parameter lists in files, XML or YAML.
#pragma once

#include <Teuchos_ParameterList.hpp>
#include <string>

namespace dromos::teuchos {

/// The list in a file: XML where its first character is '<', YAML otherwise. The list is called what the file calls it:
/// by the name of the outermost ParameterList, or by the one key at the top of a YAML file.
///
/// \throws InputError for a file that cannot be read, or is not a parameter list; with Teuchos' reason
Teuchos::ParameterList read_parameter_file(const std::string& path);

}  // namespace dromos::teuchos
