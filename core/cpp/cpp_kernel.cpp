// Entries as functions without a body, and the kernel behind them.
#include "core/cpp/cpp_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>

#include "core/compile/open.h"
#include "core/cpp/listing.h"
#include "core/cpp/live_source.h"
#include "core/cpp/scan.h"
#include "core/data/file.h"

namespace ts::cpp {
namespace {

namespace fs = std::filesystem;
namespace border = ts_border;

// A kernel is compiled for a target; for the other one when somebody asks for it.
class CompiledKernel : public Kernel {
 public:
  CompiledKernel(std::string source, KernelRequest request, std::string file, std::vector<std::string> entries)
      : source_(std::move(source)), request_(std::move(request)), entries_(std::move(entries)) {
    files_[request_.target] = std::move(file);
    request_.build.go_on = {};  // whoever asked is gone by the time it runs again
  }

  Survey survey(const Program& program, const WalkLimits& limits) const override;
  std::unique_ptr<StepSource> start(Program& program, const Memory& memory, const WalkLimits& limits) const override {
    return std::make_unique<LiveSource>(program, memory, limits, file_for(program.target), entry_of(program));
  }

 private:
  // "" where it does not compile for this target.
  std::string file_for(Target target) const {
    const std::lock_guard lock(mutex_);
    const auto [file, made] = files_.try_emplace(target);
    if (made) file->second = build_kernel(source_, entries_, target, request_.build).program;
    return file->second;
  }
  std::uint32_t entry_of(const Program& program) const {
    const auto found = std::ranges::find(entries_, program.name);
    return static_cast<std::uint32_t>(found == entries_.end() ? 0 : found - entries_.begin());
  }

  std::string source_;
  KernelRequest request_;
  std::vector<std::string> entries_;
  mutable std::mutex mutex_;
  mutable std::map<Target, std::string> files_;
};

// The bytes behind its first element that a view reaches.
std::uint64_t bytes_of_view(const border::Operand& view) {
  std::uint64_t last = 0;
  for (int i = 0; i < 5; ++i) {
    if (view.shape[i] <= 0) return 0;
    const std::uint64_t steps = static_cast<std::uint64_t>(view.shape[i]) - 1,
                        stride = static_cast<std::uint64_t>(view.stride[i]);
    if (view.stride[i] < 0 || (stride != 0 && steps > (std::uint64_t{1} << 40) / stride)) return 0;
    last += steps * stride;
  }
  return bytes_for(static_cast<DType>(view.type), last + 1);
}

// Whether an argument is a result of its call.
bool is_written(const Program& program, std::string_view op, std::span<const border::Operand> given,
                std::size_t argument) {
  const CallResult understood = understand(op, given, program.target, program.options);
  return understood.call && std::ranges::any_of(understood.call->operands, [&](const CallOperand& one) {
           return one.argument == argument && one.operand.spec->role == Role::Out;
         });
}

// The shape of a view, without the dimensions of one in front.
std::vector<std::uint32_t> shape_of(const border::Operand& view) {
  std::vector<std::uint32_t> out;
  for (int d = 0; d < 5; ++d)
    if (!out.empty() || view.shape[d] != 1 || d >= 3) out.push_back(clamped(view.shape[d]));
  return out;
}

// How far the views of a call reach in their buffers.
void note_views(const Program& program, const Child& child, std::string_view op, std::span<const border::Operand> given,
                std::vector<Kernel::Use>& uses) {
  for (std::size_t i = 0; i < given.size(); ++i) {
    const border::Operand& view = given[i];
    if (view.kind != border::OperandKind::View || view.type >= border::Type::None) continue;
    const auto buffer = child.buffer_at(view.bits);
    if (!buffer) continue;
    Kernel::Use& use = uses[*buffer];
    use.bytes = std::max(use.bytes, view.bits - child.layout()[*buffer].pointer + bytes_of_view(view));
    (is_written(program, op, given, i) ? use.written : use.read) = true;
    if (use.view_shape.empty()) use.view_shape = shape_of(view);
    if (!use.dtype) use.dtype = static_cast<DType>(view.type);
  }
}

// A run in which nothing is computed: buffers are large and untouched, and what is asked for is 0.
Kernel::Survey CompiledKernel::survey(const Program& program, const WalkLimits& limits) const {
  constexpr std::uint64_t kRoom = std::uint64_t{256} << 20;
  constexpr std::uint32_t kMostRecords = 2'000'000;
  Survey out;
  out.buffers.resize(program.buffers.size());
  Launch launch = launch_of(program, entry_of(program));
  for (ChildBuffer& buffer : launch.buffers) buffer = {0, kRoom};
  Child child;
  out.exact = child.start(file_for(program.target), launch).empty();
  std::vector<Site> sites = {{}};
  const auto go_on = [&] { return !limits.go_on || limits.go_on(0); };
  ChildRecord record;
  for (std::uint32_t i = 0; out.exact && i < kMostRecords; ++i) {
    if (child.next(record, go_on) != Child::State::Record) break;
    const border::RecordKind kind = record.head.kind;
    if (kind == border::RecordKind::Done) return out;
    if (kind == border::RecordKind::Failed) break;
    if (kind == border::RecordKind::Open) child.set_open();
    if (kind == border::RecordKind::Site) {
      sites.emplace_back();
      if (!read_site(record, sites.back())) break;
    }
    if (kind == border::RecordKind::Get) {
      child.answer(0);
      out.exact = false;
    }
    if (kind == border::RecordKind::Call && record.head.site < sites.size())
      note_views(program, child, sites[record.head.site].op, record.operands(), out.buffers);
    child.done();
  }
  out.exact = false;
  return out;
}

// The type that a parameter has in text.
std::string text_type(const BuiltParameter& parameter) {
  const bool known = parameter.type >= 0 && parameter.type < static_cast<int>(border::Type::None);
  const std::string name = text::name(scalar_kind_of(known ? static_cast<DType>(parameter.type) : DType::U8));
  if (parameter.kind == 'd') return "f32";
  return parameter.kind == 'p' ? fmt::format("!pto.ptr<{}>", name) : name;
}

std::string stub_text(const std::vector<SourceEntry>& entries,
                      const std::vector<std::vector<BuiltParameter>>& parameters, Target target) {
  std::string out = fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{\n", name(target));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::string list;
    for (std::size_t p = 0; p < parameters[i].size(); ++p) {
      const std::string called = p < entries[i].parameters.size() ? entries[i].parameters[p] : fmt::format("p{}", p);
      list += fmt::format("{}%{}: {}", p == 0 ? "" : ", ", called, text_type(parameters[i][p]));
    }
    out +=
        fmt::format("  func.func @\"{}\"({}) attributes {{pto.entry}} {{\n    return\n  }}\n", entries[i].name, list);
  }
  return out + "}\n";
}

// The entries that are to be compiled: one that was asked for, or all.
std::vector<SourceEntry> wanted_entries(const SourceScan& scan, const std::string& wanted) {
  if (wanted.empty()) return scan.entries;
  const std::string base = wanted.substr(0, wanted.find('<'));
  for (const auto* those : {&scan.entries, &scan.templates})
    for (const SourceEntry& one : *those)
      if (one.name == base) {
        SourceEntry named = one;
        named.name = wanted;
        return {named};
      }
  return {{wanted, 1, {}}};
}

void say_no_entry(const SourceScan& scan, Diagnostics& out) {
  std::string names;
  for (const SourceEntry& one : scan.templates) names += (names.empty() ? "" : ", ") + one.name;
  Diagnostic said{"E-CPP-ENTRY", Severity::Error, {1, 1}, "", "the file has no function that a launch could start", ""};
  said.hint = names.empty()
                  ? "an entry is marked __global__ or extern \"C\""
                  : fmt::format("it has templates; name an instance: --entry '{}<...>'", scan.templates.front().name);
  if (!scan.templates.empty()) said.pos = {scan.templates.front().line, 1};
  out.push_back(std::move(said));
}

}  // namespace

std::shared_ptr<const text::Tree> source_tree(const std::string& path, std::string text) {
  text::Tree tree;
  tree.source = std::make_shared<const text::Source>(path, std::move(text));
  return std::make_shared<const text::Tree>(std::move(tree));
}

bool is_cpp_name(std::string_view path) {
  for (const std::string_view ending : {".cpp", ".cc", ".cxx", ".cce"})
    if (path.ends_with(ending)) return true;
  return false;
}

std::shared_ptr<const text::Tree> read_kernel(const std::string& path, const KernelRequest& request, Diagnostics& out) {
  constexpr std::uint64_t kMostSource = std::uint64_t{64} << 20;
  auto read = data::read_file(path, kMostSource);
  if (const auto* error = std::get_if<data::Error>(&read)) {
    out.push_back({"E-CPP-COMPILE", Severity::Error, {1, 1}, "", error->text, error->hint});
    return source_tree(path, "");
  }
  const auto& bytes = std::get<std::vector<std::byte>>(read);
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const SourceScan scan = scan_source(text);
  const std::vector<SourceEntry> entries = wanted_entries(scan, request.entry);
  if (entries.empty()) {
    say_no_entry(scan, out);
    return source_tree(path, std::move(text));
  }
  std::vector<std::string> names;
  for (const SourceEntry& one : entries) names.push_back(one.name);
  Built built = build_kernel(path, names, request.target, request.build);
  for (Diagnostic& error : built.errors) out.push_back(std::move(error));
  if (built.program.empty()) return source_tree(path, std::move(text));
  const auto parameters = describe_entries(built.program, entries.size());
  if (parameters.size() != entries.size()) {
    out.push_back({"E-CPP-COMPILE", Severity::Error, {1, 1}, "", "the compiled kernel does not start", ""});
    return source_tree(path, std::move(text));
  }
  auto tree = read_program(path, stub_text(entries, parameters, request.target), out);
  auto whole = std::make_shared<text::Tree>(*tree);
  whole->kernel = std::make_shared<CompiledKernel>(path, request, built.program, names);
  return whole;
}

}  // namespace ts::cpp
