// Reading themes.
#include "app/theme/theme_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <variant>

#include "core/data/file.h"

namespace ts::ui {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".theme";
constexpr std::uint64_t kMostBytes = 64 << 10;
constexpr std::size_t kMostFiles = 100, kMostProblems = 20, kLongestName = 60;

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

// What a message may hold of a stranger's text.
std::string shown(std::string_view text) {
  std::string safe(text.substr(0, 40));
  for (char& c : safe)
    if (c < 32 || c > 126) c = '?';
  return safe;
}

std::optional<Color> color_in(std::string_view text) {
  if (text.size() != 7 || text[0] != '#') return {};
  std::uint32_t value = 0;
  for (const char c : text.substr(1)) {
    if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return {};
    value = value * 16 + static_cast<std::uint32_t>(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
  }
  return rgb(value);
}

std::string names_of_colors() {
  std::string names;
  for (const data::PaletteColor& color : data::palette_colors())
    names += (names.empty() ? "" : ", ") + std::string(color.name);
  return names;
}

const data::PaletteColor* find_color(std::string_view name) {
  for (const data::PaletteColor& color : data::palette_colors())
    if (color.name == name) return &color;
  return nullptr;
}

// A line "left = right" and where it stands.
struct Line {
  int number = 0;
  std::string_view left, right;
};

class Reader {
 public:
  Reader(std::string_view text, std::string_view file) : file_(file) {
    std::string_view called = file;
    if (const auto slash = called.rfind('/'); slash != std::string_view::npos) called.remove_prefix(slash + 1);
    if (called.ends_with(kEnding)) called.remove_suffix(kEnding.size());
    name_ = std::string(called);
    int number = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      take(++number, trimmed(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  ThemeFile read() {
    Theme theme = base_ != nullptr ? *base_ : themes().front();
    for (const Line& line : colors_) {
      const data::PaletteColor* color = find_color(line.left);
      const auto value = color_in(line.right);
      if (color == nullptr)
        say(line.number, fmt::format("there is no colour {}; there are {}", shown(line.left), names_of_colors()));
      else if (!value)
        say(line.number, fmt::format("{} = {}: wanted #rrggbb, such as #0072b2", color->name, shown(line.right)));
      else theme.*color->color = *value;
    }
    theme.name = name_;
    theme.dark = luminance(theme.pane) < 0.2;
    if (name_.empty() || name_.size() > kLongestName) say(1, "a theme's name has 1 to 60 characters");
    for (const Theme& own : themes())
      if (own.name == name_)
        say(name_line_, fmt::format("the theme {} comes with the program; choose another name", name_));
    if (name_ == "system") say(name_line_, "the name system stands for the desktop's choice; choose another name");
    ThemeFile made;
    made.problems = std::move(problems_);
    if (!made.problems.empty()) return made;
    for (const std::string& text : hard_to_read(theme)) made.warnings.push_back(fmt::format("{}: {}", file_, text));
    made.theme = std::move(theme);
    return made;
  }

 private:
  void say(int line, std::string text) {
    if (problems_.size() < kMostProblems) problems_.push_back(fmt::format("{}:{}: {}", file_, line, std::move(text)));
  }

  void take(int number, std::string_view line) {
    if (line.empty() || line.front() == '#') return;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos)
      return say(number, fmt::format("{}: wanted a line such as accent = #0066a8", shown(line)));
    const Line read{number, trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1))};
    if (read.left == "name") {
      name_ = shown(read.right);
      name_line_ = number;
    } else if (read.left == "based on") {
      for (const Theme& theme : themes())
        if (theme.name == read.right) base_ = &theme;
      if (base_ == nullptr || base_->name != read.right)
        say(number,
            fmt::format("there is no theme {} to begin with; there are dark, light, contrast", shown(read.right)));
    } else {
      colors_.push_back(read);
    }
  }

  std::string file_, name_;
  int name_line_ = 1;
  const Theme* base_ = nullptr;
  std::vector<Line> colors_;
  std::vector<std::string> problems_;
};

std::vector<fs::path> files_of(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed); !failed && at != fs::directory_iterator(); at.increment(failed))
    if (at->path().extension() == kEnding && files.size() < kMostFiles) files.push_back(at->path());
  std::ranges::sort(files);
  return files;
}

}  // namespace

ThemeFile read_theme(std::string_view text, std::string_view file) { return Reader(text, file).read(); }

std::vector<ThemeFile> read_theme_folder(const std::string& folder) {
  std::vector<ThemeFile> all;
  if (folder.empty()) return all;
  std::vector<std::string> names;
  for (const fs::path& path : files_of(folder)) {
    const std::string file = path.filename().string();
    const auto read = data::read_file(path.string(), kMostBytes);
    if (const auto* error = std::get_if<data::Error>(&read)) {
      all.push_back({{}, {error->text}, {}});
      continue;
    }
    const auto& bytes = std::get<std::vector<std::byte>>(read);
    ThemeFile made = read_theme({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file);
    if (made.theme && std::ranges::count(names, made.theme->name) != 0) {
      made.problems.push_back(
          fmt::format("{}:1: another file is called {} too; choose another name", file, made.theme->name));
      made.theme.reset();
    }
    if (made.theme) names.push_back(made.theme->name);
    all.push_back(std::move(made));
  }
  return all;
}

std::string theme_folder_stamp(const std::string& folder) {
  std::string stamp;
  if (folder.empty()) return stamp;
  for (const fs::path& path : files_of(folder)) {
    std::error_code failed;
    const auto time = fs::last_write_time(path, failed);
    stamp += fmt::format("{} {};", path.filename().string(), failed ? 0 : time.time_since_epoch().count());
  }
  return stamp;
}

std::string theme_text(const Theme& theme) {
  std::string text = fmt::format(
      "# A theme of TileScope: a colour a line; what is left out is as in the theme it is based on.\n"
      "name = my {}\nbased on = {}\n\n",
      theme.name, find_theme(theme.name) != nullptr && !theme.dark ? "light" : "dark");
  for (const data::PaletteColor& color : data::palette_colors()) {
    const Color value = theme.*color.color;
    text += fmt::format("# {}\n{} = #{:02x}{:02x}{:02x}\n", color.help, color.name, value.r, value.g, value.b);
  }
  return text;
}

std::vector<std::string> hard_to_read(const Theme& theme) {
  constexpr double kLeast = 4.5;
  struct Pair {
    const char *top, *ground;
  };
  constexpr Pair kPairs[] = {{"text", "window"},       {"text", "pane"},         {"text", "raised"},
                             {"text", "hovered"},      {"text", "cell"},         {"text_quiet", "window"},
                             {"text_quiet", "pane"},   {"text_quiet", "raised"}, {"accent", "pane"},
                             {"accent_text", "accent"}};
  std::vector<std::string> found;
  for (const Pair& pair : kPairs) {
    const double ratio = contrast(theme.*find_color(pair.top)->color, theme.*find_color(pair.ground)->color);
    if (ratio < kLeast)
      found.push_back(
          fmt::format("{} on {} is {:.1f} : 1; less than 4.5 : 1 is hard to read", pair.top, pair.ground, ratio));
  }
  return found;
}

std::optional<std::string> system_theme() {
  const char* set = std::getenv("GTK_THEME");
  if (set == nullptr || *set == 0) return {};
  std::string name = set;
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (name.find("highcontrast") != std::string::npos) return "contrast";
  return name.ends_with(":dark") || name.ends_with("-dark") ? "dark" : "light";
}

}  // namespace ts::ui
