// Functions and their calls.
#include "core/compile/functions.h"

#include <fmt/format.h>

#include <algorithm>

namespace ts {

using text::Item;
using text::ItemKind;
using text::OpKind;

FunctionIndex::FunctionIndex(const text::Tree& text, StopQuestion& stop) : tree(&text) {
  add(TreeReader(text), text.first_op, kFile, stop);
}

void FunctionIndex::add(const TreeReader& reader, text::OpId first, std::uint32_t module, StopQuestion& stop) {
  for_ops(reader, first, [&](text::OpId, const text::Op& op) {
    if (stop.stops()) return;
    const OpKind kind = text::kind_of(op.code);
    if (kind == OpKind::Module) {
      around_.push_back(module);
      const auto inner = static_cast<std::uint32_t>(around_.size() - 1);
      return add(reader, reader.first_op(reader.find(op, ItemKind::Region)), inner, stop);
    }
    if (kind != OpKind::Function || reader.find(op, ItemKind::Symbol) == nullptr) return;
    std::vector<Place>& places = by_name_[reader.symbol_name(op)];
    const auto before = std::ranges::find(places, module, &Place::module);
    const bool declared = reader.find(op, ItemKind::Region) == nullptr;
    if (before == places.end()) places.push_back({module, &op});
    else if (!declared) again.emplace_back(before->op, &op);
    module_of_[&op] = module;
  });
}

const text::Op* FunctionIndex::find(std::string_view name, const text::Op* caller) const {
  const auto known = by_name_.find(name);
  if (known == by_name_.end()) return nullptr;
  const auto at = module_of_.find(caller);
  for (std::uint32_t module = at == module_of_.end() ? kFile : at->second;; module = around_[module]) {
    const auto place = std::ranges::find(known->second, module, &Place::module);
    if (place != known->second.end()) return place->op;
    if (module == kFile) return known->second.front().op;
  }
}

void Functions::use(std::shared_ptr<const FunctionIndex> index) {
  index_ = std::move(index);
  for (const auto& [first, again] : index_->again) {
    const Item* symbol = tree_.find(*again, ItemKind::Symbol);
    messages_
        .error(symbol->range, "V60-02",
               fmt::format("function @{} redefined in the same module", tree_.symbol_name(*again)), "",
               "give it another name, or a module of its own")
        .notes.push_back({messages_.position(tree_.find(*first, ItemKind::Symbol)->range), "first defined here"});
  }
}

Function* Functions::find(std::string_view name) {
  const text::Op* op = index_->find(name, current_ == nullptr ? nullptr : current_->op);
  return op == nullptr ? nullptr : of(*op);
}

Function* Functions::of(const text::Op& op) {
  Function& function = functions_[&op];
  function.op = &op;
  return &function;
}

void Functions::begin_entry(const text::Op& op) { current_ = entry_ = of(op); }

void Functions::start_again() {
  functions_.clear();
  call_sites_.clear();
  entry_ = current_ = nullptr;
}

void Functions::begin(Function& function) {
  function.compiled = true;
  function.code = code_.here();
  current_ = &function;
}

void Functions::add_call(Function& callee, text::SourceRange call, text::SourceRange symbol) {
  if (current_ != nullptr) current_->calls.emplace_back(&callee, symbol);
  call_sites_.push_back({code_.here(), &callee});
  code_.emit(CodeKind::Call, call);
}

void Functions::link() {
  for (const CallSite& site : call_sites_) code_.set_target(site.code, site.function->code);
  if (entry_ != nullptr) refuse_recursion();
}

// Each function is followed once, however many ways lead to it, and on no stack of ours: both may be many.
void Functions::refuse_recursion() {
  struct Level {
    Function* function;
    std::size_t next_call;
  };
  std::vector<Level> path{{entry_, 0}};
  entry_->on_path = true;
  while (!path.empty()) {
    Level& level = path.back();
    if (level.next_call == level.function->calls.size()) {
      level.function->on_path = false;
      level.function->followed = true;
      path.pop_back();
      continue;
    }
    const auto [callee, where] = level.function->calls[level.next_call++];
    if (callee->on_path) {
      messages_.error(where, "E-CALL", "recursive function calls are not supported", "", "use scf.for or scf.while");
      return;
    }
    if (callee->followed) continue;
    callee->on_path = true;
    path.push_back({callee, 0});
  }
}

}  // namespace ts
