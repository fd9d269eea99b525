// Setups and made-up data on the command line.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/data/npy.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

// A kernel with a file of setups beside it, and an array that it names.
struct SetupFolder {
  SetupFolder() {
    put_text(folder / "kernel.pto", kAddRows);
    put_array("x.npy");
    put_text(folder / "kernel.pto.tilescope", R"({"version": 1, "setups": {
      "small": {"target": "a2a3", "seed": 7, "numbers": {"rows": 16}, "arrays": {"x": "x.npy"}, "made": {"y": "ramp"},
                "options": {"placement": "keep"}, "order": "reverse", "max_steps": 1000, "budget": 64},
      "outside": {"arrays": {"x": "../x.npy"}},
      "odd": {"sed": 7},
      "wrong": {"blocks": "many"}}})");
  }
  void put_array(const std::string& name) {
    std::vector<float> ones(16 * 64, 1.0f);
    const auto bytes = std::as_bytes(std::span(ones));
    REQUIRE(data::write_array(folder / name, {"f4", {16, 64}, {bytes.begin(), bytes.end()}}).text == "");
  }
  ProcessResult run(std::vector<std::string> more) {
    more.insert(more.begin(), {"run", folder / "kernel.pto"});
    return tilescope(std::move(more));
  }
  std::string digest(std::vector<std::string> more) {
    more.push_back("--digest");
    const ProcessResult result = run(std::move(more));
    CHECK_MESSAGE(result.status == kOk, result.err);
    return result.out;
  }
  TempFolder folder;
};

}  // namespace

TEST_CASE("cli setup: runs as its words on the command line would, which go before it") {
  SetupFolder f;
  const std::vector<std::string> words{"--target", "a2a3",    "--seed",      "7",
                                       "--set",    "rows=16", "--in",        "x=" + (f.folder / "x.npy"),
                                       "--make",   "y=ramp",  "--option",    "placement=keep",
                                       "--order",  "reverse", "--max-steps", "1000"};
  const std::string digest = f.digest({"--setup", "small"});
  CHECK(digest == f.digest(words));
  for (const std::vector<std::string>& other : std::vector<std::vector<std::string>>{
           {"--target", "a5"}, {"--set", "rows=8"}, {"--in", "y=" + (f.folder / "x.npy")}, {"--make", "x=zeros"}}) {
    CAPTURE(other[1]);
    std::vector<std::string> both{"--setup", "small"}, said = words;
    both.insert(both.end(), other.begin(), other.end());
    // The setup's word for the same is left out.
    const auto drop = [&](const std::string& option, const std::string& begin) {
      for (std::size_t i = 0; i + 1 < said.size(); ++i)
        if (said[i] == option && said[i + 1].starts_with(begin))
          return void(said.erase(said.begin() + i, said.begin() + i + 2));
    };
    if (other[0] == "--target") drop("--target", "a2a3");
    if (other[1] == "--set") drop("--set", "rows=");
    if (other[0] == "--in") drop("--make", "y=");
    if (other[0] == "--make") drop("--in", "x=");
    said.insert(said.end(), other.begin(), other.end());
    const std::string changed = f.digest(both);
    CHECK(changed == f.digest(said));
    CHECK(changed != digest);
  }
}

TEST_CASE("cli setup: taken by other commands that run programs too") {
  SetupFolder f;
  const std::string kernel = f.folder / "kernel.pto";
  const ProcessResult why = tilescope({"why", kernel, "z[3,5]", "--setup", "small"});
  CHECK_MESSAGE(why.status == kOk, why.err);
  CHECK(tilescope({"check", kernel, "--run", "--setup", "small"}).status == kOk);
  CHECK(tilescope({"compare", kernel, kernel, "--setup", "small"}).status == kOk);
  CHECK(has(tilescope_fed({"repl", kernel, "--setup", "small"}, "print(rec.count)\n").out, "8"));
}

TEST_CASE("cli setup: scripts take it by its name, and what they say themselves goes before it") {
  SetupFolder f;
  const auto script = [&](const std::string& options) {
    put_text(f.folder / "test.lua", "local prog = pto.load([[" + (f.folder / "kernel.pto") + "]], {" + options +
                                        "})\nprint(prog:record():digest())\n");
    return tilescope({"script", f.folder / "test.lua"});
  };
  const ProcessResult same = script("setup='small'");
  CHECK_MESSAGE(same.status == kOk, same.err);
  CHECK(has(same.out + "\n", f.digest({"--setup", "small"})));
  CHECK(has(script("setup='small', target='a5'").out, f.digest({"--setup", "small", "--target", "a5"})));
  CHECK(has(script("setup='small', seed=9").out, f.digest({"--setup", "small", "--seed", "9"})));
  CHECK(has(script("setup='small', make={x='zeros'}").out, f.digest({"--setup", "small", "--make", "x=zeros"})));
  CHECK(has(script("setup='small', inputs={rows=8}").out, f.digest({"--setup", "small", "--set", "rows=8"})));
  CHECK(has(script("setup='none'").err, "there is no setup none"));
  CHECK(has(script("setup='outside'").err, "lies outside of"));
  CHECK(has(script("setup='wrong'").err, "setup wrong: blocks"));
  put_text(f.folder / "test.lua", "pto.load('masked_sum', {setup='small'})");
  CHECK(has(tilescope({"script", f.folder / "test.lua"}).err, "setups stand beside a program's file"));
}

TEST_CASE("cli setup: what makes no sense is said, and nothing runs") {
  SetupFolder f;
  const auto refused = [&](const std::string& name, std::string_view text, std::string_view hint = "") {
    const ProcessResult result = f.run({"--setup", name});
    CAPTURE(result.err);
    CHECK(result.status == kCannotRun);
    CHECK(result.out == "");
    CHECK(has(result.err, text));
    CHECK(has(result.err, hint));
  };
  refused("none", "there is no setup none", "it has odd, outside, small, wrong");
  refused("wrong", "setup wrong: blocks: wanted a whole number from 1 to 65535, it is \"many\"");
  refused("outside", "x: ../x.npy lies outside of", "--setup-outside");
  CHECK(has(f.run({"--setup", "outside", "--setup-outside"}).err, "x.npy"));
  const ProcessResult odd = f.run({"--setup", "odd"});
  CHECK(odd.status == kOk);
  CHECK(has(odd.err, "setup odd: sed is nothing that a setup has"));
  CHECK(has(tilescope({"run", "masked_sum", "--setup", "x"}).err, "setups stand beside a program's file"));
  put_text(f.folder / "kernel.pto.tilescope", "nothing of the kind");
  refused("small", "kernel.pto.tilescope: it is no JSON");
}

TEST_CASE("cli make: inputs are made of what their kind says, and the report says so") {
  SetupFolder f;
  const ProcessResult result =
      f.run({"--set", "rows=8", "--make", "x=ramp", "--make", "y=ones", "--out", "z=" + (f.folder / "z.csv")});
  CHECK_MESSAGE(result.status == kOk, result.err);
  CHECK(has(result.out, "f32, 512 elements, ramp"));
  CHECK(has(result.out, "f32, 512 elements, ones"));
  CHECK(get_text(f.folder / "z.csv").starts_with("1,2,3,4,5"));
  CHECK(has(f.run({"--make", "x=noise"}).err, "nothing is made of noise"));
  CHECK(has(f.run({"--make", "x=noise"}).err, "seeded, ramp, zeros, ones, normal, edge"));
  CHECK(has(f.run({"--make", "rows=ramp"}).out + f.run({"--make", "rows=ramp"}).err,
            "is a number and is not made of ramp"));
  CHECK(has(f.run({"--make", "w=ramp"}).out + f.run({"--make", "w=ramp"}).err, "the program has no input w"));
  const auto both = f.run({"--make", "x=ramp", "--in", "x=" + (f.folder / "x.npy")});
  CHECK(has(both.out + both.err, "is given data and is to be made of ramp as well"));
}

}  // namespace ts::test
