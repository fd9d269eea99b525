// A strict reader of markup, as small as pages need it.
#include "tests/support/report/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <vector>

namespace ts::test {
namespace {

class MarkupReader {
 public:
  explicit MarkupReader(std::string_view page) : page_(page) {}

  std::string read() {
    constexpr std::string_view kHead = "<!DOCTYPE html>\n";
    if (!page_.starts_with(kHead)) return "it does not begin as a page";
    at_ = kHead.size();
    while (error_.empty() && at_ < page_.size()) {
      if (page_[at_] == '<') tag();
      else if (page_[at_] == '&') entity();
      else character();
    }
    if (error_.empty() && !open_.empty()) fail("never closed: " + open_.back());
    if (error_.empty() && !closed_root_) fail("there is no html");
    return error_;
  }

 private:
  void fail(const std::string& what) {
    if (error_.empty()) error_ = fmt::format("at {}: {}: {}", at_, what, page_.substr(at_, 60));
  }
  void character() {
    const auto c = static_cast<unsigned char>(page_[at_]);
    if (c < 0x20 && c != '\n' && c != '\t') return fail("a control character");
    if (open_.empty() && c != '\n') return fail("text outside of the page");
    if (c == '>') return fail("a bare >");
    ++at_;
  }
  void entity() {
    for (const std::string_view known : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"}) {
      if (!page_.substr(at_).starts_with(known)) continue;
      at_ += known.size();
      return;
    }
    fail("an unknown entity");
  }
  std::string word() {
    const std::size_t begin = at_;
    while (at_ < page_.size() &&
           (std::isalnum(static_cast<unsigned char>(page_[at_])) || page_[at_] == '-' || page_[at_] == ':'))
      ++at_;
    return std::string(page_.substr(begin, at_ - begin));
  }
  void tag() {
    ++at_;
    if (at_ < page_.size() && page_[at_] == '/') return closing();
    const std::string name = word();
    if (name.empty()) return fail("a bare <");
    if (closed_root_) return fail("something behind the page");
    std::set<std::string> attributes;
    while (at_ < page_.size() && page_[at_] == ' ') {
      ++at_;
      if (page_[at_] == '/') break;
      const std::string attribute = word();
      if (attribute.empty() || !page_.substr(at_).starts_with("=\"")) return fail("an attribute without quotes");
      if (!attributes.insert(attribute).second) return fail("an attribute twice");
      at_ += 2;
      while (at_ < page_.size() && page_[at_] != '"') {
        if (page_[at_] == '<') return fail("< in an attribute");
        if (page_[at_] == '&') entity();
        else ++at_;
        if (!error_.empty()) return;
      }
      ++at_;
    }
    if (page_.substr(at_).starts_with("/>")) {
      at_ += 2;
      return;
    }
    if (at_ >= page_.size() || page_[at_] != '>') return fail("a tag that does not end");
    ++at_;
    open_.push_back(name);
    if (name == "style") at_ = std::min(page_.find("</style>", at_), page_.size());
  }
  void closing() {
    ++at_;
    const std::string name = word();
    if (open_.empty() || open_.back() != name)
      return fail(fmt::format("</{}> closes {}", name, open_.empty() ? "nothing" : open_.back()));
    if (at_ >= page_.size() || page_[at_] != '>') return fail("a tag that does not end");
    ++at_;
    open_.pop_back();
    closed_root_ = open_.empty() && name == "html";
  }

  std::string_view page_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
  bool closed_root_ = false;
  std::string error_;
};

// Tags as they stand, without what is between them.
std::string tags_of(std::string_view page) {
  std::string out;
  for (std::size_t at = page.find('<'); at != std::string_view::npos; at = page.find('<', at + 1))
    out += page.substr(at, page.find('>', at) - at + 1);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

}  // namespace

std::string markup_error(std::string_view page) { return MarkupReader(page).read(); }

std::string outside_reference(std::string_view page) {
  const std::string tags = tags_of(page);
  for (const std::string_view wrong :
       {"<script", "<link", "<iframe", "<object", "<embed", "<img", "<form", "<base", "<a ",
        " src=", " href=", " srcdoc=", "xlink:", "javascript:", " onload", " onerror", " onclick", " style="})
    if (tags.find(wrong) != std::string::npos) return std::string(wrong);
  const std::size_t begin = page.find("<style>"), end = page.find("</style>");
  std::string style(page.substr(begin, end - begin));
  for (const std::string_view wrong : {"@import", "http", "expression("})
    if (style.find(wrong) != std::string::npos) return std::string(wrong);
  for (std::size_t at = page.find("url("); at != std::string_view::npos; at = page.find("url(", at + 1))
    if (at < end && page[at + 4] != '#') return std::string(page.substr(at, 20));
  return {};
}

std::string text_of(std::string_view page) {
  std::string out;
  for (std::size_t at = page.find("</style>"); at < page.size();) {
    if (page[at] == '<') {
      at = std::min(page.find('>', at), page.size() - 1) + 1;
      continue;
    }
    static constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
        {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}}};
    const auto found =
        std::ranges::find_if(kEntities, [&](const auto& entity) { return page.substr(at).starts_with(entity.first); });
    out += found == kEntities.end() ? page[at] : found->second;
    at += found == kEntities.end() ? 1 : found->first.size();
  }
  return out;
}

}  // namespace ts::test
