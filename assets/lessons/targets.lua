-- A2A3 against A5: the same program on both targets, and the byte in which they part.
-- list: 90
local function on_a5()
  return pto.load("fill_tails", {target = "a5"}):record()
end

return pto.lesson{
  title = "One program, two chips: A2A3 and A5",
  teaches = "The same text runs on both targets; valid results agree, but what happens around them may not.",
  family = "targets",
  target = "a2a3",
  file = "fill_tails",
  steps = {
    {
      say = [[
Ascend chips come in generations. This program runs on two of them: A2A3 and A5. Both know the same tile instructions,
and do them in different ways: A2A3 from memory to memory with counters and repeats, A5 through registers with predicates.

The program fills rows of 5 bytes with 123. TileScope runs it as A2A3 here, as the right end of the bar at the top says.]],
      at = "texpands", next = true, highlight = {"small", 0, 0},
    },
    {
      say = [[
A2A3 has no fill for single bytes. It puts the byte twice into a 16-bit number and fills pairs: 5 bytes are 2.5 pairs, so
it fills 3. What stands in the row after the step?]],
      predict = {tile = "small", row = 0, cols = {4, 5, 6}},
      hint = "3 pairs are 6 bytes: columns 0 to 5. Column 6 was written by nobody.",
      why = "Column 5 is padding. It was written all the same: that is allowed, because nobody may rely on padding.",
    },
    {
      say = [[
F11 steps into the instruction. On A2A3 you see `vector_dup`, which writes to memory itself, and a counter that says how
far it goes. Shift+F11 leads out again.]],
      ask = "Which micro-operation writes the bytes on A2A3?",
      answer = {"vector_dup", "vectordup", "vdup"},
      hint = "Step into it with F11, or open the page of the instruction with F1.",
    },
    {
      say = [[
Now the other chip. A5 loads a predicate with exactly 5 lanes on, and stores under it.]],
      ask = "On A5, is small[0,5] written?",
      choices = {"yes, with 123", "no, it keeps what it held"},
      answer = function(a)
        local written = on_a5():tile("small"):isDefined(0, 5)
        return written == (a == "yes, with 123")
      end,
      why = {
        "The program was just run on A5 to make sure: byte 5 is never written. A predicate cuts exactly.",
        "The program was just run on A5 to make sure: byte 5 is never written.",
      },
      hint = "A predicate has a bit for every lane.",
    },
    {
      ask = "Do the two results that the program stores to memory differ?",
      choices = {"yes", "no"},
      answer = function(a)
        local same = pto.lockstep("fill_tails", {"a2a3", "a5"}, {}) == nil
        return same == (a == "no")
      end,
      why = {
        "Both chips were run side by side just now: every valid element is the same. Only padding differs, and TSTORE does not store it.",
        "Both chips were run side by side just now, and every valid element is the same.",
      },
      hint = "What is stored is the valid region, 2 x 5.",
    },
    {
      say = [[
The second fill is a tile of 2 x 40 floats that is valid as a whole: one run of 80 elements on both chips.]],
      at = "texpands 2",
      predict = {tile = "wide", cells = {{0, 39}, {1, 0}}, by = "value"},
      hint = "Everything is 1.5.",
    },
    {
      say = [[
What to keep in mind:

- valid elements of a legal program are the same on both targets
- padding is not, and a kernel that reads padding may be right on one of them only
- some instructions exist on one target only: `tilescope explain tinterleave` says where
- the Compare menu runs the other target beside this one, and marks what differs; `tilescope lockstep FILE` is the same
  without a window]],
    },
  },
}
