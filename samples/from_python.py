"""Softmax of each row, 16 rows at a time, as somebody might write it for a front end that lowers to tiles."""
from tiles import kernel, load, row_max, row_sum, store, tile_exp


def exp_below_largest(x):
    largest = row_max(x)
    return tile_exp(x - largest)


def normalised(exps):
    total = row_sum(exps)
    # One division a row would do, and a product an element.
    return exps / total


@kernel
def softmax(x, result):
    for part in range(2):  # unrolled
        rows = slice(16 * part, 16 * (part + 1))
        scores = load(x[rows, :])
        exps = exp_below_largest(scores)
        store(result[rows, :], normalised(exps))
