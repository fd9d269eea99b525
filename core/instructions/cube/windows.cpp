// What moves between memories, by the memories: the part of TMOV that is the cube core's, TEXTRACT and TINSERT.
// TEXTRACT: dst[i][j] = src[row + i][col + j]. TINSERT: dst[row + i][col + j] = src[i][j].
#include <fmt/format.h>

#include <algorithm>

#include "core/catalogue/catalogue.h"
#include "core/instructions/cube/cube_moves.h"
#include "core/instructions/cube/moves.h"
#include "core/instructions/transfer.h"

namespace ts {
namespace {

using namespace cube_moves;
using enum TileLoc;

std::span<const Path> moves() {
  static const Path paths[] = {
      {Mat, Left, true, Pipe::Mte1, &operand_move(), operand_move_rules, false, operand_move_waits},
      {Mat, Right, true, Pipe::Mte1, &operand_move(), operand_move_rules, false, operand_move_waits},
      {Mat, Bias, true, Pipe::Mte1, &bias_move(), bias_rules},
      {Mat, Scaling, true, Pipe::Fix, &factor_move(), factor_rules},
      {Mat, Scaling, false, Pipe::Mte1, &scale_move(), scale_move_rules, true},
      {Acc, Mat, true, Pipe::Fix, &acc_move(), acc_move_rules},
      {Acc, Vec, false, Pipe::Fix, &acc_move(), acc_move_rules},
      {Vec, Vec, false, Pipe::V, &vec_move(), vec_move_rules},
      {Vec, Mat, false, Pipe::Mte3, &vec_move(), vec_move_rules},
  };
  return paths;
}
std::span<const Path> windows() {
  static const Path paths[] = {
      {Mat, Left, true, Pipe::Mte1, &operand_move(), operand_window_rules, false, operand_move_waits},
      {Mat, Right, true, Pipe::Mte1, &operand_move(), operand_window_rules, false, operand_move_waits},
      {Mat, Scaling, false, Pipe::Mte1, &scale_move(), scale_window_rules, true},
      {Acc, Mat, true, Pipe::Fix, &acc_window(), acc_window_rules},
      {Acc, Vec, false, Pipe::Fix, &acc_window(), acc_window_rules},
      {Vec, Vec, true, Pipe::V, &vec_window(), vec_window_rules},
      {Vec, Mat, false, Pipe::Mte3, &vec_window(), vec_window_rules},
  };
  return paths;
}
std::span<const Path> insertions() {
  static const Path paths[] = {
      {Acc, Mat, true, Pipe::Fix, &acc_insert(), acc_insert_rules},
      {Acc, Vec, false, Pipe::Fix, &acc_insert(), acc_insert_rules},
      {Vec, Vec, true, Pipe::V, &vec_insert(), vec_insert_rules},
      {Vec, Mat, false, Pipe::Mte3, &vec_insert(), vec_insert_rules},
  };
  return paths;
}

// Null: it is emulated.
const char* why_not_emulated(const Path& path, const Bound& bound) {
  // Sums for the UB of another vector core, or for two.
  if (bound.attribute("accToVecMode") != 0) return "for this accToVecMode";
  return path.waits == nullptr ? nullptr : path.waits(bound);
}

template <std::span<const Path> (*paths)()>
const Machines* machines_on_path(const Bound& bound) {
  const Path* path = path_of(paths(), bound);
  return path == nullptr || why_not_emulated(*path, bound) != nullptr ? nullptr : path->machines;
}
template <std::span<const Path> (*paths)()>
bool waits_on_path(const Bound& bound) {
  return path_of(paths(), bound) != nullptr && machines_on_path<paths>(bound) == nullptr;
}
template <std::span<const Path> (*paths)()>
Pipe pipe_of_path(const Bound& bound) {
  const Path* path = path_of(paths(), bound);
  return path == nullptr ? Pipe::Mte1 : path->pipe;
}
void check_all_rules(RuleCheck& check, const Path& path) {
  path.rules(check);
  check_no_fixpipe(check);
}
bool breaks_a_rule(const Path& path, const Bound& bound) {
  Diagnostics told;
  RuleCheck check(bound, told);
  check_all_rules(check, path);
  return std::ranges::any_of(
      told, [](const Diagnostic& one) { return one.severity == Severity::Error && one.rule != "E-EMULATE"; });
}
void check_path(RuleCheck& check, std::span<const Path> paths, std::string_view rule) {
  const Bound& bound = check.bound();
  const TileLoc from = bound.tile("src").type.loc, to = bound.tile("dst").type.loc;
  const Path* path = path_of(paths, bound);
  if (path == nullptr) {
    check.error(rule, "dst", fmt::format("nothing moves from {} to {} here", name(from), name(to)),
                fmt::format("{} has {}", name(check.target()), paths_text(paths, check.target())));
    return check.about(FindingKind::Reach);
  }
  const char* why = why_not_emulated(*path, bound);
  // What breaks a rule as well is told of the rule.
  if (why != nullptr && !breaks_a_rule(*path, bound))
    return check.error("E-EMULATE", "src",
                       fmt::format("moves from {} to {} are not emulated yet {}", name(from), name(to), why));
  check_all_rules(check, *path);
}

// --- two windows of rows of UB, each into boxes of its own

struct WindowNames {
  const char *dst, *row, *col;
};
constexpr WindowNames kWindows[] = {{"dst", "row", "col"}, {"dst1", "row1", "col1"}};

Window window_of(const Bound& bound, const WindowNames& names) {
  const TileRef& dst = bound.tile(names.dst);
  return {.rows = dst.valid_rows,
          .cols = dst.valid_cols,
          .from_row = index_of(bound, names.row),
          .from_col = index_of(bound, names.col)};
}
void take_two(CubeMachine& m, const Bound& bound) {
  const TileRef& src = bound.tile("src");
  for (const WindowNames& names : kWindows) {
    const TileRef& dst = bound.tile(names.dst);
    m.ub_to_tile(in_bytes(dst), in_bytes(src), in_bytes(window_of(bound, names), dst.type));
  }
}
const Machines& two_windows() {
  static const Machines machines = cube_machines<take_two>();
  return machines;
}

DTypeSet types_of_two(Target target) {
  constexpr DTypeSet kOfBoth{DType::I8, DType::F16, DType::BF16, DType::F32, DType::I32};
  constexpr DTypeSet kOfA5 = DTypeSet{DType::HIF8, DType::F8E4M3, DType::F8E5M2, DType::E8M0} | kFloats4;
  return target == Target::A5 ? kOfBoth | kOfA5 : kOfBoth;
}

void check_one_of_two(RuleCheck& check, const WindowNames& names) {
  const TileRef &dst = check.tile(names.dst), &src = check.tile("src");
  check.need_same_type(check.own("R2"), "src", names.dst);
  if (dst.type.loc != Vec || dst.type.layout_name() != "nz" || dst.type.fractal != 512)
    return check.error(check.own("R7"), names.dst,
                       fmt::format("{} is {} {}", names.dst, name(dst.type.loc), dst.type.layout_name()),
                       "two windows go to nz tiles of vec, in boxes of 512 bytes");
  const Window window = window_of(check.bound(), names);
  if (std::uint64_t{window.from_row} + window.rows > src.rows() ||
      std::uint64_t{window.from_col} + window.cols > src.cols()) {
    check.error(check.own("R5"), "src",
                fmt::format("the window {}x{} at ({}, {}) leaves src {}x{}", window.rows, window.cols,
                            static_cast<std::int32_t>(window.from_row), static_cast<std::int32_t>(window.from_col),
                            src.rows(), src.cols()),
                "make the window smaller, or begin it earlier");
    check.about(FindingKind::Bounds);
  }
  if (is_packed(dst.type.dtype) && (window.from_col % 2 != 0 || window.cols % 2 != 0))
    check.error(check.own("R6"), names.dst,
                fmt::format("{} columns from column {} on; two {} share a byte", window.cols, window.from_col,
                            name(dst.type.dtype)),
                "make both even");
}

void two_windows_rules(RuleCheck& check) {
  const TileType& src = check.tile("src").type;
  const DTypeSet types = types_of_two(check.target());
  if (!types.contains(src.dtype))
    return check.error(check.own("R11"), "src", fmt::format("two windows of {} are not taken", name(src.dtype)),
                       fmt::format("it takes {}", types.list()));
  if (src.loc != Vec || !src.row_major())
    return check.error(check.own("R7"), "src", fmt::format("src is {} {}", name(src.loc), src.layout_name()),
                       "two windows are taken of a row_major tile of vec");
  for (const WindowNames& names : kWindows) check_one_of_two(check, names);
  if (check.bound().attribute("reluPreMode") != 0)
    check.error(check.own("R19"), "src", "relu is for sums on their way out of acc", "apply trelu to the tile");
  check.warn_overlap("dst1", "dst", false);
}

bool takes_two(const Bound& bound) { return bound.has("dst1"); }
const Machines* textract_machines(const Bound& bound) {
  return takes_two(bound) ? &two_windows() : machines_on_path<windows>(bound);
}
bool textract_waits(const Bound& bound) { return !takes_two(bound) && waits_on_path<windows>(bound); }
Pipe textract_pipe(const Bound& bound) { return takes_two(bound) ? Pipe::V : pipe_of_path<windows>(bound); }
std::vector<Station> textract_stations(const Bound& bound, const Memory& before, std::uint32_t row, std::uint32_t col) {
  return takes_two(bound) ? std::vector<Station>() : stations_of<extracted_window>(bound, before, row, col);
}

void textract_rules(RuleCheck& check) {
  if (takes_two(check.bound())) return two_windows_rules(check);
  check_path(check, windows(), check.own("R4"));
}
void tinsert_rules(RuleCheck& check) { check_path(check, insertions(), check.own("R4")); }

constexpr AttributeSpec kRelu{"reluPreMode", "no_relu|normal_relu"},
    kVectorCores{"accToVecMode", "single_mode_vec0|single_mode_vec1|dual_mode_split_m|dual_mode_split_n"};
constexpr OperandSpec kSrc = any_in("src"), kRow = scalar("row"), kCol = scalar("col"), kDst = any_out("dst");
constexpr OperandSpec kInto{.name = "dst", .role = Role::Out, .any_loc = true, .reads = true};

// The plain form, that with one factor and that with one for each column.
std::vector<FormRow> window_forms(const OperandSpec& dst, const char* plain, const char* scalar_call,
                                  const char* columns_call) {
  return {{"plain", {kSrc, kRow, kCol, dst}, plain},
          {"scalar", {kSrc, scalar("factor"), kRow, kCol, dst}, scalar_call},
          {"columns", {kSrc, any_in("fp"), kRow, kCol, dst}, columns_call}};
}

std::vector<FormRow> extractions() {
  std::vector<FormRow> forms = window_forms(kDst, "TEXTRACT(dst, src, indexRow, indexCol)",
                                            "TEXTRACT(dst, src, preQuantScalar, indexRow, indexCol)",
                                            "TEXTRACT_FP(dst, src, fp, indexRow, indexCol)");
  forms.push_back({"two windows",
                   {kSrc, kRow, kCol, scalar("row1"), scalar("col1"), kDst, any_out("dst1")},
                   "TEXTRACT(dst, dst1, src, row, col, row1, col1)"});
  return forms;
}

const InstructionRow textract{
    .name = "textract",
    .summary = "Copies the window of a tile that begins at a row and a column.",
    .forms = extractions(),
    .attributes = {kRelu, kVectorCores},
    .typed_by = "dst",
    .types = every_type,
    .pipe = Pipe::Mte1,
    .pipe_of = textract_pipe,
    .rules = textract_rules,
    .data_rules = fixpipe_data_rules<extracted_window>,
    .waits = textract_waits,
    .stations = textract_stations,
    .moves = true,
    .machines = operand_move(),
    .other_machines = textract_machines,
};
const InstructionRow tinsert{
    .name = "tinsert",
    .summary = "Writes a tile into the window of another one that begins at a row and a column.",
    .forms = window_forms(kInto, "TINSERT(dst, src, indexRow, indexCol)",
                          "TINSERT(dst, src, preQuantScalar, indexRow, indexCol)",
                          "TINSERT_FP(dst, src, fp, indexRow, indexCol)"),
    .attributes = {kRelu, kVectorCores},
    .typed_by = "dst",
    .types = every_type,
    .pipe = Pipe::Mte3,
    .pipe_of = pipe_of_path<insertions>,
    .rules = tinsert_rules,
    .data_rules = fixpipe_data_rules<inserted_window>,
    .waits = waits_on_path<insertions>,
    .stations = stations_of<inserted_window>,
    .moves = true,
    .machines = vec_insert(),
    .other_machines = machines_on_path<insertions>,
};
const Registered registered[] = {Registered(textract), Registered(tinsert)};

}  // namespace

// Within UB only A5 has a way of its own, into boxes.
bool moves_on_cube(const Bound& bound) {
  const TileRef &dst = bound.tile("dst"), &src = bound.tile("src");
  if (src.type.loc != Vec || dst.type.loc != Vec) return true;
  return bound.target == Target::A5 && dst.type.boxed();
}
const Machines* tmov_on_cube(const Bound& bound) {
  return moves_on_cube(bound) ? machines_on_path<moves>(bound) : nullptr;
}
bool tmov_on_cube_waits(const Bound& bound) { return moves_on_cube(bound) && waits_on_path<moves>(bound); }
Pipe tmov_pipe(const Bound& bound) { return moves_on_cube(bound) ? pipe_of_path<moves>(bound) : Pipe::V; }
void tmov_on_cube_rules(RuleCheck& check) { check_path(check, moves(), check.own("R10")); }

}  // namespace ts
