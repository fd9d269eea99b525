// What moves between memories, by the memories: the part of TMOV that is the cube core's, TEXTRACT and TINSERT.
// TEXTRACT: dst[i][j] = src[row + i][col + j]. TINSERT: dst[row + i][col + j] = src[i][j].
#include <fmt/format.h>

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
void check_path(RuleCheck& check, std::span<const Path> paths, std::string_view rule) {
  const Bound& bound = check.bound();
  const TileLoc from = bound.tile("src").type.loc, to = bound.tile("dst").type.loc;
  const Path* path = path_of(paths, bound);
  if (path == nullptr) {
    check.error(rule, "dst", fmt::format("nothing moves from {} to {} here", name(from), name(to)),
                fmt::format("{} has {}", name(check.target()), paths_text(paths, check.target())));
    return check.about(FindingKind::Reach);
  }
  if (const char* why = why_not_emulated(*path, bound))
    return check.error("E-EMULATE", "src",
                       fmt::format("moves from {} to {} are not emulated yet {}", name(from), name(to), why));
  path->rules(check);
  check_no_fixpipe(check);
}

void textract_rules(RuleCheck& check) { check_path(check, windows(), check.own("R4")); }
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

const InstructionRow textract{
    .name = "textract",
    .summary = "Copies the window of a tile that begins at a row and a column.",
    .forms = window_forms(kDst, "TEXTRACT(dst, src, indexRow, indexCol)",
                          "TEXTRACT(dst, src, preQuantScalar, indexRow, indexCol)",
                          "TEXTRACT_FP(dst, src, fp, indexRow, indexCol)"),
    .attributes = {kRelu, kVectorCores},
    .typed_by = "dst",
    .types = every_type,
    .pipe = Pipe::Mte1,
    .pipe_of = pipe_of_path<windows>,
    .rules = textract_rules,
    .data_rules = fixpipe_data_rules<extracted_window>,
    .waits = waits_on_path<windows>,
    .stations = stations_of<extracted_window>,
    .moves = true,
    .machines = operand_move(),
    .other_machines = machines_on_path<windows>,
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
