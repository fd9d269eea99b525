-- Undoing a gather with another one: element form against block form, and offsets that put everything back.
-- list: 70
return pto.lesson{
  title = "There and back: undoing a gather",
  teaches = "The inverse of a gather is a gather with other offsets, as long as nothing was left out.",
  family = "gather",
  target = "a5",
  program = [[
module {
  func.func @ungather(%src: !pto.tile_buf<vec, 1x8xf32>, %there: !pto.tile_buf<vec, 1x8xui32>,
                      %home: !pto.tile_buf<vec, 1x8xui32>, %deck: !pto.tile_buf<vec, 1x32xf32>,
                      %cut: !pto.tile_buf<vec, 1x8xui32, valid=1x4>) {
    // Element form: one offset for each element.
    %mixed = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
    pto.tgatherb ins(%src, %there : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xui32>)
        outs(%mixed : !pto.tile_buf<vec, 1x8xf32>) {granularity = "element"}
    %back = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
    pto.tgatherb ins(%mixed, %home : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xui32>)
        outs(%back : !pto.tile_buf<vec, 1x8xf32>) {granularity = "element"}

    // Block form: one offset for each 32 bytes. A block is a row of 8 floats here.
    %dealt = pto.alloc_tile : !pto.tile_buf<vec, 1x32xf32>
    pto.tgatherb ins(%deck, %cut : !pto.tile_buf<vec, 1x32xf32>, !pto.tile_buf<vec, 1x8xui32, valid=1x4>)
        outs(%dealt : !pto.tile_buf<vec, 1x32xf32>) {granularity = "block"}
    return
  }
}
]],
  inputs = {
    src = {{10, 11, 12, 13, 14, 15, 16, 17}},
    -- Elements 2 0 3 1 6 4 7 5, in bytes; and where each of them went.
    there = {{8, 0, 12, 4, 24, 16, 28, 20}},
    home = {{4, 12, 0, 8, 20, 28, 16, 24}},
    deck = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
             16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}},
    cut = {{96, 32, 0, 64}},
  },
  steps = {
    {
      say = [[
The lesson `gather` fetched blocks. With `granularity = "element"` each offset fetches a single element: as many offsets
as elements, and still they count bytes. (On the hardware an offset fetches a block; this form is what some documents
describe, and TileScope runs it as emulator steps.)

Here a gather mixes eight numbers, and another one puts them back in order. How does one find the second offsets?]],
      at = "tgatherb", next = true, highlight = {"there", 0, 0},
    },
    {
      say = "The offsets of `there` are 8, 0, 12, 4 and so on. What does the first gather make?",
      predict = {tile = "mixed", row = 0, cols = {0, 2, 4}},
      hint = "Offset 8 is byte 8: element 2.",
      why = "A gather goes by its result: column c asks \"where do I come from\".",
    },
    {
      say = [[
The way back has to answer the opposite question: where did element 0 go? Look on the stage: point at `src[0,0]`, and the
cell it went to lights up.]],
      ask = "In which column of mixed does src[0,0] stand?",
      answer = {1, "mixed[0,1]"},
      hint = "Which offset is 0?",
      why = "So column 0 of the way back must fetch column 1 of `mixed`.",
    },
    {
      ask = "Which offset has to stand in home[0,0], so that back[0,0] is src[0,0] again?",
      answer = 4,
      hint = "Column 1 of mixed, in bytes.",
      why = "Column 1 of floats begins at byte 4. In general: `home[p[c]] = 4 * c`, when `there[c] = 4 * p[c]`.",
    },
    {
      say = "Now the second gather runs, with the offsets of `home`. What comes out?",
      at = "tgatherb 2",
      predict = {tile = "back", row = 0, cols = {0, 5}, by = "value"},
      hint = "If home is right, back is src.",
    },
    {
      ask = "Which of these gathers of 8 elements can be undone by another gather?",
      choices = {"offsets 0 0 4 4 8 8 12 12", "offsets 28 24 20 16 12 8 4 0", "offsets 0 4 8 12 0 4 8 12"},
      answer = 2,
      why = {
        "Elements 4 to 7 are in none of its windows: they are lost.",
        "Every element is fetched once: the order is turned round, and the same offsets turn it back.",
        "The second half of the source is lost.",
      },
      hint = "Nothing may be left out.",
    },
    {
      say = [[
The same with blocks: four blocks of 8 floats are cut like a deck of cards, with offsets 96, 32, 0, 64.]],
      at = "tgatherb 3",
      predict = {tile = "dealt", row = 0, cols = {0, 16, 31}},
      hint = "Blocks 3, 1, 0, 2. dealt[0,16] begins the third block.",
    },
    {
      ask = "Which offsets put the deck back? Four numbers, separated by blanks.",
      answer = function(a)
        local given = {}
        for n in a:gmatch("%d+") do given[#given + 1] = tonumber(n) end
        if #given ~= 4 then return false, "Four numbers are wanted, such as 0 32 64 96." end
        -- Block b of the deck stands where the cut fetched it.
        local cut = pto.current():tile("cut")
        for b = 0, 3 do
          local at = given[b + 1] // 32
          if given[b + 1] % 32 ~= 0 or at > 3 then return false, given[b + 1] .. " is none of 0, 32, 64, 96." end
          if cut:get(0, at) ~= 32 * b then
            return false, ("Block %d of the deck is not at offset %d: there stands block %d."):format(b, given[b + 1], cut:get(0, at) // 32)
          end
        end
        return true
      end,
      solution = "64 32 96 0",
      hint = "Block 0 stands third now: offset 64. Where does block 1 stand?",
      why = "Done: the inverse of a cut is a cut again.",
    },
  },
}
