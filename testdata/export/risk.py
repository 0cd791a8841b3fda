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
    stage = age_41 and not smoker
    stage = stage or input
    return stage


def _stage2(x):
    smoker = bool(x[1])  # "smoker"
    x3 = bool(x[2])  # "x3"
    return smoker and x3


def _stage3(x):
    age_41 = bool(x[0])  # "age > 41"
    input = bool(x[3])  # "日本 \"*\/\" <\\>\n%"
    stage = not age_41 and not input
    stage = stage or age_41 and input
    return stage


def predict(x):
    """One row: a value for each of INPUTS, in that order."""
    if len(x) != 4:
        raise ValueError(f"{len(x)} values for 4 inputs")
    y = False
    y ^= _stage1(x)
    y ^= _stage2(x)
    y ^= _stage3(x)
    return y


def predict_row(row):
    """One row: a mapping with a value for each of INPUTS."""
    return predict([row[name] for name in INPUTS])
