// Reading and writing what was answered.
#include "app/settings/lesson_progress.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/settings/settings.h"
#include "core/data/fields.h"

namespace ts::ui {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostKept = 400, kMostPages = 1000;

std::string path_in(const std::string& folder) { return folder + "/lessons.json"; }

Json save_one(const KeptProgress& kept) {
  Json pages = Json::array();
  for (const learn::PageProgress& page : kept.progress.pages)
    pages.push_back({{"tries", page.tries}, {"right", page.right}, {"shown", page.shown}});
  return {{"name", kept.name},           {"title", kept.title},        {"family", kept.family},
          {"questions", kept.questions}, {"page", kept.progress.page}, {"pages", pages}};
}

KeptProgress load_one(const data::Fields& from) {
  constexpr std::uint64_t kMost = 1u << 30;
  KeptProgress kept{.name = from.text("name").value_or(""),
                    .title = from.text("title").value_or(""),
                    .family = from.text("family").value_or(""),
                    .questions = from.count("questions", kMost).value_or(0)};
  kept.progress.page = from.number32("page").value_or(0);
  for (const Json& saved : from.list("pages")) {
    if (kept.progress.pages.size() == kMostPages) break;
    const data::Fields page(saved);
    kept.progress.pages.push_back({.tries = page.number32("tries").value_or(0),
                                   .right = page.truth("right").value_or(false),
                                   .shown = page.truth("shown").value_or(false)});
  }
  return kept;
}

}  // namespace

std::string lesson_hash(std::string_view text) { return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size())); }

std::map<std::string, KeptProgress> lesson_progress_in(const Json& saved) {
  std::map<std::string, KeptProgress> all;
  for (const auto& [hash, one] : saved.items())
    if (one.is_object()) all[hash] = load_one(data::Fields(one));
  return all;
}

Json with_lesson_progress(Json saved, const std::string& hash, const KeptProgress& kept) {
  while (saved.size() >= kMostKept && !saved.contains(hash)) saved.erase(saved.begin());
  saved[hash] = save_one(kept);
  return saved;
}

std::map<std::string, KeptProgress> load_lesson_progress(const std::string& state_folder) {
  if (state_folder.empty()) return {};
  return lesson_progress_in(read_settings(path_in(state_folder)));
}

// Read again before it is written: another window may have a lesson open.
bool save_lesson_progress(const std::string& state_folder, const std::string& hash, const KeptProgress& kept) {
  if (state_folder.empty()) return true;
  const std::string path = path_in(state_folder);
  return write_settings(path, with_lesson_progress(read_settings(path), hash, kept));
}

std::map<std::string, learn::Score> scores_of(const std::map<std::string, KeptProgress>& kept) {
  std::map<std::string, learn::Score> scores;
  for (const auto& [hash, one] : kept) learn::add_to(scores[one.family], one.progress, one.questions);
  return scores;
}

}  // namespace ts::ui
