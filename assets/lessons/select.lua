-- TSEL and TSELS: a packed mask decides, bit by bit, which of two values each element takes. Tails and the mask's pitch.
-- list: 30
return pto.lesson{
  title = "Points on a railway: TSEL and TSELS",
  teaches = "Each bit of a packed mask decides where one element comes from; rows of the mask begin at its pitch.",
  family = "select",
  target = "a5",
  program = [[
module {
  func.func @select(%mask: !pto.tile_buf<vec, 2x32xui8, valid=2x1>, %src0: !pto.tile_buf<vec, 2x8xf32, valid=2x6>,
                    %src1: !pto.tile_buf<vec, 2x8xf32, valid=2x6>) {
    %minus_one = arith.constant -1.0 : f32
    %dst = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32, valid=2x6>
    pto.tsel ins(%mask, %src0, %src1 : !pto.tile_buf<vec, 2x32xui8, valid=2x1>, !pto.tile_buf<vec, 2x8xf32, valid=2x6>,
                 !pto.tile_buf<vec, 2x8xf32, valid=2x6>)
        outs(%dst : !pto.tile_buf<vec, 2x8xf32, valid=2x6>)

    %kept = pto.alloc_tile : !pto.tile_buf<vec, 2x8xf32, valid=2x6>
    pto.tsels ins(%mask, %dst, %minus_one : !pto.tile_buf<vec, 2x32xui8, valid=2x1>, !pto.tile_buf<vec, 2x8xf32, valid=2x6>, f32)
        outs(%kept : !pto.tile_buf<vec, 2x8xf32, valid=2x6>)
    return
  }
}
]],
  inputs = {
    mask = {{0xB5}, {0x0F}},
    src0 = {{10, 11, 12, 13, 14, 15}, {30, 31, 32, 33, 34, 35}},
    src1 = {{20, 21, 22, 23, 24, 25}, {40, 41, 42, 43, 44, 45}},
  },
  steps = {
    {
      say = [[
A vector kernel has no `if` for single elements. It computes both sides and takes, element by element, the one or the
other. What decides is a mask: one bit for each element, eight of them packed into a byte.

`TSEL` takes the element of `src0` where the bit is 1, and the one of `src1` where it is 0. Think of points on a railway:
the bit above a lane says which of two trains comes through.]],
      at = "tsel", next = true, highlight = {"mask", 0, 0},
    },
    {
      say = [[
The first byte of the mask is 0xB5, in bits `1011 0101` as people write it: the highest bit first. But the bit of column
0 is the lowest one. So for the columns one reads it from the right: 1, 0, 1, 0, 1, 1, 0, 1.]],
      ask = "Which bit decides about column 4 of row 0?",
      choices = {"a 1: dst[0,4] comes from src0", "a 0: dst[0,4] comes from src1"},
      answer = 1,
      why = {"From the right: 1 0 1 0 1. The fifth is a 1.", "Read from the right: 1 0 1 0 1. The fifth is a 1."},
      hint = "Write the bits down from right to left, and count columns from 0.",
    },
    {
      say = "Now the step is made. Where do these elements of row 0 come from? And what becomes of column 6, which is not valid?",
      predict = {tile = "dst", row = 0, cols = {1, 4, 5, 6}},
      hint = "Bits of columns 0 to 5: 1 0 1 0 1 1. A tail that is not valid is left alone, and nobody wrote it so far.",
      why = "The mask has bits for columns 6 and 7 too. They do not matter: the valid columns of the result end the row.",
    },
    {
      say = [[
The strip above the lanes on the stage is the mask, with each bit where it works. Sources that were not taken are faint.

Now row 1. Its mask byte is 0x0F. But where does it stand? The mask tile is 32 bytes wide, although one byte in each row
would do: a row of a tile in UB is at least one block of 32 bytes.]],
      highlight = {"dst", 1, 0},
    },
    {
      ask = "At which byte of the mask tile do the bits of row 1 begin?",
      answer = 32,
      hint = "Each row of the mask begins at its own pitch: static columns times bytes of an element. The valid columns do not count.",
      why = "Not at byte 1. Whoever packs all rows without gaps selects the first row right, and every other one wrong.",
    },
    {
      ask = "Click dst[1,4] on the stage and look for its source. Which element is it?",
      answer = {"src1[1,4]"},
      hint = "0x0F is 0000 1111: bits 0 to 3 are 1, bit 4 is 0.",
    },
    {
      say = [[
`TSELS` has a single number in place of `src1`: where the bit is 0, the element becomes that number. Here it is -1, and
the source is what `TSEL` made. For the number you may write its value, or `scalar`.]],
      at = "tsels",
      predict = {tile = "kept", cells = {{0, 0}, {0, 3}, {1, 5}}},
      hint = "The same mask again: row 0 has 1 0 1 0 1 1, row 1 has 1 1 1 1 0 0.",
      why = "A bit that is 0 chose the number; the source's element takes no part, not even when it is NaN.",
    },
    {
      say = [[
What to keep in mind:

- bit j of a mask row governs column j; the lowest bit is column 0
- rows of a mask begin at the pitch of its tile, 32 bytes at least
- bits are copied, NaN too; what is not valid stays as it was
- A2A3 needs a scratch tile `tmp`, which the text may leave out; A5 does not touch it

A mask that was loaded without its pitch is one of the planted bugs: open the sample `bug_mask_pitch`.]],
    },
  },
}
