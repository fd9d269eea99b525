// Whole files in and out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/data/error.h"

namespace ts::data {

// Regular files only, so that reading always ends. Files beyond `most_bytes` are refused before they are read.
std::variant<std::vector<std::byte>, Error> read_file(const std::string& path, std::uint64_t most_bytes);

// The parts one after the other. They are written beside the file, which is then replaced at once: a failure leaves the old
// one. A symbolic link stays, and the file it names is replaced. Empty text: it worked.
Error write_file(const std::string& path, std::initializer_list<std::span<const std::byte>> parts);

// What happens to a file that is there already. No: it is an error, and the file stays.
enum class Replace : std::uint8_t { Yes, No };

// How much may be written, by all who share it.
struct Room {
  std::uint64_t left = ~0ull;
  std::string hint = {};  // where more is to be had

  // A file of so many bytes would not fit.
  std::optional<Error> too_large(const std::string& path, std::uint64_t bytes) const;
};

struct WriteRules {
  Replace replace = Replace::Yes;
  Room* room = nullptr;              // null: all there is
  std::function<bool()> go_on = {};  // asked now and then; false: nothing is written
  WriteRules() = default;
  WriteRules(Replace what) : replace(what) {}  // NOLINT: most have no more to say
};

// The same for a file that is made piece by piece. It is written beside its place and takes it in `finish`; without that
// nothing is left of it.
class FileWriter {
 public:
  explicit FileWriter(std::string path, WriteRules rules = {});
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  // After the first failure nothing happens any more; `finish` says what it was.
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  bool good() const { return error_.text.empty(); }
  Error finish();

 private:
  void flush();
  void take_place();

  std::string path_, target_, beside_;
  WriteRules rules_;
  int descriptor_ = -1;
  std::uint64_t bytes_ = 0;
  std::vector<std::byte> buffer_;
  Error error_;
};

// Where a script may write: new files below a folder. The path has to be relative and end in one of `endings` (".csv");
// no part of it may begin with a dot or be a link that leads out. Its own folder has to be there.
std::variant<std::string, Error> new_file_below(const std::string& folder, const std::string& path,
                                                std::initializer_list<std::string_view> endings);

// What is wrong with reading a file there; nothing: it is a regular file that may be read.
std::optional<Error> unreadable(const std::string& path);

// What a file takes on the disk: of one with holes, less than its size. 0: nobody knows.
std::uint64_t bytes_on_disk(const std::string& path);
std::uint64_t size_of(const std::string& path);  // 0: there is none

// A file that is written beside another one and takes its place when it is whole. Whenever the process is killed, the
// path holds the old file or the new one. What a killed process leaves behind has one name for every path, so that the
// next one takes it over.
class Replacement {
 public:
  Replacement() = default;
  ~Replacement();
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  // Makes an empty file beside `path`. Refused while somebody else is at it.
  Error begin(const std::string& path);
  const std::string& beside() const { return beside_; }
  // Brings it to the disk and puts it in its place. Without it everything stays as it was.
  Error commit();

 private:
  std::string path_, target_, beside_;
  int descriptor_ = -1;
};

}  // namespace ts::data
