// The registers, masks and streams that a text names: each has bytes of its own in Space::Reg.
#pragma once

#include <map>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/compile/names.h"
#include "core/compile/tiles.h"

namespace ts {

class Registers {
 public:
  Registers(Program& program, const TreeReader& tree, Messages& messages, CodeWriter& code, Names& names, Tiles& tiles)
      : program_(program), tree_(tree), messages_(messages), code_(code), names_(names), tiles_(tiles) {}

  // Around the body of a region of vector instructions, in which alone there are registers.
  void enter_scope(const text::Item& region);
  void leave_scope();
  bool in_scope() const { return in_scope_; }

  // What a register of this type is as a tile; nothing: it is none, or has lanes that nobody emulates.
  std::optional<TileType> tile_of(text::TypeId type) const;
  // The register that a result names; the code to choose its place is written where that has to be chosen.
  Slot add_result(const text::Op& op, std::size_t index, text::TypeId type);
  // Whether the region has streams that count in AR; the registers that count, which outlive it.
  bool counts() const { return counts_; }
  Slot counter(std::string_view name);
  // Whether loops or branches hand the value of this name on.
  bool is_handed_on(std::string_view name) const { return handed_on_.contains(name); }
  bool is_used(std::string_view name) const { return used_.contains(name); }

 private:
  // A result with several places, how many of which is known at the end of its scope.
  struct Open {
    std::uint32_t places;  // in Program::register_places
    std::string_view name;
    text::TypeId type;
    text::SourceRange where;
  };
  void find_handed_on(text::OpId first);
  void find_used(const text::Item& item);
  std::uint32_t place(std::string name, const TileType& type, std::uint8_t mask_bits);
  std::uint32_t declare(std::string name, text::TypeId type, text::SourceRange where);
  void close(const Open& open);

  Program& program_;
  const TreeReader& tree_;
  Messages& messages_;
  CodeWriter& code_;
  Names& names_;
  Tiles& tiles_;

  bool in_scope_ = false, told_ = false, counts_ = false;
  std::map<std::string_view, Slot> counters_;
  Slot first_slot_ = 0;
  std::unordered_set<std::string_view> handed_on_, used_;
  std::unordered_set<Slot> results_;
  std::vector<Open> open_;
};

}  // namespace ts
