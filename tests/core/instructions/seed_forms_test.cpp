// The table of seed forms is complete: every form for every legal type, nothing left open, no name twice.
#include "tests/support/instructions/seed_forms.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/catalogue/catalogue.h"

namespace ts::test {
namespace {

std::set<std::string> forms_of(const std::vector<SeedForm>& all, const std::string& instruction) {
  std::set<std::string> forms;
  for (const SeedForm& form : all)
    if (form.instruction == instruction) forms.insert(form.form + (form.module ? " module" : ""));
  return forms;
}

const std::map<std::string, std::set<std::string>> kForms{
    {"tdeinterleave", {"F1", "F2", "F3", "F3 module", "F5"}},
    {"tsels", {"F1", "F2", "F3", "F3 module", "F5", "IR1", "IR2"}},
    {"ttrans", {"F1", "F2", "F3", "F3 module", "F5", "IR1", "IR2"}},
    {"tgatherb", {"F1", "F2", "F3", "F3 module", "F5"}},
    {"texpands", {"F1", "F2", "F3", "F3 module", "F5", "IR1", "IR2"}},
};

std::string text_of(const std::vector<SeedForm>& all, const std::string& name) {
  const auto it = std::ranges::find(all, name, &SeedForm::name);
  REQUIRE(it != all.end());
  return it->text;
}

}  // namespace

TEST_CASE("seed forms: every form of every legal type, with its types written out") {
  for (const Target target : kBothTargets) {
    for (int type = 0; type < kDTypes; ++type) {
      const DType dtype = static_cast<DType>(type);
      const auto all = seed_forms(target, dtype);
      CAPTURE(name(target));
      CAPTURE(name(dtype));
      for (const auto& entry : kForms) {
        const std::string& instruction = entry.first;  // clang 14 captures no structured bindings
        CAPTURE(instruction);
        const bool legal = find_instruction(instruction)->types(target, Options{}).contains(dtype);
        CHECK(forms_of(all, instruction) == (legal ? entry.second : std::set<std::string>{}));
      }
      std::set<std::string> names;
      for (const SeedForm& form : all) {
        CAPTURE(form.name);
        CHECK(names.insert(form.name).second);
        CHECK(form.text.find("...") == std::string::npos);
        CHECK(form.text.find("%%") == std::string::npos);
        CHECK(form.text.find("<>") == std::string::npos);
        CHECK(form.text.ends_with('\n'));
        CHECK(form.text.starts_with("module") == form.module);
      }
    }
  }
}

TEST_CASE("seed forms: there is no tdeinterleave on a2a3") {
  CHECK(forms_of(seed_forms(Target::A2A3, DType::F32), "tdeinterleave").empty());
  CHECK(!forms_of(seed_forms(Target::A2A3, DType::F32), "tsels").empty());
}

TEST_CASE("seed forms: as the documents write them") {
  const auto all = seed_forms(Target::A5, DType::F32);
  CHECK(text_of(all, "tdeinterleave F1, two sources") ==
        "%dst0, %dst1 = tdeinterleave %src0, %src1 : !pto.tile<3x16xf32>\n");
  CHECK(
      text_of(all, "tdeinterleave F2, one source") ==
      "%dst0, %dst1 = pto.tdeinterleave %src : (!pto.tile<3x128xf32>) -> (!pto.tile<3x64xf32>, !pto.tile<3x64xf32>)\n");
  CHECK(text_of(all, "tsels F3") ==
        "pto.tsels ins(%mask, %src, %scalar : !pto.tile_buf<vec, 3x32xui8>, !pto.tile_buf<vec, 3x16xf32>, f32) "
        "outs(%dst : !pto.tile_buf<vec, 3x16xf32>)\n");
  CHECK(
      text_of(all, "tsels IR1, tail") ==
      "%dst = pto.tsels %src0, %src1, %scalar : (!pto.tile_buf<vec, 3x32xui8, valid=2x2>, !pto.tile_buf<vec, 3x16xf32, valid=2x13>, f32) "
      "-> !pto.tile_buf<vec, 3x16xf32, valid=2x13>\n");
  CHECK(text_of(all, "ttrans F2") == "%dst = pto.ttrans %src : !pto.tile<8x16xf32> -> !pto.tile<16x8xf32>\n");
  CHECK(text_of(all, "tgatherb F1, element") ==
        "%dst = tgatherb %src, %offsets : !pto.tile<2x16xui32> -> !pto.tile<2x16xf32>\n");
  CHECK(text_of(all, "texpands F1") == "%dst = texpands %scalar : f32, !pto.tile<3x16xf32>\n");
  CHECK(text_of(all, "texpands F5") ==
        "# Every tile has a place before it is used.\npto.tassign %dst, @tile(0x1000)\n"
        "%dst = pto.texpands %scalar : f32 -> !pto.tile<3x16xf32>\n");
}

}  // namespace ts::test
