// Compiling a program to ask what it wants, and looking at the files for it.
#include "core/cases/setup_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/cases/array_type.h"
#include "core/data/array_file.h"
#include "core/program/literal.h"

namespace ts::cases {
namespace {

using Kind = ProgramInput::Kind;

std::string npy_shape(const ArrayFile& file) {
  return fmt::format("{} {}", file.type.empty() ? "raw bytes" : file.type, shape_text(file.shape));
}

InputForm form_of(const Program& program, const ProgramInput& input) {
  InputForm form{input.name, input.kind, ""};
  if (input.kind == Kind::Scalar) form.type = text::name(input.scalar);
  else if (const auto array = find_array(program, input.name))
    form.type = name(array->dtype), form.shape = array->shape;
  return form;
}

class SetupChecker {
 public:
  SetupChecker(const Setup& setup, const std::function<bool()>& go_on) : setup_(setup), go_on_(go_on) {}

  SetupCheck run(const std::shared_ptr<const text::Tree>& tree, const std::vector<EntryPoint>& entries) {
    if (auto problems = problems_of(setup_); !problems.empty()) out_.refused = std::move(problems.front());
    const EntryPoint* entry = find_entry(entries);
    if (entry == nullptr) return std::move(out_);
    put_into(setup_, open_);
    if (go_on_) open_.limits.go_on = [this](std::uint64_t) { return go_on_(); };
    CompileRequest how{open_.target.value_or(entry->target.value_or(Target::A2A3)), open_.options, open_.blocks,
                       open_.private_slots};
    how.go_on = go_on_;
    Diagnostics said;
    program_ = compile(tree, *entry, how, said);
    if (refuse(said)) return std::move(out_);
    survey();
    for (const ProgramInput& input : program_.inputs) look_at(input);
    strangers(setup_.arrays), strangers(setup_.made), strangers(setup_.numbers), strangers(setup_.sizes);
    return std::move(out_);
  }

 private:
  const EntryPoint* find_entry(const std::vector<EntryPoint>& entries) {
    if (entries.empty()) return nullptr;
    if (setup_.entry.empty()) return &entries.front();
    const auto found = std::ranges::find(entries, setup_.entry, &EntryPoint::name);
    if (found != entries.end()) return &*found;
    std::vector<std::string> names;
    for (const EntryPoint& one : entries) names.push_back(one.name);
    out_.refused = data::Error{fmt::format("no entry point is called {}", setup_.entry),
                               fmt::format("there is {}", fmt::join(names, ", "))};
    return nullptr;
  }

  bool refuse(const Diagnostics& said) {
    const auto error = std::ranges::find(said, Severity::Error, &Diagnostic::severity);
    if (error == said.end()) return false;
    out_.refused = data::Error{fmt::format("line {}: [{}] {}", error->pos.line, error->rule, error->text), error->hint};
    return true;
  }

  // How far the views reach, with the numbers that make sense.
  void survey() {
    InputValues values = open_.inputs;
    for (const ProgramInput& input : program_.inputs) {
      const auto number = values.numbers.find(input.name);
      if (number == values.numbers.end() || input.kind != Kind::Scalar) continue;
      if (parse_scalar(number->second, input.scalar)) continue;
      out_.wrong[input.name] = {fmt::format("{} is no {}", number->second, text::name(input.scalar)), ""};
      values.numbers.erase(number);
    }
    Diagnostics said;
    uses_ = survey_buffers(program_, values, said, open_.limits);
  }

  void look_at(const ProgramInput& input) {
    InputForm form = form_of(program_, input);
    if (input.kind == Kind::Scalar) {
      if (setup_.arrays.contains(input.name) || setup_.made.contains(input.name))
        out_.wrong[input.name] = {fmt::format("{} is a number", input.name), "give it a number"};
    } else {
      if (input.kind == Kind::Buffer && input.id < uses_.size())
        form.read = uses_[input.id].read, form.written = uses_[input.id].written;
      if (setup_.numbers.contains(input.name))
        out_.wrong[input.name] = {fmt::format("{} is no number but a {}", input.name, describe(form)), ""};
      if (setup_.arrays.contains(input.name)) look_at_file(input.name, form);
    }
    out_.inputs.push_back(std::move(form));
  }

  void look_at_file(const std::string& name, const InputForm& form) {
    if (go_on_ && !go_on_()) return;
    auto read = read_setup_array(setup_, name);
    if (auto* error = std::get_if<data::Error>(&read)) {
      out_.wrong[name] = std::move(*error);
      return;
    }
    auto& array = std::get<data::Array>(read);
    if (const auto of_name = find_array(program_, name)) pack_array(of_name->dtype, array);
    const ArrayFile file{setup_.arrays.at(name), array.type, array.shape};
    if (auto wrong = misfit(program_, name, file)) {
      out_.wrong[name] = std::move(*wrong);
      return;
    }
    const auto dtype = dtype_from_name(form.type);
    const std::uint64_t wanted = dtype && !form.shape.empty() ? bytes_for(*dtype, count_of(form.shape)) : 0;
    if (array.bytes.size() < wanted)
      out_.wrong[name] = {
          fmt::format("{}: holds {} bytes, {} needs {}", file.path, array.bytes.size(), describe(form), wanted), ""};
    else out_.found[name] = npy_shape(file);
  }

  void strangers(const std::map<std::string, std::string>& given) {
    for (const auto& [name, unused] : given) {
      const auto is = [&name = name](const std::string& one) { return one == name; };
      if (std::ranges::any_of(program_.inputs, is, &ProgramInput::name)) continue;
      if (std::ranges::any_of(program_.hidden_inputs, is, &HiddenInput::name)) continue;
      std::vector<std::string> names;
      for (const ProgramInput& input : program_.inputs) names.push_back(input.name);
      out_.wrong[name] = {fmt::format("the program has no input {}", name),
                          names.empty() ? "it has none at all" : fmt::format("it has {}", fmt::join(names, ", "))};
    }
  }

  const Setup& setup_;
  const std::function<bool()>& go_on_;
  OpenRequest open_;
  Program program_;
  std::vector<BufferUse> uses_;
  SetupCheck out_;
};

}  // namespace

std::string describe(const InputForm& form) {
  std::string text = form.kind == Kind::Scalar
                         ? form.type
                         : fmt::format("{} {}", form.kind == Kind::Buffer ? "buffer" : "tile", form.type);
  if (!form.shape.empty()) text += " " + shape_text(form.shape);
  if (form.kind == Kind::Buffer && form.written) text += form.read ? ", read and written" : ", written";
  return text;
}

SetupCheck check_setup(const std::shared_ptr<const text::Tree>& tree, const std::vector<EntryPoint>& entries,
                       const Setup& setup, const std::function<bool()>& go_on) {
  return SetupChecker(setup, go_on).run(tree, entries);
}

SetupCheck known_of(const Program& program) {
  SetupCheck known;
  for (const ProgramInput& input : program.inputs) {
    InputForm form = form_of(program, input);
    // Contents are only given to what is read.
    if (input.kind == Kind::Buffer) {
      const BufferDecl& buffer = program.buffers[input.id];
      form.read = !buffer.data.empty() || buffer.late != nullptr;
      form.written = !form.read;
    }
    known.inputs.push_back(std::move(form));
  }
  return known;
}

std::variant<data::Array, data::Error> read_setup_array(const Setup& setup, const std::string& input) {
  const std::string& path = setup.arrays.at(input);
  auto read = data::read_array(path);
  const auto raw = setup.raw.find(input);
  if (std::holds_alternative<data::Error>(read) || raw == setup.raw.end()) return read;
  const auto type = parse_array_type(raw->second);
  if (!type) return data::Error{fmt::format("{}: wanted {}, it is {}", input, kArrayTypeForm, raw->second), ""};
  auto array = std::move(std::get<data::Array>(read));
  if (auto error = take_type(array, *type, path)) return std::move(*error);
  return array;
}

}  // namespace ts::cases
