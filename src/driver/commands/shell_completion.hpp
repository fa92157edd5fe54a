// SPDX-License-Identifier: BSD-3-Clause
// Scripts by which shells complete a command line, made from the options as they are declared.
#pragma once

#include <string>

#include "command_line/argument_parser.hpp"

namespace dromos::driver {

/// For bash: what `source <(dromos completion bash)` reads.
std::string bash_completion(const ArgumentParser& program);

/// For zsh, which runs the script of bash: what `source <(dromos completion zsh)` reads, or a file _dromos in $fpath.
std::string zsh_completion(const ArgumentParser& program);

}  // namespace dromos::driver
