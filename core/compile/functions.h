// The functions of a text, and who calls whom.
#pragma once

#include <cstdint>
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

// By name, of one text: made once, however many of its functions are compiled. Of no use where it was stopped. Modules in
// modules are parts of one program: a name is looked for in the caller's module, then in those around it, then anywhere.
struct FunctionIndex {
  FunctionIndex(const text::Tree& text, StopQuestion& stop);
  // Null: there is none of that name.
  const text::Op* find(std::string_view name, const text::Op* caller) const;

  const text::Tree* tree;
  std::vector<std::pair<const text::Op*, const text::Op*>> again;  // the first of a name in its module, and one more

 private:
  static constexpr std::uint32_t kFile = 0;
  struct Place {
    std::uint32_t module;
    const text::Op* op;
  };
  void add(const TreeReader& reader, text::OpId first, std::uint32_t module, StopQuestion& stop);

  std::unordered_map<std::string_view, std::vector<Place>> by_name_;
  std::unordered_map<const text::Op*, std::uint32_t> module_of_;
  std::vector<std::uint32_t> around_{kFile};  // by module
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
  Function* find(std::string_view name);  // as the one being compiled sees it
  // The one that a launch starts; null where the file's own statements are the kernel.
  Function* entry() const { return entry_; }
  // The one being compiled; null in the file's own statements.
  Function* current() const { return current_; }
  void begin_entry(const text::Op& op);
  // For the code of another core: what was compiled for the one before is not its.
  void start_again();
  void begin(Function& function);

  // A call in the code; what it leads to is filled in by link().
  void add_call(Function& callee, text::SourceRange call, text::SourceRange symbol);
  // Compiles those that are called; one may need others.
  template <class Compile>
  void compile_needed(Compile compile) {
    for (bool more = true; more;) {
      more = false;
      for (auto& [op, function] : functions_) {
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
  Function* of(const text::Op& op);

  const TreeReader& tree_;
  Messages& messages_;
  CodeWriter& code_;
  std::shared_ptr<const FunctionIndex> index_;
  std::map<const text::Op*, Function> functions_;  // those that were asked for, in the text's order
  Function *entry_ = nullptr, *current_ = nullptr;
  std::vector<CallSite> call_sites_;
};

}  // namespace ts
