// Help, manual and editor stubs, rendered from the rows of bindings.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ts::scripting {

// What pto.help(name) shows; nothing where nothing is called so. An empty name: the list of all objects.
std::optional<std::string> help_text(std::string_view name);
// Names near to one that help_text does not know.
std::vector<std::string> similar_help(std::string_view name);

// A page of the manual for each object, in Markdown.
struct ManualPage {
  std::string name, text;
};
std::vector<ManualPage> manual_pages();

// A file of declarations for the language server of Lua (LuaLS).
std::string editor_stubs();

}  // namespace ts::scripting
