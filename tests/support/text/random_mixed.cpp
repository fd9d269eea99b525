// Writing both halves side by side.
#include "tests/support/text/random_mixed.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/support/scale.h"
#include "tests/support/text/mixed_program.h"

namespace ts::test {
namespace {

constexpr const char* kMixedVec = "!pto.tile_buf<vec, 16x64xf32>";

// One of the two functions.
class HalfText {
 public:
  void line(std::string text) { lines_.push_back("    " + std::move(text)); }
  void act(SharedAct::Kind kind, std::uint32_t number, const std::string& text) {
    acts.push_back({kind, number, static_cast<std::uint32_t>(lines_.size())});
    line(text);
  }
  std::string number(std::uint32_t value) {
    const std::string name = fmt::format("%k{}", next_++);
    line(fmt::format("{} = arith.constant {} : index", name, value));
    return name;
  }
  std::string sum(const std::string& a, const std::string& b) { return made("addi", a, b); }
  std::string product(const std::string& a, const std::string& b) { return made("muli", a, b); }
  std::string made(const char* op, const std::string& a, const std::string& b) {
    const std::string name = fmt::format("%k{}", next_++);
    line(fmt::format("{} = arith.{} {}, {} : index", name, op, a, b));
    return name;
  }
  // A part of a matrix behind a pointer.
  std::string view(const char* pointer, const char* type, std::uint32_t cols, const std::string& row,
                   const std::string& col, std::uint32_t part_rows, std::uint32_t part_cols) {
    const std::string name = fmt::format("%v{}", next_++), all = number(1 << 9), width = number(cols);
    line(fmt::format(
        "{0}a = pto.make_tensor_view {1}, shape = [{2}, {3}], strides = [{3}, %c1] : !pto.tensor_view<?x{4}x{5}>", name,
        pointer, all, width, cols, type));
    const std::string high = number(part_rows), wide = number(part_cols);
    line(fmt::format(
        "{0} = pto.partition_view {0}a, offsets = [{1}, {2}], sizes = [{3}, {4}] : !pto.tensor_view<?x{5}x{6}> "
        "-> !pto.partition_tensor_view<{7}x{8}x{6}>",
        name, row, col, high, wide, cols, type, part_rows, part_cols));
    return fmt::format("{} : !pto.partition_tensor_view<{}x{}x{}>", name, part_rows, part_cols, type);
  }
  void load(const std::string& view, const std::string& tile) {
    line(fmt::format("pto.tload ins({}) outs({})", view, tile));
  }
  void store(const std::string& tile, const std::string& view) {
    line(fmt::format("pto.tstore ins({}) outs({})", tile, view));
  }
  std::string text(std::uint32_t first_line) {
    for (SharedAct& act : acts) act.line += first_line;
    std::string out;
    for (const std::string& line : lines_) out += line + "\n";
    return out;
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(lines_.size()); }

  std::vector<SharedAct> acts;

 private:
  std::vector<std::string> lines_;
  int next_ = 0;
};

class MixedWriter {
 public:
  MixedWriter(Random& random, RandomMixed& out, LeftOut left_out) : random_(random), out_(out), left_out_(left_out) {}

  void write() {
    rounds_ = 2 + random_.below(6);
    for (std::uint32_t i = 0; i < rounds_; ++i) kinds_.push_back(random_.below(4));
    gap_ = random_.below(rounds_);
    begin(cube_, false);
    begin(vector_, true);
    for (round_ = 0; round_ < rounds_; ++round_) {
      switch (kinds_[round_]) {
        case 0: to_vector(); break;
        case 1: to_cube(); break;
        case 2: by_flag(); break;
        default: meet(); break;
      }
    }
    finish();
  }

 private:
  bool leaves_out(LeftOut what) const { return left_out_ == what && round_ == gap_; }
  bool two() const { return out_.two_vector_cores; }
  std::uint32_t half_rows(int split) const { return split == 1 ? kMixedRows / 2 : kMixedRows; }
  std::uint32_t half_cols(int split, std::uint32_t cols) const { return split == 2 ? cols / 2 : cols; }
  std::string vec(int split) const {
    return fmt::format("!pto.tile_buf<vec, {}x{}xf32>", half_rows(split), half_cols(split, kMixedCols));
  }

  void begin(HalfText& half, bool vector) {
    half.line("%c0 = arith.constant 0 : index");
    half.line("%c1 = arith.constant 1 : index");
    half.line("%block = pto.get_block_idx -> i64");
    half.line("%blk = arith.index_cast %block : i64 to index");
    // Who asks has two of them.
    if (two() && vector) {
      half.line("%which64 = pto.get_subblock_idx -> i64");
      half.line("%which = arith.index_cast %which64 : i64 to index");
    } else {
      half.line("%which = arith.constant 0 : index");
    }
    half.line("%is_first = arith.cmpi eq, %which, %c0 : index");
    pipes(half, vector);
    if (vector) return vector_tiles(half);
    half.line(fmt::format("%bm = pto.alloc_tile : {}", kMixedMatB));
    half.line(fmt::format("%am = pto.alloc_tile : {}", kMixedMatA));
    half.line(fmt::format("%l = pto.alloc_tile : {}", kMixedLeft));
    half.line(fmt::format("%r = pto.alloc_tile : {}", kMixedRight));
    half.line(fmt::format("%acc = pto.alloc_tile : {}", kMixedAcc));
    half.load(half.view("%b", "f16", kMixedCols, "%c0", "%c0", kMixedK, kMixedCols),
              fmt::format("%bm : {}", kMixedMatB));
    half.line(fmt::format("pto.tmov ins(%bm : {}) outs(%r : {})", kMixedMatB, kMixedRight));
  }
  void vector_tiles(HalfText& half) {
    half.line(fmt::format("%y = pto.alloc_tile : {}", vec(out_.split[0])));
    half.line(fmt::format("%z = pto.alloc_tile : {}", kMixedVec));
    // Of what is not split the second core has nothing.
    const int split = out_.split[1];
    const std::string part = split == 0 ? half.made("subi", "%c1", "%which") : "%c1";
    const std::string rows = half.product(part, half.number(half_rows(split))),
                      cols = half.product(part, half.number(half_cols(split, kMixedK)));
    half.line(fmt::format("%x = pto.alloc_tile valid_row = {} valid_col = {} : {}", rows, cols, pushed_type()));
    half.line("%one = arith.constant 1.0 : f32");
    half.line("%whole = arith.trunci %block : i64 to i32");
    half.line("%mine = arith.sitofp %whole : i32 to f32");
  }
  std::string pushed_type() const {
    const int split = out_.split[1];
    return fmt::format("!pto.tile_buf<vec, {}x{}xf16, valid=?x?>", half_rows(split), half_cols(split, kMixedK));
  }

  void pipes(HalfText& half, bool vector) {
    for (std::uint32_t queue = 0; queue < 2; ++queue) {
      const std::uint32_t bytes = queue == 0 ? kMixedRows * kMixedCols * 4 : kMixedRows * kMixedK * 2;
      const bool reads = (queue == 0) == vector;
      if (reads)
        half.line(
            fmt::format("%q{0} = pto.reserve_buffer {{name = \"q{0}\", size = {1}, location = "
                        "#pto.address_space<{2}>, auto = true}} -> i32",
                        queue, bytes * out_.slots[queue], queue == 0 ? "vec" : "mat"));
      else
        half.line(fmt::format("%q{0} = pto.import_reserved_buffer {{name = \"q{0}\", peer_func = @r_{1}}} -> i32",
                              queue, vector ? "aic" : "aiv"));
      const std::string offset = half.product("%blk", half.number(bytes * out_.slots[queue] / 4));
      half.line(fmt::format("%g{0} = pto.addptr %slots{0}, {1} : !pto.ptr<f32> -> !pto.ptr<f32>", queue, offset));
      half.line(
          fmt::format("pto.{0}_initialize_pipe {{id = {1}, dir_mask = {2}, slot_size = {3}, slot_num = {4}}} "
                      "(gm_slot_buffer = %g{1} : !pto.ptr<f32>, {5}_consumer_buf = %q{1} : i32)",
                      vector ? "aiv" : "aic", queue, queue + 1, bytes, out_.slots[queue], queue == 0 ? "c2v" : "v2c"));
    }
  }

  // The rows of this round in a matrix of `cols` columns that each block has a part of.
  std::string row(HalfText& half, const std::string& block = "%blk") const {
    return half.sum(half.product(block, half.number(rounds_ * kMixedRows)), half.number(round_ * kMixedRows));
  }
  void multiply(HalfText& half, const std::string& left) {
    half.line(fmt::format("pto.tmov ins({} : {}) outs(%l : {})", left, kMixedMatA, kMixedLeft));
    half.line(fmt::format("pto.tmatmul ins(%l, %r : {}, {}) outs(%acc : {})", kMixedLeft, kMixedRight, kMixedAcc));
  }
  void product_of_round() {
    cube_.load(cube_.view("%a", "f16", kMixedK, row(cube_), "%c0", kMixedRows, kMixedK),
               fmt::format("%am : {}", kMixedMatA));
    multiply(cube_, "%am");
  }
  void only_first(HalfText& half, bool begins) { half.line(begins ? "scf.if %is_first {" : "}"); }

  void to_vector() {
    using enum SharedAct::Kind;
    const int split = out_.split[0];
    product_of_round();
    if (leaves_out(LeftOut::Partner) && out_.target == Target::A2A3) out_.left_out = "a push to the vector cores";
    else cube_.act(Push, 0, fmt::format("pto.tpush_to_aiv(%acc : {}) {{id = 0, split = {}}}", kMixedAcc, split));
    vector_.act(Pop, 0,
                fmt::format("%p{} = pto.tpop_from_aic {{id = 0, split = {}}} -> {}", round_, split, vec(split)));
    vector_.line(fmt::format("pto.tadds ins(%p{0}, %one : {1}, f32) outs(%y : {1})", round_, vec(split)));
    if (leaves_out(LeftOut::Partner) && out_.target == Target::A5) out_.left_out = "a free of the vector cores";
    else vector_.act(Free, 0, fmt::format("pto.tfree_from_aic {{id = 0, split = {}}}", split));
    if (split == 0) only_first(vector_, true);
    const std::string down = vector_.product("%which", vector_.number(split == 1 ? kMixedRows / 2 : 0)),
                      right = vector_.product("%which", vector_.number(split == 2 ? kMixedCols / 2 : 0));
    vector_.store(fmt::format("%y : {}", vec(split)),
                  vector_.view("%out", "f32", kMixedCols, vector_.sum(row(vector_), down), right, half_rows(split),
                               half_cols(split, kMixedCols)));
    if (split == 0) only_first(vector_, false);
  }

  void to_cube() {
    using enum SharedAct::Kind;
    const int split = out_.split[1];
    const std::string down = vector_.product("%which", vector_.number(split == 1 ? kMixedRows / 2 : 0)),
                      right = vector_.product("%which", vector_.number(split == 2 ? kMixedK / 2 : 0));
    vector_.load(vector_.view("%a", "f16", kMixedK, vector_.sum(row(vector_), down), right, half_rows(split),
                              half_cols(split, kMixedK)),
                 fmt::format("%x : {}", pushed_type()));
    if (leaves_out(LeftOut::Partner)) out_.left_out = "a push to the cube core";
    else vector_.act(Push, 1, fmt::format("pto.tpush_to_aic(%x : {}) {{id = 1, split = {}}}", pushed_type(), split));
    cube_.act(Pop, 1, fmt::format("%p{} = pto.tpop_from_aiv {{id = 1, split = {}}} -> {}", round_, split, kMixedMatA));
    multiply(cube_, fmt::format("%p{}", round_));
    cube_.act(Free, 1, fmt::format("pto.tfree_from_aiv {{id = 1, split = {}}}", split));
    cube_.store(fmt::format("%acc : {}", kMixedAcc),
                cube_.view("%out", "f32", kMixedCols, row(cube_), "%c0", kMixedRows, kMixedCols));
  }

  // a5: a flag for each vector core, and one from each.
  void cube_flag(SharedAct::Kind kind, const char* pipe, std::uint32_t flag) {
    const char* op = kind == SharedAct::Kind::Set ? "set" : "wait";
    cube_.act(kind, flag, fmt::format("pto.sync.{} <{}>, {}", op, pipe, flag));
    if (out_.target == Target::A5 && two())
      cube_.act(kind, flag + 16, fmt::format("pto.sync.{} <{}>, {}", op, pipe, flag + 16));
  }

  // Through global memory: the vector cores wait until the cube core wrote, and it waits until they read.
  void by_flag() {
    using enum SharedAct::Kind;
    constexpr std::uint32_t kWritten = 3, kRead = 4;
    const bool edge = leaves_out(LeftOut::Edge), partner = leaves_out(LeftOut::Partner);
    product_of_round();
    if (scratch_used_) cube_flag(Wait, "PIPE_FIX", kRead);
    cube_.store(fmt::format("%acc : {}", kMixedAcc), scratch(cube_));
    if (partner) out_.left_out = "a flag of the cube core";
    else if (!edge) cube_flag(Set, "PIPE_FIX", kWritten);
    if (edge) out_.left_out = "the flag that orders a store and a load";
    else vector_.act(Wait, kWritten, fmt::format("pto.sync.wait <PIPE_MTE2>, {}", kWritten));
    vector_.load(scratch(vector_), fmt::format("%z : {}", kMixedVec));
    vector_.act(Set, kRead, fmt::format("pto.sync.set <PIPE_MTE2>, {}", kRead));
    only_first(vector_, true);
    vector_.store(fmt::format("%z : {}", kMixedVec),
                  vector_.view("%out", "f32", kMixedCols, row(vector_), "%c0", kMixedRows, kMixedCols));
    only_first(vector_, false);
    scratch_used_ = true;
  }
  std::string scratch(HalfText& half) {
    return half.view("%scratch", "f32", kMixedCols, half.product("%blk", half.number(kMixedRows)), "%c0", kMixedRows,
                     kMixedCols);
  }

  // What a block writes is read by the next one.
  void meet() {
    using enum SharedAct::Kind;
    vector_.line(fmt::format("pto.texpands ins(%mine : f32) outs(%z : {})", kMixedVec));
    only_first(vector_, true);
    vector_.store(fmt::format("%z : {}", kMixedVec),
                  vector_.view("%meet", "f32", kMixedCols, row(vector_), "%c0", kMixedRows, kMixedCols));
    only_first(vector_, false);
    const bool mix = random_.below(2) == 0, edge = leaves_out(LeftOut::Edge);
    const std::string meeting = fmt::format(
        "pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<{}>", mix ? "mix" : "aiv_only");
    if (edge) out_.left_out = "a meeting";
    else {
      if (mix) cube_.act(Meet, 2, meeting);
      vector_.act(Meet, mix ? 2 : 0, meeting);
    }
    const std::string next = vector_.made("remui", vector_.sum("%blk", "%c1"), vector_.number(out_.blocks));
    vector_.load(vector_.view("%meet", "f32", kMixedCols, row(vector_, next), "%c0", kMixedRows, kMixedCols),
                 fmt::format("%z : {}", kMixedVec));
    only_first(vector_, true);
    vector_.store(fmt::format("%z : {}", kMixedVec),
                  vector_.view("%out", "f32", kMixedCols, row(vector_), "%c0", kMixedRows, kMixedCols));
    only_first(vector_, false);
  }

  void finish() {
    const char* arguments =
        "%a: !pto.ptr<f16>, %b: !pto.ptr<f16>, %out: !pto.ptr<f32>, %scratch: !pto.ptr<f32>, %meet: !pto.ptr<f32>, "
        "%slots0: !pto.ptr<f32>, %slots1: !pto.ptr<f32>";
    constexpr std::uint32_t kCubeLine = 3, kBetween = 3;
    out_.text = fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{\n", name(out_.target));
    out_.text +=
        fmt::format("  func.func @r_aic({}) attributes {{pto.kernel_kind = #pto.kernel_kind<cube>}} {{\n", arguments);
    const std::uint32_t cube_lines = cube_.count();
    out_.text += cube_.text(kCubeLine) + "    return\n  }\n";
    out_.text += fmt::format("  func.func @r_aiv({}{}) attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{\n",
                             arguments, two() ? ", %__pypto_spmd_subblock_idx: i32" : "");
    out_.text += vector_.text(kCubeLine + cube_lines + kBetween) + "    return\n  }\n}\n";
    out_.cube = cube_.acts;
    out_.vector = vector_.acts;
  }

  Random& random_;
  RandomMixed& out_;
  LeftOut left_out_;
  HalfText cube_, vector_;
  std::uint32_t rounds_ = 0, round_ = 0, gap_ = 0;
  std::vector<std::uint32_t> kinds_;
  bool scratch_used_ = false;
};

}  // namespace

RandomMixed random_mixed(Random& random, Target target, LeftOut left_out) {
  RandomMixed out;
  out.target = target;
  out.blocks = 1 + random.below(in_full() ? 16 : 4);
  for (std::uint32_t queue = 0; queue < 2; ++queue) {
    out.slots[queue] = 1 + random.below(3);
    out.split[queue] = static_cast<int>(random.below(3));
  }
  // On a5 what is split needs both vector cores, and what is not waits for ever on the second one.
  if (target == Target::A5 && (out.split[0] == 0) != (out.split[1] == 0)) out.split[1] = out.split[0];
  out.two_vector_cores = target == Target::A2A3 || out.split[0] != 0;
  MixedWriter(random, out, left_out).write();
  return out;
}

}  // namespace ts::test
