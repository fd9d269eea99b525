-- Find the bug: two tiles that stand on the same bytes. Addresses by hand, and who wrote a value last.
-- list: 110
return pto.lesson{
  title = "Find the bug: two tiles, one place",
  teaches = "Tiles are bytes: when two of them overlap, writing one changes the other.",
  family = "debugging",
  target = "a5",
  program = [[
module {
  func.func @bug_shared() {
    %a_place = arith.constant 0x0 : i64
    %b_place = arith.constant 0x20 : i64
    %s_place = arith.constant 0x200 : i64
    %two = arith.constant 2.0 : f32
    %five = arith.constant 5.0 : f32
    %a = pto.alloc_tile addr = %a_place : !pto.tile_buf<vec, 2x8xf32>
    %b = pto.alloc_tile addr = %b_place : !pto.tile_buf<vec, 2x8xf32>
    %sum = pto.alloc_tile addr = %s_place : !pto.tile_buf<vec, 2x8xf32>
    pto.texpands ins(%two : f32) outs(%a : !pto.tile_buf<vec, 2x8xf32>)
    pto.texpands ins(%five : f32) outs(%b : !pto.tile_buf<vec, 2x8xf32>)
    pto.tadd ins(%a, %b : !pto.tile_buf<vec, 2x8xf32>, !pto.tile_buf<vec, 2x8xf32>) outs(%sum : !pto.tile_buf<vec, 2x8xf32>)
    return
  }
}
]],
  steps = {
    {
      say = [[
Two tiles of 2 x 8 floats, `a` full of 2 and `b` full of 5, are added. Every element of `sum` should be 7. This author
places tiles by hand: `a` at byte 0 of UB, `b` at byte 0x20, `sum` at 0x200.

Go to the end of the program and look at `sum`.]],
      at = "tadd", highlight = {"sum", 0, 0},
    },
    {
      say = "One row is right and the other is not. No value looks odd, which makes such bugs hard.",
      find = {cell = {{"sum", 1, 0}, {"sum", 1, 1}, {"sum", 1, 2}, {"sum", 1, 3},
                      {"sum", 1, 4}, {"sum", 1, 5}, {"sum", 1, 6}, {"sum", 1, 7}}},
      hint = "2 + 5 is 7. Which cells are not?",
      why = "10 is 5 + 5: where `a` should give 2 it gave 5.",
    },
    {
      ask = "So a[1,0] was 5 when it was read. Select it on the stage and press F4. Which instruction made that value?",
      choices = {"the texpands of a (step 0)", "the texpands of b (step 1)", "the tadd (step 2)"},
      answer = 2,
      why = {
        "That one wrote 2 there. Somebody wrote the same bytes after it.",
        "It was meant to write b, and its first row stands where the second row of a does.",
        "The tadd only reads a.",
      },
      hint = "A value belongs to bytes, not to a name. Who wrote these bytes last?",
    },
    {
      say = [[
Bytes, then. A row of 8 floats has 32 bytes, which is 0x20. `a` has two rows.]],
      ask = "At which byte does a end? (The first byte after it.)",
      answer = {64, "0x40"},
      hint = "Two rows of 32 bytes, from byte 0 on.",
      why = "`a` is bytes 0 to 63, and `b` begins at 0x20 = 32, in the middle of it.",
    },
    {
      say = "Which step does the damage?",
      find = {step = "texpands 2"},
      hint = "Up to which step does `a` hold what it should?",
      why = "Filling `b` overwrites row 1 of `a`. Nothing about the instruction is wrong: its address is.",
    },
    {
      ask = "Which is the smallest address for b at which nothing overlaps, and all of it stands below sum?",
      answer = {64, "0x40"},
      hint = "Directly after a.",
    },
    {
      say = [[
Findings are open again. This one is of kind `alias`: two tiles in the same bytes, both still needed. The Buffer map pane
(View menu) draws every tile with its addresses and its time, and hatches what overlaps.

The best fix is not to place tiles by hand at all: without `addr` the assembler finds a place for each of them.]],
      at = "texpands 2", show = {"a"},
    },
  },
}
