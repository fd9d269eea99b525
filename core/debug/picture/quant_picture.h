// Quantisation as numbers on a line: where every element stood among the codes before it became one of them, the scale that
// it shares with others, and what the code is worth. Of the other way, from codes to floats, as well.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "core/debug/origins/questions.h"
#include "core/debug/picture/stage_window.h"
#include "core/debug/picture/step_map.h"
#include "core/isa/element.h"

namespace ts {

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

struct QuantCell {
  std::uint64_t code = 0, value = 0;  // bits
  // On the line of codes, before it was rounded; of what becomes a float the code itself. NaN: nowhere.
  double place = kNoNumber;
  // What the code is worth, less the value it was made of; of what becomes a float the value, less what the code is worth.
  double error = kNoNumber;
  bool clipped = false;     // an end of the type stands for it
  std::uint32_t scale = 0;  // of QuantPicture::scales
};

// Elements that share a scale, and the elements of operands that say it.
struct QuantScale {
  std::optional<StepElement> factor, zero;  // what is multiplied by, and the code of 0
  std::optional<StepElement> exponent,
      largest;  // of a shared exponent: its code, and the magnitude that it was made of
  double factor_number = 1, zero_number = 0;
  std::vector<RowCol> elements = {};
};

struct QuantErrors {
  std::uint32_t count = 0, clipped = 0;  // elements; those without an error, NaN and infinities, do not count
  double largest = 0;                    // magnitude
  RowCol where = {};                     // of it
  double root_mean_square = 0;
};

struct QuantPicture {
  bool to_codes = true;         // false: codes become floats
  int codes = -1, values = -1;  // operands
  std::uint32_t rows = 0, cols = 0;
  std::vector<QuantCell> cells = {};  // of the valid region, row by row
  std::vector<QuantScale> scales = {};
  double least = 0, most = 0;  // the numbers of the first and the last code
  DType code_type = DType::I8, value_type = DType::F32;
  QuantErrors errors = {};

  const QuantCell& at(std::uint32_t row, std::uint32_t col) const { return cells[std::size_t{row} * cols + col]; }
  const QuantScale& scale_of(const QuantCell& cell) const { return scales[cell.scale]; }
  // What a code is worth under a scale.
  double worth(const QuantScale& scale, double code) const {
    return to_codes ? (code - scale.zero_number) / scale.factor_number
                    : (code - scale.zero_number) * scale.factor_number;
  }
};

// Of a step that quantises, or goes the other way: by one scale for each row, or shared exponents of groups. Asked now and then whether to go on; else the picture has no cells.
QuantPicture quant_picture(Questions& questions, std::uint32_t step, const std::function<bool()>& go_on = {});

struct QuantCode {
  std::uint64_t bits = 0;
  double number = 0;
};
// The code and as many as `side` of its neighbours on each side, as far as there are, by number. Of NaN nothing.
std::vector<QuantCode> codes_around(DType type, std::uint64_t code, std::uint32_t side);

}  // namespace ts
