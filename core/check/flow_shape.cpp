// Learning the shape of a step from one run of the tag machine.
#include "core/check/flow_shape.h"

#include <algorithm>
#include <optional>

#include "core/record/operand_place.h"

namespace ts {
namespace {

// More shapes than a program that moves tiles around has; of the others every step is looked at.
constexpr std::size_t kMostShapes = 4096;

bool has_role(const Bound& bound, Role role) {
  return std::ranges::any_of(bound.operands, [&](const Operand& operand) { return operand.spec->role == role; });
}

std::uint32_t first_address(const Operand& operand) {
  return operand.spec->kind == OperandKind::Global ? operand.global.address : operand.tile.address;
}

bool overlap(const ByteRange& a, const ByteRange& b) {
  return a.in_same_memory(b) && a.address < b.address + b.size && b.address < a.address + a.size;
}

bool any_overlap(const Bound& bound) {
  for (std::size_t i = 0; i < bound.operands.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (overlap(bytes_of(bound.operands[i]), bytes_of(bound.operands[k]))) return true;
  return false;
}

// What the shape depends on. Operands on common bytes feed each other, so there the places count.
Bound without_places(const Bound& bound) {
  Bound key = bound;
  const bool apart = !any_overlap(bound);
  for (Operand& operand : key.operands) {
    operand.id = apart ? 0 : 1;  // so that places left out are not taken for places at 0
    operand.scalar.bits = 0;
    if (!apart) continue;
    operand.tile.address = 0;
    operand.global.address = operand.global.buffer_begin = operand.global.buffer_end = 0;
  }
  return key;
}

// Adds a run to a list that it continues or not.
void add_run(std::vector<FlowShape::Piece>& pieces, const FlowShape::Piece& piece) {
  if (!pieces.empty() && pieces.back().operand == piece.operand &&
      pieces.back().offset + pieces.back().size == piece.offset)
    pieces.back().size += piece.size;
  else pieces.push_back(piece);
}

class Learner {
 public:
  Learner(const Bound& bound, std::span<const WritePattern> writes, const Flow& flow)
      : bound_(bound),
        writes_(writes),
        flow_(flow),
        map_(flow.before().map()),
        tags_(flow.tags()),
        needed_(tags_.arena.size(), false) {}

  FlowShape shape() {
    shape_.offsets = offsets_of(bound_, flow_.before());
    for (const WritePattern& pattern : writes_)
      for_runs(pattern, [&](Flat base, std::uint32_t size) {
        for (Flat at = base; at < base + size && !shape_.open; ++at) written(at);
      });
    if (shape_.open) return {.open = true, .offsets = std::move(shape_.offsets)};
    add_leaves();
    if (has_role(bound_, Role::Mask) || bound_.row->micro) add_inputs();
    if (shape_.open) return {.open = true, .offsets = std::move(shape_.offsets)};
    add_hulls();
    return std::move(shape_);
  }

 private:
  std::optional<FlowShape::Piece> piece_at(Flat at) const {
    const ByteRange place = map_.locate(at);
    if (place.space == Space::Spr) return FlowShape::Piece{-1, at, 1};
    int number = operand_holding(bound_, place, false);
    if (number < 0) number = operand_holding(bound_, place, true);
    if (number < 0) return {};
    const auto first = std::int64_t{first_address(bound_.operands[static_cast<std::size_t>(number)])};
    return FlowShape::Piece{number, place.address - first, 1};
  }

  void written(Flat at) {
    const Tag tag = tags_.tag(at);
    const auto to = piece_at(at);
    // Written beside its operands: what lies there may be another operand next time.
    if (!to) {
      shape_.open = true;
    } else if (valid_result_at(bound_, map_.locate(at)) >= 0 || bound_.row->micro) {
      need(tag);  // lanes of registers too: which of them a mask lets through is another thing each time
    } else if (is_byte_tag(tag)) {
      copied(*to, tag);
    } else {
      // Which values a mask lets through depends on the mask.
      shape_.open = is_node_tag(tag) && has_role(bound_, Role::Mask);
      need(tag);
    }
  }

  void copied(const FlowShape::Piece& to, Tag tag) {
    const auto from = piece_at(tag);
    if (!from) {
      shape_.open = true;
      return;
    }
    const auto goes_on = [](const FlowShape::Piece& run, const FlowShape::Piece& next) {
      return run.operand == next.operand && run.offset + run.size == next.offset;
    };
    if (!shape_.copies.empty() && goes_on(shape_.copies.back().to, to) && goes_on(shape_.copies.back().from, *from)) {
      ++shape_.copies.back().to.size;
      ++shape_.copies.back().from.size;
    } else {
      shape_.copies.push_back({to, *from});
    }
  }

  void need(Tag tag) {
    if (is_node_tag(tag)) needed_[tag - kFirstNodeTag] = true;
    else if (is_memory_tag(tag)) leaves_.push_back(byte_of(tag));
  }
  void need(TagSpan span) {
    for (Tag tag = span.first; tag < span.first + span.count; ++tag) need(tag);
  }

  // From the last node down: what a node is made of was there before it.
  void add_leaves() {
    const TagArena& arena = tags_.arena;
    for (std::size_t i = needed_.size(); i-- > 0;) {
      if (!needed_[i]) continue;
      const Tag node = kFirstNodeTag + static_cast<Tag>(i);
      const NodeKind kind = arena.kind(node);
      if (kind != NodeKind::Unspecified) need(arena.a(node));
      if (TagArena::has_two(kind)) need(arena.b(node));
    }
    std::ranges::sort(leaves_);
    leaves_.erase(std::unique(leaves_.begin(), leaves_.end()), leaves_.end());
    for (const Flat leaf : leaves_) {
      const auto piece = piece_at(leaf);
      // Read beside its operands: what such bytes are worth has nothing to do with the shape.
      if (!piece) shape_.open = true;
      else add_run(shape_.read, *piece);
    }
  }

  // Other masks choose other elements, all of them valid ones; those of micro-operations are registers among the others.
  void add_inputs() {
    for (std::size_t i = 0; i < bound_.operands.size(); ++i) {
      const Operand& operand = bound_.operands[i];
      if (operand.spec->role != Role::In || operand.spec->kind != OperandKind::Tile) continue;
      const TileRef& tile = operand.tile;
      const auto number = static_cast<int>(i);
      if (!tile.type.row_major()) {
        shape_.read.push_back({number, 0, tile.range().size});
        continue;
      }
      for (std::uint32_t row = 0; row < tile.valid_rows; ++row)
        add_run(shape_.read, {number, tile.at(row, 0) - tile.address,
                              static_cast<std::uint32_t>(bytes_for(tile.type.dtype, tile.valid_cols))});
    }
  }

  void add_hulls() {
    for (const FlowShape::Piece& piece : shape_.read) {
      const auto hull = std::ranges::find(shape_.hulls, piece.operand, &FlowShape::Piece::operand);
      if (hull == shape_.hulls.end()) {
        shape_.hulls.push_back(piece);
        continue;
      }
      const std::int64_t end = std::max(hull->offset + hull->size, piece.offset + piece.size);
      hull->offset = std::min(hull->offset, piece.offset);
      hull->size = static_cast<std::uint32_t>(end - hull->offset);
    }
  }

  const Bound& bound_;
  std::span<const WritePattern> writes_;
  const Flow& flow_;
  const MemoryMap& map_;
  const TagMemory& tags_;
  std::vector<bool> needed_;  // by node
  std::vector<Flat> leaves_;
  FlowShape shape_;
};

}  // namespace

int valid_result_at(const Bound& bound, const ByteRange& place) {
  for (std::size_t i = 0; i < bound.operands.size(); ++i) {
    const Operand& operand = bound.operands[i];
    const bool in_register = operand.spec->kind == OperandKind::Tile && operand.tile.type.loc == TileLoc::Register;
    if (operand.spec->role != Role::Out || in_register) continue;
    const ByteRange all = bytes_of(operand);
    if (!all.in_same_memory(place) || place.address < all.address || place.address - all.address >= all.size) continue;
    if (operand.spec->kind == OperandKind::Global) return static_cast<int>(i);
    const OperandElement element = element_of(operand, place.address, place.part);
    if (element.row < operand.tile.valid_rows && element.col < operand.tile.valid_cols) return static_cast<int>(i);
  }
  return -1;
}

std::vector<std::byte> offsets_of(const Bound& bound, const Memory& before) {
  std::vector<std::byte> all;
  for (const Operand& operand : bound.operands) {
    if (operand.spec->role != Role::Offsets) continue;
    const ByteRange range = bytes_of(operand);
    const auto bytes = before.bytes(range);
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  return all;
}

Flat FlowShape::Piece::begin(const Bound& bound, const MemoryMap& map) const {
  if (operand < 0) return static_cast<Flat>(offset);
  const Operand& of = bound.operands[static_cast<std::size_t>(operand)];
  const ByteRange place = bytes_of(of);
  return static_cast<Flat>(map.flat(place.space, first_address(of), place.core) + offset);
}

std::size_t FlowShapes::Hash::operator()(const Bound& bound) const {
  std::size_t hash = std::hash<const void*>()(bound.row) + bound.form;
  const auto add = [&](std::uint32_t value) { hash = hash * 0x9E3779B97F4A7C15ull + value; };
  for (const Operand& operand : bound.operands) {
    add(operand.tile.address);
    add(operand.tile.valid_rows);
    add(operand.tile.valid_cols);
    add(operand.tile.type.rows);
    add(operand.tile.type.cols);
    add(static_cast<std::uint32_t>(operand.tile.type.dtype));
    for (const std::uint32_t n : operand.global.shape) add(n);
    for (const std::uint32_t n : operand.global.stride) add(n);
  }
  return hash;
}

bool FlowShapes::Same::operator()(const Bound& a, const Bound& b) const {
  return a.row == b.row && a.form == b.form && a.core == b.core && a.options == b.options &&
         a.attributes == b.attributes && a.operands == b.operands;
}

const FlowShape* FlowShapes::find(std::uint32_t step) {
  const std::uint32_t number = recording_.step(step).bound;
  if (number >= of_bound_.size()) of_bound_.resize(number + 1, nullptr);
  const FlowShape*& known = of_bound_[number];
  if (known != nullptr) return known;
  const auto found = shapes_.find(without_places(recording_.bound(step)));
  if (found != shapes_.end()) known = &found->second;
  return known;
}

void FlowShapes::learn(std::uint32_t step, const Flow& flow) {
  if (shapes_.size() >= kMostShapes && find(step) == nullptr) return;
  shapes_.insert_or_assign(without_places(recording_.bound(step)),
                           Learner(recording_.bound(step), recording_.writes(step), flow).shape());
}

}  // namespace ts
