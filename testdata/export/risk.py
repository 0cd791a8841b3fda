# "at risk": an XOR of sums of products.

INPUTS = [
    "age > 41",
    "smoker",
    "x3",
    "日本 \"*/\" <\\>\n%",
]


def _stage1(x):
    age_41 = bool(x[0])  # "age > 41"
    smoker = bool(x[1])  # "smoker"
    input = bool(x[3])  # "日本 \"*\/\" <\\>\n%"
    value = age_41 and not smoker
    value = value or input
    return value


def _stage2(x):
    smoker = bool(x[1])  # "smoker"
    x3 = bool(x[2])  # "x3"
    return smoker and x3


def _stage3(x):
    age_41 = bool(x[0])  # "age > 41"
    input = bool(x[3])  # "日本 \"*\/\" <\\>\n%"
    value = not age_41 and not input
    value = value or age_41 and input
    return value


def _output(g):
    stage1 = g[0]
    stage2 = g[1]
    stage3 = g[2]
    return stage1 ^ stage2 ^ stage3


def predict(x):
    """One row: a value for each of INPUTS, in that order."""
    if len(x) != 4:
        raise ValueError(f"{len(x)} values for 4 inputs")
    g = [False] * 4
    g[0] = _stage1(x)
    g[1] = _stage2(x)
    g[2] = _stage3(x)
    g[3] = _output(g)
    return g[3]


def predict_row(row):
    """One row: a mapping with a value for each of INPUTS."""
    return predict([row[name] for name in INPUTS])
