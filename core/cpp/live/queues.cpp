// From TPUSH and its like to uses of queues.
#include "core/cpp/live/queues.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/program/cores/queue_steps.h"

namespace ts::cpp {
namespace {

namespace border = ts_border;

constexpr std::uint32_t kToVector = 1, kToCube = 2;

std::optional<QueueAct> act_of(std::string_view op) {
  if (op == "TPUSH") return QueueAct::Push;
  if (op == "TPOP") return QueueAct::Pop;
  if (op == "TFREE") return QueueAct::Free;
  if (op == "TALLOC") return QueueAct::Alloc;
  return {};
}

// TPipe's: flag, directions, bytes and number of slots, of local ones, where the slots are, where entries come out.
constexpr std::size_t kPipeNumbers = 8, kPipePointer = 5;
constexpr std::uint64_t kMostPipeNumber = 1u << 30;

std::optional<QueueEnds> read_pipe(std::span<const border::Operand> given) {
  if (given.size() != kPipeNumbers) return {};
  QueueEnds ends;
  std::uint32_t* const small[] = {&ends.flag, &ends.directions, &ends.slot_bytes, &ends.slots, &ends.local_slots};
  for (std::size_t i = 0; i < std::size(small); ++i)
    *small[i] = static_cast<std::uint32_t>(std::min(given[i].bits, kMostPipeNumber));
  ends.c2v_base = given[6].bits;
  ends.v2c_base = given[7].bits;
  return ends;
}

}  // namespace

std::optional<SlotsInGlobalMemory> slots_of_pipe(std::span<const border::Operand> given) {
  const std::optional<QueueEnds> ends = read_pipe(given);
  if (!ends) return {};
  const std::uint64_t rings = ends->directions == (kToVector | kToCube) ? 2 : 1;
  return SlotsInGlobalMemory{given[kPipePointer].bits, rings * ends->slots * ends->slot_bytes};
}

bool LiveQueues::is_queue_call(std::string_view op) { return act_of(op).has_value(); }

std::uint32_t LiveQueues::queue_of(std::uint32_t flag, bool to_vector) const {
  const auto found = flags_.find({flag, to_vector});
  return found == flags_.end() ? static_cast<std::uint32_t>(run_.program.queues.size()) : found->second.current;
}

// The queue that this is an end of. A later launch of a main may give its flag to another one, which then goes by a number
// that no flag has, or to one that was before. False: an end of the same launch is of another type.
bool LiveQueues::begin_queue(QueueDecl wanted, std::uint32_t launch) {
  constexpr std::uint32_t kMostFlags = 16;
  std::vector<QueueDecl>& all = run_.program.queues;
  const auto is_wanted = [&](std::uint32_t queue) {
    return all[queue].slot_bytes == wanted.slot_bytes && all[queue].slots == wanted.slots;
  };
  Flag& flag = flags_[{wanted.id, wanted.to_vector}];
  if (!flag.queues.empty() && flag.launch == launch) return is_wanted(flag.current);
  flag.launch = launch;
  const auto found = std::ranges::find_if(flag.queues, is_wanted);
  flag.current = found == flag.queues.end() ? static_cast<std::uint32_t>(all.size()) : *found;
  if (found != flag.queues.end()) return true;
  if (!flag.queues.empty()) wanted.id += kMostFlags * static_cast<std::uint32_t>(flag.queues.size());
  flag.queues.push_back(flag.current);
  all.push_back(wanted);
  return true;
}

CallProblem LiveQueues::begin(WalkState& state, CoreKind kind, std::span<const border::Operand> given) {
  const std::uint32_t launch = run_.meetings[state.core];  // each begins with a meeting
  std::optional<QueueEnds> read = read_pipe(given);
  if (!read) return {"E-CPP-ARG", "TPipe: it is given something else than numbers", ""};
  QueueEnds& ends = *read;
  if (kind == CoreKind::Joint)
    return {"E-CPP-CORES",
            "TPipe: a queue has its ends on a cube core and on vector cores, and here is one core for all",
            "parts for the two kinds stand behind __DAV_CUBE__ and __DAV_VEC__"};
  Value gm{};
  if (run_.program.target == Target::A2A3) {
    const auto buffer = run_.file.buffer_at(given[kPipePointer].bits);
    if (!buffer)
      return {"E-CPP-POINTER", "TPipe: the pointer to its slots is in no buffer",
              "a2a3 hands entries over in global memory: give it a parameter of the entry"};
    ends.buffer = static_cast<std::uint32_t>(*buffer);
    ends.offset = given[kPipePointer].bits - run_.file.layout()[*ends.buffer].pointer;
    gm = {ends.offset, *ends.buffer, ValueKind::Pointer};
  }
  std::uint32_t called = ends.flag;
  for (const bool to_vector : {true, false}) {
    if ((ends.directions & (to_vector ? kToVector : kToCube)) == 0) continue;
    QueueDecl queue{.id = ends.flag,
                    .to_vector = to_vector,
                    .slot_bytes = ends.slot_bytes,
                    .slots = ends.slots,
                    .local_slots = ends.local_slots};
    if (ends.directions == (kToVector | kToCube) && !to_vector) queue.first_slot = ends.slots * ends.slot_bytes;
    if (!begin_queue(queue, launch)) {
      const QueueDecl& known = run_.program.queues[queue_of(ends.flag, to_vector)];
      return {"E-CPP-ARG",
              fmt::format("TPipe: queue {} has {} slots of {} bytes here, and {} of {} at its other end", queue.id,
                          queue.slots, queue.slot_bytes, known.slots, known.slot_bytes),
              "both ends are one type"};
    }
    const std::uint32_t number = queue_of(ends.flag, to_vector);
    called = run_.program.queues[number].id;
    state.queue_ends.resize(run_.program.queues.size());
    state.queue_ends[number] = {gm, scalar_value(to_vector ? ends.c2v_base : ends.v2c_base)};
  }
  ends.flag = called;
  const auto same = [&](const QueueEnds& one) { return one.flag == ends.flag && one.directions == ends.directions; };
  std::vector<QueueEnds>& all = ends_[kind];
  if (std::ranges::none_of(all, same)) all.push_back(ends);
  return {};
}

Slot LiveQueues::new_slot(Value value) {
  run_.program.slots.push_back(value);
  return static_cast<Slot>(run_.program.slots.size() - 1);
}

std::uint32_t LiveQueues::slots_for(const std::vector<Slot>& slots) {
  std::vector<Slot>& all = run_.program.code_slots;
  all.insert(all.end(), slots.begin(), slots.end());
  return static_cast<std::uint32_t>(all.size() - slots.size());
}

// What is pushed is seen as far as it is valid when that happens.
void LiveQueues::add_push(QueueUse& use, QueueCall& call, Instruction& step, const Tile& tile) {
  Program& program = run_.program;
  const TileType& from = tile.ref.type;
  const auto alias = [&](const std::string& name, const TileType& type, CoreOfBlock whose) {
    program.tiles.push_back({.name = name, .type = type, .alias = true, .unset = true, .whose = whose});
    return static_cast<std::uint32_t>(program.tiles.size() - 1);
  };
  use.dtype = from.dtype;
  use.tile = alias(tile.name, from, CoreOfBlock::Own);
  std::vector<Slot> slots{new_slot(tile_value(use.tile))};
  std::vector<SlotTile> filled;
  if (program.target == Target::A5) {
    filled = slots_of_push(program.queues[use.queue], from, use);
    for (const SlotTile& slot : filled) {
      std::uint32_t& number = use.first == kNoTile ? use.first : use.second;
      number = alias(slot.name, slot.type, slot.whose);
      slots.push_back(new_slot(tile_value(number)));
    }
    step.attributes.back() = use.split;
  } else {
    slots.push_back(new_slot());
    call.op.outs = 1;
  }
  call.in = new_slot();
  call.op.ins = 1;
  call.op.slots = slots_for({call.in, slots.back()});
  step.form = form_of_push(program.target, filled.size(), SumFactor::None);
  const std::vector<OperandSpec>& specs = step.row->forms[step.form].operands;
  for (std::size_t i = 0; i < slots.size(); ++i) step.operands.push_back({&specs[i], slots[i], DType::U64});
}

void LiveQueues::add_pop(CoreKind kind, QueueUse& use, QueueCall& call, Instruction& step, const Tile& tile) {
  Program& program = run_.program;
  use.dtype = tile.ref.type.dtype;
  use.tile = call.tile = run_.add_popped(tile.name, kind, tile.ref.type);
  call.rows = tile.ref.type.valid_rows == kDynamic ? new_slot() : kNoSlot;
  call.cols = tile.ref.type.valid_cols == kDynamic ? new_slot() : kNoSlot;
  const Slot popped = new_slot(tile_value(use.tile)), view = program.target == Target::A5 ? kNoSlot : new_slot();
  call.op.ins = 2;
  call.op.outs = view == kNoSlot ? 0 : 1;
  call.op.slots = slots_for({call.rows, call.cols, view});
  step.form = form_of_pop(program.target);
  const std::vector<OperandSpec>& specs = step.row->forms[step.form].operands;
  if (view != kNoSlot) step.operands.push_back({&specs[0], view, DType::U64});
  step.operands.push_back({&specs[step.operands.size()], popped, DType::U64});
}

QueueCall LiveQueues::make(std::uint32_t site, CoreKind kind, QueueUse use, const std::optional<Tile>& tile) {
  Program& program = run_.program;
  QueueCall call;
  call.op.kind = CodeKind::UseQueue;
  const QueueDecl& queue = program.queues[use.queue];
  // A tile goes through as a tile, also where others of the queue are tensors: that it is not there is told then.
  Instruction step{.row = row_of_queue(use.act, queue.to_vector, queue.by_views && !tile)};
  step.attributes.resize(step.row->attributes.size(), 0);
  if (tile && use.act == QueueAct::Push) add_push(use, call, step, *tile);
  else if (tile) add_pop(kind, use, call, step, *tile);
  step.queue_use = call.op.data = static_cast<std::uint32_t>(program.queue_uses.size());
  program.queue_uses.push_back(use);
  call.instruction = run_.add_instruction(site, std::move(step));
  call.op.pos = program.instructions[call.instruction].pos;
  return call;
}

const QueueCall* LiveQueues::call(std::uint32_t site, CoreKind kind, std::span<const border::Operand> given,
                                  const std::optional<Tile>& tile, CallProblem& problem) {
  const std::string& op = run_.sites[site].op;
  const QueueAct act = *act_of(op);
  const auto fail = [&](const char* rule, std::string text, const char* hint) -> const QueueCall* {
    problem = {rule, fmt::format("{}: {}", op, text), hint};
    return nullptr;
  };
  if (given.size() < 2) return fail("E-CPP-ARG", "it is given no queue", "");
  const bool puts = act == QueueAct::Push || act == QueueAct::Alloc;
  const bool to_vector = (kind == CoreKind::Cube) == puts;
  const std::uint64_t split = given[0].bits;
  const std::uint32_t number = queue_of(static_cast<std::uint32_t>(given[1].bits), to_vector);
  if (kind == CoreKind::Joint || number == run_.program.queues.size())
    return fail(
        "E-CPP-CORES",
        fmt::format("there is no queue {} that goes {}", given[1].bits,
                    to_vector ? "from the cube core to the vector cores" : "from the vector cores to the cube core"),
        "TPipe says which way its entries go");
  QueueDecl& queue = run_.program.queues[number];
  const bool a5 = run_.program.target == Target::A5;
  const TileLoc wanted = kind == CoreKind::Vector ? TileLoc::Vec : puts ? TileLoc::Acc : TileLoc::Mat;
  if (tile && tile->ref.type.loc != wanted)
    return fail("E-CPP-ARG",
                fmt::format("an entry of {} is a tile of {}, and {} is one of {}", name(kind), name(wanted), tile->name,
                            name(tile->ref.type.loc)),
                "");
  const bool by_view = act == QueueAct::Alloc || (given.size() > 3 && given[3].kind == border::OperandKind::View);
  if (by_view && a5) return fail("E-EMULATE", "slots of global memory are not emulated on a5", "push and pop tiles");
  if (split > 4 || (split > 2 && (a5 || !to_vector || by_view)))
    return fail("E-CPP-ARG", fmt::format("an entry cannot be split as number {} says", split), "");
  queue.by_views = queue.by_views || by_view;
  std::string form = tile ? tile->ref.type.describe() : "";
  const auto [it, made] = calls_.try_emplace({site, number, static_cast<std::uint8_t>(split), std::move(form)});
  if (made)
    it->second = make(site, kind, {.act = act, .split = static_cast<std::uint8_t>(split), .queue = number}, tile);
  return &it->second;
}

void LiveQueues::give(WalkState& state, const QueueCall& call, const std::optional<Tile>& tile) {
  if (!tile) return;
  if (call.in != kNoSlot) state.slots[call.in] = tile_value(tile->number);
  if (call.rows != kNoSlot) state.slots[call.rows] = scalar_value(tile->ref.valid_rows);
  if (call.cols != kNoSlot) state.slots[call.cols] = scalar_value(tile->ref.valid_cols);
}

}  // namespace ts::cpp
