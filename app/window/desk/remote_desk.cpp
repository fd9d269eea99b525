// Answers as JSON.
#include "app/window/desk/remote_desk.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace ts::ui {
namespace {

std::string json_text_of(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string fields_of(const ScriptWindow::Answered& made) {
  std::string text =
      made.ok ? "\"ok\":true,\"values\":" + made.values : "\"ok\":false,\"error\":" + json_text_of(made.error);
  if (!made.printed.empty()) text += ",\"printed\":" + json_text_of(made.printed);
  return text + fmt::format(",\"position\":{},\"count\":{}", made.position, made.count);
}

}  // namespace

bool RemoteDesk::take_in() {
  const std::vector<remote::Request> requests = listener_.take();
  for (const remote::Request& request : requests)
    desk_.scripts().ask(request.lua, [&listener = listener_, request](const ScriptWindow::Answered& made) {
      listener.answer(request, fields_of(made));
    });
  return !requests.empty();
}

}  // namespace ts::ui
