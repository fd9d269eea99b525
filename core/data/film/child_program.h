// Another program of this machine that is given bytes.
#pragma once

#include <sys/types.h>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ts::data {

// Where a program is that can be started by this name; nothing: nowhere.
std::optional<std::string> find_program(const std::string& name);

// Starts a program that goes on by itself, also when this one ends. The first word is the program, the others are its
// arguments as they stand: no shell reads them. False: it could not be started.
bool start_apart(const std::vector<std::string>& words);

// A program that reads what is written to it; what it prints is seen by nobody.
class ChildProgram {
 public:
  // The first word is the program.
  explicit ChildProgram(const std::vector<std::string>& words);
  // Ends it where it has not ended.
  ~ChildProgram();
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  bool started() const { return process_ > 0; }
  // False: it reads no more.
  bool write(std::span<const std::byte> bytes);
  // Nothing more comes; its exit status, or -1.
  int finish();

 private:
  pid_t process_ = -1;
  int input_ = -1;
};

}  // namespace ts::data
