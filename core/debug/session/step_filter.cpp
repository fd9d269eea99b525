// Reading the filter line.
#include "core/debug/session/step_filter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "core/program/sync.h"
#include "core/text/byte_span.h"
#include "core/text/count.h"
#include "core/text/near.h"
#include "core/text/ops/op_table.h"

namespace ts {
namespace {

constexpr FilterWord kWords[] = {
    {"op:tadd", "steps of this instruction"},
    {"line:40", "steps of this line"},
    {"writes:t2", "steps that write a byte of a tile, a buffer, an element t2[1,5], or of ub[0x400..0x800]"},
    {"reads:t2", "steps that read one of its bytes"},
    {"pipe:V", "steps in the queue of S, V, M, MTE1, MTE2, MTE3 or FIX"},
    {"core:0", "steps of this core; where there are several kinds core:AIV0, or core:1.AIV0 of block 1"},
    {"nan", "steps that made the first NaN of its kind: nothing they worked on held one"},
    {"inf", "the same of infinities"},
    {"finding", "steps in which something was found"},
};
constexpr std::string_view kKeys[] = {"op", "line", "writes", "reads", "pipe", "core", "block"};
constexpr std::string_view kFlags[] = {"nan", "inf", "finding"};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return out;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const std::vector<std::string> near = text::near_names(word, known);
  return near.empty() ? "" : fmt::format("did you mean {}?", fmt::join(near, " or "));
}

bool take(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

// One word of the line, on its way into the query.
class FilterReader {
 public:
  FilterReader(const Recording& recording, StepQuery& query) : recording_(recording), query_(query) {}

  // Nothing: it is right.
  std::optional<Refusal> read(std::string_view word) {
    if (std::ranges::find(kFlags, lower(word)) != std::end(kFlags)) return flag(lower(word));
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) {
      query_.words.push_back(lower(word));
      return {};
    }
    const std::string key = lower(word.substr(0, colon));
    const std::string_view value = word.substr(colon + 1);
    if (std::ranges::find(kKeys, key) == std::end(kKeys)) {
      const std::string near = did_you_mean(key, kKeys);
      return Refusal{fmt::format("there is no '{}:'", key),
                     near.empty() ? fmt::format("it can be {}:", fmt::join(kKeys, ":, ")) : near};
    }
    if (!given_.insert(key == "block" ? "core" : key).second)
      return Refusal{fmt::format("{}: is given twice", key), "no step is both; leave one out"};
    if (value.empty()) return Refusal{fmt::format("{}: of what?", key), fmt::format("as in {}", example(key))};
    return keyed(key, value);
  }

 private:
  static std::string example(std::string_view key) {
    for (const FilterWord& word : kWords)
      if (std::string_view(word.example).starts_with(fmt::format("{}:", key))) return word.example;
    return "block:0";
  }

  std::optional<Refusal> flag(std::string_view word) {
    (word == "nan" ? query_.nan : word == "inf" ? query_.inf : query_.finding) = true;
    return {};
  }

  std::optional<Refusal> keyed(std::string_view key, std::string_view value) {
    if (key == "op") return op(value);
    if (key == "line") return line(value);
    if (key == "pipe") return pipe(value);
    if (key == "core" || key == "block") return core(key, value);
    return place(key, value);
  }

  std::optional<Refusal> op(std::string_view value) {
    const auto known = known_op(std::string(value));
    if (const auto* refusal = std::get_if<Refusal>(&known)) return *refusal;
    query_.op = std::get<std::string>(known);
    std::set<std::string> has;
    for (const Instruction& instruction : recording_.program().instructions) has.insert(instruction.row->name);
    if (has.contains(query_.op)) return {};
    return Refusal{fmt::format("there is no {} in the program", query_.op),
                   fmt::format("it has {}", fmt::join(has, ", "))};
  }

  std::optional<Refusal> line(std::string_view value) {
    query_.line = text::whole_count(value);
    if (!query_.line) return Refusal{fmt::format("'{}' is no line", value), "a number, as in line:40"};
    std::optional<std::uint32_t> next, last;
    for (const Instruction& instruction : recording_.program().instructions) {
      const std::uint32_t at = instruction.pos.line;
      if (at == *query_.line) return {};
      if (at > *query_.line && (!next || at < *next)) next = at;
      last = std::max(last.value_or(0), at);
    }
    return Refusal{fmt::format("line {} has no instruction", *query_.line),
                   next   ? fmt::format("the next one is in line {}", *next)
                   : last ? fmt::format("the last one is in line {}", *last)
                          : "the program has none"};
  }

  std::optional<Refusal> pipe(std::string_view value) {
    query_.pipe = pipe_name(value);
    if (!query_.pipe.empty()) return {};
    return Refusal{fmt::format("there is no pipe '{}'", value), "S, V, M, MTE1, MTE2, MTE3 or FIX"};
  }

  std::optional<Refusal> core(std::string_view key, std::string_view value) {
    auto read = read_core(key == "block" ? fmt::format("block {}", value) : std::string(value), recording_);
    if (const auto* refusal = std::get_if<Refusal>(&read)) return *refusal;
    query_.core = std::get<CoreChoice>(std::move(read));
    return {};
  }

  std::optional<Refusal> place(std::string_view key, std::string_view value) {
    QueryPlace found;
    if (auto refusal = read_place(value, found)) return refusal;
    (key == "writes" ? query_.writes : query_.reads) = found;
    return {};
  }

  std::optional<Refusal> read_place(std::string_view value, QueryPlace& found) {
    const std::size_t open = value.find('[');
    std::string_view name = value.substr(0, open);
    if (name.starts_with('%')) name.remove_prefix(1);
    const std::string_view rest = open == std::string_view::npos ? "" : value.substr(open + 1);
    if (const auto refusal = find_name(name, found)) {
      const auto space = space_from_name(lower(name));
      return space ? read_bytes(*space, value, found) : refusal;
    }
    return open == std::string_view::npos ? std::nullopt : read_element(value, rest, found);
  }

  // The tiles or the buffer of this name.
  std::optional<Refusal> find_name(std::string_view name, QueryPlace& found) {
    const Program& program = recording_.program();
    std::vector<std::string_view> known;
    for (std::uint32_t i = 0; i < program.tiles.size(); ++i) {
      if (program.tiles[i].is_called(name)) found.tiles.push_back(i);
      if (!program.tiles[i].implicit) known.push_back(program.tiles[i].name);
    }
    if (!found.tiles.empty()) return {};
    for (const BufferDecl& buffer : program.buffers) {
      found.bytes = {Space::Gm, buffer.address, buffer.size()};
      buffer_ = &buffer;
      if (buffer.name == name) return {};
      known.push_back(buffer.name);
    }
    const std::string near = did_you_mean(name, known);
    return Refusal{fmt::format("there is no tile or buffer '{}'", name),
                   near.empty() ? "bytes are written as ub[0x400..0x800]" : near};
  }

  // ub[0x400..0x800]
  std::optional<Refusal> read_bytes(Space space, std::string_view value, QueryPlace& found) {
    const auto span = text::read_byte_span(value.substr(std::min(value.find('['), value.size())));
    if (!span)
      return Refusal{fmt::format("'{}' is no range of bytes", value),
                     fmt::format("as in {}[0x400..0x800]: the first byte, and the one after the last", name(space))};
    const std::uint32_t size = recording_.map().size(space);
    if (span->end <= span->begin)
      return Refusal{fmt::format("'{}' has no bytes", value), "the end is not part of a range"};
    if (span->end > size)
      return Refusal{fmt::format("{} has 0x{:x} bytes on {}", name(space), size, name(recording_.program().target)),
                     ""};
    found.bytes = {space, span->begin, span->end - span->begin};
    return {};
  }

  std::optional<Refusal> read_element(std::string_view value, std::string_view rest, QueryPlace& found) {
    return found.tiles.empty() ? element_of_buffer(value, rest, found) : element_of_tile(value, rest, found);
  }

  // 7]
  std::optional<Refusal> element_of_buffer(std::string_view value, std::string_view rest, QueryPlace& found) {
    const std::optional<std::uint32_t> index = text::take_count(rest);
    if (!index || rest != "]")
      return Refusal{fmt::format("'{}' is no element", value), fmt::format("of a buffer as in {}[7]", buffer_->name)};
    if (*index >= buffer_->elements)
      return Refusal{fmt::format("{} has {} elements", buffer_->name, buffer_->elements), ""};
    found.bytes = element_place(Space::Gm, buffer_->address, buffer_->dtype, *index);
    return {};
  }

  // 1,5]
  std::optional<Refusal> element_of_tile(std::string_view value, std::string_view rest, QueryPlace& found) {
    const TileDecl& tile = recording_.program().tiles[found.tiles.front()];
    const std::optional<std::uint32_t> row = text::take_count(rest);
    const bool comma = take(rest, ",");
    const std::optional<std::uint32_t> col = text::take_count(rest);
    if (!row || !comma || !col || rest != "]")
      return Refusal{fmt::format("'{}' is no element", value),
                     fmt::format("as in {}[1,5]: row and column, from 0", tile.name)};
    if (*row >= tile.type.rows || *col >= tile.type.cols)
      return Refusal{fmt::format("{} has {} rows and {} columns", tile.name, tile.type.rows, tile.type.cols), ""};
    found.element = {*row, *col};
    return {};
  }

  const Recording& recording_;
  StepQuery& query_;
  const BufferDecl* buffer_ = nullptr;
  std::set<std::string> given_;
};

bool is_space(char c) { return c == ' ' || c == '\t'; }

}  // namespace

std::span<const FilterWord> filter_words() { return kWords; }

std::string pipe_name(std::string_view text) {
  std::string wanted(text);
  for (char& c : wanted)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  if (wanted.starts_with("PIPE_")) wanted = wanted.substr(5);
  for (int pipe = 0; pipe < static_cast<int>(Pipe::None); ++pipe)
    if (wanted == name(static_cast<Pipe>(pipe))) return wanted;
  return "";
}

std::variant<std::string, Refusal> known_op(const std::string& text) {
  const std::string op = plain_op(text);
  const bool known = text::find_bare_op(op) != text::kUnknownOp || text::find_op(op) != text::kUnknownOp ||
                     text::find_op("pto." + op) != text::kUnknownOp || op == kBeginBlock.name ||
                     find_sync("pto." + op) != nullptr;
  if (known) return op;
  const std::vector<std::string> near = text::similar_ops(op);
  return Refusal{fmt::format("there is no operation {}", op),
                 near.empty() ? "" : fmt::format("did you mean {}?", fmt::join(near, " or "))};
}

std::variant<StepQuery, WrongFilter> read_filter(std::string_view text, const Recording& recording) {
  StepQuery query;
  FilterReader reader(recording, query);
  for (std::size_t at = 0; at < text.size();) {
    if (is_space(text[at])) {
      ++at;
      continue;
    }
    // A blank inside brackets parts no words: t2[1, 5].
    std::size_t end = at;
    for (bool inside = false; end < text.size() && (inside || !is_space(text[end])); ++end) {
      if (text[end] == '[') inside = true;
      if (text[end] == ']' || text[end] == ')') inside = false;
    }
    std::string word(text.substr(at, end - at));
    std::erase_if(word, is_space);
    if (auto refusal = reader.read(word)) return WrongFilter{*std::move(refusal), at, end};
    at = end;
  }
  return query;
}

}  // namespace ts
