// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dromos/core/allocation_failure.hpp>
#include <dromos/core/available_memory.hpp>
#include <initializer_list>
#include <new>
#include <string>

namespace dromos {
namespace {

/// What stands between the first of these beginnings that is in the text and the end behind it; empty: none is.
std::string text_between(const std::string& text, std::initializer_list<const char*> beginnings, const char* end) {
  for (const char* const beginning : beginnings) {
    const std::size_t found = text.find(beginning);
    if (found == std::string::npos) continue;
    const std::size_t from = found + std::strlen(beginning);
    return text.substr(from, text.find(end, from) - from);
  }
  return "";
}

/// "7.451 G", "7.451 GiB" or "512 B", in bytes; 0 for anything else.
double bytes_of(const std::string& size) {
  char* unit = nullptr;
  double bytes = std::strtod(size.c_str(), &unit);
  while (*unit == ' ') ++unit;
  constexpr const char* units = "BKMGTPE";
  const char* const power = *unit == '\0' ? nullptr : std::strchr(units, *unit);
  if (power == nullptr || !(bytes > 0)) return 0;
  for (const char* p = units; p != power; ++p) bytes *= 1024;
  return bytes < 1.8e19 ? bytes : 0;
}

constexpr const char* what_helps = "; use a smaller graph, --ids 32, more ranks, or a machine with more memory";

std::string available() {
  return "; " + binary_bytes(static_cast<std::uint64_t>(available_host_memory())) + " are available";
}

}  // namespace

std::optional<MemoryError> as_memory_error(const std::exception& error) {
  const std::string message = error.what();
  const bool of_kokkos =
      message.find("Kokkos") != std::string::npos && message.find("failed to allocate") != std::string::npos;
  if (!of_kokkos) {
    if (dynamic_cast<const std::bad_alloc*>(&error) == nullptr) return std::nullopt;
    return MemoryError("out of memory" + available() + what_helps);
  }
  const std::string label = text_between(message, {"label \"", "label=\""}, "\"");
  const double bytes = bytes_of(text_between(message, {"llocation of size ", "failed to allocate "}, "("));
  const std::string space = text_between(message, {"MemorySpace named \"", "ERROR: "}, "\"");
  const bool in_main_memory = space.compare(0, 4, "Host") == 0;
  return MemoryError("out of memory" + (bytes > 0 ? ": no " + binary_bytes(static_cast<std::uint64_t>(bytes)) : "") +
                     (label.empty() ? "" : (bytes > 0 ? " for " : ": none for ") + label) +
                     (in_main_memory ? available() : "") + what_helps);
}

}  // namespace dromos
