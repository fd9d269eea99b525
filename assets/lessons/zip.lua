-- TINTERLEAVE: two rows become one, as a zip fastener takes a tooth from each side in turn. Target A5.
-- list: 10
return pto.lesson{
  title = "Zip: TINTERLEAVE",
  teaches = "Two rows become one stream of pairs, and the stream is cut in its middle.",
  family = "interleave",
  target = "a5",
  program = [[
module {
  func.func @zip(%src0: !pto.tile_buf<vec, 1x8xf32>, %src1: !pto.tile_buf<vec, 1x8xf32>,
                 %p: !pto.tile_buf<vec, 2x8xf32, valid=2x6>, %q: !pto.tile_buf<vec, 2x8xf32, valid=2x6>) {
    %dst0 = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
    %dst1 = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
    pto.tinterleave ins(%src0, %src1 : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>)
        outs(%dst0, %dst1 : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>)

    // Six columns of eight are valid.
    %first = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32, valid=2x6>
    %second = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32, valid=2x6>
    pto.tinterleave ins(%p, %q : !pto.tile_buf<vec, 2x8xf32, valid=2x6>, !pto.tile_buf<vec, 2x8xf32, valid=2x6>)
        outs(%first, %second : !pto.tile_buf<vec, 2x8xf32, valid=2x6>, !pto.tile_buf<vec, 2x8xf32, valid=2x6>)
    return
  }
}
]],
  inputs = {
    src0 = {{10, 11, 12, 13, 14, 15, 16, 17}},
    src1 = {{20, 21, 22, 23, 24, 25, 26, 27}},
    p = {{1, 2, 3, 4, 5, 6}, {101, 102, 103, 104, 105, 106}},
    q = {{-1, -2, -3, -4, -5, -6}, {-101, -102, -103, -104, -105, -106}},
  },
  steps = {
    {
      say = [[
A complex number is a pair: a real and an imaginary part. A kernel often keeps all real parts in one tile and all
imaginary parts in another. Outside they stand in turn: real, imaginary, real, imaginary.

`TINTERLEAVE` goes from the first form to the second. It is a zip fastener: a tooth from `src0`, a tooth from `src1`,
and so on, row by row. What comes out is called the stream of the row.

On the stage you see the two sources. The results are still empty.]],
      at = "tinterleave", next = true, highlight = {"src0", 0, 0},
    },
    {
      ask = "Each source has 8 columns. How many elements has the stream of a row?",
      answer = {16, "sixteen"},
      hint = "Every element of both sources gets into it, once.",
      why = "16 elements do not fit into a row of 8. That is why there are two results: `dst0` and `dst1`.",
    },
    {
      say = "The first teeth. Fill in where each of these cells comes from: name the source, such as `src0[0,4]`, or click it on the stage.",
      predict = {tile = "dst0", row = 0, cols = {0, 1, 2}, by = "source"},
      hint = "They take turns, and src0 begins. Nothing is skipped: the second tooth of src0 is column 1.",
      why = "Even places of the stream come from `src0`, odd ones from `src1`; place 2k and 2k + 1 from column k.",
    },
    {
      say = [[
Look at the stage. The colours travel with the values: what came from `src0` keeps its colour, what came from `src1` has
the other one.

The stream is drawn between sources and results, with a cut in its middle. The first half is `dst0`, the second half is
`dst1`. Point at any cell to see its source light up; the space bar plays the move.]],
      highlight = {"dst1", 0, 0},
    },
    {
      ask = "Which element does dst1 begin with?",
      choices = {"src0[0,0]", "src1[0,0]", "src0[0,4]", "src1[0,4]"},
      answer = 3,
      why = {
        "That one is the first of the whole stream, and stands in dst0[0,0].",
        "dst1 does not collect what src1 gave: that would be no zip. The stream is cut in its middle.",
        "The stream has 16 places and dst1 starts at place 8. 8 is even, so it is src0, column 4.",
        "That one is the odd place after it: dst1[0,1].",
      },
      hint = "dst0 takes 8 places of the stream. Which column of the sources has been reached then?",
    },
    {
      say = [[
Now tiles of 2 x 8 of which only 6 columns are *valid*. The stream of a row has 12 places, and it is still cut in its
middle: after place 5. The padding on the right takes no part.]],
      at = "tinterleave 2",
      predict = {tile = "second", cells = {{0, 0}, {0, 1}, {1, 5}}},
      hint = "second[0,0] is place 6 of the stream. 6 is even: which tile, and which column?",
      why = "Place 6 + j of the stream: an even place from `p`, an odd one from `q`, column (6 + j) / 2.",
    },
    {
      ask = "Point at first[0,5] on the stage. Which element lights up? Write it as tile[row,column].",
      answer = function(a)
        if a:gsub("[ %%]", "") == "q[0,2]" then return true end
        return false, "That is not what lights up. Place 5 of the stream is odd, so it is one of q."
      end,
      solution = "q[0,2]",
      hint = "Place 5 is odd, and 5 / 2 is 2.",
      highlight = {"first", 0, 5},
    },
    {
      say = [[
What to keep in mind:

- even places of the stream from `src0`, odd ones from `src1`
- the first half goes to `dst0`, the second half to `dst1`: a cut in the middle, not a sorting by source
- valid columns have to be even, and padding keeps what it held
- in C++ the order is turned round: `TINTERLEAVE(dst1, dst0, src1, src0)`
- A2A3 has no such instruction

`TDEINTERLEAVE` pulls the zip open again: that is the next lesson.]],
    },
  },
}
