// The tiles of a program: their types on this target, their declarations, their addresses.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "core/compile/messages.h"
#include "core/compile/names.h"
#include "core/compile/tree_reader.h"
#include "core/program/program.h"

namespace ts {

// Whether max and min of floats are the largest finite numbers where tiles are padded with them, and not infinities.
bool pads_with_finite(Target target, const Options& options);

class Tiles {
 public:
  Tiles(Program& program, const TreeReader& tree, Messages& messages, CodeWriter& code, Names& names)
      : program_(program), tree_(tree), messages_(messages), code_(code), names_(names) {}

  // The type as this target has it; also of a memref that lies on the chip.
  TileType type_of(text::TypeId type) const;
  // What a value of this type is to an instruction; a memref is a tile or a view, by its memory.
  OperandKind kind_of(text::TypeId type) const;

  // Whose code declares the tiles from here on.
  void set_kind(CoreKind kind) { kind_ = kind; }
  // A new tile, as large as it can be until the program says more.
  std::uint32_t declare(TileDecl decl);
  // Of a name; where the text gives that an address beforehand, it stands there.
  std::uint32_t add(std::string_view name, text::TypeId type);
  // One that stands on another tile's bytes.
  std::uint32_t add_alias(std::string_view name, text::TypeId type, bool valid_is_open);
  std::uint32_t declare_alias(TileDecl decl);
  // What an operation reaches through a pointer: a tile where that points to, `ins[1]` elements on. The code to place it is
  // written. `spelled`: as the text has the pointer.
  Slot add_pointed(text::SourceRange where, std::string_view spelled, const TileType& type,
                   const std::vector<Slot>& ins);
  // A result of the value forms has a tile of its own.
  Slot add_result(const text::Item& def, text::TypeId type);
  TileDecl& operator[](std::size_t number) { return program_.tiles[number]; }
  // The program says where it stands. `fixed`: the address, where it is a constant.
  void set_placed(std::uint32_t tile) { placed_[tile] = 1; }
  bool is_placed(std::uint32_t tile) const { return placed_[tile] != 0; }
  // More than scratch that nobody reads or writes: it needs bytes of its own.
  void set_touched(std::uint32_t tile) { touched_[tile] = 1; }
  void touch(Slot slot);
  bool check_address(text::SourceRange where, const TileType& type, std::int64_t address, std::string_view spelled,
                     const char* end_rule = "G3");

  // `pto.tassign %x, @tile(0x1000)` may stand before the tile it places, in the same file or function.
  void collect_assigns(text::OpId first);
  void end_assigns();

  // Addresses for those that have none. When all code is there.
  void place();

 private:
  struct Assigned {
    std::uint32_t address;
    text::SourceRange where;
    bool used;
  };

  Program& program_;
  const TreeReader& tree_;
  Messages& messages_;
  CodeWriter& code_;
  Names& names_;
  CoreKind kind_ = CoreKind::Joint;
  std::vector<char> placed_, touched_;  // by tile
  std::map<std::string_view, Assigned> assigns_;
};

// The memory that `memref<..., #pto.address_space<vec>>` names; nothing: global memory.
std::optional<TileLoc> memref_location(const text::Type& memref);

}  // namespace ts
