"""PyEDA's espresso_tts on one table after the other, for `lab minimize`.

Reads one table a line: 2^K characters of 0, 1 and -, where bit i of a cell's index is input i. Answers each with one
JSON line: `terms`, `seconds` (the call of espresso_tts alone), `core_seconds` (what of it Berkeley's C code took) and
`agrees`: whether the expression, read by its variables' names, has the value of every specified cell.
"""

import json
import sys
import time

from pyeda.boolalg import minimization
from pyeda.boolalg.bfarray import exprvars, ttvars
from pyeda.boolalg.table import truthtable

core_seconds = 0.0
berkeley = minimization.espresso


def timed_berkeley(*args, **kwargs):
    global core_seconds
    start = time.perf_counter()
    try:
        return berkeley(*args, **kwargs)
    finally:
        core_seconds += time.perf_counter() - start


minimization.espresso = timed_berkeley


def product_terms(ast):
    """The terms of a DNF's syntax tree, each as a list of literals."""
    kind = ast[0]
    if kind == "const":
        return [[]] if ast[1] else []
    if kind == "or":
        return [term for part in ast[1:] for term in product_terms(part)]
    if kind == "and":
        return [[literal for _, literal in ast[1:]]]
    assert kind == "lit", ast
    return [[ast[1]]]


def column(i, inputs):
    """The values of input i over all cells, as the bits of one integer."""
    cells = 1 << inputs
    block = ((1 << (1 << i)) - 1) << (1 << i)
    return sum(block << start for start in range(0, cells, 2 << i))


def agrees(terms, variables, table):
    inputs = len(variables)
    full = (1 << len(table)) - 1
    columns = {}
    for i, variable in enumerate(variables):
        columns[variable.uniqid] = column(i, inputs)
        columns[-variable.uniqid] = full & ~columns[variable.uniqid]
    value = 0
    for term in terms:
        cells = full
        for literal in term:
            cells &= columns[literal]
        value |= cells
    on = sum(1 << x for x, cell in enumerate(table) if cell == "1")
    off = sum(1 << x for x, cell in enumerate(table) if cell == "0")
    return on & ~value == 0 and off & value == 0


print(json.dumps("ready"), flush=True)
for line in sys.stdin:
    cells = line.strip()
    inputs = len(cells).bit_length() - 1
    table = truthtable(ttvars("x", inputs), cells)
    core_seconds = 0.0
    begin = time.perf_counter()
    (expression,) = minimization.espresso_tts(table)
    seconds = time.perf_counter() - begin
    terms = product_terms(expression.to_ast())
    answer = {
        "terms": len(terms),
        "seconds": seconds,
        "core_seconds": core_seconds,
        "agrees": agrees(terms, exprvars("x", inputs), cells),
    }
    print(json.dumps(answer), flush=True)
