// SPDX-License-Identifier: BSD-3-Clause
// Puts what is described into a parameter list, with documentation and, if wanted, validators.
#pragma once

#include <Teuchos_ParameterList.hpp>

#include "option_visitor.hpp"

namespace dromos::teuchos {

class ListWriter : public OptionVisitor {
 public:
  ListWriter(Teuchos::ParameterList& list, bool with_validators) : with_validators_(with_validators) {
    open_.push_back(&list);
  }

  void flag(const std::string& name, bool& value, const std::string& meaning) override;
  void integer(const std::string& name, std::int64_t& value, IntegerRange range, const std::string& meaning) override;
  void number(const std::string& name, double& value, NumberRange range, const std::string& meaning) override;
  void choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
              const std::string& meaning) override;
  void open(const std::string& name, const std::string& meaning, const std::string& short_form) override;
  void close() override { open_.pop_back(); }

 private:
  Teuchos::ParameterList& list() { return *open_.back(); }

  bool with_validators_;
  std::vector<Teuchos::ParameterList*> open_;
};

/// "a whole number from 0 to 47", "a number from 0 on", "a number from 0 to below 1".
std::string describe_range(IntegerRange range);
std::string describe_range(NumberRange range);

}  // namespace dromos::teuchos
