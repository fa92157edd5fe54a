// SPDX-License-Identifier: BSD-3-Clause
// Text broken into lines.
#pragma once

#include <cstddef>
#include <string>

namespace dromos {

/// The words of `text`, broken at blanks into lines of at most `width` characters that start with `indent` blanks.
std::string wrapped_text(const std::string& text, std::size_t indent, std::size_t width = 100);

}  // namespace dromos
