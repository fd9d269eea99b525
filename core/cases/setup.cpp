// The table of settings, and the ways in and out of it.
#include "core/cases/setup.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/cases/array_type.h"
#include "core/text/count.h"

namespace ts::cases {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMostCount = ~std::uint64_t{0}, kMostBudgetMiB = std::uint64_t{1} << 28;

constexpr SetupRow kSetupRows[] = {
    {"entry", "--entry", "entry", "the first", "", 0, 0, &Setup::entry},
    {"target", "--target", "target", "as the module says", "a5|a2a3", 0, 0, &Setup::target},
    {"blocks", "--blocks", "blocks", "1", "", 1, 65535, &Setup::blocks},
    {"seed", "--seed", "seed", "1", "", 0, kMostCount, &Setup::seed},
    {"order", "--order", "order of cores", "usual", "", 0, 0, &Setup::order},
    {"comm", "--comm", "signals", "alone", "alone|strict", 0, 0, &Setup::comm},
    {"private_slots", "--private-slots", "private slots", "off", "off|on", 0, 0, &Setup::private_slots},
    {"max_steps", "--max-steps", "most steps", "10000000", "", 1, kMostCount, &Setup::max_steps},
    {"budget", "--budget", "budget in MiB", "a quarter of memory", "", 0, kMostBudgetMiB, &Setup::budget},
    {"std", "--std", "C++ standard", "c++20", "", 0, 0, &Setup::standard, true},
    {"include", "-I", "headers in", "its own folder; FOLDER:FOLDER", "", 0, 0, &Setup::include, true},
    {"defines", "-D", "macros", "none; NAME=VALUE NAME=VALUE", "", 0, 0, &Setup::defines, true},
};

constexpr SetupPairs kSetupPairs[] = {
    {"options", "--option", "options", &Setup::options},       {"arrays", "--in", "arrays", &Setup::arrays},
    {"raw", "--raw", "what raw bytes hold", &Setup::raw},      {"made", "--make", "made up", &Setup::made},
    {"numbers", "--set", "numbers", &Setup::numbers},          {"sizes", "--size", "sizes", &Setup::sizes},
    {"args", "--arg", "what pointers point to", &Setup::args},
};

constexpr char kBetweenFolders = ':', kBetweenMacros = ' ';

bool is_number(const SetupRow& row) { return row.most != 0; }

// "NAME" or "NAME=VALUE".
bool is_macro(std::string_view text) {
  const auto is_letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::string_view name = text.substr(0, text.find('='));
  return !name.empty() && !is_digit(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || is_digit(c); });
}

std::vector<std::string> parts_of(std::string_view text, char separator) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(separator));
    if (!part.empty()) out.emplace_back(part);
    text.remove_prefix(std::min(part.size() + 1, text.size()));
  }
  return out;
}

std::string joined(const std::vector<std::string>& parts, char separator) {
  return fmt::format("{}", fmt::join(parts, std::string_view(&separator, 1)));
}

std::uint64_t number_of(const std::string& text, std::uint64_t otherwise) {
  std::uint64_t number = otherwise;
  return text.empty() || !text::parse_count(text, number) ? otherwise : number;
}

// A stranger's file may have any number of them, of any length.
constexpr std::size_t kMostTold = 20, kLongestName = 60;

std::string short_name(const std::string& name) {
  return name.size() <= kLongestName ? name : name.substr(0, kLongestName) + "...";
}

std::string plain_name(std::string name) {
  if (name.starts_with('%')) name.erase(0, 1);
  return name;
}

// A whole number of JSON as a text, or the text that it is; nothing: it is neither.
std::optional<std::string> text_or_number(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return value.dump();
  return {};
}

std::string where(const char* key, const std::string& name) { return fmt::format("{}.{}", key, short_name(name)); }

class Reader {
 public:
  Reader(const data::Fields& saved, std::vector<std::string>& problems, std::vector<std::string>& notes)
      : saved_(saved), problems_(problems), notes_(notes) {}

  Setup read() {
    for (const auto& [key, value] : saved_.all().items()) known(key, value);
    return std::move(out_);
  }

 private:
  void known(const std::string& key, const json& value) {
    if (value.is_null()) return;
    for (const SetupRow& row : kSetupRows)
      if (key == row.key) return single(row, value);
    for (const SetupPairs& pairs : kSetupPairs)
      if (key == pairs.key) return several(pairs, value);
    if (notes_.size() < kMostTold)
      notes_.push_back(fmt::format("{} is nothing that a setup has; it was passed over", short_name(key)));
  }

  void single(const SetupRow& row, const json& value) {
    std::string text;
    if (value.is_boolean() && std::string_view(row.values) == "off|on") text = value.get<bool>() ? "on" : "off";
    else if (const auto said = text_or_number(value)) text = *said;
    const std::string wrong = text.empty() && !value.is_string() ? "a text or a number" : wrong_value(row, text);
    if (wrong.empty()) out_.*row.field = text;
    else tell(row.key, wrong, value);
  }

  void several(const SetupPairs& pairs, const json& value) {
    if (!value.is_object()) return tell(pairs.key, "an object by names", value);
    for (const auto& [given, one] : value.items()) {
      const std::string name = plain_name(given);
      const auto text = text_or_number(one);
      const std::string wrong = text ? wrong_value(pairs, name, *text) : "a text or a number";
      auto& all = out_.*pairs.field;
      if (!wrong.empty()) tell(where(pairs.key, given), wrong, one);
      else if (!all.emplace(name, *text).second)
        tell_text(fmt::format("{}: {} is named twice, with and without %", pairs.key, short_name(name)));
    }
  }

  void tell(const std::string& way, const std::string& wanted, const json& value) {
    std::string is = data::json_text(value);
    constexpr std::size_t kLongest = 60;
    if (is.size() > kLongest) is = std::string("a long ") + value.type_name();
    tell_text(fmt::format("{}: wanted {}, it is {}", way, wanted, is));
  }

  void tell_text(std::string text) {
    if (problems_.size() < kMostTold) problems_.push_back(std::move(text));
  }

  const data::Fields& saved_;
  std::vector<std::string>&problems_, &notes_;
  Setup out_;
};

}  // namespace

std::span<const SetupRow> setup_rows() { return kSetupRows; }
std::span<const SetupPairs> setup_pairs() { return kSetupPairs; }

std::string wrong_value(const SetupRow& row, std::string_view value) {
  if (value.empty()) return "";
  if (*row.values != 0) return value_number(row.values, value) ? "" : row.values;
  if (row.field == &Setup::order) return find_order(value) ? "" : "usual, reverse, or seed:N with a number";
  if (row.field == &Setup::defines)
    return std::ranges::all_of(parts_of(value, kBetweenMacros), is_macro) ? "" : "NAME=VALUE, with a space between two";
  if (!is_number(row)) return value.size() <= 200 ? "" : "at most 200 letters";
  std::uint64_t number = 0;
  if (text::parse_count(value, number) && number >= row.least && number <= row.most) return "";
  return row.most == kMostCount ? fmt::format("a whole number from {}", row.least)
                                : fmt::format("a whole number from {} to {}", row.least, row.most);
}

std::string wrong_value(const SetupPairs& pairs, std::string_view name, std::string_view value) {
  if (name.empty() || value.empty()) return "a name and a value";
  if (value.find('\0') != std::string_view::npos || value.size() > 4096)
    return "a text without zero bytes, of 4096 at most";
  if (pairs.field == &Setup::options) {
    Options options;
    const auto row =
        std::find_if(kOptions, kOptions + kOptionCount, [&](const OptionRow& one) { return one.name == name; });
    if (row == kOptions + kOptionCount) return "an option of this program; `tilescope options` lists them";
    return set_option(options, name, value) ? "" : row->values;
  }
  std::uint64_t bytes = 0;
  if (pairs.field == &Setup::sizes) return text::parse_count(value, bytes) ? "" : "a number of bytes";
  if (pairs.field == &Setup::raw) return parse_array_type(value) ? "" : kArrayTypeForm;
  if (pairs.field == &Setup::made) return data::find_made_up(value) ? "" : data::made_up_words();
  if (pairs.field == &Setup::args) return parse_buffer_type(value) ? "" : kBufferTypeForm;
  return "";
}

std::vector<data::Error> problems_of(const Setup& setup) {
  std::vector<data::Error> problems;
  for (const SetupRow& row : kSetupRows)
    if (const std::string wanted = wrong_value(row, setup.*row.field); !wanted.empty())
      problems.push_back({fmt::format("{}: wanted {}, it is {}", row.key, wanted, setup.*row.field), ""});
  for (const SetupPairs& pairs : kSetupPairs)
    for (const auto& [name, value] : setup.*pairs.field)
      if (const std::string wanted = wrong_value(pairs, name, value); !wanted.empty())
        problems.push_back({fmt::format("{}: wanted {}, it is {}", where(pairs.key, name), wanted, value), ""});
  for (const auto& [name, path] : setup.arrays) {
    if (setup.made.contains(name))
      problems.push_back({fmt::format("{} is the array {} and is made of {} as well", name, path, setup.made.at(name)),
                          "say only one of them"});
    if (setup.numbers.contains(name))
      problems.push_back({fmt::format("{} is the array {} and the number {}", name, path, setup.numbers.at(name)),
                          "say only one of them"});
  }
  for (const auto& [name, kind] : setup.made)
    if (setup.numbers.contains(name))
      problems.push_back({fmt::format("{} is made of {} and is the number {}", name, kind, setup.numbers.at(name)),
                          "say only one of them"});
  for (const auto& [name, type] : setup.raw)
    if (!setup.arrays.contains(name))
      problems.push_back({fmt::format("raw.{} says what bytes hold, and there is no file for {}", name, name),
                          fmt::format("arrays has the files, by input")});
  return problems;
}

std::vector<std::string> include_folders(const Setup& setup) { return parts_of(setup.include, kBetweenFolders); }
void set_include_folders(const std::vector<std::string>& folders, Setup& setup) {
  setup.include = joined(folders, kBetweenFolders);
}
std::vector<std::string> macros(const Setup& setup) { return parts_of(setup.defines, kBetweenMacros); }
void set_macros(const std::vector<std::string>& macros, Setup& setup) {
  setup.defines = joined(macros, kBetweenMacros);
}

std::vector<std::string> words_of(const Setup& setup) {
  std::vector<std::string> words;
  for (const SetupRow& row : kSetupRows) {
    const std::string& value = setup.*row.field;
    if (value.empty()) continue;
    if (row.field == &Setup::private_slots) {
      if (value == "on") words.emplace_back(row.option);
      continue;
    }
    if (row.field == &Setup::include || row.field == &Setup::defines) {
      for (std::string& part : row.field == &Setup::include ? include_folders(setup) : macros(setup))
        words.insert(words.end(), {row.option, std::move(part)});
      continue;
    }
    words.emplace_back(row.option);
    words.push_back(value);
  }
  for (const SetupPairs& pairs : kSetupPairs)
    for (const auto& [name, value] : setup.*pairs.field) {
      words.emplace_back(pairs.option);
      words.push_back(fmt::format("{}={}", name, value));
    }
  return words;
}

std::string short_text(const Setup& setup) {
  std::string text;
  for (const SetupRow& row : kSetupRows)
    if (!(setup.*row.field).empty())
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", row.key, setup.*row.field);
  for (const SetupPairs& pairs : kSetupPairs)
    for (const auto& [name, value] : setup.*pairs.field)
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  return text;
}

json to_json(const Setup& setup) {
  json out = json::object();
  for (const SetupRow& row : kSetupRows) {
    const std::string& value = setup.*row.field;
    if (value.empty()) continue;
    if (is_number(row)) out[row.key] = number_of(value, 0);
    else if (row.field == &Setup::private_slots) out[row.key] = value == "on";
    else out[row.key] = value;
  }
  for (const SetupPairs& pairs : kSetupPairs)
    for (const auto& [name, value] : setup.*pairs.field) {
      if (pairs.field == &Setup::sizes) out[pairs.key][name] = number_of(value, 0);
      else out[pairs.key][name] = value;
    }
  return out;
}

Setup setup_from(const data::Fields& saved, std::vector<std::string>& problems, std::vector<std::string>& notes) {
  Setup read = Reader(saved, problems, notes).read();
  if (problems.empty())
    for (data::Error& error : problems_of(read))
      if (problems.size() < kMostTold) problems.push_back(std::move(error.text));
  return read;
}

Setup setup_of(const OpenRequest& open) {
  Setup out;
  const InputValues& inputs = open.inputs;
  const WalkLimits usual;
  const Options options;
  if (open.target) out.target = name(*open.target);
  if (open.blocks != 1) out.blocks = std::to_string(open.blocks);
  if (open.private_slots) out.private_slots = "on";
  if (!(open.limits.order == usual.order)) out.order = name(open.limits.order);
  if (open.limits.strict_signals) out.comm = "strict";
  if (open.limits.most_steps != usual.most_steps) out.max_steps = std::to_string(open.limits.most_steps);
  if (inputs.seed != 1) out.seed = std::to_string(inputs.seed);
  for (int i = 0; i < kOptionCount; ++i) {
    const OptionRow& row = kOptions[i];
    if (open.options.*row.value != options.*row.value)
      out.options[row.name] = value_name(row.values, open.options.*row.value);
  }
  out.numbers = inputs.numbers;
  for (const auto& [input, bytes] : inputs.size_bytes) out.sizes[input] = std::to_string(bytes);
  for (const auto& [input, kind] : inputs.made) out.made[input] = data::name(kind);
  for (const auto& [input, type] : inputs.element_types) {
    const auto bytes = inputs.size_bytes.find(input);
    if (bytes == inputs.size_bytes.end()) continue;
    out.sizes.erase(input);
    out.args[input] = fmt::format("{}[{}]", name(type), elements_in(type, bytes->second));
  }
  return out;
}

void put_into(const Setup& setup, OpenRequest& open) {
  open.target.reset();
  for (const Target target : kBothTargets)
    if (setup.target == name(target)) open.target = target;
  open.blocks = static_cast<std::uint32_t>(number_of(setup.blocks, 1));
  open.private_slots = setup.private_slots == "on";
  open.limits.order = find_order(setup.order).value_or(RunOrder{});
  open.limits.strict_signals = setup.comm == "strict";
  open.limits.most_steps = number_of(setup.max_steps, WalkLimits{}.most_steps);
  open.limits.most_code = most_code_for(open.limits.most_steps);
  open.options = {};
  for (const auto& [option, value] : setup.options) set_option(open.options, option, value);
  open.inputs.seed = number_of(setup.seed, 1);
  open.inputs.numbers = setup.numbers;
  open.inputs.size_bytes.clear();
  for (const auto& [input, bytes] : setup.sizes) open.inputs.size_bytes[input] = number_of(bytes, 0);
  open.inputs.element_types.clear();
  for (const auto& [input, said] : setup.args)
    if (const auto type = parse_buffer_type(said)) put_buffer(input, *type, open.inputs);
  open.inputs.made.clear();
  for (const auto& [input, word] : setup.made)
    if (const auto kind = data::find_made_up(word)) open.inputs.made[input] = *kind;
}

std::uint64_t budget_bytes(const Setup& setup) { return number_of(setup.budget, 0) << 20; }

std::uint64_t most_code_for(std::uint64_t most_steps) {
  constexpr std::uint64_t kCodeAStep = 200, kLeastCode = 1'000'000, kMostCode = 100'000'000;
  return std::clamp(std::min(most_steps, kMostCode) * kCodeAStep, kLeastCode, kMostCode);
}

}  // namespace ts::cases
