// SPDX-License-Identifier: BSD-3-Clause
// Judges JSON by a JSON Schema, as far as doc/results.schema.json goes: type, properties, required,
// additionalProperties, items, enum, const, minimum, pattern, oneOf, and $ref into $defs. A keyword that is neither
// known here nor plain description is an error, so that no rule is passed over in silence.
#pragma once

#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>

namespace dromos::test {

class JsonSchema {
 public:
  explicit JsonSchema(nlohmann::json schema) : schema_(std::move(schema)) {}

  /// The first thing that is wrong, with its place; empty: nothing.
  std::string fault(const nlohmann::json& value) const { return fault_at(schema_, value, "result"); }

 private:
  using Json = nlohmann::json;

  static bool has_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    throw std::runtime_error("the schema has an unknown type " + type);
  }

  static std::string short_text(const Json& value) {
    const std::string text = value.dump();
    return text.size() > 60 ? text.substr(0, 60) + "..." : text;
  }

  std::string fault_at(const Json& schema, const Json& value, const std::string& where) const {
    for (const auto& [keyword, rule] : schema.items()) {
      const std::string fault = fault_of(keyword, rule, schema, value, where);
      if (!fault.empty()) return fault;
    }
    return {};
  }

  std::string fault_of(const std::string& keyword, const Json& rule, const Json& schema, const Json& value,
                       const std::string& where) const {
    static const std::set<std::string> says_nothing = {"$schema", "$defs", "title", "description"};
    if (says_nothing.count(keyword) > 0) return {};
    if (keyword == "$ref") {
      return fault_at(schema_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value, where);
    }
    if (keyword == "type") {
      const Json types = rule.is_array() ? rule : Json::array({rule});
      for (const Json& type : types) {
        if (has_type(value, type)) return {};
      }
      return where + ": expected " + rule.dump() + ", found " + short_text(value);
    }
    if (keyword == "enum" || keyword == "const") {
      const Json values = keyword == "enum" ? rule : Json::array({rule});
      for (const Json& one : values) {
        if (one == value) return {};
      }
      return where + ": expected one of " + values.dump() + ", found " + short_text(value);
    }
    if (keyword == "minimum") {
      const bool below = value.is_number() && value.get<double>() < rule.get<double>();
      return below ? where + ": expected at least " + rule.dump() + ", found " + short_text(value) : "";
    }
    if (keyword == "pattern") {
      const bool differs =
          value.is_string() && !std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>()));
      return differs ? where + ": expected text like " + rule.dump() + ", found " + short_text(value) : "";
    }
    if (keyword == "required") {
      for (const Json& name : rule) {
        if (value.is_object() && !value.contains(name.get<std::string>()))
          return where + ": has no member " + name.dump();
      }
      return {};
    }
    if (keyword == "properties") {
      for (const auto& [name, member] : rule.items()) {
        if (!value.is_object() || !value.contains(name)) continue;
        const std::string fault = fault_at(member, value.at(name), where + "." + name);
        if (!fault.empty()) return fault;
      }
      return {};
    }
    if (keyword == "additionalProperties") {
      if (!value.is_object() || rule == true) return {};
      for (const auto& [name, member] : value.items()) {
        if (!schema.at("properties").contains(name))
          return where + ": has a member '" + name + "' that is not documented";
      }
      return {};
    }
    if (keyword == "items") {
      if (!value.is_array()) return {};
      for (std::size_t i = 0; i < value.size(); ++i) {
        const std::string fault = fault_at(rule, value[i], where + "[" + std::to_string(i) + "]");
        if (!fault.empty()) return fault;
      }
      return {};
    }
    if (keyword == "oneOf") {
      std::string faults;
      int num_right = 0;
      for (const Json& alternative : rule) {
        const std::string fault = fault_at(alternative, value, where);
        num_right += fault.empty();
        faults += "\n  " + fault;
      }
      if (num_right == 1) return {};
      return where + ": " + std::to_string(num_right) + " of the alternatives hold, expected one:" + faults;
    }
    throw std::runtime_error("the schema has an unknown keyword " + keyword);
  }

  Json schema_;
};

}  // namespace dromos::test
