// Sites, instructions and tiles of a run.
#include "core/cpp/live/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ts::cpp {

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }
std::string Site::told() const { return fmt::format("{}:{}", file_name(file), line); }

Launch launch_of(const Program& program, std::uint32_t entry) {
  Launch launch;
  launch.entry = entry;
  launch.blocks = program.blocks;
  const MemoryMap map = program.memory_map();
  for (std::size_t i = 0; i < std::size(kSpaceOf); ++i) launch.space_bytes[i] = map.size(kSpaceOf[i]);
  for (const BufferDecl& buffer : program.buffers) launch.buffers.push_back({buffer.size(), 0});
  for (const ProgramInput& input : program.inputs) {
    const bool buffer = input.kind == ProgramInput::Kind::Buffer;
    launch.arguments.push_back({buffer, buffer ? input.id : program.slots[input.id].bits});
  }
  return launch;
}

bool read_site(const ChildRecord& record, Site& site) {
  if (record.payload.size() < sizeof site.chain) return false;
  std::memcpy(&site.chain, record.payload.data(), sizeof site.chain);
  std::string_view text(reinterpret_cast<const char*>(record.payload.data()) + sizeof site.chain,
                        std::min<std::size_t>(record.head.count, record.payload.size() - sizeof site.chain));
  for (std::string* part : {&site.op, &site.file, &site.function}) {
    const std::size_t end = text.find('\0');
    if (end == std::string_view::npos) return false;
    *part = text.substr(0, end);
    text.remove_prefix(end + 1);
  }
  site.line = record.head.line;
  site.column = record.head.column;
  return true;
}

Seat seat_of(const Program& program, const Launch& launch, CoreId core) {
  using ts_border::Core;
  if (!program.together()) return whole_launch(launch);
  const auto cores = static_cast<CoreId>(program.cores.size());
  const CoreId in_block = core % cores;
  const CoreKind kind = program.cores[in_block].kind;
  Seat seat{.process = core, .first_block = static_cast<std::uint32_t>(core / cores), .together = true};
  seat.core = kind == CoreKind::Cube ? Core::Cube : kind == CoreKind::Vector ? Core::Vector : Core::Joint;
  const auto alike = [&](const CoreDecl& one) { return one.kind == kind; };
  const auto begin = program.cores.begin();
  seat.sub_core = static_cast<std::uint32_t>(std::count_if(begin, begin + in_block, alike));
  // Also the cube core is asked how many vector cores it has.
  const auto vector = [](const CoreDecl& one) { return one.kind == CoreKind::Vector; };
  seat.sub_cores = std::max(1u, static_cast<std::uint32_t>(std::ranges::count_if(program.cores, vector)));
  return seat;
}

std::string LiveRun::all_printed() const {
  std::string out = printed;
  for (const Child* child : children) out += child->printed();
  return out;
}

bool LiveRun::blocks_were_asked() const { return asked_blocks || std::ranges::any_of(children, &Child::asked_blocks); }

std::uint32_t LiveRun::number_of(Site site) {
  std::string chain(reinterpret_cast<const char*>(site.chain.address), sizeof site.chain.address);
  const auto [it, made] =
      known_sites_.try_emplace(SiteKey{site.kind, site.op, site.file, site.line, site.column, std::move(chain)},
                               static_cast<std::uint32_t>(sites.size()));
  if (made) sites.push_back(std::move(site));
  return it->second;
}

std::uint32_t LiveRun::add_instruction(std::uint32_t site, Instruction instruction) {
  const auto number = static_cast<std::uint32_t>(program.instructions.size());
  instruction.fixed = false;
  instruction.pos = {number + 1, 1};
  program.instructions.push_back(std::move(instruction));
  site_of.push_back(site);
  first.emplace_back();
  codes.push_back({.kind = CodeKind::Step, .data = number, .pos = {number + 1, 1}});
  return number;
}

std::uint32_t LiveRun::instruction_of(std::uint32_t site, const Call& call) {
  const auto next = static_cast<std::uint32_t>(program.instructions.size());
  const auto [it, made] = instructions_.try_emplace({site, call.row, call.form}, next);
  if (!made) return it->second;
  Instruction instruction{.row = call.row, .form = call.form};
  instruction.attributes = call.attributes;
  for (const CallOperand& one : call.operands)
    instruction.operands.push_back({one.operand.spec, kNoSlot, one.operand.scalar.dtype});
  return add_instruction(site, std::move(instruction));
}

std::uint32_t LiveRun::add_tile(TileDecl decl) {
  while (std::ranges::find(program.tiles, decl.name, &TileDecl::name) != program.tiles.end() ||
         std::ranges::find(program.inputs, decl.name, &ProgramInput::name) != program.inputs.end())
    decl.name += "_";
  program.tiles.push_back(std::move(decl));
  return static_cast<std::uint32_t>(program.tiles.size() - 1);
}

std::uint32_t LiveRun::add_popped(const std::string& object, CoreKind kind, const TileType& type) {
  std::vector<std::uint32_t>& those = tiles_of_name_[{kind, object}];
  const std::string name = those.empty() ? object : fmt::format("{}_{}", object, those.size() + 1);
  const std::uint32_t number = add_tile({.name = name, .type = type, .alias = true, .unset = true, .kind = kind});
  those.insert(those.begin(), number);
  return number;
}

std::pair<std::uint32_t, bool> LiveRun::scratch_of(std::uint32_t instruction, const OperandSpec& spec, CoreKind kind,
                                                   const TileRef& tile) {
  const auto [it, made] = scratch_.try_emplace({instruction, &spec}, kNoTile);
  if (made)
    it->second = add_tile({.name = fmt::format("{}.{}", spec.name, instruction + 1),
                           .type = tile.type,
                           .address = tile.address,
                           .valid_rows = tile.valid_rows,
                           .valid_cols = tile.valid_cols,
                           .implicit = true,
                           .placed = true,
                           .kind = kind});
  return {it->second, made};
}

std::uint32_t LiveRun::tile_of(const std::string& object, CoreKind kind, const TileRef& tile,
                               const std::function<bool(std::uint32_t)>& stands) {
  // A tile that is made anew in each turn, at another place each time, is many tiles up to here, and then one that moves.
  constexpr std::size_t kMostPlacesOfName = 64;
  std::vector<std::uint32_t>& those = tiles_of_name_[{kind, object}];
  std::uint32_t same_type = kNoTile;
  for (const std::uint32_t one : those) {
    if (!(program.tiles[one].type == tile.type)) continue;
    if (stands(one)) return one;
    same_type = one;
  }
  if (those.size() >= kMostPlacesOfName && same_type != kNoTile) return same_type;
  TileDecl decl{.name = those.empty() ? object : fmt::format("{}_{}", object, those.size() + 1),
                .type = tile.type,
                .address = tile.address,
                .valid_rows = tile.valid_rows,
                .valid_cols = tile.valid_cols,
                .placed = true,
                .kind = kind};
  those.push_back(add_tile(std::move(decl)));
  return those.back();
}

}  // namespace ts::cpp
