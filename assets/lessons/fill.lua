-- TEXPANDS: one number into a whole tile; and what a valid region is, where the fill stops, and what padding holds.
-- list: 40
return pto.lesson{
  title = "Shower head: TEXPANDS, valid regions and padding",
  teaches = "A tile has a shape and a valid region; a fill stops at the valid region, and padding keeps what it held.",
  family = "fill",
  target = "a5",
  program = [[
module {
  func.func @fill() {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %seven = arith.constant 7.0 : f32
    %half = arith.constant 0.5 : f32
    %two = arith.constant 2.0 : f32

    %wide = pto.alloc_tile : !pto.tile_buf<vec, 3x8xf32, valid=2x5>
    pto.texpands ins(%seven : f32) outs(%wide : !pto.tile_buf<vec, 3x8xf32, valid=2x5>)

    %paper = pto.alloc_tile : !pto.tile_buf<vec, 4x8xf32>
    pto.texpands ins(%half : f32) outs(%paper : !pto.tile_buf<vec, 4x8xf32>)
    // One row of it.
    %line = pto.subset %paper[%c1, %c0] sizes [1, 8] : !pto.tile_buf<vec, 4x8xf32>
    pto.texpands ins(%two : f32) outs(%line : !pto.tile_buf<vec, 4x8xf32>)

    %more = pto.alloc_tile : !pto.tile_buf<vec, 3x8xf32, valid=2x5>
    pto.tadd ins(%wide, %wide : !pto.tile_buf<vec, 3x8xf32, valid=2x5>, !pto.tile_buf<vec, 3x8xf32, valid=2x5>)
        outs(%more : !pto.tile_buf<vec, 3x8xf32, valid=2x5>)
    return
  }
}
]],
  steps = {
    {
      say = [[
The simplest instruction: `TEXPANDS` puts one number into every element of a tile. A shower head: one pipe in, many drops
out. The lesson is about where the water stops.

The tile `wide` has a shape of 3 x 8: that many elements have room. Its valid region is 2 x 5: that many of them mean
something. The rest is padding. On the stage padding is cross-hatched, and bytes that nobody ever wrote are hatched.]],
      at = "texpands", next = true, highlight = {"dst", 0, 0},
    },
    {
      ask = "How many elements will the fill write?",
      choices = {"24: the whole tile", "16: the first two rows", "10: the valid region"},
      answer = 3,
      why = {
        "That would be the shape. Tiles in UB are filled as far as they are valid; only tiles in L1 are filled whole.",
        "Rows end at the valid columns, too.",
        "2 rows of 5. Everything else stays as it is.",
      },
      hint = "The instruction asks the valid region of its result.",
    },
    {
      say = "Fill in what stands in these cells after the step. For a cell that nobody ever wrote, answer `undefined`.",
      predict = {tile = "wide", cells = {{0, 0}, {1, 4}, {1, 5}, {2, 0}}},
      hint = "Valid are rows 0 and 1 and columns 0 to 4.",
      why = "`undefined` is no value: the bytes hold something on a real chip, and nobody can say what.",
    },
    {
      say = [[
Why have padding at all? A row of a tile in UB is a multiple of 32 bytes, 8 floats. A matrix with 5 columns needs rows of 8.
A whole tile whose elements all are valid is easier, and can be filled in one run: look at `paper`, 4 x 8.]],
      at = "texpands 2", highlight = {"paper", 3, 7},
    },
    {
      say = [[
Next, only row 1 of `paper` is filled with 2. `line` is no tile of its own: it is a part of `paper`, made by `pto.subset`,
and stands on the same bytes. Its row 0 is row 1 of `paper`.]],
      at = "texpands 3",
      predict = {tile = "line", cells = {{0, 0}, {0, 7}}, by = "value"},
      hint = "The number of this step is 2.",
    },
    {
      ask = "What does paper[2,0] hold now?",
      answer = {0.5, "1/2", "unchanged"},
      hint = "The fill of one row ends with that row.",
      show = {"paper"},
      why = "The Tiles pane in front shows it: row 1 is 2, the others still are 0.5.",
    },
    {
      say = [[
Valid regions travel: `TADD` works on the valid region of its result as well. Here `wide` is added to itself. Its padding
takes no part, so it does not matter that nobody wrote it.]],
      at = "tadd",
      predict = {tile = "more", cells = {{0, 4}, {0, 5}}},
      hint = "7 + 7 where it is valid. And outside?",
    },
    {
      say = [[
What to keep in mind:

- a tile has a shape, and inside it a valid region
- vector instructions write the valid region of their result, and nothing else
- padding keeps what it held: old data, or nothing that anybody wrote
- fills of tiles in L1 (`mat`) are whole, whatever is valid
- on A2A3 bytes are filled in pairs: an odd row gets one byte more. The lesson `targets` shows it]],
    },
  },
}
