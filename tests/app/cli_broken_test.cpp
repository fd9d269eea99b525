// Files that are no programs, and programs of a size that hurts: the program ends in time and says why.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/random.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

constexpr std::size_t kMegabyte = 1'000'000;

std::string repeated(std::string_view part, std::size_t count) {
  std::string out;
  out.reserve(part.size() * count);
  for (std::size_t i = 0; i < count; ++i) out += part;
  return out;
}

std::string in_function(std::string_view body) {
  return fmt::format("module attributes {{pto.target_arch = \"a5\"}} {{\n  func.func @f() {{\n{}    return\n  }}\n}}\n",
                     body);
}

// Both commands refuse the text in order: a message with the file's name, and not too many.
void refused(const std::string& what, std::string_view text, const char* message = "error") {
  CAPTURE(what);
  const TempFolder folder;
  const std::string path = folder / "broken.pto";
  put_text(path, text);
  for (const char* command : {"check", "run", "fmt"}) {
    CAPTURE(command);
    const ProcessResult result = tilescope({command, path});
    CHECK(!result.timed_out);
    CHECK(result.status == kCannotRun);
    CHECK_MESSAGE(has(result.err, "broken.pto"), result.err);
    CHECK_MESSAGE(has(result.err, message), result.err);
    CHECK(result.err.size() < 64'000);
  }
}

// The same, of a text whose form is good: it can be formatted.
void refused_when_compiled(const std::string& what, std::string_view text, const char* message) {
  CAPTURE(what);
  const TempFolder folder;
  const std::string path = folder / "broken.pto";
  put_text(path, text);
  for (const char* command : {"check", "run"}) {
    const ProcessResult result = tilescope({command, path});
    CHECK(!result.timed_out);
    CHECK(result.status == kCannotRun);
    CHECK_MESSAGE(has(result.err, message), result.err);
  }
}

}  // namespace

TEST_CASE("cli broken: bytes that are no text") {
  Random random(5);
  std::string noise;
  for (int i = 0; i < 1'000'000; ++i) noise += static_cast<char>(random.below(256));
  refused("noise", noise, "UTF-8");
  refused("zeros", std::string(1'000'000, '\0'));
  refused("bad UTF-8", "module {\n  func.func @f() {\n    // caf\xE9\n    return\n  }\n}\n", "3:");
  refused("an overlong form", "module { \xC0\xAF }", "UTF-8");
  refused("half a UTF-16 pair", "module { \xED\xA0\x80 }", "UTF-8");
}

TEST_CASE("cli broken: nesting that would need a deep stack") {
  constexpr std::size_t kDeep = 100'000;
  for (const char* part : {"{", "(", "[", "module {", "module { func.func @f() {", "!pto.ptr<", "tuple<", "scf.if %c {",
                           "-> (", "(-", "%a = "})
    refused(part, repeated(part, kDeep));
  refused("braces in a function", in_function(repeated("{", kDeep)));
  refused("closing ones", repeated("}", kDeep));
}

TEST_CASE("cli broken: comments and strings that do not end") {
  refused("unclosed string", "module attributes {pto.target_arch = \"a5} {\n}\n");
  refused("a string of megabytes", "\"" + std::string(5'000'000, 'x'));
  refused("a name of megabytes", "%" + std::string(5'000'000, 'x'));
  refused("an unclosed block comment", "/* " + std::string(5'000'000, 'x'));
  // A comment alone is a text without a mistake, and without a function.
  const TempFolder folder;
  put_text(folder / "comment.pto", "// " + std::string(5'000'000, 'x'));
  const ProcessResult result = tilescope({"run", folder / "comment.pto"});
  CHECK(result.status == kCannotRun);
  CHECK(has(result.err, "no function to start"));
}

TEST_CASE("cli broken: no file, an empty one, a folder, a device") {
  const TempFolder folder;
  put_text(folder / "empty.pto", "");
  for (const std::string& path :
       {folder / "empty.pto", folder / "none.pto", folder.path(), std::string("/dev/zero"), std::string("")}) {
    CAPTURE(path);
    const ProcessResult result = tilescope({"run", path});
    CHECK(!result.timed_out);
    CHECK(result.status == kCannotRun);
    CHECK(has(result.err, "tilescope: "));
  }
  CHECK(has(tilescope({"run", folder / "none.pto"}).err, "samples are complex_split"));
}

TEST_CASE("cli broken: functions that call each other in a circle") {
  refused_when_compiled("cycle", R"(module {
  func.func @f() attributes {pto.entry} {
    call @g() : () -> ()
    return
  }
  func.func @g() {
    call @f() : () -> ()
    return
  }
}
)",
                        "recursive");
}

TEST_CASE("cli broken: calls that double are no trap") {
  // Each function calls the next one twice: 2^40 calls, one copy of each function.
  std::string text = "module attributes {pto.target_arch = \"a5\"} {\n";
  for (int i = 0; i < 40; ++i)
    text +=
        fmt::format("  func.func @f{}() {{\n    call @f{}() : () -> ()\n    call @f{}() : () -> ()\n    return\n  }}\n",
                    i, i + 1, i + 1);
  text += "  func.func @f40() {\n    return\n  }\n}\n";
  const TempFolder folder;
  put_text(folder / "calls.pto", text);
  const ProcessResult result = tilescope({"run", folder / "calls.pto", "--entry", "f0", "--max-steps", "1000"});
  CHECK(!result.timed_out);
  CHECK(result.status == 5);
}

TEST_CASE("cli broken: numbers that do not fit") {
  for (const char* number :
       {"99999999999999999999", "18446744073709551616", "-9223372036854775809", "0xFFFFFFFFFFFFFFFFF"})
    refused_when_compiled(number, in_function(fmt::format("    %c = arith.constant {} : index\n", number)), number);
  refused_when_compiled("i8", in_function("    %c = arith.constant 300 : i8\n"), "300");
  for (const char* tile : {"4294967296x8xf32", "65536x65536xf32", "99999999999999999999x8xf32", "0x8xf32"})
    refused_when_compiled(
        tile,
        in_function(fmt::format(
            "    %a = pto.alloc_tile : !pto.tile_buf<vec, {}>\n    pto.tadd ins(%a, %a : !pto.tile_buf<vec, {}>, !pto.tile_buf<vec, {}>) "
            "outs(%a : !pto.tile_buf<vec, {}>)\n",
            tile, tile, tile, tile)),
        "error");
  const TempFolder folder;
  put_text(folder / "k.pto", kAddRows);
  for (const char* rows : {"9223372036854775807", "4611686018427387904", "1000000000000", "-1"}) {
    CAPTURE(rows);
    const ProcessResult result = tilescope({"run", folder / "k.pto", "--max-steps", kSanitized ? "300000" : "10000000",
                                            "--set", std::string("rows=") + rows});
    CHECK(!result.timed_out);
    CHECK(result.status == kCannotRun);
    CHECK(has(result.err, "error"));
  }
}

TEST_CASE("cli broken: offsets and loops at the ends of what numbers hold") {
  const TempFolder folder;
  put_text(folder / "k.pto", R"(module attributes {pto.target_arch = "a5"} {
  func.func @f(%x: !pto.ptr<f32>, %at: index, %size: index, %low: index, %high: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %big = arith.constant 9223372036854775807 : index
    %xv = pto.make_tensor_view %x, shape = [%c64, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x64xf32>
    %a = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf32>
    scf.for %i = %low to %high step %big {
      %xp = pto.partition_view %xv, offsets = [%at, %c0], sizes = [%size, %c64] : !pto.tensor_view<?x64xf32> -> !pto.partition_tensor_view<?x64xf32>
      pto.tload ins(%xp : !pto.partition_tensor_view<?x64xf32>) outs(%a : !pto.tile_buf<vec, 8x64xf32>)
    }
    return
  }
}
)");
  const auto status = [&](const char* at, const char* size, const char* low, const char* high) {
    const auto set = [](const char* name, const char* value) { return std::string(name) + "=" + value; };
    const ProcessResult result = tilescope({"run", folder / "k.pto", "--set", set("at", at), "--set", set("size", size),
                                            "--set", set("low", low), "--set", set("high", high)});
    CHECK(!result.timed_out);
    return result.status;
  };
  CHECK(status("0", "8", "0", "1") == kOk);
  CHECK(status("0", "8", "-9223372036854775808", "9223372036854775807") == kOk);
  CHECK(status("0", "8", "-9223372036854775808", "-9223372036854775807") == kOk);
  for (const char* far : {"9223372036854775807", "1099511627776", "4611686018427387904"}) {
    CHECK(status(far, "8", "0", "1") == kCannotRun);
    CHECK(status("0", far, "0", "1") == kCannotRun);
  }
}

TEST_CASE("cli broken: a text beyond the limit is refused before it is read") {
  const TempFolder folder;
  put_text(folder / "k.pto", kAddRows);
  for (const char* command : {"check", "run"}) {
    const ProcessResult result = tilescope({command, folder / "k.pto", "--max-size", "1000"});
    CHECK(result.status == kCannotRun);
    CHECK(has(result.err, "1000"));
    CHECK(has(result.err, "--max-size raises the limit"));
  }
}

TEST_CASE("cli broken: every prefix of a program ends in order") {
  const TempFolder folder;
  const std::size_t step = kSanitized ? 509 : 29;
  for (std::size_t size = 0; size < kAddRows.size(); size += step) {
    CAPTURE(size);
    put_text(folder / "k.pto", kAddRows.substr(0, size));
    const ProcessResult result = tilescope({"check", folder / "k.pto"});
    CHECK(!result.timed_out);
    CHECK((result.status == kOk || result.status == kCannotRun));
  }
}

namespace {

// One function of steps, so that it can also be run.
void write_long_program(const std::string& path, std::size_t bytes) {
  std::ofstream file(path, std::ios::binary);
  file << "module attributes {pto.target_arch = \"a5\"} {\n  func.func @long() {\n";
  for (const char* name : {"a", "b", "c"})
    file << "    %" << name << " = pto.alloc_tile : !pto.tile_buf<vec, 8x64xf32>\n";
  const std::string line =
      "    pto.tadd ins(%a, %b : !pto.tile_buf<vec, 8x64xf32>, !pto.tile_buf<vec, 8x64xf32>) outs(%c : !pto.tile_buf<vec, 8x64xf32>)\n";
  const std::string lines = repeated(line, 1000);
  std::size_t left = bytes / line.size();
  for (; left >= 1000; left -= 1000) file << lines;
  for (; left > 0; --left) file << line;
  file << "    return\n  }\n}\n";
}

void measure(std::size_t megabytes, const char* command, const std::string& path) {
  const ProcessResult result = tilescope({command, path});
  CHECK(result.status == kOk);
  CHECK(!result.timed_out);
  const double size = static_cast<double>(megabytes * kMegabyte), ratio = static_cast<double>(result.peak_bytes) / size;
  fmt::print("{:<5} {:>4} MB: {:7.2f} s, {:6.1f} MB/s, peak memory {:4.1f} times the file\n", command, megabytes,
             result.seconds, size / 1e6 / result.seconds, ratio);
  // Small files are less than the program itself.
  if (megabytes >= 100) CHECK(ratio <= 12);
}

}  // namespace

// Takes a minute, gigabytes of memory and of disk. Run it alone: tests/README.md says how.
TEST_CASE("cli large: programs of 1 to 200 MB are read at an even pace" *
          doctest::skip(kSanitized || std::getenv("TILESCOPE_LARGE") == nullptr)) {
  const TempFolder folder;
  for (const std::size_t megabytes : {1, 10, 100, 200}) {
    CAPTURE(megabytes);
    const std::string path = folder / "long.pto";
    write_long_program(path, megabytes * kMegabyte);
    measure(megabytes, "check", path);
    measure(megabytes, "run", path);
  }
}

}  // namespace ts::test
