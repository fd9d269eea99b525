// Streams that look at what passes.
#include "app/cli/terminal/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <span>
#include <string>
#include <system_error>

#include "core/data/descriptor.h"
#include "core/data/utf8.h"

namespace ts {
namespace {

struct Guarded {
  int descriptor;
  bool as_it_is = false;
  int failed = 0;                    // the first error
  std::string begun = "", out = "";  // what may go on in the next piece; what goes out
  std::FILE* before = nullptr;

  void take(std::string_view text) {
    out.clear();
    if (as_it_is) {
      out = text;
    } else {
      begun += text;
      begun.erase(0, data::append_shown(out, begun));
    }
    put();
  }
  void finish() {
    out = data::shown(begun);
    begun.clear();
    put();
  }

 private:
  void put() {
    if (failed == 0 && !data::write_fully(descriptor, std::as_bytes(std::span(out)))) failed = errno;
  }
};

// Never destroyed: the library brings out what is left in its streams after everything else is gone.
Guarded& output = *new Guarded{STDOUT_FILENO};
Guarded& errors = *new Guarded{STDERR_FILENO};

ssize_t take(void* cookie, const char* text, std::size_t size) {
  static_cast<Guarded*>(cookie)->take({text, size});
  return static_cast<ssize_t>(size);
}

std::FILE* guarded(Guarded& stream, std::FILE* before) {
  stream.before = before;
  std::FILE* made = ::fopencookie(&stream, "w", {.read = nullptr, .write = take, .seek = nullptr, .close = nullptr});
  if (made == nullptr) std::abort();  // no memory for a few hundred bytes
  const bool lines = stream.descriptor == STDERR_FILENO || ::isatty(stream.descriptor) == 1;
  std::setvbuf(made, nullptr, lines ? _IOLBF : _IOFBF, std::size_t{1} << 16);
  return made;
}

}  // namespace

void guard_output() {
  std::fflush(stdout);
  stdout = guarded(output, stdout);
  stderr = guarded(errors, stderr);
}

void output_is_data() { output.as_it_is = ::isatty(output.descriptor) != 1; }

bool finish_output() {
  std::fflush(stdout);
  output.finish();
  if (output.failed != 0)
    fmt::print(stderr, "tilescope: standard output cannot be written: {}\n",
               std::generic_category().message(output.failed));
  std::fflush(stderr);
  errors.finish();
  return output.failed == 0;
}

std::FILE* plain_output() { return output.before != nullptr ? output.before : stdout; }

void steer(std::string_view controls) {
  std::fflush(stderr);
  data::write_fully(errors.descriptor, std::as_bytes(std::span(controls)));
}

}  // namespace ts
