// Quantisation read off the trace, for the numbers before rounding, and off the data flow, for who shares a scale.
#include "core/debug/picture/quant_picture.h"

#include <cmath>
#include <map>

#include "core/debug/elements/element_facts.h"
#include "core/debug/elements/elements.h"
#include "core/debug/origins/unrounded.h"

namespace ts {
namespace {

int operand_number(const Bound& bound, std::string_view name) {
  const Operand* found = bound.find(name);
  return found == nullptr ? -1 : static_cast<int>(found - bound.operands.data());
}
const TileRef& tile_of(const Bound& bound, int operand) {
  return bound.operands[static_cast<std::size_t>(operand)].tile;
}

// The ends of the line: the least and the greatest number of a type.
std::pair<double, double> ends_of(DType type) {
  const ElementFormat& format = element_format(type);
  std::uint64_t low = 0, high = 0;
  while (const auto below = neighbours(format, low).below) {
    if (classify(format, *below) == ElementClass::Infinite) break;
    low = *below;
  }
  while (const auto above = neighbours(format, high).above) {
    if (classify(format, *above) == ElementClass::Infinite) break;
    high = *above;
  }
  return {number(format, low), number(format, high)};
}

class QuantPainter {
 public:
  QuantPainter(Questions& questions, std::uint32_t step, QuantPicture& picture)
      : questions_(questions), step_(step), bound_(questions.recording().bound(step)), picture_(picture) {
    const int src = operand_number(bound_, "src"), dst = operand_number(bound_, "dst");
    constexpr DTypeSet kValues{DType::F32, DType::F16, DType::BF16};
    picture_.to_codes = kValues.contains(tile_of(bound_, src).type.dtype);
    picture_.codes = picture_.to_codes ? dst : src;
    picture_.values = picture_.to_codes ? src : dst;
    picture_.code_type = tile_of(bound_, picture_.codes).type.dtype;
    picture_.value_type = tile_of(bound_, picture_.values).type.dtype;
    std::tie(picture_.least, picture_.most) = ends_of(picture_.code_type);
    picture_.rows = tile_of(bound_, dst).valid_rows;
    picture_.cols = tile_of(bound_, dst).valid_cols;
    picture_.cells.resize(std::size_t{picture_.rows} * picture_.cols);
  }

  bool paint(const std::function<bool()>& go_on) {
    read_elements();
    if (picture_.to_codes) read_places();
    if (go_on && !go_on()) return false;
    if (!share_scales(go_on)) return false;
    find_errors();
    return true;
  }

 private:
  bool is_result(int operand) const {
    return bound_.operands[static_cast<std::size_t>(operand)].spec->role == Role::Out;
  }
  QuantCell& cell(std::uint32_t row, std::uint32_t col) {
    return picture_.cells[std::size_t{row} * picture_.cols + col];
  }
  template <class F>
  void each(F f) {
    for (std::uint32_t row = 0; row < picture_.rows; ++row)
      for (std::uint32_t col = 0; col < picture_.cols; ++col) f(row, col, cell(row, col));
  }

  // Inputs as they stood before the step, results as it left them.
  void read_elements() {
    for (const int operand : {picture_.codes, picture_.values}) {
      const Elements elements =
          elements_of(questions_.memory_at(step_ + (is_result(operand) ? 1 : 0)), tile_of(bound_, operand));
      each([&](std::uint32_t row, std::uint32_t col, QuantCell& one) {
        (operand == picture_.codes ? one.code : one.value) = elements.at(row, col);
      });
    }
    for (const char* name : {"scale", "offset", "scaling", "exponents", "max"})
      if (const int operand = operand_number(bound_, name); operand >= 0)
        elements_[operand] =
            elements_of(questions_.memory_at(step_ + (is_result(operand) ? 1 : 0)), tile_of(bound_, operand));
    each([&](std::uint32_t, std::uint32_t, QuantCell& one) {
      if (!picture_.to_codes) one.place = to_double(picture_.code_type, one.code);
    });
  }

  void read_places() {
    UnroundedElements unrounded(questions_.trace(step_));
    const TileRef& codes = tile_of(bound_, picture_.codes);
    each([&](std::uint32_t row, std::uint32_t col, QuantCell& one) {
      const auto before = unrounded.of(codes.place_of(row, col));
      if (!before) return;
      one.place = before->value.number();
      const double code = to_double(picture_.code_type, one.code), first = before->first.number();
      // Floats are rounded and cut off at once.
      one.clipped =
          is_float(picture_.code_type) ? one.place < picture_.least || one.place > picture_.most : first != code;
    });
  }

  double number_of(const StepElement& element) const {
    const Elements& elements = elements_.at(element.operand);
    return number(*elements.format, elements.at(element.row, element.col));
  }
  // Elements with the same sources among the factors share a scale.
  void give_scale(RowCol at, const QuantScale& scale) {
    const auto key = std::pair{scale.factor.value_or(StepElement{}), scale.zero.value_or(StepElement{})};
    const auto [known, is_new] = number_of_scale_.try_emplace(key, static_cast<std::uint32_t>(picture_.scales.size()));
    if (is_new) {
      picture_.scales.push_back(scale);
      if (scale.factor) picture_.scales.back().factor_number = number_of(*scale.factor);
      if (scale.zero) picture_.scales.back().zero_number = number_of(*scale.zero);
    }
    cell(at.first, at.second).scale = known->second;
    picture_.scales[known->second].elements.push_back(at);
  }
  bool share_scales(const std::function<bool()>& go_on) {
    const Flow flow = questions_.flow_of(step_);
    if (bound_.has("scaling")) read_groups(flow);
    const int factors = operand_number(bound_, "scale"), zeros = operand_number(bound_, "offset"),
              dst = operand_number(bound_, "dst");
    for (std::uint32_t row = 0; row < picture_.rows; ++row) {
      if (go_on && !go_on()) return false;
      for (std::uint32_t col = 0; col < picture_.cols; ++col) {
        if (bound_.has("scaling")) {
          give_scale({row, col}, groups_[{row, col}]);
          continue;
        }
        QuantScale scale;
        for (const Source& source : flow.sources(dst, row, col)) {
          if (source.kind != Source::Kind::Element) continue;
          if (source.operand == factors) scale.factor = StepElement{factors, source.row, source.col};
          if (source.operand == zeros) scale.zero = StepElement{zeros, source.row, source.col};
        }
        give_scale({row, col}, scale);
      }
    }
    return true;
  }
  // A group are the elements that a scale, an exponent and a largest magnitude were made of.
  void read_groups(const Flow& flow) {
    const std::pair<const char*, std::optional<StepElement> QuantScale::*> kParts[] = {
        {"scaling", &QuantScale::factor}, {"exponents", &QuantScale::exponent}, {"max", &QuantScale::largest}};
    for (const auto& [name, part] : kParts) {
      const int operand = operand_number(bound_, name);
      const TileRef& tile = tile_of(bound_, operand);
      for (std::uint32_t row = 0; row < tile.valid_rows; ++row)
        for (std::uint32_t col = 0; col < tile.valid_cols; ++col) {
          if (!flow.wrote(tile.range().with(tile.at(row, col), tile.elem_bytes()))) continue;
          for (const Source& source : flow.sources(operand, row, col))
            if (source.kind == Source::Kind::Element && source.operand == picture_.values)
              groups_[{source.row, source.col}].*part = StepElement{operand, row, col};
        }
    }
  }

  void find_errors() {
    QuantErrors& errors = picture_.errors;
    double sum = 0;
    each([&](std::uint32_t row, std::uint32_t col, QuantCell& one) {
      errors.clipped += one.clipped ? 1 : 0;
      const double worth = picture_.worth(picture_.scale_of(one), to_double(picture_.code_type, one.code)),
                   value = to_double(picture_.value_type, one.value);
      const double error = picture_.to_codes ? worth - value : value - worth;
      if (!std::isfinite(error)) return;
      one.error = error;
      ++errors.count;
      sum += error * error;
      if (std::abs(error) <= errors.largest) return;
      errors.largest = std::abs(error);
      errors.where = {row, col};
    });
    if (errors.count != 0) errors.root_mean_square = std::sqrt(sum / errors.count);
  }

  Questions& questions_;
  const std::uint32_t step_;
  const Bound& bound_;
  QuantPicture& picture_;
  std::map<int, Elements> elements_;  // of operands with scales
  std::map<RowCol, QuantScale> groups_;
  std::map<std::pair<StepElement, StepElement>, std::uint32_t> number_of_scale_;
};

}  // namespace

QuantPicture quant_picture(Questions& questions, std::uint32_t step, const std::function<bool()>& go_on) {
  QuantPicture picture;
  if (!QuantPainter(questions, step, picture).paint(go_on)) picture.cells.clear();
  return picture;
}

std::vector<QuantCode> codes_around(DType type, std::uint64_t code, std::uint32_t side) {
  const ElementFormat& format = element_format(type);
  std::vector<QuantCode> codes;
  if (classify(format, code) == ElementClass::Nan) return codes;
  std::uint64_t first = code;
  for (std::uint32_t i = 0; i < side; ++i) {
    const auto below = neighbours(format, first).below;
    if (!below || classify(format, *below) == ElementClass::Infinite) break;
    first = *below;
  }
  std::optional<std::uint64_t> next = first;
  for (std::uint32_t behind = 0; next && behind <= side; next = neighbours(format, *next).above) {
    if (classify(format, *next) == ElementClass::Infinite) break;
    // Of two zeros only one is passed.
    const bool here = number(format, *next) == number(format, code);
    codes.push_back({here ? code : *next, number(format, *next)});
    if (here || behind > 0) ++behind;
  }
  return codes;
}

}  // namespace ts
