// lockstep and compare on the command line.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/data/array_file.h"
#include "core/data/npy.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

constexpr int kDiffers = 2;

std::string edited(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("cli lockstep: the same on both targets") {
  const ProcessResult result = tilescope({"lockstep", "masked_sum"});
  CHECK(result.status == kOk);
  CHECK(has(result.out, "masked_sum on a2a3 and on a5: "));
  CHECK(has(result.out, "all results are the same"));
}

TEST_CASE("cli lockstep: the first difference, its line and its operands, then all of them") {
  const ProcessResult result = tilescope({"lockstep", "bug_transposed_domain"});
  CAPTURE(result.out);
  CHECK(result.status == kDiffers);
  CHECK(has(result.out, "1 result differs, 0 of them a cause"));
  CHECK(has(result.out, "tstore, line 40: %result[5] is 0 (0x00000000) on a2a3 and "));
  CHECK(has(result.out, "; 24 elements differ"));
  CHECK(has(result.out, "from %dst[0,5] = 0"));
  CHECK(has(result.out, "made by step 4 ttrans"));
  CHECK(has(result.out, "pto.tstore ins(%dst"));
  CHECK(has(result.out, "handed on: what it read was different already"));
  CHECK(tilescope({"lockstep", "bug_transposed_domain", "--option", "ttrans.a5_domain=valid"}).status == kOk);
}

TEST_CASE("cli lockstep: as JSON") {
  const ProcessResult result = tilescope({"lockstep", "bug_transposed_domain", "--json"});
  CHECK(result.status == kDiffers);
  const nlohmann::json json = json_of(result);
  REQUIRE(json.is_object());
  CHECK(json["same"] == false);
  CHECK(json["a"]["target"] == "a2a3");
  CHECK(json["b"]["target"] == "a5");
  REQUIRE(json["differences"].size() == 1);
  CHECK(json["differences"][0]["op"] == "tstore");
  CHECK(json["differences"][0]["col"] == 5);
  CHECK(json["differences"][0]["a"]["bits"] == "0x00000000");
  CHECK(json["differences"][0]["elements"] == 24);
  CHECK(json["parted"].is_null());
}

TEST_CASE("cli lockstep: what one target does not take, and what makes no sense") {
  const ProcessResult result = tilescope({"lockstep", "complex_split"});
  CHECK(result.status == kCannotRun);
  CHECK(has(result.err, "TDI-R0"));
  CHECK(has(result.err, "complex_split does not run on a2a3"));
  CHECK(tilescope({"lockstep", "masked_sum", "--target", "a5"}).status == kCannotRun);
  CHECK(tilescope({"lockstep", "no_such_file.pto"}).status == kCannotRun);
  CHECK(tilescope({"lockstep", "masked_sum", "--ulp", "-1"}).status == kCannotRun);
}

TEST_CASE("cli compare: two texts, one of them edited") {
  TempFolder folder;
  const std::string text(kAddRows);
  put_text(folder / "a.pto", text);
  put_text(folder / "same.pto", "// A comment more.\n" + text);
  put_text(folder / "b.pto", edited(text, "pto.tadd ins(%a, %b", "pto.tadd ins(%a, %a"));
  CHECK(tilescope({"compare", folder / "a.pto", folder / "same.pto", "--set", "rows=16"}).status == kOk);
  const ProcessResult result = tilescope({"compare", folder / "a.pto", folder / "b.pto", "--set", "rows=16"});
  CAPTURE(result.out);
  CAPTURE(result.err);
  CHECK(result.status == kDiffers);
  CHECK(has(result.out, "8 steps compared, 4 results differ, 2 of them a cause"));
  CHECK(has(result.out, "step 2 tadd, line 20: "));
  CHECK(tilescope({"compare", folder / "a.pto", folder / "b.pto", "--set", "rows=16", "--tile", "a"}).status == kOk);
  const ProcessResult tile =
      tilescope({"compare", folder / "a.pto", folder / "b.pto", "--set", "rows=16", "--tile", "z", "--step", "3"});
  CAPTURE(tile.out);
  CHECK(tile.status == kDiffers);
}

TEST_CASE("cli compare: a recording from a file") {
  TempFolder folder;
  const std::string saved = folder / "saved.ptorec";
  put_text(folder / "k.pto", kAddRows);
  put_text(folder / "b.pto", edited(std::string(kAddRows), "pto.tadd ins(%a, %b", "pto.tadd ins(%a, %a"));
  REQUIRE(tilescope({"run", folder / "k.pto", "--set", "rows=16", "--record", saved}).status == kOk);
  CHECK(tilescope({"compare", saved, saved}).status == kOk);
  CHECK(tilescope({"compare", saved, folder / "k.pto", "--set", "rows=16"}).status == kOk);
  CHECK(tilescope({"compare", folder / "b.pto", saved, "--set", "rows=16"}).status == kDiffers);
  CHECK(tilescope({"compare", saved, folder / "b.pto", "--set", "rows=16", "--tile", "z"}).status == kDiffers);
  const ProcessResult refused = tilescope({"compare", saved, saved, "--set", "rows=16"});
  CHECK(refused.status == kCannotRun);
  CHECK(has(refused.err, "--set is for programs that are run"));
}

TEST_CASE("cli compare: a buffer or tile with an array") {
  TempFolder folder;
  const std::string z = folder / "z.npy";
  put_text(folder / "k.pto", kAddRows);
  CHECK(tilescope({"run", folder / "k.pto", "--set", "rows=16", "--out", "z=" + z}).status == kOk);
  const std::vector<std::string> command{"compare", folder / "k.pto", z, "--set", "rows=16", "--tile", "z"};
  CHECK(tilescope(command).status == kOk);
  auto read = data::read_array(z);
  data::Array array = std::get<data::Array>(std::move(read));
  float value = 0;
  std::memcpy(&value, array.bytes.data() + 4 * 70, 4);
  value += 0.5f;
  std::memcpy(array.bytes.data() + 4 * 70, &value, 4);
  CHECK(data::write_array(z, array).text.empty());
  const ProcessResult result = tilescope(command);
  CAPTURE(result.out);
  CHECK(result.status == kDiffers);
  CHECK(has(result.out, "1 of 1024 elements differ"));
  CHECK(has(result.out, "first    [1,6]: "));
  std::vector<std::string> tolerant = command;
  tolerant.insert(tolerant.end(), {"--abs", "0.5"});
  CHECK(tilescope(tolerant).status == kOk);
  tolerant.push_back("--json");
  CHECK(json_of(tilescope(tolerant))["same"] == true);

  CHECK(tilescope({"compare", folder / "k.pto", z, "--set", "rows=16"}).status == kCannotRun);  // what of it?
  CHECK(tilescope({"compare", folder / "k.pto", z, "--set", "rows=16", "--tile", "nothing"}).status == kCannotRun);
  CHECK(tilescope({"compare", folder / "k.pto", z, "--set", "rows=16", "--tile", "z", "--step", "999"}).status ==
        kCannotRun);
  CHECK(tilescope({"compare", folder / "k.pto", folder / "none.npy", "--set", "rows=16", "--tile", "z"}).status ==
        kCannotRun);
  CHECK(tilescope({"compare", folder / "k.pto", folder / "k.pto", "--set", "rows=16", "--step", "2"}).status ==
        kCannotRun);
}

TEST_CASE("cli script: pictures go to new files below the current folder, and nowhere else") {
  TempFolder folder;
  const auto draw = [&](const std::string& path) {
    put_text(folder / "draw.lua",
             "local d = pto.compare(pto.array('f32', 1, 2, {1, 2}), pto.array('f32', 1, 2, {1, 3}))\nd:image('" + path +
                 "')");
    return tilescope({"script", folder / "draw.lua"});
  };
  const std::pair<const char*, const char*> refused[] = {
      {"../x.png", "begins with a dot"},
      {"/tmp/x.png", "begins at the root"},
      {"", "is empty"},
      {"x.txt", "ends in .png"},
      {"no_such_folder/x.png", "there is no such folder"},
      {"tests/goldens/layouts/debug_dark.png", "there is such a file already"},
  };
  for (const auto& [given, why] : refused) {
    const std::string path = given;
    CAPTURE(path);
    const ProcessResult result = draw(path);
    CAPTURE(result.err);
    CHECK(result.status == 3);
    CHECK(has(result.err, why));
  }
}

TEST_CASE("cli compare: where only padding says what made two runs differ, its step is named") {
  const TempFolder folder;
  // %b is filled up to its 16 columns; `sums`: and added up with them.
  const auto put = [&](const std::string& name, int pad, bool sums) {
    const std::string number = std::to_string(pad), a = "!pto.tile_buf<vec, 4x16xf32, valid=4x5>",
                      b = "!pto.tile_buf<vec, 4x16xf32, valid=?x?, pad=" + number + ">",
                      tmp = "!pto.tile_buf<vec, 4x16xf32>",
                      sum = "!pto.tile_buf<vec, 8x1xf32, valid=4x1, blayout=col_major>";
    std::string text =
        "module attributes {pto.target_arch = \"a5\"} {\n  func.func @k() {\n"
        "    %c4 = arith.constant 4 : index\n    %c5 = arith.constant 5 : index\n"
        "    %c16 = arith.constant 16 : index\n    %two = arith.constant 2.0 : f32\n"
        "    %a = pto.alloc_tile : " +
        a + "\n    %tmp = pto.alloc_tile : " + tmp +
        "\n"
        "    %b = pto.alloc_tile valid_row = %c4 valid_col = %c5 : " +
        b + "\n    %sum = pto.alloc_tile : " + sum + "\n    pto.texpands ins(%two : f32) outs(%a : " + a +
        ")\n    pto.tfillpad ins(%a : " + a + ") outs(%b : " + b + ")\n";
    if (sums)
      text += "    pto.set_validshape %b, %c4, %c16 : " + b + "\n    pto.trowsum ins(%b, %tmp : " + b + ", " + tmp +
              ") outs(%sum : " + sum + ")\n";
    put_text(folder / name, text + "    return\n  }\n}\n");
  };
  put("zero.pto", 1, false), put("most.pto", 2, false), put("zero_sum.pto", 1, true), put("most_sum.pto", 2, true);
  const ProcessResult only = tilescope({"compare", folder / "zero.pto", folder / "most.pto"});
  CAPTURE(only.err);
  CHECK(only.status == kOk);
  CHECK(has(only.out, "all results are the same\nin padding only: step 1 tfillpad, line 12: %b[0,5] is 0 "));
  const ProcessResult same = tilescope({"compare", folder / "zero.pto", folder / "zero.pto", "--json"});
  CHECK(json_of(same)["padding"].is_null());
  const ProcessResult reached = tilescope({"compare", folder / "zero_sum.pto", folder / "most_sum.pto", "--json"});
  REQUIRE(reached.status == kStopped);
  const auto json = json_of(reached);
  CHECK(json["differences"][0]["op"] == "trowsum");
  CHECK(json["causes"] == 0);
  CHECK(json["padding"]["op"] == "tfillpad");
  CHECK(json["padding"]["step"] == 1);
}

}  // namespace ts::test
