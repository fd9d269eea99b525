// From what is written to places: through names, aliases and calls.
#include "core/text/location.h"

namespace ts::text {
namespace {

// \" and \\ stand for themselves, \n, \t and \XX (two hexadecimal digits) for a byte.
std::string unescaped(std::string_view text) {
  const auto digit = [&](std::size_t at) {
    const char c = at < text.size() ? text[at] : ' ';
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      out += text[at];
    } else if (digit(at + 1) >= 0 && digit(at + 2) >= 0) {
      out += static_cast<char>(digit(at + 1) * 16 + digit(at + 2));
      at += 2;
    } else {
      const char c = text[++at];
      out += c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
  }
  return out;
}

class Walk {
 public:
  Walk(const Locations& locations, const Source& source) : locations_(locations), source_(source) {}

  // Whether it led to a place.
  bool visit(LocationId id, std::uint32_t depth) {
    // What stands for what stands for ... may be as long, and spread as wide, as a text can say.
    constexpr std::uint32_t kMostDepth = 2000, kMostVisits = 20'000, kMostPlaces = 200;
    if (depth > kMostDepth || ++visits_ > kMostVisits || origin_.places.size() >= kMostPlaces) return false;
    const Location& now = locations_.all[id];
    const auto part = [&](std::uint32_t index) { return visit(locations_.parts[now.first + index], depth + 1); };
    switch (now.kind) {
      case LocationKind::Unknown: return false;
      case LocationKind::File:
        origin_.places.push_back({unescaped(source_.text(now.text)), now.line, now.column});
        return true;
      case LocationKind::Name:
        if (origin_.name.empty() && origin_.places.empty()) origin_.name = unescaped(source_.text(now.text));
        return now.count != 0 && part(0);
      case LocationKind::Alias: return now.count != 0 && part(0);
      case LocationKind::Fused:
        for (std::uint32_t i = 0; i < now.count; ++i)
          if (part(i)) return true;
        return false;
      case LocationKind::Call: {
        const bool callee = part(0), caller = part(1);
        return callee || caller;
      }
    }
    return false;
  }
  SourceOrigin take() { return std::move(origin_); }

 private:
  const Locations& locations_;
  const Source& source_;
  SourceOrigin origin_;
  std::uint32_t visits_ = 0;
};

}  // namespace

std::size_t Locations::memory_bytes() const {
  return all.size() * sizeof(Location) + parts.size() * sizeof(LocationId) + written.size() * sizeof(WrittenLocation);
}

SourceOrigin origin_of(const Locations& locations, const Source& source, LocationId location) {
  if (location == kNoLocation) return {};
  Walk walk(locations, source);
  walk.visit(location, 0);
  return walk.take();
}

}  // namespace ts::text
