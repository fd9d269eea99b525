-- TGATHERB: a ruler over the bytes of a tile; every offset fetches the window of 32 bytes that begins there.
-- list: 60
return pto.lesson{
  title = "Windows on a ruler: TGATHERB",
  teaches = "Offsets count bytes, and each of them fetches a block of 32 bytes.",
  family = "gather",
  target = "a5",
  program = [[
module {
  func.func @gather(%src: !pto.tile_buf<vec, 1x32xf32>, %offsets: !pto.tile_buf<vec, 1x8xui32, valid=1x2>,
                    %again: !pto.tile_buf<vec, 2x8xui32, valid=2x2>) {
    %dst = pto.alloc_tile : !pto.tile_buf<vec, 1x16xf32>
    pto.tgatherb ins(%src, %offsets : !pto.tile_buf<vec, 1x32xf32>, !pto.tile_buf<vec, 1x8xui32, valid=1x2>)
        outs(%dst : !pto.tile_buf<vec, 1x16xf32>)

    %rows = pto.alloc_tile : !pto.tile_buf<vec, 2x16xf32>
    pto.tgatherb ins(%src, %again : !pto.tile_buf<vec, 1x32xf32>, !pto.tile_buf<vec, 2x8xui32, valid=2x2>)
        outs(%rows : !pto.tile_buf<vec, 2x16xf32>)
    return
  }
}
]],
  inputs = {
    src = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
            16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}},
    offsets = {{64, 0}},
    again = {{96, 96}, {0, 32}},
  },
  steps = {
    {
      say = [[
A table stands in a tile, and you want some parts of it, in an order that the data decides. That is a gather.

`TGATHERB` lays a ruler over the bytes of `src`. Each number in `offsets` puts a window of 32 bytes on the ruler, and
what is seen through it becomes the next 32 bytes of `dst`. 32 bytes are 8 floats: a block.

The values of `src` are their own column numbers.]],
      at = "tgatherb", next = true, highlight = {"offsets", 0, 0},
    },
    {
      ask = "A row of dst has 16 floats. How many offsets does it take?",
      answer = {2, "two"},
      hint = "16 floats are 64 bytes, and each offset fetches 32.",
    },
    {
      say = "The offsets are 64 and 0. Where do these cells come from?",
      predict = {tile = "dst", row = 0, cols = {0, 7, 8}},
      hint = "Offset 64 counts bytes: element 64 / 4 = 16. A window is 8 floats long.",
      why = "The first window shows elements 16 to 23, the second 0 to 7.",
    },
    {
      say = [[
The usual mistake is to take offsets for numbers of elements. Offset 64 is byte 64, and so element 16 of a tile of floats.

On the stage the windows lie on the ruler, each with a line to where it went. In block form offsets have to be multiples
of 32; rule TGB-R4 says so otherwise.]],
      highlight = {"dst", 0, 0},
    },
    {
      ask = "You want the block that begins with element 8 of src. Which offset is that?",
      answer = function(a)
        local n = tonumber(a)
        if n == 32 then return true end
        if n == 8 then return false, "8 is the element. Offsets count bytes, and a float has 4 of them." end
        if n == 1 then return false, "It is the second block, but offsets do not count blocks: they count bytes." end
        return false
      end,
      solution = "32",
      hint = "8 elements of 4 bytes stand before it.",
    },
    {
      say = [[
Two rows now, with offsets 96 and 96 in the first, 0 and 32 in the second. Nothing forbids to fetch a block twice.]],
      at = "tgatherb 2",
      predict = {tile = "rows", cells = {{0, 0}, {0, 8}, {1, 15}}},
      hint = "Row r of the result takes its offsets from row r. 96 bytes are 24 elements.",
      why = "A gather may copy a block as often as it likes, and may leave others out: it is no permutation.",
    },
    {
      say = [[
What to keep in mind:

- an offset is a distance in bytes from the start of `src`
- each offset fetches a block of 32 bytes, whatever the element type
- the number of offsets says which form is meant: as many as blocks, or as many as elements
- offsets outside the tile are a finding, those outside UB an error

The next lesson takes single elements, and undoes a gather with another one.]],
    },
  },
}
