// How checks see a recording: step by step, in order, each with what it needs of the step.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/check/check.h"
#include "core/record/inspector.h"

namespace ts {

// A step under examination.
class CheckedStep {
 public:
  CheckedStep(const Recording& recording, Inspector& inspector, std::uint32_t step)
      : recording_(recording), inspector_(inspector), step_(step) {}

  const Recording& recording() const { return recording_; }
  std::uint32_t number() const { return step_; }
  const Bound& bound() const { return recording_.bound(step_); }
  std::span<const WritePattern> writes() const { return recording_.writes(step_); }
  // The memories before and after it. Valid until anything else is asked.
  const Memory& before() { return inspector_.at(step_); }
  const Memory& after() { return inspector_.at(step_ + 1); }
  // Runs the tag machine. Valid as above.
  Flow flow() { return inspector_.flow(step_); }
  Inspector& inspector() { return inspector_; }

 private:
  const Recording& recording_;
  Inspector& inspector_;
  std::uint32_t step_;
};

// Takes findings at the levels that were chosen; of one kind at one place in the text only the first ones.
class FindingSink {
 public:
  FindingSink(const Recording& recording, const CheckOptions& options) : recording_(recording), options_(options) {}

  bool wants(FindingKind kind) const { return options_.of(kind) != Level::Off; }
  // Whether one more at the place of this step in the text is kept. What is not need not be put into words.
  bool takes(FindingKind kind, std::uint32_t step) const;
  // The rule's id and the position in the text are put in here; `element` also gives the diagnostic its operand.
  // What it tells, until the next one is added; null: it was not taken.
  Diagnostic* add(FindingKind kind, std::uint32_t step, std::string text, std::string hint,
                  std::optional<FoundElement> element = {}, std::vector<DiagnosticNote> notes = {});
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  std::tuple<FindingKind, std::uint32_t, std::uint32_t> place_of(FindingKind kind, std::uint32_t step) const;

  const Recording& recording_;
  const CheckOptions& options_;
  std::vector<Finding> findings_;
  std::map<std::tuple<FindingKind, std::uint32_t, std::uint32_t>, std::uint32_t> told_;  // by kind, line and column
};

// A finding with an id of its own, not as grave as the level of its kind, unless somebody chose that. Null: nothing to do.
void tell_as(Diagnostic* told, const CheckOptions& options, FindingKind kind, const char* rule, Severity severity);

// Whether an attribute that names a pipe names all of them.
bool means_all_pipes(const Bound& bound, std::size_t attribute);

// One kind of examination over all steps.
class Examiner {
 public:
  virtual ~Examiner() = default;
  virtual void look(CheckedStep& step, FindingSink& sink) = 0;
  // Behind the last step.
  virtual void end(FindingSink&) {}
};

// Each is null where the options ask for none of its kinds.
std::unique_ptr<Examiner> examine_flow(const Recording& recording,
                                       const CheckOptions& options);  // defined, overread, mask
std::unique_ptr<Examiner> examine_sharing(const Recording& recording, const CheckOptions& options);  // alias, scratch
std::unique_ptr<Examiner> examine_sync(const Recording& recording, const CheckOptions& options);     // sync
std::unique_ptr<Examiner> examine_cores(const Recording& recording, const CheckOptions& options);    // cores
std::unique_ptr<Examiner> examine_caches(const Recording& recording, const CheckOptions& options);   // cores
std::unique_ptr<Examiner> examine_region_order(const Recording& recording, const CheckOptions& options);  // sync
std::unique_ptr<Examiner> examine_specials(const Recording& recording, const CheckOptions& options);      // nan, inf
std::unique_ptr<Examiner> examine_precision(const Recording& recording, const CheckOptions& options);     // precision
std::unique_ptr<Examiner> examine_clip(const Recording& recording, const CheckOptions& options);          // clip
std::unique_ptr<Examiner> examine_device(const Recording& recording, const CheckOptions& options);        // device
std::unique_ptr<Examiner> examine_waits(const Recording& recording,
                                        const CheckOptions& options);  // flags: there are none
std::unique_ptr<Examiner> examine_rows(const Recording& recording, const CheckOptions& options);  // rule: rows left out
std::unique_ptr<Examiner> examine_columns(const Recording& recording,
                                          const CheckOptions& options);  // rule: columns left out
std::unique_ptr<Examiner> examine_terms(const Recording& recording,
                                        const CheckOptions& options);  // rule: terms of products, stale or left out

}  // namespace ts
