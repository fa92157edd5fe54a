// SPDX-License-Identifier: BSD-3-Clause
#include "command_line/argument_parser.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <dromos/core/error.hpp>
#include <dromos/core/nearest_name.hpp>
#include <map>
#include <utility>

#include "command_line/help_text.hpp"
#include "command_line/parameter_file.hpp"

namespace dromos {
namespace {

/// Calls `take` so that what it throws is told in the name of the option.
void call(const std::function<void(const std::string&)>& take, const std::string& name, const std::string& text) {
  try {
    take(text);
  } catch (const InvalidValue& error) {
    throw CLI::ValidationError(name, error.what());
  }
}

/// What a parameter for this option is called: "--edge-factor" is "edge factor", and "FILE" is "file".
std::string parameter_name(const CLI::Option& option) {
  std::string name = option.get_positional() ? option.get_name(true) : option.get_single_name();
  for (char& c : name) c = c == '-' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

void set_from_file(CLI::Option& option, const Parameter& parameter, const std::string& path) {
  const auto refuse = [&](const std::string& message) {
    throw InputError(path, 0, "parameter '" + parameter.name + "': " + message);
  };
  if (is_flag(option) != parameter.flag.has_value()) {
    refuse(is_flag(option) ? "expected true or false, found '" + parameter.value + "'"
                           : std::string("expected a value, found ") + (*parameter.flag ? "true" : "false"));
  }
  if (parameter.flag) {
    if (!*parameter.flag) return;
    option.add_result(option.get_flag_value(option.get_single_name(), "true"));
  } else {
    option.add_result(parameter.value);
  }
  try {
    option.run_callback();
  } catch (const CLI::ParseError& error) {
    std::string message = error.what();
    const std::string name = option.get_name() + ": ";  // which the parameter's own has said
    if (message.compare(0, name.size(), name) == 0) message = message.substr(name.size());
    refuse(message);
  }
}

/// Gives the options that were not on the command line the values in the file that it names, if it does.
void take_parameter_file(CLI::App& app, const std::string& program) {
  const CLI::Option* const named = app.get_option_no_throw(parameter_file_option);
  if (named == nullptr || named->count() == 0) return;
  const std::string path = named->as<std::string>();
  const ParameterFile file = read_parameter_file(path);
  if (file.program != program) {
    throw InputError(
        path, 0, "is for '" + file.program + "', and this is '" + program + "'; the list has the name of the program");
  }
  std::vector<std::string> names;
  std::vector<CLI::Option*> options;
  for (CLI::Option* option : app.get_options([](const CLI::Option*) { return true; })) {
    if (option == named || option == app.get_help_ptr()) continue;
    names.push_back(parameter_name(*option));
    options.push_back(option);
  }
  for (const Parameter& parameter : file.parameters) {
    const auto found = std::find(names.begin(), names.end(), parameter.name);
    if (found == names.end()) {
      throw InputError(
          path, 0,
          "there is no parameter '" + parameter.name + "' of '" + program + "'" + choice_hint(parameter.name, names));
    }
    CLI::Option& option = *options[static_cast<std::size_t>(found - names.begin())];
    if (option.count() == 0) set_from_file(option, parameter, path);
  }
}

OptionText text_of(const CLI::Option& option) {
  OptionText text;
  text.positional = option.get_positional();
  if (text.positional) {
    text.names = {option.get_name(true)};
  } else {
    for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  }
  text.is_flag = is_flag(option);
  if (!text.is_flag) text.value_name = option.get_type_name();
  text.default_text = option.get_default_str();
  text.repeats = option.get_items_expected_max() > 1;
  text.description = option.get_description();
  text.group = option.get_group();
  return text;
}

}  // namespace

/// What all parsers of a program share.
struct ArgumentParser::Program {
  CLI::App app;
  std::map<const CLI::Option*, std::vector<std::string>> suggestions;
  std::map<const CLI::Option*, bool> files;  // is it written?
};

ArgumentParser::ArgumentParser(const std::string& description, const std::string& program)
    : program_(std::make_shared<Program>()), app_(&program_->app) {
  app_->description(description);
  app_->name(program);
  // Said here because versions of CLI11 call the group differently.
  app_->option_defaults()->group("Options");
  app_->set_help_flag("-h,--help", "Print this help message and exit");
  app_->require_subcommand(0, 1);
}

ArgumentParser ArgumentParser::add_subcommand(const std::string& name, const std::string& summary) {
  return ArgumentParser(program_, app_->add_subcommand(name, summary));
}

void ArgumentParser::footer(const std::string& text) { app_->footer(text); }

void ArgumentParser::allow_extras() { app_->allow_extras(); }

template <class T>
ArgumentParser::Option ArgumentParser::add_option(const std::string& names, T& value, const std::string& description) {
  return Option(app_->add_option(names, value, description), *program_);
}

template ArgumentParser::Option ArgumentParser::add_option(const std::string&, std::string&, const std::string&);
template ArgumentParser::Option ArgumentParser::add_option(const std::string&, int&, const std::string&);
template ArgumentParser::Option ArgumentParser::add_option(const std::string&, std::int64_t&, const std::string&);
template ArgumentParser::Option ArgumentParser::add_option(const std::string&, std::uint64_t&, const std::string&);
template ArgumentParser::Option ArgumentParser::add_option(const std::string&, double&, const std::string&);
template ArgumentParser::Option ArgumentParser::add_option(const std::string&, std::vector<std::string>&,
                                                           const std::string&);
template ArgumentParser::Option ArgumentParser::add_option(const std::string&, std::vector<int>&, const std::string&);
template ArgumentParser::Option ArgumentParser::add_option(const std::string&, std::vector<std::int64_t>&,
                                                           const std::string&);
template ArgumentParser::Option ArgumentParser::add_option(const std::string&, std::vector<double>&,
                                                           const std::string&);

ArgumentParser::Option ArgumentParser::add_flag(const std::string& names, bool& value, const std::string& description) {
  return Option(app_->add_flag(names, value, description), *program_);
}

ArgumentParser::Option ArgumentParser::add_parsed(const std::string& name, std::function<void(const std::string&)> take,
                                                  const std::string& description) {
  const auto take_one = [take = std::move(take), name](const std::string& text) { call(take, name, text); };
  return Option(app_->add_option_function<std::string>(name, take_one, description), *program_);
}

ArgumentParser::Option ArgumentParser::add_parsed_list(const std::string& name,
                                                       std::function<void(const std::string&)> take,
                                                       const std::string& description) {
  const auto take_all = [take = std::move(take), name](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) call(take, name, text);
  };
  return Option(app_->add_option_function<std::vector<std::string>>(name, take_all, description)
                    ->type_size(1)
                    ->expected(1)
                    ->allow_extra_args(false)
                    ->take_all(),
                *program_);
}

ArgumentParser::Request ArgumentParser::parse(const std::vector<std::string>& words) {
  try {
    app_->parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    return Request::help;
  } catch (const CLI::ExtrasError& error) {
    throw UsageError(UsageError::Kind::unexpected_words, error.what());
  } catch (const CLI::ArgumentMismatch& error) {
    // "--root: 1 required INT missing" and its like.
    const std::string message = error.what();
    const bool missing = message.find("missing") != std::string::npos;
    throw UsageError(missing ? UsageError::Kind::missing_value : UsageError::Kind::other, message);
  } catch (const CLI::ParseError& error) {
    throw UsageError(UsageError::Kind::other, error.what());
  }
  take_parameter_file(*app_, name());
  for (CLI::App* const subcommand : app_->get_subcommands()) {
    take_parameter_file(*subcommand, name() + " " + subcommand->get_name());
  }
  return Request::run;
}

std::optional<int> ArgumentParser::parse_or_exit(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
    const std::string path = argc > 0 ? argv[0] : name();
    take_parameter_file(*app_, path.substr(path.rfind('/') + 1));
  } catch (const CLI::CallForHelp&) {
    std::fputs(help().c_str(), stdout);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app_->exit(error);
  } catch (const InputError& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
  return std::nullopt;
}

bool ArgumentParser::parsed() const { return app_->parsed(); }

std::optional<ArgumentParser> ArgumentParser::parsed_subcommand() const {
  const auto parsed = app_->get_subcommands();
  if (parsed.empty()) return std::nullopt;
  return ArgumentParser(program_, parsed.back());
}

std::vector<NamedFile> ArgumentParser::files() const {
  std::vector<NamedFile> files;
  for (const CLI::Option* option : std::as_const(*app_).get_options()) {
    const auto found = program_->files.find(option);
    if (found == program_->files.end()) continue;
    for (const std::string& path : option->results()) {
      files.push_back({text_of(*option).names.back(), path, found->second});
    }
  }
  return files;
}

std::vector<std::string> ArgumentParser::unexpected_words() const { return app_->remaining(); }

std::string ArgumentParser::name() const { return app_->get_name(); }

std::string ArgumentParser::description() const { return app_->get_description(); }

std::string ArgumentParser::footer() const { return app_->get_footer(); }

std::string ArgumentParser::help() const { return help_text(parsed_subcommand().value_or(*this)); }

std::vector<OptionText> ArgumentParser::options() const {
  std::vector<OptionText> texts;
  for (const CLI::Option* option : std::as_const(*app_).get_options()) {
    texts.push_back(text_of(*option));
    const auto found = program_->suggestions.find(option);
    if (found != program_->suggestions.end()) texts.back().suggestions = found->second;
  }
  return texts;
}

std::vector<ArgumentParser> ArgumentParser::subcommands() const {
  std::vector<ArgumentParser> result;
  for (CLI::App* subcommand : app_->get_subcommands([](CLI::App*) { return true; })) {
    result.push_back(ArgumentParser(program_, subcommand));
  }
  return result;
}

ArgumentParser ArgumentParser::program() const { return ArgumentParser(program_, &program_->app); }

ArgumentParser::Option& ArgumentParser::Option::value_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

ArgumentParser::Option& ArgumentParser::Option::group(const std::string& name) {
  option_->group(name);
  return *this;
}

ArgumentParser::Option& ArgumentParser::Option::default_text(const std::string& text) {
  option_->default_str(text);
  return *this;
}

ArgumentParser::Option& ArgumentParser::Option::comma_list() {
  option_->type_size(1)->expected(1)->delimiter(',')->allow_extra_args(false)->take_all();
  return *this;
}

ArgumentParser::Option& ArgumentParser::Option::comma_or_blank_list() {
  option_->delimiter(',');
  return *this;
}

ArgumentParser::Option& ArgumentParser::Option::one_of(const std::vector<std::string>& values) {
  option_->check(CLI::IsMember(values));
  return suggest(values);
}

ArgumentParser::Option& ArgumentParser::Option::in_range(std::int64_t least, std::int64_t most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

ArgumentParser::Option& ArgumentParser::Option::suggest(const std::vector<std::string>& values) {
  program_->suggestions[option_] = values;
  return *this;
}

ArgumentParser::Option& ArgumentParser::Option::reads_file() {
  program_->files[option_] = false;
  return *this;
}

ArgumentParser::Option& ArgumentParser::Option::writes_file() {
  program_->files[option_] = true;
  return *this;
}

}  // namespace dromos
