-- Find the bug: a kernel that stops, for a cube core and a vector core wait for each other. Who waits for what, and why?
-- list: 150
-- x[i][k] is i + k, and w is 2 on its diagonal.
local x, w = {}, {}
for i = 0, 63 do
  for k = 0, 15 do x[i * 16 + k + 1] = i + k end
end
for k = 0, 15 do
  for j = 0, 15 do w[k * 16 + j + 1] = k == j and 2 or 0 end
end

-- How many steps of an operation were made.
local function made(op)
  local n = 0
  for s in pto.current():steps() do
    if s.op == op then n = n + 1 end
  end
  return n
end

return pto.lesson{
  title = "Find the bug: nobody can go on",
  teaches = "A deadlock is a circle of waiting: ask each core what it waits for, until one of them forgot something.",
  family = "debugging",
  target = "a5",
  program = [[
module attributes {pto.target_arch = "a5"} {
  func.func @bug_deadlock_aic(%x_at: !pto.ptr<f16>, %w_at: !pto.ptr<f16>, %out_at: !pto.ptr<f32>)
      attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %to_vector = pto.import_reserved_buffer {name = "to_vector", peer_func = @bug_deadlock_aiv} -> i32
    %to_cube = pto.reserve_buffer {name = "to_cube", size = 2048, location = #pto.address_space<mat>, auto = true} -> i32
    pto.aic_initialize_pipe {id = 0, dir_mask = 3, slot_size = 1024, slot_num = 2}
        (c2v_consumer_buf = %to_vector : i32, v2c_consumer_buf = %to_cube : i32)

    %x_all = pto.make_tensor_view %x_at, shape = [%c64, %c16], strides = [%c16, %c1] : !pto.tensor_view<64x16xf16>
    %w_all = pto.make_tensor_view %w_at, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<16x16xf16>
    %w_view = pto.partition_view %w_all, offsets = [%c0, %c0], sizes = [%c16, %c16]
        : !pto.tensor_view<16x16xf16> -> !pto.partition_tensor_view<16x16xf16>
    %out_all = pto.make_tensor_view %out_at, shape = [%c64, %c16], strides = [%c16, %c1] : !pto.tensor_view<64x16xf32>
    %x = pto.alloc_tile : !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>
    %w = pto.alloc_tile : !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>
    %l = pto.alloc_tile : !pto.tile_buf<left, 16x16xf16, blayout=col_major, slayout=row_major>
    %l_again = pto.alloc_tile : !pto.tile_buf<left, 16x16xf16, blayout=col_major, slayout=row_major>
    %r = pto.alloc_tile : !pto.tile_buf<right, 16x16xf16, slayout=col_major>
    %c = pto.alloc_tile : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>
    %out = pto.alloc_tile : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>

    pto.tload ins(%w_view : !pto.partition_tensor_view<16x16xf16>)
        outs(%w : !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>)
    pto.tmov ins(%w : !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>)
        outs(%r : !pto.tile_buf<right, 16x16xf16, slayout=col_major>)
    scf.for %row = %c0 to %c64 step %c16 {
      %x_view = pto.partition_view %x_all, offsets = [%row, %c0], sizes = [%c16, %c16]
          : !pto.tensor_view<64x16xf16> -> !pto.partition_tensor_view<16x16xf16>
      %out_view = pto.partition_view %out_all, offsets = [%row, %c0], sizes = [%c16, %c16]
          : !pto.tensor_view<64x16xf32> -> !pto.partition_tensor_view<16x16xf32>
      pto.tload ins(%x_view : !pto.partition_tensor_view<16x16xf16>)
          outs(%x : !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>)
      pto.tmov ins(%x : !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>)
          outs(%l : !pto.tile_buf<left, 16x16xf16, blayout=col_major, slayout=row_major>)
      pto.tmatmul ins(%l, %r : !pto.tile_buf<left, 16x16xf16, blayout=col_major, slayout=row_major>,
          !pto.tile_buf<right, 16x16xf16, slayout=col_major>)
          outs(%c : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>)
      pto.tpush_to_aiv(%c : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>)
          {id = 0, split = 0}

      %back = pto.tpop_from_aiv {id = 0, split = 0}
          -> !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>
      pto.tmov ins(%back : !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>)
          outs(%l_again : !pto.tile_buf<left, 16x16xf16, blayout=col_major, slayout=row_major>)
      pto.tmatmul ins(%l_again, %r : !pto.tile_buf<left, 16x16xf16, blayout=col_major, slayout=row_major>,
          !pto.tile_buf<right, 16x16xf16, slayout=col_major>)
          outs(%out : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>)
      pto.tstore ins(%out : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>)
          outs(%out_view : !pto.partition_tensor_view<16x16xf32>)
    }
    return
  }

  func.func @bug_deadlock_aiv(%x_at: !pto.ptr<f16>, %w_at: !pto.ptr<f16>, %out_at: !pto.ptr<f32>)
      attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1.0 : f32
    %to_vector = pto.reserve_buffer {name = "to_vector", size = 2048, location = #pto.address_space<vec>, auto = true} -> i32
    %to_cube = pto.import_reserved_buffer {name = "to_cube", peer_func = @bug_deadlock_aic} -> i32
    pto.aiv_initialize_pipe {id = 0, dir_mask = 3, slot_size = 1024, slot_num = 2}
        (c2v_consumer_buf = %to_vector : i32, v2c_consumer_buf = %to_cube : i32)

    %more = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
    %halves = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf16>
    %boxed = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf16, blayout=col_major, slayout=row_major>
    scf.for %row = %c0 to %c64 step %c16 {
      %twice = pto.tpop_from_aic {id = 0, split = 0} -> !pto.tile_buf<vec, 16x16xf32>
      pto.tadds ins(%twice, %one : !pto.tile_buf<vec, 16x16xf32>, f32) outs(%more : !pto.tile_buf<vec, 16x16xf32>)
      pto.tfree_from_aic {id = 0, split = 0}
      pto.tcvt ins(%more {rmode = #pto<round_mode RINT>} : !pto.tile_buf<vec, 16x16xf32>)
          outs(%halves : !pto.tile_buf<vec, 16x16xf16>)
      pto.tmov ins(%halves : !pto.tile_buf<vec, 16x16xf16>)
          outs(%boxed : !pto.tile_buf<vec, 16x16xf16, blayout=col_major, slayout=row_major>)
      pto.tpush_to_aic(%boxed : !pto.tile_buf<vec, 16x16xf16, blayout=col_major, slayout=row_major>) {id = 0, split = 0}
    }
    return
  }
}
]],
  inputs = {x_at = x, w_at = w},
  steps = {
    {
      say = [[
A product goes to a vector core and comes back. In each turn of its loop the cube core, `AIC`, multiplies 16 rows of x by w
and pushes the result to the vector core, `AIV0`. That one adds 1, makes halves of it, and pushes them back. The cube core
pops them, multiplies once more, and stores 16 rows. There are 64 rows, so four turns. Each way has a queue of two slots.

On a device this kernel hangs. Here the run stops, for no core can go on. No value is wrong: look at what is stored. The
list of findings is closed in this lesson, you find out yourself.]],
      at = 39, show = {"out", "more"},
    },
    {
      ask = "How many of the 64 rows have been stored when it stops?",
      answer = function(a)
        local n = tonumber(a)
        if n == nil then return false, "A number is wanted." end
        if n == 16 * made("tstore") then return true end
        if n == made("tstore") then return false, "So many turns. Each of them stores 16 rows." end
        if n == 48 then return false, "The third turn has begun. Has it come to its store?" end
        return false
      end,
      solution = "32",
      hint = "Count the steps TSTORE.",
      why = "Two turns of four: as many as a queue has slots. That is no accident.",
    },
    {
      say = [[
When nobody can go on, every core stands before an instruction that waits. Find out for each core which one it is: go
through the steps from the end back, look which core made the last ones, and what its program says next.]],
      ask = "Before which instruction does the cube core stand?",
      choices = {"its third tpush_to_aiv", "its third tpop_from_aiv", "its third tstore", "none, it has come to its end"},
      answer = 2,
      why = {
        "That was made: it is the last step of the cube core.",
        "It has pushed its third product, and waits for what comes back. That is what this program is meant to do.",
        "Before it can store it has to multiply, and before that it has to pop.",
        "Then it would have stored four times.",
      },
      hint = "The last step that the cube core made is a push. What comes after it in its loop?",
      at = "tpush_to_aiv 3",
    },
    {
      ask = "And the vector core?",
      choices = {"its third tpop_from_aic", "its third tfree_from_aic", "its third tpush_to_aic", "its fourth tpop_from_aic"},
      answer = 3,
      why = {
        "It has popped three times: the cube core pushed three.",
        "A free never waits.",
        "Its last step made halves in boxes, ready to be pushed, and they were not pushed.",
        "Before that comes its third push.",
      },
      hint = "The last step of all is its TMOV. What comes after it?",
      at = 39,
    },
    {
      say = [[
A circle, then: the cube core waits for the third push of the vector core, and the vector core cannot make it. A circle
alone does not tell whose fault it is. So ask what the push waits for.]],
      ask = "What does a push wait for?",
      choices = {"that the other core pops", "a slot that is free", "that all that was pushed before has been multiplied"},
      answer = 2,
      why = {
        "It does not. Up to two entries may stand in the queue before anybody pops.",
        "There are two. So both of them have to be in use here, or count as in use.",
        "A queue knows nothing of products.",
      },
      hint = "slot_num = 2 in the text.",
      at = 39,
    },
    {
      say = "The slots from the vector core to the cube core stand in L1, which is the cube core's. It has popped two entries.",
      ask = "How many slots of that queue has the cube core given back?",
      answer = function(a)
        local n = tonumber(a)
        if n == nil then return false, "A number is wanted." end
        if n == made("tfree_from_aiv") then return true end
        if n == made("tfree_from_aic") then return false, "That is tfree_from_aic: AIV0 frees what came from AIC." end
        if n == made("tpop_from_aiv") then return false, "So many it has popped. A pop does not give the slot back." end
        return false
      end,
      solution = "0",
      hint = "Look for tfree_from_aiv among the steps, or in the text.",
      why = "None. Pushed 2, popped 2, freed 0: both slots are empty for everybody who reads, and in use for who pushes.",
      at = 39,
    },
    {
      say = [[
So a line is missing. It belongs after the last use of `back`, which is a name for the slot itself. Find the step, in the
first turn, after which the slot was not needed any more.]],
      find = {step = "tmov 4"},
      hint = "Who reads `back`? l_again is a tile of its own.",
      why = "This TMOV copies the slot to L0A. What multiplies afterwards reads the copy.",
    },
    {
      ask = "Which line is missing after it?",
      choices = {"pto.tfree_from_aic {id = 0, split = 0}", "pto.tfree_from_aiv {id = 0, split = 0}",
                 "pto.tpop_from_aiv {id = 0, split = 0}", "pto.tpush_to_aiv(..) {id = 0, split = 0}"},
      answer = 2,
      why = {
        "It would be refused here: only a vector core frees what came from AIC.",
        "The cube core frees what came from AIV. Then the third push has a slot, and the circle is open.",
        "One pop for each push, and there is one. Another one would wait for an entry more.",
        "One push for each pop of the vector core, and there is one.",
      },
      hint = "The slot came from the vector core, AIV.",
      at = "tmov 4", show = {"l_again"},
    },
    {
      ask = "What would happen to this kernel, as it is, with slot_num = 4 on both sides and room for as many?",
      choices = {"it would stop in the same place", "it would come to its end", "it would store wrong rows"},
      answer = 2,
      why = {
        "The third and the fourth push would find a slot.",
        "Four turns fill four slots. The checks warn then (MK-16), and with 80 rows it hangs. Small tests hide such a bug.",
        "No entry would be written over: each has a slot of its own.",
      },
      hint = "There are four turns. How many slots does each of them use up?",
      at = 39,
    },
    {
      say = [[
Now the findings are open. The last one says all this in its text: where each core stands, what it waits for, who should
deliver it, and what to add where.

What to keep in mind when a kernel hangs:

- every core stands before a pop that has no entry, a push that has no slot, or a place where cores meet
- go round the circle, and at each core count: pushed, popped, freed
- a count that stays behind shows the line that is missing, or a loop that turns too few times
- as many turns as slots always work. Test with more]],
      at = 39,
    },
  },
}
