-- Two cores, one queue: how a cube core hands tiles to vector cores through two slots, and who waits for whom.
-- list: 140
-- a[i][k] is 10 * i + k, and b is 2 on its diagonal: a product of them is twice as large as a.
local a, b = {}, {}
for i = 0, 79 do
  for k = 0, 15 do a[i * 16 + k + 1] = 10 * i + k end
end
for k = 0, 15 do
  for j = 0, 15 do b[k * 16 + j + 1] = k == j and 2 or 0 end
end

return pto.lesson{
  title = "Two cores, one queue",
  teaches = "A push fills a slot, a pop takes it, a free gives it back; who has no slot or no entry waits.",
  family = "queues",
  target = "a5",
  program = [[
module attributes {pto.target_arch = "a5"} {
  func.func @two_cores_aic(%a_at: !pto.ptr<f16>, %b_at: !pto.ptr<f16>, %out_at: !pto.ptr<f32>)
      attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c80 = arith.constant 80 : index
    %slots = pto.import_reserved_buffer {name = "strips", peer_func = @two_cores_aiv} -> i32
    pto.aic_initialize_pipe {id = 0, dir_mask = 1, slot_size = 1024, slot_num = 2}
        (c2v_consumer_buf = %slots : i32)

    %a_all = pto.make_tensor_view %a_at, shape = [%c80, %c16], strides = [%c16, %c1] : !pto.tensor_view<80x16xf16>
    %b_all = pto.make_tensor_view %b_at, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<16x16xf16>
    %b_view = pto.partition_view %b_all, offsets = [%c0, %c0], sizes = [%c16, %c16]
        : !pto.tensor_view<16x16xf16> -> !pto.partition_tensor_view<16x16xf16>
    %a = pto.alloc_tile : !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>
    %b = pto.alloc_tile : !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>
    %l = pto.alloc_tile : !pto.tile_buf<left, 16x16xf16, blayout=col_major, slayout=row_major>
    %r = pto.alloc_tile : !pto.tile_buf<right, 16x16xf16, slayout=col_major>
    %c = pto.alloc_tile : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>

    pto.tload ins(%b_view : !pto.partition_tensor_view<16x16xf16>)
        outs(%b : !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>)
    pto.tmov ins(%b : !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>)
        outs(%r : !pto.tile_buf<right, 16x16xf16, slayout=col_major>)
    scf.for %row = %c0 to %c80 step %c16 {
      %a_view = pto.partition_view %a_all, offsets = [%row, %c0], sizes = [%c16, %c16]
          : !pto.tensor_view<80x16xf16> -> !pto.partition_tensor_view<16x16xf16>
      pto.tload ins(%a_view : !pto.partition_tensor_view<16x16xf16>)
          outs(%a : !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>)
      pto.tmov ins(%a : !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>)
          outs(%l : !pto.tile_buf<left, 16x16xf16, blayout=col_major, slayout=row_major>)
      pto.tmatmul ins(%l, %r : !pto.tile_buf<left, 16x16xf16, blayout=col_major, slayout=row_major>,
          !pto.tile_buf<right, 16x16xf16, slayout=col_major>)
          outs(%c : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>)
      pto.tpush_to_aiv(%c : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>)
          {id = 0, split = 1}
    }
    return
  }

  func.func @two_cores_aiv(%a_at: !pto.ptr<f16>, %b_at: !pto.ptr<f16>, %out_at: !pto.ptr<f32>,
                           %__pypto_spmd_subblock_idx: i32)
      attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c80 = arith.constant 80 : index
    %one = arith.constant 1.0 : f32
    %slots = pto.reserve_buffer {name = "strips", size = 2048, location = #pto.address_space<vec>, auto = true} -> i32
    pto.aiv_initialize_pipe {id = 0, dir_mask = 1, slot_size = 1024, slot_num = 2}
        (c2v_consumer_buf = %slots : i32)

    %which = arith.index_cast %__pypto_spmd_subblock_idx : i32 to index
    %mine = arith.muli %which, %c8 : index
    %out_all = pto.make_tensor_view %out_at, shape = [%c80, %c16], strides = [%c16, %c1] : !pto.tensor_view<80x16xf32>
    %y = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32>
    scf.for %strip = %c0 to %c80 step %c16 {
      %row = arith.addi %strip, %mine : index
      %out_view = pto.partition_view %out_all, offsets = [%row, %c0], sizes = [%c8, %c16]
          : !pto.tensor_view<80x16xf32> -> !pto.partition_tensor_view<8x16xf32>
      %x = pto.tpop_from_aic {id = 0, split = 1} -> !pto.tile_buf<vec, 8x16xf32>
      pto.tadds ins(%x, %one : !pto.tile_buf<vec, 8x16xf32>, f32) outs(%y : !pto.tile_buf<vec, 8x16xf32>)
      pto.tfree_from_aic {id = 0, split = 1}
      pto.tstore ins(%y : !pto.tile_buf<vec, 8x16xf32>) outs(%out_view : !pto.partition_tensor_view<8x16xf32>)
    }
    return
  }
}
]],
  inputs = {a_at = a, b_at = b},
  steps = {
    {
      say = [[
A matrix has 80 rows, and goes through three cores. The cube core, `AIC`, multiplies 16 rows at a time. Two vector cores,
`AIV0` and `AIV1`, add 1 and store them. They are three processors, each with a program and memories of its own, and they
run at the same time. The function whose name ends in `_aic` is for the first, that in `_aiv` for the other two.

So that the sums can be done in one's head, a[i,k] is 10 * i + k, and the product of 16 rows is twice these rows. It is about
to be made.]],
      at = "tmatmul", next = true, show = {"l", "r"},
    },
    {
      at = "tmatmul",
      predict = {tile = "c", cells = {{3, 5}, {12, 0}}, by = "value"},
      hint = "a[3,5] is 35. The right matrix is 2 on its diagonal and 0 elsewhere.",
      why = "Twice 35 and twice 120. These 16 rows are entry 0 of the queue that comes next.",
      show = {"l", "r"},
    },
    {
      say = [[
`c` stands in a memory that no vector core can reach. So the cube core *pushes* it: `tpush_to_aiv` copies the tile into a
*slot* of a queue. This queue has two slots (`slot_num = 2`), and on a5 they stand in UB, the memory of the vector cores.
The push has `split = 1`: the upper half of the rows goes into the UB of AIV0, the lower half into that of AIV1.]],
      ask = "On AIV1, a slot has 8 rows of 16. Which row of c is row 2 of it?",
      answer = function(a)
        local n = tonumber(a)
        if n == 10 then return true end
        if n == 2 then return false, "That is on AIV0. AIV1 has the lower half." end
        if n == 5 then return false, "Rows are not dealt out in turn: each core gets 8 that stand side by side." end
        return false
      end,
      solution = "10",
      hint = "AIV0 has rows 0 to 7.",
      why = "8 + 2. With split = 2 it would be columns 0 to 7 for AIV0 and 8 to 15 for AIV1; with split = 0 all goes to AIV0.",
      at = "tpush_to_aiv", show = {"c"},
    },
    {
      say = [[
The cube core goes on. By now it has pushed entries 0 and 1, and has made the third product. Both slots hold something, and
in the order of this run no vector core has done anything yet. The next line of its program is the third push.]],
      ask = "What does the cube core do?",
      choices = {"it pushes over entry 0, the oldest one", "it waits", "it takes a third slot", "it skips this push"},
      answer = 2,
      why = {
        "Then the vector cores would never see entry 0, or half of it.",
        "A push waits until its slot has been given back. So a fast core runs ahead by as many entries as there are slots.",
        "There are as many slots as slot_num says, and the memory for them is reserved before the start.",
        "Then 16 rows would be missing. No instruction of a queue is ever skipped.",
      },
      hint = "Nothing may get lost, and there is no more room.",
      at = "tmatmul 3", show = {"c"},
    },
    {
      say = [[
While it waits, the vector cores run; in this run AIV0 comes first, with steps 13 to 20. A vector core *pops* what was
pushed: `%x = tpop_from_aic`. Entries come out in the order in which they went in. On a5 a pop copies nothing: from now on
`x` is a name for the bytes of the slot. TADDS reads it, `tfree_from_aic` follows, and TSTORE stores `y`.]],
      ask = "Which of these four says that the slot may be filled again?",
      choices = {"tpop_from_aic", "tadds", "tfree_from_aic", "tstore"},
      answer = 3,
      why = {
        "x is the slot itself: just after the pop nobody has read it yet.",
        "It reads the slot for the last time, but a processor does not know that it is the last time.",
        "The program says it, for only its author knows when x is not needed any more. It stands right after the last use.",
        "It stores y, which is a tile of the vector core's own. That does not concern the slot.",
      },
      hint = "One of them names no tile at all.",
      at = "tadds", show = {"x"},
    },
    {
      say = [[
AIV0 has gone on: it has popped, added and freed entry 1, too. Its next line is its third pop. The cube core still waits,
for AIV1 has done nothing in this run so far.]],
      ask = "What does AIV0 do?",
      choices = {"it pops entry 1 once more", "it waits until entry 2 has been pushed", "it ends its loop",
                 "it waits until AIV1 has popped entry 1"},
      answer = 2,
      why = {
        "An entry is popped once by each core.",
        "A pop waits for its entry, as a push waits for its slot.",
        "The loop goes round five times, as that of the cube core does. That has to be the same number.",
        "It does not look at AIV1. But the push that it waits for does, as you will see.",
      },
      hint = "Nothing is there to be popped.",
      at = "tstore 2",
    },
    {
      say = "Now, from step 21 on, AIV1 takes its half of entry 0. It runs the same function, and its `x` is in its own UB.",
      at = "tadds 3",
      predict = {tile = "y", cells = {{3, 5}}, by = "value"},
      hint = "Row 3 of AIV1 is row 11 of entry 0. a[11,5] is 115.",
      why = "Twice 115 is 230, and 1 more. It will store these rows 8 rows further down than AIV0.",
      show = {"x"},
    },
    {
      say = [[
A push fills the slot of both vector cores, so a slot is free when *every* core that takes from it has freed it. Which step
is it that lets the third push of the cube core run?]],
      find = {step = "tfree_from_aic 3"},
      hint = "AIV0 has freed entry 0, and even entry 1. Who has not freed entry 0 yet? Its steps begin with 21.",
      why = "The first tfree of AIV1. Had AIV1 been the faster one, it would be the first tfree of AIV0.",
    },
    {
      say = [[
So the third push can run. There is no third slot: entry n goes into slot n mod 2, round and round. That is why such a queue
is called a ring. The stage shows the two halves of the slot, that on AIV0 is called `dst`. Entry 0 stood there.]],
      at = "tpush_to_aiv 3",
      predict = {tile = "dst", cells = {{0, 0}, {7, 1}}, by = "value"},
      hint = "Entry 2 is rows 32 to 47. AIV0 gets rows 32 to 39 of it, and a[32,0] is 320.",
      why = "Twice 320, and twice 391. Entry 0 is gone: had AIV0 freed it before TADDS, x[0,0] might be 640 now, not 0.",
      show = {"c"},
    },
    {
      say = [[
What to keep in mind:

- a push fills the next slot, and waits while no slot is free
- a pop takes the next entry, and waits until it is there
- a free gives the slot back, after the last use; with two vector cores both have to do it
- slots are used in turn: entry n stands in slot n mod slot_num
- all pushes, pops and frees of a queue have the same split, and there are as many of each

When cores wait for each other in a circle, they wait for ever. The lesson `bug_deadlock` has such a kernel.]],
      at = "tstore 10",
    },
  },
}
