// Reading what a run says, without doing any of it.
#include "core/cpp/live/sizing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/cpp/call.h"
#include "core/cpp/call_names.h"
#include "core/cpp/live/queues.h"

namespace ts::cpp {
namespace {

namespace border = ts_border;

// The bytes behind its first element that a view reaches.
std::uint64_t bytes_of_view(const border::Operand& view) {
  std::uint64_t last = 0;
  for (int i = 0; i < 5; ++i) {
    if (view.shape[i] <= 0) return 0;
    const std::uint64_t steps = static_cast<std::uint64_t>(view.shape[i]) - 1,
                        stride = static_cast<std::uint64_t>(view.stride[i]);
    if (view.stride[i] < 0 || (stride != 0 && steps > (std::uint64_t{1} << 40) / stride)) return 0;
    last += steps * stride;
  }
  return bytes_for(static_cast<DType>(view.type), last + 1);
}

// Whether an argument is a result of its call.
bool is_written(const Program& program, std::string_view op, std::span<const border::Operand> given,
                std::size_t argument) {
  const CallResult understood = understand(op, given, program.target, program.options);
  return understood.call && std::ranges::any_of(understood.call->operands, [&](const CallOperand& one) {
           return one.argument == argument && one.operand.spec->role == Role::Out;
         });
}

// The shape of a view, without the dimensions of one in front.
std::vector<std::uint32_t> shape_of(const border::Operand& view) {
  std::vector<std::uint32_t> out;
  for (int d = 0; d < 5; ++d)
    if (!out.empty() || view.shape[d] != 1 || d >= 3) out.push_back(clamped(view.shape[d]));
  return out;
}

class SizingRun {
 public:
  SizingRun(const Program& program, const ProgramFiles& files, const Launch& launch)
      : program_(program), files_(files), launch_(launch) {
    made_ = file_.make(launch, program.cores_at_once()).empty();
    for (const border::Buffer& one : file_.layout()) buffers_.push_back({{one.pointer, one.bytes}, {}});
    uses_.resize(buffers_.size());
  }

  // One core after the other, for nobody waits. True: all came to their ends.
  bool run(const std::function<bool()>& go_on) {
    for (CoreId core = 0; made_ && core < program_.cores_at_once(); ++core)
      if (!run_core(core, go_on)) return false;
    return made_;
  }

  bool asked() const { return asked_; }  // for a value
  std::vector<Kernel::Use>& uses() { return uses_; }
  // By buffer: where a main allocated it.
  const Site& site_of(std::size_t buffer) const { return *buffers_[buffer].site; }
  std::uint32_t blocks() const { return blocks_; }

 private:
  bool run_core(CoreId core, const std::function<bool()>& go_on) {
    constexpr std::uint32_t kMostRecords = 2'000'000;
    Child child;
    child_ = &child;
    sites_ = {{}};
    polls_ = allocated_ = 0;
    const CoreKind kind = program_.cores[core % program_.cores.size()].kind;
    if (!child.start(files_.at(kind), launch_, file_, seat_of(program_, launch_, core)).empty()) return false;
    ChildRecord record;
    for (std::uint32_t i = 0; i < kMostRecords; ++i) {
      if (child.next(record, go_on) != Child::State::Record) return false;
      if (record.head.kind == border::RecordKind::Done) return true;
      if (!take(record)) return false;
      child.done();
    }
    return false;
  }

  struct SizedBuffer {
    border::DeviceRange range;
    std::optional<Site> site;  // where a main allocated it
  };

  bool take(const ChildRecord& record) {
    switch (record.head.kind) {
      case border::RecordKind::Failed: return false;
      case border::RecordKind::Open: child_->set_open(); break;
      // Nobody writes what it waits for.
      case border::RecordKind::Poll: return ++polls_ < kMostPolls;
      case border::RecordKind::Site: sites_.emplace_back(); return read_site(record, sites_.back());
      case border::RecordKind::Get:
        child_->answer(0);
        asked_ = true;
        break;
      case border::RecordKind::Allocated: return take_allocated(record);
      case border::RecordKind::Block:
        blocks_ = std::max(blocks_, std::min(record.head.site, kMostBlocks - 1) + 1);
        break;
      case border::RecordKind::Call:
        if (record.head.site >= sites_.size()) break;
        if (sites_[record.head.site].op == "TPipe") note_slots(record.operands());
        else note_views(sites_[record.head.site].op, record.operands());
        break;
      default: break;
    }
    return true;
  }

  // Where a main runs in several processes each allocates the same; what one of them has more of is not lost.
  bool take_allocated(const ChildRecord& record) {
    border::DeviceRange range{};
    if (record.payload.size() < sizeof range || record.head.site >= sites_.size() || allocated_ >= border::kMostBuffers)
      return false;
    std::memcpy(&range, record.payload.data(), sizeof range);
    if (allocated_ == buffers_.size()) {
      buffers_.push_back({range, sites_[record.head.site]});
      uses_.push_back({.written = true});
    }
    buffers_[allocated_].range = range;
    Kernel::Use& use = uses_[allocated_++];
    use.bytes = std::max(use.bytes, range.bytes);
    return true;
  }

  std::optional<std::size_t> buffer_of(std::uint64_t pointer) const {
    const auto found = std::ranges::find_if(buffers_, [&](const SizedBuffer& one) {
      return pointer >= one.range.pointer && pointer <= one.range.pointer + one.range.bytes;
    });
    if (found == buffers_.end()) return {};
    return static_cast<std::size_t>(found - buffers_.begin());
  }

  // The slots of a queue.
  void note_slots(std::span<const border::Operand> given) {
    const std::optional<SlotsInGlobalMemory> slots = slots_of_pipe(given);
    const auto number = slots && program_.target == Target::A2A3 ? buffer_of(slots->pointer) : std::nullopt;
    if (!number) return;
    if (buffers_[*number].site) return;
    Kernel::Use& use = uses_[*number];
    use.read = use.written = true;
    use.bytes = std::max(use.bytes, slots->pointer - buffers_[*number].range.pointer + slots->bytes);
  }

  // How far the views of a call reach in their buffers.
  void note_views(std::string_view op, std::span<const border::Operand> given) {
    for (std::size_t i = 0; i < given.size(); ++i) {
      const border::Operand& view = given[i];
      if (view.kind != border::OperandKind::View || view.type >= border::Type::None) continue;
      const auto number = buffer_of(view.bits);
      if (!number) continue;
      const SizedBuffer* buffer = &buffers_[*number];
      Kernel::Use& use = uses_[*number];
      if (!buffer->site) {
        use.bytes = std::max(use.bytes, view.bits - buffer->range.pointer + bytes_of_view(view));
        (is_written(program_, op, given, i) ? use.written : use.read) = true;
      }
      if (use.view_shape.empty()) use.view_shape = shape_of(view);
      if (!use.dtype) use.dtype = static_cast<DType>(view.type);
    }
  }

  static constexpr std::uint32_t kMostPolls = 10'000, kMostBlocks = 65535;

  const Program& program_;
  const ProgramFiles& files_;
  const Launch& launch_;
  SharedFile file_;
  Child* child_ = nullptr;  // of the core at hand
  bool made_ = false, asked_ = false;
  std::uint32_t polls_ = 0, allocated_ = 0;  // by this core
  std::uint32_t blocks_ = 1;
  std::vector<Site> sites_ = {{}};
  std::vector<SizedBuffer> buffers_;
  std::vector<Kernel::Use> uses_;
};

}  // namespace

Kernel::Survey size_buffers(const ProgramFiles& files, const Program& program, Launch launch,
                            const WalkLimits& limits) {
  constexpr std::uint64_t kRoom = std::uint64_t{256} << 20;
  for (ChildBuffer& buffer : launch.buffers) buffer = {0, kRoom};
  SizingRun run(program, files, launch);
  const bool ended = run.run([&] { return !limits.go_on || limits.go_on(0); });
  return {std::move(run.uses()), ended && !run.asked()};
}

MainSurvey survey_main(const Program& program, const ProgramFiles& files, Launch launch,
                       const std::function<bool()>& go_on) {
  launch.sizing = true;
  SizingRun run(program, files, launch);
  run.run(go_on);
  CallNames names;
  MainSurvey survey{{}, run.blocks()};
  std::vector<Allocation>& out = survey.allocations;
  for (std::size_t i = 0; i < run.uses().size(); ++i) {
    const Site& site = run.site_of(i);
    std::string name = names.pointee(site.file, site.op, site.line, site.column);
    if (name.empty()) name = "device";
    const auto is_other = [&](const std::string& one) {
      return std::ranges::find(out, one, &Allocation::name) != out.end();
    };
    std::string own = name;
    for (int number = 2; is_other(own); ++number) own = fmt::format("{}_{}", name, number);
    out.push_back({std::move(own), std::move(run.uses()[i])});
  }
  return survey;
}

}  // namespace ts::cpp
