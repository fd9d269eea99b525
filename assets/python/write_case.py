# Writes a case for TileScope: a program with its arrays, and what its outputs have to be (assets/manual/cases.md).
#
#     write_case("case", "kernel.pto", {"x": x, "w": w, "rows": 37}, {"y": expected}, target="a5")
#
# Arrays are NumPy's or Torch's, bf16 too. A dict has them by the names of the program's arguments; a list in the order of
# the arguments, None for what is not given. What else is said goes into case.json: entry, target, blocks, tolerance.
# The files of Python that the program says it came from are copied, too, with a sum of each, where they are found: under
# the name that loc(...) has, beside the program, or in one of the folders `sources`.
import json
import os
import re
import shutil
import zlib

import numpy


def write_case(folder, program, inputs, goldens, sources=(), **more):
    os.makedirs(folder, exist_ok=True)
    there = os.path.join(folder, os.path.basename(program))
    if not os.path.exists(there) or not os.path.samefile(program, there):
        shutil.copy(program, there)
    case = {"program": os.path.basename(program), **more}
    for key, arrays in (("inputs", inputs), ("goldens", goldens)):
        named = arrays.items() if isinstance(arrays, dict) else enumerate(arrays)
        written = {name: _write(folder, "%s_%s" % (key, str(name).replace("/", "_")), array) for name, array in named}
        case[key] = written if isinstance(arrays, dict) else list(written.values())
    case["sources"] = _copy_sources(folder, program, [os.path.dirname(program) or ".", *sources])
    with open(os.path.join(folder, "case.json"), "w") as file:
        json.dump(case, file, indent=1)


def _copy_sources(folder, program, folders):
    sums = {}
    with open(program, encoding="utf-8", errors="replace") as file:
        names = sorted(set(re.findall(r'"([^"\n]+\.py)":\d+', file.read())))
    for name in names:
        ends = [name] + [name[at.end():] for at in re.finditer("/+", name)]  # the folders may stand elsewhere here
        paths = [name] + [os.path.join(one, end) for end in ends if end and not os.path.isabs(end) for one in folders]
        path = next((one for one in paths if os.path.isfile(one)), None)
        if path is None or ".." in name.split("/"):
            continue
        below = os.path.basename(name) if os.path.basename(name) not in sums else name.lstrip("/")
        to = os.path.join(folder, below)
        os.makedirs(os.path.dirname(to), exist_ok=True)
        if not os.path.exists(to) or not os.path.samefile(path, to):
            shutil.copy2(path, to)
        with open(to, "rb") as file:
            sums[below] = "crc32:%08x" % zlib.crc32(file.read())
    return sums


def _write(folder, name, array):
    if array is None or isinstance(array, (bool, int, float)):
        return array
    is_bf16 = str(array.dtype).endswith("bfloat16")  # NumPy has none: its bits are written
    if hasattr(array, "detach"):
        import torch

        array = array.detach().cpu().contiguous()
        array = (array.view(torch.int16) if is_bf16 else array).numpy()
    elif is_bf16:
        array = numpy.ascontiguousarray(array).view(numpy.uint16)
    if not is_bf16:
        numpy.save(os.path.join(folder, name + ".npy"), array, allow_pickle=False)
        return name + ".npy"
    array.tofile(os.path.join(folder, name + ".bin"))
    return {"file": name + ".bin", "type": "bf16", "shape": list(array.shape) or [1]}
