-- From C++ to tiles: what each line of a kernel in C++ becomes, where its tiles and tensors stand, and what flags are for.
-- list: 125
local numbers = {}
for i = 1, 64 do numbers[i] = i - 1 end

return pto.lesson{
  title = "From C++ to tiles: what becomes of a kernel's lines",
  teaches = "A global tensor is a pointer with steps, a tile is a place on the chip, a call is a step, and flags order the pipes.",
  family = "kernels",
  target = "a5",
  program = [[
// The kernel, of which each line below is a call:
//
//   using Matrix = GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, DYNAMIC>, Stride<64, 64, 64, 8, 1>>;
//   using Part = Tile<TileType::Vec, float, 4, 8, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
//
//   extern "C" __global__ AICORE void twice(__gm__ float* x, __gm__ float* z) {
//     Part a(3, 5), c(3, 5);
//     TASSIGN(a, 0x0);
//     TASSIGN(c, 0x100);
//     Matrix from(x + 16, {3, 5}), to(z, {3, 5});
//     TLOAD(a, from);
//     set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
//     wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
//     TADD(c, a, a);
//     set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
//     wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
//     TSTORE(to, c);
//   }
module {
  func.func @twice(%x: !pto.ptr<f32>, %z: !pto.ptr<f32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %at_a = arith.constant 0 : i64
    %at_c = arith.constant 256 : i64

    // Part a(3, 5), c(3, 5);  TASSIGN(a, 0x0);  TASSIGN(c, 0x100);
    %a = pto.alloc_tile addr = %at_a valid_row = %c3 valid_col = %c5 : !pto.tile_buf<vec, 4x8xf32, valid=?x?>
    %c = pto.alloc_tile addr = %at_c valid_row = %c3 valid_col = %c5 : !pto.tile_buf<vec, 4x8xf32, valid=?x?>

    // Matrix from(x + 16, {3, 5}), to(z, {3, 5});
    %behind = pto.addptr %x, %c16 : !pto.ptr<f32> -> !pto.ptr<f32>
    %from_all = pto.make_tensor_view %behind, shape = [%c3, %c5], strides = [%c8, %c1] : !pto.tensor_view<3x5xf32>
    %from = pto.partition_view %from_all, offsets = [%c0, %c0], sizes = [%c3, %c5]
        : !pto.tensor_view<3x5xf32> -> !pto.partition_tensor_view<3x5xf32>
    %to_all = pto.make_tensor_view %z, shape = [%c3, %c5], strides = [%c8, %c1] : !pto.tensor_view<3x5xf32>
    %to = pto.partition_view %to_all, offsets = [%c0, %c0], sizes = [%c3, %c5]
        : !pto.tensor_view<3x5xf32> -> !pto.partition_tensor_view<3x5xf32>

    // TLOAD(a, from);
    pto.tload ins(%from : !pto.partition_tensor_view<3x5xf32>) outs(%a : !pto.tile_buf<vec, 4x8xf32, valid=?x?>)
    pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
    pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]
    // TADD(c, a, a);
    pto.tadd ins(%a, %a : !pto.tile_buf<vec, 4x8xf32, valid=?x?>, !pto.tile_buf<vec, 4x8xf32, valid=?x?>)
        outs(%c : !pto.tile_buf<vec, 4x8xf32, valid=?x?>)
    pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
    pto.wait_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]
    // TSTORE(to, c);
    pto.tstore ins(%c : !pto.tile_buf<vec, 4x8xf32, valid=?x?>) outs(%to : !pto.partition_tensor_view<3x5xf32>)
    return
  }
}
]],
  inputs = {x = {numbers}},
  steps = {
    {
      say = [[
A kernel in C++ is calls of instructions with C++ around them. TileScope opens the `.cpp` as it is, and each call is a step. Here
the kernel stands above the program, and the program has the same calls as text, in the same order:

| C++ | text |
|---|---|
| `Tile<TileType::Vec, float, 4, 8, ..>` and `TASSIGN` | `pto.alloc_tile` with an address |
| `GlobalTensor` | a view: `pto.make_tensor_view` |
| `TADD(c, a, a)`: the result first | `pto.tadd ins(a, a) outs(c)` |
| `if`, `for`, `x + 16` | no step: what they decide is seen in the calls |

The buffer `x` holds 0, 1, 2 and so on up to 63.]],
      at = "tload", next = true,
    },
    {
      ask = "`Matrix from(x + 16, {3, 5})` has the stride 8 between rows. Which number of `x` is its element [1,2]?",
      answer = {26},
      hint = "It begins at x[16]. A row further is 8 elements further, whatever the row's length is.",
      why = "16 + 1 * 8 + 2. The numbers between the rows of 5 are skipped.",
    },
    {
      say = "Now it is loaded. The tile has 4 x 8 elements, and `a(3, 5)` says that 3 x 5 of them count: both sizes are DYNAMIC, so the object has them.",
      at = "tload",
      predict = {tile = "a", cells = {{0, 0}, {2, 4}, {2, 5}, {3, 0}}},
      hint = "Row 2 begins at x[16 + 2 * 8]. Behind the valid columns nobody wrote.",
      why = "A load writes what counts. A cell of padding that nobody ever wrote is `undefined`.",
    },
    {
      ask = "Why is there a flag between the load and the addition?",
      choices = {"The load is done by MTE2, the addition by V, and neither waits for the other by itself",
                 "Without it the addition would be done first",
                 "It tells the load how many elements there are"},
      answer = 1,
      why = {
        "Each pipe works off its own queue. set_flag is done by MTE2 when its earlier work is done, and wait_flag holds V until then.",
        "It may be, or not: that is the trouble. On a chip it depends on how long the load takes.",
        "A flag says when, and nothing else.",
      },
      hint = "The Timeline has a line for each pipe.",
    },
    {
      say = "`TADD(c, a, a)`: the first argument is the result, where text has it last.",
      at = "tadd",
      predict = {tile = "c", cells = {{0, 1}, {2, 0}}},
      hint = "a[0,1] is x[17].",
    },
    {
      ask = "`TASSIGN(c, 0x100)`: how many bytes may `a` take at address 0, so that it does not reach into `c`?",
      answer = {256, "0x100"},
      hint = "The address counts bytes.",
      why = "0x100 is 256, and a has 4 * 8 floats of 4 bytes: 128. In C++ nobody else looks after that; the check for aliases does.",
    },
    {
      ask = "It is stored. Which number is z[12] now?",
      at = "tstore",
      answer = {56},
      hint = "`to` has the stride 8, too: z[12] is its element [1,4].",
      why = "Twice x[16 + 8 + 4].",
    },
    {
      say = [[
What to keep in mind:

- a global tensor is a pointer with sizes and strides; making one moves nothing
- a tile is a place on the chip; `TASSIGN` says where, and two tiles may stand on the same bytes
- what counts of a tile is its valid region, and `SetValidShape` changes it between calls
- flags order the pipes of a core; within one pipe calls are done in their order
- parts behind `__DAV_CUBE__` run on another core: the lesson `two_cores` is about those]],
    },
  },
}
