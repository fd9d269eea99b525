// A step of a recording in the hands of scripts.
#pragma once

#include <cstdint>
#include <memory>

#include "scripting/run/open_recording.h"

namespace ts::scripting {

struct StepObject {
  std::shared_ptr<OpenRecording> recording;
  std::uint32_t step = 0;
  static const ObjectType& type();
};

void push_step(lua_State* L, std::shared_ptr<OpenRecording> recording, std::uint32_t step);

// Pushes the tile or buffer of an operand: results as the step left them, the others as it found them. Nil for operands
// that are neither, scalars as numbers.
void push_operand(lua_State* L, const std::shared_ptr<OpenRecording>& recording, std::uint32_t step,
                  const Operand& operand);
// The first tile that the step makes; nil where it makes none.
void push_result(lua_State* L, const std::shared_ptr<OpenRecording>& recording, std::uint32_t step);

// The bytes that its micro-operations read, joined and sorted.
std::vector<ByteRange> read_ranges(Session& session, std::uint32_t step);
std::vector<ByteRange> write_ranges(const Recording& recording, std::uint32_t step);

}  // namespace ts::scripting
