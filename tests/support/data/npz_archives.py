# Archives for npz_test.cpp, as NumPy writes them and as nobody should: `npz_archives.py DIR`.
import io
import os
import struct
import sys
import warnings
import zipfile

import numpy

folder = sys.argv[1]
warnings.simplefilter("ignore")


def path(name):
    return os.path.join(folder, name)


def npy(array):
    file = io.BytesIO()
    numpy.save(file, array)
    return file.getvalue()


x = numpy.arange(12, dtype="f4").reshape(3, 4)
w = numpy.array([[1, -2], [3, 4]], dtype="i2")
numpy.savez(path("saved.npz"), x=x, w=w)
numpy.savez_compressed(path("small.npz"), x=x, w=w)
numpy.savez(path("one.npz"), x=x)
numpy.savez(path("order.npz"), x, w)
numpy.savez(path("empty.npz"))

with zipfile.ZipFile(path("doubled.npz"), "w") as out:
    out.writestr("x.npy", npy(x))
    out.writestr("x.npy", npy(x + 1))
with zipfile.ZipFile(path("paths.npz"), "w") as out:
    for name in ("../../outside.npy", "/etc/passwd.npy", "x.npy", "notes.txt", "folder/"):
        out.writestr(name, npy(x) if name.endswith(".npy") else b"")
with zipfile.ZipFile(path("bomb.npz"), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out:
    out.writestr("x.npy", npy(numpy.zeros(64 << 20, dtype="u1")))
with zipfile.ZipFile(path("many.npz"), "w") as out:
    for i in range(5000):
        out.writestr("a%d.npy" % i, b"")
with zipfile.ZipFile(path("pickled.npz"), "w") as out:
    out.writestr("x.npy", npy(x).replace(b"'<f4'", b"'|O' "))

whole = open(path("saved.npz"), "rb").read()
open(path("cut.npz"), "wb").write(whole[: len(whole) // 2])
open(path("no_zip.npz"), "wb").write(b"this is no archive at all")
broken = bytearray(whole)
broken[whole.index(x.tobytes()) + 5] ^= 0xFF  # its sum is wrong then
open(path("broken.npz"), "wb").write(broken)
locked = bytearray(whole)
for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
    at = locked.find(mark)
    locked[at + flags] |= 1  # says that it is encrypted
open(path("locked.npz"), "wb").write(locked)
# The directory says that x takes 4 GiB, and so does the record before it.
lying = bytearray(open(path("one.npz"), "rb").read())
at = lying.rindex(b"PK\x01\x02")
lying[at + 24 : at + 28] = struct.pack("<I", 0xFFFFFFF0)
open(path("lying.npz"), "wb").write(lying)
