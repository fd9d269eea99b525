// Arrays in files: every spelling of a .npy header, every lie that one can tell, and NumPy as the second opinion.
#include "core/data/npy.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include "core/data/array_file.h"
#include "tests/support/process/python.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

using data::Array;
using data::Error;
using Bytes = std::vector<std::byte>;
using Result = std::variant<Array, Error>;

Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

// A file by hand: a header as it is given, and its data.
std::string file_of(std::string_view header, std::string_view data, int major = 1) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(major);
  file += '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) file += static_cast<char>(header.size() >> 8 * i & 0xFF);
  return file.append(header).append(data);
}

std::string dict(std::string_view descr, std::string_view shape, bool fortran = false) {
  return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}          \n", descr,
                     fortran ? "True" : "False", shape);
}

Result parse(std::string_view file) { return data::parse_npy(std::as_bytes(std::span(file)), "w.npy"); }

Array parse_good(std::string_view file) {
  Result result = parse(file);
  if (const Error* error = std::get_if<Error>(&result)) FAIL(error->text);
  return std::get<Array>(std::move(result));
}

void check_refused(std::string_view file, std::string_view part, std::string_view expected) {
  CAPTURE(part);
  const Result result = parse(file);
  REQUIRE(std::holds_alternative<Error>(result));
  const std::string& text = std::get<Error>(result).text;
  CAPTURE(text);
  CHECK(text.starts_with("w.npy: "));
  CHECK(text.find(part) != std::string::npos);
  CHECK(text.find(expected) != std::string::npos);
  CHECK(text.size() < 300);
  for (const char c : text) CHECK((c >= 0x20 && c < 0x7F));
  CHECK(!std::get<Error>(result).hint.empty());
}

void check_same(const Array& a, const Array& b) {
  CHECK(a.type == b.type);
  CHECK(a.shape == b.shape);
  CHECK(a.bytes == b.bytes);
}

Array array_of(std::string type, std::vector<std::uint64_t> shape, std::string_view data) {
  return {std::move(type), std::move(shape), bytes_of(data)};
}

std::string text_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void put_file(const std::string& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

Array read_good(const std::string& path) {
  Result result = data::read_array(path);
  if (const Error* error = std::get_if<Error>(&result)) FAIL(error->text);
  return std::get<Array>(std::move(result));
}

void check_unreadable(const std::string& path, std::string_view part, std::uint64_t most_bytes = 1000) {
  const Result result = data::read_array(path, most_bytes);
  REQUIRE(std::holds_alternative<Error>(result));
  const std::string& text = std::get<Error>(result).text;
  CAPTURE(text);
  CHECK(text.starts_with(path));
  CHECK(text.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("npy: a header in every version, order and spelling") {
  const Array want = array_of("i2", {2, 3}, std::string_view("\1\2\3\4\5\6\7\10\11\12\13\14", 12));
  const std::string_view little("\1\2\3\4\5\6\7\10\11\12\13\14", 12), big("\2\1\4\3\6\5\10\7\12\11\14\13", 12);
  const std::string_view columns("\1\2\7\10\3\4\11\12\5\6\13\14", 12), big_columns("\2\1\10\7\4\3\12\11\6\5\14\13", 12);
  for (const int major : {1, 2, 3}) {
    CAPTURE(major);
    check_same(parse_good(file_of(dict("<i2", "(2, 3)"), little, major)), want);
    check_same(parse_good(file_of(dict(">i2", "(2, 3)"), big, major)), want);
    check_same(parse_good(file_of(dict("=i2", "(2, 3)"), little, major)), want);
    check_same(parse_good(file_of(dict("<i2", "(2, 3)", true), columns, major)), want);
    check_same(parse_good(file_of(dict(">i2", "(2, 3)", true), big_columns, major)), want);
  }
  check_same(parse_good(file_of(R"({"shape":(2,3,),"fortran_order":False,"descr":"<i2"})", little)), want);
  check_same(parse_good(file_of("\t{ 'fortran_order' : False,\n'descr' :'|i2','shape': ( 2L , 3 ) } ", little)), want);
}

TEST_CASE("npy: shapes of no, one and many dimensions") {
  check_same(parse_good(file_of(dict("|u1", "()"), "x")), array_of("u1", {}, "x"));
  check_same(parse_good(file_of(dict("|u1", "(3,)", true), "abc")), array_of("u1", {3}, "abc"));
  check_same(parse_good(file_of(dict("|u1", "(0, 7)"), "")), array_of("u1", {0, 7}, ""));
  check_same(parse_good(file_of(dict("|u1", "(0, 7, 2)", true), "")), array_of("u1", {0, 7, 2}, ""));
  check_same(parse_good(file_of(dict("|u1", "(2, 1, 2, 2)", true), "abcdefgh")),
             array_of("u1", {2, 1, 2, 2}, "aecgbfdh"));
  std::string most = "(";
  for (int i = 0; i < 64; ++i) most += "1,";
  check_same(parse_good(file_of(dict("|u1", most + ")", true), "x")),
             array_of("u1", std::vector<std::uint64_t>(64, 1), "x"));
}

TEST_CASE("npy: every type, and bfloat16 as others spell it") {
  for (const char* type : {"b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "V2", "V1"}) {
    CAPTURE(type);
    const std::string data(static_cast<std::size_t>(type[1] - '0'), 'x');
    for (const std::string order : {"<", ">", "=", "|", ""})
      check_same(parse_good(file_of(dict(order + type, "()"), data)), array_of(type, {}, data));
  }
  check_same(parse_good(file_of(dict("bfloat16", "(2,)"), "abcd")), array_of("V2", {2}, "abcd"));
  check_same(parse_good(file_of(dict("<V2", "(2,)"), "abcd")), array_of("V2", {2}, "abcd"));
  for (const char* name : {"float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float4_e2m1fn", "int4", "uint4"})
    check_same(parse_good(file_of(dict(name, "(2,)"), "ab")), array_of("V1", {2}, "ab"));
  for (const char* type :
       {"<c8", "|O", "<U3", "|S4", "|V4", "<M8[ns]", "<f3", "<f16", "<f", "f44", "", "<", "<<f4", "b2", "float32"})
    check_refused(file_of(dict(type, "(1,)"), "abcdefgh"), fmt::format("descr is \"{}\"", type),
                  "expected one of b1, i1");
  check_refused(file_of("{'descr': [('a', '<f4'), ('b', '<i4')], 'fortran_order': False, 'shape': (1,), }", "abcdefgh"),
                "descr is \"[('a', '<f4')", "structured");
  check_refused(file_of("{'descr': ('<f4', (2,)), 'fortran_order': False, 'shape': (1,), }", "abcdefgh"),
                "descr is \"('<f4', (2,))", "structured");
}

TEST_CASE("npy: every lie is told, with what was found and what was expected") {
  struct Lie {
    std::string file, found, expected;
  };
  const std::string good = dict("<f4", "(2,)");
  std::string many = "(";
  for (int i = 0; i < 65; ++i) many += "1,";
  std::string huge = file_of("", "", 2);
  huge.replace(8, 4, "\xFF\xFF\xFF\xFF");
  // clang-format off
  const Lie lies[] = {
      // the file
      {"", "begins with \"\"", "\"\\x93NUMPY\""},
      {"PK\3\4 a zip", "begins with \"PK\\x03\\x04 a\"", "\"\\x93NUMPY\""},
      {"\x93NUMP", "begins with", "\"\\x93NUMPY\""},
      {"\x93NUMPY\1", "ends after 7 bytes", "inside its header"},
      {std::string("\x93NUMPY\2\0\1\0", 10), "ends after 10 bytes", "inside its header"},
      {file_of(good, "abcdefgh", 4), "version 4.0", "expected 1.0, 2.0 or 3.0"},
      {file_of(good, "abcdefgh", 0), "version 0.0", "expected 1.0, 2.0 or 3.0"},
      {huge, "should have 4294967295 bytes", "has 0 more"},
      {file_of(good, "").substr(0, 40), "should have", "has 30 more"},
      {file_of(good, "abcdefg"), "(2,) of \"<f4\" takes 8 bytes", "7 follow"},
      {file_of(good, "abcdefghi"), "(2,) of \"<f4\" takes 8 bytes", "9 follow"},
      {file_of(dict("<f4", "()"), ""), "() of \"<f4\" takes 4 bytes", "0 follow"},
      {file_of(dict("<f4", "(0,)"), "a"), "takes 0 bytes", "1 follow"},
      // the dict
      {file_of("", ""), "its end at byte 10", "expected {"},
      {file_of("[1, 2]", ""), "\"[1, 2]\" at byte 10", "expected {"},
      {file_of("{}", ""), "has no 'descr'", "expected descr, fortran_order and shape"},
      {file_of("{'descr': '<f4', 'shape': (), }", "abcd"), "has no 'fortran_order'", "expected descr, fortran_order and shape"},
      {file_of("{'descr': '<f4', 'fortran_order': False}", "abcd"), "has no 'shape'", "expected descr, fortran_order and shape"},
      {file_of("{'descr': '<f4', 'descr': '<f4', }", "abcd"), "'descr' twice", "expected once"},
      {file_of("{'shape': (1,), 'shape': (2,), }", "abcd"), "'shape' twice", "expected once"},
      {file_of("{'size': 4, }", "abcd"), "a key \"size\"", "expected descr, fortran_order and shape"},
      {file_of("{\"\\x41\n\": 4, }", "abcd"), "a key \"\\\\x41\\x0a\"", "expected descr, fortran_order and shape"},
      {file_of("{descr: '<f4', }", "abcd"), "\"descr: '<f4', }\"", "expected a string"},
      {file_of("{'descr", "abcd"), "\"'descr\" at byte 11", "expected a string that ends"},
      {file_of("{'descr': '<f4", "' abcd"), "\"'<f4\" at byte 20", "expected a string that ends"},
      {file_of("{'descr': \"<f4'", "abcd"), "\"\\\"<f4'\"", "expected a string that ends"},
      {file_of("{'descr': 4, }", "abcd"), "\"4, }\"", "expected a string"},
      {file_of("{'descr' '<f4', }", "abcd"), "\"'<f4', }\"", "expected a colon"},
      {file_of("{'descr': '<f4' 'shape': ()}", "abcd"), "\"'shape': ()}\"", "expected a comma or }"},
      {file_of("{'descr': '<f4',, }", "abcd"), "\", }\"", "expected a string"},
      {file_of("{'descr': '<f4',", "abcd"), "its end at byte 26", "expected a string"},
      {file_of("{'fortran_order': 0, }", "abcd"), "\"0, }\"", "expected True or False"},
      {file_of("{'fortran_order': Fals", "e, }"), "\"Fals\"", "expected True or False"},
      {file_of(good + "{}", "abcdefgh"), "\"{}\"", "expected spaces and a line break"},
      // the shape
      {file_of(dict("<f4", "2"), "abcdefgh"), "\"2, }", "expected a tuple"},
      {file_of(dict("<f4", "[2]"), "abcdefgh"), "\"[2], }", "expected a tuple"},
      {file_of(dict("<f4", "(2)"), "abcdefgh"), "shape is (2)", "expected a tuple: (2,)"},
      {file_of(dict("<f4", "(2"), "abcdefgh"), "\"}", "expected a dimension"},
      {file_of("{'shape': (2,", "3)"), "its end at byte 23", "expected a dimension"},
      {file_of("{'shape': (2", "3)"), "its end at byte 22", "expected a comma or )"},
      {file_of(dict("<f4", "(2 3)"), "abcdefgh"), "\"3), }", "expected a comma or )"},
      {file_of(dict("<f4", "(,)"), "abcdefgh"), "\",), }", "expected a dimension, 0 or more"},
      {file_of(dict("<f4", "(2,,)"), "abcdefgh"), "\",), }", "expected a dimension, 0 or more"},
      {file_of(dict("<f4", "(-2,)"), "abcdefgh"), "\"-2,), }", "expected a dimension, 0 or more"},
      {file_of(dict("<f4", "(True,)"), "abcdefgh"), "\"True,), }", "expected a dimension, 0 or more"},
      {file_of(dict("<f4", "(2.0,)"), "abcdefgh"), "\".0,), }", "expected a comma or )"},
      {file_of(dict("<f4", "(1e3,)"), "abcdefgh"), "\"e3,), }", "expected a comma or )"},
      {file_of(dict("<f4", "((2,),)"), "abcdefgh"), "\"(2,),), }", "expected a dimension, 0 or more"},
      {file_of(dict("<f4", "(9223372036854775808,)"), "abcdefgh"), "\"9223372036854775808,)", "at most 9223372036854775807"},
      {file_of(dict("<f4", "(" + std::string(5000, '9') + ",)"), "abcdefgh"), "\"9999", "at most 9223372036854775807"},
      {file_of(dict("<f4", "(1152921504606846976,)"), "abcdefgh"), "(1152921504606846976,) of", "takes 4611686018427387904 bytes, but 8"},
      {file_of(dict("<f4", "(2305843009213693952,)"), "abcdefgh"), "takes more than", "9223372036854775807 bytes"},
      {file_of(dict("<f4", "(4294967296, 4294967296)"), "abcdefgh"), "takes more than", "9223372036854775807 bytes"},
      {file_of(dict("<f4", "(4294967296, 0, 4294967296)"), ""), "takes more than", "9223372036854775807 bytes"},
      {file_of(dict("|u1", many + ")"), "a"), "more than 64 dimensions", "expected 64 at most"},
  };
  // clang-format on
  for (const Lie& lie : lies) check_refused(lie.file, lie.found, lie.expected);
}

TEST_CASE("npy: a file that is cut, longer or damaged anywhere never does harm") {
  const std::string good = file_of("{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }\n", "abcdefghijkl");
  REQUIRE(std::holds_alternative<Array>(parse(good)));
  // Each in a buffer of its own, so that the sanitizers see a byte too many.
  for (std::size_t size = 0; size < good.size(); ++size) {
    const std::vector<char> cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK(std::holds_alternative<Error>(parse({cut.data(), cut.size()})));
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string damaged = good;
      damaged[at] = static_cast<char>(byte);
      const Result result = parse(damaged);
      if (const Array* array = std::get_if<Array>(&result)) CHECK(array->bytes.size() <= good.size());
    }
  }
}

TEST_CASE("npy: what is written reads back, and begins the data at a multiple of 64") {
  const Array arrays[] = {array_of("f4", {2, 1}, "abcdefgh"), array_of("b1", {}, "\1"), array_of("V2", {1}, "ab"),
                          array_of("i8", {0, 3}, ""), array_of("u1", {1, 1, 1, 1}, "x")};
  for (const Array& array : arrays) {
    const Bytes file = data::format_npy(array);
    CHECK((file.size() - array.bytes.size()) % 64 == 0);
    const Result back = data::parse_npy(file, "w.npy");
    REQUIRE(std::holds_alternative<Array>(back));
    check_same(std::get<Array>(back), array);
  }
  const std::string_view expected("\x93NUMPY\1\0\x76\0{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 67);
  const Bytes file = data::format_npy(array_of("f4", {2}, "abcdefgh"));
  CHECK(std::memcmp(file.data(), expected.data(), expected.size()) == 0);
  CHECK(file.size() == 136);
  // Raw bytes have no type of their own.
  const Result raw = data::parse_npy(data::format_npy(array_of("", {3}, "abc")), "w.npy");
  REQUIRE(std::holds_alternative<Array>(raw));
  check_same(std::get<Array>(raw), array_of("u1", {3}, "abc"));
}

TEST_CASE("files: arrays are written whole or not at all") {
  const TempFolder folder;
  const Array array = array_of("f4", {2}, "abcdefgh");
  CHECK(data::write_array(folder / "a.npy", array).text.empty());
  check_same(read_good(folder / "a.npy"), array);
  CHECK(data::write_array(folder / "a.bin", array).text.empty());
  check_same(read_good(folder / "a.bin"), array_of("", {8}, "abcdefgh"));
  CHECK(folder.entries() == 2);

  // No room: the old file stays, and nothing else does.
  put_file(folder / "old.bin", "old");
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  getrlimit(RLIMIT_FSIZE, &old_limit);
  const rlimit small{1000, old_limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const Error error = data::write_array(folder / "old.bin", {"", {4000}, Bytes(4000)});
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);
  CHECK(error.text == folder / "old.bin" + ": cannot be written: File too large");
  CHECK(text_of_file(folder / "old.bin") == "old");
  CHECK(folder.entries() == 3);
}

TEST_CASE("files: what is no file is neither read nor replaced") {
  const TempFolder folder;
  const Array array = array_of("", {3}, "new");
  CHECK(data::write_array(folder / "none/a.bin", array).text ==
        folder / "none/a.bin" + ": cannot be written: No such file or directory");
  check_unreadable(folder / "none.npy", "No such file or directory");
  CHECK(data::write_array(folder.path(), array).text == folder.path() + ": it is a folder, expected a file");
  check_unreadable(folder.path(), "it is a folder, expected a file");
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(data::write_array(folder / "pipe", array).text == folder / "pipe" + ": it is a pipe, expected a file");
  check_unreadable(folder / "pipe", "it is a pipe, expected a file");
  check_unreadable("/dev/zero", "it is a device, expected a file");

  put_file(folder / "aim.bin", "old");
  REQUIRE(::symlink("aim.bin", (folder / "link.bin").c_str()) == 0);
  CHECK(data::write_array(folder / "link.bin", array).text.empty());
  CHECK(std::filesystem::is_symlink(folder / "link.bin"));
  CHECK(text_of_file(folder / "aim.bin") == "new");
}

TEST_CASE("files: size and content are told with the path") {
  const TempFolder folder;
  put_file(folder / "a.bin", std::string(1001, 'x'));
  check_unreadable(folder / "a.bin", "it has 1001 bytes, expected 1000 at most");
  CHECK(std::holds_alternative<Array>(data::read_array(folder / "a.bin", 1001)));
  put_file(folder / "a.npy", "text");
  check_unreadable(folder / "a.npy", "the file begins with \"text\"");
  put_file(folder / "empty.bin", "");
  check_same(read_good(folder / "empty.bin"), array_of("", {0}, ""));
}

namespace {

constexpr const char* kNumpySide = "tests/support/data/npy_numpy.py";

bool succeeds(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("npy: NumPy's files are read as NumPy means them, and NumPy reads ours") {
  const std::string python = python_with_numpy();
  if (python.empty()) {
    MESSAGE("skipped: no python3 with numpy here");
    return;
  }
  const TempFolder folder;
  REQUIRE(succeeds(fmt::format("{} {} write {}", python, kNumpySide, folder.path())));
  std::istringstream list(text_of_file(folder / "list"));
  int cases = 0;
  for (std::string line; std::getline(list, line); ++cases) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    CAPTURE(name);
    Array want{name.substr(0, 2), {}, bytes_of(text_of_file(folder / (name + ".raw")))};
    for (std::uint64_t dimension; words >> dimension;) want.shape.push_back(dimension);
    const Array array = read_good(folder / (name + ".npy"));
    check_same(array, want);
    REQUIRE(data::write_array(folder / ("back-" + name + ".npy"), array).text.empty());
  }
  CHECK(cases == 13 * 2 * 2 * 8);
  CHECK(succeeds(fmt::format("{} {} check {}", python, kNumpySide, folder.path())));
}

}  // namespace ts::test
