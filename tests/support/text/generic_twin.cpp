// Writing the generic form.
#include "tests/support/text/generic_twin.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/text/printer.h"

namespace ts::test {
namespace {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OpId;
using text::OpKind;
using Words = std::vector<std::string>;

std::string listed(const Words& words) { return fmt::format("{}", fmt::join(words, ", ")); }

struct Value {
  std::string name, type;
};
using TypedValues = std::vector<Value>;

// What is written of one operation.
struct Generic {
  std::string name;
  TypedValues operands;
  Words properties, attributes, regions, results;
};

class TwinWriter {
 public:
  explicit TwinWriter(const text::Tree& tree) : tree_(tree) {}

  GenericTwin write() {
    ops(tree_.first_op);
    twin_.text = std::move(out_);
    return std::move(twin_);
  }

 private:
  // --- the tree ---
  std::string text_of(const Item& item) const {
    std::string text(tree_.text(item));
    if (item.kind == ItemKind::Use && item.has_pack()) text += fmt::format("#{}", item.pack_number());
    return text;
  }
  std::string type_of(const Item& item) const { return tree_.types.print(item.first); }
  Words types_in(const Item* list) const {
    Words types;
    if (list != nullptr)
      for (const Item& item : tree_.children(*list))
        if (item.kind == ItemKind::Type) types.push_back(type_of(item));
    return types;
  }
  Words types_in(const Op& op, ItemKind kind) const { return types_in(tree_.find(op, kind)); }
  std::vector<const Item*> all_of(const Op& op, ItemKind kind) const {
    std::vector<const Item*> found;
    for (const Item& item : tree_.op_items(op))
      if (item.kind == kind) found.push_back(&item);
    return found;
  }

  // --- values ---
  void define(const Op& op, const Words& types) {
    std::size_t next = 0;
    for (const Item& result : tree_.results(op))
      for (std::uint32_t i = 0; i < result.pack_size(); ++i)
        types_[fmt::format("{}#{}", tree_.text(result), i)] = next < types.size() ? types[next++] : "none";
  }
  void define(const Item& def, const std::string& type) { types_[fmt::format("{}#0", tree_.text(def))] = type; }
  // A number among the operands is a constant here.
  Value value(const Item& item, const std::string& type) {
    if (item.kind == ItemKind::Use) {
      const auto known = types_.find(fmt::format("{}#{}", tree_.text(item), item.pack_number()));
      return {text_of(item), type.empty() && known != types_.end() ? known->second : type.empty() ? "index" : type};
    }
    const std::string name = fmt::format("%generic_{}", constants_++), of = type.empty() ? "index" : type;
    line(fmt::format("{} = \"arith.constant\"() <{{value = {} : {}}}> : () -> {}", name, tree_.text(item), of, of));
    return {name, of};
  }
  TypedValues clause(const Op& op, const char* name, const std::string& type = "") {
    const Item* given = tree_.find(op, name);
    if (given == nullptr || given->count == 0) return {};
    const Item& first = tree_.children(*given).front();
    TypedValues values;
    if (first.kind == ItemKind::List)
      for (const Item& item : tree_.children(first)) values.push_back(value(item, type));
    else values.push_back(value(first, type));
    return values;
  }
  TypedValues indices(std::span<const Item> items) {
    TypedValues values;
    for (const Item& item : items) values.push_back(value(item, ""));
    return values;
  }

  // --- lines ---
  void line(const std::string& text) { out_ += std::string(2 * level_, ' ') + text + "\n"; }
  static void add(TypedValues& to, const TypedValues& more) { to.insert(to.end(), more.begin(), more.end()); }
  static std::string segments(const std::vector<TypedValues>& parts, TypedValues& operands) {
    Words sizes;
    for (const TypedValues& part : parts) {
      sizes.push_back(std::to_string(part.size()));
      add(operands, part);
    }
    return fmt::format("operandSegmentSizes = array<i32: {}>", listed(sizes));
  }
  std::string region(const Item* item, const std::string& label) {
    std::string outer = std::move(out_);
    out_ = "{\n";
    if (!label.empty()) line(label);
    ++level_;
    if (item != nullptr && item->first != text::kNoId) ops(tree_.blocks[item->first].first_op);
    --level_;
    line("}");
    out_.pop_back();
    return std::exchange(out_, std::move(outer));
  }
  void put(const Op& op, const Generic& made) {
    Words results, names, types;
    for (const Item& result : tree_.results(op))
      results.push_back(result.has_pack() ? fmt::format("{}:{}", tree_.text(result), result.pack_size())
                                          : std::string(tree_.text(result)));
    for (const Value& operand : made.operands) {
      names.push_back(operand.name);
      types.push_back(operand.type);
    }
    std::string out = results.empty() ? "" : listed(results) + " = ";
    out += fmt::format("\"{}\"({})", made.name, listed(names));
    if (!made.properties.empty()) out += fmt::format(" <{{{}}}>", listed(made.properties));
    if (!made.regions.empty()) out += fmt::format(" ({})", listed(made.regions));
    if (!made.attributes.empty()) out += fmt::format(" {{{}}}", listed(made.attributes));
    out += fmt::format(" : ({}) -> {}", listed(types),
                       made.results.size() == 1 ? made.results[0] : fmt::format("({})", listed(made.results)));
    line(out);
    define(op, made.results);
    twin_.written.insert(made.name);
  }

  Generic begun(const Op& op) {
    Generic made;
    made.name = op.code == text::kUnknownOp ? tree_.name_of(op) : text::op_row(op.code).name;
    for (const Item& item : tree_.op_items(op)) {
      if (item.kind == ItemKind::Dict) attributes(item, made);
      if (item.kind != ItemKind::Group) continue;
      for (const Item& child : tree_.children(item))
        if (child.kind == ItemKind::Dict) attributes(child, made);
    }
    return made;
  }
  void attributes(const Item& dict, Generic& made) {
    for (const Item& entry : tree_.children(dict)) {
      const bool quoted = tree_.name_of(entry).find('-') != std::string_view::npos;
      const std::string name = quoted ? fmt::format("\"{}\"", tree_.name_of(entry)) : std::string(tree_.name_of(entry));
      std::string value;
      for (const Item& part : tree_.children(entry))
        value += fmt::format("{}{}", value.empty() ? "" : " : ", tree_.text(part));
      made.attributes.push_back(value.empty() ? name : fmt::format("{} = {}", name, value));
    }
  }

  // --- operations ---
  void ops(OpId first) {
    for (OpId id = first; id != text::kNoId; id = tree_.ops[id].next) operation(id, tree_.ops[id]);
  }

  void operation(OpId id, const Op& op) {
    const OpKind kind = text::kind_of(op.code);
    if (op.form != text::OpForm::Dialect) return as_it_is(id, op);
    switch (kind) {
      case OpKind::Module: return module(op);
      case OpKind::Function: return function(op);
      case OpKind::For: return for_loop(op);
      case OpKind::If: return branch(op);
      case OpKind::While: return while_loop(op);
      case OpKind::VectorSection:
      case OpKind::CubeSection:
      case OpKind::VecScope: return section(op);
      case OpKind::Call: return call(op);
      case OpKind::Return:
      case OpKind::Yield:
      case OpKind::Condition: return end(op);
      case OpKind::Constant: return constant(op);
      case OpKind::InitPipeCube:
      case OpKind::InitPipeVector: return end_of_queue(id, op);
      case OpKind::SyncAll: return meeting(op);
      case OpKind::DeviceCopy:
      case OpKind::Broadcast:
      case OpKind::GatherGroup:
      case OpKind::ScatterGroup:
      case OpKind::ReduceGroup: return between_devices(op);
      default: break;
    }
    if (of_views(op, kind) || of_elements(op, kind) || of_synchronisation(op, kind)) return;
    const std::string_view name = text::op_row(op.code).name;
    if (name.starts_with("arith.") || name == "builtin.unrealized_conversion_cast") return arithmetic(op);
    if (op.code != text::kUnknownOp && (text::op_row(op.code).group <= text::OpGroup::TileCube)) return of_tiles(op);
    row(id, op);
  }

  void as_it_is(OpId id, const Op& op) {
    twin_.left_as_they_are.insert(std::string(tree_.name_of(op)));
    line(text::print_line(tree_, id));
    define(op, types_in(op, tree_.find(op, ItemKind::Arrow) != nullptr ? ItemKind::Arrow : ItemKind::Types));
  }

  void module(const Op& op) {
    Generic made = begun(op);
    if (const Item* symbol = tree_.find(op, ItemKind::Symbol))
      made.properties.push_back(fmt::format("sym_name = \"{}\"", tree_.text(*symbol).substr(1)));
    made.regions.push_back(region(tree_.find(op, ItemKind::Region), ""));
    put(op, made);
  }

  void function(const Op& op) {
    Generic made = begun(op);
    Words types, label;
    for (const Item& param : tree_.children(*tree_.find(op, ItemKind::Group))) {
      const auto parts = tree_.children(param);
      const Item& type = parts[parts[0].kind == ItemKind::Def ? 1 : 0];
      types.push_back(type_of(type));
      if (parts[0].kind != ItemKind::Def) continue;
      define(parts[0], types.back());
      label.push_back(fmt::format("{}: {}", tree_.text(parts[0]), types.back()));
    }
    made.properties.push_back(
        fmt::format("function_type = ({}) -> ({})", listed(types), listed(types_in(op, ItemKind::Arrow))));
    made.properties.push_back(
        fmt::format("sym_name = \"{}\"", tree_.text(*tree_.find(op, ItemKind::Symbol)).substr(1)));
    if (const Item* word = tree_.find(op, ItemKind::Word))
      made.properties.push_back(fmt::format("sym_visibility = \"{}\"", tree_.text(*word)));
    const Item* body = tree_.find(op, ItemKind::Region);
    // A body that says nothing still ends.
    const bool empty = body != nullptr && body->first == text::kNoId;
    if (empty) made.regions.push_back("{\n  \"func.return\"() : () -> ()\n}");
    else
      made.regions.push_back(
          region(body, body == nullptr || label.empty() ? "" : fmt::format("^bb0({}):", listed(label))));
    if (empty && !label.empty())
      made.regions.back() = fmt::format("{{\n^bb0({}):\n  \"func.return\"() : () -> ()\n}}", listed(label));
    put(op, made);
  }

  // %a = %b pairs: what is carried, and its names.
  TypedValues carried(const Item* group, Words types, Words& label) {
    TypedValues values;
    if (group == nullptr) return values;
    for (const Item& pair : tree_.children(*group)) {
      const auto parts = tree_.children(pair);
      const std::string type = values.size() < types.size() ? types[values.size()] : "";
      values.push_back(value(parts[1], type));
      define(parts[0], values.back().type);
      label.push_back(fmt::format("{}: {}", tree_.text(parts[0]), values.back().type));
    }
    return values;
  }

  void for_loop(const Op& op) {
    Generic made = begun(op);
    const auto uses = all_of(op, ItemKind::Use);
    Words given = types_in(op, ItemKind::Types);
    const std::string counter = given.empty() ? "index" : given[0];
    for (const Item* use : uses) made.operands.push_back(value(*use, counter));
    const Item& def = *tree_.find(op, ItemKind::Def);
    Words label{fmt::format("{}: {}", tree_.text(def), counter)};
    define(def, counter);
    made.results = types_in(op, ItemKind::Arrow);
    add(made.operands, carried(tree_.find(op, "iter_args"), made.results, label));
    if (tree_.find(op, ItemKind::Word) != nullptr) made.properties.push_back("unsignedCmp");
    made.regions.push_back(region(tree_.find(op, ItemKind::Region), fmt::format("^bb0({}):", listed(label))));
    put(op, made);
  }

  void branch(const Op& op) {
    Generic made = begun(op);
    made.operands.push_back(value(*tree_.find(op, ItemKind::Use), "i1"));
    made.results = types_in(op, ItemKind::Arrow);
    const auto regions = all_of(op, ItemKind::Region);
    for (const Item* one : regions) made.regions.push_back(region(one, ""));
    if (regions.size() == 1) made.regions.push_back(region(nullptr, ""));
    put(op, made);
  }

  void while_loop(const Op& op) {
    Generic made = begun(op);
    Words label;
    made.operands = carried(tree_.find(op, ItemKind::Group), types_in(op, ItemKind::Types), label);
    made.results = types_in(op, ItemKind::Arrow);
    const auto regions = all_of(op, ItemKind::Region);
    made.regions.push_back(region(regions[0], label.empty() ? "" : fmt::format("^bb0({}):", listed(label))));
    Words second;
    if (regions[1]->first != text::kNoId)
      for (const Item& param : tree_.args(tree_.blocks[regions[1]->first])) {
        const auto parts = tree_.children(param);
        define(parts[0], type_of(parts[1]));
        second.push_back(fmt::format("{}: {}", tree_.text(parts[0]), type_of(parts[1])));
      }
    made.regions.push_back(region(regions[1], second.empty() ? "" : fmt::format("^bb0({}):", listed(second))));
    put(op, made);
  }

  void section(const Op& op) {
    Generic made = begun(op);
    made.regions.push_back(region(tree_.find(op, ItemKind::Region), ""));
    put(op, made);
  }

  void call(const Op& op) {
    Generic made = begun(op);
    made.properties.push_back(fmt::format("callee = {}", tree_.text(*tree_.find(op, ItemKind::Symbol))));
    const Words types = types_in(op, ItemKind::Types);
    if (const Item* group = tree_.find(op, ItemKind::Group))
      for (const Item& item : tree_.children(*group))
        if (item.kind == ItemKind::Use)
          made.operands.push_back(value(item, types.size() > made.operands.size() ? types[made.operands.size()] : ""));
    made.results = types_in(op, ItemKind::Arrow);
    put(op, made);
  }

  void end(const Op& op) {
    Generic made = begun(op);
    const Words types = types_in(op, ItemKind::Types);
    const bool condition = text::kind_of(op.code) == OpKind::Condition;
    if (condition)
      for (const Item& item : tree_.children(*tree_.find(op, ItemKind::Group)))
        made.operands.push_back(value(item, "i1"));
    std::size_t next = 0;
    for (const Item* use : all_of(op, ItemKind::Use))
      made.operands.push_back(value(*use, next < types.size() ? types[next] : "")), ++next;
    put(op, made);
  }

  // --- numbers ---
  void constant(const Op& op) {
    Generic made = begun(op);
    const Item& literal = tree_.op_items(op).front();
    made.results = types_in(op, ItemKind::Types);
    const bool has_type = !made.results.empty();
    if (!has_type) made.results = {"i1"};
    if (literal.kind == ItemKind::Dict) return;
    made.properties.push_back(has_type ? fmt::format("value = {} : {}", tree_.text(literal), made.results[0])
                                       : fmt::format("value = {}", tree_.text(literal)));
    put(op, made);
  }

  void arithmetic(const Op& op) {
    Generic made = begun(op);
    const Words types = types_in(op, ItemKind::Types);
    const auto uses = all_of(op, ItemKind::Use);
    for (const Item* use : uses)
      made.operands.push_back(value(*use, uses.size() == 3 && made.operands.empty() ? "i1"
                                          : uses.size() == 3                        ? types.back()
                                                                                    : types.front()));
    made.results = {types.size() == 2 ? types[1] : types.back()};
    const Item* word = tree_.find(op, ItemKind::Word);
    if (word == nullptr) word = tree_.find(op, ItemKind::Bool);
    if (word != nullptr) {
      made.properties.push_back(
          fmt::format("predicate = {} : i64", predicate(tree_.text(*word), made.name == "arith.cmpf")));
      made.results = {"i1"};
    }
    if (op.result_count == 2) made.results.push_back(made.name == "arith.addui_extended" ? "i1" : types[0]);
    if (made.name.ends_with("f")) made.properties.push_back("fastmath = #arith.fastmath<none>");
    put(op, made);
  }

  static std::size_t predicate(std::string_view word, bool floats) {
    static const Words integers{"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
    static const Words reals{"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                             "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};
    const Words& words = floats ? reals : integers;
    return static_cast<std::size_t>(std::ranges::find(words, word) - words.begin());
  }

  // --- views and tiles ---
  bool of_views(const Op& op, OpKind kind) {
    Generic made = begun(op);
    const Item* use = tree_.find(op, ItemKind::Use);
    switch (kind) {
      case OpKind::MakeView:
        made.properties.push_back(
            segments({{value(*use, "")}, clause(op, "shape"), clause(op, "strides")}, made.operands));
        made.results = types_in(op, ItemKind::Types);
        break;
      case OpKind::Subview:
        if (tree_.find(op, ItemKind::Element) != nullptr) return window(op, made), true;
        [[fallthrough]];
      case OpKind::PartitionView:
        made.properties.push_back(
            segments({{value(*use, "")}, clause(op, "offsets"), clause(op, "sizes")}, made.operands));
        made.results = types_in(op, ItemKind::Arrow);
        if (made.results.empty()) return false;
        break;
      case OpKind::Subset: return window(op, made), true;
      case OpKind::AllocTile:
      case OpKind::AllocMultiTile:
        made.properties.push_back(
            segments({clause(op, "addr", "i64"), clause(op, "valid_row"), clause(op, "valid_col")}, made.operands));
        made.results = types_in(op, ItemKind::Types);
        break;
      case OpKind::AllocMemref:
        made.properties.push_back("operandSegmentSizes = array<i32: 0, 0>");
        made.results = types_in(op, ItemKind::Types);
        break;
      default: return false;
    }
    return put(op, made), true;
  }

  const Item* list_behind(const Op& op, std::string_view word) const {
    const auto items = tree_.op_items(op);
    for (std::size_t i = 0; i + 1 < items.size(); ++i)
      if (items[i].kind == ItemKind::Word && tree_.text(items[i]) == word) return &items[i + 1];
    return nullptr;
  }

  void window(const Op& op, Generic& made) {
    const auto parts = tree_.children(*tree_.find(op, ItemKind::Element));
    const bool subset = text::kind_of(op.code) == OpKind::Subset;
    Words sizes;
    for (const Item& size : tree_.children(*list_behind(op, "sizes"))) sizes.emplace_back(tree_.text(size));
    made.properties.push_back(fmt::format("sizes = [{}]", listed(sizes)));
    TypedValues valid;
    if (const Item* list = list_behind(op, "valid")) valid = indices(tree_.children(*list));
    const TypedValues source{value(parts[0], "")}, offsets = indices(parts.subspan(1));
    TypedValues row(valid.begin(), valid.begin() + (valid.empty() ? 0 : 1)),
        col(valid.begin() + (valid.empty() ? 0 : 1), valid.end());
    if (subset) add(made.operands, source), add(made.operands, offsets);
    else made.properties.push_back(segments({source, offsets, row, col}, made.operands));
    made.results = types_in(op, tree_.find(op, ItemKind::Arrow) != nullptr ? ItemKind::Arrow : ItemKind::Types);
    put(op, made);
  }

  // %p[%i], and what is written there
  bool of_elements(const Op& op, OpKind kind) {
    Generic made = begun(op);
    switch (kind) {
      case OpKind::LoadScalar:
      case OpKind::ArrayGet:
      case OpKind::MultiTileGet:
      case OpKind::StoreScalar:
      case OpKind::ArraySet: break;
      case OpKind::GetElement: {
        const Item& ins = *tree_.find(op, "ins");
        grouped(ins, made);
        made.results = types_in(op, ItemKind::Types);
        return put(op, made), true;
      }
      case OpKind::CacheInvalid:
        for (const Item* use : all_of(op, ItemKind::Use)) made.operands.push_back(value(*use, ""));
        return put(op, made), true;
      default: return false;
    }
    const Item* element = tree_.find(op, ItemKind::Element);
    if (element == nullptr) return false;
    made.operands = indices(tree_.children(*element));
    if (kind == OpKind::StoreScalar || kind == OpKind::ArraySet)
      made.operands.push_back(value(*tree_.find(op, ItemKind::Use), ""));
    made.results = types_in(op, ItemKind::Arrow);
    if (kind == OpKind::ArrayGet && made.results.empty()) made.results = {"index"};  // of an array of events
    return put(op, made), true;
  }

  // --- synchronisation ---
  bool of_synchronisation(const Op& op, OpKind kind) {
    struct Attribute {
      const char *name, *family;
    };
    static const std::map<OpKind, std::vector<Attribute>> kAttributes{
        {OpKind::SetFlag, {{"src_pipe", "pipe"}, {"dst_pipe", "pipe"}, {"event_id", "event"}}},
        {OpKind::WaitFlag, {{"src_pipe", "pipe"}, {"dst_pipe", "pipe"}, {"event_id", "event"}}},
        {OpKind::RecordEvent, {{"src_op", "pipe_event_type"}, {"dst_op", "pipe_event_type"}, {"event_id", "event"}}},
        {OpKind::WaitEvent, {{"src_op", "pipe_event_type"}, {"dst_op", "pipe_event_type"}, {"event_id", "event"}}},
        {OpKind::Barrier, {{"pipe", "pipe"}}},
        {OpKind::GetBuffer, {{"op_type", "pipe_event_type"}, {"buf_id", ""}}},
        {OpKind::ReleaseBuffer, {{"op_type", "pipe_event_type"}, {"buf_id", ""}}},
        {OpKind::SetCoreFlag, {{"pipe", "pipe"}, {"event_id", ""}}},
        {OpKind::WaitCoreFlag, {{"pipe", "pipe"}, {"event_id", ""}}},
        {OpKind::Fence, {{"scope", "fence_scope"}}}};
    const auto names = kAttributes.find(kind);
    if (names == kAttributes.end()) return false;
    Generic made = begun(op);
    std::vector<const Item*> words;
    // Of these the generic form is known of values alone.
    const bool of_values = made.name.find("_intra_") != std::string::npos;
    if (of_values &&
        std::ranges::any_of(tree_.op_items(op), [](const Item& item) { return item.kind == ItemKind::Enum; }))
      return false;
    for (const Item& item : tree_.op_items(op)) {
      if (item.kind == ItemKind::Types || item.kind == ItemKind::Dict) continue;
      if (item.kind != ItemKind::List) words.push_back(&item);
      else
        for (const Item& entry : tree_.children(item)) words.push_back(&entry);
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i]->kind == ItemKind::Use) {
        made.operands.push_back(
            value(*words[i], kind == OpKind::SetCoreFlag || kind == OpKind::WaitCoreFlag ? "i64" : ""));
        continue;
      }
      std::string word(tree_.text(words[i]->kind == ItemKind::Enum ? tree_.children(*words[i]).back() : *words[i]));
      if (word[0] == '"') word = word.substr(1, word.size() - 2);
      const Attribute& attribute = names->second[i];
      if (*attribute.family == '\0') {
        made.properties.push_back(fmt::format("{} = {} : i32", attribute.name, word));
        continue;
      }
      const bool op_type = made.name == "pto.barrier_sync";
      made.properties.push_back(fmt::format("{} = #pto.{}<{}>", op_type ? "op_type" : attribute.name,
                                            op_type ? "sync_op_type" : attribute.family, word));
    }
    return put(op, made), true;
  }

  // --- instructions ---
  void grouped(const Item& group, Generic& made) {
    std::vector<const Item*> waiting;
    for (const Item& item : tree_.children(group)) {
      if (text::is_operand(item.kind)) waiting.push_back(&item);
      if (item.kind != ItemKind::Types) continue;
      const Words types = types_in(&item);
      for (std::size_t i = 0; i < waiting.size(); ++i)
        made.operands.push_back(value(*waiting[i], i < types.size() ? types[i] : ""));
      waiting.clear();
    }
    for (const Item* item : waiting) made.operands.push_back(value(*item, ""));
  }

  void of_tiles(const Op& op) {
    Generic made = begun(op);
    const Item *ins = tree_.find(op, "ins"), *outs = tree_.find(op, "outs");
    for (const Item* named : all_of(op, ItemKind::Named)) {
      std::string value_text;
      for (const Item& part : tree_.children(*named))
        value_text += fmt::format("{}{}", value_text.empty() ? "" : " : ", tree_.text(part));
      made.attributes.push_back(fmt::format("{} = {}", tree_.name_of(*named), value_text));
    }
    if ((ins != nullptr && ins->kind == ItemKind::Group) || (outs != nullptr && outs->kind == ItemKind::Group)) {
      if (ins != nullptr) grouped(*ins, made);
      if (outs != nullptr) grouped(*outs, made);
      return put(op, made);
    }
    const Words types = types_in(op, ItemKind::Types);
    for (const Item& item : tree_.op_items(op))
      if (text::is_operand(item.kind))
        made.operands.push_back(value(item, made.operands.size() < types.size() ? types[made.operands.size()] : ""));
    made.results = types_in(op, ItemKind::Arrow);
    if (op.result_count != 0 && made.results.empty()) made.results = types;
    put(op, made);
  }

  // Operands, and types behind an arrow.
  void row(OpId id, const Op& op) {
    Generic made = begun(op);
    for (const Item& item : tree_.op_items(op)) {
      switch (item.kind) {
        case ItemKind::Use: made.operands.push_back(value(item, "")); break;
        case ItemKind::Int: made.operands.push_back(value(item, "")); break;
        case ItemKind::Group: grouped(item, made); break;
        case ItemKind::Dict:
        case ItemKind::Types:
        case ItemKind::Arrow: break;
        case ItemKind::String: made.properties.push_back(fmt::format("format = {}", tree_.text(item))); break;
        default: return as_it_is(id, op);
      }
    }
    made.results = types_in(op, ItemKind::Arrow);
    if (made.results.empty() && made.operands.empty()) made.results = types_in(op, ItemKind::Types);
    if (made.results.empty()) made.results.assign(op.result_count, made.operands.empty() ? "i64" : "index");
    put(op, made);
  }

  // (gm_slot_buffer = %slots : !pto.ptr<f32>, ..) {id = 0, ..}: each of the operands may be missing.
  void end_of_queue(OpId id, const Op& op) {
    Generic made = begun(op);
    std::vector<TypedValues> parts;
    const Item* group = tree_.find(op, ItemKind::Group);
    if (group == nullptr || tree_.text(*group).find("gm_slot_tensor") != std::string_view::npos)
      return as_it_is(id, op);  // whose place among the operands nobody knows
    for (const char* name : {"gm_slot_buffer", "c2v_consumer_buf", "v2c_consumer_buf"}) {
      parts.emplace_back();
      for (const Item& item : tree_.children(*group)) {
        if (tree_.name_of(item) != name) continue;
        const auto given = tree_.children(item);
        parts.back().push_back(value(given[0], given.size() > 1 ? type_of(given[1]) : ""));
      }
    }
    made.properties.push_back(segments(parts, made.operands));
    put(op, made);
  }

  // pto.syncall() mode = .., core_type = ..
  // (%dst, %src, buf(%a, %b) : ..): what stands in a clause is one segment.
  void between_devices(const Op& op) {
    Generic made = begun(op);
    std::vector<TypedValues> parts;
    for (const Item& item : tree_.children(*tree_.find(op, ItemKind::Group))) {
      if (item.kind == ItemKind::Use) parts.push_back({value(item, "")});
      if (item.kind != ItemKind::Group) continue;
      parts.emplace_back();
      for (const Item& inside : tree_.children(item)) parts.back().push_back(value(inside, ""));
    }
    made.properties.push_back(segments(parts, made.operands));
    put(op, made);
  }
  void meeting(const Op& op) {
    Generic made = begun(op);
    if (const Item* group = tree_.find(op, ItemKind::Group)) grouped(*group, made);
    for (const Item* named : all_of(op, ItemKind::Named))
      made.properties.push_back(
          fmt::format("{} = {}", tree_.name_of(*named), tree_.text(tree_.children(*named).front())));
    put(op, made);
  }

  const text::Tree& tree_;
  std::string out_;
  std::map<std::string, std::string> types_;
  std::size_t level_ = 0, constants_ = 0;
  GenericTwin twin_;
};

}  // namespace

GenericTwin generic_twin(const text::Tree& tree) { return TwinWriter(tree).write(); }

}  // namespace ts::test
