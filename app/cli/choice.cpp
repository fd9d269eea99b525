// Choices in any case.
#include "app/cli/choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

namespace ts {

CLI::Option* add_choice(CLI::App& command, const char* option, std::string& value,
                        const std::vector<std::string>& choices, const char* meaning) {
  return command.add_option(option, value, meaning)
      ->transform(CLI::IsMember(choices, CLI::ignore_case))
      ->type_name("")
      ->option_text(fmt::format("{}", fmt::join(choices, "|")));
}

void spell_as(CLI::Option& option, const std::vector<std::string>& names) {
  const auto respell = [names](std::string& given) {
    for (const std::string& name : names)
      if (CLI::detail::to_lower(given) == CLI::detail::to_lower(name)) given = name;
    return std::string();
  };
  option.transform(CLI::Validator(respell, ""));
}

void in_small_letters(CLI::Option& option) {
  const auto lower = [](std::string& given) {
    given = CLI::detail::to_lower(given);
    return std::string();
  };
  option.transform(CLI::Validator(lower, ""));
}

}  // namespace ts
