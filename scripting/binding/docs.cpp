// Rendering rows for people and for editors.
#include "scripting/binding/docs.h"

#include <fmt/format.h>

#include "core/text/near.h"
#include "scripting/binding/object_type.h"
#include "scripting/binding/signature.h"

namespace ts::scripting {
namespace {

std::string indented(std::string_view text) {
  std::string out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += fmt::format("    {}\n", text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

std::string row_help(const Binding& row) {
  return fmt::format("{}\n{}\n\n{}", row.signature, row.help, indented(row.example));
}

std::string type_help(const ObjectType& type) {
  std::string out = fmt::format("{}: {}\n\n", type.name, type.help);
  for (const Binding& row : type.bindings) out += fmt::format("  {}\n", row.signature);
  return out;
}

std::string all_help() {
  std::string out = "pto.help('recording') lists what an object has, pto.help('rec:seek') explains one thing.\n\n";
  for (const ObjectType* type : object_types()) out += fmt::format("  {:<14} {}\n", type->name, type->help);
  return out;
}

// --- editor stubs ---

std::string_view type_or_any(std::string_view type) { return type.empty() ? "any" : type; }

std::string field_stub(const Binding& row) {
  return fmt::format("---@field {} {} {}\n", row.name, type_or_any(parse_signature(row.signature).result), row.help);
}

std::string function_stub(const ObjectType& type, const Binding& row) {
  const Signature signature = parse_signature(row.signature);
  std::string out = fmt::format("---{}\n", row.help), names;
  for (const Signature::Parameter& parameter : signature.parameters) {
    out +=
        fmt::format("---@param {}{} {}\n", parameter.name, parameter.optional ? "?" : "", type_or_any(parameter.type));
    names += fmt::format("{}{}", names.empty() ? "" : ", ", parameter.name);
  }
  if (signature.any_number) {
    out += "---@param ... any\n";
    names += names.empty() ? "..." : ", ...";
  }
  if (!signature.result.empty()) out += fmt::format("---@return {}\n", signature.result);
  return out + fmt::format("function {}{}{}({}) end\n\n", type.name, signature.separator, row.name, names);
}

std::string type_stub(const ObjectType& type) {
  std::string out = fmt::format("---{}\n---@class {}\n", type.help, type.name);
  for (const Binding& row : type.bindings)
    if (row.kind == Binding::Kind::Field) out += field_stub(row);
  out += fmt::format("{}{} = {{}}\n\n", type.is_table ? "" : "local ", type.name);
  for (const Binding& row : type.bindings)
    if (row.kind != Binding::Kind::Field) out += function_stub(type, row);
  return out;
}

std::string manual_text(const ObjectType& type) {
  std::string out = fmt::format("# {}\n\n{}\n", type.name, type.help);
  for (const Binding& row : type.bindings)
    out += fmt::format("\n## `{}`\n\n{}\n\n```lua\n{}\n```\n", row.signature, row.help, row.example);
  return out;
}

// "rec:seek" as other names of it are spelled: what suggestions are made of.
std::vector<std::string_view> all_names() {
  std::vector<std::string_view> names;
  for (const ObjectType* type : object_types()) {
    names.push_back(type->name);
    for (const Binding& row : type->bindings) names.push_back(row.called());
  }
  return names;
}

std::vector<std::string_view> member_names() {
  std::vector<std::string_view> names;
  for (const ObjectType* type : object_types())
    for (const Binding& row : type->bindings) names.push_back(row.name);
  return names;
}

}  // namespace

std::optional<std::string> help_text(std::string_view name) {
  if (name.empty()) return all_help();
  const std::vector<FoundBinding> found = find_bindings(name);
  if (found.empty()) return {};
  std::string out;
  for (const FoundBinding& one : found) {
    if (!out.empty()) out += "\n";
    out += one.binding != nullptr ? row_help(*one.binding) : type_help(*one.type);
  }
  out.pop_back();  // the last line end: whoever prints adds one
  return out;
}

std::vector<std::string> similar_help(std::string_view name) {
  const bool has_owner = name.find_first_of(".:") != std::string_view::npos;
  return text::near_names(name, has_owner ? all_names() : member_names());
}

std::vector<ManualPage> manual_pages() {
  std::vector<ManualPage> pages;
  for (const ObjectType* type : object_types()) pages.push_back({type->name, manual_text(*type)});
  return pages;
}

std::string editor_stubs() {
  std::string out = "---@meta\n-- Declarations of TileScope's script surface, for the Lua language server.\n\n";
  for (const ObjectType* type : object_types()) out += type_stub(*type);
  return out;
}

}  // namespace ts::scripting
