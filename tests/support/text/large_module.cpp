// Large modules: functions of about forty statements each, alike but for names, shapes and operations.
#include <fmt/format.h>

#include <array>
#include <iterator>

#include "tests/support/random.h"
#include "tests/support/text/text_corpus.h"

namespace ts::test {
namespace {

constexpr std::array kBinary{"tadd", "tsub", "tmul", "tmax", "tmin", "tpartadd", "tdiv"};
constexpr std::array kVector{"vadd", "vsub", "vmul", "vmax", "vmin"};
constexpr std::array kElements{"f32", "f16", "i32", "ui16"};
constexpr std::array kLanes{64, 128, 64, 128};

struct Shape {
  std::uint32_t rows = 0, cols = 0, element = 0;
  std::string view, tile, dynamic_tile;
};

Shape draw_shape(Random& random) {
  Shape shape;
  shape.rows = 8 * random.between(1, 8);
  shape.cols = 32 * random.between(1, 8);
  shape.element = random.below(kElements.size());
  const std::string dims = fmt::format("{}x{}x{}", shape.rows, shape.cols, kElements[shape.element]);
  shape.view = dims;
  shape.tile = fmt::format("!pto.tile_buf<vec, {}>", dims);
  shape.dynamic_tile = fmt::format("!pto.tile_buf<vec, {}, valid=?x?>", dims);
  return shape;
}

class Writer {
 public:
  explicit Writer(std::size_t bytes) : random_(7), bytes_(bytes) { out_.reserve(bytes + 8192); }

  std::string module() {
    out_ = "module attributes {pto.target_arch = \"a5\"} {\n";
    for (int i = 0; out_.size() + 2 < bytes_; ++i) function(i);
    return std::move(out_ += "}\n");
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_.append(indent_, ' ');
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  void function(int number) {
    const Shape shape = draw_shape(random_);
    const char* element = kElements[shape.element];
    indent_ = 2;
    line("func.func @kernel_{}(%arg0: !pto.ptr<{}>, %arg1: !pto.ptr<{}>, %n: index) attributes {{pto.aicore}} {{",
         number, element, element);
    indent_ = 4;
    line("%c0 = arith.constant 0 : index");
    line("%c1 = arith.constant 1 : index");
    line("%rows = arith.constant {} : index", shape.rows);
    line("%cols = arith.constant {} : index", shape.cols);
    for (int i = 0; i < 2; ++i) {
      line(
          "%tv{} = pto.make_tensor_view %arg{}, shape = [%rows, %cols], strides = [%cols, %c1] : !pto.tensor_view<?x?x{}>",
          i, i, element);
      line(
          "%pv{} = pto.partition_view %tv{}, offsets = [%c0, %c0], sizes = [%rows, %cols] : !pto.tensor_view<?x?x{}> -> "
          "!pto.partition_tensor_view<{}>",
          i, i, element, shape.view);
    }
    line("%acc = pto.alloc_tile : {}", shape.tile);
    line("%src = pto.alloc_tile valid_row = %rows valid_col = %cols : {}", shape.dynamic_tile);
    line("pto.tload ins(%pv0 : !pto.partition_tensor_view<{}>) outs(%acc : {})", shape.view, shape.tile);
    line("scf.for %i = %c0 to %n step %c1 {{  // rows of {}", shape.view);
    indent_ = 6;
    for (std::uint32_t i = random_.between(4, 12); i > 0; --i) tile_operation(shape);
    indent_ = 4;
    line("}}");
    vector_region(shape);
    line("pto.tstore ins(%acc : {}) outs(%pv1 : !pto.partition_tensor_view<{}>)", shape.tile, shape.view);
    line("return");
    indent_ = 2;
    line("}}");
  }

  void tile_operation(const Shape& shape) {
    const char* name = kBinary[random_.below(kBinary.size())];
    if (random_.one_in(3)) {
      line("%r = pto.{} %acc, %src : ({}, {}) -> {}", name, shape.tile, shape.dynamic_tile, shape.tile);
    } else {
      line("pto.{} ins(%acc, %src : {}, {}) outs(%acc : {})", name, shape.tile, shape.dynamic_tile, shape.tile);
    }
  }

  void vector_region(const Shape& shape) {
    const std::string vreg = fmt::format("!pto.vreg<{}x{}>", kLanes[shape.element], kElements[shape.element]);
    const std::string pointer = fmt::format("!pto.ptr<{}, ub>", kElements[shape.element]);
    const char* mask = kLanes[shape.element] == 64 ? "b32" : "b16";
    line("%p = pto.tile_buf_addr %acc : {} -> {}", shape.tile, pointer);
    line("pto.set_flag[\"PIPE_MTE2\", \"PIPE_V\", \"EVENT_ID{}\"]", random_.below(8));
    line("pto.vecscope {{");
    indent_ = 6;
    line("%m = pto.pset_{} \"PAT_ALL\" : !pto.mask<{}>", mask, mask);
    line("%v = pto.vlds %p[%c0] {{dist = \"NORM\"}} : {} -> {}", pointer, vreg);
    for (std::uint32_t i = random_.between(2, 5); i > 0; --i)
      line("%w{} = pto.{} %v, %v, %m : {}, {}, !pto.mask<{}> -> {}", i, kVector[random_.below(kVector.size())], vreg,
           vreg, mask, vreg);
    line("pto.vsts %v, %p[%c0], %m : {}, {}, !pto.mask<{}>", vreg, pointer, mask);
    indent_ = 4;
    line("}}");
  }

  Random random_;
  std::size_t bytes_, indent_ = 0;
  std::string out_;
};

}  // namespace

std::string large_module(std::size_t bytes) { return Writer(bytes).module(); }

}  // namespace ts::test
