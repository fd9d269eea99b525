// Which file keeps a program's work.
#include "app/window/desk/kept_work.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace ts::ui {

KeptWork work_of(const Standing& standing) {
  KeptWork work{.moment = standing.moment,
                .stops = without_scripted(standing.stops),
                .bookmarks = standing.bookmarks,
                .notes = standing.notes,
                .by_source = standing.by_source};
  for (const WatchLine& watch : standing.watches) work.watches.push_back(watch.expression);
  return work;
}

std::string work_path(const std::string& folder, const Document& document) {
  if (folder.empty() || document.tree == nullptr) return "";
  // Of hashes only: the text and its names may be a stranger's.
  const std::string_view text = document.tree->source->text();
  const XXH128_hash_t hash =
      XXH3_128bits_withSeed(text.data(), text.size(), XXH3_64bits(document.entry.data(), document.entry.size()));
  return fmt::format("{}/programs/{:016x}{:016x}.json", folder, hash.high64, hash.low64);
}

}  // namespace ts::ui
