-- TTRANS: rows become columns. What A2A3 does to the columns next to them, and which region is turned on which target.
-- list: 50
return pto.lesson{
  title = "Fold along the diagonal: TTRANS",
  teaches = "Element [r,c] goes to [c,r]; A2A3 moves whole blocks, so columns right of the result are overwritten.",
  family = "transpose",
  target = "a2a3",
  program = [[
module {
  func.func @turn(%src: !pto.tile_buf<vec, 3x8xf32>) {
    %dst = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32, valid=8x3>
    pto.ttrans ins(%src : !pto.tile_buf<vec, 3x8xf32>) outs(%dst : !pto.tile_buf<vec, 8x16xf32, valid=8x3>)

    // A result of 8 columns is turned element by element.
    %plain = pto.alloc_tile : !pto.tile_buf<vec, 8x8xf32, valid=8x3>
    pto.ttrans ins(%src : !pto.tile_buf<vec, 3x8xf32>) outs(%plain : !pto.tile_buf<vec, 8x8xf32, valid=8x3>)
    return
  }
}
]],
  inputs = {
    src = {{0, 1, 2, 3, 4, 5, 6, 7}, {10, 11, 12, 13, 14, 15, 16, 17}, {20, 21, 22, 23, 24, 25, 26, 27}},
  },
  steps = {
    {
      say = [[
Hold a sheet of paper at its upper left corner and turn it over along the diagonal: rows become columns. That is `TTRANS`.
The element of row r and column c goes to row c and column r.

The values of `src` say where they stand: 13 is row 1, column 3. So you will see at once where each one went.]],
      at = "ttrans", next = true, highlight = {"src", 1, 3},
    },
    {
      say = "Where do these cells come from? Name the source, click it, or give its value.",
      predict = {tile = "dst", cells = {{3, 1}, {0, 2}, {7, 0}}},
      hint = "Swap the two numbers: dst[3,1] is src[1,3].",
      why = "`dst[c,r]` is `src[r,c]`, and nothing is computed: bits are copied.",
    },
    {
      say = [[
The result has 3 valid columns of 16. Look at columns 3 to 7 on the stage: the step wrote them too, and they are marked as
unspecified. Nobody promises what stands there.

The reason is how A2A3 turns: one micro-operation, `vnchwconv`, turns 16 blocks of 32 bytes at once. Three of them are the
rows of `src`. The others are what happens to stand elsewhere. F11 steps into the instruction, Shift+F11 out again.]],
      highlight = {"dst", 2, 5},
    },
    {
      ask = "How far do the overwritten columns reach in a row of 3 floats?",
      choices = {"to the next block of 32 bytes: columns 3 to 7", "to the end of the row: columns 3 to 15",
                 "nowhere: only 3 columns are written"},
      answer = 1,
      why = {
        "The result is copied in whole blocks. 3 floats are 12 bytes, so the block has 20 bytes more: 5 columns.",
        "Column 8 begins another block, and no block that holds only padding is copied.",
        "That is what A5 does. A2A3 copies whole blocks.",
      },
      hint = "32 bytes are 8 floats.",
    },
    {
      say = [[
Once more the same source, into a result of 8 columns. 8 floats are one block, and that is too narrow for the turning of
blocks, which needs 16 rows at once: A2A3 goes element by element here. That is slow, and exact.]],
      at = "ttrans 2",
      predict = {tile = "plain", cells = {{5, 2}, {2, 0}, {0, 3}}},
      hint = "Columns after the third are not touched now. Has anybody written them before?",
      why = "Fast or slow depends on the width of the result: whole multiples of 16 columns go by blocks.",
    },
    {
      ask = "What is a safe way to use columns 3 to 7 of dst after the first turn?",
      choices = {"none: write them before they are read", "they are 0", "they still hold what they held before"},
      answer = 1,
      why = {
        "Whoever reads them reads what nobody promises, and the checks of TileScope say so: kind `defined`.",
        "They hold what stood in other bytes of UB.",
        "They held something before, and it is lost.",
      },
      hint = "Unspecified means that no document promises a value.",
    },
    {
      say = [[
What to keep in mind:

- `dst[c,r] = src[r,c]`
- A2A3 turns the valid region of `src`; A5 turns its whole shape, padding too
- A2A3 overwrites columns up to the next 32 bytes when the result is 16, 32, ... columns wide
- scratch (`tmp`) is what A2A3 turns blocks in; the text may leave it out

The sample `bug_transposed_domain` has a kernel that was right on one target only.]],
    },
  },
}
