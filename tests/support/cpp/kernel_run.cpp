// Compiling and running of test kernels.
#include "tests/support/cpp/kernel_run.h"

#include <algorithm>
#include <cstring>

namespace ts::test {
namespace {

template <class T>
std::vector<std::byte> raw(const std::vector<T>& values) {
  std::vector<std::byte> out(values.size() * sizeof(T));
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

template <class T>
std::vector<T> values_of(const Recording& recording, const std::string& name) {
  const Program& program = recording.program();
  const auto buffer = std::ranges::find(program.buffers, name, &BufferDecl::name);
  if (buffer == program.buffers.end()) return {};
  std::vector<T> out(buffer->size() / sizeof(T));
  std::memcpy(out.data(), recording.final_memory().bytes(Space::Gm, buffer->address, buffer->size()).data(),
              out.size() * sizeof(T));
  return out;
}

}  // namespace

const Diagnostic* KernelRun::finding(const std::string& rule) const {
  if (recording == nullptr) return nullptr;
  for (const Finding& one : recording->findings())
    if (one.diagnostic.rule == rule) return &one.diagnostic;
  return nullptr;
}
std::string KernelRun::words() const {
  std::string out;
  for (const Diagnostic& one : told) out += one.format() + "\n";
  if (recording != nullptr)
    for (const Finding& one : recording->findings()) out += one.diagnostic.format() + "\n";
  return out;
}
std::vector<float> KernelRun::floats(const std::string& buffer) const { return values_of<float>(*recording, buffer); }
std::vector<std::int32_t> KernelRun::ints(const std::string& buffer) const {
  return values_of<std::int32_t>(*recording, buffer);
}
std::vector<std::string> KernelRun::steps() const {
  std::vector<std::string> out;
  for (std::uint32_t i = 0; i < recording->count(); ++i) out.emplace_back(recording->bound(i).row->name);
  return out;
}

std::vector<std::byte> bytes_of(const std::vector<float>& values) { return raw(values); }
std::vector<std::byte> bytes_of(const std::vector<std::int32_t>& values) { return raw(values); }

std::shared_ptr<const text::Tree> compiled(const std::string& path, Target target, Diagnostics& told,
                                           const std::string& entry) {
  return compiled(path, {.entry = entry, .target = target}, told);
}

std::shared_ptr<const text::Tree> compiled(const std::string& path, cpp::KernelRequest request, Diagnostics& told) {
  return cpp::read_kernel(path, request, told);
}

KernelRun run_entry(const std::shared_ptr<const text::Tree>& tree, const std::string& name, const OpenRequest& request,
                    Diagnostics told) {
  KernelRun out{std::move(told), nullptr};
  if (has_error(out.told)) return out;
  const std::vector<EntryPoint> entries = entry_points(*tree, out.told);
  const auto entry = name.empty() ? entries.begin() : std::ranges::find(entries, name, &EntryPoint::name);
  if (entry == entries.end()) return out;
  std::optional<Opened> opened = open_program(tree, *entry, request, out.told);
  if (!opened) return out;
  RecordOptions options;
  options.limits = request.limits;
  out.recording = Recording::run(std::move(opened->program), options);
  return out;
}

KernelRun run_kernel(const std::string& name, OpenRequest request, Target target) {
  request.target = target;
  Diagnostics told;
  const auto tree = compiled("tests/support/cpp/kernels.cce", target, told);
  return run_entry(tree, name, request, std::move(told));
}

}  // namespace ts::test
