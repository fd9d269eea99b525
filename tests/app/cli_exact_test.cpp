// run --exact: a run beside itself in double precision, on a kernel whose exact results are known: y = x + b - b.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "core/data/array_file.h"
#include "core/data/npy.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"

namespace ts::test {
namespace {

constexpr std::uint32_t kExactRows = 4, kExactCols = 64;
constexpr const char* kThereAndBack = R"(module attributes {{pto.target_arch = "{}"}} {{
  func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %more = arith.constant {:.1f} : f32
    %less = arith.constant -{:.1f} : f32
    %vx = pto.make_tensor_view %x, shape = [%c4, %c64], strides = [%c64, %c1] : !pto.tensor_view<4x64xf32>
    %vy = pto.make_tensor_view %y, shape = [%c4, %c64], strides = [%c64, %c1] : !pto.tensor_view<4x64xf32>
    %px = pto.partition_view %vx, offsets = [%c0, %c0], sizes = [%c4, %c64] : !pto.tensor_view<4x64xf32> -> !pto.partition_tensor_view<4x64xf32>
    %py = pto.partition_view %vy, offsets = [%c0, %c0], sizes = [%c4, %c64] : !pto.tensor_view<4x64xf32> -> !pto.partition_tensor_view<4x64xf32>
    %a = pto.alloc_tile : !pto.tile_buf<vec, 4x64xf32>
    %b = pto.alloc_tile : !pto.tile_buf<vec, 4x64xf32>
    pto.tload ins(%px : !pto.partition_tensor_view<4x64xf32>) outs(%a : !pto.tile_buf<vec, 4x64xf32>)
    pto.tadds ins(%a, %more : !pto.tile_buf<vec, 4x64xf32>, f32) outs(%b : !pto.tile_buf<vec, 4x64xf32>)
    pto.tadds ins(%b, %less : !pto.tile_buf<vec, 4x64xf32>, f32) outs(%b : !pto.tile_buf<vec, 4x64xf32>) loc("there.py":7:3)
    pto.tstore ins(%b : !pto.tile_buf<vec, 4x64xf32>) outs(%py : !pto.partition_tensor_view<4x64xf32>)
    return
  }}
}}
)";

struct ExactCase : TempFolder {
  ExactCase(const char* target, float more) : more_(more) {
    put_text(*this / "k.pto", fmt::format(kThereAndBack, target, more, more));
    for (std::uint32_t i = 0; i < kExactRows * kExactCols; ++i)
      x.push_back(static_cast<float>(i % 7) + 0.37f * static_cast<float>(i));
    put_floats("x.npy", x);
    golden(x);
  }
  void golden(const std::vector<float>& values) const { put_floats("golden_y.npy", values); }
  nlohmann::json ask(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"run", path(), "--exact", "--json"});
    return json_of(tilescope(more))["exact"];
  }
  float rounded(float value) const {
    volatile float sum = value + more_;
    return sum - more_;
  }
  // The elements that are not the nearest; those further than abs and rel from it; the first of them.
  std::size_t off(double abs, double rel, std::optional<std::size_t>* first = nullptr) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double away = std::fabs(double{rounded(x[i])} - x[i]);
      if (away == 0 || away <= abs || away <= rel * std::fabs(x[i])) continue;
      if (count++ == 0 && first != nullptr) *first = i;
    }
    return count;
  }
  std::vector<float> x;

 private:
  void put_floats(const char* file, const std::vector<float>& values) const {
    data::Array array{"f4", {kExactRows, kExactCols}, std::vector<std::byte>(4 * values.size())};
    std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
    REQUIRE(data::write_array(*this / file, array).text.empty());
  }
  float more_;
};

}  // namespace

TEST_CASE("cli exact: how many elements rounding moved, the first step, its line and its inputs") {
  for (const char* target : {"a2a3", "a5"})
    for (const float more : {100'000.0f, 100'000'000.0f}) {
      CAPTURE(target);
      CAPTURE(more);
      const ExactCase folder(target, more);
      const nlohmann::json exact = folder.ask();
      REQUIRE(exact["outputs"].size() == 1);
      const auto& y = exact["outputs"][0];
      std::optional<std::size_t> first;
      CHECK(y["output"] == "y");
      CHECK(y["elements"] == folder.x.size());
      CHECK(y["not_nearest"] == folder.off(0, 0));
      CHECK(y["further"] == folder.off(1e-4, 1e-4, &first));
      REQUIRE(first);
      CHECK(exact["first"]["step"] == 2);
      CHECK(exact["first"]["line"] == 17);
      CHECK(exact["first"]["source"][0]["line"] == 7);
      CHECK(exact["first"]["element"] == fmt::format("%b[{},{}]", *first / kExactCols, *first % kExactCols));
      CHECK(exact["first"]["exact"] == double{folder.x[*first]});
      CHECK(std::stof(exact["first"]["is"].get<std::string>()) == folder.rounded(folder.x[*first]));
      CHECK(exact["first"]["inputs"][0]["name"] == "x");
    }
}

TEST_CASE("cli exact: of what misses a golden it says whether double precision would") {
  ExactCase folder("a5", 100'000'000.0f);
  const std::size_t wrong = folder.off(1e-4, 1e-4);
  CHECK(folder.ask()["goldens"][0]["wrong"] == wrong);
  CHECK(folder.ask()["goldens"][0]["right_in_double"] == wrong);
  CHECK(has(tilescope({"run", folder.path(), "--golden", "--exact"}).out, "all as in"));
  // What no precision makes.
  std::vector<float> other = folder.x;
  other[0] = other[9] = 5e6f;
  folder.golden(other);
  const auto json = folder.ask()["goldens"][0];
  CHECK(json["wrong"].get<std::size_t>() - json["right_in_double"].get<std::size_t>() == 2);
  CHECK(has(tilescope({"run", folder.path(), "--golden", "--exact"}).out, "in the other 2 it is the algorithm"));
  for (float& value : other) value += 1e6f;
  folder.golden(other);
  CHECK(folder.ask()["goldens"][0]["right_in_double"] == 0);
  CHECK(has(tilescope({"run", folder.path(), "--exact"}).out, "makes none as in"));
}

TEST_CASE("cli exact: the tolerance is what is said, and a kernel that moves is exact") {
  const ExactCase folder("a5", 1000.0f);
  const nlohmann::json wide = folder.ask({"--abs", "1"});
  CHECK(wide["first"] == nullptr);
  CHECK(wide["outputs"][0]["further"] == 0);
  CHECK(wide["outputs"][0]["not_nearest"] == folder.off(0, 0));
  CHECK(folder.ask({"--abs", "0.00001"})["outputs"][0]["further"] == folder.off(1e-5, 0));
  const ProcessResult moves = tilescope({"run", "complex_split", "--exact", "--abs", "0.1"});
  CHECK(moves.status == kOk);
  CHECK(has(moves.out, "%result: all 48 elements are the nearest of f32"));
  CHECK(has(moves.out, "rounding alone leaves the tolerance in no step"));
}

TEST_CASE("cli exact: a saved recording is asked the same") {
  const ExactCase folder("a5", 1000.0f);
  const std::string saved = folder / "k.ptorec";
  CHECK(tilescope({"run", folder.path(), "--exact", "--record", saved}).status != kCannotRun);
  const auto steps = json_of(tilescope({"run", saved, "--json"}))["steps"];
  CHECK(steps[1]["source"] == nlohmann::json::array());
  CHECK(steps[2]["source"] ==
        nlohmann::json::array({{{"file", "there.py"}, {"line", 7}, {"changed", false}, {"text", nullptr}}}));
  CHECK(json_of(tilescope({"run", saved, "--exact", "--json"}))["exact"]["outputs"] == folder.ask()["outputs"]);
}

}  // namespace ts::test
