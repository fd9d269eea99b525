// Which files keep a program's work.
#include "app/window/desk/kept_work.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <filesystem>
#include <system_error>

#include "app/settings/settings.h"
#include "core/data/fields.h"

namespace ts::ui {
namespace {

std::string hash_of(std::string_view text, std::string_view entry) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(text.data(), text.size(), XXH3_64bits(entry.data(), entry.size()));
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

// Of hashes only: the text and its names may be a stranger's.
std::string text_key(const Document& document) { return hash_of(document.tree->source->text(), document.entry); }

std::string work_file(const std::string& folder, const std::string& key) {
  return fmt::format("{}/programs/{}.json", folder, key);
}
std::string shape_file(const std::string& folder, const std::string& key) {
  return fmt::format("{}/programs/{}.shape.json", folder, key);
}
// That says which text the file held last; empty: it is no file.
std::string pointer_file(const std::string& folder, const Document& document) {
  if (document.path.empty()) return "";
  std::error_code failed;
  const std::string path = std::filesystem::weakly_canonical(document.path, failed).string();
  return fmt::format("{}/programs/{}.file.json", folder, hash_of(path, document.entry));
}

bool is_key(const std::string& text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

KeptWork work_of(const Standing& standing) {
  KeptWork work{.moment = standing.moment,
                .stops = without_scripted(standing.stops),
                .bookmarks = standing.bookmarks,
                .notes = standing.notes,
                .followed_marks = gone_marks(standing.followed_marks),
                .forks = standing.forks,
                .by_source = standing.by_source};
  for (const WatchLine& watch : standing.watches) work.watches.push_back(watch.expression);
  return work;
}

std::string work_path(const std::string& folder, const Document& document) {
  if (folder.empty() || document.tree == nullptr) return "";
  return work_file(folder, text_key(document));
}

std::optional<LeftWork> left_in_file(const std::string& folder, const Document& document) {
  if (folder.empty() || document.tree == nullptr) return {};
  const std::string pointer = pointer_file(folder, document);
  if (pointer.empty()) return {};
  const nlohmann::json kept = read_settings(pointer);
  const std::string key = data::Fields(kept).text("text").value_or("");
  if (!is_key(key) || key == text_key(document)) return {};
  const nlohmann::json work = read_settings(work_file(folder, key)), shape = read_settings(shape_file(folder, key));
  LeftWork left{load_work(work), load_shape(data::Fields(shape).list("ops")),
                load_sites(data::Fields(work).list("sites"))};
  if (left.shape.ops.empty()) return {};
  return left;
}

bool write_work(const std::string& folder, const Document& document, nlohmann::json work, const KeptWork& set) {
  const std::string key = text_key(document), pointer = pointer_file(folder, document);
  work["sites"] = save_sites(sites_of(set, *document.recording));
  if (!write_settings(work_file(folder, key), work)) return false;
  if (pointer.empty()) return true;
  std::error_code failed;
  if (!std::filesystem::exists(shape_file(folder, key), failed))
    write_settings(shape_file(folder, key), {{"version", 1}, {"ops", save_shape(shape_of(*document.tree))}});
  return write_settings(pointer, {{"version", 1}, {"text", key}});
}

}  // namespace ts::ui
