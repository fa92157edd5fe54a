// SPDX-License-Identifier: BSD-3-Clause
#include "list_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Teuchos_StandardParameterEntryValidators.hpp>
#include <cmath>

namespace dromos::teuchos {
namespace {

using Teuchos::AnyNumberParameterEntryValidator;

Teuchos::RCP<const Teuchos::ParameterEntryValidator> whole_number_validator() {
  AnyNumberParameterEntryValidator::AcceptedTypes types(false);
  types.allowInt(true).allowLongLong(true);
  return Teuchos::rcp(new AnyNumberParameterEntryValidator(AnyNumberParameterEntryValidator::PREFER_LONG_LONG, types));
}

Teuchos::RCP<const Teuchos::ParameterEntryValidator> number_validator() {
  AnyNumberParameterEntryValidator::AcceptedTypes types(true);  // a string, for infinity
  return Teuchos::rcp(new AnyNumberParameterEntryValidator(AnyNumberParameterEntryValidator::PREFER_DOUBLE, types));
}

}  // namespace

std::string describe_range(IntegerRange range) {
  return range.most >= std::numeric_limits<int>::max()
             ? fmt::format("a whole number from {} on", range.least)
             : fmt::format("a whole number from {} to {}", range.least, range.most);
}

std::string describe_range(NumberRange range) {
  if (range.most >= static_cast<double>(std::numeric_limits<float>::max())) {
    return fmt::format("a number from {} on", range.least);
  }
  return fmt::format("a number from {} to {}{}", range.least, range.without_most ? "below " : "", range.most);
}

void ListWriter::flag(const std::string& name, bool& value, const std::string& meaning) {
  list().set(name, value, meaning);
}

void ListWriter::integer(const std::string& name, std::int64_t& value, IntegerRange range, const std::string& meaning) {
  const std::string documentation = fmt::format("{} ({})", meaning, describe_range(range));
  const auto validator = with_validators_ ? whole_number_validator() : Teuchos::null;
  // int, as people write them, wherever it does.
  if (value >= std::numeric_limits<int>::min() && value <= std::numeric_limits<int>::max()) {
    list().set(name, static_cast<int>(value), documentation, validator);
  } else {
    list().set(name, static_cast<long long>(value), documentation, validator);
  }
}

void ListWriter::number(const std::string& name, double& value, NumberRange range, const std::string& meaning) {
  const std::string documentation = fmt::format("{} ({})", meaning, describe_range(range));
  const auto validator = with_validators_ ? number_validator() : Teuchos::null;
  if (std::isinf(value)) {  // which files cannot say as a number
    list().set(name, std::string("infinity"), documentation, validator);
  } else {
    list().set(name, value, documentation, validator);
  }
}

void ListWriter::choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
                        const std::string& meaning) {
  const std::string documentation = fmt::format("{}: {}", meaning, fmt::join(choices, ", "));
  if (with_validators_) {
    const Teuchos::Array<std::string> names(choices.begin(), choices.end());
    list().set(name, value, documentation, Teuchos::rcp(new Teuchos::StringValidator(names)));
  } else {
    list().set(name, value, documentation);
  }
}

void ListWriter::open(const std::string& name, const std::string& meaning, const std::string&) {
  open_.push_back(&list().sublist(name, false, meaning));
}

}  // namespace dromos::teuchos
