// ImGui's field with a buffer that grows.
#include "app/panes/parts/text_field.h"

#include "app/draw/focus.h"

namespace ts::ui {
namespace {

struct Field {
  std::string* text;
  ImGuiInputTextCallback callback;
  void* user;
};

int on_event(ImGuiInputTextCallbackData* data) {
  auto& field = *static_cast<Field*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
    field.text->resize(static_cast<std::size_t>(data->BufTextLen));
    data->Buf = field.text->data();
    return 0;
  }
  data->UserData = field.user;
  return field.callback != nullptr ? field.callback(data) : 0;
}

}  // namespace

bool text_field(const char* id, const char* hint, std::string& text, ImGuiInputTextFlags flags,
                ImGuiInputTextCallback callback, void* user) {
  Field field{&text, callback, user};
  const bool told = ImGui::InputTextWithHint(id, hint, text.data(), text.capacity() + 1,
                                             flags | ImGuiInputTextFlags_CallbackResize, on_event, &field);
  if (told && (flags & ImGuiInputTextFlags_EnterReturnsTrue) != 0) expect_caret();
  return told;
}

}  // namespace ts::ui
