// pto.compare, and what it found.
#include "scripting/objects/compare/comparison.h"

#include <fmt/format.h>

#include <limits>

#include "core/debug/picture/difference_picture.h"
#include "scripting/binding/object.h"
#include "scripting/objects/values/elements.h"
#include "scripting/run/new_file.h"
#include "scripting/run/pto.h"
#include "scripting/sandbox/sandbox.h"

namespace ts::scripting {
namespace {

using Kind = Binding::Kind;

constexpr std::initializer_list<const char*> kCompareOptions = {"abs", "rel", "ulp", "nan", "region"};

double tolerance(const OptionTable& options, const char* key) {
  const double value = options.number(key).value_or(0);
  if (!(value >= 0)) options.wrong(key, "a number from 0 on");
  return value;
}

}  // namespace

CompareOptions tolerances(const OptionTable& options) {
  CompareOptions made;
  made.abs = tolerance(options, "abs");
  made.rel = tolerance(options, "rel");
  made.ulp =
      static_cast<std::uint64_t>(options.integer("ulp", 0, std::numeric_limits<std::int64_t>::max()).value_or(0));
  return made;
}

CompareOptions compare_options(const OptionTable& options) {
  CompareOptions made = tolerances(options);
  made.nan_equal = options.word("nan", {"equal", "differ"}).value_or(0) == 0;
  made.region = region_of(options);
  return made;
}

Compared compare_arguments(lua_State* L, const char* a, const char* b) {
  Compared compared{check_elements(L, 1, a),
                    check_elements(L, 2, b),
                    compare_options(OptionTable(L, 3, "options", kCompareOptions)),
                    {}};
  Sandbox::charge(L, compared.a.elements->bits.size());
  const auto comparing = Comparing::make(*compared.a.elements, *compared.b.elements, compared.options);
  if (const auto* refusal = std::get_if<Refusal>(&comparing))
    raise(L, {fmt::format("{} and {}: {}", compared.a.name, compared.b.name, refusal->text), refusal->hint});
  compared.result = std::get<Comparing>(comparing).all();
  return compared;
}

namespace {

int pto_compare(lua_State* L) {
  Compared compared = compare_arguments(L, "a", "b");
  make_object<ComparisonObject>(L, compared.a.elements, compared.b.elements, compared.options, compared.result);
  return 1;
}

int push_difference(lua_State* L, const ComparisonObject& comparison, const std::optional<Difference>& difference) {
  if (!difference) return lua_pushnil(L), 1;
  lua_createtable(L, 0, 10);
  set_integer(L, "row", difference->row);
  set_integer(L, "col", difference->col);
  set_element(L, "a", *comparison.a->format, difference->a);
  set_element(L, "b", *comparison.b->format, difference->b);
  set_integer(L, "aBits", difference->a);
  set_integer(L, "bBits", difference->b);
  set_truth(L, "undefined", difference->undefined);
  set_number(L, "abs", difference->absolute);
  if (difference->ulps) set_integer(L, "ulp", *difference->ulps);
  set_field(L, "text", difference_text(*comparison.a, *comparison.b, *difference));
  return 1;
}

template <std::optional<Difference> Comparison::*kWhich>
int comparison_difference(lua_State* L) {
  const ComparisonObject& comparison = check_self<ComparisonObject>(L);
  return push_difference(L, comparison, comparison.result.*kWhich);
}

template <std::uint64_t Comparison::*kCount>
int comparison_count(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(check_self<ComparisonObject>(L).result.*kCount));
  return 1;
}

int comparison_ok(lua_State* L) {
  lua_pushboolean(L, check_self<ComparisonObject>(L).result.ok() ? 1 : 0);
  return 1;
}

int comparison_next(lua_State* L) {
  ComparisonObject& comparison = check_self<ComparisonObject>(L);
  const auto comparing = std::get<Comparing>(Comparing::make(*comparison.a, *comparison.b, comparison.options));
  Sandbox::charge(L, (comparing.count() - std::min(comparing.count(), comparison.next)) / 8);
  const auto found = comparing.next(comparison.next);
  comparison.next = found ? comparing.index_of(*found) + 1 : comparing.count();
  return push_difference(L, comparison, found);
}

int comparison_image(lua_State* L) {
  const ComparisonObject& comparison = check_self<ComparisonObject>(L);
  const NewFile made = check_new_file(L, {".png"});
  const OptionTable options(L, 3, "options", {"scale"});
  const auto scale = static_cast<std::uint32_t>(options.integer("scale", 1, 64).value_or(0));
  Sandbox::charge(L, comparison.a->bits.size());
  const auto drawn = difference_picture(*comparison.a, *comparison.b, comparison.options, scale);
  if (const auto* refusal = std::get_if<Refusal>(&drawn)) raise(L, "comparison:image: " + refusal->text, refusal->hint);
  const auto& picture = std::get<data::Picture>(drawn);
  data::FileWriter file(made.path, made.rules);
  const std::vector<std::byte> bytes = data::format_png(picture);
  file.write(bytes);
  if (const data::Error error = file.finish(); !error.text.empty()) raise_error(L, error);
  return 0;
}

int comparison_text(lua_State* L) {
  const ComparisonObject& comparison = check_self<ComparisonObject>(L);
  const Comparison& result = comparison.result;
  std::string text = result.ok() ? fmt::format("all {} elements agree", result.compared)
                                 : fmt::format("{} of {} elements differ", result.count, result.compared);
  if (result.first) text += ", first " + difference_text(*comparison.a, *comparison.b, *result.first);
  return push_text_result(L, text);
}

const std::string kCompareStart =
    R"(local d = pto.compare(pto.array("f32", 1, 3, {1, 2, 3}), pto.array("f32", 1, 3, {1, 2.5, 4}))
)";

std::vector<Binding> compare_rows() {
  return {
      {"compare", Kind::Function, pto_compare, "pto.compare(a, b, options?: table) -> comparison",
       "Compares two tiles, buffers or arrays element by element. Options: abs, rel, ulp (one of them is enough), nan, "
       "region. b may have another type; then ulp counts elements of a's.",
       R"(local d = pto.compare(pto.array("f16", 1, 2, {0.1, 2}), pto.array("f64", 1, 2, {0.1, 2}))
assert(d.ok and d.count == 0)
assert(pto.compare(pto.array("i8", 1, 1, {5}), pto.array("i8", 1, 1, {7}), {ulp=2}).ok))"},
  };
}

const ListedRows kComparisonRows{52, {pto_type, compare_rows}};
const ListedType kComparisonType{160, ComparisonObject::type};

}  // namespace

const ObjectType& ComparisonObject::type() {
  static const ObjectType made{
      .name = "comparison",
      .owner = "comparison",
      .help =
          "What pto.compare found. A difference has row, col, a, b, aBits, bBits, abs, ulp, undefined and text; ulp is "
          "nil when no number of elements lies between the two.",
      .bindings =
          {
              {"ok", Kind::Field, comparison_ok, "comparison.ok -> boolean", "Whether no element differs.",
               kCompareStart + "assert(not d.ok)"},
              {"count", Kind::Field, comparison_count<&Comparison::count>, "comparison.count -> integer",
               "How many elements differ.", kCompareStart + "assert(d.count == 2)"},
              {"compared", Kind::Field, comparison_count<&Comparison::compared>, "comparison.compared -> integer",
               "How many elements were compared.", kCompareStart + "assert(d.compared == 3)"},
              {"undefined", Kind::Field, comparison_count<&Comparison::undefined>, "comparison.undefined -> integer",
               "How many elements were not compared because neither side has a value there.",
               kCompareStart + "assert(d.undefined == 0)"},
              {"first", Kind::Field, comparison_difference<&Comparison::first>, "comparison.first -> table | nil",
               "The first difference, row by row.", kCompareStart + "assert(d.first.col == 1 and d.first.b == 2.5)"},
              {"worst", Kind::Field, comparison_difference<&Comparison::worst>, "comparison.worst -> table | nil",
               "The largest absolute difference.", kCompareStart + "assert(d.worst.col == 2 and d.worst.abs == 1)"},
              {"worstUlp", Kind::Field, comparison_difference<&Comparison::worst_ulp>,
               "comparison.worstUlp -> table | nil", "The difference with the most elements in between.",
               kCompareStart + "assert(d.worstUlp.ulp >= d.first.ulp)"},
              {"next", Kind::Method, comparison_next, "comparison:next() -> table | nil",
               "The differences one by one; nil after the last.",
               kCompareStart + "assert(d:next().col == 1 and d:next().col == 2 and d:next() == nil)"},
              {"image", Kind::Method, comparison_image, "comparison:image(path: string, options?: table)",
               "Draws all elements into a new PNG file below the current folder: the same plain grey, those within the "
               "tolerances blue with a dot, those that differ yellow with a cross, without a value hatched. scale is the "
               "pixels for the side of an element.",
               kCompareStart + "d:image('differences.png', {scale=10})"},
          },
      .to_text = guarded<comparison_text>};
  return made;
}

}  // namespace ts::scripting
