// What a script may ask of the program around it. The program fills it in; what it leaves out is refused or does
// nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/cases/folder.h"
#include "core/data/npy.h"
#include "core/isa/target.h"
#include "core/record/recording_file.h"
#include "core/text/tree.h"
#include "scripting/run/gui_host.h"

namespace ts {

class Session;
struct RunOrigin;

namespace scripting {

// A program's text; `error` is not empty where it could not be read.
struct ProgramSource {
  std::string name, text;
  std::string error = {}, hint = {};
  std::shared_ptr<const cases::Folder> folder = {};  // of a case, whose program it is; null: it is none
  bool is_kernel = false;                            // it is C++
};

// A kernel in C++, whose text the host gave.
struct KernelWish {
  std::string path = {}, entry = {}, standard = {};
  std::optional<Target> target = {};
  std::vector<std::string> include = {}, define = {};
};

struct ScriptHost {
  // Of a file, of a case's folder, or of a sample that the program brings along. Files beyond `most_bytes` are refused unread.
  std::function<ProgramSource(const std::string& name, std::uint64_t most_bytes)> open_program = {};
  // Compiles a kernel, which runs with the rights of whoever runs the script. Empty: no script may run code here.
  std::function<std::shared_ptr<const text::Tree>(const KernelWish& wish, Diagnostics& out,
                                                  const std::function<bool()>& go_on)>
      read_kernel = {};
  // Of a lesson's file, or of a lesson that the program brings along.
  std::function<ProgramSource(const std::string& name)> open_lesson = {};
  std::function<std::variant<data::Array, data::Error>(const std::string& path, std::uint64_t most_bytes)> read_array =
      {};
  std::function<std::variant<RecordingFile, data::Error>(const std::string& path, std::size_t budget_bytes,
                                                         const std::function<bool()>& go_on)>
      open_recording = {};
  // The path of a new file that the script may write, or why it may not; the name has one of these endings.
  std::function<std::variant<std::string, data::Error>(const std::string& path,
                                                       std::initializer_list<std::string_view> endings)>
      new_file = {};

  // What print() says, in whole lines; and messages and tracebacks. Empty: standard output and standard error.
  std::function<void(std::string_view)> print = {};
  std::function<void(std::string_view)> complain = {};

  // The window. Null without one: then each function of the table `gui` does nothing and gives back false.
  std::shared_ptr<GuiHost> gui = {};

  // What the window stands in when the script begins; null: nothing.
  std::shared_ptr<Session> current = {};
  // A recording that the script made or opened, and how it came about.
  std::function<void(const std::shared_ptr<Session>&, const RunOrigin&)> opened = {};

  std::vector<std::string> arguments = {};
  std::size_t budget_bytes = 0;  // of a recording that says none; as RecordOptions has it
};

}  // namespace scripting
}  // namespace ts
