// Asking JSON for values of a kind.
#include "core/data/fields.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>

namespace ts::data {
namespace {

using nlohmann::json;

constexpr int kDeepest = 64;
constexpr std::size_t kMostProblems = 20, kLongestValue = 40;

const json kNoObject = json::object(), kNoList = json::array();

}  // namespace

std::variant<json, Error> parse_object(std::string_view text) {
  bool too_deep = false;
  const auto keeps = [&](int depth, json::parse_event_t, json&) {
    too_deep = too_deep || depth > kDeepest;
    return depth <= kDeepest;
  };
  json read = json::parse(text, keeps, false);
  if (too_deep) return Error{fmt::format("it is nested deeper than {} levels", kDeepest), {}};
  if (read.is_discarded()) return Error{"it is no JSON", {}};
  if (!read.is_object()) return Error{"it is no JSON object", {}};
  return read;
}

std::optional<std::string> repeated_name(std::string_view text) {
  std::vector<std::set<std::string>> open;
  std::optional<std::string> repeated;
  const auto look = [&](int, json::parse_event_t event, json& value) {
    if (event == json::parse_event_t::object_start) open.emplace_back();
    if (event == json::parse_event_t::object_end && !open.empty()) open.pop_back();
    if (event == json::parse_event_t::key && !open.empty() && !repeated &&
        !open.back().insert(value.get<std::string>()).second)
      repeated = value.get<std::string>();
    return true;
  };
  const json read = json::parse(text, look, false);
  return read.is_discarded() ? std::nullopt : repeated;
}

std::string json_text(const json& value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

Fields::Fields(const json& object, std::string way, std::vector<std::string>* problems)
    : object_(object.is_object() ? &object : &kNoObject), way_(std::move(way)), problems_(problems) {}

const json* Fields::find(const std::string& name) const {
  const auto found = object_->find(name);
  return found == object_->end() || found->is_null() ? nullptr : &*found;
}

void Fields::tell(const std::string& name, std::string_view wanted) const {
  const json* found = find(name);
  if (found == nullptr || problems_ == nullptr || problems_->size() >= kMostProblems) return;
  std::string is = json_text(*found);
  if (is.size() > kLongestValue) is = std::string("a ") + found->type_name();
  problems_->push_back(fmt::format("{}: wanted {}, it is {}", way_to(name), wanted, is));
}

std::optional<bool> Fields::truth(const std::string& name) const {
  const json* found = find(name);
  if (found != nullptr && found->is_boolean()) return found->get<bool>();
  if (found != nullptr) tell(name, "true or false");
  return {};
}

std::optional<std::string> Fields::text(const std::string& name) const {
  const json* found = find(name);
  if (found != nullptr && found->is_string()) return found->get<std::string>();
  if (found != nullptr) tell(name, "a text");
  return {};
}

std::optional<double> Fields::number(const std::string& name) const {
  const json* found = find(name);
  if (found != nullptr && found->is_number() && std::isfinite(found->get<double>())) return found->get<double>();
  if (found != nullptr) tell(name, "a number");
  return {};
}

std::optional<std::uint64_t> Fields::count(const std::string& name, std::uint64_t most) const {
  const json* found = find(name);
  if (found != nullptr && found->is_number_unsigned() && found->get<std::uint64_t>() <= most)
    return found->get<std::uint64_t>();
  if (found != nullptr) tell(name, fmt::format("a whole number up to {}", most));
  return {};
}

std::optional<std::uint32_t> Fields::number32(const std::string& name) const {
  const auto found = count(name, std::numeric_limits<std::uint32_t>::max());
  return found ? std::optional(static_cast<std::uint32_t>(*found)) : std::nullopt;
}

const json& Fields::list(const std::string& name) const {
  const json* found = find(name);
  if (found != nullptr && found->is_array()) return *found;
  if (found != nullptr) tell(name, "a list");
  return kNoList;
}

const json& Fields::object(const std::string& name) const {
  const json* found = find(name);
  if (found != nullptr && found->is_object()) return *found;
  if (found != nullptr) tell(name, "an object with names and values");
  return kNoObject;
}

std::vector<std::string> Fields::texts(const std::string& name) const {
  std::vector<std::string> texts;
  bool all = true;
  for (const json& one : list(name)) {
    if (one.is_string()) texts.push_back(one.get<std::string>());
    all = all && one.is_string();
  }
  if (!all) tell(name, "texts");
  return texts;
}

std::optional<std::vector<double>> Fields::numbers(const std::string& name, std::size_t size) const {
  std::vector<double> numbers;
  for (const json& one : list(name))
    if (one.is_number() && std::isfinite(one.get<double>())) numbers.push_back(one.get<double>());
  if (numbers.size() == size && list(name).size() == size) return numbers;
  if (!list(name).empty()) tell(name, fmt::format("{} numbers", size));
  return {};
}

Fields Fields::below(const std::string& name) const { return Fields(object(name), way_to(name) + ".", problems_); }

}  // namespace ts::data
