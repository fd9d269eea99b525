// Reading signatures.
#include "scripting/binding/signature.h"

#include <algorithm>

namespace ts::scripting {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Where the bracket at `open` is closed; npos: nowhere.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (std::string_view("([{<").find(text[i]) != std::string_view::npos) ++depth;
    const bool arrow = text[i] == '>' && i > 0 && text[i - 1] == '-';
    if (!arrow && std::string_view(")]}>").find(text[i]) != std::string_view::npos && --depth == 0) return i;
  }
  return std::string_view::npos;
}

// The end of the parameter that begins at `begin`: the next comma outside of brackets.
std::size_t parameter_end(std::string_view text, std::size_t begin) {
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] == ',') return i;
    if (std::string_view("([{<").find(text[i]) == std::string_view::npos) continue;
    const std::size_t close = closing(text, i);
    if (close == std::string_view::npos) return text.size();
    i = close;
  }
  return text.size();
}

Signature::Parameter parse_parameter(std::string_view text) {
  const std::size_t colon = text.find(':');
  std::string_view name = trimmed(text.substr(0, colon));
  const bool optional = name.ends_with('?');
  if (optional) name.remove_suffix(1);
  return {name, colon == std::string_view::npos ? std::string_view{} : trimmed(text.substr(colon + 1)), optional};
}

void parse_parameters(std::string_view text, Signature& out) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = parameter_end(text, begin);
    const std::string_view one = trimmed(text.substr(begin, end - begin));
    if (one == "...") out.any_number = true;
    else out.parameters.push_back(parse_parameter(one));
    begin = end + 1;
  }
}

}  // namespace

Signature parse_signature(std::string_view text) {
  Signature out;
  const std::size_t head_end = std::min(text.find_first_of("({ "), text.size());
  const std::size_t separator = text.substr(0, head_end).find_last_of(".:");
  if (separator == std::string_view::npos) return out;
  std::size_t at = head_end;
  if (at < text.size() && text[at] != ' ') {
    const std::size_t close = closing(text, at);
    if (close == std::string_view::npos) return out;
    out.callable = true;
    if (text[at] == '(') parse_parameters(text.substr(at + 1, close - at - 1), out);
    else out.parameters.push_back({"options", "table", true});
    at = close + 1;
  }
  const std::size_t arrow = text.find("-> ", at);
  if (arrow != std::string_view::npos) out.result = trimmed(text.substr(arrow + 3));
  out.owner = text.substr(0, separator);
  out.separator = text[separator];
  out.name = text.substr(separator + 1, head_end - separator - 1);
  return out;
}

}  // namespace ts::scripting
