// Setups: every setting there and back, the file beside the program, and files that strangers wrote.
#include "core/cases/setup.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/cases/setup_check.h"
#include "core/cases/setup_file.h"
#include "core/compile/open.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/random.h"

namespace ts::test {
namespace {

namespace fs = std::filesystem;
using namespace cases;
using Json = nlohmann::json;

Setup every_field() {
  Setup setup{.entry = "f",
              .target = "a5",
              .blocks = "3",
              .private_slots = "on",
              .order = "seed:7",
              .comm = "strict",
              .seed = "18446744073709551615",
              .max_steps = "1000",
              .budget = "64",
              .standard = "c++17",
              .include = "include:library",
              .defines = "ROWS=64 FAST"};
  setup.options = {{"strict", "on"}, {"placement", "keep"}};
  setup.numbers = {{"rows", "0x10"}, {"scale", "-0.5"}};
  setup.sizes = {{"z", "4096"}};
  setup.arrays = {{"x", "x.npy"}, {"w", "raw.bin"}};
  setup.raw = {{"w", "bf16:16x32"}};
  setup.made = {{"y", "edge"}};
  setup.args = {{"p", "f16[40960]"}};
  return setup;
}

Setup read_back(const Json& saved, std::vector<std::string>& problems) {
  std::vector<std::string> notes;
  Setup setup = setup_from(data::Fields(saved), problems, notes);
  problems.insert(problems.end(), notes.begin(), notes.end());
  return setup;
}

// A program's name in a folder, and its file of setups with this text.
std::string with_file(const TempFolder& folder, std::string_view text) {
  const std::string program = folder / "kernel.pto";
  put_text(program, kAddRows);
  put_text(setup_file_of(program), text);
  return program;
}

std::string error_of(const auto& result) {
  const auto* error = std::get_if<data::Error>(&result);
  return error == nullptr ? "" : error->text + " | " + error->hint;
}

std::string one(std::string_view setting) {
  return fmt::format(R"({{"version": 1, "setups": {{"s": {{{}}}}}}})", setting);
}

}  // namespace

TEST_CASE("setup: every field goes to JSON and comes back") {
  const Setup setup = every_field();
  CHECK(problems_of(setup).empty());
  std::vector<std::string> problems;
  CHECK(read_back(to_json(setup), problems) == setup);
  CHECK(problems.empty());
  CHECK(to_json(Setup{}) == Json::object());
  // The table has every field: none is as usual any more.
  for (const SetupRow& row : setup_rows()) CHECK_MESSAGE(!(setup.*row.field).empty(), row.key);
  for (const SetupPairs& pairs : setup_pairs()) CHECK_MESSAGE(!(setup.*pairs.field).empty(), pairs.key);
}

TEST_CASE("setup: what a request has besides arrays is a setup, and back") {
  Setup setup = every_field();
  OpenRequest open;
  put_into(setup, open);
  CHECK(open.target == Target::A5);
  CHECK(open.inputs.made.at("y") == data::MadeUp::Edge);
  CHECK(open.limits.strict_signals);
  CHECK(budget_bytes(setup) == 64u << 20);
  CHECK(open.inputs.element_types.at("p") == DType::F16);
  CHECK(open.inputs.size_bytes.at("p") == 81920);
  setup.entry.clear(), setup.budget.clear(), setup.arrays.clear(), setup.raw.clear();
  setup.standard.clear(), setup.include.clear(), setup.defines.clear();
  CHECK(setup_of(open) == setup);
  // Nothing of one that was there before stays.
  put_into(Setup{}, open);
  CHECK(setup_of(open) == Setup{});
}

TEST_CASE("setup: as words of the command line") {
  Setup setup;
  CHECK(words_of(setup).empty());
  setup.target = "a5", setup.private_slots = "on", setup.made = {{"y", "ramp"}}, setup.arrays = {{"x", "a b.npy"}};
  CHECK(words_of(setup) ==
        std::vector<std::string>{"--target", "a5", "--private-slots", "--in", "x=a b.npy", "--make", "y=ramp"});
  CHECK(short_text(setup) == "target a5, private_slots on, x=a b.npy, y=ramp");
  Setup kernel;
  kernel.include = "include:/usr/x", kernel.defines = "ROWS=64 FAST", kernel.args = {{"x", "f16[20x2048]"}};
  CHECK(words_of(kernel) == std::vector<std::string>{"-I", "include", "-I", "/usr/x", "-D", "ROWS=64", "-D", "FAST",
                                                     "--arg", "x=f16[20x2048]"});
}

TEST_CASE("setup: values that make no sense are told with what was wanted") {
  const struct {
    const char *setting, *told;
  } kWrong[] = {
      {R"("target": "a6")", "target: wanted a5|a2a3, it is \"a6\""},
      {R"("blocks": 0)", "blocks: wanted a whole number from 1 to 65535, it is 0"},
      {R"("blocks": "many")", "blocks: wanted a whole number from 1 to 65535, it is \"many\""},
      {R"("blocks": [1])", "blocks: wanted a text or a number, it is [1]"},
      {R"("seed": -1)", "seed: wanted a whole number from 0, it is -1"},
      {R"("seed": 1.5)", "seed: wanted a whole number from 0, it is 1.5"},
      {R"("order": "random")", "order: wanted usual, reverse, or seed:N with a number"},
      {R"("comm": true)", "comm: wanted a text or a number, it is true"},
      {R"("private_slots": 1)", "private_slots: wanted off|on, it is 1"},
      {R"("options": {"strict": "maybe"})", "options.strict: wanted off|on, it is \"maybe\""},
      {R"("options": {"quick": "on"})", "options.quick: wanted an option of this program"},
      {R"("options": "strict")", "options: wanted an object by names, it is \"strict\""},
      {R"("made": {"x": "noise"})", "made.x: wanted seeded, ramp, zeros, ones, normal, edge, it is \"noise\""},
      {R"("sizes": {"x": "big"})", "sizes.x: wanted a number of bytes"},
      {R"("args": {"x": "f16"})", "args.x: wanted TYPE[ROWSxCOLUMNS]"},
      {R"("args": {"x": "f16[0]"})", "args.x: wanted TYPE[ROWSxCOLUMNS]"},
      {R"("args": {"x": "f16[4294967296x4294967296x4294967296]"})", "args.x: wanted TYPE[ROWSxCOLUMNS]"},
      {R"("defines": "1=2")", "defines: wanted NAME=VALUE, with a space between two"},
      {R"("arrays": {"x": {"path": "x.npy"}})", "arrays.x: wanted a text or a number"},
      {R"("raw": {"x": "f99"}, "arrays": {"x": "x"})", "raw.x: wanted TYPE or TYPE:ROWSxCOLUMNS"},
      {R"("raw": {"x": "f32"})", "raw.x says what bytes hold, and there is no file for x"},
      {R"("arrays": {"x": "a.npy", "%x": "b.npy"})", "arrays: x is named twice, with and without %"},
      {R"("arrays": {"x": "a.npy"}, "made": {"%x": "ramp"})", "x is the array a.npy and is made of ramp as well"},
      {R"("arrays": {"x": "a.npy"}, "numbers": {"x": 4})", "x is the array a.npy and the number 4"},
      {R"("arrays": {"x": "a.npy", "x": "b.npy"})", "x is there twice in one object"},
      {R"("arrays": {"x": "a\u0000b"})", "arrays.x: wanted a text without zero bytes"},
  };
  for (const auto& [setting, told] : kWrong) {
    const TempFolder folder;
    const std::string text = one(setting), program = with_file(folder, text);
    CAPTURE(text);
    const std::string said = error_of(load_setup(program, "s"));
    CAPTURE(said);
    CHECK(has(said, told));
    CHECK(get_text(setup_file_of(program)) == text);
  }
}

TEST_CASE("setup file: saved, listed, loaded, replaced and deleted; what a stranger has in it stays") {
  const TempFolder folder;
  const std::string program =
      with_file(folder, R"({"version": 1, "by": "somebody", "setups": {"old": {"seed": 5, "colour": "red"}}})");
  const auto old = load_setup(program, "old");
  REQUIRE(std::holds_alternative<LoadedSetup>(old));
  REQUIRE(std::get<LoadedSetup>(old).notes.size() == 1);
  CHECK(has(std::get<LoadedSetup>(old).notes[0], "setup old: colour is nothing that a setup has"));
  CHECK(std::get<LoadedSetup>(old).setup.seed == "5");
  CHECK(save_setup(program, "all of it", every_field()).text == "");
  CHECK(std::get<std::vector<std::string>>(setup_names(program)) == std::vector<std::string>{"all of it", "old"});
  CHECK(std::get<LoadedSetup>(load_setup(program, "all of it")).setup == every_field());
  CHECK(save_setup(program, "old", Setup{.seed = "6"}).text == "");
  const Json now = Json::parse(get_text(setup_file_of(program)));
  CHECK(now["by"] == "somebody");
  CHECK(now["setups"]["old"] == Json{{"seed", 6}, {"colour", "red"}});
  CHECK(delete_setup(program, "old").text == "");
  CHECK(has(delete_setup(program, "old").text, "there is no setup old"));
  CHECK(has(error_of(load_setup(program, "old")), "there is no setup old | it has all of it"));
}

TEST_CASE("setup file: another version, no JSON, links and other things are refused and stay as they are") {
  for (const auto& [text, told] : {std::pair{R"({"version": 2, "setups": {}})", "it is of version 2"},
                                   {R"({"setups": {}})", "it has no version"},
                                   {R"({"version": "1", "setups": {}})", "it has no version"},
                                   {R"({"version": 1, "setups": []})", "\"setups\" is no object"},
                                   {R"({"version": 1})", "\"setups\" is no object"},
                                   {R"({"version": 1, "setups": {"s": 5}})", "setup s is no object"},
                                   {"[1, 2]", "it is no JSON object"},
                                   {"{\"version\": 1, \"setups\"", "it is no JSON"},
                                   {"", "it is no JSON"}}) {
    const std::string shown = text;
    CAPTURE(shown);
    const TempFolder folder;
    const std::string program = with_file(folder, text);
    CHECK(has(error_of(load_setup(program, "s")), told));
    if (!has(text, "\"s\"")) CHECK(save_setup(program, "s", every_field()).text != "");
    if (!has(text, "\"s\"")) CHECK(get_text(setup_file_of(program)) == text);
  }
  const TempFolder folder;
  const std::string program = with_file(folder, "");
  fs::remove(setup_file_of(program));
  CHECK(std::get<std::vector<std::string>>(setup_names(program)).empty());
  CHECK(has(error_of(load_setup(program, "s")), "there is no setup s"));
  put_text(folder / "elsewhere", one(""));
  fs::create_symlink(folder / "elsewhere", setup_file_of(program));
  CHECK(has(error_of(load_setup(program, "s")), "it is a link"));
  CHECK(has(save_setup(program, "s", {}).text, "it is a link"));
  fs::remove(setup_file_of(program));
  fs::create_directory(setup_file_of(program));
  CHECK(has(error_of(setup_names(program)), "it is a folder"));
  for (const char* name : {"", "a\nb", "\x1b[31m"}) CHECK(save_setup(program, name, {}).text != "");
}

TEST_CASE("setup file: paths stay in and below the program's folder, also by .. and links") {
  const TempFolder outside, folder;
  put_text(outside / "secret.npy", "x");
  fs::create_directories(folder / "data/deep");
  put_text(folder / "data/x.npy", "x");
  const std::string program = with_file(folder, one(""));
  fs::create_symlink(outside.path(), folder / "link");
  fs::create_symlink(outside / "secret.npy", folder / "link.npy");
  const std::string sibling = folder.path() + "-more/x.npy";
  for (const std::string& path : std::vector<std::string>{"data/x.npy", "data/../data/x.npy", "data/deep/../x.npy",
                                                          "not there.npy", "all.npz:x", folder / "data/x.npy"})
    CHECK_MESSAGE(error_of(setup_path(program, path)) == "", path);
  for (const std::string& path :
       std::vector<std::string>{"../x.npy", outside / "secret.npy", "/etc/passwd", "link/secret.npy", "link.npy",
                                "data/../../x.npy", "../all.npz:x", "link/all.npz:x", sibling}) {
    CAPTURE(path);
    CHECK(has(error_of(setup_path(program, path)), "lies outside of"));
    CHECK(error_of(setup_path(program, path, SetupFiles::Anywhere)) == "");
  }
  // Saved relative to the program where that can be, so that the folder may be moved.
  Setup setup;
  setup.arrays = {{"x", folder / "data/x.npy"}, {"y", outside / "secret.npy"}, {"z", folder / "all.npz:z"}};
  CHECK(save_setup(program, "s", setup).text == "");
  const Setup saved = std::get<LoadedSetup>(load_setup(program, "s")).setup;
  CHECK(saved.arrays.at("x") == "data/x.npy");
  CHECK(saved.arrays.at("z") == "all.npz:z");
  CHECK(saved.arrays.at("y") == fs::weakly_canonical(outside / "secret.npy").string());
  CHECK(has(error_of(with_paths(saved, program, SetupFiles::Below)), "y: "));
  CHECK(error_of(with_paths(saved, program, SetupFiles::Anywhere)) == "");
}

TEST_CASE("setup file: 2000 files with one thing changed are read or refused") {
  Random random(27);
  Json whole{{"version", 1}, {"setups", {{"s", to_json(every_field())}}}};
  const std::string text = whole.dump(1);
  const TempFolder folder;
  for (int i = 0; i < 2000; ++i) {
    std::string changed = text;
    const std::size_t at = random.below(static_cast<std::uint32_t>(text.size()));
    switch (random.below(3)) {
      case 0: changed[at] = static_cast<char>(random.below(256)); break;
      case 1: changed.erase(at, 1 + random.below(20)); break;
      default: changed.insert(at, changed.substr(random.below(static_cast<std::uint32_t>(text.size())), 12)); break;
    }
    const std::string program = folder / "kernel.pto";
    put_text(setup_file_of(program), changed);
    const auto loaded = load_setup(program, "s");
    // What is taken is whole.
    if (const auto* taken = std::get_if<LoadedSetup>(&loaded)) CHECK(problems_of(taken->setup).empty());
    else CHECK(std::get<data::Error>(loaded).text != "");
  }
}

TEST_CASE("setup check: shape, type and names are checked before anything runs") {
  const TempFolder folder;
  Diagnostics said;
  const auto tree = read_program("add.pto", std::string(kAddRows), said);
  const auto entries = entry_points(*tree, said);
  REQUIRE(!has_error(said));
  const auto put = [&](const std::string& name, const char* type, std::vector<std::uint64_t> shape, std::size_t bytes) {
    const auto error = data::write_array(folder / name, {type, std::move(shape), std::vector<std::byte>(bytes)});
    REQUIRE(error.text == "");
  };
  put("good.npy", "f4", {64, 64}, 64 * 64 * 4);
  put("wide.npy", "f8", {64, 64}, 64 * 64 * 8);
  put("short.npy", "f4", {100}, 400);
  Setup setup;
  setup.numbers["rows"] = "64";
  const auto check = [&](const std::string& file) {
    setup.arrays["x"] = folder / file;
    return check_setup(tree, entries, setup);
  };
  const SetupCheck good = check("good.npy");
  CHECK(good.fits());
  REQUIRE(good.inputs.size() == 4);
  CHECK(good.found.at("x") == "f4 64x64");
  const auto wrong = [&](const std::string& file) {
    const SetupCheck checked = check(file);
    CHECK(!checked.fits());
    return checked.wrong.contains("x") ? checked.wrong.at("x").text : "";
  };
  CHECK(has(wrong("wide.npy"), "holds f8, %x is f32"));
  CHECK(has(wrong("short.npy"), "holds 400 bytes"));
  CHECK(has(wrong("missing.npy"), "missing.npy"));
  setup.arrays.clear();
  setup.numbers["rows"] = "many";
  CHECK(has(check_setup(tree, entries, setup).wrong.at("rows").text, "many is no"));
  setup.numbers = {{"lines", "4"}};
  CHECK(has(check_setup(tree, entries, setup).wrong.at("lines").text, "the program has no input lines"));
  setup.numbers.clear();
  setup.entry = "nobody";
  CHECK(has(check_setup(tree, entries, setup).refused->text, "no entry point is called nobody"));
}

}  // namespace ts::test
