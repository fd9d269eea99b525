// Themes of the user's own: what is read, what is said of what is wrong, and that nothing of it can do harm.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "app/theme/theme_files.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

using namespace ts::ui;
using ts::test::has;

namespace {

// The only problem of a text.
std::string problem(const std::string& text) {
  const ThemeFile file = read_theme(text, "own.theme");
  CHECK_FALSE(file.theme.has_value());
  REQUIRE(file.problems.size() == 1);
  return file.problems.front();
}

}  // namespace

TEST_CASE("theme files: what is left out is as in the theme it is based on") {
  const ThemeFile file = read_theme("# warm\nname = Sepia\r\nbased on = light\n\naccent = #8A5a00\n", "own.theme");
  REQUIRE(file.theme.has_value());
  CHECK(file.problems.empty());
  CHECK(file.warnings.empty());
  CHECK(file.theme->name == "Sepia");
  CHECK_FALSE(file.theme->dark);
  CHECK(file.theme->accent == rgb(0x8A5A00));
  CHECK(file.theme->text == find_theme("light")->text);
  // Without a name it has the file's; without a base, the dark one's colours.
  const ThemeFile bare = read_theme("", "mine.theme");
  REQUIRE(bare.theme.has_value());
  CHECK(bare.theme->name == "mine");
  CHECK(bare.theme->pane == find_theme("dark")->pane);
}

TEST_CASE("theme files: what is wrong is said with its line and what would be right") {
  CHECK(problem("name = x\n\naccent = red\n") == "own.theme:3: accent = red: wanted #rrggbb, such as #0072b2");
  CHECK(has(problem("acent = #112233"), "own.theme:1: there is no colour acent; there are window, pane"));
  CHECK(has(problem("name = x\nbased on = sepia"), "own.theme:2: there is no theme sepia"));
  CHECK(has(problem("# a\nname = dark"), "own.theme:2: the theme dark comes with the program"));
  CHECK(has(problem("name = system"), "stands for the desktop's choice"));
  CHECK(has(problem("hello"), "own.theme:1: hello: wanted a line such as accent = #0066a8"));
  for (const char* wrong : {"#12345", "#1234567", "112233", "#gg0000", "", "#11 233", "#112233 "}) {
    CAPTURE(wrong);
    const ThemeFile file = read_theme(std::string("accent = ") + wrong, "own.theme");
    CHECK(file.theme.has_value() == (std::string(wrong) == "#112233 "));
  }
  // All of them, not only the first; but not without end.
  CHECK(read_theme("a = 1\nb = 2\nc = 3", "own.theme").problems.size() == 3);
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "wrong\n";
  CHECK(read_theme(many, "own.theme").problems.size() <= 20);
}

TEST_CASE("theme files: text that is hard to read is said, and the theme can be used") {
  const ThemeFile file = read_theme("based on = dark\ntext = #303030\n", "dim.theme");
  REQUIRE(file.theme.has_value());
  REQUIRE_FALSE(file.warnings.empty());
  CHECK(has(file.warnings.front(), "dim.theme: text on window is"));
  CHECK(has(file.warnings.front(), "4.5 : 1"));
  for (const Theme& theme : themes()) CHECK(hard_to_read(theme).empty());
}

TEST_CASE("theme files: what a theme is printed as reads back") {
  for (const Theme& theme : themes()) {
    CAPTURE(theme.name);
    const ThemeFile file = read_theme(theme_text(theme), "again.theme");
    REQUIRE(file.theme.has_value());
    CHECK(file.theme->name == "my " + theme.name);
    for (const ts::data::PaletteColor& color : ts::data::palette_colors())
      CHECK((*file.theme).*color.color == theme.*color.color);
  }
}

TEST_CASE("theme files: any bytes are read without harm") {
  std::mt19937 random(5);
  const std::string pieces[] = {"name",   " = ",    "#",  "\n",       "based on", "dark",
                                "accent", "00ff00", "\0", "\xff\xfe", "=",        "text"};
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (std::size_t length = random() % 40; length > 0; --length)
      text += random() % 3 == 0 ? std::string(1, static_cast<char>(random())) : pieces[random() % std::size(pieces)];
    const ThemeFile file = read_theme(text, "any.theme");
    CHECK(file.theme.has_value() == file.problems.empty());
    for (const std::string& said : file.problems)
      for (const char c : said) CHECK((c >= 32 && c < 127));
  }
}

TEST_CASE("theme files: a folder, with one that is broken and two of one name") {
  const ts::test::TempFolder folder;
  ts::test::put_text(folder / "a.theme", "name = One\n");
  ts::test::put_text(folder / "b.theme", "name = One\n");
  ts::test::put_text(folder / "c.theme", "accent = blue\n");
  ts::test::put_text(folder / "d.theme", std::string(200'000, '#'));
  ts::test::put_text(folder / "notes.txt", "accent = blue\n");
  const std::string before = theme_folder_stamp(folder.path());
  std::vector<std::string> names, problems;
  std::vector<Theme> found;
  for (const ThemeFile& file : read_theme_folder(folder.path())) {
    if (file.theme) found.push_back(*file.theme);
    problems.insert(problems.end(), file.problems.begin(), file.problems.end());
  }
  REQUIRE(found.size() == 1);
  CHECK(problems.size() == 3);
  set_user_themes(found);
  CHECK(find_theme("One") != nullptr);
  CHECK(theme_names().back() == "One");
  const Theme* kept = find_theme("One");
  set_user_themes({});
  CHECK(find_theme("One") == nullptr);
  // Whoever looks at it still can.
  CHECK(kept->name == "One");
  ts::test::put_text(folder / "e.theme", "name = Two\n");
  CHECK(theme_folder_stamp(folder.path()) != before);
  CHECK(read_theme_folder(folder / "nowhere").empty());
  CHECK(read_theme_folder("").empty());
}
