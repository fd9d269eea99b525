// From a C++ file to a program that can run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cpp/build.h"
#include "core/program/kernel.h"
#include "core/text/tree.h"

namespace ts::cpp {

// Whether a file's name says that it is C++.
bool is_cpp_name(std::string_view path);

// Of a kernel with a main: the files that are linked with it, what it is told, and the folder that it runs in.
struct HostMain {
  std::vector<std::string> with = {}, words = {};
  std::string folder = {};
  bool is_said() const { return !with.empty() || !words.empty() || !folder.empty(); }
};

struct KernelRequest {
  BuildRequest build = {};
  std::string entry = {};  // also an instance of a template, "add<float, 64>"; empty: its main, or all that it has
  std::optional<Target> target = {};  // without it the one that the source names, "// target: a5"; else a2a3
  HostMain host = {};
};

// The file's text, which is not looked into.
std::shared_ptr<const text::Tree> source_tree(const std::string& path, std::string text);

// The file, compiled: a tree with a function for each entry, whose parameters are those of the entry and whose body the
// kernel is. It is opened and run as any text. Where errors are told, the tree is the C++ text alone, and they stand at its
// lines. `files`: where the names of all files go that it is made of, its own, those of its main, and what they include in
// quotes.
std::shared_ptr<const text::Tree> read_kernel(const std::string& path, const KernelRequest& request, Diagnostics& out,
                                              std::vector<std::string>* files = nullptr);

}  // namespace ts::cpp
