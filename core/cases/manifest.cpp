// Reading case.json: every value is of its kind, every key is known, and none stands there twice.
#include "core/cases/manifest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <set>
#include <span>

#include "core/data/fields.h"
#include "core/data/npz.h"
#include "core/data/utf8.h"

namespace ts::cases {
namespace {

using data::Fields;
using nlohmann::json;

constexpr std::uint64_t kMostDimension = std::uint64_t{1} << 32;
constexpr std::uint32_t kMostBlocks = 65535;
constexpr const char* kArrayForm =
    "\"x.npy\", \"all.npz:x\", or {\"file\": \"x.bin\", \"type\": \"f32\", \"shape\": [8, 64]}";

// A key that stands twice in one object; empty: none does.
std::string doubled_key(std::string_view text) {
  std::vector<std::set<std::string>> open;
  std::string found;
  const auto look = [&](int, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start) open.emplace_back();
    if (event == json::parse_event_t::object_end && !open.empty()) open.pop_back();
    if (event == json::parse_event_t::key && !open.empty() && found.empty())
      if (const auto key = parsed.get<std::string>(); !open.back().insert(key).second) found = key;
    return true;
  };
  const json read = json::parse(text, look, false);
  return read.is_discarded() ? "" : found;
}

// What holds a stranger's words, for a message.
std::string in_brief(const std::string& text) {
  constexpr std::size_t kLongest = 300;
  return data::shown_name(text.substr(0, kLongest)) + (text.size() > kLongest ? "..." : "");
}

class ManifestReader {
 public:
  Manifest read(const json& all) {
    const Fields fields(all, "", &problems);
    known_keys(all, "",
               {"program", "entry", "target", "blocks", "options", "inputs", "goldens", "tolerance", "sources"});
    Manifest out;
    out.program = fields.text("program").value_or("");
    out.entry = fields.text("entry").value_or("");
    out.target = fields.text("target").value_or("");
    if (!out.target.empty() && out.target != "a5" && out.target != "a2a3") fields.tell("target", "\"a5\" or \"a2a3\"");
    if (const auto blocks = fields.count("blocks", kMostBlocks)) {
      if (*blocks == 0) fields.tell("blocks", "1 or more");
      out.blocks = static_cast<std::uint32_t>(*blocks);
    }
    for (const auto& [name, value] : fields.object("options").items()) read_option(name, value, out.options);
    for (const auto& [name, sum] : fields.object("sources").items()) {
      if (sum.is_string()) out.sources[name] = sum.get<std::string>();
      else tell("sources." + name, "wanted the sum of the file, such as \"crc32:cbf43926\"");
    }
    out.inputs = read_list(all, "inputs", true);
    out.goldens = read_list(all, "goldens", false);
    if (fields.below("tolerance").all().size() > 0) out.tolerance = read_tolerance(all["tolerance"], "tolerance");
    return out;
  }

  std::vector<std::string> problems;

 private:
  void tell(const std::string& way, const std::string& what) { problems.push_back(fmt::format("{}: {}", way, what)); }

  void known_keys(const json& object, const std::string& way, std::initializer_list<const char*> keys) {
    for (const auto& item : object.items())
      if (std::ranges::find(keys, item.key()) == keys.end())
        tell(way.empty() ? item.key() : way + "." + item.key(),
             fmt::format("is no key; there is {}", fmt::join(keys, ", ")));
  }

  void read_option(const std::string& name, const json& value, Options& out) {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (set_option(out, name, text)) return;
    const auto* row = std::find_if(kOptions, kOptions + kOptionCount,
                                   [&](const OptionRow& one) { return std::string_view(one.name) == name; });
    if (row == kOptions + kOptionCount)
      tell("options." + name, "there is no such option; `tilescope options` lists them");
    else tell("options." + name, fmt::format("wanted {}, it is {}", row->values, text));
  }

  Tolerance read_tolerance(const json& object, const std::string& way) {
    Tolerance out;
    const Fields fields(object, way + ".", &problems);
    if (way == "tolerance") known_keys(object, way, {"abs", "rel", "ulp"});
    out.abs = fields.number("abs");
    out.rel = fields.number("rel");
    out.ulp = fields.count("ulp", ~std::uint64_t{0});
    if (out.abs.value_or(0) < 0) fields.tell("abs", "0 or more");
    if (out.rel.value_or(0) < 0) fields.tell("rel", "0 or more");
    return out;
  }

  GivenList read_list(const json& all, const char* key, bool inputs) {
    GivenList out;
    const auto found = all.find(key);
    if (found == all.end() || found->is_null()) return out;
    out.in_order = found->is_array();
    if (!found->is_array() && !found->is_object()) {
      tell(key, "wanted an object with their names, or a list in their order");
      return out;
    }
    std::size_t place = 0;
    for (const auto& item : found->items()) {
      const std::string name = out.in_order ? "" : item.key();
      const std::string way = out.in_order ? fmt::format("{}[{}]", key, place) : fmt::format("{}.{}", key, name);
      Given one{.name = name.starts_with('%') ? name.substr(1) : name};
      if (!out.in_order && one.name.empty()) tell(key, "has an entry without a name");
      read_given(item.value(), way, inputs, one);
      out.all.push_back(std::move(one));
      ++place;
    }
    return out;
  }

  void read_given(const json& value, const std::string& way, bool inputs, Given& out) {
    if (value.is_null() && inputs) return;
    if (value.is_string()) {
      out.array = source_of(value.get<std::string>(), way);
    } else if (inputs && (value.is_number() || value.is_boolean())) {
      out.number = value.is_boolean() ? (value.get<bool>() ? "1" : "0") : value.dump();
    } else if (value.is_object()) {
      read_array(value, way, inputs, out);
    } else {
      tell(way, fmt::format("wanted {}{}", inputs ? "a number, " : "", kArrayForm));
    }
  }

  ArraySource source_of(const std::string& text, const std::string& way) {
    if (text.empty()) tell(way, "names no file");
    if (const auto place = data::place_in_npz(text)) return {place->archive, place->name};
    return {text};
  }

  void read_array(const json& object, const std::string& way, bool inputs, Given& out) {
    if (inputs) known_keys(object, way, {"file", "array", "type", "shape"});
    else known_keys(object, way, {"file", "array", "type", "shape", "abs", "rel", "ulp"});
    const Fields fields(object, way + ".", &problems);
    const auto file = fields.text("file");
    if (!file) return tell(way, "has no \"file\"");
    out.array = source_of(*file, way);
    if (const auto member = fields.text("array")) out.array->member = *member;
    if (!inputs) out.tolerance = read_tolerance(object, way);
    if (const auto type = fields.text("type")) {
      const auto dtype = dtype_from_name(*type);
      if (!dtype) return fields.tell("type", "an element type, such as f32, bf16 or i8");
      out.array->type = ArrayType{*dtype};
    }
    read_shape(object, way, *out.array);
  }

  void read_shape(const json& object, const std::string& way, ArraySource& out) {
    const auto shape = object.find("shape");
    if (shape == object.end() || shape->is_null()) return;
    if (!out.type) return tell(way, "has a shape and no type");
    const auto is_size = [](const json& size) {
      return size.is_number_unsigned() && size.get<std::uint64_t>() <= kMostDimension;
    };
    if (!shape->is_array() || shape->empty() || shape->size() > 8 || !std::ranges::all_of(*shape, is_size))
      return tell(way + ".shape", "wanted one to eight sizes, such as [8, 64]");
    out.type->shape = shape->get<std::vector<std::uint64_t>>();
  }
};

}  // namespace

std::variant<Manifest, data::Error> parse_manifest(std::string_view text, const std::string& called) {
  const auto read = data::parse_object(text);
  if (const auto* error = std::get_if<data::Error>(&read))
    return data::Error{fmt::format("{}: {}", called, error->text), "assets/manual/cases.md has its form"};
  if (const std::string key = doubled_key(text); !key.empty())
    return data::Error{fmt::format("{}: \"{}\" stands there twice", called, in_brief(key)),
                       "one of them would be lost; remove it"};
  ManifestReader reader;
  Manifest out = reader.read(std::get<nlohmann::json>(read));
  if (reader.problems.empty()) return out;
  constexpr std::size_t kMostProblems = 5;
  std::vector<std::string> problems;
  for (const std::string& problem : std::span(reader.problems).first(std::min(reader.problems.size(), kMostProblems)))
    problems.push_back(in_brief(problem));
  return data::Error{fmt::format("{}: {}", called, fmt::join(problems, fmt::format("\ntilescope: {}: ", called))),
                     "assets/manual/cases.md has its form"};
}

}  // namespace ts::cases
