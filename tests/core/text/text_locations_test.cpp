// loc(...): every form, aliases in any order, what is wrong with one, and random ones against a model that knows no text.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "core/text/printer.h"
#include "core/text/same_tree.h"
#include "tests/support/process/cli.h"
#include "tests/support/random.h"
#include "tests/support/scale.h"
#include "tests/support/text/text_outline.h"

namespace ts::test {
namespace {

using namespace ts::text;

std::string spelled(const SourceOrigin& origin) {
  std::string out = origin.name.empty() ? "" : origin.name + ": ";
  for (const SourcePlace& place : origin.places)
    out +=
        fmt::format("{}{}:{}:{}", &place == &origin.places.front() ? "" : " < ", place.file, place.line, place.column);
  return out;
}

// Of the text's first operation.
std::string origin_in(const std::string& text) {
  const Parsed parsed = parse_text(text);
  CHECK(!has_error(parsed.diagnostics));
  REQUIRE(parsed.tree.first_op != kNoId);
  return spelled(parsed.tree.origin_of(parsed.tree.first_op));
}

std::string remarks_in(const std::string& text) {
  const Parsed parsed = parse_text(text);
  CHECK(!has_error(parsed.diagnostics));
  CHECK(!parsed.tree.ops.empty());
  return messages(parsed.diagnostics);
}

// --- a model: what a location means, and one of the ways to write it ---

struct Written {
  std::string text;
  SourceOrigin means;
};

class Locations {
 public:
  explicit Locations(Random& random) : random_(random) {}

  Written any(int depth) {
    switch (depth == 0 ? random_.below(2) : random_.below(7)) {
      case 0: return file();
      case 1: return {"unknown", {}};
      case 2: return named(depth);
      case 3: return fused(depth);
      case 4:
      case 5: return call(depth);
      default: return alias(depth);
    }
  }
  // Their definitions, before or behind what uses them.
  std::string aliases_before() const { return before_; }
  std::string aliases_behind() const { return behind_; }

 private:
  std::string blank() { return random_.one_in(4) ? " " : ""; }

  Written file() {
    const std::string names[] = {"attn.py", "kernels/a b.py", "x\\\"y.py", "\\E2\\82\\AC.py"};
    const std::string plain[] = {"attn.py", "kernels/a b.py", "x\"y.py", "\xE2\x82\xAC.py"};
    const std::uint32_t which = random_.below(4), line = random_.between(1, 5000), column = random_.below(90);
    std::string text = fmt::format("\"{}\":{}", names[which], line);
    if (column != 0 || random_.one_in(2)) text += fmt::format(":{}", column);
    if (random_.one_in(5)) text += fmt::format(" to {}:7", line + 1);
    return {text, {{{plain[which], line, column}}, ""}};
  }
  Written named(int depth) {
    const std::string name = fmt::format("n{}", random_.below(100));
    if (random_.one_in(4)) return {fmt::format("\"{}\"", name), {{}, name}};
    Written inner = any(depth - 1);
    inner.text = fmt::format("\"{}\"({}{})", name, blank(), inner.text);
    inner.means.name = name;
    return inner;
  }
  Written fused(int depth) {
    Written out{random_.one_in(3) ? "fused<\"a]>b\">[" : "fused[", {}};
    bool found = false;
    for (std::uint32_t i = random_.below(4); i > 0; --i) {
      const Written part = any(depth - 1);
      out.text += part.text + (i > 1 ? "," + blank() : "");
      if (found) continue;
      if (out.means.name.empty()) out.means.name = part.means.name;
      out.means.places = part.means.places;
      found = !part.means.places.empty();
    }
    out.text += "]";
    return out;
  }
  Written call(int depth) {
    const Written callee = any(depth - 1), caller = any(depth - 1);
    SourceOrigin means = callee.means;
    if (means.name.empty() && means.places.empty()) means.name = caller.means.name;
    means.places.insert(means.places.end(), caller.means.places.begin(), caller.means.places.end());
    return {fmt::format("callsite({}{} at {})", blank(), callee.text, caller.text), means};
  }
  Written alias(int depth) {
    Written what = any(depth - 1);
    const std::string name = fmt::format("#loc{}", ++made_);
    (random_.one_in(2) ? before_ : behind_) += fmt::format("{} = loc({})\n", name, what.text);
    what.text = name;
    return what;
  }

  Random& random_;
  std::string before_, behind_;
  int made_ = 0;
};

}  // namespace

TEST_CASE("locations: every form leads to its line") {
  CHECK(origin_in("pto.trap loc(\"kernels/attn.py\":41:9)") == "kernels/attn.py:41:9");
  CHECK(origin_in("pto.trap loc(\"a.py\":41)") == "a.py:41:0");
  CHECK(origin_in("pto.trap loc( \"a.py\" : 41 : 9 )") == "a.py:41:9");
  CHECK(origin_in("pto.trap loc(\"a.py\":41:9 to 43:2)") == "a.py:41:9");
  CHECK(origin_in("pto.trap loc(\"a.py\":41:9 to :12)") == "a.py:41:9");
  CHECK(origin_in("pto.trap loc(unknown)") == "");
  CHECK(origin_in("pto.trap loc(\"tile\")") == "tile: ");
  CHECK(origin_in("pto.trap loc(\"tile\"(\"a.py\":1:2))") == "tile: a.py:1:2");
  CHECK(origin_in("pto.trap loc(fused[unknown, \"a.py\":1:2, \"b.py\":3:4])") == "a.py:1:2");
  CHECK(origin_in("pto.trap loc(fused<\"pass\">[\"a.py\":1:2])") == "a.py:1:2");
  CHECK(origin_in("pto.trap loc(callsite(\"f\"(\"h.py\":5:6) at callsite(\"a.py\":7:8 at \"main.py\":9:1)))") ==
        "f: h.py:5:6 < a.py:7:8 < main.py:9:1");
  CHECK(origin_in("#loc3 = loc(\"a.py\":1:2)\npto.trap loc(#loc3)") == "a.py:1:2");
  CHECK(origin_in("pto.trap loc(#loc3)\n#loc3 = loc(\"a\"(#loc1))\n#loc1 = loc(\"a.py\":1:2)") == "a: a.py:1:2");
  CHECK(origin_in("#loc=loc(\"a.py\":1:2)\npto.trap loc(#loc)") == "a.py:1:2");
  CHECK(origin_in("pto.trap loc(loc(\"a.py\":1:2))") == "a.py:1:2");
  CHECK(origin_in("pto.trap loc(\"a)(\\\"b.py\":1:2)") == "a)(\"b.py:1:2");
  CHECK(origin_in("pto.trap") == "");
}

TEST_CASE("locations: of modules, functions, loops, arguments") {
  const std::string text =
      "module attributes {pto.target_arch = \"a5\"} {\n"
      "  func.func @f(%a: index loc(\"k.py\":2:7), %b: index {x = 1} loc(#loc2), %c: index) {\n"
      "    scf.for %i = %a to %b step %c {\n"
      "      pto.trap loc(#loc1)\n"
      "    } loc(\"k.py\":4:1)\n"
      "    scf.while (%x = %a) : (index) -> (index) {\n"
      "      scf.condition(%t) %x : index\n"
      "    } do {\n"
      "    ^bb0(%y: index loc(\"k.py\":6:3)):\n"
      "      scf.yield %y : index\n"
      "    } loc(\"k.py\":6:1)\n"
      "    return loc(\"k.py\":5:1)\n"
      "  } loc(#loc1)\n"
      "} loc(unknown)\n"
      "#loc1 = loc(\"k.py\":3:1)\n"
      "#loc2 = loc(unknown)\n";
  const Parsed parsed = parse_text(text);
  CHECK(messages(parsed.diagnostics) == "");
  CHECK(print(parsed.tree) == text);
  const auto origin_of_op = [&](std::string_view name) {
    for (OpId op = 0; op < parsed.tree.ops.size(); ++op)
      if (parsed.tree.name_of(parsed.tree.ops[op]) == name) return spelled(parsed.tree.origin_of(op));
    return std::string("none");
  };
  CHECK(origin_of_op("pto.trap") == "k.py:3:1");
  CHECK(origin_of_op("scf.for") == "k.py:4:1");
  CHECK(origin_of_op("scf.while") == "k.py:6:1");
  CHECK(origin_of_op("func.func") == "k.py:3:1");
  const std::string bare = print(parsed.tree, {.locations = false});
  CHECK(bare.find("loc") == std::string::npos);
  CHECK(print(parse_text(bare).tree) == bare);
}

TEST_CASE("locations: what is wrong with one is told, and the program is read") {
  CHECK(has(remarks_in("pto.trap loc(#loc9)"), "there is no #loc9"));
  CHECK(has(remarks_in("pto.trap loc(\"a.py\":x)"), "W-LOC a location of a form that is not known"));
  CHECK(has(remarks_in("pto.trap loc()"), "W-LOC"));
  CHECK(has(remarks_in("pto.trap loc(\"a.py\":1:2 \"b.py\":3:4)"), "W-LOC"));
  CHECK(has(remarks_in("pto.trap loc(\"a.py\":99999999999:1)"), "W-LOC"));
  CHECK(has(remarks_in("pto.trap loc(callsite(\"a.py\":1:2))"), "W-LOC"));
  CHECK(has(remarks_in("pto.trap loc(fused[\"a.py\":1:2)"), "W-LOC"));
  CHECK(has(remarks_in("#a = loc(#a)\npto.trap loc(#a)"), "#a stands for itself"));
  CHECK(has(remarks_in("pto.trap loc(\"n\"(#b))\n#a = loc(\"x\"(#b))\n#b = loc(callsite(\"a.py\":1:2 at #a))"),
            "stands for itself"));
  CHECK(has(remarks_in("#a = loc(\"a.py\":1:2)\n#a = loc(unknown)\npto.trap loc(#a)"), "#a is made twice"));
  CHECK(has(remarks_in("#a = loc(\"a.py\":1:2\npto.trap"), "a location that is not closed"));
  CHECK(has_error(parse_text("pto.trap loc(\"a.py\":1:2\npto.trap").diagnostics));
  // A comment that only looks like one.
  CHECK(remarks_in("# loc1 = loc(1)\n// #loc1 = loc(1)\npto.trap") == "");
}

TEST_CASE("locations: nested, chained and spread beyond all use, they end in order") {
  std::string deep = "\"a.py\":1:2";
  const int many = rounds(10'000, 100'000, 100'000);
  for (int i = 0; i < many; ++i) deep = "\"n\"(" + std::move(deep);
  deep += std::string(many, ')');
  CHECK(has(remarks_in("pto.trap loc(" + deep + ")"), "nests deeper than"));
  // Each alias stands for the one before it.
  std::string chain = "#l0 = loc(\"a.py\":1:2)\n";
  for (int i = 1; i < many; ++i) chain += fmt::format("#l{} = loc(#l{})\n", i, i - 1);
  const Parsed chained = parse_text(chain + fmt::format("pto.trap loc(#l{})", many - 1));
  CHECK(messages(chained.diagnostics) == "");
  chained.tree.origin_of(chained.tree.first_op);
  // Each stands for two of the one before it.
  std::string wide = "#l0 = loc(\"a.py\":1:2)\n";
  for (int i = 1; i < 60; ++i) wide += fmt::format("#l{} = loc(callsite(#l{} at #l{}))\n", i, i - 1, i - 1);
  const Parsed spread = parse_text(wide + "pto.trap loc(#l59)");
  CHECK(spread.tree.origin_of(spread.tree.first_op).places.size() == 200);
  // A circle of many.
  std::string circle;
  for (int i = 0; i < many / 2; ++i) circle += fmt::format("#l{} = loc(\"x\"(#l{}))\n", i, (i + 1) % (many / 2));
  CHECK(has(remarks_in(circle + "pto.trap loc(#l7)"), "stands for itself"));
}

TEST_CASE("locations: random ones say what they were made of, and print as they were") {
  Random random(220);
  for (int i = 0; i < 400; ++i) {
    Locations locations(random);
    std::string text;
    std::vector<SourceOrigin> means;
    for (int op = 0; op < 5; ++op) {
      const Written written = locations.any(4);
      text += fmt::format("pto.trap loc({})\n", written.text);
      means.push_back(written.means);
    }
    text = locations.aliases_before() + text + locations.aliases_behind();
    CAPTURE(text);
    const Parsed parsed = parse_text(text);
    CHECK(messages(parsed.diagnostics) == "");
    REQUIRE(parsed.tree.ops.size() == means.size());
    for (OpId op = 0; op < means.size(); ++op) CHECK(spelled(parsed.tree.origin_of(op)) == spelled(means[op]));
    CHECK(print(parsed.tree) == text);
    CHECK(same_tree(parsed.tree, parse_text(print(parsed.tree)).tree));
  }
}

}  // namespace ts::test
