# NumPy's side of npy_test.cpp: `write DIR` makes arrays for the program to read, `check DIR` reads what it wrote.
import itertools
import os
import random
import sys

import numpy

TYPES = ["b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "V2"]
SHAPES = [(), (5,), (3, 4), (2, 3, 4, 5), (0, 3), (1, 4, 1, 3), (33, 1), (1, 1)]
VERSIONS = [(1, 0), (2, 0), (3, 0)]


# A name, the array in C order and little endian, and the same array as it is to be stored.
def cases():
    rng = random.Random(1)
    for kind, order, layout, shape in itertools.product(TYPES, "<>", "CF", SHAPES):
        dtype = numpy.dtype("<" + kind)
        count = int(numpy.prod(shape, dtype=int))
        data = bytes(rng.randrange(2 if kind == "b1" else 256) for _ in range(count * dtype.itemsize))
        array = numpy.frombuffer(data, dtype=dtype).reshape(shape)
        name = kind + {"<": "-little-", ">": "-big-"}[order] + layout + "-" + "x".join(map(str, shape))
        yield name, array, array.astype(dtype.newbyteorder(order)).copy(order=layout)


# Beside each array its bare bytes, and in `list` a line: name, dimensions.
def write(folder):
    with open(os.path.join(folder, "list"), "w") as names:
        for (name, array, stored), version in zip(cases(), itertools.cycle(VERSIONS)):
            with open(os.path.join(folder, name + ".raw"), "wb") as file:
                file.write(array.tobytes())
            with open(os.path.join(folder, name + ".npy"), "wb") as file:
                numpy.lib.format.write_array(file, stored, version=version)
            print(name, *array.shape, file=names)


def check(folder):
    for name, array, _ in cases():
        back = numpy.load(os.path.join(folder, "back-" + name + ".npy"), allow_pickle=False)
        if back.dtype != array.dtype or back.shape != array.shape or back.tobytes() != array.tobytes():
            sys.exit("%s: NumPy sees %s %s" % (name, back.dtype, back.shape))


{"write": write, "check": check}[sys.argv[1]](sys.argv[2])
