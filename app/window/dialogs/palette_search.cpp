// Collecting what can be found, and weighing it.
#include "app/window/dialogs/palette_search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "app/files/files.h"
#include "app/files/hint.h"
#include "app/panes/pane_row.h"
#include "app/window/commands/window_commands.h"
#include "core/isa/target.h"
#include "core/text/count.h"
#include "core/text/tree.h"

namespace ts::ui {
namespace {

// Of programs with more, the rest is found by other ways.
constexpr std::size_t kMostTiles = 2000, kMostFindings = 300, kMostLines = 12;
constexpr std::uint32_t kMostLinesSearched = 20'000;

std::string lower_text(std::string_view text) {
  std::string made(text);
  std::ranges::transform(made, made.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return made;
}

bool is_word_letter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '%' || letter == '[';
}

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  bool within = false;
  for (const char letter : lower_text(text)) {
    const bool word = is_word_letter(letter);
    if (word && !within) words.emplace_back();
    if (word) words.back() += letter;
    within = word;
  }
  return words;
}

std::optional<std::uint32_t> number_in(std::string_view text) {
  std::uint32_t value = 0;
  return text::parse_count(text, value) ? std::optional(value) : std::nullopt;
}

enum class Part : unsigned char { Whole, Beginning };

bool has_all(const std::vector<std::string>& wanted, const std::vector<std::string>& words, Part part) {
  return std::ranges::all_of(wanted, [&](const std::string& one) {
    return std::ranges::any_of(
        words, [&](const std::string& word) { return part == Part::Whole ? word == one : word.starts_with(one); });
  });
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

// "undo, take back" holds "take back" as a whole, or as its beginning.
bool is_called(std::string_view names, const std::string& wanted, Part part) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(','), names.size());
    const std::string name = joined(words_in(names.substr(0, end)));
    if (part == Part::Whole ? name == wanted : name.starts_with(wanted)) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// What has no command of its own, and is one line in the console.
std::vector<PaletteEntry> script_entries() {
  constexpr struct {
    const char *title, *words, *help, *line;
  } kLines[] = {
      {"A picture of the whole window", "window picture, capture, print",
       "In the console: gui.screenshot(\"step.png\"). On the command line: tilescope shot.", "help gui.screenshot"},
  };
  std::vector<PaletteEntry> made;
  for (const auto& line : kLines)
    made.push_back({.kind = "Script",
                    .title = line.title,
                    .words = line.words,
                    .help = line.help,
                    .commands = {{"focusPane", {"console"}}, {"console", {line.line}}},
                    .listed = false});
  return made;
}

}  // namespace

// --- what there is ---

std::vector<PaletteEntry> lasting_entries() {
  std::vector<PaletteEntry> made;
  for (const CommandRow* row : all_commands())
    if (stands_alone(*row))
      made.push_back(
          {.kind = row->menu, .title = row->title, .words = row->words, .help = row->help, .commands = {{row->name}}});
  for (const PaneRow* pane : pane_rows())
    made.push_back({.kind = "Pane",
                    .title = pane->title,
                    .words = pane->id,
                    .help = pane->help,
                    .commands = {{"focusPane", {pane->id}}},
                    .listed = false});
  for (PaletteEntry& entry : script_entries()) made.push_back(std::move(entry));
  for (const Sample& lesson : lessons())
    made.push_back({.kind = "Lesson",
                    .title = std::string(lesson.name),
                    .help = lesson.summary,
                    .commands = {{"openLesson", {std::string(lesson.name)}}},
                    .listed = false});
  for (const Sample& sample : samples())
    made.push_back({.kind = "Sample",
                    .title = std::string(sample.name),
                    .help = sample.summary,
                    .commands = {{"open", {std::string(sample.name)}}},
                    .listed = false});
  return made;
}

std::vector<PaletteEntry> open_entries(DebugView& view, const std::vector<std::string>& recent) {
  std::vector<PaletteEntry> made;
  const auto add = [&](const char* kind, std::string title, std::string help, std::vector<Command> commands) {
    made.push_back({.kind = kind,
                    .title = std::move(title),
                    .help = std::move(help),
                    .commands = std::move(commands),
                    .listed = false});
  };
  for (const std::string& path : recent) add("Recent", path, "Opens it again.", {{"open", {path}}});
  if (view.recording() == nullptr) return made;
  const Program& program = view.recording()->program();
  for (const TileDecl& tile : program.tiles) {
    if (tile.implicit || made.size() > kMostTiles) continue;
    add("Tile", tile.name, tile.type.describe(), {{"showTile", {tile.name}}});
  }
  for (const BufferDecl& buffer : program.buffers)
    add("Buffer", buffer.name, "Shows it in the Tiles pane.", {{"showTile", {buffer.name}}});
  const std::vector<Finding>& findings = view.findings();
  for (std::size_t i = 0; i < std::min(findings.size(), kMostFindings); ++i)
    made.push_back({.kind = "Finding",
                    .title = findings[i].diagnostic.text,
                    .words = findings[i].diagnostic.rule,
                    .help = findings[i].diagnostic.hint,
                    .commands = {{"showFinding", {static_cast<std::int64_t>(i)}}},
                    .listed = false});
  return made;
}

std::vector<PaletteEntry> typed_entries(const DebugView& view, const std::string& typed) {
  std::vector<PaletteEntry> made;
  if (const Command place = place_command(typed); !place.name.empty())
    made.push_back({.kind = "Place", .title = typed, .help = "Goes there.", .commands = {place}});
  const std::vector<std::string> wanted = words_in(typed);
  if (view.document() == nullptr || view.document()->tree == nullptr || wanted.empty()) return made;
  const text::Source& source = *view.document()->tree->source;
  const auto add = [&](std::uint32_t line) {
    const std::string_view words = source.line(line);
    made.push_back({.kind = "Line",
                    .title = fmt::format("{}  {}", line,
                                         words.substr(std::min(words.find_first_not_of(" \t"), words.size()), 200)),
                    .help = "Shows this line of the program.",
                    .commands = {{"focusPane", {"program"}}, {"showLine", {std::int64_t{line}}}}});
  };
  std::uint32_t number = 0;
  const std::string& last = wanted.back();
  if (wanted.size() <= 2 && (wanted.size() == 1 || wanted[0] == "line") &&
      std::ranges::all_of(last, [](unsigned char digit) { return std::isdigit(digit) != 0; }) && last.size() < 8)
    number = static_cast<std::uint32_t>(std::stoul(last));
  if (number >= 1 && number <= source.lines()) {
    add(number);
    made.back().words = fmt::format("line {}", number);
  }
  if (joined(wanted).size() < 3 || number != 0) return made;
  for (std::uint32_t line = 1; line <= std::min(source.lines(), kMostLinesSearched); ++line) {
    if (made.size() >= kMostLines) break;
    if (lower_text(source.line(line)).find(wanted.front()) == std::string::npos) continue;
    if (has_all(wanted, words_in(source.line(line)), Part::Beginning)) add(line);
  }
  return made;
}

// --- places ---

Command place_command(const std::string& typed) {
  std::string_view text = typed;
  while (text.starts_with(' ') || text.starts_with('@')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (const auto position = number_in(text)) return {"seek", {std::int64_t{*position}}};
  if (const std::size_t dot = text.find('.'); dot != std::string_view::npos) {
    const auto position = number_in(text.substr(0, dot)), micro = number_in(text.substr(dot + 1));
    if (position && micro) return {"seek", {std::int64_t{*position}, std::int64_t{*micro}}};
  }
  if (const std::size_t plus = text.find('+'); plus != std::string_view::npos)
    if (const auto space = space_from_name(text.substr(0, plus)))
      if (const auto address = number_in(text.substr(plus + 1)))
        return {"selectAddress", {std::string(name(*space)), std::int64_t{*address}}};
  if (!text.empty())
    if (const auto cell = parse_cell(text))
      return {"select", {cell->tile, std::int64_t{cell->row}, std::int64_t{cell->col}}};
  return {};
}

// --- how well it fits ---

int letters_fit(std::string_view title, std::string_view typed) {
  int fit = 0;
  std::size_t at = 0;
  bool adjacent = false;
  const std::string all = lower_text(title);
  for (const char wanted : lower_text(typed)) {
    if (wanted == ' ') continue;
    const std::size_t next = all.find(wanted, at);
    if (next == std::string::npos) return -1;
    // Beginnings of words and letters side by side count more.
    fit += next == 0 || all[next - 1] == ' ' ? 4 : 1;
    if (adjacent && next == at) fit += 3;
    at = next + 1;
    adjacent = true;
  }
  return fit;
}

int fit_of(const PaletteEntry& entry, std::string_view typed) {
  const std::vector<std::string> wanted = words_in(typed);
  if (wanted.empty()) return entry.listed ? 0 : -1;
  const std::string text = joined(wanted);
  const std::vector<std::string> title = words_in(entry.title);
  const std::string whole = joined(title);
  const std::vector<std::string> called = with(with(title, words_in(entry.words)), words_in(entry.kind));
  // Of two that fit as well, the shorter one says less besides.
  const auto rank = [&](int kind) { return 1000 * kind - static_cast<int>(std::min<std::size_t>(whole.size(), 900)); };
  if (whole == text) return rank(12);
  if (is_called(entry.words, text, Part::Whole)) return rank(11);
  if (has_all(wanted, title, Part::Whole)) return rank(10) + (title.front() == wanted.front() ? 100 : 0);
  if (whole.starts_with(text)) return rank(9);
  if (is_called(entry.words, text, Part::Beginning)) return rank(8);
  if (has_all(wanted, called, Part::Whole)) return rank(7);
  if (has_all(wanted, title, Part::Beginning)) return rank(6) + (title.front().starts_with(wanted.front()) ? 100 : 0);
  if (has_all(wanted, called, Part::Beginning)) return rank(5);
  const std::vector<std::string> said = with(called, words_in(entry.help));
  if (has_all(wanted, said, Part::Whole)) return rank(4);
  if (has_all(wanted, said, Part::Beginning)) return rank(3);
  // Scattered letters find commands only: of long texts nearly everything would fit.
  if (!entry.listed) return -1;
  const int letters = std::max(letters_fit(entry.title, typed), letters_fit(entry.kind + " " + entry.title, typed) - 1);
  return letters < 0 ? -1 : 1000 + letters;
}

std::vector<const PaletteEntry*> best_entries(const std::vector<PaletteEntry>& entries, std::string_view typed) {
  std::vector<std::pair<int, const PaletteEntry*>> found;
  for (const PaletteEntry& entry : entries)
    if (const int fit = fit_of(entry, typed); fit >= 0) found.emplace_back(fit, &entry);
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<const PaletteEntry*> made;
  for (const auto& [fit, entry] : found) made.push_back(entry);
  return made;
}

}  // namespace ts::ui
