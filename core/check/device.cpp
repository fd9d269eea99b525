// Tiles where devices are known not to take them, although the text is legal: told of each once, where it is first used.
#include <fmt/format.h>

#include <set>
#include <tuple>

#include "core/check/device_limits.h"
#include "core/check/walk.h"

namespace ts {
namespace {

class DeviceExaminer : public Examiner {
 public:
  DeviceExaminer(const Recording& recording, const CheckOptions& options) : program_(recording.program()) {
    for (int s = 0; s < kSpaces; ++s)
      if (const DeviceRoom* room = device_room(program_.target, static_cast<Space>(s))) rooms_[s] = room->bytes;
    if (options.ub_limit) rooms_[static_cast<int>(Space::Ub)] = *options.ub_limit;
  }

  void look(CheckedStep& step, FindingSink& sink) override {
    const auto& operands = step.bound().operands;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const Operand& operand = operands[i];
      if (operand.spec == nullptr || operand.spec->kind != OperandKind::Tile || !placed_by_program(operand)) continue;
      const ByteRange range = operand.tile.range();
      if (!is_new(range)) continue;
      const FoundElement at{static_cast<int>(i), 0, 0, {range.space, range.address, operand.tile.elem_bytes()}};
      look_at_end(operand, range, at, step, sink);
      look_at_start(operand, range, at, step, sink);
    }
  }

 private:
  // What stands where the emulator put it, the author can do nothing about.
  bool placed_by_program(const Operand& operand) const {
    const TileDecl& tile = program_.tiles[operand.id];
    return !tile.implicit && (tile.placed || tile.address != operand.tile.address);
  }

  bool is_new(const ByteRange& range) { return seen_.insert({range.space, range.address, range.size}).second; }

  void look_at_end(const Operand& operand, const ByteRange& range, const FoundElement& at, CheckedStep& step,
                   FindingSink& sink) {
    const std::uint32_t room = rooms_[static_cast<int>(range.space)];
    const std::uint64_t end = std::uint64_t{range.address} + range.size;
    if (room == 0 || end <= room) return;
    const DeviceRoom* known = device_room(program_.target, range.space);
    const bool own = known == nullptr || known->bytes != room;
    sink.add(
        FindingKind::Device, step.number(),
        fmt::format("{} [{}, {}) ends above {} of {}: {}", program_.operand_name(operand), range.address, end, room,
                    name(range.space), own ? "the limit that was given" : fmt::format("{} (unverified)", known->what)),
        own ? "device.ub gives another limit"
            : fmt::format("legal up to {}; {}; device.ub gives another limit",
                          capacity_bytes(program_.target, range.space), known->source),
        at);
  }

  void look_at_start(const Operand& operand, const ByteRange& range, const FoundElement& at, CheckedStep& step,
                     FindingSink& sink) {
    const DeviceStart* start = device_start(range.space);
    if (start == nullptr || range.address % start->bytes == 0) return;
    sink.add(FindingKind::Device, step.number(),
             fmt::format("{} begins at {} of {}, which is no multiple of {} (unverified)",
                         program_.operand_name(operand), range.address, name(range.space), start->bytes),
             fmt::format("legal text; {}", start->source), at);
  }

  const Program& program_;
  std::uint32_t rooms_[kSpaces] = {};  // 0: nothing is known
  std::set<std::tuple<Space, std::uint32_t, std::uint32_t>> seen_;
};

}  // namespace

std::unique_ptr<Examiner> examine_device(const Recording& recording, const CheckOptions& options) {
  if (options.of(FindingKind::Device) == Level::Off) return nullptr;
  return std::make_unique<DeviceExaminer>(recording, options);
}

}  // namespace ts
