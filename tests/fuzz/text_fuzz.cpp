// Fuzzing of the text reader: no bytes may crash or hang it, and what it reads without an error prints and reads back.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "core/text/parse/parser.h"
#include "core/text/printer.h"
#include "core/text/render.h"
#include "core/text/same_tree.h"

namespace {

[[noreturn]] void fail(const char* what, const std::string& printed) {
  std::fprintf(stderr, "%s; printed:\n%s\n", what, printed.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ts;
  using namespace ts::text;
  const auto source = std::make_shared<Source>("fuzz", std::string(reinterpret_cast<const char*>(data), size));
  Diagnostics diagnostics;
  const Tree tree = parse(source, diagnostics);
  for (const Diagnostic& d : diagnostics) render(d, *source);
  for (OpId op = 0; op < tree.ops.size(); ++op) tree.origin_of(op);
  if (has_error(diagnostics)) return 0;
  const std::string printed = print(tree);
  Diagnostics again;
  const Tree second = parse(std::make_shared<Source>("printed", printed), again);
  if (has_error(again)) fail("the printed text has an error", render(again[0], *second.source) + printed);
  if (!same_tree(tree, second)) fail("the printed text is another program", printed);
  if (print(second) != printed) fail("the printed text prints differently", printed);
  return 0;
}
