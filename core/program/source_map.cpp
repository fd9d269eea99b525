// Each location is looked into once, however many operations share it.
#include "core/program/source_map.h"

#include <unordered_map>

#include "core/text/tree.h"

namespace ts {
namespace {

bool is_loop(const text::Op& op) {
  const text::OpKind kind = text::kind_of(op.code);
  return kind == text::OpKind::For || kind == text::OpKind::While;
}

}  // namespace

SourceMap::SourceMap(const Program& program) : origins_(1), of_instructions_(program.instructions.size(), kUnknown) {
  if (program.tree == nullptr || program.tree->locations.written.empty()) return;
  const text::Tree& tree = *program.tree;
  std::unordered_map<text::LocationId, std::uint32_t> known;
  const auto origin = [&](const text::Op& op) {
    if (op.location == text::kNoId) return kUnknown;
    const text::LocationId what = tree.locations.written[op.location].what;
    const auto [at, is_new] = known.try_emplace(what, kUnknown);
    if (is_new) at->second = number_of(text::origin_of(tree.locations, *tree.source, what));
    return at->second;
  };
  for (std::size_t i = 0; i < program.instructions.size(); ++i)
    if (const text::OpId op = program.instructions[i].op; op != text::kNoId) of_instructions_[i] = origin(tree.ops[op]);
  for (const text::Op& op : tree.ops) {
    if (!is_loop(op) || op.location == text::kNoId) continue;
    const SourcePos pos = tree.source->position(op.range.begin);
    of_loops_[{pos.line, pos.column}] = origin(op);
  }
  shorten_names();
}

void SourceMap::shorten_names() {
  std::map<std::string_view, std::uint32_t> count;
  const auto last_part = [](std::string_view file) { return file.substr(file.rfind('/') + 1); };
  for (const std::string& file : files_) ++count[last_part(file)];
  for (const std::string& file : files_)
    short_names_.emplace_back(count[last_part(file)] == 1 ? last_part(file) : std::string_view(file));
}

std::string SourceMap::told(SourceLine line) const { return short_names_[line.file] + ":" + std::to_string(line.line); }

std::string SourceMap::told_of(std::uint32_t instruction) const {
  const auto line = line_of(instruction);
  return line ? told(*line) : "";
}

// A line that nobody knows is no place to stand on; the column says nothing that a step could stop at.
std::uint32_t SourceMap::number_of(const text::SourceOrigin& origin) {
  std::vector<SourceLine> lines;
  for (const text::SourcePlace& place : origin.places)
    if (place.line != 0) lines.push_back({file_number(place.file), place.line});
  if (lines.empty()) return kUnknown;
  const auto [at, is_new] = origin_numbers_.try_emplace(std::move(lines), static_cast<std::uint32_t>(origins_.size()));
  if (is_new) origins_.push_back(at->first);
  return at->second;
}

std::uint32_t SourceMap::file_number(const std::string& name) {
  const auto [at, is_new] = file_numbers_.try_emplace(name, static_cast<std::uint32_t>(files_.size()));
  if (is_new) files_.push_back(name);
  return at->second;
}

std::uint32_t SourceMap::origin_of_loop(SourcePos pos) const {
  const auto found = of_loops_.find({pos.line, pos.column});
  return found == of_loops_.end() ? kUnknown : found->second;
}

std::optional<SourceLine> SourceMap::line_of(std::uint32_t instruction) const {
  const std::vector<SourceLine>& all = lines(origin_of(instruction));
  return all.empty() ? std::nullopt : std::optional(all.front());
}

std::optional<std::uint32_t> SourceMap::find_file(std::string_view name) const {
  if (const auto whole = file_numbers_.find(name); whole != file_numbers_.end()) return whole->second;
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < files_.size(); ++i) {
    const std::string_view file = files_[i];
    if (name.empty() || !file.ends_with(name) || file[file.size() - name.size() - 1] != '/') continue;
    if (found) return {};
    found = i;
  }
  return found;
}

}  // namespace ts
