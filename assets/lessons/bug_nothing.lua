-- Find the bug: a sum that begins with nothing. Undefined bytes, where they come from and how far they go.
-- list: 100
return pto.lesson{
  title = "Find the bug: a sum from nothing",
  teaches = "Reading bytes that nobody wrote is a bug even when the result looks right; follow the hatching back.",
  family = "debugging",
  target = "a5",
  program = [[
module {
  func.func @bug_nothing(%a: !pto.tile_buf<vec, 2x8xf32>, %b: !pto.tile_buf<vec, 2x8xf32>) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %ones = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>
    %sum = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>
    %total = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32>
    pto.texpands ins(%one : f32) outs(%ones : !pto.tile_buf<vec, 2x8xf32>)
    %row = pto.subset %sum[%c0, %c0] sizes [1, 8] : !pto.tile_buf<vec, 2x8xf32>
    pto.texpands ins(%zero : f32) outs(%row : !pto.tile_buf<vec, 2x8xf32>)
    pto.tadd ins(%a, %b : !pto.tile_buf<vec, 2x8xf32>, !pto.tile_buf<vec, 2x8xf32>) outs(%a : !pto.tile_buf<vec, 2x8xf32>)
    pto.tadd ins(%sum, %a : !pto.tile_buf<vec, 2x8xf32>, !pto.tile_buf<vec, 2x8xf32>) outs(%sum : !pto.tile_buf<vec, 2x8xf32>)
    pto.tadd ins(%sum, %ones : !pto.tile_buf<vec, 2x8xf32>, !pto.tile_buf<vec, 2x8xf32>) outs(%total : !pto.tile_buf<vec, 2x8xf32>)
    return
  }
}
]],
  inputs = {
    a = {{1, 2, 3, 4, 5, 6, 7, 8}, {11, 12, 13, 14, 15, 16, 17, 18}},
    b = {{10, 20, 30, 40, 50, 60, 70, 80}, {100, 100, 100, 100, 100, 100, 100, 100}},
  },
  steps = {
    {
      say = [[
This kernel is meant to compute `a + b + 1` into `total`, by way of a running sum. Its author tested it on a chip whose
memory happened to be full of zeros, and the result was right. On another day it was full of odd numbers.

You will find out why. The list of findings is closed in this lesson: you do it by hand first.]],
      at = "tadd 3", highlight = {"total", 0, 0},
    },
    {
      ask = "Look at total on the stage. Which of its rows is as it should be?",
      choices = {"row 0", "row 1", "both", "none"},
      answer = 1,
      why = {
        "1 + 10 + 1 is 12, and so on: row 0 is right.",
        "11 + 100 + 1 is 112. What stands there is something else.",
        "Row 1 should begin with 11 + 100 + 1.",
        "Row 0 is right: 1 + 10 + 1 is 12.",
      },
      hint = "total[0,0] should be 1 + 10 + 1.",
    },
    {
      say = [[
The last step only shows it. Click `total[1,3]`, then press F4: it follows the value to what it was made of, and again, to
what that was made of. Alt+Left leads back. Look for cells that are hatched: nobody ever wrote them, and every value made
of them means as little. (The emulator starts with bytes of 0xCD; a chip with what was there before.)]],
      highlight = {"total", 1, 3},
      find = {finding = "defined"},
      hint = "Which step is the first that reads a hatched cell? It is a TADD, and not the last one.",
      why = "Row 1 of `sum` is read here, and no step before wrote it. What follows only hands it on.",
    },
    {
      say = "One step further back stands the reason. Something was meant to clear `sum`.",
      find = {step = "texpands 2"},
      hint = "There are two TEXPANDS. Which of them writes `sum`, and how much of it?",
      why = "It clears `row`, one row of `sum`. The author meant the whole tile.",
    },
    {
      ask = "What would fix it?",
      choices = {"fill the whole of sum with 0", "start the sum with row 1", "run the kernel twice"},
      answer = 1,
      why = {
        "Then every element that is read has been written before.",
        "Then row 0 would be the one that nobody wrote.",
        "It may look right then, because the bytes hold the result of the run before. It is the same bug.",
      },
      hint = "Every byte that is read must have been written.",
    },
    {
      say = [[
Now the findings are open: the Check menu lists what TileScope finds by itself, and F8 goes from one to the next. This
bug is of kind `defined`: bytes nobody wrote reached a result.

On the command line: `tilescope check --run kernel.pto`. It ends with status 2 when something is wrong, so it can stand
in a nightly test.]],
      at = "tadd 2",
    },
  },
}
