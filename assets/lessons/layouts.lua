-- Layouts: the same matrix row by row (ND) and in boxes (NZ), and at which byte an element stands in each of them.
-- list: 80
local function distance(name, row, col)
  local tile = pto.current():tile(name)
  return tile:cell(row, col).offset - tile.offset
end

-- Judged by where the program itself put the element.
local function at_byte(name, row, col)
  return function(a)
    local n = tonumber(a)
    if n == nil then return false, "A number of bytes is wanted." end
    if n == distance(name, row, col) then return true end
    if n == distance(name, row, col) // 2 then return false, "That many elements. A half has 2 bytes." end
    if n == (row * 32 + col) * 2 and name == "boxes" then return false, "That would be row by row. NZ goes box by box." end
    return false
  end
end

-- Every element is its own number: row * 32 + column.
local numbers = {}
for i = 1, 32 * 32 do numbers[i] = i - 1 end

return pto.lesson{
  title = "Where bytes stand: ND and NZ",
  teaches = "A tile is rows and columns to a kernel, and bytes to the memory; NZ cuts it into boxes of 512 bytes.",
  family = "layout",
  target = "a2a3",
  program = [[
module {
  func.func @layouts(%x: !pto.ptr<f16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %x_all = pto.make_tensor_view %x, shape = [%c32, %c32], strides = [%c32, %c1] : !pto.tensor_view<32x32xf16>
    %x_view = pto.partition_view %x_all, offsets = [%c0, %c0], sizes = [%c32, %c32]
        : !pto.tensor_view<32x32xf16> -> !pto.partition_tensor_view<32x32xf16>
    %plain = pto.alloc_tile : !pto.tile_buf<vec, 32x32xf16>
    %boxes = pto.alloc_tile : !pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major>
    pto.tload ins(%x_view : !pto.partition_tensor_view<32x32xf16>) outs(%plain : !pto.tile_buf<vec, 32x32xf16>)
    pto.tload ins(%x_view : !pto.partition_tensor_view<32x32xf16>)
        outs(%boxes : !pto.tile_buf<mat, 32x32xf16, blayout=col_major, slayout=row_major>)
    return
  }
}
]],
  inputs = {x = numbers},
  steps = {
    {
      say = [[
A kernel speaks of rows and columns. A memory knows bytes, one after the other. A *layout* says which byte an element
stands at.

Here a matrix of 32 x 32 halves, 2 bytes each, is loaded twice: into `plain`, row by row (ND), and into `boxes`, in the
layout that the matrix unit wants (NZ). Every element is its own number: row * 32 + column.]],
      at = "tload", highlight = {"plain", 0, 0},
    },
    {
      ask = "Row by row first. How many bytes after the start of plain stands plain[2,3]?",
      answer = at_byte("plain", 2, 3),
      solution = "134",
      hint = "A row has 32 halves, so 64 bytes. Two rows stand before it, and three elements.",
      why = "2 * 64 + 3 * 2 = 134. Neighbours in a row are neighbours in memory; neighbours in a column are 64 bytes apart.",
      show = {"plain"}, as = "bytes",
    },
    {
      say = [[
The matrix unit multiplies boxes of 16 rows and 32 bytes: 16 x 16 halves, 512 bytes. It wants each box in one piece. So NZ
cuts the matrix into boxes. Inside a box elements stand row by row (the small letter z); the boxes themselves go down a
column of boxes first (the capital N).]],
      at = "tload 2",
      predict = {tile = "boxes", cells = {{0, 0}, {2, 20}}, by = "source"},
      hint = "A load does not change what stands in row 2 and column 20: only where its bytes are.",
      why = "To the kernel nothing moved: row 2, column 20 is row 2, column 20. Only the bytes stand elsewhere.",
    },
    {
      ask = "How many bytes after the start of boxes stands boxes[2,3]?",
      answer = at_byte("boxes", 2, 3),
      solution = "70",
      hint = "It is in the first box, whose rows have 16 halves: 32 bytes.",
      show = {"boxes"}, as = "bytes",
      why = "2 * 32 + 3 * 2 = 70. The Tiles pane shows the tile in the order of memory: that is what its button Bytes does.",
    },
    {
      ask = "Which box comes after the first one in memory?",
      choices = {"the one to its right: rows 0 to 15, columns 16 to 31", "the one below it: rows 16 to 31, columns 0 to 15"},
      answer = 2,
      why = {
        "That would be the order of rows, as in the layout ZZ. NZ goes down first.",
        "Boxes go down their column first: the strokes of the letter N go down, too.",
      },
      hint = "N has two strokes that go from top to bottom, or the other way.",
      highlight = {"boxes", 16, 0},
      show = {"boxes"}, as = "bytes",
    },
    {
      ask = "So how many bytes after the start of boxes stands boxes[0,16]?",
      answer = at_byte("boxes", 0, 16),
      solution = "1024",
      hint = "Two boxes stand in the first column of boxes, 512 bytes each.",
      show = {"boxes"}, as = "bytes",
      why = "In `plain` the same element stands at byte 32. Whoever copies bytes without caring for layouts mixes the matrix up.",
    },
    {
      ask = "And boxes[17,18]?",
      answer = at_byte("boxes", 17, 18),
      solution = "1572",
      hint = "It is in the fourth box (three before it), in row 1 and column 2 of that box.",
      show = {"boxes"}, as = "bytes",
    },
    {
      say = [[
What to keep in mind:

- ND: row by row; an element stands at (row * columns + column) * size
- NZ: boxes of 16 rows x 32 bytes, row by row inside, boxes down first
- a `tload` may change the layout on its way; element [r,c] stays element [r,c]
- the Inspector spells the address of the selected element out, and the Bytes view of the Tiles pane draws boxes]],
    },
  },
}
