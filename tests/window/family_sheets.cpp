// Each row of a sheet is a film of four pictures, without its first: there nothing has moved.
#include "tests/window/family_sheets.h"

#include <fmt/format.h>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/window/drawn_by_program.h"

namespace ts::test {
namespace {

constexpr int kProgresses = 3;  // a third of the way, two thirds, and the end

struct Sized {
  std::uint32_t rows, cols;
  const char* type;
};

// Pictures of one row, of equal size, beside each other.
void put_row(Picture& sheet, const Picture& picture, int row, int column) {
  if (sheet.pixels.empty()) {
    sheet = {.width = picture.width * kProgresses, .height = picture.height * 3};
    sheet.pixels.resize(static_cast<std::size_t>(sheet.width) * sheet.height);
  }
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x)
      sheet.at(column * picture.width + x, row * picture.height + y) = picture.at(x, y);
}

bool put_film(Picture& drawn, int row, const FamilySheet& sheet, const Sized& sized, std::string& problem) {
  const TempFolder folder;
  const SizedStep made = sized_step(*sheet.family, sized.rows, sized.cols, sized.type);
  const std::string path = folder / "step.pto", frames = folder / "frames";
  put_text(path, made.text);
  std::vector<std::string> arguments = {"film",       path,
                                        "--steps",    fmt::to_string(made.step),
                                        "--frames",   fmt::to_string(kProgresses),
                                        "--size",     sheet.size,
                                        "--theme",    sheet.theme,
                                        "--captions", "off",
                                        "-o",         frames};
  for (const auto& [name, bytes] : made.data) {
    const std::string file = folder / (name + ".bin");
    put_text(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    arguments.insert(arguments.end(), {"--in", name + "=" + file, "--raw", name + "=" + made.data_types.at(name)});
  }
  if (!draw_by_program(arguments, folder, problem)) return false;
  for (int i = 0; i < kProgresses; ++i) {
    const std::string frame = fmt::format("{}/frame-{:05}.png", frames, i + 2);
    const auto picture = read_png(frame);
    if (!picture) {
      problem = "no picture in " + frame;
      return false;
    }
    put_row(drawn, *picture, row, i);
  }
  return true;
}

}  // namespace

std::optional<Picture> render_sheet(const FamilySheet& sheet, std::string& problem) {
  const SizedFamily& family = *sheet.family;
  const Sized sizes[] = {
      {4, 8, family.type}, {64, 128, family.type}, {family.large_rows, family.large_cols, family.large_type}};
  Picture drawn;
  for (int row = 0; row < 3; ++row)
    if (!put_film(drawn, row, sheet, sizes[row], problem)) return std::nullopt;
  return drawn;
}

}  // namespace ts::test
