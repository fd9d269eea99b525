// From the arguments of a C++ call to an instruction of the catalogue with its operands.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/catalogue/row.h"
#include "core/isa/options.h"
#include "tilescope/border.h"

namespace ts::cpp {

// A call's operand without its place in the program: what a tile's bytes are and where, or a view's pointer.
struct CallOperand {
  Operand operand;
  std::size_t argument = 0;   // of the call's operands: which
  std::uint64_t pointer = 0;  // of a view, in the kernel
  std::array<std::int64_t, 5> shape{}, stride{};
};

struct Call {
  const InstructionRow* row = nullptr;
  std::uint8_t form = 0;
  std::vector<CallOperand> operands;  // in the order of the form
  std::vector<std::uint8_t> attributes;
};

struct CallProblem {
  std::string rule, text, hint;
};

// Exactly one of both is there.
struct CallResult {
  std::optional<Call> call;
  CallProblem problem;
};
CallResult understand(std::string_view op, std::span<const ts_border::Operand> given, Target target,
                      const Options& options);

// Whether an operand of this name is a count or a place, whatever the elements are.
bool is_count(std::string_view name);

// What a tile of the kernel is here; nothing: its numbers make no tile.
std::optional<TileType> tile_type(const ts_border::Operand& given, Target target, const Options& options);

}  // namespace ts::cpp
