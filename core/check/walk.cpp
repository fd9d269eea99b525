// Going through a recording with all examinations at once, and putting their findings beside those of the run.
#include "core/check/walk.h"

#include <algorithm>

#include "core/program/pointing.h"

namespace ts {
namespace {

Severity severity_of(Level level) {
  return level == Level::Error ? Severity::Error : level == Level::Warn ? Severity::Warning : Severity::Note;
}

// What the run found, as the options want it.
std::vector<Finding> found_by_run(const Recording& recording, const CheckOptions& options) {
  std::vector<Finding> out;
  for (const Finding& finding : recording.findings()) {
    const Level level = options.of(finding.kind());
    const bool ended_run = finding.diagnostic.severity == Severity::Error;
    if (level == Level::Off && !ended_run) continue;
    out.push_back(finding);
    if (level != Level::Own && !ended_run) out.back().diagnostic.severity = severity_of(level);
  }
  return out;
}

using Examiners = std::vector<std::unique_ptr<Examiner>>;

Examiners examiners_of(const Recording& recording, const CheckOptions& options) {
  Examiners out;
  for (auto* make : {examine_flow, examine_sharing, examine_sync, examine_cores, examine_caches, examine_region_order,
                     examine_specials, examine_precision, examine_clip, examine_device, examine_waits, examine_rows,
                     examine_columns, examine_terms})
    if (auto examiner = make(recording, options)) out.push_back(std::move(examiner));
  return out;
}

// The steps one by one. False: `go_on` said no.
bool look_at_steps(const Recording& recording, const Examiners& examiners, FindingSink& sink,
                   const std::function<bool(std::uint32_t)>& go_on) {
  constexpr std::uint32_t kAskEvery = 16;
  Inspector inspector(recording);
  for (std::uint32_t step = 0; step < recording.count(); ++step) {
    if (go_on && step % kAskEvery == 0 && !go_on(step)) return false;
    CheckedStep checked(recording, inspector, step);
    for (const auto& examiner : examiners) examiner->look(checked, sink);
  }
  for (const auto& examiner : examiners) examiner->end(sink);
  return true;
}

}  // namespace

std::tuple<FindingKind, std::uint32_t, std::uint32_t> FindingSink::place_of(FindingKind kind,
                                                                            std::uint32_t step) const {
  const SourcePos& pos = recording_.bound(step).pos;
  return {kind, pos.line, pos.column};
}

bool FindingSink::takes(FindingKind kind, std::uint32_t step) const {
  if (!wants(kind)) return false;
  const auto told = told_.find(place_of(kind, step));
  return told == told_.end() || told->second < Recording::kMostFindingsAPlace;
}

Diagnostic* FindingSink::add(FindingKind kind, std::uint32_t step, std::string text, std::string hint,
                             std::optional<FoundElement> element, std::vector<DiagnosticNote> notes) {
  if (!takes(kind, step)) return nullptr;
  ++told_[place_of(kind, step)];
  const Bound& bound = recording_.bound(step);
  Finding finding{.step = step, .element = element};
  Diagnostic& told = finding.diagnostic;
  told.rule = check_row(kind).rule;
  told.severity = severity_of(options_.of(kind));
  told.pos = bound.pos;
  if (element && element->operand >= 0)
    told.operand = bound.operands[static_cast<std::size_t>(element->operand)].spec->name;
  told.text = std::move(text);
  told.hint = std::move(hint);
  told.notes = std::move(notes);
  told.kind = kind;
  point_at_operand(recording_.program(), recording_.step(step).instruction, told);
  findings_.push_back(std::move(finding));
  return &findings_.back().diagnostic;
}

void tell_as(Diagnostic* told, const CheckOptions& options, FindingKind kind, const char* rule, Severity severity) {
  if (told == nullptr) return;
  told->rule = rule;
  if (options.of(kind) == Level::Own) told->severity = severity;
}

CheckReport check(const Recording& recording, const CheckOptions& options,
                  const std::function<bool(std::uint32_t)>& go_on) {
  CheckReport report;
  FindingSink sink(recording, options);
  report.complete = look_at_steps(recording, examiners_of(recording, options), sink, go_on);
  report.findings = found_by_run(recording, options);
  for (Finding& finding : sink.take()) report.findings.push_back(std::move(finding));
  std::ranges::stable_sort(report.findings, {}, &Finding::step);
  return report;
}

}  // namespace ts
