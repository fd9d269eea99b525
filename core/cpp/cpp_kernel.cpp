// Entries as functions without a body, and the kernel behind them.
#include "core/cpp/cpp_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <map>
#include <mutex>

#include "core/compile/open.h"
#include "core/cpp/core_parts.h"
#include "core/cpp/includes.h"
#include "core/cpp/live/listing.h"
#include "core/cpp/live/sizing.h"
#include "core/cpp/live/source.h"
#include "core/cpp/scan.h"
#include "core/data/file.h"

namespace ts::cpp {
namespace {

namespace fs = std::filesystem;
namespace border = ts_border;

// The kernel, for each kind of core that it has parts for, compiled side by side; "" where it does not compile.
ProgramFiles build_all(const std::vector<std::string>& sources, const std::vector<std::string>& entries, Target target,
                       const CoresOfSource& cores, const BuildRequest& request, Diagnostics& out) {
  std::mutex asked;
  BuildRequest one_asks = request;
  if (request.go_on)
    one_asks.go_on = [&] {
      const std::lock_guard lock(asked);
      return request.go_on();
    };
  include_folder(request);  // which all of them find then
  std::map<CoreKind, std::future<Built>> builds;
  for (const CoreKind kind :
       cores.two_kinds ? std::vector{CoreKind::Cube, CoreKind::Vector} : std::vector{CoreKind::Joint})
    builds[kind] =
        std::async(std::launch::async, [&, kind] { return build_kernel(sources, entries, target, kind, one_asks); });
  ProgramFiles files;
  for (auto& [kind, build] : builds) {
    Built built = build.get();
    files[kind] = std::move(built.program);
    // What is wrong for both is told once.
    if (!has_error(out))
      for (Diagnostic& error : built.errors) out.push_back(std::move(error));
  }
  return files;
}

// A kernel is compiled for a target; for the other one when somebody asks for it.
class CompiledKernel : public Kernel {
 public:
  CompiledKernel(std::vector<std::string> sources, KernelRequest request, Target target, ProgramFiles files,
                 std::vector<std::string> entries, MainSurvey of_main, CoresOfSource cores)
      : sources_(std::move(sources)),
        request_(std::move(request)),
        entries_(std::move(entries)),
        of_main_(std::move(of_main)),
        cores_(cores) {
    files_[target] = std::move(files);
    request_.build.go_on = {};  // whoever asked is gone by the time it runs again
  }

  void set_cores(Program& program) const override {
    cpp::set_cores(program, cores_);
    // Cores that are there at once are there from the beginning; else it is told by each launch.
    if (launches_itself() && program.together()) program.blocks = of_main_.blocks;
  }
  bool launches_itself() const override { return entries_.front() == kMainEntry; }

  Survey survey(const Program& program, const WalkLimits& limits) const override {
    if (!launches_itself())
      return size_buffers(files_for(program.target), program, launch_of(program, entry_of(program)), limits);
    // How much a main allocates is known, and where what it copies there comes from.
    Survey out;
    for (const Allocation& one : of_main_.allocations) out.buffers.push_back(one.use);
    return out;
  }
  std::unique_ptr<StepSource> start(Program& program, const Memory& memory, const WalkLimits& limits) const override {
    Launch launch = launch_of(program, entry_of(program));
    launch.words = request_.host.words;
    launch.folder = request_.host.folder;
    return std::make_unique<LiveSource>(program, memory, limits, files_for(program.target), launch);
  }

 private:
  // "" where it does not compile for this target.
  ProgramFiles files_for(Target target) const {
    const std::lock_guard lock(mutex_);
    const auto [files, made] = files_.try_emplace(target);
    Diagnostics unheard;
    if (made) files->second = build_all(sources_, entries_, target, cores_, request_.build, unheard);
    return files->second;
  }
  std::uint32_t entry_of(const Program& program) const {
    const auto found = std::ranges::find(entries_, program.name);
    return static_cast<std::uint32_t>(found == entries_.end() ? 0 : found - entries_.begin());
  }

  std::vector<std::string> sources_;
  KernelRequest request_;
  std::vector<std::string> entries_;
  MainSurvey of_main_;
  mutable std::mutex mutex_;
  mutable std::map<Target, ProgramFiles> files_;
  CoresOfSource cores_;
};

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

// The parameters of a main are what it allocates.
std::string main_text(const std::vector<Allocation>& allocations, Target target) {
  SourceEntry entry{kMainEntry, 1, {}};
  std::vector<BuiltParameter> parameters;
  for (const Allocation& one : allocations) {
    entry.parameters.push_back(one.name);
    parameters.push_back({'p', static_cast<int>(one.use.dtype.value_or(DType::U8))});
  }
  return stub_text({entry}, {parameters}, target);
}

void say(Diagnostics& out, const char* rule, std::string text, std::string hint = "") {
  Diagnostic said{rule, Severity::Error, {1, 1}, "", std::move(text), std::move(hint)};
  out.push_back(std::move(said));
}

std::optional<std::string> read_source(const std::string& path, Diagnostics& out) {
  constexpr std::uint64_t kMostSource = std::uint64_t{64} << 20;
  auto read = data::read_file(path, kMostSource);
  if (const auto* error = std::get_if<data::Error>(&read))
    return say(out, "E-CPP-COMPILE", error->text, error->hint), std::nullopt;
  const auto& bytes = std::get<std::vector<std::byte>>(read);
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
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

namespace {

// A file on its way to a tree with a kernel.
class KernelReader {
 public:
  KernelReader(const std::string& path, const KernelRequest& request, Diagnostics& out)
      : path_(path), request_(request), out_(out) {
    sources_.push_back(path);
    sources_.insert(sources_.end(), request.host.with.begin(), request.host.with.end());
    made_of_ = sources_;
  }
  const std::vector<std::string>& files() const { return made_of_; }

  std::shared_ptr<const text::Tree> read() {
    std::shared_ptr<const text::Tree> tree;
    if (scan() && choose_entries() && build()) tree = is_main() ? of_main() : of_entries();
    if (tree == nullptr) return source_tree(path_, std::move(text_));
    auto whole = std::make_shared<text::Tree>(*tree);
    whole->kernel = std::make_shared<CompiledKernel>(sources_, request_, target_, files_, names_, of_main_, cores_);
    return whole;
  }

 private:
  bool is_main() const { return names_.front() == kMainEntry; }

  bool scan() {
    for (const std::string& source : sources_) {
      auto text = read_source(source, out_);
      if (!text) return false;
      SourceScan found = scan_source(*text);
      has_main_ = has_main_ || found.has_main || text->find("gtest/gtest.h") != std::string::npos;
      const Included whole = with_included(source, *text, request_.build.include);
      made_of_.insert(made_of_.end(), whole.files.begin(), whole.files.end());
      cores_.add(cores_of_source(whole.text));
      if (source == path_) text_ = *std::move(text), found_ = std::move(found);
    }
    target_ = request_.target.value_or(target_of_source(text_).value_or(Target::A2A3));
    return true;
  }

  bool choose_entries() {
    const bool wants_main = request_.entry.empty() || request_.entry == kMainEntry;
    if (has_main_ && wants_main) entries_ = {{kMainEntry, 1, {}}};
    else entries_ = wanted_entries(found_, request_.entry);
    if (entries_.empty()) return say_no_entry(found_, out_), false;
    for (const SourceEntry& one : entries_) names_.push_back(one.name);
    std::error_code missing;
    if (!request_.host.folder.empty() && !fs::is_directory(request_.host.folder, missing))
      return say(out_, "E-CPP-ARG", fmt::format("{} is no folder", request_.host.folder)), false;
    if (request_.host.is_said() && !is_main())
      say(out_, "E-CPP-ARG", "words behind --, more files and --cd are for a main, and there is none",
          request_.entry.empty() ? "name the file that has one" : "leave out --entry");
    return !has_error(out_);
  }

  bool build() {
    files_ = build_all(sources_, names_, target_, cores_, request_.build, out_);
    return std::ranges::none_of(files_, [](const auto& one) { return one.second.empty(); });
  }
  // Any of them knows the parameters.
  const std::string& program_file() const { return files_.begin()->second; }

  std::shared_ptr<const text::Tree> of_entries() {
    const auto parameters = describe_entries(program_file(), entries_.size());
    if (parameters.size() == entries_.size())
      return read_program(path_, stub_text(entries_, parameters, target_), out_);
    say(out_, "E-CPP-COMPILE", "the compiled kernel does not start");
    return nullptr;
  }

  std::shared_ptr<const text::Tree> of_main() {
    Program program;
    program.target = target_;
    set_cores(program, cores_);
    Launch launch = launch_of(program, 0);
    launch.words = request_.host.words;
    launch.folder = request_.host.folder;
    of_main_ = survey_main(program, files_, std::move(launch), request_.build.go_on);
    return read_program(path_, main_text(of_main_.allocations, target_), out_);
  }

  const std::string& path_;
  const KernelRequest& request_;
  Diagnostics& out_;
  std::vector<std::string> sources_, made_of_;
  std::string text_;
  Target target_ = Target::A2A3;
  ProgramFiles files_;
  CoresOfSource cores_;
  SourceScan found_;  // in the first source
  bool has_main_ = false;
  std::vector<SourceEntry> entries_;
  std::vector<std::string> names_;
  MainSurvey of_main_;
};

}  // namespace

std::shared_ptr<const text::Tree> read_kernel(const std::string& path, const KernelRequest& request, Diagnostics& out,
                                              std::vector<std::string>* files) {
  KernelReader reader(path, request, out);
  auto tree = reader.read();
  if (files != nullptr) *files = reader.files();
  return tree;
}

}  // namespace ts::cpp
