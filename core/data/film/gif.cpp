// Writing GIF files with giflib.
#include "core/data/film/gif.h"

#include <fmt/format.h>
#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "core/data/film/gif_colors.h"

namespace ts::data {
namespace {

constexpr int kUnchanged = 255;  // the number of the colour that lets the picture before be seen
constexpr std::uint32_t kLongest = 65535;

struct Part {
  std::uint32_t left = 0, top = 0, width = 0, height = 0;
};

// What differs; nothing: all is the same.
std::optional<Part> changed_part(const Picture& before, const Picture& now) {
  const std::size_t line = std::size_t{now.width} * 3;
  std::uint32_t top = 0, bottom = now.height, left = now.width, right = 0;
  const auto same = [&](std::uint32_t row) {
    return std::memcmp(&before.rgb[row * line], &now.rgb[row * line], line) == 0;
  };
  while (top < bottom && same(top)) ++top;
  if (top == bottom) return std::nullopt;
  while (same(bottom - 1)) --bottom;
  for (std::uint32_t row = top; row < bottom; ++row) {
    const auto *a = &before.rgb[row * line], *b = &now.rgb[row * line];
    const auto first = static_cast<std::uint32_t>(std::mismatch(a, a + line, b).first - a) / 3;
    if (first >= now.width) continue;
    left = std::min(left, first);
    std::size_t last = line;
    while (last > 0 && a[last - 1] == b[last - 1]) --last;
    right = std::max(right, static_cast<std::uint32_t>((last + 2) / 3));
  }
  return Part{left, top, right - left, bottom - top};
}

int write_piece(GifFileType* file, const GifByteType* bytes, int size) {
  auto& writer = *static_cast<FileWriter*>(file->UserData);
  writer.write(std::as_bytes(std::span(bytes, static_cast<std::size_t>(size))));
  return writer.good() ? size : 0;
}

}  // namespace

struct GifWriter::Film {
  std::string path;
  FileWriter writer;
  GifFileType* file = nullptr;
  Picture shown, waiting;   // what has been written; what has not, because it may stay longer
  std::uint32_t stays = 0;  // hundredths
  bool failed = false;

  Film(std::string to, WriteRules rules) : path(std::move(to)), writer(path, std::move(rules)) {}
  ~Film() {
    int error = 0;
    if (file != nullptr) EGifCloseFile(file, &error);
  }
  void fail_unless(bool worked) { failed = failed || !worked; }

  void begin(const Picture& picture) {
    int error = 0;
    file = EGifOpen(&writer, write_piece, &error);
    if (file == nullptr) return fail_unless(false);
    EGifSetGifVersion(file, true);
    fail_unless(EGifPutScreenDesc(file, static_cast<int>(picture.width), static_cast<int>(picture.height), 8, 0,
                                  nullptr) == GIF_OK);
    // Again and again.
    const unsigned char forever[] = {1, 0, 0};
    fail_unless(EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE) == GIF_OK);
    fail_unless(EGifPutExtensionBlock(file, 11, "NETSCAPE2.0") == GIF_OK);
    fail_unless(EGifPutExtensionBlock(file, 3, forever) == GIF_OK);
    fail_unless(EGifPutExtensionTrailer(file) == GIF_OK);
  }

  void put_waiting() {
    if (waiting.rgb.empty() || failed) return;
    const bool first = shown.rgb.empty();
    if (first) begin(waiting);
    const Part part =
        first ? Part{0, 0, waiting.width, waiting.height} : changed_part(shown, waiting).value_or(Part{0, 0, 1, 1});
    if (!failed) put(part, first);
    shown = std::exchange(waiting, {});
  }

  void put(const Part& part, bool first) {
    std::vector<Rgb> changed;
    std::vector<std::uint8_t> line_of(std::size_t{part.width} * part.height, kUnchanged);
    std::vector<std::size_t> where;
    for (std::uint32_t row = 0; row < part.height; ++row)
      for (std::uint32_t col = 0; col < part.width; ++col) {
        const std::size_t at = (std::size_t{part.top + row} * waiting.width + part.left + col) * 3;
        if (!first && std::memcmp(&shown.rgb[at], &waiting.rgb[at], 3) == 0) continue;
        changed.push_back({waiting.rgb[at], waiting.rgb[at + 1], waiting.rgb[at + 2]});
        where.push_back(std::size_t{row} * part.width + col);
      }
    const FewColors few = few_colors(changed);
    for (std::size_t i = 0; i < where.size(); ++i) line_of[where[i]] = few.pixels[i];
    GraphicsControlBlock control{DISPOSE_DO_NOT, false, static_cast<int>(std::min(stays, kLongest)), kUnchanged};
    GifByteType bytes[4];
    EGifGCBToExtension(&control, bytes);
    fail_unless(EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, sizeof bytes, bytes) == GIF_OK);
    ColorMapObject* map = GifMakeMapObject(256, nullptr);
    if (map == nullptr) return fail_unless(false);
    for (std::size_t i = 0; i < few.colors.size(); ++i)
      map->Colors[i] = {few.colors[i][0], few.colors[i][1], few.colors[i][2]};
    fail_unless(EGifPutImageDesc(file, static_cast<int>(part.left), static_cast<int>(part.top),
                                 static_cast<int>(part.width), static_cast<int>(part.height), false, map) == GIF_OK);
    GifFreeMapObject(map);
    for (std::uint32_t row = 0; row < part.height && !failed; ++row)
      fail_unless(EGifPutLine(file, &line_of[std::size_t{row} * part.width], static_cast<int>(part.width)) == GIF_OK);
  }
};

GifWriter::GifWriter(std::string path, WriteRules rules)
    : film_(std::make_unique<Film>(std::move(path), std::move(rules))) {}
GifWriter::~GifWriter() = default;

void GifWriter::add(const Picture& picture, std::uint32_t hundredths) {
  constexpr std::uint32_t kLargest = 65535;
  Film& film = *film_;
  if (picture.width == 0 || picture.height == 0 || picture.width > kLargest || picture.height > kLargest)
    return film.fail_unless(false);
  const bool same =
      film.waiting.width == picture.width && film.waiting.height == picture.height && film.waiting.rgb == picture.rgb;
  if (!same) {
    film.put_waiting();
    // Of another size than the first one is not possible.
    if (!film.shown.rgb.empty() && (film.shown.width != picture.width || film.shown.height != picture.height))
      return film.fail_unless(false);
    film.waiting = picture;
    film.stays = 0;
  }
  film.stays += hundredths;
}

Error GifWriter::finish() {
  Film& film = *film_;
  film.put_waiting();
  if (film.shown.rgb.empty())
    return {fmt::format("{}: a film without pictures", film.path), "choose steps to be shown"};
  int error = 0;
  if (film.file != nullptr) film.fail_unless(EGifCloseFile(std::exchange(film.file, nullptr), &error) == GIF_OK);
  if (film.failed && film.writer.good())
    return {fmt::format("{}: the pictures cannot be written as GIF", film.path),
            "they have to be of one size, up to 65535 pixels on each side"};
  return film.writer.finish();
}

}  // namespace ts::data
