// Where program texts and pages come from: files the user names, and those that the program brings along.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ts {

struct Sample {
  std::string_view name;       // of one in C++ with its ending
  std::string_view file = {};  // of all with their endings
  std::string summary;         // the first sentence of its first comment
  // What its first comment says, "list: 30 Masks and selecting": its place in lists, and what it stands under. Those that
  // do not say come behind the others.
  int place = 0;
  std::string_view group = {};
  std::string_view text;
};
// By their places.
std::vector<Sample> samples();

struct ProgramText {
  std::string name, text;
  std::string error, hint;  // not empty: it could not be read
};
// The largest text that is read where nobody says more.
inline constexpr std::uint64_t kMostTextBytes = std::uint64_t{256} << 20;
// A file, or else a sample of that name, with or without .pto.
ProgramText program_text(const std::string& name, std::uint64_t most_bytes);
// Whether it is a sample in C++ that is meant, and no file.
bool is_brought_kernel(const std::string& name);
// The file that is compiled for a kernel of that name: of a sample one that holds its text.
std::string kernel_file(const std::string& name);

// Scripts that the program brings along.
std::vector<Sample> sample_scripts();
// A script's file, or else a sample script of that name, with or without .lua.
ProgramText script_text(const std::string& name);

// Lessons that the program brings along, in the order in which they are best taken.
std::vector<Sample> lessons();
// A lesson's file, or else a lesson of that name, with or without .lua.
ProgramText lesson_text(const std::string& name);
// Whether it is a lesson that is meant by a name: a .lua file, or a lesson that the program brings along.
bool is_lesson_name(const std::string& name);
// Lessons and scripts are both Lua: whether it is a file that makes no lesson.
bool is_script_file(const std::string& name);

// The page of an instruction, where there is one.
std::optional<std::string_view> instruction_page(std::string_view mnemonic);

}  // namespace ts
