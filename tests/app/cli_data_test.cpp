// Arrays into programs and out of them, through files.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/data/array_file.h"
#include "core/data/npy.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

using data::Array;

constexpr std::size_t kCols = 64;

// rows x 64 floats: start, start + 1, ...
Array numbers(std::size_t rows, float start) {
  Array array{"f4", {rows, kCols}, std::vector<std::byte>(rows * kCols * 4)};
  for (std::size_t i = 0; i < rows * kCols; ++i) {
    const float value = start + static_cast<float>(i);
    std::memcpy(array.bytes.data() + 4 * i, &value, 4);
  }
  return array;
}

float at(const Array& array, std::size_t index) {
  float value = 0;
  REQUIRE(4 * index + 4 <= array.bytes.size());
  std::memcpy(&value, array.bytes.data() + 4 * index, 4);
  return value;
}

Array read(const std::string& path) {
  auto result = data::read_array(path);
  REQUIRE_MESSAGE(std::holds_alternative<Array>(result), path);
  return std::get<Array>(std::move(result));
}

// The kernel in a folder, with x.npy = 0, 1, ... and y.npy = 1000, 1001, ...
class AddRows {
 public:
  AddRows() {
    put_text(path("k.pto"), kAddRows);
    CHECK(data::write_array(path("x.npy"), numbers(16, 0)).text.empty());
    CHECK(data::write_array(path("y.npy"), numbers(16, 1000)).text.empty());
  }
  std::string path(const std::string& name) const { return folder_ / name; }
  std::string bind(const std::string& name, const std::string& file) const { return name + "=" + path(file); }
  ProcessResult run(std::vector<std::string> more) const {
    more.insert(more.begin(), {"run", path("k.pto"), "--set", "rows=16"});
    return tilescope(more);
  }
  void refused(const std::string& binding, const char* text) const {
    const ProcessResult result = run({"--in", binding});
    CAPTURE(text);
    CHECK(result.status == kCannotRun);
    CHECK_MESSAGE(has(result.err, text), result.err);
    CHECK(result.out.empty());
  }

 private:
  TempFolder folder_;
};

}  // namespace

TEST_CASE("cli data: .npy files go in, and come out in the view's shape") {
  const AddRows kernel;
  const ProcessResult result = kernel.run(
      {"--in", kernel.bind("x", "x.npy"), "--in", kernel.bind("%y", "y.npy"), "--out", kernel.bind("z", "z.npy")});
  CHECK(result.status == kOk);
  CHECK(has(result.out, "%x            f32, 1024 elements, given"));
  const Array z = read(kernel.path("z.npy"));
  CHECK(z.type == "f4");
  CHECK(z.shape == std::vector<std::uint64_t>{16, 64});
  for (std::size_t i = 0; i < 1024; ++i) CHECK(at(z, i) == 1000.0f + 2.0f * static_cast<float>(i));
}

TEST_CASE("cli data: a tile of a loop comes out as its last turn left it") {
  const AddRows kernel;
  CHECK(kernel
            .run({"--in", kernel.bind("x", "x.npy"), "--in", kernel.bind("y", "y.npy"), "--out",
                  kernel.bind("c", "c.npy")})
            .status == kOk);
  const Array c = read(kernel.path("c.npy"));
  CHECK(c.shape == std::vector<std::uint64_t>{8, 64});
  CHECK(at(c, 0) == 1000.0f + 2.0f * 8 * 64);
}

TEST_CASE("cli data: of tiles that share a name the one that ran last comes out") {
  const TempFolder folder;
  put_text(folder / "k.pto", R"(module attributes {pto.target_arch = "a5"} {
  func.func @branch(%which: i1) {
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    scf.if %which {
      %t = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
      pto.texpands ins(%one : f32) outs(%t : !pto.tile_buf<vec, 1x8xf32>)
    } else {
      %t = pto.alloc_tile : !pto.tile_buf<vec, 1x16xf32>
      pto.texpands ins(%two : f32) outs(%t : !pto.tile_buf<vec, 1x16xf32>)
    }
    return
  }
}
)");
  for (const bool which : {true, false}) {
    CHECK(
        tilescope({"run", folder / "k.pto", "--set", which ? "which=1" : "which=0", "--out", "t=" + (folder / "t.npy")})
            .status == kOk);
    const Array t = read(folder / "t.npy");
    CHECK(t.shape == std::vector<std::uint64_t>{1, which ? 8u : 16u});
    CHECK(at(t, 0) == (which ? 1.0f : 2.0f));
  }
}

TEST_CASE("cli data: bytes that are never stored stay as the file gave them") {
  const AddRows kernel;
  CHECK(data::write_array(kernel.path("z.npy"), numbers(16, -5000)).text.empty());
  // The view has 8 rows, the file 16.
  const ProcessResult result =
      tilescope({"run", kernel.path("k.pto"), "--set", "rows=8", "--in", kernel.bind("x", "x.npy"), "--in",
                 kernel.bind("z", "z.npy"), "--out", kernel.bind("z", "out.bin")});
  CHECK(result.status == kOk);
  const Array out = read(kernel.path("out.bin"));
  REQUIRE(out.bytes.size() == 4096);
  CHECK(at(out, 512) == -5000.0f + 512.0f);
  CHECK(at(out, 1023) == -5000.0f + 1023.0f);
  CHECK(at(out, 0) != -5000.0f);
}

TEST_CASE("cli data: raw files are taken as they are, in whole elements that fit") {
  const AddRows kernel;
  const std::string bytes = get_text(kernel.path("x.npy")).substr(128);
  put_text(kernel.path("x.bin"), bytes);
  CHECK(kernel
            .run({"--in", kernel.bind("x", "x.bin"), "--in", kernel.bind("y", "x.bin"), "--out",
                  kernel.bind("z", "z.bin")})
            .status == kOk);
  const std::string z = get_text(kernel.path("z.bin"));
  REQUIRE(z.size() == 4096);
  float last = 0;
  std::memcpy(&last, z.data() + 4092, 4);
  CHECK(last == 2046.0f);
  put_text(kernel.path("odd.bin"), bytes.substr(1));
  kernel.refused(kernel.bind("x", "odd.bin"), "4095 bytes are no whole number of f32 elements");
  // Half the data is half the buffer, and the kernel runs past it.
  put_text(kernel.path("half.bin"), bytes.substr(2048));
  kernel.refused(kernel.bind("x", "half.bin"), "[TLOAD-R5]");
  const ProcessResult small = kernel.run({"--in", kernel.bind("x", "x.bin"), "--size", "x=2048"});
  CHECK(small.status == kCannotRun);
  CHECK(has(small.err, "4096 bytes do not fit a buffer of 2048"));
  put_text(kernel.path("empty.bin"), "");
  CHECK(kernel.run({"--in", kernel.bind("x", "empty.bin")}).status == kCannotRun);
}

TEST_CASE("cli data: a type or shape that is not the program's is refused") {
  const AddRows kernel;
  Array array = numbers(16, 0);
  const auto write = [&](const char* type, std::vector<std::uint64_t> shape, std::size_t bytes) {
    CHECK(
        data::write_array(kernel.path("w.npy"), {type, std::move(shape), std::vector<std::byte>(bytes)}).text.empty());
  };
  write("f8", {16, 64}, 8192);
  kernel.refused(kernel.bind("x", "w.npy"), "holds f8, %x is f32");
  kernel.refused(kernel.bind("x", "w.npy"), "astype(np.float32)");
  write("i4", {16, 64}, 4096);
  kernel.refused(kernel.bind("x", "w.npy"), "holds i4, %x is f32");
  write("f4", {64, 16}, 4096);
  kernel.refused(kernel.bind("x", "w.npy"), "is 64x16, %x is 16x64");
  write("f4", {8, 64}, 2048);
  kernel.refused(kernel.bind("x", "w.npy"), "[TLOAD-R5]");
  write("f4", {}, 4);
  CHECK(kernel.run({"--in", kernel.bind("x", "w.npy")}).status == kCannotRun);
  // One more dimension of one, or none at all, is the same data.
  for (const std::vector<std::uint64_t>& shape :
       {std::vector<std::uint64_t>{1, 16, 64}, std::vector<std::uint64_t>{1024}}) {
    array.shape = shape;
    CHECK(data::write_array(kernel.path("w.npy"), array).text.empty());
    CHECK(kernel.run({"--in", kernel.bind("x", "w.npy")}).status == kOk);
  }
}

TEST_CASE("cli data: a header that lies, and what is no array at all") {
  const AddRows kernel;
  const std::string good = get_text(kernel.path("x.npy"));
  const auto lie = [&](const std::string& from, const std::string& to) {
    std::string bytes = good;
    const std::size_t place = bytes.find(from);
    REQUIRE(place != std::string::npos);
    bytes.replace(place, from.size(), to);
    put_text(kernel.path("lie.npy"), bytes);
    kernel.refused(kernel.bind("x", "lie.npy"), "lie.npy");
  };
  lie("(16, 64)", "(16, 65)");
  lie("(16, 64)", "(99, 99)");
  lie("<f4", "|O8");
  lie("NUMPY", "MUMPY");
  put_text(kernel.path("lie.npy"), good.substr(0, 40));
  kernel.refused(kernel.bind("x", "lie.npy"), "lie.npy");
  put_text(kernel.path("lie.npy"), "");
  kernel.refused(kernel.bind("x", "lie.npy"), "lie.npy");
  kernel.refused(kernel.bind("x", "none.npy"), "cannot be read");
  kernel.refused("x=/", "folder");
  kernel.refused(kernel.bind("nobody", "x.npy"), "the program has no input nobody");
  kernel.refused(kernel.bind("rows", "x.npy"), "%rows is a number and takes no data");
}

TEST_CASE("cli data: a file that cannot be written") {
  const AddRows kernel;
  const ProcessResult result = kernel.run({"--out", kernel.bind("z", "no/such/folder/z.npy")});
  CHECK(result.status == kCannotRun);
  CHECK(has(result.err, "cannot be written"));
  CHECK(kernel.run({"--out", "z=/dev/null"}).status == kCannotRun);
}

}  // namespace ts::test
