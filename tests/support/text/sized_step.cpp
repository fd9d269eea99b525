// The table of families, and their texts.
#include "tests/support/text/sized_step.h"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/text/small_text.h"

namespace ts::test {
namespace {

// clang-format off
const SizedFamily kFamilies[] = {
    {.name = "zip", .what = "Interleave", .instruction = "tinterleave", .ins = "src0:{full}; src1:{full}", .outs = "dst0:{full}; dst1:{full}", .large_rows = 240},
    {.name = "unzip", .what = "De-interleave", .instruction = "tdeinterleave", .ins = "src0:{full}; src1:{full}", .outs = "dst0:{full}; dst1:{full}", .large_rows = 240},
    {.name = "lanes", .what = "Addition", .instruction = "tadd", .ins = "a:{full}; b:{full}", .outs = "sum:{full}"},
    {.name = "select", .what = "Select by a mask", .instruction = "tsel", .ins = "mask:{bits}; a:{full}; b:{full}; ?tmp:1x32xui8", .outs = "dst:{full}"},
    {.name = "compare", .what = "Comparison", .instruction = "tcmp", .ins = "a:{full}; b:{full}", .outs = "mask:{bits}", .attributes = "{cmpMode = #pto<cmp lt>}"},
    {.name = "transpose", .what = "Transpose", .instruction = "ttrans", .ins = "src:{full}; ?tmp:{scratch}", .outs = "dst:{turned}"},
    {.name = "transpose_a2a3", .what = "Transpose on A2A3", .instruction = "ttrans", .ins = "src:{full}; ?tmp:{scratch}", .outs = "dst:{turned}",
     .large_type = "i8", .large_rows = 224, .large_cols = 224, .target = Target::A2A3},
    {.name = "fill", .what = "Fill", .instruction = "texpands", .ins = "value=3", .outs = "dst:{full}"},
    {.name = "pad", .what = "Padding", .instruction = "tfillpad", .ins = "src:{part}", .outs = "dst:{padded}"},
    {.name = "row_sums", .what = "Row sums", .instruction = "trowsum", .ins = "src:{full}", .outs = "sums:{column}", .large_type = "f16"},
    {.name = "row_sums_a2a3", .what = "Row sums on A2A3", .instruction = "trowsum", .ins = "src:{full}; ?tmp:{full}", .outs = "sums:{column}",
     .large_type = "f16", .large_cols = 128, .target = Target::A2A3},
    {.name = "col_max", .what = "The largest of each column", .instruction = "tcolmax", .ins = "src:{full}", .outs = "most:{row}"},
    {.name = "spread_rows", .what = "A value for each row is subtracted", .instruction = "trowexpandsub", .ins = "a:{full}; b:{column}", .outs = "dst:{full}"},
    {.name = "spread_columns", .what = "A value for each column is spread", .instruction = "tcolexpand", .ins = "row:{row}", .outs = "dst:{full}"},
    {.name = "gather_blocks", .what = "Gather of blocks", .instruction = "tgatherb", .ins = "src:{full}; #32offsets:{offsets}", .outs = "dst:{full}"},
    {.name = "gather", .what = "Gather by index", .instruction = "tgather", .ins = "src:{full}; #at:{index}", .outs = "dst:{full}", .large_type = "i16", .large_cols = 128},
    {.name = "scatter", .what = "Scatter by index", .instruction = "tscatter", .ins = "src:{full}; #at:{index}", .outs = "dst:{full}", .large_type = "i16", .large_cols = 128},
    {.name = "quantise", .what = "Floats become integers", .instruction = "tquant", .ins = "x:{full}; ?scale:{scales}", .outs = "q:{codes}",
     .attributes = "{quant_type = #pto<quant_type INT8_SYM>}", .large_type = "f32", .large_cols = 128},
    {.name = "table", .what = "Rows of a table in global memory", .instruction = "mgather", .ins = "@words:{r}x{c}x{t}; #at:{numbers}", .outs = "dst:{full}"},
    {.name = "sort", .what = "A sort of each 32 keys", .instruction = "tsort32", .ins = "keys:{keys}; numbers:{words}", .outs = "sorted:{records}",
     .large_type = "f32", .large_cols = 64},
    {.name = "product", .what = "A matrix product", .instruction = "tmatmul", .ins = "l:{left}; r:{right}", .outs = "sums:{sums}", .type = "f16"},
    {.name = "load", .what = "A tile is loaded", .instruction = "tload", .ins = "@x:{r}x{c}x{t}", .outs = "tile:{full}"},
};
// clang-format on

std::uint32_t up(std::uint32_t n, std::uint32_t to) { return (n + to - 1) / to * to; }
std::uint32_t bytes_of(const std::string& type) { return static_cast<std::uint32_t>(std::stoul(type.substr(1))) / 8; }

// The types of tiles by what they are for, of r x c elements of a type.
class Types {
 public:
  Types(std::uint32_t r, std::uint32_t c, const std::string& t) {
    const std::uint32_t bytes = bytes_of(t), block = 32 / bytes;
    const auto tile = [](std::uint32_t rows, std::uint32_t cols, std::uint32_t pitch, const std::string& type,
                         const char* more = "") {
      return fmt::format("{}x{}x{}{}, valid={}x{}", rows, pitch, type, more, rows, cols);
    };
    add("r", fmt::to_string(r));
    add("c", fmt::to_string(c));
    add("t", t);
    add("full", tile(r, c, up(c, block), t));
    add("row", tile(1, c, up(c, block), t));
    add("column", tile(r, 1, block, t));
    add("turned", fmt::format("{}x{}x{}, valid={}x{}", up(c, block), up(r, block), t, c, r));
    add("scratch", tile(up(c, 32), up(r, 32), up(r, 32), t));
    add("bits", tile(r, (c + 7) / 8, up(c, 256) / 8, "ui8"));
    add("part", fmt::format("{}x{}x{}, valid={}x{}", r, up(c, block), t, (r + 1) / 2, (c + 1) / 2));
    add("padded", fmt::format("{}x{}x{}, pad=2", r, up(c, block), t));
    add("index", tile(r, c, up(c, 32 / std::max(bytes, 2u)), bytes == 4 ? "i32" : "i16"));
    add("offsets", tile(r, up(c, block) / block, up(up(c, block) / block, 8), "ui32"));
    add("numbers", tile(1, r, up(r, 8), "i32"));
    add("scales", fmt::format("{}x1xf32, blayout=col_major, valid={}x1", up(r, 8), r));
    add("codes", tile(r, c, up(c, 32), "i8"));
    add("keys", tile(r, up(c, 32), up(c, 32), t));
    add("words", tile(1, up(c, 32), up(c, 32), "ui32"));
    add("records", tile(r, up(c, 32) * (bytes == 4 ? 2 : 4), up(c, 32) * (bytes == 4 ? 2 : 4), t));
    // A product of r x c and c x r, in fractals.
    const std::string sum = t == "i8" ? "i32" : "f32";
    const std::uint32_t high = up(r, 16), deep = up(c, block), wide = up(r, block);
    add("left", fmt::format("left {}x{}x{}, blayout=col_major, slayout=row_major, valid={}x{}", high, deep, t, r, c));
    add("right", fmt::format("right {}x{}x{}, slayout=col_major, valid={}x{}", deep, wide, t, c, r));
    add("sums", fmt::format("acc {}x{}x{}, blayout=col_major, slayout=row_major, fractal=1024, valid={}x{}", high,
                            up(r, 16), sum, r, r));
  }
  std::string in(const std::string& text) const { return fmt::vformat(text, args_); }

 private:
  void add(const char* name, std::string value) { args_.push_back(fmt::arg(name, std::move(value))); }
  fmt::dynamic_format_arg_store<fmt::format_context> args_;
};

std::vector<std::string> listed(const std::string& operands) {
  std::vector<std::string> all;
  std::istringstream in(operands);
  for (std::string one; std::getline(in >> std::ws, one, ';');) all.push_back(one);
  return all;
}

// 3, 10, 17...: each place once.
std::vector<std::byte> places_among(std::uint32_t count, std::uint32_t unit, std::uint32_t bytes) {
  std::vector<std::byte> out(std::size_t{count} * bytes);
  std::uint32_t by = 7;
  while (std::gcd(by, count) != 1) by += 2;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t place = static_cast<std::uint32_t>((std::uint64_t{i} * by + 3) % count) * unit;
    std::memcpy(out.data() + std::size_t{i} * bytes, &place, bytes);
  }
  return out;
}

class SizedWriter {
 public:
  SizedWriter(Target target, std::uint32_t rows, std::uint32_t cols, const char* type)
      : types_(rows, cols, type), rows_(rows), cols_(cols), type_(type), text_(target) {}

  void input(const std::string& one) {
    if (const std::size_t number = one.find('='); number < one.find(':')) {
      names_[0].push_back(one.substr(0, number));
      text_.scalar(names_[0].back(), type_, one.substr(number + 1) + (type_[0] == 'f' ? ".0" : ""));
      return;
    }
    const std::size_t colon = one.find(':'), begins = one.find_first_not_of("?@#0123456789");
    const std::string& name = names_[0].emplace_back(one.substr(begins, colon - begins));
    if (one[0] == '@') {
      text_.buffer(name, type_, rows_, cols_);
      return;
    }
    const std::string type = types_.in(one.substr(colon + 1));
    text_.tile(name, type);
    if (one[0] == '?') return;
    load(name, type);
    if (one[0] == '#') fill_with_places(name, begins > 1 ? static_cast<std::uint32_t>(std::stoul(one.substr(1))) : 1);
  }
  void result(const std::string& one) {
    const std::size_t colon = one.find(':');
    text_.tile(names_[1].emplace_back(one.substr(0, colon)), types_.in(one.substr(colon + 1)));
  }
  SizedStep step(const char* instruction, const std::string& attributes) {
    const char* pipe = in_cube_ ? "PIPE_M" : "PIPE_V";
    if (loads_ > 0)
      for (const char* flag : {"set_flag", "wait_flag"})
        text_.line(fmt::format("pto.{} [<{}>, <{}>, <EVENT_ID0>]", flag, in_cube_ ? "PIPE_MTE1" : "PIPE_MTE2", pipe));
    text_.step(instruction, names_[0], names_[1], attributes);
    made_.step = loads_ > 0 ? loads_ + 2 : 0;
    made_.text = text_.text();
    return made_;
  }

 private:
  // From a buffer of the tile's valid shape; into the cube's memories by way of L1.
  void load(const std::string& name, std::string type) {
    in_cube_ = std::isdigit(static_cast<unsigned char>(type[0])) == 0;
    const std::size_t valid = type.find("valid=");
    std::uint32_t rows = 0, cols = 0, pitch = 0;
    char dtype[8] = "";
    std::sscanf(type.c_str() + (in_cube_ ? type.find(' ') + 1 : 0), "%ux%ux%7[a-z0-9]", &rows, &pitch, dtype);
    cols = pitch;
    if (valid != std::string::npos) std::sscanf(type.c_str() + valid, "valid=%ux%u", &rows, &cols);
    const std::string buffer = name + "_in";
    text_.buffer(buffer, dtype, rows, cols);
    loaded_[name] = {dtype, rows, cols};
    ++loads_;
    if (!in_cube_) {
      text_.step("tload", {buffer}, {name});
      return;
    }
    const std::string shape = type.substr(type.find(' ') + 1), l1 = name + "_l1";
    const std::string layout = ", blayout=col_major, slayout=row_major";
    text_.tile(l1, fmt::format("mat {}{}, valid={}x{}", shape.substr(0, shape.find(',')), layout, rows, cols));
    text_.step("tload", {buffer}, {l1});
    text_.step("tmov", {l1}, {name});
    ++loads_;
  }
  void fill_with_places(const std::string& name, std::uint32_t unit) {
    const auto& [dtype, rows, cols] = loaded_.at(name);
    // Of rows: as many as there are numbers; of blocks and elements likewise.
    made_.data[name + "_in"] = places_among(rows * cols, unit, dtype.ends_with("32") ? 4 : 2);
    made_.data_types[name + "_in"] = fmt::format("{}:{}x{}", dtype[0] == 'u' ? dtype.substr(1) : dtype, rows, cols);
  }

  struct Loaded {
    std::string dtype;
    std::uint32_t rows, cols;
  };
  Types types_;
  std::uint32_t rows_, cols_, loads_ = 0;
  std::string type_;
  SmallText text_;
  std::vector<std::string> names_[2];
  std::map<std::string, Loaded> loaded_;
  bool in_cube_ = false;
  SizedStep made_;
};

}  // namespace

std::span<const SizedFamily> sized_families() { return kFamilies; }

SizedStep sized_step(const SizedFamily& family, std::uint32_t rows, std::uint32_t cols, const char* type) {
  SizedWriter writer(family.target, rows, cols, type);
  for (const std::string& one : listed(family.ins)) writer.input(one);
  for (const std::string& one : listed(family.outs)) writer.result(one);
  return writer.step(family.instruction, family.attributes);
}

}  // namespace ts::test
