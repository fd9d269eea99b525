// The program films each step; the sheet has some of the frames.
#include "tests/window/sheets.h"

#include <fmt/format.h>

#include <fstream>
#include <vector>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/window/screen.h"

namespace ts::test {
namespace {

constexpr double kFilmSeconds = 60;
// Of a move of so many parts: moments at which something is on its way.
constexpr int kParts = 7, kMoments[] = {2, 4, 6};

using Frames = std::vector<Picture>;

std::optional<Frames> film(const SizedStep& step, const std::vector<std::string>& look, std::string& problem) {
  const TempFolder folder;
  const std::string program = folder / "step.pto", frames = folder / "frames";
  put_text(program, step.text);
  std::vector<std::string>
      environment = Screen::get()->environment(),
      command = {
          program_path(), "film", program, "--steps", fmt::to_string(step.step), "--frames", fmt::to_string(kParts),
          "--captions",   "off",  "-o",    frames};
  for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"})
    environment.push_back(fmt::format("{}={}", name, folder.path()));
  command.insert(command.end(), look.begin(), look.end());
  for (const auto& [name, bytes] : step.data) {
    const std::string path = folder / name;
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    command.insert(command.end(), {"--in", name + "=" + path, "--raw", name + "=" + step.data_types.at(name)});
  }
  Child child({.command = command, .environment = environment, .log = folder / "log"});
  const auto status = child.end(kFilmSeconds);
  Frames made;
  for (const int moment : kMoments)
    if (auto picture = read_png(fmt::format("{}/frame-{:05}.png", frames, moment + 1))) made.push_back(*picture);
  if (status == 0 && made.size() == std::size(kMoments)) return made;
  problem = fmt::format("{}\n{}", status ? fmt::format("status {}", *status) : "no end", get_text(folder / "log"));
  return std::nullopt;
}

// Below each other the sizes of tiles, beside each other the moments.
Picture sheet_of(const std::vector<Frames>& rows) {
  const int wide = rows[0][0].width, high = rows[0][0].height;
  Picture sheet{wide * static_cast<int>(rows[0].size()), high * static_cast<int>(rows.size())};
  sheet.pixels.resize(static_cast<std::size_t>(sheet.width) * sheet.height);
  for (int y = 0; y < sheet.height; ++y)
    for (int x = 0; x < sheet.width; ++x) sheet.at(x, y) = rows[y / high][x / wide].at(x % wide, y % high);
  return sheet;
}

}  // namespace

std::optional<Picture> contact_sheet(const SizedFamily& family, const std::string& size, const std::string& theme,
                                     std::string& problem) {
  const SizedStep steps[] = {sized_step(family, 4, 8, family.type), sized_step(family, 64, 128, family.type),
                             sized_step(family, family.large_rows, family.large_cols, family.large_type)};
  std::vector<Frames> rows;
  for (const SizedStep& step : steps) {
    auto frames = film(step, {"--size", size, "--theme", theme}, problem);
    if (!frames) return std::nullopt;
    rows.push_back(std::move(*frames));
  }
  return sheet_of(rows);
}

}  // namespace ts::test
