// Recording a program on both targets.
#include "core/debug/compare/lock_step.h"

#include <fmt/format.h>

#include <algorithm>

namespace ts {
namespace {

Refusal refusal_of(Target target, const Diagnostics& diagnostics) {
  const auto is_error = [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::Error; };
  const auto first = std::ranges::find_if(diagnostics, is_error);
  if (first == diagnostics.end()) return {fmt::format("{} does not take the program", name(target)), ""};
  const auto more = std::ranges::count_if(diagnostics, is_error) - 1;
  std::string text = fmt::format("{} does not take the program: {}", name(target), first->format());
  if (more > 0) text += fmt::format(" (and {} more)", more);
  return {std::move(text), first->hint};
}

}  // namespace

std::variant<BothTargets, Refusal> record_on_both(std::shared_ptr<const text::Tree> tree, const EntryPoint& entry,
                                                  OpenRequest request, const RecordOptions& record) {
  // Both are opened before one of them is run: a refusal comes at once.
  std::vector<Program> programs;
  for (const Target target : {Target::A2A3, Target::A5}) {
    Diagnostics diagnostics;
    request.target = target;
    std::optional<Opened> opened = open_program(tree, entry, request, diagnostics);
    if (!opened) return refusal_of(target, diagnostics);
    programs.push_back(std::move(opened->program));
  }
  BothTargets both;
  both.a = Recording::run(std::move(programs[0]), record);
  both.b = Recording::run(std::move(programs[1]), record);
  return both;
}

std::variant<LockStep, Refusal> lock_step(std::shared_ptr<const text::Tree> tree, const EntryPoint& entry,
                                          OpenRequest request, const RecordOptions& record,
                                          const CompareRunsOptions& options,
                                          const std::function<bool(std::uint32_t)>& go_on) {
  auto recorded = record_on_both(std::move(tree), entry, std::move(request), record);
  if (const auto* refusal = std::get_if<Refusal>(&recorded)) return *refusal;
  LockStep made{std::get<BothTargets>(std::move(recorded)), {}};
  made.differences = compare_runs(*made.a, *made.b, options, go_on);
  return made;
}

}  // namespace ts
