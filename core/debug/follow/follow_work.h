// What a user set in a program, put where its operations stand after the text was edited: breakpoints by line, and by their
// call sites and turns what is about steps, and the place.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/debug/follow/text_shape.h"
#include "core/debug/session/kept_work.h"
#include "core/record/recording.h"

namespace ts {

// Which step stood behind a position, by its operation's line and the turns of its loops.
struct StepSite {
  std::uint32_t line = 0, block = 0;
  std::vector<std::uint32_t> turns = {};
  bool at_end = false;  // the position of the end, behind all steps
  bool operator==(const StepSite&) const = default;
};
using StepSites = std::map<std::uint32_t, StepSite>;  // by position

// Of the work's place and of all marks of it that are about steps.
StepSites sites_of(const KeptWork& work, const Recording& recording);
nlohmann::json save_sites(const StepSites& sites);
StepSites load_sites(const nlohmann::json& saved);

// Work as it stood in a text, which may be open no more.
struct LeftWork {
  KeptWork work = {};
  TextShape shape = {};
  StepSites sites = {};
};

// For the text of `now`. What is not simply where it was is among the work's `followed_marks`; what was gone and is there again
// is back.
KeptWork follow(const LeftWork& left, const Recording& now);

}  // namespace ts
