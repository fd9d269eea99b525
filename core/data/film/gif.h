// Moving pictures as GIF files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/data/file.h"
#include "core/data/png.h"

namespace ts::data {

// Pictures of one size, one after the other. A picture holds what changed against the one before; one that is the same only
// makes that one stay longer. Up to 255 colours in what changed are kept exactly, more are joined to the nearest.
class GifWriter {
 public:
  explicit GifWriter(std::string path, WriteRules rules = {});
  ~GifWriter();
  GifWriter(const GifWriter&) = delete;
  GifWriter& operator=(const GifWriter&) = delete;

  // Shown for so many hundredths of a second.
  void add(const Picture& picture, std::uint32_t hundredths);
  // Without it nothing is left of the file.
  Error finish();

 private:
  struct Film;
  std::unique_ptr<Film> film_;
};

}  // namespace ts::data
