// Values out of JSON that somebody else may have written: another program, another version, a person, a stranger. Each is
// asked for by its kind; one of another kind is told, with the way to it, and is as if it were not there.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/data/error.h"

namespace ts::data {

// A JSON object of a text. What is nested deeper than anybody means is left out.
std::variant<nlohmann::json, Error> parse_object(std::string_view text);

// A name that one object of the text has twice, of which a reader would take either; nothing: there is none.
std::optional<std::string> repeated_name(std::string_view text);

// For files and messages: bytes that are no UTF-8 are replaced. Indent -1: one line.
std::string json_text(const nlohmann::json& value, int indent = -1);

class Fields {
 public:
  // `way` stands before the names of what is told; no `problems`: nothing is told. What is no object has no fields.
  explicit Fields(const nlohmann::json& object, std::string way = "", std::vector<std::string>* problems = nullptr);
  explicit Fields(nlohmann::json&&, std::string = "", std::vector<std::string>* = nullptr) = delete;  // it is not kept

  std::optional<bool> truth(const std::string& name) const;
  std::optional<std::string> text(const std::string& name) const;
  std::optional<double> number(const std::string& name) const;  // finite
  // Whole numbers from 0 to `most`.
  std::optional<std::uint64_t> count(const std::string& name, std::uint64_t most) const;
  std::optional<std::uint32_t> number32(const std::string& name) const;
  // Empty where there is none.
  const nlohmann::json& list(const std::string& name) const;
  const nlohmann::json& object(const std::string& name) const;
  std::vector<std::string> texts(const std::string& name) const;
  // So many, all finite.
  std::optional<std::vector<double>> numbers(const std::string& name, std::size_t size) const;
  Fields below(const std::string& name) const;

  // `name` is not what was wanted. What is null is not there, and nothing is told of it.
  void tell(const std::string& name, std::string_view wanted) const;
  const nlohmann::json& all() const { return *object_; }

 private:
  const nlohmann::json* find(const std::string& name) const;
  std::string way_to(const std::string& name) const { return way_ + name; }

  const nlohmann::json* object_;
  std::string way_;
  std::vector<std::string>* problems_;
};

}  // namespace ts::data
