// What orders calls: pipes, flags, barriers, events; and what a kernel asks of the launch.
#pragma once

#include "call.h"
#include "tilescope/options.h"

enum pipe_t {
  PIPE_S = 0,
  PIPE_V = 1,
  PIPE_MTE1 = 2,
  PIPE_MTE2 = 3,
  PIPE_MTE3 = 4,
  PIPE_M = 5,
  PIPE_ALL = 6,
  PIPE_FIX = 7
};
enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

namespace tilescope {
inline void order(const char* op, const Where& where, std::int64_t a, std::int64_t b, std::int64_t id) {
  Operands operands;
  operands.add(a);
  operands.add(b);
  operands.add(id);
  ts_post(ts_border::RecordKind::Call, site_of(op, where), operands.list, operands.count);
}
}  // namespace tilescope

template <class Id>
inline void set_flag(pipe_t from, pipe_t to, Id id, tilescope::Where where = tilescope::Where::here()) {
  tilescope::order("set_flag", where, from, to, static_cast<std::int64_t>(id));
}
template <class Id>
inline void wait_flag(pipe_t from, pipe_t to, Id id, tilescope::Where where = tilescope::Where::here()) {
  tilescope::order("wait_flag", where, from, to, static_cast<std::int64_t>(id));
}
inline void pipe_barrier(pipe_t pipe, tilescope::Where where = tilescope::Where::here()) {
  tilescope::order("pipe_barrier", where, pipe, 0, 0);
}

// Flags from core to core: of a2a3 a message that says which flag and for whom, of a5 the flag itself.
inline void ffts_cross_core_sync(pipe_t pipe, std::uint64_t message,
                                 tilescope::Where where = tilescope::Where::here()) {
  tilescope::order("ffts_cross_core_sync", where, pipe, static_cast<std::int64_t>(message), 0);
}
template <class A>
inline void set_ffts_base_addr(A) {}
inline void wait_flag_dev(std::int64_t id, tilescope::Where where = tilescope::Where::here()) {
  tilescope::order("wait_flag_dev", where, PIPE_S, id, 0);
}
inline void set_intra_block(pipe_t pipe, std::int64_t id, tilescope::Where where = tilescope::Where::here()) {
  tilescope::order("set_intra_block", where, pipe, id, 0);
}
inline void wait_intra_block(pipe_t pipe, std::int64_t id, tilescope::Where where = tilescope::Where::here()) {
  tilescope::order("wait_intra_block", where, pipe, id, 0);
}

// Caches are not emulated, and memory is always up to date. Who asks for that waits for what another core writes.
template <class... T>
inline void dcci(const T&...) {
  ts_poll();
}
template <class... T>
inline void dsb(const T&...) {}
inline void set_mask_norm() {}
inline void set_mask_count() {}
template <class A, class B>
inline void set_vector_mask(A, B) {}

inline std::int64_t get_block_idx() { return ts_block_idx(); }
inline std::int64_t get_block_num() { return ts_block_num(); }
inline std::int64_t get_subblockid() { return ts_sub_core(); }
inline std::int64_t get_subblockdim() { return ts_sub_cores(); }
namespace tilescope {
// `block_idx` is a variable on the device, and kernels have others of that name.
struct BlockIdx {
  operator std::int64_t() const { return ts_block_idx(); }
};
struct BlockNum {
  operator std::int64_t() const { return ts_block_num(); }
};
}  // namespace tilescope
static const tilescope::BlockIdx block_idx;
static const tilescope::BlockNum block_num;

namespace pto {

// A flag whose pipes follow from two operations; on one pipe it is none.
template <Op From, Op To>
class Event : public tilescope::IsEvent {
  static constexpr int from = tilescope::pipe_of(From), to = tilescope::pipe_of(To);
  static int next_id() {
    static int next = 0;
    return next++ % 8;
  }
  int id_ = next_id();

 public:
  Event() = default;
  Event& operator=(const tilescope::Done& done) {
    if (from != to) tilescope::order("set_flag", done.where, from, to, id_);
    return *this;
  }
  void wait(const tilescope::Where& where) const {
    if (from != to) tilescope::order("wait_flag", where, from, to, id_);
  }
  void Init(tilescope::Where = tilescope::Where::here()) {}
  void Record(tilescope::Where where = tilescope::Where::here()) {
    if (from != to) tilescope::order("set_flag", where, from, to, id_);
  }
  void Wait(tilescope::Where where = tilescope::Where::here()) { this->wait(where); }
};

#define TS_SYNC(ARGUMENTS, PARAMETERS, VALUES)                                                 \
  template <TS_UNWRAP ARGUMENTS>                                                               \
  inline void TSYNC(TS_UNWRAP PARAMETERS, tilescope::Where where = tilescope::Where::here()) { \
    tilescope::wait_all(where, TS_UNWRAP VALUES);                                              \
  }
}  // namespace pto
namespace tilescope {
template <class... E>
void wait_all(const Where& where, const E&... events) {
  (events.wait(where), ...);
}
}  // namespace tilescope
namespace pto {
TS_SYNC((class A), (const A& a), (a))
TS_SYNC((class A, class B), (const A& a, const B& b), (a, b))
TS_SYNC((class A, class B, class C), (const A& a, const B& b, const C& c), (a, b, c))
TS_SYNC((class A, class B, class C, class D), (const A& a, const B& b, const C& c, const D& d), (a, b, c, d))
#undef TS_SYNC
// All cores of a kind, of all blocks, meet.
enum class SyncCoreType { AIVOnly, AICOnly, Mix };
enum class SyncAllMode { Hard, Soft };
template <auto Cores>
inline void SYNCALL(tilescope::Where where = tilescope::Where::here()) {
  ts_meet();
  tilescope::order("SYNCALL", where, 0, static_cast<std::int64_t>(Cores), 0);
}
template <auto Mode, auto Cores, class W>
inline void SYNCALL(const W&, std::int64_t cores = 0, tilescope::Where where = tilescope::Where::here()) {
  ts_meet();
  tilescope::order("SYNCALL", where, static_cast<std::int64_t>(Mode), static_cast<std::int64_t>(Cores), cores);
}

template <Op O>
inline void TSYNC(tilescope::Where where = tilescope::Where::here()) {
  tilescope::order("pipe_barrier", where, tilescope::pipe_of(O), 0, 0);
}

}  // namespace pto
