// SPDX-License-Identifier: BSD-3-Clause
// One description of each options struct serves both ways, and the list of what is valid: describe(visitor, options)
// names every field to a visitor, which puts it into a list or takes it from there.
//
//   void describe(OptionVisitor& visit, KcoreOptions& options) {
//     visit_strategy(visit, "strategy", options.strategy, "How edges are dealt out to threads");
//   }
#pragma once

#include <cstdint>
#include <dromos/core/error.hpp>
#include <dromos/traverse/strategy.hpp>
#include <limits>
#include <string>
#include <vector>

namespace dromos::teuchos {

struct IntegerRange {
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
};

struct NumberRange {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
  bool without_most = false;  ///< below `most`, not equal
};

class OptionVisitor {
 public:
  virtual ~OptionVisitor() = default;
  virtual void flag(const std::string& name, bool& value, const std::string& meaning) = 0;
  virtual void integer(const std::string& name, std::int64_t& value, IntegerRange range,
                       const std::string& meaning) = 0;
  virtual void number(const std::string& name, double& value, NumberRange range, const std::string& meaning) = 0;
  virtual void choice(const std::string& name, std::string& value, const std::vector<std::string>& choices,
                      const std::string& meaning) = 0;
  /// What follows until close() is in a sublist. `short_form`: in files, a string in its place stands for a sublist
  /// with that one parameter; empty: no such form.
  virtual void open(const std::string& name, const std::string& meaning, const std::string& short_form = "") = 0;
  virtual void close() = 0;
};

template <class Integer>
void visit_integer(OptionVisitor& visit, const std::string& name, Integer& value, IntegerRange range,
                   const std::string& meaning) {
  if (range.most > static_cast<std::int64_t>(std::numeric_limits<int>::max()) && sizeof(Integer) == sizeof(int)) {
    range.most = std::numeric_limits<int>::max();
  }
  std::int64_t wide = static_cast<std::int64_t>(value);
  visit.integer(name, wide, range, meaning);
  value = static_cast<Integer>(wide);
}

inline void visit_float(OptionVisitor& visit, const std::string& name, float& value, NumberRange range,
                        const std::string& meaning) {
  if (range.most > static_cast<double>(std::numeric_limits<float>::max()))
    range.most = std::numeric_limits<float>::max();
  double wide = static_cast<double>(value);
  visit.number(name, wide, range, meaning);
  value = static_cast<float>(wide);
}

/// A value with a name, such as an enumerator.
template <class Value, class NameOf>
void visit_choice(OptionVisitor& visit, const std::string& name, Value& value, const std::vector<Value>& values,
                  const NameOf& name_of, const std::string& meaning) {
  std::vector<std::string> names;
  for (const Value& each : values) names.emplace_back(name_of(each));
  std::string chosen = name_of(value);
  visit.choice(name, chosen, names, meaning);
  if (chosen == name_of(value)) return;
  for (const Value& each : values) {
    if (chosen == name_of(each)) value = each;
  }
}

/// A struct with a describe() of its own, as a sublist.
template <class Options>
void visit_sublist(OptionVisitor& visit, const std::string& name, Options& options, const std::string& meaning) {
  visit.open(name, meaning);
  describe(visit, options);
  visit.close();
}

/// The strategy and its tuning, as a sublist. Throws ArgumentError for tuning that the strategy does not have.
void visit_strategy(OptionVisitor& visit, const std::string& name, Strategy& strategy, const std::string& meaning);

}  // namespace dromos::teuchos
