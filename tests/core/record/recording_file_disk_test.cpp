// Saving recordings over old ones: whoever is killed, refused or without room leaves the old file or the new one, whole.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "core/record/recording_file.h"
#include "tests/support/process/cli.h"
#include "tests/support/process/temp_folder.h"
#include "tests/support/record/recorded.h"
#include "tests/support/scale.h"

namespace ts::test {
namespace {

std::string digest_in(const std::string& path) {
  const auto opened = open_recording(path, kPlentyOfBytes);
  if (const auto* error = std::get_if<data::Error>(&opened)) return error->text;
  const auto& file = std::get<RecordingFile>(opened);
  return file.recording->digest() == file.facts.digest ? file.facts.digest : "steps of another recording";
}

data::Error save(const Recording& recording, const std::string& path, const SaveOptions& options = {.every = 8}) {
  return save_recording(recording, recording.findings(), {}, path, options);
}

}  // namespace

TEST_CASE("recording file: a save that is killed leaves the old file or the new one") {
  const TempFolder folder;
  const std::string path = folder / "a.ptorec";
  const auto one = record_sample("row_loop"), other = record_sample("transpose_loop");
  const std::string digests[] = {one->digest(), other->digest()};
  REQUIRE(save(*one, path).text == "");
  const int kills = rounds(20, 60, 400);
  Random random(4);
  int seen[2] = {}, strays = 0;
  // Until each end was seen: on a busy machine the first kills may all come before a save has ended, so later ones wait
  // longer.
  const auto seen_all = [&] { return seen[0] > 0 && seen[1] > 0 && strays > 0; };
  for (int i = 0; i < kills || (!seen_all() && i < 20 * kills); ++i) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      for (int turn = i;; ++turn)
        if (!save(turn % 2 == 0 ? *other : *one, path).text.empty()) ::_exit(1);
    }
    constexpr std::uint32_t kLongestMicroseconds = 40'000;
    ::usleep(random.below(kLongestMicroseconds * static_cast<std::uint32_t>(1 + i / kills)));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));  // else a save failed
    const std::string found = digest_in(path);
    CAPTURE(found);
    REQUIRE((found == digests[0] || found == digests[1]));
    ++seen[found == digests[0] ? 0 : 1];
    REQUIRE(folder.entries() <= 2);  // what the killed one had begun
    strays += folder.entries() == 2 ? 1 : 0;
  }
  CHECK(seen[0] > 0);
  CHECK(seen[1] > 0);
  CHECK(strays > 0);
  CHECK(save(*one, path).text == "");
  CHECK(folder.entries() == 1);
}

TEST_CASE("recording file: a save that is stopped writes nothing") {
  const TempFolder folder;
  const std::string path = folder / "a.ptorec";
  const auto recording = record_sample("row_loop");
  put_text(path, "the old one");
  for (int asked = 0; asked < 3; ++asked) {
    int left = asked;
    SaveOptions options{.go_on = [&](std::uint32_t steps) {
      CHECK(steps <= recording->count());
      return left-- > 0;
    }};
    CHECK(save(*recording, path, options).text.find("stopped") != std::string::npos);
    CHECK(get_text(path) == "the old one");
    CHECK(folder.entries() == 1);
  }
}

TEST_CASE("recording file: two savers of one file") {
  const TempFolder folder;
  const std::string path = folder / "a.ptorec";
  const auto one = record_sample("row_loop"), other = record_sample("transpose_loop");
  int asked = 0;
  std::string second;
  // The second begins while the first is at work.
  SaveOptions options{.every = 8, .go_on = [&](std::uint32_t) {
                        if (++asked == 3) second = save(*other, path).text;
                        return true;
                      }};
  CHECK(save(*one, path, options).text == "");
  CHECK(second.find("somebody else is saving to it") != std::string::npos);
  CHECK(digest_in(path) == one->digest());
  CHECK(folder.entries() == 1);
}

TEST_CASE("recording file: many savers at once, each whole") {
  const TempFolder folder;
  const std::string path = folder / "a.ptorec";
  const auto one = record_sample("row_loop"), other = record_sample("transpose_loop");
  std::vector<pid_t> children;
  for (int c = 0; c < 4; ++c) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int i = 0; i < 15; ++i) save(c % 2 == 0 ? *one : *other, path);
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  const std::string found = digest_in(path);
  CHECK((found == one->digest() || found == other->digest()));
  CHECK(folder.entries() == 1);
}

TEST_CASE("recording file: no room on the disk") {
  const TempFolder folder;
  const std::string path = folder / "a.ptorec";
  const auto recording = record_sample("row_loop");
  put_text(path, "the old one");
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // A file that may not grow is as good as a full disk.
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit most{40'000, 40'000};
    ::setrlimit(RLIMIT_FSIZE, &most);
    const data::Error error = save(*recording, path);
    ::_exit(error.text.find("cannot be written") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(get_text(path) == "the old one");
  CHECK(folder.entries() == 1);
}

TEST_CASE("recording file: no more is written than there is room for") {
  const TempFolder folder;
  const auto recording = record_sample("row_loop");
  REQUIRE(save(*recording, folder / "a.ptorec").text == "");
  const std::uint64_t bytes = data::size_of(folder / "a.ptorec");
  for (const std::uint64_t left : {std::uint64_t{0}, std::uint64_t{5000}, bytes - 1}) {
    data::Room room{.left = left, .hint = "ask for more"};
    const data::Error error = save(*recording, folder / "b.ptorec", {.every = 8, .room = &room});
    CAPTURE(left);
    CHECK(error.text.find("bytes that may still be written") != std::string::npos);
    CHECK(error.hint == "ask for more");
    CHECK(folder.entries() == 1);
  }
  data::Room room{.left = bytes + 10};
  CHECK(save(*recording, folder / "b.ptorec", {.every = 8, .room = &room}).text == "");
  CHECK(room.left == 10);
}

TEST_CASE("recording file: places that cannot be written to") {
  const TempFolder folder;
  const auto recording = record_sample("row_loop");
  CHECK(save(*recording, folder / "none/a.ptorec").text.find("cannot be written") != std::string::npos);
  CHECK(save(*recording, folder.path()).text.find("it is a folder") != std::string::npos);
  CHECK(save(*recording, "/dev/null").text.find("it is a device") != std::string::npos);
  ::mkfifo((folder / "pipe").c_str(), 0600);
  CHECK(save(*recording, folder / "pipe").text.find("it is a pipe") != std::string::npos);
  CHECK(folder.entries() == 1);
}

TEST_CASE("recording file: a symbolic link stays one, and what is in the way of the new file does no harm") {
  const TempFolder folder;
  const auto recording = record_sample("row_loop");
  std::filesystem::create_directory(folder / "there");
  put_text(folder / "there/real.ptorec", "old");
  std::filesystem::create_symlink("there/real.ptorec", folder / "link.ptorec");
  CHECK(save(*recording, folder / "link.ptorec").text == "");
  CHECK(std::filesystem::is_symlink(folder / "link.ptorec"));
  CHECK(digest_in(folder / "there/real.ptorec") == recording->digest());
  // A link where the new file is made would lead elsewhere.
  put_text(folder / "precious", "precious");
  std::filesystem::create_symlink("precious", folder / ".b.ptorec.saving");
  CHECK(save(*recording, folder / "b.ptorec").text.find("cannot be written") != std::string::npos);
  CHECK(get_text(folder / "precious") == "precious");
}

TEST_CASE("recording file: what is none says so") {
  const TempFolder folder;
  const auto error_of = [&](const std::string& path) {
    const auto opened = open_recording(path);
    return std::holds_alternative<data::Error>(opened) ? std::get<data::Error>(opened).text : "opened";
  };
  const auto says = [&](const std::string& path, std::string_view part) {
    const std::string error = error_of(path);
    CAPTURE(error);
    CHECK(error.find(part) != std::string::npos);
    CHECK(error.starts_with(path));
  };
  says(folder / "none.ptorec", "No such file");
  says(folder.path(), "it is a folder");
  put_text(folder / "empty.ptorec", "");
  says(folder / "empty.ptorec", "the file is empty");
  put_text(folder / "text.ptorec", "module {}");
  says(folder / "text.ptorec", "this is not a recording");
  put_text(folder / "short.ptorec", std::string_view("SQLite format 3\0with", 20));
  says(folder / "short.ptorec", "truncated");
  ::mkfifo((folder / "pipe.ptorec").c_str(), 0600);
  says(folder / "pipe.ptorec", "it is a pipe");
  const auto recording = record_sample("row_loop");
  REQUIRE(save(*recording, folder / "a.ptorec").text == "");
  const std::string good = get_text(folder / "a.ptorec");
  std::string foreign = good;
  foreign.replace(68, 4, std::string(4, '\0'));
  put_text(folder / "foreign.ptorec", foreign);
  says(folder / "foreign.ptorec", "an SQLite database of another kind");
  std::string newer = good;
  newer.replace(60, 4, std::string("\0\0\0\6", 4));
  put_text(folder / "newer.ptorec", newer);
  says(folder / "newer.ptorec", "made by a newer TileScope (format 6; this one reads 5)");
  // Names that mean something to SQLite.
  std::filesystem::copy(folder / "a.ptorec", folder / "100%3f?x=1#y.ptorec");
  CHECK(digest_in(folder / "100%3f?x=1#y.ptorec") == recording->digest());
  CHECK(is_recording_file(folder / "a.ptorec"));
  CHECK(is_recording_file("whatever.ptorec"));
  CHECK(!is_recording_file("samples/row_loop.pto"));
  CHECK(!is_recording_file(folder.path()));
  std::filesystem::copy(folder / "a.ptorec", folder / "a.bin");
  CHECK(is_recording_file(folder / "a.bin"));
}

}  // namespace ts::test
