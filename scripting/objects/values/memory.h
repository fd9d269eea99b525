// Memories and registers in the hands of scripts: bytes, read as whatever the script calls them.
#pragma once

#include <lua.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/debug/session/session.h"
#include "scripting/binding/object_type.h"

namespace ts::scripting {

struct OpenRecording;

struct MemoryObject {
  std::shared_ptr<OpenRecording> recording;
  std::uint32_t position = 0;
  Space space = Space::Ub;
  static const ObjectType& type();
};

// A vector register or predicate: of a micro-step (v3, p4), or one that the program names (%sum); or a special register
// that outlives an instruction.
struct RegisterObject {
  std::string name;
  TraceValue::Kind kind = TraceValue::Kind::Register;
  std::vector<std::uint8_t> bytes;
  std::optional<DType> lanes = {};           // of a mask: those that it is for; a special register has none
  std::vector<Definedness> worth = {};       // by byte; empty: all of them were written
  std::optional<std::uint32_t> writer = {};  // the step that made what the program names
  std::uint32_t lane_count() const;
  static const ObjectType& type();
};

// Raises when there is no register of this name at the moment.
void push_register(lua_State* L, OpenRecording& recording, const std::string& name, Moment moment);
// The same, of what is a predicate.
void push_predicate(lua_State* L, OpenRecording& recording, const std::string& name, Moment moment);

}  // namespace ts::scripting
