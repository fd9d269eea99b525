// What was answered in lessons, kept for the next time: one file below the user's state, by the hash of a lesson's
// text.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/learn/progress.h"

namespace ts::ui {

struct KeptProgress {
  std::string name, title, family;
  std::size_t questions = 0;
  learn::Progress progress = {};
};

std::string lesson_hash(std::string_view text);
// Of the file's object, by hash. What cannot be read is left out.
std::map<std::string, KeptProgress> lesson_progress_in(const nlohmann::json& saved);
// Lessons that were changed leave their old progress behind: of very many, some are dropped.
nlohmann::json with_lesson_progress(nlohmann::json saved, const std::string& hash, const KeptProgress& kept);
// The same of the file.
std::map<std::string, KeptProgress> load_lesson_progress(const std::string& state_folder);
// False: it could not be written. Without a folder nothing is kept, and nobody is told.
bool save_lesson_progress(const std::string& state_folder, const std::string& hash, const KeptProgress& kept);
// By family of instructions.
std::map<std::string, learn::Score> scores_of(const std::map<std::string, KeptProgress>& kept);

}  // namespace ts::ui
