-- TDEINTERLEAVE: a stream of pairs is pulled apart, the even places to one tile and the odd ones to another. Target A5.
-- list: 20
return pto.lesson{
  title = "Unzip: TDEINTERLEAVE",
  teaches = "A stream of pairs is pulled apart: even places to dst0, odd places to dst1.",
  family = "interleave",
  target = "a5",
  program = [[
module {
  func.func @unzip(%src0: !pto.tile_buf<vec, 1x8xf32>, %src1: !pto.tile_buf<vec, 1x8xf32>,
                   %left: !pto.tile_buf<vec, 2x16xf16, valid=2x6>, %right: !pto.tile_buf<vec, 2x16xf16, valid=2x6>) {
    %dst0 = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
    %dst1 = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
    pto.tdeinterleave ins(%src0, %src1 : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>)
        outs(%dst0, %dst1 : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>)

    %even = pto.alloc_tile : !pto.tile_buf<vec, 2x16xf16, valid=2x6>
    %odd = pto.alloc_tile : !pto.tile_buf<vec, 2x16xf16, valid=2x6>
    pto.tdeinterleave ins(%left, %right : !pto.tile_buf<vec, 2x16xf16, valid=2x6>, !pto.tile_buf<vec, 2x16xf16, valid=2x6>)
        outs(%even, %odd : !pto.tile_buf<vec, 2x16xf16, valid=2x6>, !pto.tile_buf<vec, 2x16xf16, valid=2x6>)

    // And together again.
    %back0 = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
    %back1 = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
    pto.tinterleave ins(%dst0, %dst1 : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>)
        outs(%back0, %back1 : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>)
    return
  }
}
]],
  inputs = {
    src0 = {{10, 20, 11, 21, 12, 22, 13, 23}},
    src1 = {{14, 24, 15, 25, 16, 26, 17, 27}},
    left = {{0, 1, 2, 3, 4, 5}, {50, 51, 52, 53, 54, 55}},
    right = {{6, 7, 8, 9, 10, 11}, {56, 57, 58, 59, 60, 61}},
  },
  steps = {
    {
      say = [[
Samples of a stereo recording come in turn: left, right, left, right. A kernel that works on one channel wants them apart.

`TDEINTERLEAVE` pulls such a stream apart. Its two sources are one stream: first all of a row of `src0`, then all of the
same row of `src1`. Here everything of the left channel is a number from 10 on, everything of the right one from 20 on.]],
      at = "tdeinterleave", next = true, highlight = {"src0", 0, 0},
    },
    {
      ask = "At which place of the stream does src1[0,0] stand? Places count from 0.",
      answer = 8,
      hint = "src0 comes first, and has 8 columns.",
      why = "8 is even. So `src1[0,0]` belongs to the left channel, as its value 14 says as well.",
    },
    {
      say = "The even places go to `dst0`, the odd ones to `dst1`. Fill in values, or name or click the sources.",
      predict = {tile = "dst0", row = 0, cols = {0, 1, 5}},
      hint = "dst0[0,5] is the sixth even place: place 10 of the stream. src0 ends at place 7.",
      why = "Column k of `dst0` is place 2k of the stream: the first half of the row from `src0`, the other from `src1`.",
    },
    {
      say = [[
The stage shows the zip from below: pairs of the stream at the top, and the two rows that they fall into.

A usual mistake is to take `src0` for the even and `src1` for the odd elements. They are not: they are the front and the
back part of one long row. Point at `dst1[0,4]` and see where it comes from.]],
      highlight = {"dst1", 0, 4},
    },
    {
      ask = "Where does dst1[0,4] come from?",
      choices = {"src1[0,0]", "src1[0,1]", "src0[0,4]", "src1[0,4]"},
      answer = "src1[0,1]",
      why = {
        "That is place 8 of the stream, an even one: it went to dst0[0,4].",
        "Place 2 * 4 + 1 = 9, and src1 begins at place 8.",
        "That is place 4, an even one: it went to dst0[0,2].",
        "That is place 12, an even one: it went to dst0[0,6].",
      },
      hint = "Column 4 of dst1 is place 2 * 4 + 1.",
    },
    {
      say = [[
The same with halves, 16 columns wide, of which 6 are valid. The stream of a row has 12 places: 6 of `left`, then 6 of
`right`. What stands right of the valid columns is padding; ask yourself what becomes of it.]],
      at = "tdeinterleave 2",
      predict = {tile = "odd", cells = {{0, 0}, {1, 3}, {0, 6}}},
      hint = "odd[1,3] is place 7 of row 1: the second of `right`. And nobody has written column 6 so far.",
      why = "Padding is not touched: `odd[0,6]` holds what it held before, which is nothing that anybody wrote.",
    },
    {
      say = [[
Last, the way back: `TINTERLEAVE` of `dst0` and `dst1`. If the two are inverse to each other, the sources must come out
again, in both tiles.]],
      at = "tinterleave",
      predict = {tile = "back1", row = 0, cols = {0, 1}, by = "value"},
      hint = "back0 and back1 are src0 and src1 again.",
    },
    {
      say = [[
What to keep in mind:

- the two sources are one stream, front and back
- even places to `dst0`, odd places to `dst1`
- there is a form with one source, which holds the whole stream in a wide tile
- A5 only; in C++ the results come first and in the order `dst1, dst0`

Press F4 on a cell of `back0`: it follows the value through both instructions to where it came from.]],
      highlight = {"back0", 0, 3},
    },
  },
}
