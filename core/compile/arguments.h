// What a program is given from outside: arguments of the launch, and the names that a list of statements uses but nowhere
// makes.
#pragma once

#include <optional>
#include <string_view>

#include "core/compile/names.h"
#include "core/compile/tiles.h"

namespace ts {

class Arguments {
 public:
  Arguments(Program& program, const TreeReader& tree, Messages& messages, CodeWriter& code, Names& names, Tiles& tiles)
      : program_(program), tree_(tree), messages_(messages), code_(code), names_(names), tiles_(tiles) {}

  // A parameter of the entry: a buffer, a number, or an object that the host would have made.
  void bind_parameter(const text::Item& param);
  // A view of a buffer of its own, dense, as the host would have made it.
  Value view_of(std::uint32_t buffer) const;
  Value host_view(const text::Type& its, std::string_view name, std::uint32_t buffer);

  // In a list of statements, names that nothing makes are inputs.
  void take_free_names() { free_names_ = true; }
  bool is_free(const text::Item& item) const { return free_names_ && names_.find(item) == nullptr; }
  // The input of such a name; `element`: the type of a scalar that has none of its own.
  Slot bind_free_name(const text::Item& item, text::TypeId type, std::optional<text::ScalarKind> element = {});

 private:
  const ProgramInput* known(const text::Item& def, ProgramInput::Kind kind) const;
  void bind_open_view(const text::Item& def, text::TypeId id, const text::Type& type);
  bool bind_hidden(const text::Item& def, text::TypeId id);
  Slot bind(const text::Item& def, ProgramInput::Kind kind, text::TypeId id, const text::Type& its);
  void add_input(const text::Item& def, ProgramInput::Kind kind, std::uint32_t id, text::ScalarKind scalar);

  Program& program_;
  const TreeReader& tree_;
  Messages& messages_;
  CodeWriter& code_;
  Names& names_;
  Tiles& tiles_;
  bool free_names_ = false;
};

}  // namespace ts
