// Fuzz target: the files of what the user set and did. The first byte says which kind of file the rest is. What is read of
// any text must be in its ranges, must read the same once written and read again, and messages about it must be short.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "app/settings/layout_tree.h"
#include "app/settings/lesson_progress.h"
#include "app/settings/saved_keys.h"
#include "app/settings/tile_displays.h"
#include "app/theme/theme_files.h"
#include "core/cases/setup.h"
#include "core/data/fields.h"
#include "core/debug/session/kept_work.h"

namespace {

using namespace ts;
using namespace ts::ui;
using nlohmann::json;

constexpr std::size_t kMostProblems = 20;

void require(bool good) {
  if (!good) std::abort();
}

// As it stands in the file.
json written(const json& value) {
  const auto read = data::parse_object(data::json_text(value, 2));
  require(std::holds_alternative<json>(read));
  return std::get<json>(read);
}

void check_problems(const std::vector<std::string>& problems) {
  constexpr std::size_t kLongest = 1000;
  require(problems.size() <= kMostProblems);
  for (const std::string& problem : problems) require(!problem.empty() && problem.size() < kLongest);
}

// Every value of a file, asked for as everything that it is not, too.
void ask_for_all(const data::Fields& fields, int depth = 0) {
  for (const auto& [name, value] : fields.all().items()) {
    fields.truth(name);
    fields.text(name);
    fields.number(name);
    fields.number32(name);
    fields.count(name, 10);
    fields.texts(name);
    fields.numbers(name, 2);
    fields.list(name);
    if (value.is_object() && depth < 3) ask_for_all(fields.below(name), depth + 1);
  }
}

void check_fields(const json& saved) {
  std::vector<std::string> problems;
  ask_for_all(data::Fields(saved, "", &problems));
  require(problems.size() <= kMostProblems);
  written(saved);
}

// Of the programs' folder.
void check_work(const json& saved) {
  const json once = written(save_work(load_work(saved)));
  require(written(save_work(load_work(once))) == once);
  notes_of(load_work(saved));
}

// As notes of a recording have it: a kind, a position and a text in each line.
void check_notes(std::string_view text) {
  constexpr const char* kKinds[] = {"bookmark", "breakpoint", "watch", "note"};
  std::vector<RecordingNote> notes;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.size() > 2) {
      const auto position = static_cast<std::uint32_t>(static_cast<unsigned char>(line[1]));
      notes.push_back({kKinds[static_cast<unsigned char>(line[0]) % 4], std::string(line.substr(2)), position});
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const json once = written(save_work(work_of(notes)));
  require(written(save_work(load_work(once))) == once);
}

void check_layout(const LayoutNode& node, int depth) {
  require(depth <= 17);
  if (node.kind == LayoutNode::Kind::Leaf) {
    require(node.panes.empty() ? node.active == 0 : node.active < node.panes.size());
    return;
  }
  require(node.parts.size() >= 2 && node.parts.size() == node.shares.size());
  float sum = 0;
  for (const float share : node.shares) {
    require(share > 0);
    sum += share;
  }
  require(sum > 0.99f && sum < 1.01f);
  for (const LayoutNode& part : node.parts) check_layout(part, depth + 1);
}

void check_layouts(const json& saved) {
  const auto known = [](const std::string& pane) { return pane.size() <= 8; };
  const auto read = load_layout(saved, known);
  if (!read) return;
  require(!is_empty(*read));
  check_layout(*read, 0);
  require(load_layout(written(save_layout(*read)), known).has_value());
}

void check_keys(const json& saved) {
  std::vector<std::string> problems;
  const KeyRules rules{[](std::string_view command) { return command.size() < 9; },
                       [](const Keys& keys) { return keys.size() > kMostChords ? "too many" : ""; },
                       [](std::string_view command) { return std::string(command); }};
  const KeysByCommand read = load_keys(saved, rules, problems);
  for (auto one = read.begin(); one != read.end(); ++one)
    for (auto other = std::next(one); other != read.end(); ++other) require(!clash(one->second, other->second));
  problems.clear();
  require(load_keys(written(save_keys(read)), rules, problems) == read && problems.empty());
}

void check_tiles(const json& saved) {
  TileDisplays tiles, again;
  tiles.load(saved);
  for (const auto& [tile, display] : tiles.all()) {
    require(display.low <= display.high && display.row >= 0 && display.col >= 0);
    require(display.zoom >= 0 && display.zoom <= 400);
  }
  again.load(written(tiles.save()));
  require(again.save() == tiles.save());
}

void check_lessons(const json& saved) {
  const auto read = lesson_progress_in(saved);
  for (const auto& [hash, kept] : read) require(kept.progress.pages.size() <= 1000);
  scores_of(read);
  const std::string first = read.empty() ? "none" : read.begin()->first;
  const json with = with_lesson_progress(saved, first, read.empty() ? KeptProgress{} : read.begin()->second);
  require(with.size() <= saved.size() + 1 && lesson_progress_in(written(with)).contains(first));
}

void check_setup(const json& saved) {
  std::vector<std::string> problems, notes;
  const cases::Setup read = cases::setup_from(data::Fields(saved), problems, notes);
  check_problems(notes);
  require(problems.size() <= kMostProblems);
  if (!problems.empty()) return;
  require(cases::problems_of(read).empty());
  const json once = written(cases::to_json(read));
  const cases::Setup again = cases::setup_from(data::Fields(once), problems, notes);
  require(problems.empty() && cases::to_json(again) == once);
}

void check_theme(std::string_view text) {
  const ThemeFile read = read_theme(text, "mine.theme");
  check_problems(read.problems);
  require(read.theme.has_value() == read.problems.empty());
  if (!read.theme) return;
  require(!read.theme->name.empty() && read.theme->name.size() <= 60);
  require(find_theme(read.theme->name) == nullptr);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  if (data[0] == 't') return check_theme(text), 0;
  if (data[0] == 'n') return check_notes(text), 0;
  const auto parsed = data::parse_object(text);
  if (const auto* error = std::get_if<data::Error>(&parsed)) {
    require(!error->text.empty());
    return 0;
  }
  const json& saved = std::get<json>(parsed);
  switch (data[0]) {
    case 'w': check_work(saved); break;
    case 'l': check_layouts(saved); break;
    case 'k': check_keys(saved); break;
    case 'd': check_tiles(saved); break;
    case 'p': check_lessons(saved); break;
    case 'u': check_setup(saved); break;
    default: check_fields(saved); break;
  }
  return 0;
}
