// The memory object and the register object.
#include "scripting/objects/values/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <span>

#include "core/debug/origins/named_registers.h"
#include "core/isa/special_registers.h"
#include "scripting/binding/object.h"
#include "scripting/objects/values/elements.h"
#include "scripting/run/open_recording.h"
#include "scripting/sandbox/sandbox.h"

namespace ts::scripting {
namespace {

using Kind = Binding::Kind;

std::string register_names(Target target) {
  std::string names;
  for (const SpecialRegister& one : special_registers(target)) names += std::string(one.name) + ", ";
  return names + "and in the middle of a step v0, v1, ... and p0, p1, ...";
}

// The rows that read an element of each type: the row's name is that of the type.
std::vector<Binding> typed_rows(lua_CFunction function, const std::string& owner, const char* parameter,
                                const std::string& help, const std::string& start, const std::string& argument) {
  std::vector<Binding> rows;
  for (const ElementFormat& format : element_formats()) {
    if (format.size_bits < 8 || std::string_view(format.name) == "bool") continue;
    rows.push_back({format.name, Kind::Method, function,
                    fmt::format("{}:{}({}: integer) -> {}", owner, format.name, parameter,
                                format.is_float() ? "number" : "integer"),
                    fmt::format(fmt::runtime(help), format.name),
                    fmt::format("{}assert(math.type({}:{}({})))", start, owner, format.name, argument)});
  }
  return rows;
}

const ElementFormat& format_of_row(lua_State* L) { return *find_element_format(current_binding(L)->name); }

// --- memories ---

std::uint32_t check_offset(lua_State* L, const MemoryObject& memory, Session& session, int index, std::uint32_t size) {
  const std::uint32_t end = session.recording().map().size(memory.space);
  return static_cast<std::uint32_t>(check_integer(L, index, "offset", 0, std::int64_t{end} - size));
}

int memory_element(lua_State* L) {
  const MemoryObject& memory = check_self<MemoryObject>(L);
  const ElementFormat& format = format_of_row(L);
  Session& session = session_of(L, *memory.recording);
  const std::uint32_t offset = check_offset(L, memory, session, 2, format.size_bytes());
  std::uint64_t bits = 0;
  session.peek(memory.position, {memory.space, offset, format.size_bytes()},
               std::as_writable_bytes(std::span(&bits, 1)).first(format.size_bytes()));
  push_element(L, format, bits);
  return 1;
}

// From argument `index` on: offset and size.
ByteRange check_bytes(lua_State* L, const MemoryObject& memory, Session& session, std::int64_t most) {
  const std::uint32_t offset = check_offset(L, memory, session, 2, 0);
  const std::int64_t left = session.recording().map().size(memory.space) - offset;
  return {memory.space, offset, static_cast<std::uint32_t>(check_integer(L, 3, "size", 0, std::min(most, left)))};
}

int memory_bytes(lua_State* L) {
  constexpr std::int64_t kMost = 1 << 20;
  const MemoryObject& memory = check_self<MemoryObject>(L);
  Session& session = session_of(L, *memory.recording);
  const ByteRange range = check_bytes(L, memory, session, kMost);
  Sandbox::charge(L, range.size);
  std::vector<std::byte> bytes(range.size);
  if (range.size != 0) session.peek(memory.position, range, bytes);
  lua_createtable(L, static_cast<int>(range.size), 0);
  for (std::uint32_t i = 0; i < range.size; ++i) {
    lua_pushinteger(L, static_cast<lua_Integer>(bytes[i]));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

int memory_is_defined(lua_State* L) {
  const MemoryObject& memory = check_self<MemoryObject>(L);
  Session& session = session_of(L, *memory.recording);
  if (lua_isnoneornil(L, 3)) {
    lua_settop(L, 2);
    lua_pushinteger(L, 1);
  }
  const ByteRange range = check_bytes(L, memory, session, session.recording().map().size(memory.space));
  const Memory& there = session.memory_at(memory.position);
  lua_pushboolean(
      L, range.size == 0 || there.worst_definedness(there.map().flat(range), range.size) == Definedness::Written);
  return 1;
}

int memory_size(lua_State* L) {
  const MemoryObject& memory = check_self<MemoryObject>(L);
  lua_pushinteger(L, session_of(L, *memory.recording).recording().map().size(memory.space));
  return 1;
}
int memory_name(lua_State* L) {
  lua_pushstring(L, name(check_self<MemoryObject>(L).space));
  return 1;
}
int memory_step(lua_State* L) {
  lua_pushinteger(L, check_self<MemoryObject>(L).position);
  return 1;
}

int memory_text(lua_State* L) {
  const MemoryObject& memory = check_self<MemoryObject>(L);
  lua_pushfstring(L, "memory %s after %d steps", name(memory.space), static_cast<int>(memory.position));
  return 1;
}

// --- registers ---

std::uint32_t lanes(const RegisterObject& one, const ElementFormat& format) {
  return static_cast<std::uint32_t>(one.bytes.size() / format.size_bytes());
}

// Whether somebody promises the bytes of a lane; of a mask its bit.
bool lane_is_defined(const RegisterObject& one, std::uint32_t lane) {
  if (one.worth.empty()) return true;
  const std::uint32_t size = one.lanes ? size_bytes(*one.lanes) : 1;
  const bool is_mask = one.kind == TraceValue::Kind::Predicate;
  const std::uint32_t first = is_mask ? lane * size / 8 : lane * size, bytes = is_mask ? 1 : size;
  const auto undefined = [](Definedness worth) { return worth != Definedness::Written; };
  return std::ranges::none_of(std::span(one.worth).subspan(first, bytes), undefined);
}

int register_lane(lua_State* L) {
  const RegisterObject& one = check_self<RegisterObject>(L);
  const ElementFormat& format = format_of_row(L);
  const std::uint32_t lane = check_index(L, 2, lanes(one, format), "lane");
  std::uint64_t bits = 0;
  std::memcpy(&bits, one.bytes.data() + std::size_t{lane} * format.size_bytes(), format.size_bytes());
  push_element(L, format, bits);
  return 1;
}

int register_bit(lua_State* L) {
  const RegisterObject& one = check_self<RegisterObject>(L);
  const std::uint32_t bit = check_index(L, 2, one.bytes.size() * 8, "bit");
  lua_pushinteger(L, one.bytes[bit / 8] >> (bit % 8) & 1);
  return 1;
}

// A bit of a mask, or the lane as the element that it is; nil where nobody promises it.
int register_get(lua_State* L) {
  const RegisterObject& one = check_self<RegisterObject>(L);
  if (!one.lanes)
    raise(L, fmt::format("reg:get: {} has no lanes", one.name), "reg:u32(index) and its like read it as what they say");
  const std::uint32_t lane = check_index(L, 2, one.lane_count(), "lane"), size = size_bytes(*one.lanes);
  if (!lane_is_defined(one, lane)) {
    lua_pushnil(L);
  } else if (one.kind == TraceValue::Kind::Predicate) {
    lua_pushinteger(L, one.bytes[lane * size / 8] >> (lane * size % 8) & 1);
  } else {
    std::uint64_t bits = 0;
    std::memcpy(&bits, one.bytes.data() + std::size_t{lane} * size, size);
    push_element(L, element_format(*one.lanes), bits);
  }
  return 1;
}

int register_is_defined(lua_State* L) {
  const RegisterObject& one = check_self<RegisterObject>(L);
  lua_pushboolean(L, lane_is_defined(one, check_index(L, 2, one.lane_count(), "lane")) ? 1 : 0);
  return 1;
}

int register_dtype(lua_State* L) {
  const RegisterObject& one = check_self<RegisterObject>(L);
  if (!one.lanes) lua_pushnil(L);
  else lua_pushstring(L, name(*one.lanes));
  return 1;
}
int register_count(lua_State* L) {
  lua_pushinteger(L, check_self<RegisterObject>(L).lane_count());
  return 1;
}
int register_writer(lua_State* L) {
  const RegisterObject& one = check_self<RegisterObject>(L);
  if (one.writer) lua_pushinteger(L, *one.writer);
  else lua_pushnil(L);
  return 1;
}

int register_name(lua_State* L) {
  lua_pushstring(L, check_self<RegisterObject>(L).name.c_str());
  return 1;
}
int register_size(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(check_self<RegisterObject>(L).bytes.size()));
  return 1;
}

int register_text(lua_State* L) {
  const RegisterObject& one = check_self<RegisterObject>(L);
  std::string text = one.name + " =";
  constexpr std::size_t kShown = 32;
  for (std::size_t i = 0; i < std::min(kShown, one.bytes.size()); i += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, one.bytes.data() + i, std::min<std::size_t>(4, one.bytes.size() - i));
    text += fmt::format(" {:08x}", word);
  }
  if (one.bytes.size() > kShown) text += fmt::format(" ... {} bytes", one.bytes.size());
  return push_text_result(L, text);
}

// v3 and p4: the number behind the letter, or nothing.
std::optional<std::uint32_t> value_number(std::string_view name) {
  if (name.size() < 2 || (name[0] != 'v' && name[0] != 'p')) return {};
  std::uint32_t number = 0;
  const auto [end, failed] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
  return failed == std::errc{} && end == name.data() + name.size() ? std::optional(number) : std::nullopt;
}

// The micro-step that made a value.
std::uint32_t maker_of(const Trace& trace, std::uint32_t value) {
  for (std::uint32_t i = 0; i < trace.steps.size(); ++i)
    for (const std::uint32_t made : trace.steps[i].made)
      if (made == value) return i;
  return static_cast<std::uint32_t>(trace.steps.size());
}

void push_trace_value(lua_State* L, Session& session, const std::string& name, std::uint32_t number, Moment moment) {
  if (moment.micro == 0)
    raise(L, fmt::format("{} is a register of a micro-step, and this is between steps", name),
          "rec:into() goes into the step");
  const Trace& trace = session.trace(moment.position);
  const auto kind = name[0] == 'v' ? TraceValue::Kind::Register : TraceValue::Kind::Predicate;
  if (number >= trace.values.size() || trace.values[number].kind != kind)
    raise(L, fmt::format("step {} makes no register {}", moment.position, name));
  const std::uint32_t maker = maker_of(trace, number);
  if (maker >= moment.micro) raise(L, fmt::format("{} is made by micro-step {}, which comes later", name, maker));
  const TraceValue& value = trace.values[number];
  const std::size_t size = kind == TraceValue::Kind::Register ? VL : VL / 8;
  make_object<RegisterObject>(
      L, name, kind,
      std::vector<std::uint8_t>(value.bytes.begin(), value.bytes.begin() + static_cast<std::ptrdiff_t>(size)),
      value.type);
}

// What the program calls by this name, or by it and a number where a loop hands it on: the one that was made last.
std::optional<NamedRegister> find_named(Session& session, std::string_view name, std::uint32_t position) {
  const Program& program = session.recording().program();
  for (NamedRegister& one :
       named_registers(session.recording(), session.index(), session.memory_at(position), position)) {
    std::string_view called = program.tiles[one.tile].name;
    if (called.starts_with(name) &&
        called.substr(name.size()).find_first_not_of(".0123456789") == std::string_view::npos &&
        (called.size() == name.size() || called[name.size()] == '.'))
      return std::move(one);
  }
  return {};
}

void push_named(lua_State* L, const std::string& name, const NamedRegister& one) {
  const std::size_t size = one.value.kind == TraceValue::Kind::Register ? VL : VL / 8;
  const auto end = static_cast<std::ptrdiff_t>(size);
  make_object<RegisterObject>(
      L, name, one.value.kind, std::vector<std::uint8_t>(one.value.bytes.begin(), one.value.bytes.begin() + end),
      one.lanes, std::vector<Definedness>(one.worth.begin(), one.worth.begin() + end), one.writer);
}

std::string names_there(Session& session, std::uint32_t position) {
  constexpr std::size_t kShown = 12;
  std::string names;
  std::size_t count = 0;
  for (const NamedRegister& one :
       named_registers(session.recording(), session.index(), session.memory_at(position), position)) {
    if (count++ == kShown) return names + "..., ";
    names += "%" + session.recording().program().tiles[one.tile].name + ", ";
  }
  return names;
}

const std::string kMemoryStart = R"(local rec = pto.load("complex_split", {target="a5"}):record()
rec:seek(rec.count)
local mem = rec:mem("ub")
)";
const std::string kRegisterStart = R"(local rec = pto.load("masked_sum", {target="a2a3"}):record()
rec:seek(rec.count)
local reg = rec:reg("MASK")
)";

const std::string kNamedStart = R"(local rec = pto.load("add_tail"):record()
rec:runTo{op="vsts"}
)";

std::vector<Binding> memory_rows() {
  std::vector<Binding> rows = typed_rows(
      memory_element, "mem", "offset",
      "The element of type {} that begins at this byte, written or not; isDefined tells.", kMemoryStart, "0");
  rows.push_back({"bytes", Kind::Method, memory_bytes, "mem:bytes(offset: integer, size: integer) -> integer[]",
                  "So many bytes as a list of numbers from 0 to 255; a million at most.",
                  kMemoryStart + "assert(#mem:bytes(0x10, 8) == 8 and mem:bytes(0, 1)[1] == mem:u8(0))"});
  rows.push_back(
      {"isDefined", Kind::Method, memory_is_defined, "mem:isDefined(offset: integer, size?: integer) -> boolean",
       "Whether all of so many bytes (one, if nothing is said) were written with a value that somebody promised.",
       kMemoryStart + "assert(mem:isDefined(rec:tile('im').offset, 4))"});
  rows.push_back({"size", Kind::Field, memory_size, "mem.size -> integer", "Bytes of this memory.",
                  kMemoryStart + "assert(mem.size > 1000)"});
  rows.push_back({"space", Kind::Field, memory_name, "mem.space -> string", "Its name.",
                  kMemoryStart + "assert(mem.space == 'ub')"});
  rows.push_back({"step", Kind::Field, memory_step, "mem.step -> integer",
                  "The position it shows: the state after so many steps.",
                  kMemoryStart + "assert(mem.step == rec.count)"});
  return rows;
}

std::vector<Binding> register_rows() {
  std::vector<Binding> rows = typed_rows(
      register_lane, "reg", "lane", "A lane of the register, read as {}; lanes count from 0.", kRegisterStart, "0");
  rows.push_back({"bit", Kind::Method, register_bit, "reg:bit(index: integer) -> integer",
                  "A bit of the register, counted from the lowest of its first byte.",
                  kRegisterStart + "assert(reg:bit(0) == 1)"});
  rows.push_back(
      {"get", Kind::Method, register_get, "reg:get(lane: integer) -> number | integer | nil",
       "A lane as the element that it is, of a mask its bit: 0 or 1. nil where nobody promises a value.",
       kNamedStart + "assert(rec:reg('%sum'):get(0) == rec:reg('%sum'):f32(0) and rec:pred('%tail'):get(0) == 1)"});
  rows.push_back({"isDefined", Kind::Method, register_is_defined, "reg:isDefined(lane: integer) -> boolean",
                  "Whether the lane, of a mask its bit, has a value that somebody promised.",
                  kNamedStart + "assert(rec:reg('%sum'):isDefined(63))"});
  rows.push_back({"dtype", Kind::Field, register_dtype, "reg.dtype -> string | nil",
                  "The type of its lanes; of a mask, of those that it is for. A special register has none.",
                  kNamedStart + "assert(rec:reg('%sum').dtype == 'f32' and rec:pred('%tail').dtype == 'u32')"});
  rows.push_back({"lanes", Kind::Field, register_count, "reg.lanes -> integer", "How many lanes it has.",
                  kNamedStart + "assert(rec:reg('%sum').lanes == 64 and rec:pred('%tail').lanes == 64)"});
  rows.push_back({"writer", Kind::Field, register_writer, "reg.writer -> integer | nil",
                  "The step that made what the program names; nil of others.",
                  kNamedStart + "assert(rec:at(rec:reg('%sum').writer).op == 'vadd')"});
  rows.push_back({"name", Kind::Field, register_name, "reg.name -> string", "Its name.",
                  kRegisterStart + "assert(reg.name == 'MASK')"});
  rows.push_back({"size", Kind::Field, register_size, "reg.size -> integer", "Its bytes.",
                  kRegisterStart + "assert(reg.size == 16)"});
  return rows;
}

const ListedType kMemory{110, MemoryObject::type};
const ListedType kRegister{120, RegisterObject::type};

}  // namespace

void push_register(lua_State* L, OpenRecording& recording, const std::string& name, Moment moment) {
  Session& session = session_of(L, recording);
  const std::string bare = name.starts_with('%') ? name.substr(1) : name;
  const auto number = name.starts_with('%') ? std::nullopt : value_number(name);
  if (!number || moment.micro == 0) {
    if (const auto named = find_named(session, bare, moment.position)) {
      push_named(L, bare, *named);
      return weigh(L, recording);
    }
  }
  if (number) {
    push_trace_value(L, session, name, *number, moment);
    return weigh(L, recording);
  }
  const Target target = session.recording().program().target;
  for (const SpecialRegister& one : special_registers(target)) {
    if (name != one.name) continue;
    const auto* first = reinterpret_cast<const std::uint8_t*>(
        (moment == session.moment() ? session.memory() : session.memory_at(moment.position))
            .bytes(Space::Spr, one.address, one.size_bytes)
            .data());
    make_object<RegisterObject>(L, name, TraceValue::Kind::Register,
                                std::vector<std::uint8_t>(first, first + one.size_bytes));
    return;
  }
  raise(L, fmt::format("rec:reg: {} has no register {}", ts::name(target), name),
        "there are " + names_there(session, moment.position) + register_names(target));
}

void push_predicate(lua_State* L, OpenRecording& recording, const std::string& name, Moment moment) {
  push_register(L, recording, name, moment);
  if (to_object<RegisterObject>(L, -1)->kind != TraceValue::Kind::Predicate)
    raise(L, fmt::format("rec:pred: {} is no mask", name), "rec:reg gives registers");
}

std::uint32_t RegisterObject::lane_count() const {
  const std::size_t bytes_or_bits = kind == TraceValue::Kind::Predicate ? bytes.size() * 8 : bytes.size();
  return static_cast<std::uint32_t>(bytes_or_bits / (lanes ? size_bytes(*lanes) : 1));
}

const ObjectType& MemoryObject::type() {
  static const ObjectType made{
      .name = "memory",
      .owner = "mem",
      .help =
          "A memory as it was at a step, read at any byte as any type. Raw bytes come as numbers, never as a string.",
      .bindings = memory_rows(),
      .to_text = guarded<memory_text>};
  return made;
}

const ObjectType& RegisterObject::type() {
  static const ObjectType made{.name = "register",
                               .owner = "reg",
                               .help =
                                   "A register or mask, read lane by lane: one that the program names, v0, p4 of the "
                                   "micro-steps of a step one stands in, or a special register.",
                               .bindings = register_rows(),
                               .to_text = guarded<register_text>};
  return made;
}

}  // namespace ts::scripting
