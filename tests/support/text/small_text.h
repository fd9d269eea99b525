// Small program texts, statement by statement: views, tiles and instructions by name, with the types filled in.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/isa/target.h"

namespace ts::test {

class SmallText {
 public:
  explicit SmallText(Target target);

  // An argument with one view of all of it.
  SmallText& buffer(const std::string& name, const std::string& dtype, std::uint32_t rows, std::uint32_t cols);
  // A view of a buffer's first rows and columns; `pitch` elements from row to row.
  SmallText& view(const std::string& name, const std::string& buffer, std::uint32_t rows, std::uint32_t cols,
                  std::uint32_t pitch);
  // `type` as in "4x8xf32, valid=2x8", or "left 16x32xf16" for another memory; an address of -1: placed by the compiler.
  SmallText& tile(const std::string& name, const std::string& type, std::int64_t address = -1);
  SmallText& scalar(const std::string& name, const std::string& dtype, const std::string& value);
  // An instruction in its ins/outs form. Returns the line that it stands in.
  std::uint32_t step(const std::string& instruction, const std::vector<std::string>& ins,
                     const std::vector<std::string>& outs, const std::string& attributes = "");
  SmallText& line(const std::string& line);
  std::string text() const;

 private:
  std::string list(const std::vector<std::string>& names) const;

  struct Argument {
    std::string name, dtype;
  };
  Target target_;
  std::vector<Argument> arguments_;
  std::map<std::string, std::string> types_;  // of tiles, views and scalars
  std::vector<std::string> lines_;
};

}  // namespace ts::test
