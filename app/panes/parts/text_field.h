// A line to type into, kept in a std::string.
#pragma once

#include <imgui.h>

#include <string>

namespace ts::ui {

// True while it changes; with ImGuiInputTextFlags_EnterReturnsTrue when Enter was pressed.
bool text_field(const char* id, const char* hint, std::string& text, ImGuiInputTextFlags flags = 0,
                ImGuiInputTextCallback callback = nullptr, void* user = nullptr);

}  // namespace ts::ui
