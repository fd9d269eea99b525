// Small kernels as text, statement by statement, that know the line each of them stands in.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/check/check.h"
#include "core/isa/target.h"
#include "tests/support/record/recorded.h"

namespace ts::test {

class KernelText {
 public:
  explicit KernelText(Target target = Target::A5) : target_(target) {}

  // An argument and a view of all of it, `pitch` elements from row to row (0: cols).
  void buffer(const std::string& name, const std::string& dtype, std::uint32_t rows, std::uint32_t cols,
              std::uint32_t pitch = 0);
  // "4x8xf32" or "4x8xf32, valid=4x6", at an address.
  void tile(const std::string& name, const std::string& type, std::uint32_t address);
  // A name that another statement gives to a tile.
  void alias(const std::string& name, const std::string& type) { tiles_[name] = type; }

  // All of these return the line of what makes the step.
  std::uint32_t line(const std::string& statement);
  // `rows` x `cols` of a buffer, from an element on.
  std::uint32_t load(const std::string& tile, const std::string& buffer, const std::string& row, const std::string& col,
                     std::uint32_t rows, std::uint32_t cols);
  std::uint32_t store(const std::string& tile, const std::string& buffer, const std::string& row,
                      const std::string& col, std::uint32_t rows, std::uint32_t cols);
  // Tiles and literals ("2.0 : f32").
  std::uint32_t op(const std::string& name, const std::vector<std::string>& inputs,
                   const std::vector<std::string>& outputs);
  std::uint32_t set_flag(const std::string& from, const std::string& to, int event);
  std::uint32_t wait_flag(const std::string& from, const std::string& to, int event);
  std::uint32_t barrier(const std::string& pipe);

  std::string text() const;
  // `data` by buffer; what is not given is seeded.
  SharedRecording record(const std::map<std::string, std::vector<std::byte>>& data = {},
                         std::uint32_t blocks = 1) const;

 private:
  struct Buffer {
    std::string dtype;
    std::uint32_t rows, cols;
  };
  std::string type_of(const std::string& name) const { return "!pto.tile_buf<vec, " + tiles_.at(name) + ">"; }
  std::string part(const std::string& buffer, const std::string& row, const std::string& col, std::uint32_t rows,
                   std::uint32_t cols, std::string& type);
  std::uint32_t transfer(const std::string& op, const std::string& in, const std::string& in_type,
                         const std::string& out, const std::string& out_type);

  static constexpr std::uint32_t kLinesBefore = 2;
  Target target_;
  std::map<std::string, Buffer> buffers_;
  std::string arguments_;
  std::map<std::string, std::string> tiles_;
  std::vector<std::string> lines_;
  int parts_ = 0;
};

// Nothing but these kinds, each at its own level.
CheckOptions only(std::initializer_list<FindingKind> kinds);
// A tile's elements as bytes.
std::vector<std::byte> bytes_of_words(const std::vector<std::uint32_t>& words);

}  // namespace ts::test
