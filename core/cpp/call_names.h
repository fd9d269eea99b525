// What the arguments of a call are called in the source.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ts::cpp {

class CallNames {
 public:
  // As the call at this place of the file spells them, as names: "tiles[i]" is tiles_i. Empty where they were not found.
  const std::vector<std::string>& arguments(const std::string& file, std::string_view op, std::uint32_t line,
                                            std::uint32_t column);
  // What its first argument points to: `(void**)&x` is x.
  std::string pointee(const std::string& file, std::string_view op, std::uint32_t line, std::uint32_t column);
  // The call itself, on one line: "TADD(c, a, b)". Empty where it was not found.
  std::string call(const std::string& file, std::string_view op, std::uint32_t line, std::uint32_t column);
  std::string text(const std::string& file);  // all of it

 private:
  const std::vector<std::string>& lines_of(const std::string& file);
  std::string text_from(const std::string& file, std::uint32_t line);

  std::map<std::string, std::vector<std::string>> files_;
  std::map<std::string, std::vector<std::string>> known_;  // by place
};

// The arguments of the first call of `op` in the text, from `column` (from 1; 0: anywhere) on.
std::vector<std::string> read_arguments(std::string_view text, std::string_view op, std::uint32_t column);
// That call, with one blank where there are some; at most so many letters.
std::string read_call_text(std::string_view text, std::string_view op, std::uint32_t column);
// A name of letters, digits and _, that begins with no digit; "" of what has none.
std::string as_name(std::string_view spelled);

}  // namespace ts::cpp
