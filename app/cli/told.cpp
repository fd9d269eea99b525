// Folding of messages.
#include "app/cli/told.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/cpp/live/listing.h"
#include "core/data/file.h"
#include "core/text/render.h"

namespace ts {
namespace {

constexpr std::size_t kMostMessages = 20;
constexpr std::size_t kMostFindings = 40;
constexpr std::size_t kMostLines = 8;  // of places listed behind a note

// The first message of a fold, and how many more there were.
struct Fold {
  const Diagnostic* first = nullptr;
  std::uint32_t first_step = 0, last_step = 0;
  std::size_t more = 0;
};

class Folds {
 public:
  void add(const Diagnostic& diagnostic, std::uint32_t step) {
    const auto [it, made] = index_.try_emplace(message_key(diagnostic), folds_.size());
    if (made) folds_.push_back({&diagnostic, step, step, 0});
    Fold& fold = folds_[it->second];
    fold.last_step = step;
    fold.more += made ? 0 : 1;
  }
  const std::vector<Fold>& all() const { return folds_; }

 private:
  std::map<MessageKey, std::size_t> index_;
  std::vector<Fold> folds_;
};

const char* plural(std::size_t count) { return count == 1 ? "" : "s"; }

// The errors, or the warnings, of a list.
void print_severity(const Diagnostics& diagnostics, Severity severity, const text::Source& source) {
  Folds folds;
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == severity) folds.add(diagnostic, 0);
  for (std::size_t i = 0; i < std::min(folds.all().size(), kMostMessages); ++i) {
    const Fold& fold = folds.all()[i];
    fmt::print(stderr, "{}", text::render(*fold.first, source));
    if (fold.more != 0) fmt::print(stderr, "  and {} time{} more at this place\n", fold.more, plural(fold.more));
  }
  if (folds.all().size() > kMostMessages) {
    const std::size_t more = folds.all().size() - kMostMessages;
    fmt::print(stderr, "{}: and {} {}{} more\n", source.name(), more, name(severity), plural(more));
  }
}

// Of each rule the first note in full, and where the others are.
void print_notes(const Diagnostics& diagnostics, const text::Source& source) {
  std::map<std::string, std::vector<const Diagnostic*>> by_rule;
  for (const Diagnostic& diagnostic : diagnostics)
    if (diagnostic.severity == Severity::Note) by_rule[diagnostic.rule].push_back(&diagnostic);
  for (const auto& [rule, notes] : by_rule) {
    fmt::print(stderr, "{}", text::render(*notes.front(), source));
    std::set<std::uint32_t> lines;
    for (const Diagnostic* note : notes) lines.insert(note->pos.line);
    lines.erase(notes.front()->pos.line);
    if (lines.empty()) continue;
    const auto shown_end = std::next(lines.begin(), static_cast<std::ptrdiff_t>(std::min(lines.size(), kMostLines)));
    fmt::print(stderr, "  the same in line{} {}", plural(lines.size()), fmt::join(lines.begin(), shown_end, ", "));
    fmt::print(stderr, "{}\n", lines.size() > kMostLines ? fmt::format(" and {} more", lines.size() - kMostLines) : "");
  }
}

// At the line of the source that a kernel was compiled from, where the text is a list of the calls it made.
std::string rendered(const Diagnostic& diagnostic, const text::Source& source) {
  if (!cpp::is_listing_name(source.name())) return text::render(diagnostic, source);
  Diagnostic there = diagnostic;
  const auto place = cpp::place_of_call(source, diagnostic.pos.line);
  there.pos = place ? SourcePos{place->line, place->column} : SourcePos{};
  there.span = 0;
  for (DiagnosticNote& note : there.notes) {
    const auto its = cpp::place_of_call(source, note.pos.line);
    note.pos = its ? SourcePos{its->line, its->column} : SourcePos{};
  }
  constexpr std::uint64_t kMostSource = std::uint64_t{64} << 20;
  std::string text;
  if (place)
    if (auto read = data::read_file(place->file, kMostSource); auto* bytes = std::get_if<std::vector<std::byte>>(&read))
      text.assign(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  return text::render(there,
                      text::Source(place ? place->file : cpp::source_of_listing(source.name()), std::move(text)));
}

void print_fold(std::FILE* out, const Fold& fold, const text::Source& source, bool told) {
  const Diagnostic& diagnostic = *fold.first;
  if (told) {
    fmt::print(out, "\nstep {}: {} [{}] of line {}, told above\n", fold.first_step, name(diagnostic.severity),
               diagnostic.rule, diagnostic.pos.line);
  } else {
    fmt::print(out, "\nstep {}:\n{}", fold.first_step, rendered(diagnostic, source));
  }
  if (fold.more + 1 >= Recording::kMostFindingsAPlace)
    fmt::print(out, "  and {} times more up to step {}; what came after was not kept\n", fold.more, fold.last_step);
  else if (fold.more != 0)
    fmt::print(out, "  and {} time{} more, the last at step {}\n", fold.more, plural(fold.more), fold.last_step);
}

}  // namespace

MessageKey message_key(const Diagnostic& diagnostic) {
  const bool by_place = diagnostic.severity != Severity::Error && diagnostic.pos.line != 0;
  return {diagnostic.rule, by_place ? "" : diagnostic.text, diagnostic.pos.line, diagnostic.pos.column};
}

void print_diagnostics(const Diagnostics& diagnostics, const text::Source& source) {
  print_severity(diagnostics, Severity::Error, source);
  print_severity(diagnostics, Severity::Warning, source);
  print_notes(diagnostics, source);
}

void print_findings(std::FILE* out, const std::vector<Finding>& findings, const text::Source& source,
                    const Diagnostics& told) {
  std::set<MessageKey> known;
  for (const Diagnostic& diagnostic : told) known.insert(message_key(diagnostic));
  Folds folds;
  for (const Finding& finding : findings) folds.add(finding.diagnostic, finding.step);
  // An error ends the run and is last; it must not be the one that is left out.
  const std::size_t count = folds.all().size(), skipped = count > kMostFindings ? count - kMostFindings : 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i + 1 < count && i + 1 >= kMostFindings) continue;
    if (i + 1 == count && skipped != 0) fmt::print(out, "\nand {} finding{} more\n", skipped, plural(skipped));
    print_fold(out, folds.all()[i], source, known.contains(message_key(*folds.all()[i].first)));
  }
}

}  // namespace ts
