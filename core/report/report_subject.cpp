// Finding the step and the element.
#include "core/report/report_subject.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/debug/elements/elements.h"
#include "core/record/operand_place.h"

namespace ts {
namespace {

bool is_result(const Operand& operand) {
  return operand.spec->role == Role::Out && operand.spec->kind != OperandKind::Scalar;
}

class SubjectFinder {
 public:
  SubjectFinder(Session& session, const HtmlReportRequest& request)
      : session_(session), request_(request), program_(session.recording().program()) {}

  std::variant<ReportSubject, Refusal> run() {
    if (const auto refusal = find_step()) return *refusal;
    if (!subject_.made) return subject_;
    bound_ = &session_.recording().bound(subject_.step);
    std::optional<StepElement> asked;
    if (!request_.tile.empty()) {
      if (const auto refusal = find_element(asked)) return *refusal;
    } else if (subject_.finding) {
      asked = found_element();
    }
    if (asked && is_result(operand(asked->operand))) {
      subject_.explained = asked;
      return subject_;
    }
    subject_.pointed = asked;
    if (asked) subject_.explained = reached_by(*asked);
    if (!subject_.explained) subject_.explained = first_element();
    return subject_;
  }

 private:
  const Operand& operand(int index) const { return bound_->operands[static_cast<std::size_t>(index)]; }

  std::optional<Refusal> find_step() {
    const std::uint32_t count = session_.count();
    const std::vector<Finding>& findings = session_.findings();
    subject_.finding = request_.finding;
    if (subject_.finding && *subject_.finding >= findings.size())
      return Refusal{fmt::format("there is no finding {}", *subject_.finding),
                     findings.empty() ? "nothing was found" : fmt::format("they are 0 to {}", findings.size() - 1)};
    const std::uint32_t here = count == 0 ? 0 : std::min(session_.moment().position, count - 1);
    subject_.step = subject_.finding ? findings[*subject_.finding].step : request_.step.value_or(here);
    subject_.made = subject_.step < count;
    if (!subject_.made && !subject_.finding)
      return Refusal{fmt::format("there is no step {}", subject_.step),
                     count == 0 ? "the program has none" : fmt::format("they are 0 to {}", count - 1)};
    return {};
  }

  std::optional<Refusal> find_element(std::optional<StepElement>& out) const {
    std::string names;
    int found = -1;
    for (std::size_t i = 0; i < bound_->operands.size(); ++i) {
      const Operand& one = bound_->operands[i];
      if (one.spec->kind == OperandKind::Scalar) continue;
      const std::string name = plain_name(program_, one);
      names += (names.empty() ? "" : ", ") + name;
      // Of a tile that is read and written the result is meant.
      if (name == request_.tile && (found < 0 || is_result(one))) found = static_cast<int>(i);
    }
    if (found < 0)
      return Refusal{fmt::format("step {} has no tile or buffer {}", subject_.step, request_.tile),
                     names.empty() ? "it has none at all" : "it has " + names};
    const auto [rows, cols] = shape_of_operand(program_, operand(found));
    if (request_.row >= rows || request_.col >= cols)
      return Refusal{
          fmt::format("{}[{},{}]: {} is {}x{}", request_.tile, request_.row, request_.col, request_.tile, rows, cols),
          "rows and columns count from 0"};
    out = StepElement{found, request_.row, request_.col};
    return {};
  }

  std::optional<StepElement> found_element() const {
    const std::optional<FoundElement>& found = session_.findings()[*subject_.finding].element;
    if (!found || found->operand < 0 || static_cast<std::size_t>(found->operand) >= bound_->operands.size()) return {};
    const StepElement element = in_shape(program_, *bound_, found->operand, found->row, found->col);
    const auto [rows, cols] = shape_of_operand(program_, operand(found->operand));
    return element.row < rows && element.col < cols ? std::optional(element) : std::nullopt;
  }

  std::optional<StepElement> reached_by(const StepElement& input) {
    if (machines_for(*bound_).run == nullptr) return {};
    const ByteRange place = place_of(program_, *bound_, input);
    if (place.size == 0) return {};
    const Flow flow = session_.flow_of(subject_.step);
    for (const Flow::Reached& reached : flow.reached_by(place))
      if (reached.operand >= 0 && is_result(operand(reached.operand)))
        return in_shape(program_, *bound_, reached.operand, reached.row, reached.col);
    return {};
  }

  std::optional<StepElement> first_element() const {
    for (std::size_t i = 0; i < bound_->operands.size(); ++i) {
      const Operand& one = bound_->operands[i];
      const auto [rows, cols] = shape_of_operand(program_, one);
      if (!is_result(one) || rows == 0 || cols == 0) continue;
      const int index = static_cast<int>(i);
      if (one.spec->kind == OperandKind::Tile) return StepElement{index, 0, 0};
      return in_shape(program_, *bound_, index, 0, element_of(one, one.global.address).col);
    }
    return {};
  }

  Session& session_;
  const HtmlReportRequest& request_;
  const Program& program_;
  const Bound* bound_ = nullptr;
  ReportSubject subject_;
};

}  // namespace

std::variant<ReportSubject, Refusal> find_report_subject(Session& session, const HtmlReportRequest& request) {
  return SubjectFinder(session, request).run();
}

std::string plain_name(const Program& program, const Operand& operand) {
  std::string name = program.operand_name(operand);
  if (name.starts_with('%')) name.erase(0, 1);
  return name;
}

}  // namespace ts
