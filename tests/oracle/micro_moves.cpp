// Loads, stores, registers and predicates whose bytes and bits move.
#include <algorithm>
#include <functional>
#include <map>

#include "tests/oracle/micro.h"

namespace ts::oracle {
namespace {

std::uint32_t width_in(std::string_view word) {
  if (word.ends_with("8")) return 1;
  if (word.ends_with("16")) return 2;
  return word.ends_with("64") ? 8 : 4;
}
bool upper(const MicroWork& w) { return w.word == "HIGHER" || w.word == "1"; }

// Byte k of the result is that byte of memory behind the address; below 0: a zero.
Register loaded(const MicroWork& w, const std::function<int(int)>& source) {
  Register out;
  for (int k = 0; k < 256; ++k)
    if (const int at = source(k); at >= 0)
      out[static_cast<std::size_t>(k)] = w.memory[w.address + static_cast<std::uint32_t>(at)];
  return out;
}
Register moved(const Register& reg, const std::function<int(int)>& source) {
  Register out;
  for (int k = 0; k < 256; ++k)
    if (const int at = source(k); at >= 0) out[static_cast<std::size_t>(k)] = reg[static_cast<std::size_t>(at)];
  return out;
}

void vlds(MicroWork& w) {
  const int size = static_cast<int>(width_in(w.word));
  const auto in_lanes = [&](int of, auto element) {  // byte k is byte k % of of element(k / of), where that has one
    return [=](int k) { return k % of < size ? element(k / of) * size + k % of : -1; };
  };
  const std::string_view kind = w.word.substr(0, w.word.find('_'));
  const auto at = [&]() -> std::function<int(int)> {
    if (w.word == "NORM") return [](int k) { return k; };
    if (w.word == "BRC_BLK") return [](int k) { return k % 32; };
    if (w.word == "UNPK4") return [](int k) { return k % 4 == 0 ? k / 4 : -1; };
    if (kind == "BRC") return in_lanes(size, [](int) { return 0; });
    if (kind == "US") return in_lanes(size, [](int i) { return i / 2; });
    if (kind == "DS") return in_lanes(size, [](int i) { return 2 * i; });
    if (kind == "UNPK") return in_lanes(2 * size, [](int i) { return i; });
    return in_lanes(size, [size](int i) { return i * size / 32; });  // E2B
  }();
  w.made = {loaded(w, at)};
}
void vldsx2(MicroWork& w) {
  const int size = w.word == "BDINTLV" ? 32 : static_cast<int>(width_in(w.word));
  for (const int which : {0, 1})
    w.made.push_back(loaded(w, [=](int k) { return (2 * (k / size) + which) * size + k % size; }));
}
void vsts(MicroWork& w) {
  struct Kind {
    std::string_view word;
    std::uint32_t lane, stored;  // bytes of a slot, and of what is stored of it
  };
  constexpr Kind kKinds[] = {{"NORM_B8", 1, 1}, {"NORM_B16", 2, 2}, {"NORM_B32", 4, 4}, {"PK_B16", 2, 1},
                             {"PK_B32", 4, 2},  {"PK_B64", 8, 4},   {"PK4_B32", 4, 1}};
  if (w.word.starts_with("1PT")) {
    for (std::uint32_t k = 0; k < width_in(w.word); ++k) w.memory[w.address + k] = w.reg[0][k];
    return;
  }
  const Kind& kind = *std::ranges::find(kKinds, w.word, &Kind::word);
  for (std::uint32_t i = 0; i < 256 / kind.lane; ++i) {
    const Bit& bit = w.pred[0][i * kind.lane];
    if (!bit.on) continue;
    Sources whole;  // a lane that a bit decided is one thing
    for (std::uint32_t k = 0; k < kind.stored; ++k) whole = joined(whole, w.reg[0][i * kind.lane + k].from);
    for (std::uint32_t k = 0; k < kind.stored; ++k)
      w.memory[w.address + i * kind.stored + k] = {w.reg[0][i * kind.lane + k].value, joined(whole, bit.from)};
  }
}
void vstsx2(MicroWork& w) {
  const std::uint32_t size = width_in(w.word);
  for (std::uint32_t k = 0; k < 512; ++k) w.memory[w.address + k] = w.reg[k / size % 2][k / size / 2 * size + k % size];
}
bool block_on(const MicroWork& w, std::uint32_t block) {
  for (std::uint32_t i = 0; i < lanes(w.type); ++i)
    if (i * size_bytes(w.type) / 32 == block && w.on(i)) return true;
  return false;
}
void vsldb(MicroWork& w) {
  w.made = {loaded(w, [&](int k) {
    const auto block = static_cast<std::uint32_t>(k) / 32;
    return block_on(w, block) ? static_cast<int>(32 * (w.stride[1] + block * w.stride[0])) + k % 32 : -1;
  })};
}
void vsstb(MicroWork& w) {
  for (std::uint32_t i = 0; i < lanes(w.type); ++i) {
    if (!w.on(i)) continue;
    const std::uint32_t size = size_bytes(w.type), at = i * size;
    const LaneValue value = lane(w.reg[0], w.type, i);
    for (std::uint32_t k = 0; k < size; ++k)
      w.memory[w.address + 32 * (w.stride[1] + at / 32 * w.stride[0]) + at % 32 + k] = {
          w.reg[0][at + k].value, joined(value.from, w.bit(i).from)};
  }
}
// A stream that begins with nothing, takes `count` lanes, and ends.
void stream(MicroWork& w) {
  for (std::uint32_t k = 0; k < w.count * size_bytes(w.type); ++k) w.memory[w.address + k] = w.reg[0][k];
}

// --- by index ---------------------------------------------------------------------------------------------------------

void vgather2(MicroWork& w) {
  Register out;
  const std::uint32_t size = size_bytes(w.type), slot = size_bytes(w.other);
  for (std::uint32_t i = 0; i < lanes(w.other); ++i) {
    const Bit& bit = w.pred[0][i * slot];
    if (!bit.on) continue;
    const LaneValue index = lane(w.reg[0], w.other, i);
    LaneValue value{0, joined(index.from, bit.from)};
    for (std::uint32_t k = 0; k < size; ++k) {
      const Byte& byte = w.memory[w.address + index.bits * size + k];
      value.bits |= std::uint64_t{byte.value} << (8 * k);
      value.from = joined(value.from, byte.from);
    }
    set_lane(out, w.other, i, value);
  }
  w.made = {out};
}
void vgatherb(MicroWork& w) {
  Register out;
  for (std::uint32_t k = 0; k < 256; ++k) {
    if (!w.pred[0][k / 32 * 4].on) continue;
    const LaneValue offset = lane(w.reg[0], DType::U32, k / 32);
    const std::uint32_t size = size_bytes(w.type);
    out[k] = w.memory[w.address + offset.bits + k % 32];
    for (std::uint32_t byte = k / size * size; byte < k / size * size + size; ++byte)
      out[k].from = joined(out[k].from, w.memory[w.address + offset.bits + byte % 32].from);
    out[k].from = joined(out[k].from, offset.from);
  }
  w.made = {out};
}
// The lowest lane wins.
void vscatter(MicroWork& w) {
  const std::uint32_t size = size_bytes(w.type), slot = size_bytes(w.other);
  for (std::uint32_t i = lanes(w.other); i-- > 0;) {
    const Bit& bit = w.pred[0][i * slot];
    if (!bit.on) continue;
    const LaneValue index = lane(w.reg[1], w.other, i);
    Sources from = joined(index.from, bit.from);
    for (std::uint32_t k = 0; k < slot; ++k) from = joined(from, w.reg[0][i * slot + k].from);
    for (std::uint32_t k = 0; k < size; ++k)
      w.memory[w.address + index.bits * size + k] = {w.reg[0][i * slot + k].value, from};
  }
}

// --- registers --------------------------------------------------------------------------------------------------------

void vintlv(MicroWork& w) {
  const int size = static_cast<int>(size_bytes(w.type));
  for (const int half : {0, 1}) {
    Register out;
    for (int k = 0; k < 256; ++k) {
      const int n = (256 * half + k) / size;
      out[static_cast<std::size_t>(k)] =
          w.reg[static_cast<std::size_t>(n % 2)][static_cast<std::size_t>(n / 2 * size + k % size)];
    }
    w.made.push_back(out);
  }
}
void vdintlv(MicroWork& w) {
  const int size = static_cast<int>(size_bytes(w.type));
  for (const int which : {0, 1}) {
    Register out;
    for (int k = 0; k < 256; ++k) {
      const int at = (2 * (k / size) + which) * size + k % size;
      out[static_cast<std::size_t>(k)] = w.reg[static_cast<std::size_t>(at / 256)][static_cast<std::size_t>(at % 256)];
    }
    w.made.push_back(out);
  }
}
void vsel(MicroWork& w) {
  Register out;
  for (std::uint32_t i = 0; i < lanes(w.type); ++i) {
    LaneValue value = lane(w.reg[w.on(i) ? 0 : 1], w.type, i);
    value.from = joined(value.from, w.bit(i).from);
    set_lane(out, w.type, i, value);
  }
  w.made = {out};
}
void vdup(MicroWork& w) {
  Register out;
  for (std::uint32_t i = 0; i < lanes(w.type); ++i) {
    LaneValue value = w.word.empty() ? w.scalar : lane(w.reg[0], w.type, w.word == "LOWEST" ? 0 : lanes(w.type) - 1);
    if (w.on(i)) set_lane(out, w.type, i, {value.bits, joined(value.from, w.bit(i).from)});
    else if (!w.word.empty()) set_lane(out, w.type, i, {0, w.bit(i).from});  // chosen, too
  }
  w.made = {out};
}
void vbr(MicroWork& w) {
  Register out;
  for (std::uint32_t i = 0; i < lanes(w.type); ++i) set_lane(out, w.type, i, w.scalar);
  w.made = {out};
}
void vpack(MicroWork& w) {
  const int size = static_cast<int>(size_bytes(w.type)), half = size / 2, first = upper(w) ? 128 : 0;
  w.made = {moved(w.reg[0], [=](int k) {
    return k >= first && k < first + 128 ? (k - first) / half * size + (k - first) % half : -1;
  })};
}
void vzunpack(MicroWork& w) {
  const int size = static_cast<int>(size_bytes(w.type)), first = upper(w) ? 128 : 0;
  w.made = {
      moved(w.reg[0], [=](int k) { return k % (2 * size) < size ? first + k / (2 * size) * size + k % size : -1; })};
}

void vselr(MicroWork& w) {
  Register out;
  for (std::uint32_t i = 0; i < lanes(w.type); ++i) {
    const LaneValue index = lane(w.reg[1], w.type, i),
                    value = lane(w.reg[0], w.type, static_cast<std::uint32_t>(index.bits % lanes(w.type)));
    set_lane(out, w.type, i, {value.bits, joined(value.from, index.from)});
  }
  w.made = {out};
}
// The bits of lanes 0 to i.
Sources bits_up_to(const MicroWork& w, std::uint32_t i) {
  Sources out;
  for (std::uint32_t k = 0; k <= i; ++k) out = joined(out, w.bit(k).from);
  return out;
}
void vsqz(MicroWork& w) {
  Register out;
  std::uint32_t to = 0;
  for (std::uint32_t i = 0; i < lanes(w.type); ++i) {
    if (!w.on(i)) continue;
    const LaneValue value = lane(w.reg[0], w.type, i);
    set_lane(out, w.type, to++, {value.bits, joined(value.from, bits_up_to(w, i))});
  }
  const Sources all = bits_up_to(w, lanes(w.type) - 1);
  while (to < lanes(w.type)) set_lane(out, w.type, to++, {0, all});
  w.made = {out};
}
void vusqz(MicroWork& w) {
  Register out;
  LaneValue count;
  for (std::uint32_t i = 0; i < lanes(w.type); ++i) {
    set_lane(out, w.type, i, count);
    count = {count.bits + (w.on(i) ? 1 : 0), joined(count.from, w.bit(i).from)};
  }
  w.made = {out};
}

// --- predicates -------------------------------------------------------------------------------------------------------

// Bit k of the result is that bit of the source; below 0: off.
template <class Source, class F>
Predicate bits(Source source, F at) {
  Predicate out;
  for (int k = 0; k < 256; ++k)
    if (const int from = at(k); from >= 0) out[static_cast<std::size_t>(k)] = source(static_cast<std::uint32_t>(from));
  return out;
}
void pset(MicroWork& w) {
  Predicate out;
  const std::uint32_t count = lanes(w.type);
  const std::map<std::string_view, std::function<bool(std::uint32_t)>> kOthers{
      {"PAT_ALL", [](std::uint32_t) { return true; }},
      {"PAT_ALLF", [](std::uint32_t) { return false; }},
      {"PAT_M3", [](std::uint32_t i) { return i % 3 == 0; }},
      {"PAT_M4", [](std::uint32_t i) { return i % 4 == 0; }},
      {"PAT_H", [&](std::uint32_t i) { return i < count / 2; }},
      {"PAT_Q", [&](std::uint32_t i) { return i < count / 4; }},
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto other = kOthers.find(w.word);
    out[i * size_bytes(w.type)].on = other != kOthers.end()
                                         ? other->second(i)
                                         : i < static_cast<std::uint32_t>(std::stoi(std::string(w.word.substr(6))));
  }
  w.made_pred = {out};
}
void plt(MicroWork& w) {
  Predicate out;
  for (std::uint32_t i = 0; i < lanes(w.type) && i < w.count; ++i) out[i * size_bytes(w.type)].on = true;
  w.count = w.count < lanes(w.type) ? 0 : w.count - lanes(w.type);
  w.made_pred = {out};
}
template <class F>
void logic(MicroWork& w, int operands, F f) {
  Predicate out;
  for (std::size_t k = 0; k < 256; ++k) {
    const Bit &a = w.pred[0][k], &b = w.pred[1][k], &c = w.pred[2][k];
    out[k] = {f(a.on, b.on, c.on), joined(a.from, b.from)};
    if (operands == 3) out[k].from = joined(out[k].from, c.from);
  }
  w.made_pred = {out};
}
void psel(MicroWork& w) {
  Predicate out;
  for (std::size_t k = 0; k < 256; ++k) {
    const Bit& chosen = w.pred[w.pred[2][k].on ? 0 : 1][k];
    out[k] = {chosen.on, joined(chosen.from, w.pred[2][k].from)};
  }
  w.made_pred = {out};
}
void ppack(MicroWork& w) {
  const int first = upper(w) ? 128 : 0;
  w.made_pred = {bits([&](std::uint32_t k) { return w.pred[0][k]; },
                      [=](int k) { return k >= first && k < first + 128 ? 2 * (k - first) : -1; })};
}
void punpack(MicroWork& w) {
  const int first = upper(w) ? 128 : 0;
  w.made_pred = {
      bits([&](std::uint32_t k) { return w.pred[0][k]; }, [=](int k) { return k % 2 == 0 ? first + k / 2 : -1; })};
}
void pintlv(MicroWork& w) {
  const int size = static_cast<int>(size_bytes(w.type));
  for (const int half : {0, 256}) {
    const auto of = [&](std::uint32_t n) { return w.pred[n / size % 2][n / size / 2 * size + n % size]; };
    w.made_pred.push_back(bits(of, [=](int k) { return half + k; }));
  }
}
void pdintlv(MicroWork& w) {
  const int size = static_cast<int>(size_bytes(w.type));
  const auto of = [&](std::uint32_t n) { return w.pred[n / 256][n % 256]; };
  for (const int which : {0, 1})
    w.made_pred.push_back(bits(of, [=](int k) { return (2 * (k / size) + which) * size + k % size; }));
}
// A memory byte knows where each of its bits came from only as a whole; loaded bits are given by the caller's numbers.
Bit memory_bit(const MicroWork& w, std::uint32_t n) {
  const Byte& byte = w.memory[w.address + n / 8];
  Bit out{(byte.value >> (n % 8) & 1) != 0, {}};
  for (const std::uint64_t source : byte.from) out.from.push_back(bit_source(source, n % 8));
  return out;
}
void plds(MicroWork& w) {
  const auto at = [&](int k) { return w.word == "US" ? k / 2 : w.word == "DS" ? 2 * k : k; };
  w.made_pred = {bits([&](std::uint32_t n) { return memory_bit(w, n); }, at)};
}
void psts(MicroWork& w) {
  const std::uint32_t step = w.word == "PK" ? 2 : 1;
  for (std::uint32_t byte = 0; byte < 32 / step; ++byte) {
    Byte made;
    for (std::uint32_t k = 0; k < 8; ++k) {
      const Bit& bit = w.pred[0][(8 * byte + k) * step];
      made.value = static_cast<std::uint8_t>(made.value | bit.on << k);
      made.from = joined(made.from, bit.from);
    }
    w.memory[w.address + byte] = made;
  }
}

const std::map<std::string_view, void (*)(MicroWork&)> kMoves{
    {"vlds", vlds},
    {"vldsx2", vldsx2},
    {"vldas", [](MicroWork&) {}},
    {"vldus", [](MicroWork& w) { w.made = {loaded(w, [](int k) { return k; })}; }},
    {"vsts", vsts},
    {"vstsx2", vstsx2},
    {"vsldb", vsldb},
    {"vsstb", vsstb},
    {"init_align", [](MicroWork&) {}},
    {"vstus", stream},
    {"vstas", [](MicroWork&) {}},
    {"vgather2", vgather2},
    {"vgather2_bc", vgather2},
    {"vgatherb", vgatherb},
    {"vscatter", vscatter},
    {"vintlv", vintlv},
    {"vdintlv", vdintlv},
    {"vsel", vsel},
    {"vdup", vdup},
    {"vbr", vbr},
    {"vselr", vselr},
    {"vsqz", vsqz},
    {"vusqz", vusqz},
    {"vpack", vpack},
    {"vzunpack", vzunpack},
    {"pset", pset},
    {"pge", pset},
    {"plt", plt},
    {"pand", [](MicroWork& w) { logic(w, 3, [](bool a, bool b, bool gate) { return a && b && gate; }); }},
    {"por", [](MicroWork& w) { logic(w, 3, [](bool a, bool b, bool gate) { return (a || b) && gate; }); }},
    {"pxor", [](MicroWork& w) { logic(w, 3, [](bool a, bool b, bool gate) { return a != b && gate; }); }},
    {"pnot", [](MicroWork& w) { logic(w, 2, [](bool a, bool gate, bool) { return !a && gate; }); }},
    {"psel", psel},
    {"ppack", ppack},
    {"punpack", punpack},
    {"pintlv", pintlv},
    {"pdintlv", pdintlv},
    {"plds", plds},
    {"pldi", plds},
    {"psts", psts},
    {"psti", psts},
};

}  // namespace

bool micro_moves(std::string_view name, MicroWork& work) {
  const auto it = kMoves.find(name);
  if (it == kMoves.end()) return false;
  it->second(work);
  return true;
}

}  // namespace ts::oracle
