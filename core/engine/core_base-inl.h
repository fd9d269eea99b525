// What the three machines share: bounds and alignment, the write log, faults. A machine is a "core" (run, trace or tag)
// under a target's set of micro-operations; cores offer the same few primitives, described in run-inl.h.
#if defined(TS_ENGINE_CORE_BASE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TS_ENGINE_CORE_BASE_INL_H
#undef TS_ENGINE_CORE_BASE_INL_H
#else
#define TS_ENGINE_CORE_BASE_INL_H
#endif

#include <array>
#include <bit>

#include "core/engine/address.h"
#include "core/engine/step_context.h"
#include "core/engine/vector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ts {
namespace HWY_NAMESPACE {

class CoreBase {
 public:
  explicit TS_INLINE CoreBase(StepContext& context)
      : CoreBase(context, reinterpret_cast<std::uint8_t*>(context.memory->base()), context.log.start()) {}
  TS_INLINE void finish() {
    close_runs();
    context_->log.finish(cursor_);
  }

 protected:
  TS_INLINE CoreBase(StepContext& context, std::uint8_t* base, WriteLog::Cursor cursor)
      : context_(&context),
        base_(base),
        ub_origin_(context.memory->map().origin(Space::Ub, context.core)),
        ub_size_(context.memory->map().size(Space::Ub, context.core)),
        cursor_(cursor) {}

  TS_INLINE Flat flat(Space space, std::uint64_t address) const {
    return static_cast<Flat>((space == Space::Ub ? ub_origin_ : context_->memory->map().origin(space, context_->core)) +
                             address);
  }
  TS_INLINE std::uint8_t* host(Space space, std::uint64_t address) const { return base_ + flat(space, address); }

  // May [address, address + size) be touched? If not, the instruction has a fault, and the caller does nothing. What may
  // be is there.
  TS_INLINE bool reachable(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size,
                           std::uint32_t align) {
    const std::uint64_t limit = space == Space::Ub ? ub_size_ : context_->memory->map().size(space, context_->core);
    if (HWY_LIKELY(address % align == 0 && address + size <= limit)) {
      if (space == Space::Gm) context_->memory->need(flat(space, address), size);
      return true;
    }
    report(*context_, op, space, address, size, align);
    return false;
  }

  // The address if it may be read, else address 0: after a fault the whole step is undone, so it does not matter what its
  // loads give, but one load costs less than a choice between two registers.
  TS_INLINE std::uint64_t safe(const MicroOp& op, Space space, std::uint64_t address, std::uint32_t size,
                               std::uint32_t align) {
    return HWY_LIKELY(reachable(op, space, address, size, align)) ? address : 0;
  }

  // Runs that follow each other are one entry. Two runs stay open, in registers, because an instruction with two results
  // stores to them in turn.
  TS_INLINE void log_write(Flat base, std::uint32_t size) {
    if (HWY_UNLIKELY(base != open_.end)) {
      const Run last = open_;
      if (base == other_.end) {
        open_ = other_;
      } else {
        close(other_);
        open_ = {base, base};
      }
      other_ = last;
    }
    open_.end = base + size;
  }
  TS_INLINE void close_runs() {
    close(open_);
    close(other_);
    open_ = other_ = {0, 0};
  }

  void log_pattern(const WritePattern& pattern) {
    if (pattern.stride == pattern.size || pattern.count == 1)
      return log_write(pattern.base, pattern.size * pattern.count);
    close_runs();
    if (HWY_UNLIKELY(cursor_.next == cursor_.end)) cursor_ = context_->log.grow();
    *cursor_.next++ = pattern;
  }

  // The runs of ones in a byte image, lowest first: f(first byte, count).
  template <class F>
  TS_INLINE static void for_byte_runs(VPred bytes, F f) {
    std::uint32_t at = 0;
    while (at < VL) {
      const std::uint64_t ones = bytes.word[at / 64] >> (at % 64);
      if (ones == 0) {
        at = (at / 64 + 1) * 64;
        continue;
      }
      at += static_cast<std::uint32_t>(std::countr_zero(ones));
      const std::uint32_t first = at;
      while (at < VL) {
        const std::uint32_t room = 64 - at % 64;
        const auto run = static_cast<std::uint32_t>(std::countr_one(bytes.word[at / 64] >> (at % 64)));
        at += run < room ? run : room;
        if (run < room) break;
      }
      f(first, at - first);
    }
  }
  TS_INLINE void log_bytes(Flat base, const VPred& bytes) {
    for_byte_runs(bytes,
                  [&](std::uint32_t first, std::uint32_t count) TS_INLINE_LAMBDA { log_write(base + first, count); });
  }
  template <class T>
  static TS_INLINE bool lane_on(const VPred& pred, std::uint32_t lane) {
    const std::uint32_t bit = lane * static_cast<std::uint32_t>(sizeof(T));
    return pred.word[bit / 64] >> (bit % 64) & 1;
  }
  // Bytes from the first to the last active one: what a predicated access really reaches.
  TS_INLINE static std::uint32_t extent(const VPred& bytes) {
    for (int i = 4; i-- > 0;)
      if (bytes.word[i] != 0) return static_cast<std::uint32_t>(64 * i + 64 - std::countl_zero(bytes.word[i]));
    return 0;
  }

  StepContext* context_;
  std::uint8_t* base_;
  Flat ub_origin_;
  std::uint32_t ub_size_;
  WriteLog::Cursor cursor_;
  struct Run {
    Flat begin, end;
  };
  Run open_{0, 0}, other_{0, 0};  // bytes written last that have no entry yet

 private:
  TS_INLINE void close(Run run) {
    if (run.begin == run.end) return;
    if (HWY_UNLIKELY(cursor_.next == cursor_.end)) cursor_ = context_->log.grow();
    const std::uint32_t size = run.end - run.begin;
    *cursor_.next++ = {run.begin, size, size, 1};
  }

  static HWY_NOINLINE void report(StepContext& context, const MicroOp& op, Space space, std::uint64_t address,
                                  std::uint32_t size, std::uint32_t align) {
    if (context.fault) return;
    context.fault = {&op, space, address, size, align, address % align != 0};
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace ts
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
