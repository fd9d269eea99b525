// Finding of launches among words.
#include "core/cpp/launches.h"

#include <optional>
#include <vector>

#include "core/cpp/words.h"

namespace ts::cpp {
namespace {

// Offsets in the source; ends are behind.
struct LaunchText {
  std::size_t callee, callee_end, grid, grid_end, arguments, end;
};

class LaunchScanner {
 public:
  explicit LaunchScanner(std::string_view source) : source_(source), words_(words_of(source)) {}

  std::vector<LaunchText> all() const {
    std::vector<LaunchText> out;
    for (std::size_t at = 1; at < words_.size(); ++at) {
      if (!is_triple(at, '<')) continue;
      if (const auto found = launch_at(at)) out.push_back(*found);
    }
    return out;
  }

 private:
  std::string_view word(std::size_t at) const { return at < words_.size() ? words_[at].text : std::string_view(); }
  std::size_t begin(std::size_t at) const { return static_cast<std::size_t>(words_[at].text.data() - source_.data()); }
  std::size_t end(std::size_t at) const { return begin(at) + words_[at].text.size(); }

  bool is_triple(std::size_t at, char sign) const {
    for (std::size_t i = 0; i < 3; ++i)
      if (word(at + i) != std::string_view(&sign, 1) || begin(at + i) != begin(at) + i) return false;
    return true;
  }

  // The first word of the name that ends before `at`: `kernels::add<float, 4>`.
  std::optional<std::size_t> name_before(std::size_t at) const {
    std::size_t first = at - 1;
    if (word(first) == ">") {
      int depth = 0, brackets = 0;  // what stands in brackets is compared
      for (;; --first) {
        if (word(first) == ")") ++brackets;
        if (word(first) == "(") --brackets;
        if (brackets == 0 && word(first) == ">") ++depth;
        if (brackets == 0 && word(first) == "<" && --depth == 0) break;
        if (first == 0 || brackets < 0 || word(first) == ";") return {};
      }
      if (first == 0) return {};
      --first;
    }
    if (!is_name(word(first))) return {};
    while (first >= 2 && word(first - 1) == "::" && is_name(word(first - 2))) first -= 2;
    if (first >= 1 && word(first - 1) == "::") --first;
    return first;
  }

  std::optional<std::size_t> grid_end(std::size_t at) const {
    int depth = 0;
    for (; at < words_.size(); ++at) {
      const std::string_view now = word(at);
      if (now == "(" || now == "[" || now == "{") ++depth;
      if (now == ")" || now == "]" || now == "}") --depth;
      if (depth < 0 || now == ";") return {};
      if (depth == 0 && is_triple(at, '>')) return at;
    }
    return {};
  }

  std::optional<LaunchText> launch_at(std::size_t open) const {
    const auto callee = name_before(open);
    const auto close = callee ? grid_end(open + 3) : std::nullopt;
    if (!close || word(*close + 3) != "(") return {};
    int depth = 0;
    for (std::size_t at = *close + 3; at < words_.size(); ++at) {
      if (word(at) == "(") ++depth;
      if (word(at) == ")" && --depth == 0)
        return LaunchText{begin(*callee), end(open - 1), end(open + 2), begin(*close), begin(*close + 3), end(at)};
    }
    return {};
  }

  std::string_view source_;
  std::vector<Word> words_;
};

}  // namespace

bool has_launch(std::string_view source) {
  return source.find("<<<") != std::string_view::npos && !LaunchScanner(source).all().empty();
}

std::string with_launches_called(std::string_view source) {
  std::string out;
  std::size_t done = 0;
  for (const LaunchText& one : LaunchScanner(source).all()) {
    if (one.callee < done) continue;  // inside of another's arguments
    const auto part = [&](std::size_t begin, std::size_t end) { return source.substr(begin, end - begin); };
    out += part(done, one.callee);
    out += "::tilescope::Grid(";
    out += part(one.grid, one.grid_end);
    out += ") << [&]() { ";
    out += part(one.callee, one.callee_end);
    out += part(one.arguments, one.end);
    out += "; }";
    done = one.end;
  }
  return out += source.substr(done);
}

}  // namespace ts::cpp
