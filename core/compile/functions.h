// The functions of a text, and who calls whom.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/compile/code_writer.h"
#include "core/compile/tree_reader.h"
#include "core/isa/stop_question.h"

namespace ts {

// By name, of one text: made once, however many of its functions are compiled. Of no use where it was stopped.
struct FunctionIndex {
  FunctionIndex(const text::Tree& text, StopQuestion& stop);

  const text::Tree* tree;
  std::unordered_map<std::string_view, const text::Op*> by_name;
  std::vector<std::pair<const text::Op*, const text::Op*>> again;  // the first of a name, and one more

 private:
  void add(const TreeReader& reader, text::OpId first, StopQuestion& stop);
};

struct Function {
  const text::Op* op = nullptr;
  std::vector<Slot> params, results;
  std::uint32_t code = 0;  // where its code begins
  bool needed = false, compiled = false;
  bool on_path = false, followed = false;  // while recursion is looked for
  std::vector<std::pair<Function*, text::SourceRange>> calls;
};

class Functions {
 public:
  Functions(const TreeReader& tree, Messages& messages, CodeWriter& code)
      : tree_(tree), messages_(messages), code_(code) {}

  // Functions may be called before they stand in the text.
  void use(std::shared_ptr<const FunctionIndex> index);
  Function* find(std::string_view name);
  // The one that a launch starts; null where the file's own statements are the kernel.
  Function* entry() const { return entry_; }
  // The one being compiled; null in the file's own statements.
  Function* current() const { return current_; }
  void begin_entry(const text::Op& op);
  void begin(Function& function);

  // A call in the code; what it leads to is filled in by link().
  void add_call(Function& callee, text::SourceRange call, text::SourceRange symbol);
  // Compiles those that are called; one may need others.
  template <class Compile>
  void compile_needed(Compile compile) {
    for (bool more = true; more;) {
      more = false;
      for (auto& [name, function] : functions_) {
        if (!function.needed || function.compiled) continue;
        more = true;
        compile(function);
      }
    }
  }
  // Fills in where calls lead, and refuses recursion.
  void link();

 private:
  struct CallSite {
    std::uint32_t code;
    Function* function;
  };
  void refuse_recursion();

  const TreeReader& tree_;
  Messages& messages_;
  CodeWriter& code_;
  std::shared_ptr<const FunctionIndex> index_;
  std::map<std::string_view, Function> functions_;  // those that were asked for
  Function *entry_ = nullptr, *current_ = nullptr;
  std::vector<CallSite> call_sites_;
};

}  // namespace ts
