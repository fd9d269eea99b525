// What a program's author is told, and that nothing of the offending instruction was executed.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "core/program/builder.h"

namespace ts::test {

struct Told {
  std::string_view rule;
  Severity severity = Severity::Error;
  std::string_view operand;
  std::initializer_list<std::string_view> text;  // parts that the text must contain: names, values, limits
  bool hinted = false;                           // and a hint says what to do instead
  std::optional<FindingKind> kind = {};
};
inline constexpr Severity kWarning = Severity::Warning, kNote = Severity::Note;
inline const std::initializer_list<Told> kNothing{};

// A builder whose first instruction is fine, on tiles at the end of UB; so what is added next stands in line 2.
ProgramBuilder builder_with_a_start(Target target);

// What its first instruction reads.
void fill_start(Memory& memory);
// Where these memories are not as the first instruction left them; empty when they are.
// `also`: what stood in them before it.
std::string difference_from_start(const Memory& memory, const std::function<void(Memory&)>& also = {});

// Tiles by hand, so that each test changes one thing. Places are given, far enough apart for over-reads.
struct HandTiles {
  explicit HandTiles(Target target) : builder(builder_with_a_start(target)) {}
  TileId operator()(const char* name, const TileType& type, TileOptions options = {}) {
    if (!options.address) options.address = next += 0x4000;
    return builder.tile(name, type, options);
  }
  ProgramBuilder builder;
  std::uint32_t next = 0;
};

// Tiles of f32, all valid or in part.
inline TileType f32(std::uint32_t rows, std::uint32_t cols) { return vec_tile(DType::F32, rows, cols); }
inline TileType f32(std::uint32_t rows, std::uint32_t cols, std::int32_t valid_rows, std::int32_t valid_cols) {
  return vec_tile(DType::F32, rows, cols, valid_rows, valid_cols);
}

// The program's only instruction after the start breaks these rules, and no other; each diagnostic names line 2. When
// one is an error, a run stops before it, with the memories as the start left them; else it goes through.
// `also` puts data into the memories before the run, for instructions that must find something sensible there.
void check_told(ProgramBuilder builder, std::initializer_list<Told> told,
                const std::function<void(Memory&)>& also = {});
void check_told(ProgramBuilder builder, const Told& told);

}  // namespace ts::test
