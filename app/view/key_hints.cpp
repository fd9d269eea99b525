// The one way to the user's keys.
#include "app/view/key_hints.h"

#include <utility>

namespace ts::ui {
namespace {

std::function<std::string(std::string_view)>& hints() {
  static std::function<std::string(std::string_view)> made;
  return made;
}

}  // namespace

std::string key_hint(std::string_view command) { return hints() ? hints()(command) : ""; }

std::string with_key(std::string_view words, std::string_view command) {
  const std::string key = key_hint(command);
  return key.empty() ? std::string(words) : std::string(words) + " (" + key + ")";
}

void set_key_hints(std::function<std::string(std::string_view)> made) { hints() = std::move(made); }

}  // namespace ts::ui
