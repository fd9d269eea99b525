// The arguments of `tilescope run`, read and checked.
#include "app/cli/request.h"

#include <fmt/format.h>

#include "app/cli/output_paths.h"
#include "app/cli/program_file.h"
#include "app/files/hint.h"
#include "core/cases/array_type.h"
#include "core/cases/setup.h"
#include "core/data/array_file.h"
#include "core/text/count.h"

namespace ts {
namespace {

struct Pair {
  std::string name, value;
};

// NAME=VALUE, with or without % before the name.
std::optional<Pair> split(std::string_view text) {
  if (text.starts_with('%')) text.remove_prefix(1);
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) return {};
  return Pair{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

// Who says what is wrong with a value that makes no sense.
enum class Tells : std::uint8_t { Caller, Take };

// Calls `take` for each NAME=VALUE; it says whether the value makes sense.
template <class Take>
bool read_pairs(const char* option, const char* form, const std::vector<std::string>& texts, Take take,
                Tells tells = Tells::Caller) {
  for (const std::string& text : texts) {
    const std::optional<Pair> pair = split(text);
    if (pair && take(*pair)) continue;
    if (!pair || tells == Tells::Caller) fail(fmt::format("{} {}: wanted {}", option, text, form));
    return false;
  }
  return true;
}

bool read_input(const Pair& pair, Request& out) {
  auto read = data::read_array(pair.value);
  if (const auto* error = std::get_if<data::Error>(&read)) {
    fail(error->text, error->hint);
    return false;
  }
  data::Array& array = std::get<data::Array>(read);
  out.open.inputs.data[pair.name] = std::move(array.bytes);
  out.open.inputs.data_types[pair.name] = array.type;
  out.files[pair.name] = {pair.value, std::move(array.type), std::move(array.shape)};
  return true;
}

// What somebody says of raw bytes; in a case also of its own.
bool read_type(const Pair& pair, bool is_case, Request& out) {
  const auto type = cases::parse_array_type(pair.value);
  if (!type) {
    fail(fmt::format("--raw {}={}: wanted {}", pair.name, pair.value, cases::kArrayTypeForm));
    return false;
  }
  const auto file = out.files.find(pair.name);
  if (file == out.files.end() && is_case) {
    out.types[pair.name] = *type;
    return true;
  }
  if (file == out.files.end()) {
    fail(fmt::format("--raw {}={}: no file is given for %{}", pair.name, pair.value, pair.name),
         fmt::format("--in {}=PATH", pair.name));
    return false;
  }
  data::Array array{file->second.type, file->second.shape, std::move(out.open.inputs.data[pair.name])};
  const auto error = cases::take_type(array, *type, file->second.path);
  if (error) fail(error->text, error->hint);
  out.open.inputs.data[pair.name] = std::move(array.bytes);
  out.open.inputs.data_types[pair.name] = array.type;
  file->second.type = array.type;
  file->second.shape = std::move(array.shape);
  return !error;
}

bool read_made(const Pair& pair, Request& out) {
  const auto kind = data::find_made_up(pair.value);
  if (!kind)
    fail(fmt::format("--make {}={}: nothing is made of {}", pair.name, pair.value, pair.value), data::made_up_words());
  else out.open.inputs.made[pair.name] = *kind;
  return kind.has_value();
}

bool read_buffer(const Pair& pair, InputValues& inputs) {
  const auto type = cases::parse_buffer_type(pair.value);
  if (type) cases::put_buffer(pair.name, *type, inputs);
  return type.has_value();
}

bool read_types(const RunArguments& arguments, bool is_case, Request& out) {
  return read_pairs(
      "--raw", "NAME=TYPE:SHAPE", arguments.raw, [&](const Pair& pair) { return read_type(pair, is_case, out); },
      Tells::Take);
}

bool read_all_pairs(const RunArguments& arguments, bool is_case, Request& out) {
  InputValues& inputs = out.open.inputs;
  return read_pairs("--set", "NAME=VALUE", arguments.set,
                    [&](const Pair& pair) { return inputs.numbers[pair.name] = pair.value, true; }) &&
         read_pairs("--size", "NAME=BYTES", arguments.size,
                    [&](const Pair& pair) { return text::parse_count(pair.value, inputs.size_bytes[pair.name]); }) &&
         read_pairs("--arg", fmt::format("NAME={}", cases::kBufferTypeForm).c_str(), arguments.arg,
                    [&](const Pair& pair) { return read_buffer(pair, inputs); }) &&
         read_pairs("--out", "NAME=PATH", arguments.out,
                    [&](const Pair& pair) { return out.outputs[pair.name] = pair.value, true; }) &&
         read_pairs(
             "--in", "NAME=PATH", arguments.in, [&](const Pair& pair) { return read_input(pair, out); }, Tells::Take) &&
         read_types(arguments, is_case, out) &&
         read_pairs(
             "--make", "NAME=KIND", arguments.make, [&](const Pair& pair) { return read_made(pair, out); },
             Tells::Take);
}

bool writes_nothing_it_reads(const RunArguments& arguments, const Request& request) {
  std::vector<std::string> outputs{arguments.trace_json, arguments.html, arguments.record}, inputs = arguments.files;
  for (const auto& [name, path] : request.outputs) outputs.push_back(path);
  for (const auto& [name, file] : request.files) inputs.push_back(file.path);
  return outputs_are_free(outputs, inputs);
}

bool show_cell(std::string_view text, ReportOptions& out) {
  const std::optional<CellName> cell = parse_cell(text);
  if (cell) out.show(*cell);
  return cell.has_value();
}

}  // namespace

std::optional<Request> read_request(const RunArguments& arguments, const cases::Folder* folder) {
  Request request;
  if (folder != nullptr) request.open = cases::request_of(*folder);
  if (!read_options(arguments, request.open)) return {};
  if (arguments.blocks) request.open.blocks = *arguments.blocks;
  request.open.inputs.seed = arguments.seed.value_or(1);
  request.open.limits.most_steps = arguments.most_steps.value_or(WalkLimits{}.most_steps);
  const auto order = find_order(arguments.order.empty() ? "usual" : arguments.order);
  if (!order) {
    fail(fmt::format("--order {}: there is no such order", arguments.order), "usual, reverse, or seed:N with a number");
    return {};
  }
  request.open.limits.order = *order;
  request.open.private_slots = arguments.private_slots;
  request.open.limits.plans = !arguments.no_plans;
  using enum WalkLimits::Ahead;
  request.open.limits.ahead = arguments.threads == 1 ? Never : arguments.threads == 2 ? Early : WherePays;
  request.open.limits.strict_signals = arguments.comm == "strict";
  request.open.limits.most_code = cases::most_code_for(request.open.limits.most_steps);
  if (!read_all_pairs(arguments, folder != nullptr, request) || !writes_nothing_it_reads(arguments, request)) return {};
  request.show.step = arguments.step;
  request.show.trace_all = arguments.trace;
  if (!arguments.cell.empty() && !show_cell(arguments.cell, request.show)) {
    fail(fmt::format("--cell {}: wanted TILE[ROW,COLUMN]", arguments.cell),
         "in a shell with quotes around it: --cell 'im[1,7]'");
    return {};
  }
  for (const std::string& text : arguments.print) {
    auto wish = read_print_wish(text);
    if (const auto* refused = std::get_if<Refusal>(&wish)) {
      fail(refused->text, refused->hint);
      return {};
    }
    request.prints.push_back(std::get<PrintWish>(std::move(wish)));
  }
  return request;
}

}  // namespace ts
