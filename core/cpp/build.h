// Compiling a kernel: our header and what starts it are written beside what was built before, the compiler runs, and its
// errors become ours.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/isa/diagnostic.h"
#include "core/isa/target.h"

namespace ts::cpp {

struct BuildRequest {
  std::string compiler = {};  // empty: $CXX, g++, clang++
  std::string standard = "c++20";
  std::vector<std::string> include = {}, define = {};
  std::string folder = {};  // where builds are kept; empty: the user's cache
  std::function<bool()> go_on = {};
};

struct Built {
  std::string program;  // the file; empty: it did not compile
  Diagnostics errors;
};

// The folder with the header, made when it is not there: for `-I`, and for editors. "" where it cannot be written.
std::string include_folder(const BuildRequest& request);

// The file that holds a source which is no file of the user's, for the compiler; "" where it cannot be written.
std::string keep_source(const std::string& name, std::string_view text, const BuildRequest& request);

// The entry of a program with a main, or with tests that have none of their own.
inline constexpr const char* kMainEntry = "main";

// `entries` of the first source, or of a main in any. Sources are compiled in place and linked together.
// `kind`: the cores that it is compiled for; joint: any, which is what a kernel of one kind of core is compiled for.
Built build_kernel(const std::vector<std::string>& sources, const std::vector<std::string>& entries, Target target,
                   CoreKind kind, const BuildRequest& request);

// A parameter of an entry, as its compiler knows it.
struct BuiltParameter {
  char kind = 'p';  // p pointer, n number, d double
  int type = 0;     // ts_border::Type
};
// By entry.
std::vector<std::vector<BuiltParameter>> describe_entries(const std::string& program, std::size_t entries);

// The first errors of a compiler's output, at the lines of `source`; others name their file in the text.
Diagnostics read_errors(const std::string& output, const std::string& source);

}  // namespace ts::cpp
