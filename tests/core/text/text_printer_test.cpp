// The printer: what it prints reads back as the same program, and prints the same again.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include "core/text/parse/parser.h"
#include "core/text/printer.h"
#include "core/text/same_tree.h"
#include "tests/support/random.h"
#include "tests/support/scale.h"
#include "tests/support/text/text_corpus.h"
#include "tests/support/text/text_outline.h"

namespace ts::test {
namespace {

using namespace ts::text;

std::string printed(const std::string& text) {
  const Parsed parsed = parse_text(text);
  CHECK(!has_error(parsed.diagnostics));
  return print(parsed.tree);
}

// Prints a tree without errors and reads it back; says what went wrong, or nothing.
std::string round_trip(const Tree& tree) {
  const std::string once = print(tree);
  const Parsed again = parse_text(once);
  if (has_error(again.diagnostics)) return "does not read back: " + messages(again.diagnostics) + once;
  if (!same_tree(tree, again.tree)) return "reads back as another program: " + once;
  if (print(again.tree) != once) return "prints differently: " + once + "----\n" + print(again.tree);
  return "";
}

std::size_t comments(const std::string& text) { return parse_text(text).tree.comments.size(); }

// Deletes, doubles, exchanges or changes a token or two; now and then a byte.
std::string mutated(Random& random, std::string text, const std::vector<std::string>& words) {
  const auto word_at = [&](std::size_t at) {
    std::size_t begin = at, end = at;
    const auto is_part = [&](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '%' || c == '.';
    };
    while (begin > 0 && is_part(text[begin - 1])) --begin;
    while (end < text.size() && is_part(text[end])) ++end;
    return std::pair{begin, std::max(end, at + 1) - begin};
  };
  for (std::uint32_t changes = random.between(1, 3); changes > 0 && !text.empty(); --changes) {
    const auto [at, size] = word_at(random.below(static_cast<std::uint32_t>(text.size())));
    const std::string old = text.substr(at, size);
    switch (random.below(6)) {
      case 0: text.erase(at, size); break;
      case 1: text.insert(at, old + " "); break;
      case 2: text.replace(at, size, words[random.below(static_cast<std::uint32_t>(words.size()))]); break;
      case 3: text.insert(at, words[random.below(static_cast<std::uint32_t>(words.size()))]); break;
      case 4: text[at] = static_cast<char>(random.between(1, 126)); break;
      default: {
        const auto [other, other_size] = word_at(random.below(static_cast<std::uint32_t>(text.size())));
        text.replace(at, size, text.substr(other, other_size));
      }
    }
  }
  return text;
}

}  // namespace

TEST_CASE("printer: every sample reads, and reads back") {
  for (const TextSample& sample : text_samples()) {
    CAPTURE(sample.name);
    const Parsed parsed = parse_text(std::string(sample.text));
    CHECK(!has_error(parsed.diagnostics));
    CHECK(parsed.tree.first_op != kNoId);
    CHECK(round_trip(parsed.tree) == "");
    CHECK(comments(print(parsed.tree)) == comments(std::string(sample.text)));
  }
}

TEST_CASE("printer: the samples have every shape of an item") {
  std::set<ItemKind> kinds;
  std::set<OpForm> forms;
  for (const TextSample& sample : text_samples()) {
    const Parsed parsed = parse_text(std::string(sample.text));
    for (const Item& item : parsed.tree.items) kinds.insert(item.kind);
    for (const Op& op : parsed.tree.ops) forms.insert(op.form);
  }
  CHECK(kinds.size() == static_cast<std::size_t>(ItemKind::Region) + 1);
  CHECK(forms.size() == static_cast<std::size_t>(OpForm::Generic) + 1);
}

TEST_CASE("printer: a large module reads and prints as it stands") {
  const std::string text = large_module(300'000);
  CHECK(text == large_module(300'000));
  CHECK(text.size() >= 300'000);
  const Parsed parsed = parse_text(text);
  CHECK(messages(parsed.diagnostics) == "");
  CHECK(print(parsed.tree) == text);
  CHECK(parsed.tree.memory_bytes() < 8 * text.size());
}

TEST_CASE("printer: the current spelling") {
  CHECK(printed("module attributes{pto.target_arch=\"a5\"}{func.func @f(%a:!pto.ptr<f32,gm>){return}}") ==
        "module attributes {pto.target_arch = \"a5\"} {\n  func.func @f(%a: !pto.ptr<f32>) {\n    return\n  }\n}\n");
  CHECK(printed("%a=pto.subview %b,offsets=[%c,0],sizes=[4,4]:!pto.tensor_view<4x4xf32>->!pto.tile_view<4x4xf32>") ==
        "%a = pto.partition_view %b, offsets = [%c, 0], sizes = [4, 4] : !pto.tensor_view<4x4xf32> -> "
        "!pto.partition_tensor_view<4x4xf32>\n");
  CHECK(printed("pto.pipe_barrier #pto<pipe PIPE_V>") == "pto.barrier #pto.pipe<PIPE_V>\n");
  CHECK(printed("pto.set_flag [<PIPE_V>,<PIPE_S>,<EVENT_ID0>]") == "pto.set_flag[<PIPE_V>, <PIPE_S>, <EVENT_ID0>]\n");
  CHECK(printed("tcmps %d,%s,0 #cmp=gt") == "tcmps %d, %s, 0 {cmp = gt}\n");
  CHECK(printed(".const %c=0:index;") == ".const %c = 0 : index\n");
  CHECK(
      printed("%r:2=scf.for %i=%a to %b step %c iter_args(%x=%p,%y=%q)->(f32,f32):i32{scf.yield %x,%y:f32,f32}") ==
      "%r:2 = scf.for %i = %a to %b step %c iter_args(%x = %p, %y = %q) -> (f32, f32) : i32 {\n  scf.yield %x, %y : f32, f32\n}\n");
  CHECK(printed("scf.if %c{return}else{return}") == "scf.if %c {\n  return\n} else {\n  return\n}\n");
  CHECK(printed("pto.trap {\"a.b\", \"c d\"=1}") == "pto.trap {a.b, \"c d\" = 1}\n");
  CHECK(printed("pto.trap {a = dense< [1,\n    2] >}") == "pto.trap {a = dense< [1, 2] >}\n");
}

TEST_CASE("printer: names change only where the rest of the statement may stay") {
  CHECK(printed("%a = memref.alloc() : memref<4xf32>") == "%a = memref.alloc() : memref<4xf32>\n");
  CHECK(printed("pto.barrier_sync [#pto.sync_op_type<TVEC>]") == "pto.barrier_sync[#pto.pipe_event_type<TVEC>]\n");
  CHECK(printed("%a = pto.load %p[%i] : !pto.ptr<f32> -> f32") ==
        "%a = pto.load_scalar %p[%i] : !pto.ptr<f32> -> f32\n");
}

TEST_CASE("printer: comments stay where they were") {
  const std::string text = R"(// head

module {  // opened
  # before
  func.func @f() {
    pto.trap  // behind

    // alone
    scf.if %c {  # yes
      // nothing
    } else {
      pto.trap
      // last
    }  // of if
  }
}  // of module
// end
)";
  CHECK(printed(text) == text);
  CHECK(printed("pto.tadd ins(%a, // one\n  %b : f32, f32) // two\n outs(%c : f32) // three\n") ==
        "// one\n// two\npto.tadd ins(%a, %b : f32, f32) outs(%c : f32)  // three\n");
  CHECK(printed("// only this") == "// only this\n");
}

TEST_CASE("printer: one blank line of several stays") {
  CHECK(printed("\n\npto.trap\n\n\n// a\n\npto.trap\npto.vecscope {\n\npto.trap\n\n}\n") ==
        "pto.trap\n\n// a\n\npto.trap\npto.vecscope {\n  pto.trap\n}\n");
}

TEST_CASE("printer: one line of an operation, without its regions") {
  const Parsed parsed = parse_text(
      "%r = scf.if %c -> (f32) { return } else { return } // x\nfunc.func @f() attributes {a} { return "
      "}\nscf.while : () -> () {} do {}");
  std::string lines;
  for (OpId op = parsed.tree.first_op; op != kNoId; op = parsed.tree.ops[op].next)
    lines += print_line(parsed.tree, op) + "\n";
  CHECK(lines == "%r = scf.if %c -> (f32)\nfunc.func @f() attributes {a}\nscf.while : () -> ()\n");
}

TEST_CASE("printer: what damaged texts have found") {
  const char* const texts[] = {
      "pto.trap {a = #pto<\ncmp lt>}",
      "tcmps %a, %b, %c#cmp=gt\n",       // no number of a pack
      "tcmps %a, %b, 0 #cmp=#gt\n, %c",  // a comment that an alias must not come of
      "scf.index_switch %n case 2 {\n} default {\n} c, 0 #cmp=gt",
      "scf.if %c {\n} {a}",
      "scf.index_switch %n -> f32 {\n} else {\n}",
      "%a = pto.tadd %b,\n // x\n %c : f32 // y\n -> f32 # z",
      "pto.vecscope { // a\n } // b",
      "return %a#1, %b : f32, f32",
  };
  for (const std::string text : texts) {
    CAPTURE(text);
    const Parsed parsed = parse_text(text);
    CHECK(messages(parsed.diagnostics) == "");
    CHECK(round_trip(parsed.tree) == "");
  }
  for (const std::string text : {"pto.trap {\"\" = 1}", "pto.trap %a, .x: [%b]",
                                 "scf.for %i = %a to %b step %c iter_args(%x#1 = %y) -> f32 {\n}"}) {
    CAPTURE(text);
    CHECK(has_error(parse_text(text).diagnostics));
  }
}

TEST_CASE("printer: damaged texts never crash, and those that still read, read back") {
  Random random(11);
  std::vector<std::string> words{"(",    ")",     "{",    "}",          "[",      "]",       "<",    ">",    ",",
                                 ":",    "=",     "->",   ";",          "\"",     "#",       "%a",   "//",   "%b#1",
                                 "\n",   "to",    "-1",   "1.5",        "?",      "...",     "^bb0", "0x10", "tadd",
                                 "ins(", "outs(", "loc(", "!pto.tile<", "@tile(", "pto.tadd"};
  for (const TextSample& sample : text_samples())
    words.emplace_back(sample.text.substr(random.below(static_cast<std::uint32_t>(sample.text.size())), 12));
  std::size_t read_back = 0;
  for (int i = 0; i < (kSanitized ? 2'000 : 20'000); ++i) {
    const auto samples = text_samples();
    const std::string text =
        mutated(random, std::string(samples[random.below(static_cast<std::uint32_t>(samples.size()))].text), words);
    const Parsed parsed = parse_text(text);
    if (has_error(parsed.diagnostics)) continue;
    ++read_back;
    const std::string wrong = round_trip(parsed.tree);
    if (wrong.empty()) continue;
    CAPTURE(text);
    CHECK(wrong == "");
    break;
  }
  CHECK(read_back > 0);
}

}  // namespace ts::test
