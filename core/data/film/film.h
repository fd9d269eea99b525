// Films: pictures one after the other, as a GIF, as a folder of PNG files, or as WebM by an ffmpeg that is found.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "core/data/error.h"
#include "core/data/png.h"

namespace ts::data {

// One form of films. Without `finish` nothing is left.
class FilmForm {
 public:
  virtual ~FilmForm() = default;
  // So many hundredths of a second long. False: it cannot go on, and `finish` says why.
  virtual bool add(const Picture& picture, std::uint32_t hundredths) = 0;
  virtual Error finish() = 0;
};
// By the name's ending: .gif, .webm; any other is a folder. `fps`: pictures a second, where every one lasts as long.
std::variant<std::unique_ptr<FilmForm>, Error> film_form(const std::string& path, std::uint32_t fps);

// Writes in a thread of its own, so that the next picture is drawn meanwhile.
class FilmWriter {
 public:
  explicit FilmWriter(std::unique_ptr<FilmForm> form);
  // Of what was not finished nothing is left.
  ~FilmWriter();
  // Waits where it is too far ahead. False: it cannot go on.
  bool add(Picture picture, std::uint32_t hundredths);
  Error finish();

 private:
  void write_on();
  void end();

  std::unique_ptr<FilmForm> form_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::pair<Picture, std::uint32_t>> waiting_;
  bool end_ = false, dropped_ = false, works_ = true;
  std::thread thread_;
};

}  // namespace ts::data
