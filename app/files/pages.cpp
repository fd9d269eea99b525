// Instructions have a file each, the other operations share files: a page stands behind a heading with all its names.
#include "app/files/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "app/files/embedded.h"
#include "app/files/files.h"
#include "core/catalogue/row.h"

namespace ts {
namespace {

// pset_b8, pset_b16 and pset_b32 share a page.
std::string_view without_mask_width(std::string_view mnemonic) {
  const text::OpCode code = text::find_op(fmt::format("pto.{}", mnemonic));
  const bool has_width = code != text::kUnknownOp && text::op_row(code).mask_bits != 0;
  return has_width ? mnemonic.substr(0, mnemonic.rfind("_b")) : mnemonic;
}

std::optional<std::string_view> file_named(std::string_view folder, const std::string& ending) {
  const auto files = embedded_files();
  const auto at = std::ranges::find_if(
      files, [&](const EmbeddedFile& file) { return file.path.starts_with(folder) && file.path.ends_with(ending); });
  return at != files.end() ? std::optional(at->text) : std::nullopt;
}

// "# scf.for, scf.yield": whether a page is of this operation.
bool is_page_of(std::string_view page, std::string_view name) {
  std::string_view names = page.substr(2, page.find('\n') - 2);
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(", "), names.size());
    if (names.substr(0, end) == name) return true;
    names.remove_prefix(std::min(end + 2, names.size()));
  }
  return false;
}

std::optional<std::string_view> page_in(std::string_view text, std::string_view name) {
  while (text.starts_with("# ")) {
    const std::size_t next = text.find("\n# ");
    const std::string_view page = text.substr(0, next == std::string_view::npos ? text.size() : next + 1);
    if (is_page_of(page, name)) return page;
    text.remove_prefix(page.size());
  }
  return std::nullopt;
}

}  // namespace

text::OpCode operation_called(std::string_view name) {
  for (const std::string_view dialect : {"", "pto.", "func."})
    if (const text::OpCode code = text::find_op(fmt::format("{}{}", dialect, name)); code != text::kUnknownOp)
      return code;
  return text::kUnknownOp;
}

std::optional<std::string_view> instruction_page(std::string_view name) {
  std::string_view bare = name;
  if (bare.starts_with("pto.")) bare.remove_prefix(4);
  if (const auto page = file_named("assets/instructions/", fmt::format("/{}.md", without_mask_width(bare))))
    return page;
  const text::OpCode code = operation_called(name);
  if (code == text::kUnknownOp) return std::nullopt;
  const text::OpRow& row = text::op_row(code);
  if (!row.current.empty()) return instruction_page(row.current);
  if (row.instruction != nullptr && row.instruction->name != bare) return instruction_page(row.instruction->name);
  for (const EmbeddedFile& file : embedded_files())
    if (file.path.starts_with("assets/operations/"))
      if (const auto page = page_in(file.text, row.name)) return page;
  return std::nullopt;
}

std::string_view language_guide() { return file_named("assets/manual/", "/language.md").value_or(""); }

}  // namespace ts
