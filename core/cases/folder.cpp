// Looking through a folder.
#include "core/cases/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <system_error>

#include "core/data/file.h"
#include "core/data/npz.h"
#include "core/data/reading.h"
#include "core/data/utf8.h"

namespace ts::cases {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 10'000;
constexpr std::uint64_t kMostManifestBytes = std::uint64_t{1} << 20;
constexpr const char* kScriptHint = "assets/python/write_case.py writes a case from tensors of NumPy or Torch";

bool ends_in_one_of(std::string_view name, std::initializer_list<std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

std::string without_ending(const std::string& name) { return name.substr(0, name.rfind('.')); }

// The names in it, sorted; of a folder that cannot be read the error.
std::variant<std::vector<std::string>, data::Error> names_in(const std::string& path) {
  std::error_code wrong;
  std::vector<std::string> names;
  for (fs::directory_iterator at(path, wrong), end; !wrong && at != end; at.increment(wrong)) {
    if (names.size() == kMostFiles)
      return data::Error{fmt::format("{}: has more than {} files", path, kMostFiles), "a case has a folder of its own"};
    names.push_back(at->path().filename().string());
  }
  if (wrong) return data::Error{fmt::format("{}: cannot be read: {}", path, wrong.message()), ""};
  std::ranges::sort(names);
  return names;
}

std::variant<Manifest, data::Error> manifest_in(const std::string& folder) {
  auto path = file_in(folder, kManifestName);
  if (auto* error = std::get_if<data::Error>(&path)) return std::move(*error);
  const auto file = data::read_file(std::get<std::string>(path), kMostManifestBytes);
  if (const auto* error = std::get_if<data::Error>(&file))
    return data::Error{error->text, "a manifest has 1 MiB at most"};
  const auto& bytes = std::get<std::vector<std::byte>>(file);
  return parse_manifest({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                        fmt::format("{}/{}", folder, kManifestName));
}

class FolderReader {
 public:
  explicit FolderReader(std::string path) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    out_.path = std::move(path);
  }

  std::variant<Folder, data::Error> read() {
    auto names = names_in(out_.path);
    if (auto* error = std::get_if<data::Error>(&names)) return std::move(*error);
    names_ = std::move(std::get<std::vector<std::string>>(names));
    out_.has_manifest = std::ranges::find(names_, kManifestName) != names_.end();
    if (out_.has_manifest ? !read_manifest() : !read_arrays()) return std::move(error_);
    if (!choose_program()) return std::move(error_);
    return std::move(out_);
  }

 private:
  bool fail(std::string text, std::string hint) {
    error_ = {std::move(text), std::move(hint)};
    return false;
  }
  bool fail(data::Error error) { return fail(std::move(error.text), std::move(error.hint)); }

  bool read_manifest() {
    auto manifest = manifest_in(out_.path);
    if (auto* error = std::get_if<data::Error>(&manifest)) return fail(std::move(*error));
    out_.manifest = std::move(std::get<Manifest>(manifest));
    return true;
  }

  bool read_arrays() {
    for (const std::string& name : names_) {
      if (ends_in_one_of(name, {".pt", ".pth", ".pkl", ".ckpt"}))
        out_.notes.push_back(
            fmt::format("{}/{} is not read: reading it would run what is in it; {}", out_.path, name, kScriptHint));
      if (name.ends_with(".npz") ? !add_archive(name) : !add_file(name)) return false;
    }
    return is_single(out_.inputs, "the array") && is_single(out_.goldens, "the golden");
  }

  bool add_file(const std::string& name) {
    if (!ends_in_one_of(name, {".npy", ".bin", ".raw"})) return true;
    const auto path = file_in(out_.path, name);
    if (const auto* error = std::get_if<data::Error>(&path)) return fail(*error);
    add(without_ending(name), {name}, false);
    return true;
  }

  bool add_archive(const std::string& name) {
    const auto path = file_in(out_.path, name);
    if (const auto* error = std::get_if<data::Error>(&path)) return fail(*error);
    const auto archive = data::Npz::open(std::get<std::string>(path));
    if (const auto* error = std::get_if<data::Error>(&archive)) return fail(*error);
    const auto whole = golden_of(without_ending(name));
    for (const std::string& member : std::get<data::Npz>(archive).names())
      add(member, {name, member}, whole && whole->empty());
    return true;
  }

  void add(const std::string& stem, ArraySource source, bool golden) {
    const auto of = golden_of(stem);
    if (of || golden) out_.goldens.push_back({of.value_or(stem), std::move(source)});
    else out_.inputs.push_back({stem, std::move(source)});
  }

  bool is_single(const std::vector<FoundArray>& arrays, const char* what) {
    std::map<std::string, const FoundArray*> seen;
    for (const FoundArray& array : arrays) {
      const auto [at, is_new] = seen.try_emplace(array.name, &array);
      if (!is_new)
        return fail(fmt::format("{}: {} {} is there twice: {} and {}", out_.path, what, array.name,
                                at->second->source.called(), array.source.called()),
                    "remove one, or say in case.json which is meant");
    }
    return true;
  }

  bool choose_program() {
    std::string name = out_.manifest.program;
    if (name.empty()) {
      std::vector<std::string> programs;
      std::ranges::copy_if(names_, std::back_inserter(programs),
                           [](const std::string& one) { return one.ends_with(".pto"); });
      if (programs.empty())
        return fail(fmt::format("{}: is a folder without a .pto file", out_.path),
                    names_.empty() ? "it is empty; a case is a program with its arrays, see assets/manual/cases.md"
                                   : "a case is a program with its arrays, see assets/manual/cases.md");
      if (programs.size() > 1)
        return fail(fmt::format("{}: has {} programs: {}", out_.path, programs.size(), data::some_of(programs)),
                    fmt::format("case.json says which: {{\"program\": \"{}\"}}; or name the .pto file in it",
                                programs.front()));
      name = programs.front();
    }
    auto path = file_in(out_.path, name);
    if (const auto* error = std::get_if<data::Error>(&path)) return fail(*error);
    out_.program = std::move(std::get<std::string>(path));
    return true;
  }

  Folder out_;
  std::vector<std::string> names_;
  data::Error error_;
};

}  // namespace

std::optional<std::string> golden_of(std::string_view stem) {
  const auto is_join = [](char c) { return c == '_' || c == '-' || c == '.'; };
  std::string small(stem);
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const std::string_view word : {"golden", "goldens", "expected"}) {
    if (small == word) return "";
    if (small.size() < word.size() + 2) continue;
    if (small.starts_with(word) && is_join(small[word.size()])) return std::string(stem.substr(word.size() + 1));
    if (small.ends_with(word) && is_join(small[small.size() - word.size() - 1]))
      return std::string(stem.substr(0, stem.size() - word.size() - 1));
  }
  return {};
}

std::variant<Folder, data::Error> open_folder(const std::string& path) { return FolderReader(path).read(); }

std::map<std::string, std::string> source_sums(const std::string& path) {
  std::error_code wrong;
  if (!fs::is_regular_file(fs::path(path) / kManifestName, wrong)) return {};
  auto manifest = manifest_in(path);
  auto* found = std::get_if<Manifest>(&manifest);
  return found == nullptr ? std::map<std::string, std::string>() : std::move(found->sources);
}

std::variant<std::string, data::Error> file_in(const std::string& folder, const std::string& name) {
  const auto refused = [&](const std::string& why, const std::string& hint) {
    return data::Error{fmt::format("{}/{}: {}", folder, name, why), hint};
  };
  if (name.empty() || name.find('\0') != name.npos)
    return data::Error{fmt::format("{}: the name of a file is empty or holds a zero byte", folder), ""};
  std::error_code wrong;
  const fs::path root = fs::canonical(folder, wrong);
  if (wrong) return data::Error{fmt::format("{}: cannot be read: {}", folder, wrong.message()), ""};
  if (fs::path(name).is_absolute())
    return data::Error{fmt::format("{}: {} begins at the root", folder, name), "a case names files in its own folder"};
  const fs::path path = root / name;
  if (fs::symlink_status(path, wrong).type() == fs::file_type::not_found)
    return refused("there is no such file", "a case names files in its own folder");
  const fs::path whole = fs::canonical(path, wrong);
  if (wrong) return refused(fmt::format("cannot be read: {}", wrong.message()), "is it a link that leads nowhere?");
  if (!data::is_inside(whole, root))
    return refused("leads out of the case's folder", "nothing outside of it is opened; copy the file into it");
  if (auto error = data::unreadable(whole.string())) return std::move(*error);
  return fmt::format("{}/{}", folder, name);
}

}  // namespace ts::cases
