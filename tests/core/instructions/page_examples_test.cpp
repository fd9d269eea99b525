// The examples on the pages of the instruction set: each block says what goes in and what comes out, and is run.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "core/catalogue/catalogue.h"
#include "core/isa/element.h"
#include "core/program/builder.h"
#include "core/record/recording.h"
#include "tests/support/instructions/cube_tiles.h"
#include "tests/support/instructions/page_rules.h"

namespace ts::test {
namespace {

// "src f32 2x3 = 1 2 3 / 4 5 6", "scalar f32 = 2", "cmpMode = lt".
struct Line {
  std::string name;
  bool before = false, column = false;
  std::optional<DType> type;
  std::uint32_t rows = 0, cols = 0;  // 0: no tile
  PadKind pad = PadKind::Null;
  std::vector<std::string> values;
};
struct PageExample {
  std::string place, instruction;
  std::vector<Target> targets;
  std::vector<Line> lines;
};

Line line_of(const std::string& text) {
  Line line;
  std::istringstream words(text);
  std::string word;
  words >> line.name;
  while (words >> word && word != "=") {
    unsigned rows, cols;
    if (word == "before") line.before = true;
    else if (word == "col") line.column = true;
    else if (word.starts_with("pad="))
      line.pad = word == "pad=zero" ? PadKind::Zero : word == "pad=max" ? PadKind::Max : PadKind::Min;
    else if (std::sscanf(word.c_str(), "%ux%u", &rows, &cols) == 2) line.rows = rows, line.cols = cols;
    else line.type = dtype_from_name(word);
  }
  while (words >> word) {
    if (word == "/") continue;
    const std::size_t star = word.find('*');
    const int times = star == std::string::npos ? 1 : std::atoi(word.c_str() + star + 1);
    for (int i = 0; i < times; ++i) line.values.push_back(word.substr(0, star));
  }
  return line;
}

std::vector<PageExample> examples_of(const std::string& file) {
  std::vector<PageExample> out;
  std::ifstream in(file);
  std::string text;
  for (int number = 1; std::getline(in, text); ++number) {
    if (text != "```example") continue;
    PageExample example{.place = fmt::format("{}:{}", file, number), .instruction = {}, .targets = {}, .lines = {}};
    for (bool first = true; std::getline(in, text) && text != "```"; first = false) {
      ++number;
      if (!first) {
        example.lines.push_back(line_of(text));
        continue;
      }
      std::istringstream words(text);
      std::string word;
      words >> example.instruction;
      while (words >> word) example.targets.push_back(word == "a5" ? Target::A5 : Target::A2A3);
    }
    ++number;
    out.push_back(std::move(example));
  }
  return out;
}

std::uint64_t bits_of_word(DType type, const std::string& word) {
  if (word.starts_with("0x")) return std::strtoull(word.c_str(), nullptr, 16);
  if (is_float(type)) return from_double(type, std::strtod(word.c_str(), nullptr));
  const std::uint64_t bits = word.starts_with("-") ? static_cast<std::uint64_t>(std::strtoll(word.c_str(), nullptr, 10))
                                                   : std::strtoull(word.c_str(), nullptr, 10);
  return size_bits(type) == 64 ? bits : bits & ((1ull << size_bits(type)) - 1);
}
bool same(DType type, const std::string& wanted, std::uint64_t bits) {
  if (wanted == "nan") return is_float(type) && to_double(type, bits) != to_double(type, bits);
  return bits_of_word(type, wanted) == bits;
}

TileType type_of(const Line& line) {
  const std::uint32_t lanes = static_cast<std::uint32_t>(elements_in(*line.type, BLK)),
                      wide = ((line.column ? line.rows : line.cols) + lanes - 1) / lanes * lanes;
  TileType type = line.column ? vec_tile(*line.type, wide, line.cols, kDynamic, kDynamic)
                              : vec_tile(*line.type, line.rows, wide, kDynamic, kDynamic);
  if (line.column) type.blayout = BoxOrder::ColMajor;
  type.pad = line.pad;
  return type;
}

// Where the operand stands, in the boxes that the cube core reads there.
TileType placed(TileType type, const OperandSpec& spec, Target target) {
  const TileLoc loc = spec.loc;
  if (loc == TileLoc::Vec) return type;
  type.loc = loc;
  if (loc == TileLoc::Bias) return type;
  if (loc == TileLoc::Scaling) {
    TileType scales = scale_tile(loc, spec.name == "lhs_scale", type.rows, type.cols);
    scales.valid_rows = scales.valid_cols = kDynamic;
    return scales;
  }
  const bool right = loc == TileLoc::Right, rows_of_boxes = right || (loc == TileLoc::Left && target == Target::A2A3);
  type.blayout = rows_of_boxes ? BoxOrder::RowMajor : BoxOrder::ColMajor;
  type.slayout = right ? InnerOrder::ColMajor : InnerOrder::RowMajor;
  type.fractal = loc == TileLoc::Acc ? 1024 : 512;
  const Box box = box_of(type);
  type.cols = (type.cols + box.cols - 1) / box.cols * box.cols;
  if (is_small_float(type.dtype) && loc == TileLoc::Left) type.cols = (type.cols + 63) / 64 * 64;
  if (type.rows != 1) type.rows = (type.rows + box.rows - 1) / box.rows * box.rows;
  return type;
}

void put(Memory& memory, const TileRef& tile, const Line& line) {
  for (std::uint32_t i = 0; i < line.values.size(); ++i) {
    const ByteRange place = tile.place_of(i / line.cols, i % line.cols);
    memory.set_element(place, bits_of_word(tile.type.dtype, line.values[i]));
    memory.mark(memory.map().flat(place), place.size, Definedness::Written);
  }
}

void run_example(const PageExample& example, Target target) {
  const InstructionRow* row = find_instruction(example.instruction);
  REQUIRE(row != nullptr);
  ProgramBuilder builder(target, "example");
  std::map<std::string, const Line*> results;
  std::map<std::string, TileId> tiles;
  std::vector<BuildAttribute> attributes;
  std::vector<BuildOperand> inputs, outputs;
  std::vector<OperandKind> kinds;
  std::size_t result_count = 0;
  const auto spec_of = [&](const std::string& name) -> const OperandSpec* {
    for (const FormRow& form : row->forms)
      for (const OperandSpec& spec : form.operands)
        if (spec.name == name) return &spec;
    return nullptr;
  };
  const auto is_result = [&](const std::string& name) {
    const OperandSpec* spec = spec_of(name);
    return spec != nullptr && spec->role == Role::Out;
  };
  // A tile that is turned into another stands where that one does.
  const bool one_place = example.instruction == "treshape" || example.instruction == "tfillpad_inplace";
  for (const Line& line : example.lines) {
    if (!line.type) {
      attributes.push_back({line.name, line.values.at(0)});
      continue;
    }
    if (line.rows == 0) {
      inputs.push_back(Scalar{*line.type, bits_of_word(*line.type, line.values.at(0))});
      kinds.push_back(OperandKind::Scalar);
      continue;
    }
    if (line.before) continue;
    const OperandSpec* spec = spec_of(line.name);
    TileType type = spec == nullptr ? type_of(line) : placed(type_of(line), *spec, target);
    if (example.instruction == "tfillpad_inplace" && line.name == "src") {
      type = type_of(example.lines.back());
      type.pad = PadKind::Null;
    }
    TileOptions options{.address = {}, .valid_rows = line.rows, .valid_cols = line.cols};
    if (one_place) options.address = 0x1000;
    const TileId tile = builder.tile(line.name, type, options);
    tiles.emplace(line.name, tile);
    if (is_result(line.name)) {
      outputs.push_back(tile);
      results[line.name] = &line;
      ++result_count;
    } else {
      inputs.push_back(tile);
      kinds.push_back(OperandKind::Tile);
    }
  }
  REQUIRE(find_form(*row, kinds, result_count) >= 0);
  builder.add(example.instruction, inputs, outputs, attributes);
  Diagnostics diagnostics;
  const Program program = builder.build(diagnostics);
  for (const Diagnostic& diagnostic : diagnostics)
    CHECK_MESSAGE(diagnostic.severity != Severity::Error, diagnostic.format());
  REQUIRE(!has_error(diagnostics));
  const Bound bound = bind_at_start(program, 0);
  const auto recording =
      Recording::run(program, {.budget_bytes = std::size_t{2} << 20, .initial = [&](Memory& memory) {
                                 for (const Line& line : example.lines)
                                   if (line.type && line.rows != 0 && (line.before || !is_result(line.name)))
                                     put(memory, bound.tile(line.name), line);
                               }});
  REQUIRE(recording->count() == 1);
  for (const auto& result : results) {
    const std::string& name = result.first;
    const Line* line = result.second;
    const TileRef& tile = bound.tile(name);
    for (std::uint32_t i = 0; i < line->values.size(); ++i) {
      const std::uint64_t bits = recording->final_memory().element(tile.place_of(i / line->cols, i % line->cols));
      CHECK_MESSAGE(
          same(tile.type.dtype, line->values[i], bits),
          fmt::format("{} [{}, {}]: {} says {}, the program gives 0x{:x} ({})", name, i / line->cols, i % line->cols,
                      example.place, line->values[i], bits, format_value(tile.type.dtype, bits)));
    }
  }
}

}  // namespace

TEST_CASE("pages: examples come out as their pages say") {
  int run = 0;
  for (const std::string& path : page_paths()) {
    for (const PageExample& example : examples_of(path)) {
      if (find_instruction(example.instruction) == nullptr)
        continue;  // a page ahead of its row is another test's business
      for (const Target target : example.targets) {
        INFO(example.place << " on " << std::string(name(target)));
        run_example(example, target);
        ++run;
      }
    }
  }
  CHECK(run > 50);
}

}  // namespace ts::test
