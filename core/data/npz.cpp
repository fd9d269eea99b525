// Unpacking by libzip, from memory, with every size bounded by what was asked for and not by what the archive says.
#include "core/data/npz.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "core/data/file.h"
#include "core/data/utf8.h"

namespace ts::data {
namespace {

constexpr std::size_t kMostMembers = 4096;
constexpr std::size_t kLongestName = 255;
constexpr std::string_view kMember = ".npy";
constexpr const char* kSaveAgain = "write it again with numpy.savez";

struct CloseArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseMember {
  void operator()(zip_file_t* member) const { zip_fclose(member); }
};

// The library makes an entry for each record of the directory, and each begins with this mark: counted first, they cannot
// take more memory than a few thousand do.
bool has_too_many_members(const std::vector<std::byte>& bytes) {
  constexpr std::string_view kMark = "PK\x01\x02";
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::size_t count = 0;
  for (std::size_t at = text.find(kMark); at != text.npos; at = text.find(kMark, at + kMark.size()))
    if (++count > kMostMembers) return true;
  return false;
}

}  // namespace

struct Npz::Opened {
  std::string path;
  std::vector<std::byte> bytes;
  std::unique_ptr<zip_t, CloseArchive> archive = {};  // looks into the bytes
  std::vector<std::string> names = {};
  std::map<std::string, zip_uint64_t> members = {};

  std::optional<Error> open() {
    if (has_too_many_members(bytes))
      return Error{fmt::format("{}: has more than {} members", path, kMostMembers), "split it into several archives"};
    zip_error_t wrong;
    zip_error_init(&wrong);
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &wrong);
    if (source != nullptr) archive.reset(zip_open_from_source(source, ZIP_RDONLY, &wrong));
    if (source != nullptr && archive == nullptr) zip_source_free(source);
    const std::string why = archive == nullptr ? zip_error_strerror(&wrong) : "";
    zip_error_fini(&wrong);
    if (archive == nullptr) return Error{fmt::format("{}: it is no .npz archive: {}", path, why), kSaveAgain};
    return list();
  }

  std::optional<Error> list() {
    const auto count = static_cast<zip_uint64_t>(std::max<zip_int64_t>(zip_get_num_entries(archive.get(), 0), 0));
    for (zip_uint64_t i = 0; i < count; ++i) {
      const char* written = zip_get_name(archive.get(), i, ZIP_FL_ENC_RAW);
      const std::string_view member = written == nullptr ? "" : written;
      if (!member.ends_with(kMember) || member.size() > kLongestName) continue;
      const std::string name(member.substr(0, member.size() - kMember.size()));
      if (!members.emplace(name, i).second)
        return Error{fmt::format("{}: holds the array {} twice", path, shown_name(name)), kSaveAgain};
      names.push_back(name);
    }
    return {};
  }
};

Npz::Npz(std::unique_ptr<Opened> opened) : opened_(std::move(opened)) {}
Npz::Npz(Npz&&) noexcept = default;
Npz& Npz::operator=(Npz&&) noexcept = default;
Npz::~Npz() = default;

std::variant<Npz, Error> Npz::open(const std::string& path, std::uint64_t most_bytes) {
  auto file = read_file(path, most_bytes);
  if (auto* error = std::get_if<Error>(&file)) return std::move(*error);
  auto opened = std::make_unique<Opened>(Opened{path, std::move(std::get<std::vector<std::byte>>(file))});
  if (auto error = opened->open()) return std::move(*error);
  return Npz(std::move(opened));
}

const std::vector<std::string>& Npz::names() const { return opened_->names; }

std::variant<Array, Error> Npz::read(const std::string& name, std::uint64_t most_bytes) const {
  const std::string called = fmt::format("{}:{}", opened_->path, shown_name(name));
  const auto found = opened_->members.find(name);
  if (found == opened_->members.end())
    return Error{fmt::format("{}: the archive has no such array", called),
                 opened_->names.empty() ? "it has none" : fmt::format("it has {}", some_of(opened_->names))};
  const auto refused = [&](const std::string& why) { return Error{fmt::format("{}: {}", called, why), kSaveAgain}; };
  zip_t* archive = opened_->archive.get();
  const std::unique_ptr<zip_file_t, CloseMember> member(zip_fopen_index(archive, found->second, 0));
  if (member == nullptr) return refused(fmt::format("cannot be unpacked: {}", zip_strerror(archive)));
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  std::vector<std::byte> piece(kPiece), bytes;
  for (;;) {
    const zip_int64_t count = zip_fread(member.get(), piece.data(), piece.size());
    if (count < 0) return refused(fmt::format("cannot be unpacked: {}", zip_file_strerror(member.get())));
    if (count == 0) break;
    if (bytes.size() + static_cast<std::size_t>(count) > most_bytes)
      return Error{fmt::format("{}: unpacks to more than {} bytes", called, most_bytes), "give a part of the array"};
    bytes.insert(bytes.end(), piece.begin(), piece.begin() + count);
  }
  return take_npy(std::move(bytes), called);
}

std::optional<NpzPlace> place_in_npz(std::string_view path) {
  constexpr std::string_view kArchive = ".npz", kPlace = ".npz:";
  if (path.ends_with(kArchive)) return NpzPlace{std::string(path), ""};
  const std::size_t at = path.rfind(kPlace);
  if (at == path.npos) return {};
  return NpzPlace{std::string(path.substr(0, at + kArchive.size())), std::string(path.substr(at + kPlace.size()))};
}

std::variant<Array, Error> read_npz_array(const std::string& archive, const std::string& name,
                                          std::uint64_t most_bytes) {
  auto opened = Npz::open(archive, most_bytes);
  if (auto* error = std::get_if<Error>(&opened)) return std::move(*error);
  const Npz& npz = std::get<Npz>(opened);
  if (!name.empty()) return npz.read(name, most_bytes);
  if (npz.names().size() == 1) return npz.read(npz.names().front(), most_bytes);
  return Error{
      fmt::format("{}: holds {} arrays; which one is meant?", archive, npz.names().size()),
      npz.names().empty() ? kSaveAgain : fmt::format("name it: {}:NAME, one of {}", archive, some_of(npz.names()))};
}

}  // namespace ts::data
