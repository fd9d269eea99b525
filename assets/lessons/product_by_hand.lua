-- A matrix product by hand: one element, term by term, in two steps over k, from a bias on, through relu and rounding.
-- list: 130
-- Positions: both operands hold their first halves, or their second ones; the last product is made.
local kFirst, kSecond, kDone = 6, 10, 11

local function at(position, name, row, col) return pto.current():tile(name, {step = position}):get(row, col) end

-- The sum of the terms first to last of an element, from the operands as they stand at a position.
local function sum(position, row, col, first, last)
  local s = 0
  for k = first, last do s = s + at(position, "l", row, k) * at(position, "r", k, col) end
  return s
end

-- a[i][k] is i + 1 in every fourth column, from i % 4 on, and 0 elsewhere; rows 1, 5, 9 and 13 are negative.
local a, b, bias = {}, {}, {}
for i = 0, 15 do
  for k = 0, 31 do a[i * 32 + k + 1] = k % 4 == i % 4 and (i + 1) * (i % 4 == 1 and -1 or 1) or 0 end
end
for k = 0, 31 do
  for j = 0, 15 do b[k * 16 + j + 1] = k - j end
end
for j = 0, 15 do bias[j + 1] = j == 5 and 0.5 or 2 * j + 1 end

return pto.lesson{
  title = "A matrix product by hand",
  teaches = "An element of a product is a sum over k, which several instructions share; it is rounded when it leaves.",
  family = "matmul",
  target = "a5",
  program = [[
module {
  func.func @product_by_hand(%a_at: !pto.ptr<f16>, %b_at: !pto.ptr<f16>, %bias_at: !pto.ptr<f32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %a_all = pto.make_tensor_view %a_at, shape = [%c16, %c32], strides = [%c32, %c1] : !pto.tensor_view<16x32xf16>
    %a_view = pto.partition_view %a_all, offsets = [%c0, %c0], sizes = [%c16, %c32]
        : !pto.tensor_view<16x32xf16> -> !pto.partition_tensor_view<16x32xf16>
    %b_all = pto.make_tensor_view %b_at, shape = [%c32, %c16], strides = [%c16, %c1] : !pto.tensor_view<32x16xf16>
    %b_view = pto.partition_view %b_all, offsets = [%c0, %c0], sizes = [%c32, %c16]
        : !pto.tensor_view<32x16xf16> -> !pto.partition_tensor_view<32x16xf16>
    %bias_all = pto.make_tensor_view %bias_at, shape = [%c1, %c16], strides = [%c16, %c1] : !pto.tensor_view<1x16xf32>
    %bias_view = pto.partition_view %bias_all, offsets = [%c0, %c0], sizes = [%c1, %c16]
        : !pto.tensor_view<1x16xf32> -> !pto.partition_tensor_view<1x16xf32>
    %a = pto.alloc_tile : !pto.tile_buf<mat, 16x32xf16, blayout=col_major, slayout=row_major>
    %b = pto.alloc_tile : !pto.tile_buf<mat, 32x16xf16, blayout=col_major, slayout=row_major>
    %bias = pto.alloc_tile : !pto.tile_buf<mat, 1x16xf32>
    %l = pto.alloc_tile : !pto.tile_buf<left, 16x16xf16, blayout=col_major, slayout=row_major>
    %r = pto.alloc_tile : !pto.tile_buf<right, 16x16xf16, slayout=col_major>
    %biases = pto.alloc_tile : !pto.tile_buf<bias, 1x16xf32>
    %c = pto.alloc_tile : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>
    %out = pto.alloc_tile : !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>
    pto.tload ins(%a_view : !pto.partition_tensor_view<16x32xf16>)
        outs(%a : !pto.tile_buf<mat, 16x32xf16, blayout=col_major, slayout=row_major>)
    pto.tload ins(%b_view : !pto.partition_tensor_view<32x16xf16>)
        outs(%b : !pto.tile_buf<mat, 32x16xf16, blayout=col_major, slayout=row_major>)
    pto.tload ins(%bias_view : !pto.partition_tensor_view<1x16xf32>) outs(%bias : !pto.tile_buf<mat, 1x16xf32>)
    pto.tmov ins(%bias : !pto.tile_buf<mat, 1x16xf32>) outs(%biases : !pto.tile_buf<bias, 1x16xf32>)
    pto.textract ins(%a, %c0, %c0 : !pto.tile_buf<mat, 16x32xf16, blayout=col_major, slayout=row_major>, index, index)
        outs(%l : !pto.tile_buf<left, 16x16xf16, blayout=col_major, slayout=row_major>)
    pto.textract ins(%b, %c0, %c0 : !pto.tile_buf<mat, 32x16xf16, blayout=col_major, slayout=row_major>, index, index)
        outs(%r : !pto.tile_buf<right, 16x16xf16, slayout=col_major>)
    pto.tmatmul ins(%l, %r : !pto.tile_buf<left, 16x16xf16, blayout=col_major, slayout=row_major>,
        !pto.tile_buf<right, 16x16xf16, slayout=col_major>)
        outs(%c : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>)
    pto.tmatmul.bias ins(%l, %r, %biases : !pto.tile_buf<left, 16x16xf16, blayout=col_major, slayout=row_major>,
        !pto.tile_buf<right, 16x16xf16, slayout=col_major>, !pto.tile_buf<bias, 1x16xf32>)
        outs(%c : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>)
    pto.textract ins(%a, %c0, %c16 : !pto.tile_buf<mat, 16x32xf16, blayout=col_major, slayout=row_major>, index, index)
        outs(%l : !pto.tile_buf<left, 16x16xf16, blayout=col_major, slayout=row_major>)
    pto.textract ins(%b, %c16, %c0 : !pto.tile_buf<mat, 32x16xf16, blayout=col_major, slayout=row_major>, index, index)
        outs(%r : !pto.tile_buf<right, 16x16xf16, slayout=col_major>)
    pto.tmatmul.acc ins(%c, %l, %r : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>,
        !pto.tile_buf<left, 16x16xf16, blayout=col_major, slayout=row_major>,
        !pto.tile_buf<right, 16x16xf16, slayout=col_major>)
        outs(%c : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>)
    pto.tmov ins(%c : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>)
        outs(%out : !pto.tile_buf<mat, 16x16xf16, blayout=col_major, slayout=row_major>)
        {reluPreMode = #pto<relu_pre_mode normal_relu>}
    return
  }
}
]],
  inputs = {a_at = a, b_at = b, bias_at = bias},
  steps = {
    {
      say = [[
A matrix of 16 x 32 halves, `a`, is multiplied by one of 32 x 16, `b`. The cube core gets 16 terms at a time: columns 0
to 15 of `a` stand in `l`, and rows 0 to 15 of `b` in `r`. They were made so that the sums can be done in one's head: a row of
`l` has four numbers that are not 0, and r[k,j] is k - j.

An element of the product takes a row of `l` and a column of `r`: c[i,j] is the sum over k of l[i,k] * r[k,j].]],
      at = "textract 2", highlight = {"r", 2, 5}, show = {"l", "r"},
    },
    {
      ask = "How many of the 16 terms of c[2,5] are not 0?",
      answer = function(a)
        local terms = 0
        for k = 0, 15 do
          if at(kFirst, "l", 2, k) * at(kFirst, "r", k, 5) ~= 0 then terms = terms + 1 end
        end
        if tonumber(a) == 16 then return false, "A term whose left factor is 0 is 0, whatever the right one is." end
        return tonumber(a) == terms
      end,
      solution = "4",
      hint = "Look at row 2 of l, and at r[k,5] for each k where it is not 0.",
      why = "k = 2, 6, 10 and 14: there l[2,k] is 3, and nowhere else is it more than 0.",
      show = {"l", "r"},
    },
    {
      say = "The terms are added one after the other, k ascending. That is a running sum.",
      ask = "How large is the sum of c[2,5] after the terms k = 0 to 7?",
      answer = function(a)
        local n = tonumber(a)
        if n == nil then return false, "A number is wanted." end
        if n == sum(kFirst, 2, 5, 0, 7) then return true end
        if n == sum(kFirst, 2, 5, 0, 15) then return false, "That is the sum of all 16 terms." end
        if n == sum(kFirst, 2, 5, 0, 3) then return false, "That is the term k = 2 only. There is one more." end
        if n == sum(kFirst, 5, 2, 0, 7) then return false, "That is c[5,2]. The row is that of l." end
        if n == -sum(kFirst, 2, 5, 0, 7) then return false, "r[2,5] is 2 - 5." end
        return false
      end,
      solution = "-6",
      hint = "Two terms: k = 2 and k = 6. r[2,5] is 2 - 5.",
      why = "3 * (2 - 5) + 3 * (6 - 5) = -9 + 3 = -6.",
      show = {"l", "r"},
    },
    {
      say = "Now TMATMUL does all 256 sums of 16 terms. It begins each at 0: what `c` held before does not matter.",
      at = "tmatmul",
      predict = {tile = "c", cells = {{2, 5}, {3, 5}}, by = "value"},
      hint = "c[2,5] goes on from -6 with k = 10 and 14. In row 3 of l, k = 3, 7, 11 and 15 hold 4.",
      why = "3 * (-3 + 1 + 5 + 9) = 36 and 4 * (-2 + 2 + 6 + 10) = 64. Select one: its row and column are framed.",
      show = {"l", "r"},
    },
    {
      say = [[
A layer of a network adds a bias to each column. TMATMUL.BIAS does not add it afterwards: it begins each sum with it.
The next instruction multiplies the same `l` and `r`. `biases` holds 0.5 in column 5, and 2 * j + 1 in the others.]],
      at = "tmatmul.bias",
      predict = {tile = "c", cells = {{2, 5}, {2, 6}}, by = "value"},
      hint = "One column on, each right factor is smaller by 1: each of four terms by 3.",
      why = "0.5 + 36 = 36.5 and 13 + 24 = 37. The 36 of the step before is gone, for this one does not read `c`.",
      show = {"l", "r", "biases"},
    },
    {
      say = [[
16 terms are left: columns 16 to 31 of `a` and rows 16 to 31 of `b`. The second pair of TEXTRACT has put them into `l`
and `r`, over the first ones. TMATMUL.ACC goes on with the sums that stand in `c`.]],
      at = "tmatmul.acc",
      predict = {tile = "c", cells = {{2, 5}}, by = "value"},
      hint = "36.5, and 3 * (13 + 17 + 21 + 25).",
      why = "36.5 + 228 = 264.5: the bias, 16 terms and 16 terms. A product over any k is made so, in many steps.",
      show = {"l", "r", "c"},
    },
    {
      at = "tmatmul.acc",
      ask = "Had the last step been TMATMUL instead of TMATMUL.ACC, what would c[2,5] be?",
      answer = function(a)
        local n = tonumber(a)
        if n == nil then return false, "A number is wanted." end
        if n == sum(kSecond, 2, 5, 0, 15) then return true end
        if n == at(kDone, "c", 2, 5) then return false, "That is with the sums of before. TMATMUL begins at 0." end
        if n == sum(kFirst, 2, 5, 0, 15) then return false, "Those are the first 16 terms. It has the last ones." end
        return false
      end,
      solution = "228",
      hint = "TMATMUL does not read c.",
      why = "The second half of the terms only. A forgotten .acc is a common mistake, and no value looks odd.",
      show = {"l", "r", "c"},
    },
    {
      say = [[
Sums are f32, and the result is wanted in f16. They leave `c` through the fixpipe, which is told to do a relu: what is
negative becomes 0. Then it rounds. f16 keeps 11 binary digits, so from 2048 to 4096 it has the even numbers only.]],
      at = "tmov 2",
      predict = {tile = "out", cells = {{1, 5}, {2, 5}, {15, 0}, {15, 1}}, by = "value"},
      hint = "Look at the same cells of c. An odd number above 2048 is a tie: the multiple of 4 wins.",
      why = "-159.5 becomes 0, and 264.5 fits. 2177 goes down to 2176, 2051 up to 2052: ties go to an even last digit.",
      show = {"c"},
    },
    {
      say = [[
What to keep in mind:

- an element is a sum over k: a row of the left matrix, a column of the right one
- the first step over k begins at 0 (TMATMUL) or at the bias (TMATMUL.BIAS), the others go on (TMATMUL.ACC)
- sums are f32, and are rounded once, when they leave
- hardware may add in another order: compare with a tolerance. Small whole numbers come out the same in any order]],
      at = "tmov 2", highlight = {"out", 15, 0},
    },
  },
}
