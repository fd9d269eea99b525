-- From rows to fractals: where an element stands in L1, in L0A and in L0B, and why a transposed matrix is free.
-- list: 120
local function distance(name, row, col)
  local tile = pto.current():tile(name)
  return tile:cell(row, col).offset - tile.offset
end

local function in_memory(row, col)
  local x = pto.current():buffer("x")
  return x:cell(row * 48 + col).offset - x.offset
end

-- Judged by where the program itself put the element; other stations of the same element are told apart.
local function at_byte(right, others)
  return function(a)
    local n = math.tointeger(tonumber(a))
    if n == nil then return false, "A number of bytes is wanted." end
    if n == right() then return true end
    if n * 2 == right() then return false, "That many elements. A half has 2 bytes." end
    for _, other in ipairs(others) do
      if n == other[1]() then return false, other[2] end
    end
    if #others == 0 then return false end
    if n // 512 == right() // 512 then return false, "The box is right. Its place inside the box is not." end
    if n % 512 == right() % 512 then return false, "The place inside the box is right. The box is another one." end
    return false
  end
end

local function of(name, row, col)
  return function() return distance(name, row, col) end
end
local rows = {function() return in_memory(18, 21) end, "That is where it stands in global memory, row by row."}
local zz = {of("l", 18, 21), "That is ZZ: to the right first, and row by row inside a box."}
local nz = {of("a", 18, 21), "That is where it stands in L1: boxes go down first there."}

-- Every element is its own number: row * 48 + column.
local numbers = {}
for i = 1, 32 * 48 do numbers[i] = i - 1 end

return pto.lesson{
  title = "From rows to fractals",
  teaches = "A matrix goes through several orders of bytes before it is multiplied; transposing it costs nothing.",
  family = "layout",
  target = "a2a3",
  program = [[
module {
  func.func @rows_to_fractals(%x: !pto.ptr<f16>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c48 = arith.constant 48 : index
    %x_all = pto.make_tensor_view %x, shape = [%c32, %c48], strides = [%c48, %c1] : !pto.tensor_view<32x48xf16>
    %x_view = pto.partition_view %x_all, offsets = [%c0, %c0], sizes = [%c32, %c48]
        : !pto.tensor_view<32x48xf16> -> !pto.partition_tensor_view<32x48xf16>
    %t_all = pto.make_tensor_view %x, shape = [%c48, %c32], strides = [%c1, %c48] {layout = #pto.layout<dn>}
        : !pto.tensor_view<48x32xf16>
    %t_view = pto.partition_view %t_all, offsets = [%c0, %c0], sizes = [%c48, %c32]
        : !pto.tensor_view<48x32xf16> -> !pto.partition_tensor_view<48x32xf16>
    %a = pto.alloc_tile : !pto.tile_buf<mat, 32x48xf16, blayout=col_major, slayout=row_major>
    %l = pto.alloc_tile : !pto.tile_buf<left, 32x48xf16, slayout=row_major>
    %r = pto.alloc_tile : !pto.tile_buf<right, 32x48xf16, slayout=col_major>
    %t = pto.alloc_tile : !pto.tile_buf<mat, 48x32xf16, slayout=col_major>
    %rt = pto.alloc_tile : !pto.tile_buf<right, 48x32xf16, slayout=col_major>
    %c = pto.alloc_tile : !pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>
    pto.tload ins(%x_view : !pto.partition_tensor_view<32x48xf16>)
        outs(%a : !pto.tile_buf<mat, 32x48xf16, blayout=col_major, slayout=row_major>)
    pto.tmov ins(%a : !pto.tile_buf<mat, 32x48xf16, blayout=col_major, slayout=row_major>)
        outs(%l : !pto.tile_buf<left, 32x48xf16, slayout=row_major>)
    pto.tmov ins(%a : !pto.tile_buf<mat, 32x48xf16, blayout=col_major, slayout=row_major>)
        outs(%r : !pto.tile_buf<right, 32x48xf16, slayout=col_major>)
    pto.tload ins(%t_view : !pto.partition_tensor_view<48x32xf16>)
        outs(%t : !pto.tile_buf<mat, 48x32xf16, slayout=col_major>)
    pto.tmov ins(%t : !pto.tile_buf<mat, 48x32xf16, slayout=col_major>)
        outs(%rt : !pto.tile_buf<right, 48x32xf16, slayout=col_major>)
    pto.tmatmul ins(%l, %rt : !pto.tile_buf<left, 32x48xf16, slayout=row_major>,
        !pto.tile_buf<right, 48x32xf16, slayout=col_major>)
        outs(%c : !pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>)
    return
  }
}
]],
  inputs = {x = numbers},
  steps = {
    {
      say = [[
The cube core multiplies boxes, which are also called *fractals*: 16 rows of 32 bytes, so 16 x 16 halves, 512 bytes in
one piece. A matrix stands in global memory row by row. On its way to the core its bytes change places, and this lesson
follows one element: row 18, column 21.

The matrix `x` has 32 rows and 48 columns of halves. Every element is its own number, row * 48 + column, so that you can
tell it everywhere: 885.]],
      at = "tload", next = true,
    },
    {
      ask = "Global memory first, row by row. How many bytes after the start of x stands row 18, column 21?",
      answer = at_byte(rows[1], {}),
      solution = "1770",
      hint = "18 rows of 48 halves stand before it, then 21 halves. A half has 2 bytes.",
      why = "(18 * 48 + 21) * 2 = 1770.",
    },
    {
      say = [[
The load puts it into L1 in the order NZ: boxes go down first (the large N), and inside a box elements stand row by
row (the small z). 32 x 48 halves are 2 boxes high and 3 boxes wide.]],
      ask = "How many bytes after the start of a stands a[18,21]?",
      answer = at_byte(nz[1], {rows, zz}),
      solution = "1610",
      hint = "It is in the second row and column of boxes: 3 boxes come before. In its box it is row 2, column 5.",
      why = "3 * 512 + 2 * 32 + 5 * 2 = 1610.",
      at = "tload", highlight = {"a", 18, 21}, show = {"a"}, as = "bytes",
    },
    {
      say = "TMOV takes it to L0A, the memory of left operands. Which element of `a` goes to l[18,21]?",
      at = "tmov",
      predict = {tile = "l", cells = {{18, 21}}, by = "source"},
      hint = "Moves change the order of bytes. Rows and columns stay what they are.",
      why = "Row 18, column 21 is row 18, column 21 at each station. Instructions speak of rows and columns only.",
      show = {"a"},
    },
    {
      say = [[
A2A3 wants its left operand in the order ZZ: boxes go to the right first. Inside they are as before.]],
      ask = "How many bytes after the start of l stands l[18,21]?",
      answer = at_byte(of("l", 18, 21), {nz, rows}),
      solution = "2122",
      hint = "A row of boxes has 3 of them, and one more comes before.",
      why = "4 * 512 + 2 * 32 + 5 * 2 = 2122. A5 leaves a left operand in NZ: there it stands at byte 1610, as in L1.",
      at = "tmov", highlight = {"l", 18, 21}, show = {"l"}, as = "bytes",
    },
    {
      say = [[
Now as a right operand. L0B wants the order ZN on both targets: boxes to the right first, and inside a box column by
column (the small n).]],
      ask = "How many bytes after the start of r stands r[18,21]?",
      answer = at_byte(of("r", 18, 21), {zz, nz, rows}),
      solution = "2212",
      hint = "4 boxes come before. In its box 5 columns of 16 halves come before, and 2 halves of its own column.",
      why = "4 * 512 + 5 * 32 + 2 * 2 = 2212. To come here from NZ, each box is turned over on its diagonal.",
      at = "tmov 2", highlight = {"r", 18, 21}, show = {"r"}, as = "bytes",
    },
    {
      ask = "Which element stands 2 bytes after r[18,21]?",
      choices = {"r[18,22], its neighbour in the row", "r[19,21], its neighbour in the column"},
      answer = function(a)
        local row, col = a:match("^r%[(%d+),(%d+)%]")
        return distance("r", tonumber(row), tonumber(col)) == distance("r", 18, 21) + 2
      end,
      solution = "r[19,21], its neighbour in the column",
      why = {
        "It is 32 bytes away: a column of a box stands between them.",
        "The core adds up down a column of the right operand, so these 16 halves stand in one piece.",
      },
      hint = "Inside a box it goes column by column.",
      show = {"r"}, as = "bytes",
    },
    {
      say = [[
And if the transposed `x` is wanted on the right, as for x times x transposed? The second load reads the same bytes
of global memory as a view of 48 x 32, whose columns are the rows of `x` (a dn view), into a tile `t` in the order ZN.
The element with 885 is t[21,18] now.]],
      ask = "How many bytes after the start of t stands t[21,18]?",
      answer = at_byte(of("t", 21, 18), {rows, {of("r", 18, 21), "That is r[18,21]: r has 3 boxes in a row."}}),
      solution = "1610",
      hint = "t is 3 boxes high and 2 wide: 3 come before. In its box 2 columns of 16 halves do, and 5 halves.",
      why = "1610 again, as in `a`: the bytes of `t` are those of `a`. Only what is called a row has changed.",
      at = "tload 2", highlight = {"t", 21, 18}, show = {"t", "a"}, as = "bytes",
    },
    {
      ask = "So what does TMOV have to do with the bytes of t on the way to L0B?",
      choices = {"nothing: they are copied as they are", "turn over each box"},
      answer = function(a)
        local same = true
        for row = 0, 47 do
          for col = 0, 31 do same = same and distance("t", row, col) == distance("rt", row, col) end
        end
        return same == (a == "nothing: they are copied as they are")
      end,
      solution = "nothing: they are copied as they are",
      why = {
        "Each element of `rt` was just compared with `t`: it stands as many bytes after the start.",
        "Each element of `rt` was just compared with `t`: it stands as many bytes after the start.",
      },
      hint = "In which order is t, and which does L0B want?",
      at = "tmov 3", show = {"rt"}, as = "bytes",
    },
    {
      say = [[
What to keep in mind:

- global memory: row by row; L1: NZ, boxes down first
- L0A: ZZ on A2A3, NZ on A5; L0B: ZN, boxes to the right first, column by column inside
- an element keeps its row and column at each station; the Inspector spells its address out
- a transposed right operand is free: load it as a dn view into ZN, and no instruction turns anything]],
      at = "tmatmul", highlight = {"c", 0, 0},
    },
  },
}
