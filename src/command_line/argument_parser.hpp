// SPDX-License-Identifier: BSD-3-Clause
// The command line of our programs: options, subcommands, help. CLI11 does the work, behind this thin front: parsing
// its headers and compiling what they define takes longer than most sources that declare a few options, so that
// argument_parser.cpp alone includes them.
//
//   ArgumentParser parser("Searches a graph", "search");
//   parser.add_option("--root", options.roots, "Where to start").value_name("ID").comma_list().group("Search");
//   parser.add_flag("!--no-levels", options.levels, "Parents only");
//   if (const auto exit_code = parser.parse_or_exit(argc, argv)) return *exit_code;
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace dromos {

/// Thrown by functions that take the text of an option: what they expected and what they found.
class InvalidValue : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A command line that cannot be taken.
class UsageError : public std::runtime_error {
 public:
  enum class Kind {
    unexpected_words,  ///< see ArgumentParser::unexpected_words()
    missing_value,     ///< of an option; the message starts with its name and a colon
    other
  };
  UsageError(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

/// A file that a command line names.
struct NamedFile {
  std::string option;  ///< "--json", "FILE"
  std::string path;
  bool is_written = false;  ///< or read
};

/// An option as the help shows it.
struct OptionText {
  std::vector<std::string> names;  ///< "-o", "--output"; or "FILE" for an argument that has its place
  std::string value_name;          ///< empty for flags
  std::string default_text;        ///< empty: none is shown
  std::string description;
  std::string group;
  std::vector<std::string> suggestions;  ///< values that a shell may offer
  bool positional = false;
  bool is_flag = false;
  bool repeats = false;  ///< takes several words
};

/// A program, or a subcommand of one. Copies are the same parser. What options write to must outlive it.
class ArgumentParser {
  struct Program;

 public:
  /// What was declared last, to say more about it.
  class Option {
   public:
    Option(CLI::Option* option, Program& program) : option_(option), program_(&program) {}
    Option& value_name(const std::string& name);
    /// The heading it stands under in the help.
    Option& group(const std::string& name);
    /// What the help shows as its default.
    Option& default_text(const std::string& text);
    /// Several values: the option repeated, or commas between them; the word after the first value is not one of them.
    Option& comma_list();
    /// Several values, with commas or blanks between them.
    Option& comma_or_blank_list();
    Option& one_of(const std::vector<std::string>& values);
    Option& in_range(std::int64_t least, std::int64_t most = std::numeric_limits<std::int64_t>::max());
    /// Values that a shell may offer; others are no error.
    Option& suggest(const std::vector<std::string>& values);
    /// Its value names a file that the program reads, or writes: files() has it.
    Option& reads_file();
    Option& writes_file();

   private:
    CLI::Option* option_;
    Program* program_;
  };

  explicit ArgumentParser(const std::string& description, const std::string& program = "");

  ArgumentParser add_subcommand(const std::string& name, const std::string& summary);
  /// What the help ends in: examples.
  void footer(const std::string& text);
  /// Words that nobody declared are no error.
  void allow_extras();

  /// An option (or, by a name without dashes, an argument with its place) that sets `value`. T is std::string, int,
  /// std::int64_t, std::uint64_t, double, or a std::vector of std::string, int, std::int64_t or double.
  template <class T>
  Option add_option(const std::string& names, T& value, const std::string& description = "");
  /// A flag that sets `value`; "!--no-x" unsets it.
  Option add_flag(const std::string& names, bool& value, const std::string& description = "");
  /// An option whose text `take` understands, or throws InvalidValue. `name` is one name.
  Option add_parsed(const std::string& name, std::function<void(const std::string&)> take,
                    const std::string& description);
  /// The same for an option that may be given several times, with one word each time.
  Option add_parsed_list(const std::string& name, std::function<void(const std::string&)> take,
                         const std::string& description);

  /// What a command line asks for.
  enum class Request { run, help };
  /// Takes the words of a command line, the program's name left out. Throws UsageError.
  Request parse(const std::vector<std::string>& words);
  /// For programs of a single purpose: prints the help or what is wrong, and returns the exit code to end with, or
  /// nothing where there is something to do.
  std::optional<int> parse_or_exit(int argc, char** argv);

  // What was parsed.
  bool parsed() const;
  /// The subcommand that was named, if any.
  std::optional<ArgumentParser> parsed_subcommand() const;
  /// Every file that was named, on the command line or in a file of parameters, to be read or to be written.
  std::vector<NamedFile> files() const;
  /// The words that nobody takes.
  std::vector<std::string> unexpected_words() const;

  // What was declared, in order, --help first.
  std::string name() const;
  std::string description() const;
  std::string footer() const;
  /// Of the subcommand that was named, if any.
  std::string help() const;
  std::vector<OptionText> options() const;
  std::vector<ArgumentParser> subcommands() const;
  /// The parser of the program that this is a subcommand of, or this one.
  ArgumentParser program() const;

 private:
  ArgumentParser(std::shared_ptr<Program> program, CLI::App* app) : program_(std::move(program)), app_(app) {}

  std::shared_ptr<Program> program_;
  CLI::App* app_;  // of the program, or of a subcommand, which the program owns
};

}  // namespace dromos
