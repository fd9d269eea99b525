// The forms of films.
#include "core/data/film/film.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/data/file.h"
#include "core/data/film/child_program.h"
#include "core/data/film/gif.h"

namespace ts::data {
namespace {

namespace fs = std::filesystem;

class GifForm : public FilmForm {
 public:
  explicit GifForm(const std::string& path) : writer_(path) {}
  bool add(const Picture& picture, std::uint32_t hundredths) override {
    writer_.add(picture, hundredths);
    return true;
  }
  Error finish() override { return writer_.finish(); }

 private:
  GifWriter writer_;
};

// Beside its place until it is whole.
class FolderForm : public FilmForm {
 public:
  explicit FolderForm(std::string path) : path_(std::move(path)), beside_(path_ + ".part") {
    std::error_code code;
    if (fs::exists(path_, code) && !fs::is_empty(path_, code))
      error_ = {fmt::format("{} is there already", path_), "name a folder that is not, or one that is empty"};
    else if (!fs::create_directories(beside_, code))
      error_ = {fmt::format("{} cannot be made: {}", beside_, code ? code.message() : "it is there already"),
                "take it away, or name another folder"};
    owns_ = error_.text.empty();
  }
  ~FolderForm() override {
    std::error_code code;
    if (owns_) fs::remove_all(beside_, code);
  }
  bool add(const Picture& picture, std::uint32_t) override {
    if (!error_.text.empty()) return false;
    error_ = write_file(fmt::format("{}/frame-{:05}.png", beside_, ++count_), {format_png(picture)});
    return error_.text.empty();
  }
  Error finish() override {
    if (!error_.text.empty()) return error_;
    std::error_code code;
    fs::remove(path_, code);  // an empty one
    fs::rename(beside_, path_, code);
    owns_ = static_cast<bool>(code);
    return code ? Error{fmt::format("{}: {}", path_, code.message()), ""} : Error{};
  }

 private:
  std::string path_, beside_;
  std::uint32_t count_ = 0;
  bool owns_ = false;
  Error error_;
};

constexpr const char* kMissing = "apt-get install ffmpeg; a .gif needs nothing";

class WebmForm : public FilmForm {
 public:
  WebmForm(std::string path, std::string program, std::uint32_t fps)
      : path_(std::move(path)), beside_(path_ + ".part.webm"), program_(std::move(program)), fps_(fps) {}
  ~WebmForm() override {
    child_.reset();
    std::error_code code;
    if (!done_) fs::remove(beside_, code);
  }
  // As often as it lasts.
  bool add(const Picture& picture, std::uint32_t hundredths) override {
    if (child_ == nullptr) begin(picture);
    const std::uint32_t times = std::max(1u, (hundredths * fps_ + 50) / 100);
    for (std::uint32_t i = 0; i < times && works_; ++i) works_ = child_->write(std::as_bytes(std::span(picture.rgb)));
    return works_;
  }
  Error finish() override {
    const bool worked = child_ != nullptr && child_->finish() == 0;
    std::error_code code;
    if (worked) fs::rename(beside_, path_, code);
    done_ = worked && !code;
    return done_ ? Error{}
                 : Error{fmt::format("{}: {} could not make it", path_, program_),
                         "it needs libvpx (ffmpeg -encoders lists it), and a folder that can be written to"};
  }

 private:
  void begin(const Picture& picture) {
    child_ = std::make_unique<ChildProgram>(
        std::vector<std::string>{program_,    "-y",
                                 "-loglevel", "error",
                                 "-f",        "rawvideo",
                                 "-pix_fmt",  "rgb24",
                                 "-s",        fmt::format("{}x{}", picture.width, picture.height),
                                 "-r",        std::to_string(fps_),
                                 "-i",        "-",
                                 "-c:v",      "libvpx-vp9",
                                 "-b:v",      "0",
                                 "-crf",      "24",
                                 "-pix_fmt",  "yuv444p",
                                 "-deadline", "realtime",
                                 "-cpu-used", "6",
                                 beside_});
    works_ = child_->started();
  }

  std::string path_, beside_, program_;
  std::uint32_t fps_;
  std::unique_ptr<ChildProgram> child_;
  bool works_ = true, done_ = false;
};

}  // namespace

std::variant<std::unique_ptr<FilmForm>, Error> film_form(const std::string& path, std::uint32_t fps) {
  if (path.ends_with(".gif")) return std::make_unique<GifForm>(path);
  if (path.ends_with(".webm")) {
    const auto program = find_program("ffmpeg");
    if (!program) return Error{fmt::format("{}: no ffmpeg is found, which makes films of this form", path), kMissing};
    return std::make_unique<WebmForm>(path, *program, fps);
  }
  std::string folder = path;
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  if (fs::path(folder).has_extension())
    return Error{fmt::format("{}: films are .gif, .webm, or a folder of .png", path), "x.gif"};
  return std::make_unique<FolderForm>(folder);
}

FilmWriter::FilmWriter(std::unique_ptr<FilmForm> form) : form_(std::move(form)), thread_([this] { write_on(); }) {}

FilmWriter::~FilmWriter() {
  {
    const std::lock_guard lock(mutex_);
    dropped_ = true;
  }
  end();
}

void FilmWriter::write_on() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return end_ || !waiting_.empty(); });
    if (dropped_ || waiting_.empty()) return;
    const auto [picture, hundredths] = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    const bool works = form_->add(picture, hundredths);
    lock.lock();
    works_ = works_ && works;
    changed_.notify_all();
  }
}

bool FilmWriter::add(Picture picture, std::uint32_t hundredths) {
  constexpr std::size_t kAhead = 4;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.size() < kAhead || !works_; });
  if (!works_) return false;
  waiting_.emplace_back(std::move(picture), hundredths);
  changed_.notify_all();
  return true;
}

void FilmWriter::end() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

Error FilmWriter::finish() {
  end();
  return form_->finish();
}

}  // namespace ts::data
