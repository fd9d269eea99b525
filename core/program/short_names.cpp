// Endings that say nothing to a person, taken off one after the other.
#include "core/program/short_names.h"

#include <map>
#include <string_view>

namespace ts {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

// The name without `mark` and the number behind it; the whole name where it does not end so.
std::string_view without_numbered(std::string_view name, std::string_view mark) {
  std::string_view rest = name;
  while (!rest.empty() && is_digit(rest.back())) rest.remove_suffix(1);
  const bool ends_so = rest.size() < name.size() && rest.size() > mark.size() && rest.ends_with(mark);
  return ends_so ? rest.substr(0, rest.size() - mark.size()) : name;
}

// Without `__tile`, `__ssa_v3` and the like.
std::string_view without_kind(std::string_view name) {
  const std::string_view without_version = without_numbered(name, "_v");
  std::string_view rest = without_version;
  while (!rest.empty() && is_lower(rest.back())) rest.remove_suffix(1);
  const bool is_kind = rest.size() < without_version.size() && rest.size() > 2 && rest.ends_with("__");
  return is_kind ? rest.substr(0, rest.size() - 2) : name;
}

std::string_view stem(std::string_view name) { return without_numbered(without_kind(name), "_inline"); }

using Counts = std::map<std::string_view, int>;

}  // namespace

std::vector<std::string> short_names(std::span<const std::string> names, std::span<const std::string> taken) {
  Counts whole, of_kind, of_stem;
  for (const std::string& name : taken) ++whole[name];
  for (const std::string& name : names) {
    ++whole[name];
    ++of_kind[without_kind(name)];
    ++of_stem[stem(name)];
  }
  const auto is_own = [&](std::string_view candidate, std::string_view name, const Counts& counts) {
    return candidate == name || (counts.at(candidate) == 1 && !whole.contains(candidate));
  };
  std::vector<std::string> out;
  for (const std::string& name : names) {
    const std::string_view shortest = stem(name), shorter = without_kind(name);
    if (is_own(shortest, name, of_stem)) out.emplace_back(shortest);
    // Another one's stem it is not: that one would have to be without an ending to be called so.
    else if (is_own(shorter, name, of_kind) && !of_stem.contains(shorter)) out.emplace_back(shorter);
    else out.push_back(name);
  }
  return out;
}

void shorten_tile_names(Program& program) {
  std::vector<std::string> names, taken;
  for (const TileDecl& tile : program.tiles) names.push_back(tile.name);
  for (const BufferDecl& buffer : program.buffers) taken.push_back(buffer.name);
  std::vector<std::string> shorter = short_names(names, taken);
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    if (shorter[i] == names[i]) continue;
    program.tiles[i].name = std::move(shorter[i]);
    program.tiles[i].written = std::move(names[i]);
  }
}

}  // namespace ts
