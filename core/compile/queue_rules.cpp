// What a function's queues need together.
#include "core/compile/queue_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "core/text/count.h"

namespace ts {
namespace {

using text::Item;
using text::ItemKind;
using text::Op;
using text::OpId;
using text::OpKind;

// Which way the data goes: the bits of dir_mask.
constexpr std::uint64_t kToVector = 1, kToCube = 2, kBothWays = 3;
// A flag for "full" and one for "free" in each direction; a pair of cores has so many.
constexpr std::uint64_t kFlagsAWay = 2, kMostFlags = 16;

const char* words(std::uint64_t direction) {
  return direction == kToVector ? "cube to vector" : direction == kToCube ? "vector to cube" : "both ways";
}

// An operation that sets a queue up, on one of its two cores.
struct Queue {
  const Op* op = nullptr;
  bool on_vector = false;
  std::uint64_t id = 0, directions = 0, slot_size = 0, slots = 0, local_slots = 0;
  bool holds(std::uint64_t direction) const { return (directions & direction) != 0; }
};

// An operation that uses one.
struct QueueUse {
  const Op* op = nullptr;
  OpKind kind = OpKind::Other;
  bool on_vector = false;  // the core that it runs on
  std::uint64_t id = 0, direction = 0;
  bool pushes() const { return kind == OpKind::PushToVector || kind == OpKind::PushToCube; }
};

struct UseRow {
  OpKind kind;
  bool on_vector;
  std::uint64_t direction;
};
constexpr UseRow kUses[] = {
    {OpKind::PushToVector, false, kToVector}, {OpKind::AllocToVector, false, kToVector},
    {OpKind::PopFromVector, false, kToCube},  {OpKind::FreeFromVector, false, kToCube},
    {OpKind::PushToCube, true, kToCube},      {OpKind::AllocToCube, true, kToCube},
    {OpKind::PopFromCube, true, kToVector},   {OpKind::FreeFromCube, true, kToVector},
};

// The operations of a function that have to do with queues, in the order of the text.
struct FunctionQueues {
  std::vector<Queue> queues;
  std::vector<QueueUse> uses;
  std::vector<const Op*> buffers;  // reserved and imported
  std::vector<const Op*> scales;   // set_quant_vector, set_quant_scalar
  bool calls = false;
};

std::uint64_t number(const TreeReader& tree, const Op& op, std::string_view name, std::uint64_t otherwise) {
  std::uint64_t value = 0;
  return text::parse_count(tree.word(op, name), value) ? value : otherwise;
}

Queue read_queue(const TreeReader& tree, const Op& op, bool on_vector) {
  Queue queue{.op = &op, .on_vector = on_vector};
  queue.id = number(tree, op, "id", 0);
  queue.directions = number(tree, op, "dir_mask", 0);
  queue.slot_size = number(tree, op, "slot_size", 0);
  queue.slots = queue_slots(tree, op);
  queue.local_slots = number(tree, op, "local_slot_num", queue.slots);
  return queue;
}

void collect(const TreeReader& tree, OpId first, FunctionQueues& out);

void collect_op(const TreeReader& tree, const Op& op, FunctionQueues& out) {
  const OpKind kind = text::kind_of(op.code);
  switch (kind) {
    case OpKind::InitPipeCube:
    case OpKind::InitPipeVector: out.queues.push_back(read_queue(tree, op, kind == OpKind::InitPipeVector)); break;
    case OpKind::ReserveBuffer:
    case OpKind::ImportBuffer: out.buffers.push_back(&op); break;
    case OpKind::SetQuantVector:
    case OpKind::SetQuantScalar: out.scales.push_back(&op); break;
    case OpKind::Call: out.calls = true; break;
    default:
      if (const auto* row = std::ranges::find(kUses, kind, &UseRow::kind); row != std::end(kUses))
        out.uses.push_back({&op, kind, row->on_vector, number(tree, op, "id", 0), row->direction});
  }
  for (const Item& item : tree.items(op))
    if (item.kind == ItemKind::Region) collect(tree, tree.first_op(&item), out);
}

void collect(const TreeReader& tree, OpId first, FunctionQueues& out) {
  for_ops(tree, first, [&](OpId, const Op& op) { collect_op(tree, op, out); });
}

FunctionQueues queues_of(const TreeReader& tree, const Op& function) {
  FunctionQueues found;
  if (const Item* region = tree.find(function, ItemKind::Region)) collect(tree, tree.first_op(region), found);
  return found;
}

class QueueRules {
 public:
  QueueRules(Compilation& c, const Op& function)
      : c_(c), tree_(c.tree), function_(function), own_(queues_of(c.tree, function)) {}

  void check() {
    for (std::size_t i = 0; i < own_.queues.size(); ++i) check_twice(i);
    check_flags(false);
    check_flags(true);
    for (const Queue& queue : own_.queues) {
      check_room(queue);
      check_peer(queue);
    }
    for (const QueueUse& use : own_.uses) check_use(use);
    for (const Op* buffer : own_.buffers) check_buffer(*buffer);
  }

 private:
  // V60-41
  void check_twice(std::size_t at) {
    const Queue& queue = own_.queues[at];
    const auto before = std::ranges::find_if(
        own_.queues.begin(), own_.queues.begin() + static_cast<std::ptrdiff_t>(at), [&](const Queue& other) {
          return other.on_vector == queue.on_vector && other.id == queue.id && other.holds(queue.directions);
        });
    if (before == own_.queues.begin() + static_cast<std::ptrdiff_t>(at)) return;
    const SourcePos first = c_.messages.position(before->op->name);
    c_.messages
        .error(queue.op->name, "V60-41",
               fmt::format("pipe id {} is initialised twice (first at {}:{})", queue.id, first.line, first.column),
               fmt::format("id = {}", free_id(queue.on_vector)), "each queue of a function has an id of its own")
        .notes.push_back({first, "the first one"});
  }

  std::uint64_t free_id(bool on_vector) const {
    std::uint64_t id = 0;
    for (const Queue& queue : own_.queues)
      if (queue.on_vector == on_vector) id = std::max(id, queue.id + 1);
    return id;
  }

  // V60-50
  void check_flags(bool on_vector) {
    std::uint64_t needed = 0;
    const Op* above = nullptr;
    for (const Queue& queue : own_.queues) {
      if (queue.on_vector != on_vector) continue;
      needed += kFlagsAWay * (queue.directions == kBothWays ? 2 : 1);
      if (needed > kMostFlags && above == nullptr) above = queue.op;
    }
    if (above == nullptr) return;
    c_.messages.error(above->name, "V60-50", fmt::format("{} cross-core flags needed, {} exist", needed, kMostFlags),
                      "",
                      fmt::format("a queue takes {} flags, one that goes both ways {}: drop queues, or let some go "
                                  "both ways",
                                  kFlagsAWay, 2 * kFlagsAWay));
  }

  // The operation that made the storage that a queue names for a direction; null: it names none.
  const Op* storage_of(const Queue& queue, std::uint64_t direction, const FunctionQueues& in) const {
    const Item* group = tree_.find(*queue.op, ItemKind::Group);
    const std::string_view name = direction == kToVector ? "c2v_consumer_buf" : "v2c_consumer_buf";
    if (group == nullptr) return nullptr;
    for (const Item& item : tree_.children(*group)) {
      if (item.kind != ItemKind::Named || tree_.tree().name_of(item) != name || item.count == 0) continue;
      const std::string_view used = tree_.value_name(tree_.children(item).front());
      for (const Op* buffer : in.buffers)
        if (buffer->result_count == 1 && tree_.value_name(tree_.results(*buffer).front()) == used) return buffer;
    }
    return nullptr;
  }

  // V60-44: as much storage as the slots need, on the core that reads them.
  void check_room(const Queue& queue) {
    for (const std::uint64_t direction : {kToVector, kToCube}) {
      if (!queue.holds(direction) || queue.on_vector != (direction == kToVector)) continue;
      const Op* storage = storage_of(queue, direction, own_);
      if (storage == nullptr || text::kind_of(storage->code) != OpKind::ReserveBuffer) continue;
      const std::uint64_t slots = c_.program.target == Target::A2A3 ? queue.local_slots : queue.slots;
      const std::uint64_t size = number(tree_, *storage, "size", 0);
      if (queue.slot_size == 0 || slots == 0 || size / queue.slot_size >= slots) continue;
      c_.messages
          .warn(storage->name, "V60-44",
                fmt::format("reserve_buffer \"{}\": {} bytes, pipe needs {} x {} = {}", tree_.word(*storage, "name"),
                            size, slots, queue.slot_size, product(slots, queue.slot_size)),
                "a slot behind its end must not be used: reserve more, or have fewer slots")
          .notes.push_back({c_.messages.position(queue.op->name), "this pipe"});
    }
  }

  static std::string product(std::uint64_t a, std::uint64_t b) {
    std::uint64_t out = 0;
    return __builtin_mul_overflow(a, b, &out) ? "more than any memory" : std::to_string(out);
  }

  const Op* peer_of(const Op& import) {
    const std::string_view symbol = tree_.word(import, "peer_func");
    const Function* peer = symbol.size() < 2 ? nullptr : c_.functions.find(unquoted(symbol.substr(1)));
    return peer == nullptr ? nullptr : peer->op;
  }

  const FunctionQueues& queues_in(const Op& function) {
    const auto found = peers_.find(&function);
    return found != peers_.end() ? found->second : peers_.emplace(&function, queues_of(tree_, function)).first->second;
  }

  const Op* reserved_by(const FunctionQueues& peer, std::string_view name) const {
    for (const Op* buffer : peer.buffers)
      if (text::kind_of(buffer->code) == OpKind::ReserveBuffer && tree_.word(*buffer, "name") == name) return buffer;
    return nullptr;
  }

  // V60-48: the other core's end of the queue, found by the storage that both name.
  void check_peer(const Queue& queue) {
    for (const std::uint64_t direction : {kToVector, kToCube}) {
      if (!queue.holds(direction)) continue;
      const Op* import = storage_of(queue, direction, own_);
      if (import == nullptr || text::kind_of(import->code) != OpKind::ImportBuffer) continue;
      const Op* peer = peer_of(*import);
      if (peer == nullptr) continue;
      const FunctionQueues& theirs = queues_in(*peer);
      const Op* reserved = reserved_by(theirs, tree_.word(*import, "name"));
      if (reserved == nullptr) continue;
      for (const Queue& other : theirs.queues)
        if (storage_of(other, direction, theirs) == reserved) return check_ends(queue, other);
    }
  }

  void check_ends(const Queue& queue, const Queue& other) {
    if (queue.slots == other.slots && queue.slot_size == other.slot_size) return;
    const SourcePos there = c_.messages.position(other.op->name);
    c_.messages
        .error(queue.op->name, "V60-48",
               fmt::format("{} slots of {} bytes here, {} of {} on the peer ({}:{})", queue.slots, queue.slot_size,
                           other.slots, other.slot_size, there.line, there.column),
               fmt::format("slot_num = {}, slot_size = {}", other.slots, other.slot_size),
               "both ends of a queue say the same")
        .notes.push_back({there, "the other end"});
  }

  const Queue* queue_of(const QueueUse& use) const {
    const auto found = std::ranges::find_if(own_.queues, [&](const Queue& queue) {
      return queue.on_vector == use.on_vector && queue.id == use.id && queue.holds(use.direction);
    });
    return found == own_.queues.end() ? nullptr : &*found;
  }

  void check_use(const QueueUse& use) {
    const Queue* queue = queue_of(use);
    if (queue == nullptr) return tell_missing(use);
    if (use.pushes()) check_push(use, *queue);
  }

  // V60-42. A helper's queues may be its caller's, and a caller's its helper's. On the other core's side it is V60-43,
  // which was told.
  void tell_missing(const QueueUse& use) {
    if (!tree_.may_run_on(function_, use.on_vector)) return;
    const Function* entry = c_.functions.entry();
    const bool all_here = entry != nullptr && entry->op == &function_ && !own_.calls;
    if ((own_.queues.empty() && !all_here) || has_unclear_queue(use)) return;
    std::string there;
    for (const Queue& queue : own_.queues)
      if (queue.on_vector == use.on_vector)
        there += fmt::format("{}id {} {}", there.empty() ? "" : ", ", queue.id, words(queue.directions));
    c_.messages.error(use.op->name, "V60-42",
                      fmt::format("no pipe id {} with direction {} in this function", use.id, words(use.direction)), "",
                      there.empty() ? fmt::format("initialise it on the {} core first", core_name(use.on_vector))
                                    : fmt::format("there are {}", there));
  }

  // Its direction is wrong, and that was told.
  bool has_unclear_queue(const QueueUse& use) const {
    return std::ranges::any_of(own_.queues, [&](const Queue& queue) {
      return queue.on_vector == use.on_vector && queue.id == use.id &&
             (queue.directions == 0 || queue.directions > kBothWays);
    });
  }

  // V60-51, V60-53: what goes through a queue that converts accumulators on the way.
  void check_push(const QueueUse& use, const Queue& queue) {
    if (tree_.find(*queue.op, "acc_push_epilogue") == nullptr) return;
    const auto note = [&](Diagnostic& told) {
      told.notes.push_back({c_.messages.position(queue.op->name), "this pipe has an epilogue"});
    };
    if (const Item* split = tree_.find(*use.op, "split"); split != nullptr && tree_.word(*use.op, "split") != "0")
      return note(c_.messages.error(
          split->range, "V60-51",
          fmt::format("a pipe with an epilogue is not split; this push has split = {}", tree_.word(*use.op, "split")),
          "split = 0"));
    if (const Item* type = pushed_type(*use.op); type != nullptr) {
      const text::Type& pushed = tree_.type(type->first);
      if (pushed.kind == text::TypeKind::Tile && pushed.tile.loc != TileLoc::Acc)
        return note(c_.messages.error(
            type->range, "V60-51",
            fmt::format("a pipe with an epilogue takes acc tiles; this one is in {}", name(pushed.tile.loc)), "acc"));
    }
    check_scales(use, queue);
  }

  const Item* pushed_type(const Op& op) const {
    const Item* group = tree_.find(op, ItemKind::Group);
    if (group == nullptr) return nullptr;
    for (const Item& item : tree_.children(*group)) {
      if (item.kind == ItemKind::Type) return &item;
      if (item.kind != ItemKind::Types) continue;
      for (const Item& child : tree_.children(item))
        if (child.kind == ItemKind::Type) return &child;
    }
    return nullptr;
  }

  void check_scales(const QueueUse& use, const Queue& queue) {
    const std::string_view quant = epilogue_word(tree_, *queue.op, "quant");
    const bool vector = quant.ends_with("_vec"), scalar = quant.ends_with("_scalar");
    if ((!vector && !scalar) || own_.calls) return;
    const OpKind wanted = vector ? OpKind::SetQuantVector : OpKind::SetQuantScalar;
    const bool set = std::ranges::any_of(own_.scales, [&](const Op* op) {
      return op->range.begin < use.op->range.begin && text::kind_of(op->code) == wanted &&
             number(tree_, *op, "id", 0) == queue.id;
    });
    if (set) return;
    c_.messages
        .error(use.op->name, "V60-53",
               fmt::format("push through pipe {} before {} {{id = {}}}", queue.id,
                           vector ? "set_quant_vector" : "set_quant_scalar", queue.id),
               "", "set what it is quantised by before the first push")
        .notes.push_back({c_.messages.position(queue.op->name), fmt::format("quant = {}", quant)});
  }

  void check_buffer(const Op& op) {
    if (text::kind_of(op.code) == OpKind::ImportBuffer) check_import(op);
    else check_overlap(op);
  }

  // V60-46
  void check_import(const Op& op) {
    const Op* peer = peer_of(op);
    const std::string_view name = tree_.word(op, "name");
    if (peer == nullptr || name.empty() || tree_.find(*peer, ItemKind::Region) == nullptr) return;
    const FunctionQueues& theirs = queues_in(*peer);
    if (reserved_by(theirs, name) != nullptr || theirs.calls) return;
    std::string there;
    for (const Op* buffer : theirs.buffers)
      if (text::kind_of(buffer->code) == OpKind::ReserveBuffer)
        there += fmt::format("{}\"{}\"", there.empty() ? "" : ", ", tree_.word(*buffer, "name"));
    c_.messages.error(tree_.find(op, "name")->range, "V60-46",
                      fmt::format("@{} has no reserve_buffer named \"{}\"", tree_.symbol_name(*peer), name), "",
                      there.empty() ? "it reserves none" : fmt::format("it has {}", there));
  }

  // V60-52
  void check_overlap(const Op& op) {
    const std::uint64_t base = number(tree_, op, "base", kMostBytes), size = number(tree_, op, "size", 0);
    if (base >= kMostBytes || size == 0 || size >= kMostBytes) return;
    const bool in_mat = tree_.word(op, "location").find("mat") != std::string_view::npos;
    const Space space = in_mat ? Space::L1 : Space::Ub;
    std::string there;
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < c_.program.tiles.size(); ++i) {
      const TileDecl& tile = c_.program.tiles[i];
      const std::uint64_t end = tile.address + tile.type.size_bytes();
      const bool is_itself = tile.address == base && tile.name == unquoted(tree_.word(op, "name"));
      if (is_itself || tile.alias || !c_.tiles.is_placed(i) || tile.open_address || tile.type.space() != space ||
          tile.address >= base + size || end <= base)
        continue;
      if (++count <= kMostNamed)
        there += fmt::format("{}%{} [{}, {})", there.empty() ? "" : ", ", tile.name, tile.address, end);
    }
    if (count == 0) return;
    c_.messages.warn(op.name, "V60-52",
                     fmt::format("tiles overlap the reserved buffer [{}, {}) of \"{}\": {}{}", base, base + size,
                                 tree_.word(op, "name"), there,
                                 count > kMostNamed ? fmt::format(" and {} more", count - kMostNamed) : ""),
                     "what the other core pushes lands in their bytes");
  }

  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;
  static constexpr std::size_t kMostNamed = 4;

  Compilation& c_;
  const TreeReader& tree_;
  const Op& function_;
  FunctionQueues own_;
  std::map<const Op*, FunctionQueues> peers_;
};

}  // namespace

std::uint64_t queue_slots(const TreeReader& tree, const Op& op) {
  return number(tree, op, "slot_num", number(tree, op, "dir_mask", 0) == kBothWays ? 4 : 8);
}

// "#pto.acc_push_epilogue<layout = nz2nd, quant = deqf16_vec, relu = no_relu>"
std::string_view epilogue_word(const TreeReader& tree, const Op& op, std::string_view part) {
  const Item* found = tree.find(op, "acc_push_epilogue");
  if (found == nullptr) return "";
  const std::string_view all = tree.text(*found);
  const std::size_t at = all.find(std::string(part) + " =");
  if (at == std::string_view::npos) return "";
  std::string_view value = all.substr(at + part.size() + 2);
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  return value.substr(0, value.find_first_of(",> "));
}

void check_queues(Compilation& c, const Op& function) { QueueRules(c, function).check(); }

}  // namespace ts
