// SPDX-License-Identifier: BSD-3-Clause
// Options that take numbers, with errors that say what was expected and what was found.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "command_line/argument_parser.hpp"

namespace dromos::driver {

inline constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

/// The whole number that `text` writes, within the limits; throws InvalidValue.
std::int64_t parse_integer(const std::string& text, std::int64_t least, std::int64_t most = no_limit);

/// An option with one whole number; `value` keeps what it has, or stays empty, where the option is not given.
ArgumentParser::Option add_integer(ArgumentParser& parser, const std::string& name, std::int64_t& value,
                                   const std::string& description, std::int64_t least, std::int64_t most = no_limit);
ArgumentParser::Option add_integer(ArgumentParser& parser, const std::string& name, std::optional<std::int64_t>& value,
                                   const std::string& description, std::int64_t least, std::int64_t most = no_limit);

/// --repeat: `what` is done so many times, once or more.
ArgumentParser::Option add_repeat(ArgumentParser& parser, std::int64_t& num_repeats, const std::string& what);
/// Throws ArgumentError for --repeat beside --memory.
void check_repeat(std::int64_t num_repeats, bool asks_memory);

/// A vertex as its file numbers it; throws InvalidValue.
std::int64_t parse_vertex(const std::string& text);

/// An option with one vertex, and one that may be given several times, each time with one or several separated by
/// commas.
ArgumentParser::Option add_vertex(ArgumentParser& parser, const std::string& name, std::optional<std::int64_t>& value,
                                  const std::string& description);
ArgumentParser::Option add_vertices(ArgumentParser& parser, const std::string& name, std::vector<std::int64_t>& values,
                                    const std::string& description);

/// An option with one number, from `least` to `most`.
ArgumentParser::Option add_number(ArgumentParser& parser, const std::string& name, double& value,
                                  const std::string& description, double least,
                                  double most = std::numeric_limits<double>::max());

/// An option with a number from 0 to 1.
ArgumentParser::Option add_probability(ArgumentParser& parser, const std::string& name, std::optional<double>& value,
                                       const std::string& description);

/// The words of a list for people, "a, b or c".
std::vector<std::string> words_of(const std::string& list);

/// The parts of "a,b,c".
std::vector<std::string> split_at_commas(const std::string& text);

}  // namespace dromos::driver
