// The compiler's own state. Its parts: functions and control flow (compile_control.cpp), tiles, views and pointers
// (compile_views.cpp), instructions and synchronisation (compile_steps.cpp).
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/program/compiler.h"
#include "core/program/scalar_ops.h"
#include "core/program/statement.h"
#include "core/text/signature.h"

namespace ts {

class Compiler {
 public:
  Compiler(std::shared_ptr<const text::Tree> tree, const CompileRequest& request, Diagnostics& out);
  Program compile(const EntryPoint& entry);

 private:
  using Item = text::Item;
  using Op = text::Op;
  using TypeId = text::TypeId;
  using SourceRange = text::SourceRange;

  // A name and the slots it stands for; %x:2 has two, one behind the other.
  struct Binding {
    Slot slot = kNoSlot;
    std::uint32_t count = 1;
    SourceRange place;
  };
  struct Function {
    const Op* op = nullptr;
    std::vector<Slot> params, results;
    std::uint32_t code = 0;
    bool needed = false, compiled = false;
    bool on_path = false, followed = false;  // while recursion is looked for
    std::vector<std::pair<Function*, SourceRange>> calls;
  };
  struct CallSite {
    std::uint32_t code;
    Function* function;
  };

  // compiler.cpp: what all parts use.
  Diagnostic& error(SourceRange where, std::string rule, std::string text, std::string expected = "",
                    std::string hint = "");
  Diagnostic& warn(SourceRange where, std::string rule, std::string text, std::string hint = "");
  Diagnostic& tell(Severity severity, SourceRange where, std::string rule, std::string text, std::string expected,
                   std::string hint);
  SourceRange part_of(SourceRange where, std::string_view words) const;
  SourcePos position(SourceRange where) const { return tree_.source->position(where.begin); }
  std::string_view text(const Item& item) const { return tree_.text(item); }
  const text::Type& type(TypeId id) const { return tree_.types[id]; }
  std::string type_text(TypeId id) const;

  Slot new_slot(TypeId type, Value value = {});
  Slot constant(std::int64_t value, text::ScalarKind kind = text::ScalarKind::Index);
  bool is_constant(Slot slot) const { return !variable_[slot] && program_.slots[slot].known(); }
  void bind_name(const Item& def, Slot slot, std::uint32_t count = 1);
  Slot bind_result(const Op& op, std::size_t index, TypeId type, Value value = {});
  std::string_view name_of(const Item& use_or_def) const;  // without the %
  const Binding* find_name(std::string_view name) const;
  Slot use(const Item& item);             // kNoSlot: told why
  Slot use_or_integer(const Item& item);  // an index: a use or a literal
  Slot free_name(const Item& item, TypeId type, std::optional<text::ScalarKind> element = {});  // bare files: an input
  Value host_view(const text::Type& type, std::string_view name, std::uint32_t buffer);
  std::size_t enter_scope() const { return scope_log_.size(); }
  void leave_scope(std::size_t mark);
  CodeOp& emit(CodeKind kind, SourceRange where, std::vector<Slot> ins = {}, std::vector<Slot> outs = {},
               std::uint32_t data = 0);
  void emit_move(SourceRange where, const std::vector<Slot>& from, const std::vector<Slot>& to);
  std::uint32_t here() const { return static_cast<std::uint32_t>(program_.code.size()); }
  void add_input(std::string_view name, ProgramInput::Kind kind, std::uint32_t id, text::ScalarKind scalar,
                 SourceRange where);
  const Item* find(const Op& op, text::ItemKind kind) const { return tree_.find(op, kind); }
  const Item* find(const Op& op, std::string_view name) const { return tree_.find(op, name); }
  TypeId only_type(const Item* list) const;  // of a Types or Arrow item with one type
  std::vector<TypeId> types_of(const Item* list) const;

  // compile_control.cpp
  void compile_file(const EntryPoint& entry);
  void compile_entry_function(const Op& function);
  void bind_argument(const Item& param);
  Slot bind_input(const Item& def, ProgramInput::Kind kind, TypeId id, const text::Type& its);
  Function* function_named(std::string_view symbol);
  void compile_function(Function& function);
  void compile_body(const Item& region);
  void compile_ops(text::OpId first);
  void compile_op(text::OpId id);
  void dispatch(text::OpId id, const Op& op);
  void constant_op(const Op& op);
  void scalar_op(const Op& op, int number);
  bool for_op(const Op& op);
  bool if_op(const Op& op);
  bool while_op(const Op& op);
  void compile_callees();
  void refuse_recursion();
  void give_slots(Function& function);
  bool call_op(const Op& op);
  void return_op(const Op& op);
  std::vector<Slot> yielded(const Item& region, std::string_view terminator);
  std::vector<Slot> yield_slots(const Op& op);
  bool same_count(const Op& op, std::size_t got, std::size_t wanted, const char* what);
  void bind_pack(const Op& op, const std::vector<Slot>& from);
  bool has_vector_section();
  void section(const Op& op);
  void query(const Op& op, Query query);

  // compile_views.cpp
  void make_view(const Op& op);
  void partition(const Op& op);
  void alloc_tile(const Op& op);
  void set_validshape(const Op& op);
  void subset(const Op& op);
  void alias_tile(const Op& op);
  void rebase_tile(const Op& op);
  void add_pointer(const Op& op);
  void cast_pointer(const Op& op);
  void load_scalar(const Op& op);
  std::uint32_t declare_tile(TileDecl decl);
  std::uint32_t add_tile(std::string_view name, TypeId type);
  TileType tile_type(TypeId type) const;
  // What a value of this type is to an instruction; a memref is a tile or a view, by its memory.
  OperandKind kind_of(TypeId type) const;
  void alloc_memref(const Op& op);
  Slot tile_result(const Item& def, TypeId type);
  bool check_address(SourceRange where, const TileType& type, std::int64_t address, std::string_view spelled);
  std::vector<Slot> index_list(const Op& op, std::string_view name, std::size_t rank, SourceRange* where);
  void collect_assigns(text::OpId first);
  void end_assigns();
  bool needs_kind(const Item& item, Slot slot, text::TypeKind kind, const char* what);

  // compile_steps.cpp
  bool of_kind(const StatementOperand& operand, const OperandSpec& spec);
  bool refused_in_vecscope(const Op& op);
  void instruction(text::OpId id, const Op& op, const InstructionRow& row);
  void synchronisation(text::OpId id, const Op& op, const InstructionRow& row);
  void missing(text::OpId id, const Op& op);
  bool statement_of(const Op& op, const FormShape& shape, Statement& out);
  int choose_form(const Op& op, const InstructionRow& row, const Statement& statement);
  bool set_attributes(const Statement& statement, Instruction& instruction);
  Slot operand_slot(const Statement& statement, const StatementOperand& operand, const OperandSpec& spec,
                    std::optional<text::ScalarKind> element);
  void elided_type(const StatementOperand& operand);
  void add_scratch(Instruction& instruction);
  std::optional<Bound> bind_widest(const Instruction& instruction) const;
  void touch_tiles(const Op& op);

  // compile_verify.cpp: operations that are only known by their signature
  void verify_signature(const Op& op);
  bool verify_counts(const Op& op);
  std::string result_types(const Op& op, const Item* arrow, const text::Signature& signature) const;
  void verify_types(const Op& op);
  bool verify_locations(const Op& op, const Statement& statement);
  bool verify_words(const Op& op);
  bool verify_fifo(const Op& op);
  bool in_cube_kernel() const;

  void place();

  std::shared_ptr<const text::Tree> shared_tree_;
  const text::Tree& tree_;
  CompileRequest request_;
  Diagnostics& out_;
  Program program_;
  std::vector<TypeId> slot_types_;
  std::vector<char> variable_;  // by slot: code writes it
  std::unordered_map<std::string_view, Binding> names_;
  std::vector<std::pair<std::string_view, std::optional<Binding>>> scope_log_;  // what names were before this scope
  std::unordered_map<std::int64_t, Slot> index_constants_;
  std::map<std::string_view, Function> functions_;
  std::vector<char> placed_, touched_;  // by tile: has an address; is more than scratch that nobody touches
  struct Assigned {
    std::uint32_t address;
    SourceRange where;
    bool used;
  };
  std::map<std::string_view, Assigned> assigns_;  // pto.tassign %x, @tile(...)
  bool bare_file_ = false;
  int vecscopes_ = 0;
  std::optional<bool> has_vector_section_;  // once asked
  Function* function_ = nullptr;  // being compiled; null in a bare file
  Function* entry_ = nullptr;
  std::vector<CallSite> call_sites_;
  text::OpId op_id_ = text::kNoId;
};

}  // namespace ts
