// Putting small kernels together.
#include "tests/support/text/kernel_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ts::test {

void KernelText::buffer(const std::string& name, const std::string& dtype, std::uint32_t rows, std::uint32_t cols,
                        std::uint32_t pitch) {
  buffers_[name] = {dtype, rows, cols};
  arguments_ += fmt::format("{}%{}: !pto.ptr<{}>", arguments_.empty() ? "" : ", ", name, dtype);
  line(
      fmt::format("%{0}_all = pto.make_tensor_view %{0}, shape = [{1}, {2}], strides = [{3}, 1] : "
                  "!pto.tensor_view<{1}x{2}x{4}>",
                  name, rows, cols, pitch == 0 ? cols : pitch, dtype));
}

void KernelText::tile(const std::string& name, const std::string& type, std::uint32_t address) {
  tiles_[name] = type;
  line(fmt::format("%{} = pto.alloc_tile addr = {} : {}", name, address, type_of(name)));
}

std::uint32_t KernelText::line(const std::string& statement) {
  lines_.push_back(statement);
  return kLinesBefore + static_cast<std::uint32_t>(lines_.size());
}

std::string KernelText::part(const std::string& buffer, const std::string& row, const std::string& col,
                             std::uint32_t rows, std::uint32_t cols, std::string& type) {
  const Buffer& whole = buffers_.at(buffer);
  const std::string name = fmt::format("%part{}", parts_++);
  type = fmt::format("!pto.partition_tensor_view<{}x{}x{}>", rows, cols, whole.dtype);
  line(
      fmt::format("{} = pto.partition_view %{}_all, offsets = [{}, {}], sizes = [{}, {}] : "
                  "!pto.tensor_view<{}x{}x{}> -> {}",
                  name, buffer, row, col, rows, cols, whole.rows, whole.cols, whole.dtype, type));
  return name;
}

std::uint32_t KernelText::transfer(const std::string& op, const std::string& in, const std::string& in_type,
                                   const std::string& out, const std::string& out_type) {
  return line(fmt::format("pto.{} ins({} : {}) outs({} : {})", op, in, in_type, out, out_type));
}

std::uint32_t KernelText::load(const std::string& tile, const std::string& buffer, const std::string& row,
                               const std::string& col, std::uint32_t rows, std::uint32_t cols) {
  std::string type;
  const std::string view = part(buffer, row, col, rows, cols, type);
  return transfer("tload", view, type, "%" + tile, type_of(tile));
}

std::uint32_t KernelText::store(const std::string& tile, const std::string& buffer, const std::string& row,
                                const std::string& col, std::uint32_t rows, std::uint32_t cols) {
  std::string type;
  const std::string view = part(buffer, row, col, rows, cols, type);
  return transfer("tstore", "%" + tile, type_of(tile), view, type);
}

std::uint32_t KernelText::op(const std::string& name, const std::vector<std::string>& inputs,
                             const std::vector<std::string>& outputs) {
  const auto list = [&](const std::vector<std::string>& names) {
    std::string values, types;
    for (const std::string& one : names) {
      const bool tile = tiles_.contains(one);
      const std::size_t colon = one.find(" : ");
      values += (values.empty() ? "" : ", ") + (tile ? "%" + one : one.substr(0, colon));
      types += (types.empty() ? "" : ", ") + (tile ? type_of(one) : one.substr(colon + 3));
    }
    return values + " : " + types;
  };
  return line(fmt::format("pto.{} ins({}) outs({})", name, list(inputs), list(outputs)));
}

std::uint32_t KernelText::set_flag(const std::string& from, const std::string& to, int event) {
  return line(fmt::format("pto.set_flag [<PIPE_{}>, <PIPE_{}>, <EVENT_ID{}>]", from, to, event));
}

std::uint32_t KernelText::wait_flag(const std::string& from, const std::string& to, int event) {
  return line(fmt::format("pto.wait_flag [<PIPE_{}>, <PIPE_{}>, <EVENT_ID{}>]", from, to, event));
}

std::uint32_t KernelText::barrier(const std::string& pipe) { return line(fmt::format("pto.barrier <PIPE_{}>", pipe)); }

std::string KernelText::text() const {
  std::string out = fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{\nfunc.func @kernel({}) {{\n",
                                name(target_), arguments_);
  for (const std::string& line : lines_) out += line + "\n";
  return out + "return\n}\n}\n";
}

SharedRecording KernelText::record(const std::map<std::string, std::vector<std::byte>>& data,
                                   std::uint32_t blocks) const {
  OpenRequest request;
  request.blocks = blocks;
  request.inputs.data = data;
  return record_text(text(), request, {.budget_bytes = std::size_t{4} << 20});
}

CheckOptions only(std::initializer_list<FindingKind> kinds) {
  CheckOptions options;
  for (int kind = 0; kind < kFindingKinds; ++kind)
    if (std::ranges::count(kinds, static_cast<FindingKind>(kind)) == 0)
      options.set(static_cast<FindingKind>(kind), Level::Off);
  return options;
}

std::vector<std::byte> bytes_of_words(const std::vector<std::uint32_t>& words) {
  std::vector<std::byte> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

}  // namespace ts::test
