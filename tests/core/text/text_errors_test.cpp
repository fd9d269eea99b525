// Bad text: what is said, where, and that reading goes on behind it; and the limits.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>

#include "core/text/parse/parser.h"
#include "core/text/printer.h"
#include "core/text/render.h"
#include "core/text/same_tree.h"
#include "tests/support/random.h"
#include "tests/support/scale.h"
#include "tests/support/text/text_outline.h"

namespace ts::test {
namespace {

using namespace ts::text;
using text::Source;

Parsed parse_with(std::string text, const ParseLimits& limits) {
  Parsed parsed;
  parsed.tree = text::parse(std::make_shared<Source>("test.pto", std::move(text)), parsed.diagnostics, limits);
  return parsed;
}

std::string repeated(std::string_view what, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += what;
  return text;
}

std::size_t statements(const Tree& tree) {
  std::size_t count = 0;
  for (OpId op = tree.first_op; op != kNoId; op = tree.ops[op].next) ++count;
  return count;
}

// Reading is linear: nothing that a short text can hold takes long. The bound is far above what is needed.
Parsed read_quickly(std::string text) {
  const auto begin = std::chrono::steady_clock::now();
  Parsed parsed = parse_text(std::move(text));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  CHECK(took.count() < (kSanitized ? 60.0 : 10.0));
  return parsed;
}

}  // namespace

TEST_CASE("errors: each has its place, its words and what would be right") {
  struct Case {
    const char *text, *messages, *expected = nullptr, *hint = nullptr;
  };
  // clang-format off
  const Case cases[] = {
      {"%d = pto.tsel %m, %a, %b (!pto.tile<4x8xf32>)", "1:26 E-SYNTAX expected ':' before the type list\n", ": (types) -> type"},
      {"pto.taddd ins(...)", "1:1 E-OP unknown op 'pto.taddd'\n", nullptr, "did you mean `pto.tadd`"},
      {"taddd %a, %b", "1:1 E-OP unknown op 'taddd'\n", nullptr, "did you mean `tadd`"},
      {"qqqqqq %a", "1:1 E-OP unknown op 'qqqqqq'\n"},
      {"\"pto.taddd\"() : () -> ()", "1:2 E-OP unknown op 'pto.taddd'\n", nullptr, "did you mean `pto.tadd`"},
      {".argh %a : f32", "1:1 E-OP unknown directive '.argh'\n", ".arg or .const"},
      {"%d = pto.tadd %a; %b", "1:17 E-SYNTAX unexpected ';' inside an operand list\n", "','"},
      {"pto.tadd ins(%a; %b : f32, f32)", "1:16 E-SYNTAX unexpected ';' inside an operand list\n", "','"},
      {"pto.barrier \"PIPE_V", "1:13 E-SYNTAX string not closed before end of line\n"},
      {"pto.barrier \"PIPE_V\nreturn", "1:13 E-SYNTAX string not closed before end of line\n"},
      {"%d = pto.tadd %a %b", "1:18 E-SYNTAX unexpected '%b'\n", "','"},
      {"%d = pto.tadd %a,", "1:18 E-SYNTAX the text ends inside of an operation\n", "an operand after ','"},
      {"%d = pto.tadd %a, , %b", "1:19 E-SYNTAX unexpected ','\n", "an operand after ','"},
      {"%d = pto.tadd , %a", "1:15 E-SYNTAX unexpected ','\n", "an operand"},
      {"%d = pto.tadd %a : f32,", "1:24 E-SYNTAX the text ends inside of an operation\n", "a type"},
      {"%d = pto.tadd %a :", "1:19 E-SYNTAX the text ends inside of an operation\n", "a type"},
      {"%d = pto.tadd %a : (f32 f32)", "1:25 E-SYNTAX expected ',' or ')' in a list of types\n"},
      {"%d = pto.tadd %a : 5", "1:20 E-SYNTAX unexpected '5'\n", "a type"},
      {"%d = pto.tadd ) %a", "1:15 E-SYNTAX unexpected ')'\n", "an operand"},
      {"%d pto.tadd", "1:4 E-SYNTAX unexpected 'pto.tadd'\n", "'=' and an operation"},
      {"%d, = pto.tadd", "1:5 E-SYNTAX unexpected '='\n", "the name of a result"},
      {"%d:x = pto.tadd", "1:4 E-SYNTAX unexpected 'x'\n", "the number of values in the pack"},
      {"%d:0 = pto.tadd", "1:4 E-SYNTAX a pack has 1 to 65534 values\n"},
      {"%d:99999999999 = pto.tadd", "1:4 E-SYNTAX a pack has 1 to 65534 values\n"},
      {"return %d#99999999999 : f32", "1:10 E-SYNTAX expected the number of a value in the pack\n"},
      {"%d = 5", "1:6 E-SYNTAX unexpected '5'\n", "an operation"},
      {"5", "1:1 E-SYNTAX unexpected '5'\n", "an operation"},
      {"\xE2\x82\xAC", "1:1 E-SYNTAX a character that has no meaning here\n"},
      {"pto.trap \xE2\x82\xAC", "1:10 E-SYNTAX a character that has no meaning here\n"},
      {"pto.tadd ins(%a, %b : f32, f32", "1:31 E-SYNTAX the text ends inside of '('\n", "',' or ')'"},
      {"pto.tadd ins(%a %b : f32, f32)", "1:17 E-SYNTAX unexpected '%b'\n", "',' or ')'"},
      {"pto.set_flag[%a %b]", "1:17 E-SYNTAX expected ',' or ']' in a list\n"},
      {"pto.trap {a b}", "1:13 E-SYNTAX expected ',' or '}' in attributes\n"},
      {"pto.trap {a = 1 b}", "1:17 E-SYNTAX expected ',' or '}' in attributes\n"},
      {"pto.trap {a = }", "1:15 E-SYNTAX unexpected '}'\n", "a value"},
      {"pto.trap {\"\" = 1}", "1:11 E-SYNTAX an attribute without a name\n"},
      {"pto.trap {a = #b}", "1:15 E-SYNTAX unknown attribute '#b'\n"},
      {"pto.trap {a = #pto.b<c}", "1:21 E-SYNTAX '<' is not closed\n"},
      {"pto.trap {a = dense<c}", "1:20 E-SYNTAX '<' is not closed\n"},
      {"pto.barrier <>", "1:14 E-SYNTAX unexpected '>'\n", "a word"},
      {"%v = pto.vlds %p[]", "1:17 E-SYNTAX no index in brackets\n"},
      {"%v = pto.vlds %p[%i %j]", "1:21 E-SYNTAX unexpected '%j'\n", "',' or ']'"},
      {"pto.tassign %x, @tile(0x10", "1:27 E-SYNTAX the text ends inside of an operation\n", "')' after the address"},
      {"scf.for %i %a to %b step %c {\n}", "1:12 E-SYNTAX unexpected '%a'\n", "'=' and the lower bound"},
      {"scf.for %i = %a too %b step %c {\n}", "1:17 E-SYNTAX unexpected 'too'\n", "'to'"},
      {"scf.for %i = 0 to %b step %c {\n}", "1:14 E-SYNTAX unexpected '0'\n", "a value"},
      {"scf.for %i = %a to %b step %c", "1:30 E-SYNTAX the text ends inside of an operation\n", "'{' and a region"},
      {"%r = scf.for %i = %a to %b step %c iter_args(%x) -> f32 {\n}", "1:46 E-SYNTAX expected a value for each name\n"},
      {"scf.while {\n}", "1:11 E-SYNTAX unexpected '{'\n", "':' and the types"},
      {"scf.while : () -> () {\n} {\n}", "2:3 E-SYNTAX unexpected '{'\n", "'do'"},
      {"scf.if %c {\n} else", "2:7 E-SYNTAX the text ends inside of an operation\n", "'{' after else"},
      {"module 5", "1:8 E-SYNTAX unexpected '5'\n", "'{' and a region"},
      {"func.func kernel() {\n}", "1:11 E-SYNTAX unexpected 'kernel'\n", "the function's name, such as @kernel"},
      {"func.func @f {\n}", "1:14 E-SYNTAX unexpected '{'\n", "'(' and the parameters"},
      {"func.func @f(%a) {\n}", "1:16 E-SYNTAX unexpected ')'\n", "':' and a type"},
      {"pto.vecscope {\n^bb0\nreturn\n}", "3:1 E-SYNTAX unexpected 'return'\n", "':' after a block's label"},
      {"}", "1:1 E-SYNTAX unmatched '}'\n"},
      {"^bb0:", "1:1 E-SYNTAX a block's label outside of a region\n"},
      {".const %a : f32", "1:11 E-SYNTAX unexpected ':'\n", "'=' and a number"},
      {"%x = .arg %a : f32", "1:6 E-SYNTAX a directive has no result before it\n"},
      {"\"pto.trap\" : () -> ()", "1:12 E-SYNTAX unexpected ':'\n", "'(' and the operands"},
      {"module {\n#a = #pto.b<c>\n}", "2:1 E-SYNTAX an alias inside of a region\n"},
      {"!t", "1:1 E-SYNTAX unexpected '!t'\n"},
  };
  // clang-format on
  for (const Case& c : cases) {
    CAPTURE(std::string(c.text));
    const Parsed parsed = parse_text(c.text);
    REQUIRE(!parsed.diagnostics.empty());
    CHECK(messages({parsed.diagnostics[0]}) == c.messages);
    if (c.expected != nullptr) CHECK(parsed.diagnostics[0].expected == c.expected);
    if (c.hint != nullptr) CHECK(parsed.diagnostics[0].hint.starts_with(c.hint));
  }
}

TEST_CASE("errors: the place has its width, and brackets tell where they were opened") {
  const Parsed parsed = parse_text("pto.trap\n  pto.taddd\npto.tadd ins(%a, %b\npto.trap");
  REQUIRE(parsed.diagnostics.size() == 2);
  CHECK(parsed.diagnostics[0].pos == SourcePos{2, 3});
  CHECK(parsed.diagnostics[0].span == 9);
  CHECK(parsed.diagnostics[1].pos == SourcePos{4, 1});
  REQUIRE(parsed.diagnostics[1].notes.size() == 1);
  CHECK(parsed.diagnostics[1].notes[0].pos == SourcePos{3, 13});
}

TEST_CASE("errors: a statement has one, and the next ones are read") {
  const std::string good = "pto.trap\n";
  // clang-format off
  const char* const bad[] = {
      "%d = pto.tadd %a %b ) ] >", "pto.tadd ins(%a, %b : f31, f32) outs(%c : f31)", "pto.tadd ins(%a, %b : f32, f32",
      "pto.taddd ins(%a ... ) )",  "%v = pto.vlds %p[%i", "scf.for %i = %a too %b step %c {\n  pto.taddd\n}",
      "%d = tadd %a %b, ( : !pto.tile<16x16xf32>", "hello, world: this is text", "pto.barrier \"PIPE_V",
      "tstoer %a, %b", "pto.trap {a = [1, 2}", "%d = pto.tadd %a; %b : (f32) -> f32", "%d = tadd %a, %b : !pto.tile<16x16xf32"};
  for (const std::string text : bad) {
    CAPTURE(text);
    const Parsed parsed = parse_text(good + text + "\n" + good + good);
    REQUIRE(parsed.diagnostics.size() == 1);
    CHECK(parsed.diagnostics[0].pos.line >= 2);
    // An unknown operation whose statement reads stays in the tree.
    const std::size_t kept = statements(parsed.tree);
    CHECK(kept >= 3);
    CHECK(kept <= 4);
  }
  // clang-format on
}

TEST_CASE("errors: those in a region do not hurt what is around it") {
  const Parsed parsed = parse_text(
      "module {\nfunc.func @f() {\npto.tadd ins(%a\n%b = ) \nreturn\n}\nfunc.func @g( "
      "{\nreturn\n}\nfunc.func @h() {\nreturn\n}\n}\npto.trap\n");
  CHECK(messages(parsed.diagnostics) ==
        "4:1 E-SYNTAX unexpected '%b'\n4:6 E-SYNTAX unexpected ')'\n7:15 E-SYNTAX unexpected '{'\n");
  CHECK(outline(parsed.tree) ==
        "module region\n  block \n    func.func symbol:@f group:[ ] region\n      block \n        return\n"
        "    func.func symbol:@h group:[ ] region\n      block \n        return\npto.trap\n");
}

TEST_CASE("errors: an unknown operation is read all the same") {
  const Parsed parsed = parse_text("%a = pto.qqqqqq %b, mode(x) {y} : f32 -> f32");
  CHECK(messages(parsed.diagnostics) == "1:6 E-OP unknown op 'pto.qqqqqq'\n");
  CHECK(outline(parsed.tree) ==
        "def:%a pto.qqqqqq use:%b, group:mode[ word:x ] dict[ named:y[ ] ] types[ type:f32 ] arrow[ type:f32 ]\n");
}

TEST_CASE("errors: a region that is not closed is told once, at the end, with where it probably ends") {
  const Parsed module = parse_text("module {\n  func.func @f() {\n    return\n}");
  REQUIRE(module.diagnostics.size() == 1);
  CHECK(messages(module.diagnostics) == "4:2 E-SYNTAX region opened at 1:8 is not closed\n");
  REQUIRE(module.diagnostics[0].notes.size() == 1);
  CHECK(module.diagnostics[0].notes[0].pos == SourcePos{4, 1});
  CHECK(module.diagnostics[0].notes[0].text == "the region opened at 2:18 probably ends before this (indentation)");
  CHECK(statements(module.tree) == 1);

  const Parsed flat = parse_text("module {\nfunc.func @f() {\nscf.if %c {\n");
  CHECK(messages(flat.diagnostics) == "4:1 E-SYNTAX region opened at 3:11 is not closed\n");
  CHECK(flat.diagnostics[0].notes.empty());
}

TEST_CASE("errors: twenty are told, then how many more there are") {
  const Parsed parsed = parse_text(repeated("pto.taddd\n", 100));
  REQUIRE(parsed.diagnostics.size() == 21);
  CHECK(parsed.diagnostics[19].pos == SourcePos{20, 1});
  CHECK(messages({parsed.diagnostics[20]}) == "100:1 E-MANY 80 more errors are not shown\n");
  CHECK(statements(parsed.tree) == 100);

  ParseLimits limits;
  limits.most_errors = 1;
  CHECK(messages(parse_with("pto.x\npto.x", limits).diagnostics) ==
        "1:1 E-OP unknown op 'pto.x'\n2:1 E-MANY 1 more error is not shown\n");

  const Parsed hopeless = read_quickly(repeated("5\n", 100'000));
  CHECK(hopeless.diagnostics.size() == 21);
  CHECK(hopeless.diagnostics[20].text == "at least 9980 more errors are not shown; the rest of the text was not read");
}

TEST_CASE("text errors: a message does not quote a word as long as the text") {
  const Parsed parsed = read_quickly(std::string(1'000'000, 'q') + "z");
  REQUIRE_FALSE(parsed.diagnostics.empty());
  const std::string& said = parsed.diagnostics[0].text;
  CHECK(said.size() < 500);
  CHECK(said.starts_with("unknown op 'qqq"));
  CHECK(said.ends_with("qz'"));
  // Whole characters only.
  std::string umlauts;
  for (int i = 0; i < 1000; ++i) umlauts += "\u00e4";
  for (const Diagnostic& diagnostic : read_quickly("\"" + umlauts).diagnostics) {
    CHECK(diagnostic.text.size() < 500);
    CHECK(ts::text::Source("", diagnostic.text).first_bad_utf8() == diagnostic.text.size());
  }
}

TEST_CASE("errors: remarks have a limit of their own") {
  std::string text;
  for (int i = 1; i <= 30; ++i) text += fmt::format(".arg %a : !pto.tile_buf<vec, {}x64xf32, pad=zero>\n", i);
  const Parsed parsed = parse_text(text);
  REQUIRE(parsed.diagnostics.size() == 21);
  CHECK(parsed.diagnostics[20].severity == Severity::Warning);
  CHECK(parsed.diagnostics[20].text == "10 more remarks are not shown");
  CHECK(!has_error(parsed.diagnostics));
}

TEST_CASE("errors: text that is not UTF-8 is not read") {
  const Parsed parsed = parse_text("pto.trap\npto.\xFFtrap\n\xFF");
  CHECK(messages(parsed.diagnostics) == "2:5 E-UTF8 byte 0xFF is not UTF-8\n");
  CHECK(parsed.tree.ops.empty());
}

TEST_CASE("limits: too large a text is not read") {
  ParseLimits limits;
  limits.most_bytes = 10;
  const Parsed parsed = parse_with("pto.trap pto.trap", limits);
  REQUIRE(parsed.diagnostics.size() == 1);
  CHECK(messages(parsed.diagnostics) == "1:1 E-SIZE the text has 17 bytes, more than 10\n");
  CHECK(parsed.diagnostics[0].hint == "--max-size 17 reads it");
  CHECK(parsed.tree.ops.empty());
}

TEST_CASE("limits: whatever nests, nests only so deep") {
  const auto rules = [](const Parsed& parsed) {
    std::string out;
    for (const Diagnostic& d : parsed.diagnostics) out += d.rule + " ";
    return out;
  };
  const int deep = 100'000;
  CHECK(rules(read_quickly(repeated("module {\n", deep))) == "E-DEPTH ");
  CHECK(rules(read_quickly(repeated("module {", deep) + repeated("}", deep))) == "E-DEPTH ");
  CHECK(rules(read_quickly(repeated("{", deep))) == "E-SYNTAX ");
  CHECK(rules(read_quickly("pto.x " + repeated("(", deep))).starts_with("E-OP "));
  CHECK(rules(read_quickly("pto.trap " + repeated("(", deep))) == "E-DEPTH ");
  CHECK(rules(read_quickly("pto.trap " + repeated("[", deep) + repeated("]", deep) + "\nreturn")) == "E-DEPTH ");
  CHECK(rules(read_quickly("pto.trap {a = " + repeated("{a = ", deep))) == "E-DEPTH ");
  CHECK(rules(read_quickly("pto.trap {a = " + repeated("(", deep))) == "E-DEPTH ");
  CHECK(rules(read_quickly("pto.trap {a = " + repeated("() -> (", deep))) == "E-DEPTH ");
  CHECK(rules(read_quickly("pto.trap " + repeated("%a[", deep))) == "E-DEPTH ");
  CHECK(rules(read_quickly("pto.trap " + repeated("a(", deep))) == "E-DEPTH ");
  CHECK(rules(read_quickly("pto.trap {a = " + repeated("#pto.x<", deep))) == "E-SYNTAX ");
  CHECK(rules(read_quickly(repeated("\"pto.trap\"() ({", deep))) == "E-DEPTH ");

  // At the limit all is well, and printing and comparing go as deep.
  ParseLimits limits;
  const int most = static_cast<int>(limits.most_depth);
  const std::string text = repeated("module {\n", most) + repeated("}\n", most);
  const Parsed parsed = parse_text(text);
  CHECK(parsed.diagnostics.empty());
  CHECK(same_tree(parsed.tree, parse_text(print(parsed.tree)).tree));
}

TEST_CASE("limits: what never ends is read once") {
  const int many = rounds(100'000, 1'000'000, 1'000'000);
  const std::string long_text(many, 'x');
  CHECK(read_quickly("// " + long_text).diagnostics.empty());
  CHECK(read_quickly("# " + long_text + "\n").diagnostics.empty());
  CHECK(messages(read_quickly("pto.barrier \"" + long_text).diagnostics) ==
        "1:13 E-SYNTAX string not closed before end of line\n");
  CHECK(read_quickly(long_text).diagnostics.size() == 1);
  CHECK(read_quickly("%" + long_text + " = pto.get_block_idx").diagnostics.empty());
  CHECK(read_quickly("%a = arith.constant " + std::string(many, '9') + " : i64").diagnostics.empty());
  CHECK(read_quickly(".arg %a : !pto.tile_buf<vec, " + std::string(many, '9') + "x1xf32>").diagnostics.size() == 1);
  CHECK(read_quickly(std::string(many, ' ')).diagnostics.empty());
  CHECK(read_quickly("return " + repeated("%a, ", many / 10 * 3) + "%a : f32").diagnostics.empty());
  CHECK(read_quickly("pto.trap ) " + repeated("%a, ", many / 10 * 3)).diagnostics.size() == 1);
  CHECK(has_error(read_quickly(repeated("%a = tadd %b : !pto.tile<16x16xf32\n", many / 100 * 3)).diagnostics));
  CHECK(has_error(read_quickly(repeated("%a = tadd %b : !pto.tile<", many / 100 * 3)).diagnostics));
  CHECK(has_error(read_quickly(repeated("%a = arith.constant dense<\n", many / 100 * 3)).diagnostics));
  CHECK(has_error(read_quickly(repeated("%a, ", many / 10 * 3)).diagnostics));
  CHECK(has_error(read_quickly(repeated("%a:2 ", many / 10 * 3)).diagnostics));
  CHECK(has_error(read_quickly(repeated("pto.trap loc(", many / 10 * 3)).diagnostics));
}

TEST_CASE("limits: any bytes at all are read or refused") {
  Random random(5);
  for (int i = 0; i < (kSanitized ? 200 : 2'000); ++i) {
    std::string text;
    const std::uint32_t highest = random.one_in(2) ? 127 : 255;
    for (std::uint32_t size = random.below(400); size > 0; --size)
      text += static_cast<char>(random.between(0, highest));
    const Parsed parsed = parse_text(text);
    for (const Diagnostic& d : parsed.diagnostics) CHECK(!render(d, *parsed.tree.source).empty());
    CHECK(parsed.diagnostics.size() <= 42);
  }
}

TEST_CASE("render: the line, a caret under the place, and what would be right") {
  const Source source("dir/a.pto", "pto.trap\n\tpto.tadd \xC3\xA4; %b\n");
  Diagnostic d{.rule = "E-X",
               .severity = Severity::Error,
               .pos = {2, 11},
               .operand = {},
               .text = "wrong",
               .hint = "do this",
               .span = 3,
               .expected = "','",
               .notes = {{{1, 1}, "from here"}}};
  CHECK(
      render(d, source) ==
      "dir/a.pto:2:11: error: [E-X] wrong\n  \tpto.tadd \xC3\xA4; %b\n  \t         ^~~\n  expected: ','\n  hint: do this\n"
      "dir/a.pto:1:1: note: from here\n");
  d.pos = {};
  d.expected = d.hint = "";
  d.notes = {};
  CHECK(render(d, source) == "dir/a.pto: error: [E-X] wrong\n");
}

TEST_CASE("render: of a long line the part around the place is shown") {
  const Source source("a.pto", std::string(5'000, 'x') + "!" + std::string(5'000, 'y'));
  const Diagnostic d{.rule = "E-X",
                     .severity = Severity::Warning,
                     .pos = {1, 5'001},
                     .operand = {},
                     .text = "t",
                     .hint = {},
                     .span = 4'000};
  const std::string text = render(d, source);
  CHECK(text.size() < 700);
  const std::size_t line = text.find('\n') + 1, carets = text.find('\n', line) + 1;
  CHECK(text[line + (text.find('^') - carets)] == '!');
}

TEST_CASE("limits: looking for the next statement asks whether to go on") {
  // One mistake, and nothing behind it that begins a statement.
  constexpr int kBrackets = 200'000;
  ParseLimits limits;
  int asked = 0;
  limits.go_on = [&] {
    ++asked;
    return true;
  };
  CHECK(has_error(parse_with(repeated("(", kBrackets), limits).diagnostics));
  CHECK(asked > kBrackets / 1000);
}

}  // namespace ts::test
