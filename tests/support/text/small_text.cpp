// Writing small program texts.
#include "tests/support/text/small_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace ts::test {

SmallText::SmallText(Target target) : target_(target) {}

SmallText& SmallText::buffer(const std::string& name, const std::string& dtype, std::uint32_t rows,
                             std::uint32_t cols) {
  arguments_.push_back({name, dtype});
  return view(name, name, rows, cols, cols);
}

SmallText& SmallText::view(const std::string& name, const std::string& buffer, std::uint32_t rows, std::uint32_t cols,
                           std::uint32_t pitch) {
  const auto argument = std::ranges::find(arguments_, buffer, &Argument::name);
  const std::string all = fmt::format("!pto.tensor_view<{}x{}x{}>", rows, cols, argument->dtype);
  types_[name] = fmt::format("!pto.partition_tensor_view<{}x{}x{}>", rows, cols, argument->dtype);
  lines_.push_back(fmt::format("%{}_all = pto.make_tensor_view %{}, shape = [{}, {}], strides = [{}, 1] : {}", name,
                               buffer, rows, cols, pitch, all));
  lines_.push_back(fmt::format("%{}_view = pto.partition_view %{}_all, offsets = [0, 0], sizes = [{}, {}] : {} -> {}",
                               name, name, rows, cols, all, types_[name]));
  return *this;
}

SmallText& SmallText::tile(const std::string& name, const std::string& type, std::int64_t address) {
  const std::size_t space = type.find(' ');
  const bool in_vec = std::isdigit(static_cast<unsigned char>(type[0])) != 0;
  types_[name] = in_vec ? fmt::format("!pto.tile_buf<vec, {}>", type)
                        : fmt::format("!pto.tile_buf<{}, {}>", type.substr(0, space), type.substr(space + 1));
  if (address >= 0) lines_.push_back(fmt::format("%{}_at = arith.constant {} : i64", name, address));
  const std::string place = address >= 0 ? fmt::format(" addr = %{}_at", name) : "";
  lines_.push_back(fmt::format("%{} = pto.alloc_tile{} : {}", name, place, types_[name]));
  return *this;
}

SmallText& SmallText::scalar(const std::string& name, const std::string& dtype, const std::string& value) {
  types_[name] = dtype;
  lines_.push_back(fmt::format("%{} = arith.constant {} : {}", name, value, dtype));
  return *this;
}

std::string SmallText::list(const std::vector<std::string>& names) const {
  std::vector<std::string> values, types;
  for (const std::string& name : names) {
    const std::string& type = types_.at(name);
    values.push_back(type.starts_with("!pto.partition") ? fmt::format("%{}_view", name) : "%" + name);
    types.push_back(type);
  }
  return fmt::format("{} : {}", fmt::join(values, ", "), fmt::join(types, ", "));
}

std::uint32_t SmallText::step(const std::string& instruction, const std::vector<std::string>& ins,
                              const std::vector<std::string>& outs, const std::string& attributes) {
  lines_.push_back(fmt::format("pto.{} ins({}) outs({}){}", instruction, list(ins), list(outs), attributes));
  return static_cast<std::uint32_t>(lines_.size()) + 2;
}

SmallText& SmallText::line(const std::string& line) {
  lines_.push_back(line);
  return *this;
}

std::string SmallText::text() const {
  std::string arguments;
  for (const Argument& argument : arguments_)
    arguments += fmt::format("{}%{}: !pto.ptr<{}>", arguments.empty() ? "" : ", ", argument.name, argument.dtype);
  std::string out = fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{\n  func.func @small({}) {{\n",
                                name(target_), arguments);
  for (const std::string& line : lines_) out += "    " + line + "\n";
  return out + "    return\n  }\n}\n";
}

}  // namespace ts::test
