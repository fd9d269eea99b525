// Films: what is read back is what was written; what is given up leaves nothing.
#include "core/data/film/film.h"

#include <doctest/doctest.h>
#include <gif_lib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "core/data/film/gif_colors.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/random.h"

namespace ts::test {
namespace {

using data::Picture;

Picture plain(std::uint32_t width, std::uint32_t height, std::uint8_t value) {
  return {width, height, std::vector<std::uint8_t>(std::size_t{width} * height * 3, value)};
}

void paint(Picture& picture, Random& random, std::uint32_t colors) {
  const std::uint32_t left = random.below(picture.width), top = random.below(picture.height);
  for (std::uint32_t row = top; row < picture.height; ++row)
    for (std::uint32_t col = left; col < picture.width; ++col) {
      const std::uint32_t color = random.below(colors) * 77;
      for (std::size_t channel = 0; channel < 3; ++channel)
        picture.rgb[(std::size_t{row} * picture.width + col) * 3 + channel] =
            static_cast<std::uint8_t>(color >> (3 * channel));
    }
}

struct ReadFilm {
  std::vector<Picture> pictures;
  std::vector<int> hundredths;
};

// As a viewer shows it.
ReadFilm read_gif(const std::string& path) {
  ReadFilm film;
  int error = 0;
  GifFileType* file = DGifOpenFileName(path.c_str(), &error);
  REQUIRE(file != nullptr);
  REQUIRE(DGifSlurp(file) == GIF_OK);
  Picture shown = plain(static_cast<std::uint32_t>(file->SWidth), static_cast<std::uint32_t>(file->SHeight), 0);
  for (int i = 0; i < file->ImageCount; ++i) {
    GraphicsControlBlock control;
    REQUIRE(DGifSavedExtensionToGCB(file, i, &control) == GIF_OK);
    const SavedImage& image = file->SavedImages[i];
    const GifImageDesc& part = image.ImageDesc;
    for (int row = 0; row < part.Height; ++row)
      for (int col = 0; col < part.Width; ++col) {
        const int number = image.RasterBits[row * part.Width + col];
        if (number == control.TransparentColor) continue;
        const GifColorType& color = part.ColorMap->Colors[number];
        auto* pixel = &shown.rgb[(static_cast<std::size_t>(part.Top + row) * shown.width +
                                  static_cast<std::size_t>(part.Left + col)) *
                                 3];
        pixel[0] = color.Red;
        pixel[1] = color.Green;
        pixel[2] = color.Blue;
      }
    film.pictures.push_back(shown);
    film.hundredths.push_back(control.DelayTime);
  }
  DGifCloseFile(file, &error);
  return film;
}

TEST_CASE("film: a GIF of random pictures reads back as they were") {
  Random random(2604);
  const TempFolder folder;
  for (int round = 0; round < 8; ++round) {
    const std::string path = folder / "x.gif";
    const std::uint32_t width = 1 + random.below(70), height = 1 + random.below(50);
    Picture picture = plain(width, height, 9);
    std::vector<Picture> wanted;
    std::vector<int> stays;
    data::FilmWriter writer(std::get<std::unique_ptr<data::FilmForm>>(data::film_form(path, 10)));
    for (int frame = 0; frame < 6; ++frame) {
      if (frame > 0 && !random.one_in(3)) paint(picture, random, 100);
      if (!wanted.empty() && wanted.back().rgb == picture.rgb) {
        stays.back() += 10;
      } else {
        wanted.push_back(picture);
        stays.push_back(10);
      }
      CHECK(writer.add(picture, 10));
    }
    CHECK(writer.finish().text == "");
    const ReadFilm film = read_gif(path);
    REQUIRE(film.pictures.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(film.pictures[i].rgb == wanted[i].rgb);
    CHECK(film.hundredths == stays);
  }
}

TEST_CASE("film: more colours than a GIF has are joined to near ones") {
  std::vector<data::Rgb> pixels;
  for (int i = 0; i < 4096; ++i)
    pixels.push_back({static_cast<std::uint8_t>(i % 256), static_cast<std::uint8_t>(i / 16), 40});
  const data::FewColors few = data::few_colors(pixels);
  CHECK(few.colors.size() <= 255);
  REQUIRE(few.pixels.size() == pixels.size());
  int worst = 0;
  for (std::size_t i = 0; i < pixels.size(); ++i)
    for (std::size_t channel = 0; channel < 3; ++channel)
      worst = std::max(worst, std::abs(int{pixels[i][channel]} - int{few.colors[few.pixels[i]][channel]}));
  CHECK(worst <= 32);
}

TEST_CASE("film: what is given up leaves nothing, in every form") {
  const TempFolder folder;
  for (const char* name : {"x.gif", "pictures"}) {
    {
      data::FilmWriter writer(std::get<std::unique_ptr<data::FilmForm>>(data::film_form(folder / name, 10)));
      for (std::uint8_t i = 0; i < 5; ++i) CHECK(writer.add(plain(30, 20, i), 10));
    }
    CHECK(folder.entries() == 0);
  }
}

TEST_CASE("film: a folder of pictures, which is not written over another one") {
  const TempFolder folder;
  data::FilmWriter writer(std::get<std::unique_ptr<data::FilmForm>>(data::film_form(folder / "pictures", 10)));
  for (std::uint8_t i = 0; i < 3; ++i) CHECK(writer.add(plain(30, 20, i), 10));
  CHECK(writer.finish().text == "");
  CHECK(std::filesystem::file_size(folder / "pictures/frame-00003.png") > 50);
  data::FilmWriter other(std::get<std::unique_ptr<data::FilmForm>>(data::film_form(folder / "pictures", 10)));
  other.add(plain(30, 20, 1), 10);
  CHECK(has(other.finish().text, "is there already"));
  CHECK(folder.entries() == 1);
}

TEST_CASE("film: WebM is made by the ffmpeg that is found, or what is missing is said") {
  const TempFolder folder;
  const std::string usual = std::getenv("PATH");
  ::setenv("PATH", folder.path().c_str(), 1);
  const auto missing = data::film_form(folder / "x.webm", 10);
  REQUIRE(std::holds_alternative<data::Error>(missing));
  CHECK(has(std::get<data::Error>(missing).hint, "apt-get install ffmpeg"));
  // One that counts bytes instead: its last word is the file.
  put_text(folder / "ffmpeg", "#!/bin/sh\nfor last; do :; done\nexec /usr/bin/wc -c > \"$last\"\n");
  std::filesystem::permissions(folder / "ffmpeg", std::filesystem::perms::owner_all);
  {
    data::FilmWriter writer(std::get<std::unique_ptr<data::FilmForm>>(data::film_form(folder / "x.webm", 10)));
    CHECK(writer.add(plain(30, 20, 1), 10));
    CHECK(writer.add(plain(30, 20, 2), 30));  // lasts three pictures
    CHECK(writer.finish().text == "");
  }
  ::setenv("PATH", usual.c_str(), 1);
  CHECK(std::stoi(get_text(folder / "x.webm")) == 4 * 30 * 20 * 3);
  CHECK(folder.entries() == 2);
  CHECK(std::holds_alternative<data::Error>(data::film_form(folder / "x.mov", 10)));
}

}  // namespace
}  // namespace ts::test
