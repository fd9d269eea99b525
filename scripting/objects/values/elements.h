// Elements on their way between scripts and core: numbers in and out, with nothing lost.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <memory>
#include <string_view>

#include "core/debug/elements/elements.h"
#include "core/isa/element.h"
#include "core/tile/operands.h"
#include "scripting/binding/arguments.h"
#include "scripting/binding/fields.h"

namespace ts::scripting {

// Integers as integers (64 unsigned bits as the signed number of the same bits), floats as numbers.
void push_element(lua_State* L, const ElementFormat& format, std::uint64_t bits);
void push_scalar(lua_State* L, const Scalar& scalar);
// The bits of a Lua number in this type; floats are rounded, integers have to fit. Raises "name: wanted an i8, ...".
std::uint64_t check_element(lua_State* L, int index, const char* name, const ElementFormat& format);
// The type of this name, or the list of all types.
const ElementFormat& check_format(lua_State* L, int index, const char* name);

// Bytes of so many elements, with what they are worth.
constexpr std::size_t bytes_of_elements(std::uint64_t count) {
  return count * (sizeof(std::uint64_t) + sizeof(Definedness));
}

// To be kept: they count as the script's memory.
std::shared_ptr<const Elements> weighed_elements(lua_State* L, Elements elements);

// Sets a field of the table on top of the stack.
void set_element(lua_State* L, const char* key, const ElementFormat& format, std::uint64_t bits);

// "valid" (the default) or "all".
Region region_of(const OptionTable& options);

// --- what tiles, buffers and arrays answer in the same way; `elements` is what they hold ---
int push_stats(lua_State* L, const Elements& elements, const OptionTable& options);
int push_histogram(lua_State* L, const Elements& elements, const OptionTable& options);
// {nan=, inf=, undefined=, where=, region=, most=}: a list of {row=, col=, value=, bits=}.
int push_found(lua_State* L, const Elements& elements, const OptionTable& options);

inline constexpr std::initializer_list<const char*> kStatsOptions = {"region"};
inline constexpr std::initializer_list<const char*> kHistogramOptions = {"bins", "low", "high", "region"};
inline constexpr std::initializer_list<const char*> kFindOptions = {"nan",   "inf",    "undefined",
                                                                    "where", "region", "most"};

}  // namespace ts::scripting
