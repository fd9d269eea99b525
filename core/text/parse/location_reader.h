// Reads `loc(...)` and the aliases of locations. A location is never a reason not to read a program: what is wrong with one
// is a remark, and it is unknown then.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>

#include "core/text/mistakes.h"
#include "core/text/tree.h"

namespace ts::text {

// Where the parenthesis at `open` is closed on its line: behind that. 0: it is not.
std::uint32_t end_of_location(std::string_view text, std::uint32_t open);

// Behind the name of an alias, `= loc(`: where its parenthesis is. 0: it is no alias of a location.
std::uint32_t location_behind(std::string_view text, std::uint32_t name_end);

class LocationReader {
 public:
  LocationReader(Tree& tree, Mistakes& mistakes, std::uint32_t most_depth)
      : tree_(tree), out_(tree.locations), mistakes_(mistakes), most_depth_(most_depth), text_(tree.source->text()) {}

  // Its number in Locations::written.
  std::uint32_t read(SourceRange range);
  // Once the text is read: aliases stand among the comments, before or behind their uses.
  void finish();

 private:
  LocationId whole(SourceRange range);
  LocationId location(std::uint32_t depth);
  LocationId quoted(std::uint32_t depth);
  LocationId fused(std::uint32_t depth);
  LocationId call(std::uint32_t depth);
  LocationId alias();
  LocationId add(const Location& location, std::span<const LocationId> parts);
  bool file_place(Location& file);
  bool number(std::uint32_t& value);
  bool skip_metadata();

  void define(const Comment& comment, SourceRange name, std::uint32_t open);
  void break_circles();
  void tell_circle(Location& alias);

  void skip_blanks();
  bool accept(char c);
  bool accept_word(std::string_view word);
  bool at_end() const { return at_ >= end_; }

  Tree& tree_;
  Locations& out_;
  Mistakes& mistakes_;
  const std::uint32_t most_depth_;
  const std::string_view text_;
  std::uint32_t at_ = 0, end_ = 0;  // of the location at hand
  bool too_deep_ = false;
  std::unordered_map<std::string_view, LocationId> aliases_;  // each is one location, however often it is named
  std::unordered_map<std::string_view, SourcePos> defined_;
};

}  // namespace ts::text
