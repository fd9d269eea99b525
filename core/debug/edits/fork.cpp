// Running again.
#include "core/debug/edits/fork.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/debug/edits/edit_text.h"

namespace ts {

std::variant<std::shared_ptr<const Recording>, Refusal> fork_recording(const Recording& from, std::vector<Edit> edits,
                                                                       std::vector<NumberEdit> numbers,
                                                                       std::function<bool(std::uint64_t)> go_on,
                                                                       std::optional<ForkBounds> bounds) {
  RecordOptions options = from.options();
  if (bounds) {
    options.budget_bytes = bounds->budget_bytes;
    options.most_bytes = bounds->most_bytes;
  }
  for (Edit& edit : edits) {
    const std::uint32_t size = from.map().size(edit.space);
    if (edit.position > from.count())
      return Refusal{fmt::format("there is no position {}", edit.position),
                     fmt::format("they are 0 to {}", from.count())};
    if (edit.address > size || edit.bytes.size() > size - edit.address)
      return Refusal{fmt::format("{} has {} bytes; 0x{:x} and {} more are beyond", name(edit.space), size, edit.address,
                                 edit.bytes.size()),
                     "edit bytes of a tile or buffer"};
    options.edits.push_back(std::move(edit));
  }
  options.number_edits.insert(options.number_edits.end(), numbers.begin(), numbers.end());
  options.limits.go_on = std::move(go_on);
  return std::shared_ptr<const Recording>(Recording::run(from.program(), options));
}

std::variant<Forked, Refusal> fork_by_text(std::shared_ptr<const Recording> from, const std::vector<std::string>& edits,
                                           std::optional<std::uint32_t> here,
                                           const std::function<bool(std::uint64_t)>& go_on,
                                           std::optional<ForkBounds> bounds) {
  Forked made{std::move(from), {}};
  if (edits.empty()) return Refusal{"nothing is changed", kEditForms};
  for (const std::string& text : edits) {
    Questions run(made.recording);
    auto read = read_edit(run, text, here);
    if (const auto* no = std::get_if<Refusal>(&read)) return *no;
    auto& edit = std::get<ReadEdit>(read);
    auto forked = fork_recording(*made.recording, std::move(edit.bytes), std::move(edit.numbers), go_on, bounds);
    if (const auto* no = std::get_if<Refusal>(&forked)) return *no;
    made.recording = std::get<std::shared_ptr<const Recording>>(std::move(forked));
    made.edits.push_back(std::move(edit.text));
    made.position = edit.position;
  }
  return made;
}

std::optional<std::uint32_t> position_in_edit(std::string_view text) {
  const std::size_t at = text.rfind('@');
  std::uint32_t position = 0;
  if (at == std::string_view::npos || text.find('=') > at) return {};
  const auto [end, wrong] = std::from_chars(text.data() + at + 1, text.data() + text.size(), position);
  return wrong != std::errc() || end != text.data() + text.size() ? std::nullopt : std::optional(position);
}

std::string edit_at(std::string_view text, std::uint32_t position) {
  const std::size_t end = position_in_edit(text) ? text.rfind('@') : text.size();
  return fmt::format("{}@{}", text.substr(0, end), position);
}

std::string fork_name(const std::vector<std::string>& edits, const std::vector<KeptFork>& others) {
  constexpr std::size_t kLongest = 40;
  std::string name;
  for (const std::string& edit : edits) name += (name.empty() ? "" : ", ") + edit;
  std::ranges::replace(name, '\t', ' ');
  if (name.size() > kLongest) {
    const std::size_t at = edits.back().rfind('@');
    const std::string end = at == std::string::npos ? "" : edits.back().substr(at);
    std::size_t cut = kLongest - std::min(kLongest, end.size() + 3);
    while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xC0) == 0x80) --cut;  // no part of a letter
    name = name.substr(0, cut) + "..." + end;
  }
  const auto taken = [&](const std::string& called) {
    return std::ranges::find(others, called, &KeptFork::name) != others.end();
  };
  std::string called = name;
  for (int number = 2; taken(called); ++number) called = fmt::format("{} ({})", name, number);
  return called;
}

}  // namespace ts
