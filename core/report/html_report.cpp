// The page, from its head to its foot. What comes from a program's text goes through html_text, without exception.
#include "core/report/html_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/debug/elements/cell_text.h"
#include "core/debug/elements/element_facts.h"
#include "core/debug/elements/elements.h"
#include "core/debug/elements/statistics.h"
#include "core/debug/origins/slice_text.h"
#include "core/debug/origins/source_text.h"
#include "core/record/operand_place.h"
#include "core/report/escape.h"
#include "core/report/flow_drawing.h"
#include "core/report/page_style.h"
#include "core/report/page_text.h"
#include "core/report/report_subject.h"
#include "core/report/reproduce.h"
#include "core/text/highlight.h"
#include "version.h"

namespace ts {
namespace {

// A page stays readable, and its file small, whatever the program is like.
constexpr std::size_t kMostSources = 40, kMostFindings = 20, kMostSliceLines = 40, kMostMicroSteps = 24;
constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 22;  // elements of a result
constexpr std::uint32_t kMostDigested = 20'000;                 // steps: more would take as long again as the run

std::string row_of(std::string_view head, std::string_view value) {
  return fmt::format("<tr><th>{}</th><td class=\"v\">{}</td></tr>\n", html_text(head), html_text(value));
}

class Page {
 public:
  Page(Session& session, const HtmlReportRequest& request, const ReportSubject& subject)
      : session_(session),
        request_(request),
        subject_(subject),
        recording_(session.recording()),
        program_(recording_.program()) {
    if (subject.made) bound_ = &recording_.bound(subject.step);
    find_instruction();
  }

  std::string make() {
    flow_ = draw_flow(session_, subject_);
    head();
    findings();
    source();
    if (bound_ != nullptr) {
      operands();
      drawing();
      element();
      provenance();
      statistics();
      micro_steps();
    } else {
      found_bytes();
    }
    reproduce();
    program_text();
    foot();
    return std::move(out_);
  }

 private:
  // Of the step; of one that could not be made the one that its finding stands at.
  void find_instruction() {
    if (bound_ != nullptr) {
      instruction_ = recording_.step(subject_.step).instruction;
    } else if (subject_.finding) {
      const SourcePos pos = session_.findings()[*subject_.finding].diagnostic.pos;
      for (std::size_t i = 0; i < program_.instructions.size() && !instruction_; ++i)
        if (pos.line != 0 && program_.instructions[i].pos.line == pos.line) instruction_ = i;
    }
  }
  void add(std::string_view text) { out_ += text; }
  void heading(std::string_view text) { out_ += fmt::format("<h2>{}</h2>\n", html_text(text)); }
  const Operand& operand(int index) const { return bound_->operands[static_cast<std::size_t>(index)]; }
  std::string element_name(const StepElement& element) const {
    return fmt::format("{}[{},{}]", program_.operand_name(operand(element.operand)), element.row, element.col);
  }

  // --- head ---
  void head() {
    const std::string op = bound_ != nullptr ? bound_->row->name : "end of the run";
    const std::string title = fmt::format("{}: step {}, {}", program_.name, subject_.step, op);
    out_ += fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
        "<meta name=\"generator\" content=\"TileScope {}\" />\n<title>{}</title>\n<style>{}</style>\n"
        "</head>\n<body>\n<h1>{}</h1>\n",
        kVersion, html_text(title), page_style(), html_text(title));
    if (bound_ != nullptr) out_ += fmt::format("<p class=\"quiet\">{}</p>\n", html_text(bound_->row->summary));
    add("<ul class=\"chips\">\n");
    chip(fmt::format("target {}", name(program_.target)));
    if (bound_ == nullptr) {
      chip(fmt::format("after {} steps: {}", recording_.count(), name(recording_.stop_reason())));
    } else {
      chip(fmt::format("step {} of 0 to {}", subject_.step, recording_.count() - 1));
      chip(session_.line_text(subject_.step));
      chip(bound_->pipe == Pipe::None ? "no pipe" : fmt::format("pipe {}", name(bound_->pipe)));
      if (program_.blocks > 1)
        chip(fmt::format("block {} of {}", recording_.step(subject_.step).block, program_.blocks));
      for (const LoopTurn& turn : recording_.loops(subject_.step))
        if (!turn.is_region())
          chip(fmt::format("{} = {} (turn {})",
                           program_.tree != nullptr ? text::loop_title(*program_.tree, turn.pos) : "loop",
                           turn.variable, turn.turn));
    }
    for (const Edit& edit : recording_.edits())
      chip(fmt::format("{} bytes changed by hand at position {}: {}", edit.bytes.size(), edit.position,
                       place_text(edit.place())));
    add("</ul>\n");
  }
  void chip(std::string_view text) { out_ += fmt::format("<li>{}</li>\n", html_text(text)); }

  // --- what was found ---
  void findings() {
    const std::vector<Finding>& all = session_.findings();
    if (subject_.finding) finding(all[*subject_.finding]);
    const std::span<const Finding> here = session_.findings_of(subject_.step);
    std::size_t told = 0;
    for (const Finding& one : here) {
      if (subject_.finding && &one == &all[*subject_.finding]) continue;
      if (told++ < kMostFindings) finding(one);
    }
    if (told > kMostFindings)
      out_ += fmt::format("<p class=\"quiet\">And {} more in this step.</p>\n", told - kMostFindings);
  }
  void finding(const Finding& one) {
    const Diagnostic& d = one.diagnostic;
    out_ += fmt::format("<section class=\"found {}\">\n<p><span class=\"rule\">{}</span> {} ({}) <b>{}</b></p>\n",
                        name(d.severity), html_text(d.rule), name(d.severity), name(d.kind), html_text(d.text));
    if (!d.operand.empty() || one.element) out_ += fmt::format("<p>It is about {}.</p>\n", html_text(about(one)));
    if (!d.expected.empty()) out_ += fmt::format("<p>Expected: {}</p>\n", html_text(d.expected));
    if (!d.hint.empty()) out_ += fmt::format("<p>Hint: {}</p>\n", html_text(d.hint));
    for (const DiagnosticNote& note : d.notes)
      out_ += fmt::format("<p class=\"quiet\">Line {}: {}</p>\n", note.pos.line, html_text(note.text));
    add("</section>\n");
  }
  std::string about(const Finding& one) const {
    std::string text = one.diagnostic.operand.empty() ? "the instruction" : "the operand " + one.diagnostic.operand;
    if (!one.element) return text;
    if (bound_ != nullptr && one.element->operand >= 0 &&
        static_cast<std::size_t>(one.element->operand) < bound_->operands.size())
      text = fmt::format("{}[{},{}]", program_.operand_name(operand(one.element->operand)), one.element->row,
                         one.element->col);
    if (one.element->place.size != 0) text += " at " + place_text(one.element->place);
    return text;
  }

  // --- the line in the program's text ---
  const Diagnostic* found() const {
    return subject_.finding ? &session_.findings()[*subject_.finding].diagnostic : nullptr;
  }
  void source() {
    if (program_.tree == nullptr) return;
    const text::Source& text = *program_.tree->source;
    const SourcePos pos = bound_ != nullptr ? bound_->pos : found() != nullptr ? found()->pos : SourcePos{};
    if (pos.line == 0 || pos.line > text.lines()) return;
    heading(fmt::format("{}, line {}", text.name(), pos.line));
    add(source_around(program_, pos.line, instruction_, found()));
    if (bound_ != nullptr && !bound_->operands.empty()) operand_key();
  }
  void operand_key() {
    std::size_t values = 0;
    add("<p>");
    for (const Operand& one : bound_->operands) {
      if (one.spec->kind == OperandKind::Scalar && one.spec->role == Role::Address) continue;
      const std::string style = role_style(one.spec->role, values);
      out_ +=
          fmt::format("<span class=\"key f-{}\">{}</span> <code>{}</code> ", style, html_text(one.spec->name),
                      html_text(one.spec->kind == OperandKind::Scalar ? format_value(one.scalar.dtype, one.scalar.bits)
                                                                      : program_.operand_name(one)));
    }
    add("</p>\n");
  }

  // --- operands ---
  void operands() {
    heading("Operands");
    if (bound_->operands.empty()) {
      std::string words;
      for (std::size_t i = 0; i < bound_->attributes.size(); ++i)
        words += fmt::format("{}{} = {}", i == 0 ? "" : ", ", bound_->row->attributes[i].name,
                             value_name(bound_->row->attributes[i].values, bound_->attributes[i]));
      out_ +=
          fmt::format("<p>None: the step only orders others{}.</p>\n", words.empty() ? "" : "; " + html_text(words));
      return;
    }
    add("<table>\n<tr><th>operand</th><th>name</th><th>type</th><th>layout</th><th>size</th>"
        "<th>valid, or strides</th><th>bytes</th></tr>\n");
    for (const Operand& one : bound_->operands) operand_row(one);
    add("</table>\n");
    for (std::size_t i = 0; i < bound_->attributes.size(); ++i)
      out_ += fmt::format("<p>{} = {}</p>\n", bound_->row->attributes[i].name,
                          value_name(bound_->row->attributes[i].values, bound_->attributes[i]));
    if (bound_->row->mask_rule != nullptr)
      out_ += fmt::format("<p>Mask: {}</p>\n", html_text(bound_->row->mask_rule(*bound_)));
  }
  void operand_row(const Operand& one) {
    std::vector<std::string> cells{fmt::format("{} ({})", one.spec->name, name(one.spec->role)),
                                   program_.operand_name(one)};
    switch (one.spec->kind) {
      case OperandKind::Scalar: {
        const ElementFormat& format = element_format(one.scalar.dtype);
        cells[1] = fmt::format("{} ({})", short_text(format, one.scalar.bits), hex_text(format, one.scalar.bits));
        cells.insert(cells.end(), {format.name, "a number", "", "", ""});
        break;
      }
      case OperandKind::Global:
        cells.insert(cells.end(), {name(one.global.dtype), fmt::format("{} view", name(one.global.layout)),
                                   fmt::format("{}", fmt::join(one.global.shape, "x")),
                                   fmt::format("{}", fmt::join(one.global.stride, ", ")),
                                   fmt::format("from 0x{:x}, in {}", one.global.address, place_text(bytes_of(one)))});
        break;
      case OperandKind::Tile: {
        const TileRef& tile = one.tile;
        cells.insert(cells.end(), {fmt::format("{} {}", name(tile.type.loc), name(tile.type.dtype)),
                                   tile.type.layout_name(), fmt::format("{}x{}", tile.rows(), tile.cols()),
                                   fmt::format("{}x{}", tile.valid_rows, tile.valid_cols), place_text(tile.range())});
        if (one.implicit) cells[1] += " (scratch that the text does not name)";
        break;
      }
    }
    add("<tr>");
    for (const std::string& cell : cells) out_ += fmt::format("<td class=\"v\">{}</td>", html_text(cell));
    add("</tr>\n");
  }

  // --- where the element came from ---
  void drawing() {
    heading(subject_.explained ? fmt::format("Where {} came from", element_name(*subject_.explained)) : "What it does");
    if (flow_.svg.empty()) {
      add("<p>No byte moves in this step.</p>\n");
      return;
    }
    add(flow_.svg);
    add(legend_of(flow_.signs));
    if (!subject_.explained) return;
    if (!flow_.wrote) {
      out_ += fmt::format("<p>The step did not write {}: it keeps what it held.</p>\n",
                          html_text(element_name(*subject_.explained)));
      return;
    }
    add("<ul>\n");
    for (std::size_t i = 0; i < std::min(flow_.sources.size(), kMostSources); ++i)
      out_ += fmt::format("<li><code>{}</code></li>\n", html_text(source_text(recording_, *bound_, flow_.sources[i])));
    if (flow_.sources.empty()) add("<li>A constant of the instruction.</li>\n");
    if (flow_.sources.size() > kMostSources)
      out_ += fmt::format("<li>and {} more</li>\n", flow_.sources.size() - kMostSources);
    add("</ul>\n");
  }

  // --- the element, to its last bit ---
  struct Held {
    std::uint64_t bits = 0;
    Definedness worth = Definedness::Written;
  };
  Held held(std::uint32_t position, const ByteRange& place) {
    const Memory& memory = session_.memory_at(position);
    return {memory.element(place), memory.worst_definedness(memory.map().flat(place), place.size)};
  }
  void element() {
    if (subject_.explained) element_table(*subject_.explained);
    if (subject_.pointed) element_table(*subject_.pointed);
  }
  void element_table(const StepElement& element) {
    const Operand& what = operand(element.operand);
    const ElementFormat& format = element_format(element_type(what));
    const ByteRange place = place_of(program_, *bound_, element);
    const Held before = held(subject_.step, place), after = held(subject_.step + 1, place);
    heading(fmt::format("{}, exactly", element_name(element)));
    add("<table>\n<tr><th></th><th>before the step</th><th>after it</th></tr>\n");
    const auto row = [&](const char* head, auto text) {
      out_ += fmt::format("<tr><th>{}</th><td class=\"v\">{}</td><td class=\"v\">{}</td></tr>\n", head,
                          html_text(text(before)), html_text(text(after)));
    };
    const auto value = [&](const Held& one) {
      return one.worth == Definedness::Never ? std::string("··")
                                             : cell_text(format, one.bits, one.worth, NumberStyle::Decimal);
    };
    row("value", value);
    row("all digits", [&](const Held& one) {
      return one.worth == Definedness::Never ? std::string("··") : exact_text(format, one.bits);
    });
    row("bits", [&](const Held& one) { return hex_text(format, one.bits) + "\n" + bit_text(format, one.bits); });
    row("what it is", [&](const Held& one) {
      const std::string worth = worth_words(one.worth);
      return one.worth == Definedness::Never ? worth : class_words(format, one.bits) + "\n" + worth;
    });
    out_ += fmt::format("<tr><th>address</th><td class=\"v\" colspan=\"2\">{}</td></tr>\n</table>\n",
                        html_text(fmt::format("{}: {}", name(place.space), address(what, element))));
  }
  std::string address(const Operand& what, const StepElement& element) const {
    if (what.spec->kind == OperandKind::Tile) return address_formula(what.tile, element.row, element.col);
    const BufferDecl& buffer = program_.buffers[what.id];
    return address_formula(buffer.address, shape_of(buffer).cols, buffer.dtype, element.row, element.col);
  }

  // --- further back ---
  void provenance() {
    if (!subject_.explained || machines_for(*bound_).run == nullptr) return;
    const StepElement& element = *subject_.explained;
    const Pointed what{place_of(program_, *bound_, element), plain_name(program_, operand(element.operand)),
                       element.row, element.col};
    tree_of(what, subject_.step + 1);
  }
  void tree_of(const Pointed& what, std::uint32_t position) {
    constexpr std::uint32_t kDepth = 5, kNodes = 60;
    Slice slice = session_.flow().slice(what, position, {.depth = kDepth, .nodes = kNodes, .go_on = session_.go_on});
    for (SliceNode& node : slice.nodes)
      if (node.name.starts_with('%')) node.name.erase(0, 1);
    heading("Back to where it began");
    out_ += fmt::format("<pre>{}</pre>\n", html_text(slice_text(session_, slice, kMostSliceLines)));
  }

  // What ended the program: the bytes as they stood then.
  void found_bytes() {
    if (!subject_.finding) return;
    const Finding& found = session_.findings()[*subject_.finding];
    if (!found.element || found.element->place.size == 0 || found.element->place.size > 8) return;
    const Held now = held(subject_.step, found.element->place);
    add("<table>\n");
    add(row_of("bytes", place_text(found.element->place)));
    add(row_of("bits", fmt::format("0x{:0{}x}", now.bits, 2 * found.element->place.size)));
    add(row_of("what they are", worth_words(now.worth)));
    add("</table>\n");
    tree_of({found.element->place, found.diagnostic.operand, found.element->row, found.element->col}, subject_.step);
  }

  // --- the result as a whole ---
  void statistics() {
    if (!subject_.explained) return;
    const Operand& what = operand(subject_.explained->operand);
    const auto [rows, cols] = shape_of_operand(program_, what);
    heading(fmt::format("{} as a whole, after the step", program_.operand_name(what)));
    if (std::uint64_t{rows} * cols > kMostCounted) {
      out_ += fmt::format("<p>{} elements are too many to be counted here.</p>\n", std::uint64_t{rows} * cols);
      return;
    }
    const Memory& memory = session_.memory_at(subject_.step + 1);
    const bool is_tile = what.spec->kind == OperandKind::Tile;
    const Elements elements = is_tile ? elements_of(memory, what.tile) : elements_of(memory, program_.buffers[what.id]);
    const Statistics s = statistics_of(elements, Region::Valid);
    const auto number_text = [&](const std::optional<std::uint64_t>& bits) {
      return bits ? fmt::format("{} ({})", short_text(*elements.format, *bits), hex_text(*elements.format, *bits))
                  : std::string("none");
    };
    add("<table>\n");
    add(row_of("elements", is_tile ? fmt::format("{} in the valid region of {}x{}", s.count, elements.valid_rows,
                                                 elements.valid_cols)
                                   : fmt::format("{} in the buffer", s.count)));
    add(row_of("least", number_text(s.min_bits)));
    add(row_of("greatest", number_text(s.max_bits)));
    if (s.finite != 0) add(row_of("mean", fmt::format("{}", s.mean)));
    add(row_of("zero", fmt::format("{}", s.zero)));
    if (elements.format->is_float())
      add(row_of("NaN, infinite, denormal", fmt::format("{}, {}, {}", s.nan, s.inf, s.denormal)));
    add(row_of("never written or unspecified", fmt::format("{}", s.undefined)));
    add("</table>\n");
  }

  void micro_steps() {
    if (machines_for(*bound_).run == nullptr) return;
    const Trace& trace = session_.trace(subject_.step);
    if (trace.steps.empty()) return;
    const std::size_t shown = std::min(trace.steps.size(), kMostMicroSteps);
    out_ += fmt::format("<details>\n<summary>{} micro-operations</summary>\n<pre>", trace.steps.size());
    for (std::size_t i = 0; i < shown; ++i) out_ += html_text(trace.describe(trace.steps[i])) + "\n";
    if (shown < trace.steps.size()) out_ += fmt::format("and {} more\n", trace.steps.size() - shown);
    add("</pre>\n</details>\n");
  }

  // --- again, elsewhere ---
  void reproduce() {
    const RunOrigin& launch = request_.launch;
    heading("How to get here");
    out_ += fmt::format(
        "<p>On a command line:</p>\n<pre>{}</pre>\n<p>As a script, for <code>tilescope "
        "script</code>:</p>\n<pre>{}</pre>\n",
        html_text(command_line(session_, subject_, launch)), html_text(lua_lines(session_, subject_, launch)));
    std::string given;
    for (const GivenInput& input : launch.inputs)
      if (input.kind == GivenInput::Kind::MadeUp) given += row_of(input.name, input.value);
    if (!given.empty()) out_ += "<p>Inputs:</p>\n<table>\n" + given + "</table>\n";
    if (launch.seed) out_ += fmt::format("<p>What is not given is made up from seed {}.</p>\n", *launch.seed);
    else
      add("<p>What the inputs were is not known here: the lines above run on data that is made up, unless they name "
          "it.</p>\n");
  }

  void program_text() {
    if (program_.tree != nullptr) add(whole_source(program_, bound_ != nullptr ? bound_->pos.line : 0));
  }

  void foot() {
    std::string digest = "none: the recording is too long to run it again for that";
    if (recording_.count() <= kMostDigested) digest = recording_.digest();
    out_ += fmt::format(
        "<footer>\n<p>Written by TileScope {}; digest of the run: <code>{}</code>.</p>\n"
        "<p>The values are those of an emulator. Facts of the instruction set that no public source proves can be "
        "wrong.</p>\n</footer>\n</body>\n</html>\n",
        kVersion, digest);
  }

  Session& session_;
  const HtmlReportRequest& request_;
  const ReportSubject& subject_;
  const Recording& recording_;
  const Program& program_;
  const Bound* bound_ = nullptr;
  std::optional<std::size_t> instruction_;
  FlowDrawing flow_;
  std::string out_;
};

}  // namespace

std::variant<std::string, Refusal> html_report(Session& session, const HtmlReportRequest& request) {
  const auto subject = find_report_subject(session, request);
  if (const auto* refusal = std::get_if<Refusal>(&subject)) return *refusal;
  return Page(session, request, std::get<ReportSubject>(subject)).make();
}

data::Error write_html_report(Session& session, const HtmlReportRequest& request, const std::string& path,
                              const data::WriteRules& rules) {
  const auto page = html_report(session, request);
  if (const auto* refusal = std::get_if<Refusal>(&page)) return {refusal->text, refusal->hint};
  data::FileWriter file(path, rules);
  file.write(std::get<std::string>(page));
  return file.finish();
}

}  // namespace ts
