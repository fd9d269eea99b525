// The compiler at work.
#include "core/cpp/build.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>

#include "core/cpp/core_parts.h"
#include "core/cpp/header.h"
#include "core/cpp/header_files.h"
#include "core/cpp/includes.h"
#include "core/cpp/launches.h"
#include "core/cpp/process.h"
#include "core/cpp/scan.h"
#include "core/cpp/unknown_names.h"
#include "core/data/checksum.h"
#include "core/data/file.h"

namespace ts::cpp {
namespace {

namespace fs = std::filesystem;

std::string sum_of(std::string_view text) { return data::checksum_of(std::as_bytes(std::span(text))).substr(0, 16); }

std::string cache_folder(const BuildRequest& request) {
  if (!request.folder.empty()) return request.folder;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && cache[0] == '/')
    return std::string(cache) + "/tilescope/cpp";
  if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/')
    return std::string(home) + "/.cache/tilescope/cpp";
  return fs::temp_directory_path().string() + fmt::format("/tilescope-cpp-{}", getuid());
}

bool write_text(const std::string& path, std::string_view text) {
  return data::write_file(path, {std::as_bytes(std::span(text))}).text.empty();
}

struct HeaderText {
  std::string path, text;
};
std::vector<HeaderText> all_headers() {
  constexpr std::string_view kRoot = "assets/cpp/";
  std::vector<HeaderText> out;
  for (const HeaderFile& file : header_files())
    out.push_back({std::string(file.path.substr(kRoot.size())), std::string(file.text)});
  out.push_back({"tilescope/options.h", options_header()});
  out.push_back({"tilescope/instructions.h", instructions_header()});
  return out;
}

std::string error_at(const std::string& rule, std::string text, std::string hint, Diagnostics& out) {
  Diagnostic error{rule, Severity::Error, {1, 1}, "", std::move(text), std::move(hint)};
  out.push_back(std::move(error));
  return {};
}

std::string choose_compiler(const BuildRequest& request, Diagnostics& out) {
  std::vector<std::string> wanted;
  if (!request.compiler.empty()) wanted = {request.compiler};
  else {
    if (const char* given = std::getenv("CXX"); given != nullptr && given[0] != '\0') {
      const std::string words(given);
      wanted.push_back(words.substr(0, words.find(' ')));
    }
    for (const char* usual : {"g++", "clang++"}) wanted.push_back(usual);
  }
  for (const std::string& one : wanted)
    if (std::string found = find_program(one); !found.empty()) return found;
  return error_at("E-CPP-COMPILER", fmt::format("no C++ compiler was found: looked for {}", fmt::join(wanted, ", ")),
                  "install g++, or name one with --cxx", out);
}

// What the unit defines for a target and a kind of core; the others only where the source asks for them, since they hide
// code.
std::vector<std::string> target_defines(Target target, CoreKind kind, std::string_view source) {
  const bool a5 = target == Target::A5;
  std::vector<std::string> out = {"-D__CPU_SIM", a5 ? "-DPTO_NPU_ARCH_A5" : "-DPTO_NPU_ARCH_A2A3"};
  if (source.find("__CCE_AICORE__") != std::string_view::npos)
    out.push_back(a5 ? "-D__CCE_AICORE__=310" : "-D__CCE_AICORE__=220");
  for (std::string& word : core_macros(source, a5, kind)) out.push_back("-D" + word);
  return out;
}

std::vector<std::string> options_of(const BuildRequest& request, const std::string& compiler,
                                    const std::string& include, Target target, CoreKind kind, std::string_view source) {
  const bool clang = compiler.find("clang") != std::string::npos;
  std::vector<std::string> out = {"-std=" + request.standard,
                                  "-O1",
                                  "-g",
                                  "-fno-omit-frame-pointer",
                                  "-w",
                                  "-I" + include,
                                  "-fno-pie",
                                  "-fdiagnostics-color=never",
                                  clang ? "-fno-caret-diagnostics" : "-fno-diagnostics-show-caret"};
  // A turn that was copied out of its loop would be a place of its own.
  out.push_back("-fno-unroll-loops");
  if (!clang)
    for (const char* one : {"--param=max-completely-peel-times=0", "--param=max-completely-peeled-insns=0"})
      out.push_back(one);
  for (std::string& one : target_defines(target, kind, source)) out.push_back(std::move(one));
  for (const std::string& one : request.include) out.push_back("-I" + one);
  for (const std::string& one : request.define) out.push_back("-D" + one);
  return out;
}

// What tests without a main are started by.
constexpr std::string_view kTestMain =
    "#include \"gtest/gtest.h\"\nint main(int count, char** words) {\n  testing::InitGoogleTest(&count, words);\n"
    "  return RUN_ALL_TESTS();\n}\n";

std::string unit_text(const std::string& source, const std::vector<std::string>& entries, bool test_main) {
  std::string text = fmt::format(
      "#include \"{}\"\n#include \"tilescope/entry.h\"\n#include \"tilescope/host.h\"\n{}\nextern \"C\" {{\n"
      "const ts_entry ts_entries[] = {{\n",
      source, test_main ? kTestMain : "");
  for (const std::string& entry : entries) {
    if (entry == kMainEntry) {
      text += fmt::format("  {{\"{}\", ts_start_main, ts_describe_main}},\n", kMainEntry);
      continue;
    }
    std::string quoted;
    for (const char c : entry)
      if (c != '"' && c != '\\' && c != '\n') quoted += c;
    text += fmt::format("#line 1 \"entry\"\n  TS_ENTRY(\"{0}\", ({0})),\n", quoted);
  }
  return text + fmt::format("}};\nconst unsigned ts_entry_count = {};\n}}\n", entries.size());
}

}  // namespace

std::string include_folder(const BuildRequest& request) {
  const std::vector<HeaderText> headers = all_headers();
  std::string all;
  for (const HeaderText& one : headers) all += one.path + one.text;
  const std::string folder = cache_folder(request) + "/include-" + sum_of(all);
  std::error_code failed;
  if (fs::exists(folder + "/complete", failed)) return folder;
  for (const HeaderText& one : headers) {
    const std::string path = folder + "/" + one.path;
    fs::create_directories(fs::path(path).parent_path(), failed);
    if (!write_text(path, one.text)) return {};
  }
  return write_text(folder + "/complete", "\n") ? folder : "";
}

std::string keep_source(const std::string& name, std::string_view text, const BuildRequest& request) {
  const std::string folder = cache_folder(request) + "/source-" + sum_of(text), path = folder + "/" + name;
  std::error_code failed;
  fs::create_directories(folder, failed);
  return write_text(path, text) ? path : "";
}

Diagnostics read_errors(const std::string& output, const std::string& source) {
  static const std::regex kLine(R"(^(.*?):(\d+):(?:(\d+):)? (?:fatal )?(error|note): (.*)$)");
  static const std::regex kRequired(R"(^(.*?):(\d+):(?:(\d+):)?   +required from here)");
  constexpr std::size_t kMost = 5;
  const std::string name = fs::path(source).filename();
  Diagnostics out;
  SourcePos from{};  // the last line of the source that instantiated something
  for (std::string_view left = output; !left.empty() && out.size() < kMost;) {
    const std::string line(left.substr(0, left.find('\n')));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
    std::smatch found;
    constexpr std::size_t kLongest = 1000;
    if (line.size() > kLongest) continue;
    const auto number = [&](int group) {
      return static_cast<std::uint32_t>(std::strtoul(found[group].str().c_str(), nullptr, 10));
    };
    if (std::regex_search(line, found, kRequired)) {
      if (fs::path(found[1].str()).filename() == name) from = {number(2), std::max(number(3), 1u)};
      continue;
    }
    if (!std::regex_match(line, found, kLine) || found[4] != "error") continue;
    const bool own = fs::path(found[1].str()).filename() == name;
    std::string text = found[5].str();
    constexpr std::string_view kAssert = "static assertion failed: ";
    const bool asserted = text.starts_with(kAssert);
    if (asserted) text.erase(0, kAssert.size());
    Diagnostic error{"E-CPP-COMPILE", Severity::Error, {1, 1}, "", text, ""};
    if (own) error.pos = {number(2), std::max(number(3), 1u)};
    else if (from.line != 0) error.pos = from;
    if (!own && !asserted)
      error.text = fmt::format("{}:{}: {}", fs::path(found[1].str()).filename().string(), number(2), text);
    explain_unknown(error);
    from = {};
    out.push_back(std::move(error));
  }
  if (out.empty()) error_at("E-CPP-COMPILE", fmt::format("the compiler failed: {}", output.substr(0, 300)), "", out);
  return out;
}

namespace {

// What is compiled, and how.
class Builder {
 public:
  Builder(const std::vector<std::string>& entries, Target target, CoreKind kind, const BuildRequest& request)
      : entries_(entries), target_(target), kind_(kind), request_(request), folder_(cache_folder(request)) {}

  Built build(const std::vector<std::string>& sources) {
    if (choose() && read(sources) && write_units()) link();
    return std::move(out_);
  }

 private:
  bool fail(std::string text, std::string hint) {
    error_at("E-CPP-COMPILE", std::move(text), std::move(hint), out_.errors);
    return false;
  }
  bool tell(const std::string& output) {
    out_.errors = read_errors(output, sources_.front().path);
    return false;
  }

  // Of files that are for this kind of core: another one may be compiled beside it.
  std::string own_sum(const std::string& text) const { return sum_of(text + std::string(name(kind_))); }

  bool choose() {
    compiler_ = choose_compiler(request_, out_.errors);
    if (compiler_.empty()) return false;
    include_ = include_folder(request_);
    return !include_.empty() ||
           fail(fmt::format("the folder for builds cannot be written: {}", folder_), "XDG_CACHE_HOME names another");
  }

  bool read(const std::vector<std::string>& sources) {
    constexpr std::uint64_t kMostSource = std::uint64_t{64} << 20;
    for (const std::string& source : sources) {
      auto read = data::read_file(source, kMostSource);
      if (const auto* error = std::get_if<data::Error>(&read)) return fail(error->text, error->hint);
      const auto& bytes = std::get<std::vector<std::byte>>(read);
      sources_.push_back({fs::absolute(source).lexically_normal(),
                          std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())});
      if (sources_.back().path.find_first_of("\"\\\n") != std::string::npos)
        return fail("the file's path has a quote or a backslash", "");
    }
    return true;
  }

  // The first source is part of a unit that knows its entries; of launches a copy is compiled in which they are calls.
  bool write_units() {
    std::string whole;
    for (const Source& one : sources_) whole += with_included(one.path, one.text, request_.include).text;
    options_ = options_of(request_, compiler_, include_, target_, kind_, whole);
    for (const Source& one : sources_) {
      std::string& unit = units_.emplace_back(one.path);
      if (!has_launch(one.text)) continue;
      unit = folder_ + "/launches-" + own_sum(one.path) + ".cpp";
      if (!write_text(unit, fmt::format("#line 1 \"{}\"\n{}", one.path, with_launches_called(one.text))))
        return fail(fmt::format("{} cannot be written", unit), "");
      for (const std::string& word : {std::string("-iquote"), fs::path(one.path).parent_path().string()})
        options_.push_back(word);
    }
    const bool is_main = entries_.front() == kMainEntry;
    const bool test_main =
        is_main && std::ranges::none_of(sources_, [](const Source& one) { return scan_source(one.text).has_main; });
    const std::string text = unit_text(units_.front(), entries_, test_main);
    units_.front() = folder_ + "/unit-" + own_sum(text + sources_.front().path) + ".cpp";
    return write_text(units_.front(), text) || fail(fmt::format("{} cannot be written", units_.front()), "");
  }

  Ran run(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {compiler_};
    words.insert(words.end(), options_.begin(), options_.end());
    words.insert(words.end(), more.begin(), more.end());
    return run_process(words, request_.go_on);
  }

  // What the compiler reads of all units decides whether there is anything to do; "": it cannot read them.
  std::string sum_of_all() {
    std::string sums;
    for (const std::string& unit : units_) {
      const std::string file = folder_ + fmt::format("/read-{}-{}.i", own_sum(unit), getpid());
      const Ran before = run({"-E", unit, "-o", file});
      auto whole = data::read_file(file, std::uint64_t{256} << 20);
      std::error_code ignored;
      fs::remove(file, ignored);
      const auto* bytes = std::get_if<std::vector<std::byte>>(&whole);
      if (before.stopped || before.status != 0 || bytes == nullptr) {
        before.stopped ? fail("it was stopped", "") : tell(before.output);
        return {};
      }
      sums += data::checksum_of(*bytes);
    }
    return sum_of(sums + fmt::format("{}", fmt::join(options_, " ")) + compiler_);
  }

  bool link() {
    const std::string sum = sum_of_all();
    if (sum.empty()) return false;
    const std::string program = folder_ + "/kernel-" + sum;
    std::error_code ignored;
    if (!fs::exists(program, ignored)) {
      const std::string made = program + fmt::format(".{}", getpid());
      // A main of the source is called by ours.
      std::vector<std::string> words = {"-no-pie", "-Wl,--wrap=main", include_ + "/tilescope/runtime.cpp", "-o", made};
      words.insert(words.end(), units_.begin(), units_.end());
      const Ran ran = run(words);
      if (ran.stopped) return fail("it was stopped", "");
      if (ran.status != 0) {
        fs::remove(made, ignored);
        return tell(ran.output);
      }
      fs::rename(made, program, ignored);
    }
    out_.program = program;
    return true;
  }

  struct Source {
    std::string path, text;
  };
  const std::vector<std::string>& entries_;
  Target target_;
  CoreKind kind_;
  const BuildRequest& request_;
  std::string folder_, compiler_, include_;
  std::vector<Source> sources_;
  std::vector<std::string> options_, units_;
  Built out_;
};

}  // namespace

Built build_kernel(const std::vector<std::string>& sources, const std::vector<std::string>& entries, Target target,
                   CoreKind kind, const BuildRequest& request) {
  return Builder(entries, target, kind, request).build(sources);
}

std::vector<std::vector<BuiltParameter>> describe_entries(const std::string& program, std::size_t entries) {
  std::vector<std::vector<BuiltParameter>> out;
  const Ran ran = run_process({program, "--describe"});
  for (std::string_view left = ran.output; !left.empty() && out.size() < entries;) {
    std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
    line.remove_prefix(std::min(line.find('\t') + 1, line.size()));
    std::vector<BuiltParameter>& parameters = out.emplace_back();
    for (std::size_t at = 0; (at = line.find(' ', at)) != std::string_view::npos; ++at)
      if (at + 1 < line.size())
        parameters.push_back({line[at + 1], std::atoi(std::string(line.substr(at + 2, 4)).c_str())});
  }
  return out;
}

}  // namespace ts::cpp
