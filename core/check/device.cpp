// Tiles where devices are known not to take them, although the text is legal: told of each once, where it is first used.
#include <fmt/format.h>

#include <set>
#include <tuple>

#include "core/check/device_rules.h"
#include "core/check/walk.h"
#include "core/program/pointing.h"

namespace ts {
namespace {

using Places = std::set<std::tuple<Space, std::uint32_t, std::uint32_t>>;

// What stands where the emulator put it, the author can do nothing about.
bool is_where_the_text_says(const TileDecl& tile) { return tile.placed && !tile.implicit && !tile.open_address; }

class DeviceExaminer : public Examiner {
 public:
  DeviceExaminer(const Recording& recording, const CheckOptions& options)
      : program_(recording.program()), rules_(program_.target, options) {}

  void look(CheckedStep& step, FindingSink& sink) override {
    const auto& operands = step.bound().operands;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const Operand& operand = operands[i];
      if (operand.spec == nullptr || operand.spec->kind != OperandKind::Tile || !placed_by_program(operand)) continue;
      const ByteRange range = operand.tile.range();
      if (!seen_.insert({range.space, range.address, range.size}).second) continue;
      const FoundElement at{static_cast<int>(i), 0, 0, range.with(range.address, operand.tile.elem_bytes())};
      for (DeviceFault& fault : rules_.faults(program_.operand_name(operand), range))
        sink.add(FindingKind::Device, step.number(), std::move(fault.text), std::move(fault.hint), at);
    }
  }

 private:
  bool placed_by_program(const Operand& operand) const {
    const TileDecl& tile = program_.tiles[operand.id];
    return !tile.implicit && (tile.placed || tile.address != operand.tile.address);
  }

  const Program& program_;
  DeviceRules rules_;
  Places seen_;
};

Severity severity_of_device(const CheckOptions& options) {
  Level level = options.of(FindingKind::Device);
  if (level == Level::Own) level = check_row(FindingKind::Device).level;
  return level == Level::Error ? Severity::Error : level == Level::Warn ? Severity::Warning : Severity::Note;
}

}  // namespace

DeviceRules::DeviceRules(Target target, const CheckOptions& options) : target_(target) {
  for (int s = 0; s < kSpaces; ++s)
    if (const DeviceRoom* room = device_room(target, static_cast<Space>(s))) rooms_[s] = room->bytes;
  if (options.ub_limit) rooms_[static_cast<int>(Space::Ub)] = *options.ub_limit;
}

std::vector<DeviceFault> DeviceRules::faults(const std::string& name, const ByteRange& range) const {
  std::vector<DeviceFault> out;
  const std::uint32_t room = rooms_[static_cast<int>(range.space)];
  const std::uint64_t end = std::uint64_t{range.address} + range.size;
  if (room != 0 && end > room) {
    const DeviceRoom* known = device_room(target_, range.space);
    const bool own = known == nullptr || known->bytes != room;
    out.push_back(
        {fmt::format("{} [{}, {}) ends above {} of {}: {}", name, range.address, end, room, ts::name(range.space),
                     own ? "the limit that was given" : fmt::format("{} (unverified)", known->what)),
         own ? "device.ub gives another limit"
             : fmt::format("legal up to {}; {}; device.ub gives another limit", capacity_bytes(target_, range.space),
                           known->source)});
  }
  const DeviceStart* start = device_start(range.space);
  if (start != nullptr && range.address % start->bytes != 0)
    out.push_back({fmt::format("{} begins at {} of {}, which is no multiple of {} (unverified)", name, range.address,
                               ts::name(range.space), start->bytes),
                   fmt::format("legal text; {}", start->source)});
  return out;
}

std::unique_ptr<Examiner> examine_device(const Recording& recording, const CheckOptions& options) {
  if (options.of(FindingKind::Device) == Level::Off) return nullptr;
  return std::make_unique<DeviceExaminer>(recording, options);
}

Diagnostics check_text(const Program& program, const CheckOptions& options) {
  Diagnostics out;
  if (options.of(FindingKind::Device) == Level::Off) return out;
  const DeviceRules rules(program.target, options);
  Places seen;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const Instruction& instruction = program.instructions[i];
    for (const OperandUse& use : instruction.operands) {
      if (use.spec->kind != OperandKind::Tile || use.slot == kNoSlot) continue;
      const Value& value = program.slots[use.slot];
      if (value.kind != ValueKind::Tile) continue;
      const TileDecl& tile = program.tiles[value.bits];
      if (!is_where_the_text_says(tile)) continue;
      const ByteRange range = TileRef{tile.type, tile.address}.range();
      if (!seen.insert({range.space, range.address, range.size}).second) continue;
      for (DeviceFault& fault : rules.faults("%" + tile.name, range)) {
        Diagnostic& said = out.emplace_back();
        said.rule = check_row(FindingKind::Device).rule;
        said.severity = severity_of_device(options);
        said.kind = FindingKind::Device;
        said.pos = instruction.pos;
        said.operand = use.spec->name;
        said.text = std::move(fault.text);
        said.hint = std::move(fault.hint);
        point_at_operand(program, i, said);
      }
    }
  }
  return out;
}

}  // namespace ts
