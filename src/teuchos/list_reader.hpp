// SPDX-License-Identifier: BSD-3-Clause
// Takes what is described from a parameter list, and refuses what is not described, has the wrong type or is out of
// range.
#pragma once

#include <Teuchos_ParameterList.hpp>
#include <memory>

#include "option_visitor.hpp"

namespace dromos::teuchos {

class ListReader : public OptionVisitor {
 public:
  /// \param list  outlives the reader
  explicit ListReader(const Teuchos::ParameterList& list);

  void flag(const std::string& name, bool& value, const std::string& meaning) override;
  void integer(const std::string& name, std::int64_t& value, IntegerRange range, const std::string& meaning) override;
  void number(const std::string& name, double& value, NumberRange range, const std::string& meaning) override;
  void choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
              const std::string& meaning) override;
  void open(const std::string& name, const std::string& meaning, const std::string& short_form) override;
  /// Throws ArgumentError where the list has parameters that nobody asked for. Once more for the list as a whole.
  void close() override;

 private:
  struct Level {
    std::string path;                              ///< for messages
    const Teuchos::ParameterList* list = nullptr;  ///< null: the file does not have this sublist
    std::vector<std::string> known;                ///< what was asked for
    std::unique_ptr<Teuchos::ParameterList> made;  ///< of a short form
  };

  /// The entry of that name, or null.
  const Teuchos::ParameterEntry* find(const std::string& name);
  [[noreturn]] void refuse(const std::string& name, const Teuchos::ParameterEntry& entry, const std::string& expected);

  std::vector<Level> levels_;
};

/// "2.5 (a number)", "'x' (a string)", "a sublist".
std::string describe_value(const Teuchos::ParameterEntry& entry);

}  // namespace dromos::teuchos
