// Which array is whose.
#include "core/cases/bind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "core/data/array_file.h"
#include "core/data/file.h"
#include "core/data/npz.h"
#include "core/program/arrays.h"

namespace ts::cases {
namespace {

using Kind = ProgramInput::Kind;

// "3" of arr_3 and input3; nothing: it has none.
std::optional<std::uint64_t> number_at_end(std::string_view name) {
  constexpr std::size_t kMostDigits = 9;
  std::size_t begin = name.size();
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(name[begin - 1]))) --begin;
  if (begin == name.size() || name.size() - begin > kMostDigits) return {};
  return std::stoull(std::string(name.substr(begin)));
}

std::string names_of(const std::vector<std::string>& names, const char* none) {
  return names.empty() ? none : fmt::format("{}", fmt::join(names, ", "));
}

class Binding {
 public:
  Binding(const Folder& folder, std::shared_ptr<const text::Tree> tree, const EntryPoint& entry,
          const BindRequest& request)
      : folder_(folder),
        request_(request),
        left_(std::min<std::uint64_t>(data::kMostArrayBytes, request.open.inputs.most_bytes)) {
    CompileRequest how{request.open.target.value_or(entry.target.value_or(Target::A2A3)), request.open.options,
                       request.open.blocks, request.open.private_slots};
    how.go_on = request.go_on;
    Diagnostics said;
    program_ = compile(std::move(tree), entry, how, said);
    broken_ = has_error(said);
  }

  std::variant<Case, data::Error> run() {
    if (broken_) return std::move(out_);
    if (!take_inputs() || !survey() || !guess_inputs() || !read_inputs() || !is_complete() || !take_goldens() ||
        !types_are_of_arrays())
      return std::move(error_);
    return std::move(out_);
  }

 private:
  bool fail(std::string text, std::string hint) {
    error_ = {std::move(text), std::move(hint)};
    return false;
  }
  bool fail(data::Error error) { return fail(std::move(error.text), std::move(error.hint)); }
  std::string here(const std::string& what) const { return fmt::format("{}: {}", folder_.path, what); }

  const ProgramInput* input_called(const std::string& name) const {
    const auto found = std::ranges::find(program_.inputs, name, &ProgramInput::name);
    return found == program_.inputs.end() ? nullptr : &*found;
  }
  bool is_given(const std::string& name) const {
    return request_.given.contains(name) || sources_.contains(name) || out_.inputs.numbers.contains(name) ||
           request_.open.inputs.numbers.contains(name);
  }
  std::vector<std::string> input_names() const {
    std::vector<std::string> names;
    for (const ProgramInput& input : program_.inputs) names.push_back(input.name);
    return names;
  }

  // --- inputs --------------------------------------------------------------------------------------------------------

  bool take_inputs() {
    const GivenList& given = folder_.manifest.inputs;
    if (given.in_order && given.all.size() > program_.inputs.size())
      return fail(here(fmt::format("case.json gives {} inputs, and {} takes {}: {}", given.all.size(), program_.name,
                                   program_.inputs.size(), names_of(input_names(), "none"))),
                  "a list has the inputs in the order of the arguments, null for what is not given");
    for (std::size_t i = 0; i < given.all.size(); ++i) {
      const Given& one = given.all[i];
      if (!take_input(one, given.in_order ? program_.inputs[i].name : one.name)) return false;
    }
    return true;
  }

  bool take_input(const Given& one, const std::string& name) {
    const ProgramInput* input = input_called(name);
    if (input == nullptr)
      return fail(here(fmt::format("case.json gives {}, and {} has no such input", name, program_.name)),
                  fmt::format("it has {}; a list instead of an object gives inputs in their order",
                              names_of(input_names(), "none at all")));
    if (one.array && input->kind == Kind::Scalar)
      return fail(
          here(fmt::format("case.json gives the array {} for %{}, which is a number", one.array->called(), name)),
          fmt::format("\"{}\": NUMBER", name));
    if (!one.number.empty() && input->kind != Kind::Scalar)
      return fail(here(fmt::format("case.json gives the number {} for %{}, which is a {}", one.number, name,
                                   input->kind == Kind::Buffer ? "buffer" : "tile")),
                  fmt::format("\"{}\": \"{}.npy\"", name, name));
    if (request_.given.contains(name)) return true;
    if (one.array) sources_[name] = *one.array;
    if (!one.number.empty()) out_.inputs.numbers.emplace(name, one.number);
    return true;
  }

  // How the program uses its buffers, with the numbers of the case.
  bool survey() {
    InputValues values = request_.open.inputs;
    values.data.clear();
    for (const auto& [name, number] : out_.inputs.numbers) values.numbers.emplace(name, number);
    Diagnostics said;
    WalkLimits limits = request_.open.limits;
    if (request_.go_on) limits.go_on = [this](std::uint64_t) { return request_.go_on(); };
    uses_ = survey_buffers(program_, values, said, limits);
    if (has_error(said)) {
      const auto error = std::ranges::find(said, Severity::Error, &Diagnostic::severity);
      return fail(here(error->text), error->hint);
    }
    return true;
  }

  bool is_read(const ProgramInput& input) const {
    return input.kind == Kind::Tile || (input.kind == Kind::Buffer && uses_[input.id].read);
  }

  // Of a folder without a manifest: by name, or where no name is known, by the numbers in them.
  bool guess_inputs() {
    std::vector<const FoundArray*> strange;
    for (const FoundArray& found : folder_.inputs) {
      const ProgramInput* input = input_called(found.name);
      if (input == nullptr || input->kind == Kind::Scalar) strange.push_back(&found);
      else if (input->kind == Kind::Buffer && !uses_[input->id].read && uses_[input->id].written)
        outputs_.push_back(&found);
      else if (!request_.given.contains(found.name)) sources_[found.name] = found.source;
    }
    if (strange.empty()) return true;
    if (sources_.empty() && outputs_.empty() && bind_in_order(strange)) return true;
    std::vector<std::string> called;
    for (const FoundArray* found : strange) called.push_back(found->source.called());
    if (sources_.empty() && outputs_.empty())
      return fail(here(fmt::format("{} {} of no input's name; {} has {}", fmt::join(called, ", "),
                                   called.size() == 1 ? "is" : "are", program_.name, names_of(input_names(), "none"))),
                  "call the files as the inputs are called, or say in case.json what is what");
    for (const std::string& one : called)
      out_.notes.push_back(
          fmt::format("{}/{} is not used: {} has no input of that name", folder_.path, one, program_.name));
    return true;
  }

  bool bind_in_order(std::vector<const FoundArray*> found) {
    std::vector<std::string> read, all;
    for (const ProgramInput& input : program_.inputs) {
      if (is_read(input)) read.push_back(input.name);
      if (input.kind != Kind::Scalar) all.push_back(input.name);
    }
    const auto number = [](const FoundArray* one) { return number_at_end(one->name); };
    if (found.size() > 1 && !std::ranges::all_of(found, [&](const FoundArray* one) { return number(one).has_value(); }))
      return false;
    std::ranges::stable_sort(found, {}, number);
    const std::vector<std::string>* names = found.size() == read.size()  ? &read
                                            : found.size() == all.size() ? &all
                                                                         : nullptr;
    if (names == nullptr) return false;
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!request_.given.contains((*names)[i])) sources_[(*names)[i]] = found[i]->source;
      out_.notes.push_back(
          fmt::format("{}/{} is given for %{}, by its place", folder_.path, found[i]->source.called(), (*names)[i]));
    }
    return true;
  }

  bool read_inputs() {
    for (const auto& [name, source] : sources_) {
      std::optional<data::Array> array = read(source, name);
      if (!array) return false;
      ArrayFile file{fmt::format("{}/{}", folder_.path, source.called()), array->type, array->shape};
      if (!fits(name, file, array->bytes.size(), "input")) return false;
      out_.files.emplace(name, std::move(file));
      out_.inputs.data.emplace(name, std::move(array->bytes));
    }
    return true;
  }

  // A case without any array is a program in a folder: everything is made up.
  bool is_complete() {
    const bool has_arrays = !out_.inputs.data.empty() || !folder_.goldens.empty() || !outputs_.empty() ||
                            !folder_.manifest.goldens.all.empty() || !folder_.manifest.inputs.all.empty();
    std::vector<std::string> missing;
    for (const ProgramInput& input : program_.inputs)
      if (has_arrays && is_read(input) && !is_given(input.name)) missing.push_back(input.name);
    if (missing.empty()) return true;
    return fail(
        here(fmt::format("no array for %{}, which {} reads", fmt::join(missing, ", %"), program_.name)),
        fmt::format("put {0}.npy into the folder, name it in case.json, or give it: --in {0}=PATH", missing.front()));
  }

  // --- goldens -------------------------------------------------------------------------------------------------------

  bool take_goldens() {
    const GivenList& given = folder_.manifest.goldens;
    if (folder_.has_manifest) {
      if (given.in_order) return take_in_order(given.all);
      return std::ranges::all_of(given.all, [&](const Given& one) { return take_golden(one.name, one); });
    }
    for (const FoundArray* found : outputs_)
      if (!take_golden(found->name, {.name = found->name, .array = found->source})) return false;
    std::vector<Given> nameless;
    for (const FoundArray& found : folder_.goldens) {
      const Given one{.name = found.name, .array = found.source};
      if (find_array(program_, found.name)) {
        if (!take_golden(found.name, one)) return false;
      } else if (found.name.empty() || number_at_end(found.name)) {
        nameless.push_back(one);
      } else if (!take_golden(found.name, one)) {
        return false;
      }
    }
    std::ranges::stable_sort(nameless, {}, [](const Given& one) { return number_at_end(one.name).value_or(0); });
    return nameless.empty() || take_in_order(nameless);
  }

  bool take_in_order(const std::vector<Given>& goldens) {
    std::vector<std::string> only_written, written;
    for (const ProgramInput& input : program_.inputs) {
      if (input.kind != Kind::Buffer || !uses_[input.id].written) continue;
      written.push_back(input.name);
      if (!uses_[input.id].read) only_written.push_back(input.name);
    }
    const std::vector<std::string>& outputs = only_written.size() == goldens.size() ? only_written : written;
    if (outputs.size() != goldens.size())
      return fail(here(fmt::format("{} golden{} without a name, and {} writes {}", goldens.size(),
                                   goldens.size() == 1 ? "" : "s", program_.name, names_of(written, "no buffer"))),
                  "call them golden_NAME, or name them in case.json");
    for (std::size_t i = 0; i < goldens.size(); ++i)
      if (!take_golden(outputs[i], goldens[i])) return false;
    return true;
  }

  bool take_golden(const std::string& name, const Given& given) {
    const std::optional<NamedArray> output = find_array(program_, name);
    if (!output) {
      std::vector<std::string> written;
      for (std::size_t i = 0; i < program_.buffers.size(); ++i)
        if (uses_[i].written) written.push_back(program_.buffers[i].name);
      return fail(here(fmt::format("{} is the golden of {}, and {} has no such buffer or tile", given.array->called(),
                                   name, program_.name)),
                  fmt::format("it writes {}", names_of(written, "no buffer")));
    }
    const auto same = std::ranges::find(out_.goldens, name, &Golden::name);
    if (same != out_.goldens.end())
      return fail(here(fmt::format("two goldens for %{}: {} and {}", name, same->from, given.array->called())),
                  "remove one");
    std::optional<data::Array> array = read(*given.array, name);
    if (!array) return false;
    const std::string from = fmt::format("{}/{}", folder_.path, given.array->called());
    if (array->type.empty() && take_raw(*array, name, from)) return false;
    if (output->dtype == DType::BF16 && array->type == "u2") array->type = "V2";
    unpack_array(output->dtype, *array);
    if (!golden_fits(name, *output, {from, array->type, array->shape}, array->bytes.size())) return false;
    if (output->buffer != nullptr) make_room(name, *output, *array);
    out_.goldens.push_back({name, from, std::move(*array), tolerance_of(given)});
    return true;
  }

  // Raw bytes that nobody says anything of are elements of the output's type. True: they are not, and that is told.
  bool take_raw(data::Array& array, const std::string& name, const std::string& from) {
    const auto error = take_type(array, {find_array(program_, name)->dtype}, from);
    return error && !fail(*error);
  }

  Tolerance tolerance_of(const Given& given) const {
    return given.tolerance ? given.tolerance : folder_.manifest.tolerance;
  }

  // A golden that was made in f32, of a bf16 output, is a good one.
  bool golden_fits(const std::string& name, const NamedArray& output, ArrayFile file, std::uint64_t bytes) {
    const bool floats = is_float(output.dtype) && (file.type == "f2" || file.type == "f4" || file.type == "f8" ||
                                                   file.type == "V2" || file.type == "V1");
    const std::uint64_t size = data_size(file.type);
    if (floats || file.type == npy_type(output.dtype)) file.type = memory_type(output.dtype);
    return fits(name, file, bytes_for(output.dtype, bytes / size), "golden");
  }
  static std::uint64_t data_size(const std::string& type) {
    return type == "b1" ? 1 : static_cast<std::uint64_t>(type.back() - '0');
  }

  // What the golden holds and the program's views do not reach is a part of the buffer as well.
  void make_room(const std::string& name, const NamedArray& output, const data::Array& golden) {
    const std::uint64_t bytes = bytes_for(output.dtype, golden.bytes.size() / data_size(golden.type));
    const auto data = out_.inputs.data.find(name);
    const bool is_larger = bytes > uses_[static_cast<std::size_t>(output.buffer - program_.buffers.data())].bytes;
    if (is_larger && data == out_.inputs.data.end() && !request_.open.inputs.size_bytes.contains(name))
      out_.inputs.size_bytes[name] = bytes;
  }

  // --- both ----------------------------------------------------------------------------------------------------------

  // `name` of the input or output that it is for: what is said of that beside the case goes before the case.
  std::optional<data::Array> read(const ArraySource& source, const std::string& name) {
    const auto path = file_in(folder_.path, source.file);
    if (const auto* error = std::get_if<data::Error>(&path)) return fail(*error), std::nullopt;
    const std::string& file = std::get<std::string>(path);
    const bool archive = source.file.ends_with(".npz");
    auto array = archive ? data::read_npz_array(file, source.member, left_) : data::read_array(file, left_);
    if (auto* error = std::get_if<data::Error>(&array)) return fail(std::move(*error)), std::nullopt;
    data::Array& out = std::get<data::Array>(array);
    left_ -= std::min<std::uint64_t>(left_, out.bytes.size());
    const auto said = request_.types.find(name);
    const std::optional<ArrayType> type = said == request_.types.end() ? source.type : said->second;
    if (type)
      if (auto error = take_type(out, *type, fmt::format("{}/{}", folder_.path, source.called())))
        return fail(std::move(*error)), std::nullopt;
    if (const auto array_of_name = find_array(program_, name)) pack_array(array_of_name->dtype, out);
    return std::move(out);
  }

  bool types_are_of_arrays() {
    for (const auto& [name, type] : request_.types)
      if (!sources_.contains(name) && std::ranges::find(out_.goldens, name, &Golden::name) == out_.goldens.end())
        return fail(here(fmt::format("a type is said of %{}, and there is no array for it", name)),
                    fmt::format("--in {}=PATH, or a file {}.bin in the folder", name, name));
    return true;
  }

  // Whether it is what the program takes. More of it than the program's views reach is no fault.
  bool fits(const std::string& name, const ArrayFile& file, std::uint64_t bytes, const char* what) {
    const NamedArray array = *find_array(program_, name);
    const std::uint64_t elements = count_of(array.shape);
    const auto count = [&](std::uint64_t of_bytes) { return elements_in(array.dtype, of_bytes); };
    std::uint64_t wanted = array.buffer != nullptr
                               ? uses_[static_cast<std::size_t>(array.buffer - program_.buffers.data())].bytes
                               : bytes_for(array.dtype, elements);
    const bool larger = bytes > wanted && array.buffer != nullptr;
    ArrayFile same = file;
    if (larger) same.shape = {count(bytes)};
    if (auto error = misfit(program_, name, same)) return fail(std::move(*error));
    if (bytes >= wanted && (larger || bytes == wanted || array.buffer != nullptr)) return true;
    return fail(fmt::format("{}: the {} has {} elements, %{} is {} of {}: {}", file.path, what, count(bytes), name,
                            array.shape.empty() ? fmt::format("{}", count(wanted)) : shape_text(array.shape),
                            ts::name(array.dtype), count(wanted)),
                array.buffer != nullptr
                    ? "give the whole array, or set the numbers that the program's views are made of"
                    : "give as many elements as the tile has");
  }

  const Folder& folder_;
  const BindRequest& request_;
  Program program_;
  bool broken_ = false;
  std::vector<BufferUse> uses_;
  std::map<std::string, ArraySource> sources_;  // by input
  std::vector<const FoundArray*> outputs_;      // arrays that are called as what the program only writes
  std::uint64_t left_;                          // bytes of arrays that may still be read
  Case out_;
  data::Error error_;
};

}  // namespace

std::variant<Case, data::Error> bind_case(const Folder& folder, std::shared_ptr<const text::Tree> tree,
                                          const EntryPoint& entry, const BindRequest& request) {
  return Binding(folder, std::move(tree), entry, request).run();
}

}  // namespace ts::cases
