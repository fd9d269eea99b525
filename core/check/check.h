// Looking through a whole recording for what is wrong in it: the tag machine runs beside its steps where that can tell
// something. What the run found by itself is part of the result, so that there is one list of findings.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/isa/refusal.h"
#include "core/record/recording.h"

namespace ts {

// Own: as grave as the rule that found it says, or else as the table does.
enum class Level : std::uint8_t { Off, Note, Warn, Error, Own };
const char* name(Level level);  // "off", "note", "warn", "error", "own"
std::optional<Level> find_level(std::string_view name);

// A kind of finding as people choose it.
struct CheckRow {
  FindingKind kind;
  const char* rule;     // the id that its findings carry; empty: those of the rules that found them
  Level level;          // unless somebody says otherwise
  const char* summary;  // "never-written or unspecified bytes that reach a result"
};
// By kind. Those without an id come from the run itself; an error that ended the run is never hidden.
std::span<const CheckRow> checks();
const CheckRow& check_row(FindingKind kind);

struct CheckOptions {
  CheckOptions();  // everything as in the table
  Level level[kFindingKinds];
  // Without flags, events and barriers a program leaves its waits to the assembler: then nothing is unordered. False:
  // it is looked at all the same.
  bool sync_only_with_waits = true;
  std::uint64_t most_ulp = 16;     // of the precision check, in the type of the result
  std::uint64_t most_clipped = 0;  // elements of a step that the clip check says nothing of
  // How many bytes of ub are safe on devices; nothing: what is known of the target (see device_limits.h).
  std::optional<std::uint32_t> ub_limit = {};
  bool caches = false;  // of scalar units: whether what they stored is looked for there (MK-22), as a part of `cores`
  Level of(FindingKind kind) const { return level[static_cast<int>(kind)]; }
  void set(FindingKind kind, Level l) { level[static_cast<int>(kind)] = l; }
};
// "nan=error", "sync=off", "all=warn", "precision.ulp=4", "clip.elements=40", "device.ub=188416", "cores.caches=on"; nothing when it was taken.
std::optional<Refusal> set_check(CheckOptions& options, std::string_view text);

struct CheckReport {
  std::vector<Finding> findings;  // by step
  bool complete = true;           // false: `go_on` said no
};

// `go_on` is asked with the steps that were looked at.
CheckReport check(const Recording& recording, const CheckOptions& options = {},
                  const std::function<bool(std::uint32_t)>& go_on = {});

// What needs no run, by the text alone: tiles whose addresses it gives, where devices are known not to take them.
Diagnostics check_text(const Program& program, const CheckOptions& options = {});

}  // namespace ts
