// Where operations came from before they were this text: what a front end wrote in `loc(...)`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/source.h"

namespace ts::text {

using LocationId = std::uint32_t;
inline constexpr LocationId kNoLocation = 0xFFFFFFFFu;

enum class LocationKind : std::uint8_t {
  Unknown,  // and every form that nobody knows
  File,     // "attn.py":41:9
  Name,     // "stem", "stem"(loc)
  Fused,    // fused[loc, loc]
  Call,     // callsite(callee at caller)
  Alias,    // #loc3
};

struct Location {
  LocationKind kind = LocationKind::Unknown;
  SourceRange text = {};               // File, Name: in its quotes; Alias: its name, with the #
  std::uint32_t line = 0, column = 0;  // File: from 1; 0 = unknown
  std::uint32_t first = 0, count = 0;  // in Locations::parts: of Name, Fused, Call; of an alias what it stands for
};

// A `loc(...)` as it stands in the text.
struct WrittenLocation {
  SourceRange range;
  LocationId what = kNoLocation;
};

struct Locations {
  std::vector<Location> all;
  std::vector<LocationId> parts;
  std::vector<WrittenLocation> written;  // of operations and arguments

  std::size_t memory_bytes() const;
};

// A place in a file that somebody wrote.
struct SourcePlace {
  std::string file;  // as the location spells it
  std::uint32_t line = 0, column = 0;
  bool operator==(const SourcePlace&) const = default;
};

// What a location says: the line, the lines it was called from, and the name it was given.
struct SourceOrigin {
  std::vector<SourcePlace> places;  // the innermost first; empty: unknown
  std::string name;
  bool operator==(const SourceOrigin&) const = default;
};
SourceOrigin origin_of(const Locations& locations, const Source& source, LocationId location);

}  // namespace ts::text
