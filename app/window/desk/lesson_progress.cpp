// Reading and writing what was answered.
#include "app/window/desk/lesson_progress.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/window/settings.h"

namespace ts::ui {
namespace {

using Json = nlohmann::json;

// Lessons that were changed leave their old progress behind.
constexpr std::size_t kMostKept = 400, kMostPages = 1000;

std::string path_in(const std::string& folder) { return folder + "/lessons.json"; }

Json save_one(const KeptProgress& kept) {
  Json pages = Json::array();
  for (const learn::PageProgress& page : kept.progress.pages)
    pages.push_back({{"tries", page.tries}, {"right", page.right}, {"shown", page.shown}});
  return {{"name", kept.name},           {"title", kept.title},        {"family", kept.family},
          {"questions", kept.questions}, {"page", kept.progress.page}, {"pages", pages}};
}

std::string text_of(const Json& from, const char* key) {
  const auto found = from.find(key);
  return found != from.end() && found->is_string() ? found->get<std::string>() : "";
}

std::uint32_t count_of(const Json& from, const char* key) {
  const auto found = from.find(key);
  if (found == from.end() || !found->is_number_unsigned()) return 0;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(found->get<std::uint64_t>(), 1u << 30));
}

bool truth_of(const Json& from, const char* key) {
  const auto found = from.find(key);
  return found != from.end() && found->is_boolean() && found->get<bool>();
}

KeptProgress load_one(const Json& from) {
  KeptProgress kept{.name = text_of(from, "name"),
                    .title = text_of(from, "title"),
                    .family = text_of(from, "family"),
                    .questions = count_of(from, "questions")};
  kept.progress.page = count_of(from, "page");
  if (const auto pages = from.find("pages"); pages != from.end() && pages->is_array())
    for (const Json& page : *pages) {
      if (!page.is_object() || kept.progress.pages.size() == kMostPages) break;
      kept.progress.pages.push_back(
          {.tries = count_of(page, "tries"), .right = truth_of(page, "right"), .shown = truth_of(page, "shown")});
    }
  return kept;
}

}  // namespace

std::string lesson_hash(std::string_view text) { return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size())); }

std::map<std::string, KeptProgress> load_lesson_progress(const std::string& state_folder) {
  std::map<std::string, KeptProgress> all;
  if (state_folder.empty()) return all;
  const Json saved = read_settings(path_in(state_folder));
  for (const auto& [hash, one] : saved.items())
    if (one.is_object()) all[hash] = load_one(one);
  return all;
}

// Read again before it is written: another window may have a lesson open.
bool save_lesson_progress(const std::string& state_folder, const std::string& hash, const KeptProgress& kept) {
  if (state_folder.empty()) return true;
  Json saved = read_settings(path_in(state_folder));
  while (saved.size() >= kMostKept && !saved.contains(hash)) saved.erase(saved.begin());
  saved[hash] = save_one(kept);
  return write_settings(path_in(state_folder), saved);
}

std::map<std::string, learn::Score> scores_of(const std::map<std::string, KeptProgress>& kept) {
  std::map<std::string, learn::Score> scores;
  for (const auto& [hash, one] : kept) learn::add_to(scores[one.family], one.progress, one.questions);
  return scores;
}

}  // namespace ts::ui
