# "at risk", "points", "low": a circuit of gates.

INPUTS = [
    "age > 41",
    "smoker",
    "c",
    "d",
]

OUTPUTS = [
    "at risk",
    "points",
    "low",
]


def _gate0(x):
    age_41 = bool(x[0])  # "age > 41"
    smoker = bool(x[1])  # "smoker"
    c = bool(x[2])  # "c"
    count = 0
    count += age_41
    count += smoker
    count += (not c)
    return count >= 2


def _gate1(x, g):
    age_41 = bool(x[0])  # "age > 41"
    smoker = bool(x[1])  # "smoker"
    d = bool(x[3])  # "d"
    gate0 = g[0]
    count = 0
    count += 3 * age_41
    count += 2 * smoker
    count += (not gate0)
    count += 4 * d
    return count >= 5


def _gate2(x):
    age_41 = bool(x[0])  # "age > 41"
    smoker = bool(x[1])  # "smoker"
    c = bool(x[2])  # "c"
    d = bool(x[3])  # "d"
    count = 0
    count += age_41
    count += smoker
    count += c
    count += d
    return count == 1 or 3 <= count <= 4


def _gate3(g):
    gate1 = g[1]
    gate2 = g[2]
    return gate1 ^ gate2 ^ True


def _output1(x, g):
    smoker = bool(x[1])  # "smoker"
    d = bool(x[3])  # "d"
    gate3 = g[3]
    value = smoker and not d
    value = value or gate3
    return value


def _output2(x, g):
    age_41 = bool(x[0])  # "age > 41"
    c = bool(x[2])  # "c"
    gate1 = g[1]
    count = 0
    count += 3 * age_41
    count += c
    count += 2 * gate1
    return count


def predict(x):
    """One row: a value for each of INPUTS, in that order; a list of the values of OUTPUTS."""
    if len(x) != 4:
        raise ValueError(f"{len(x)} values for 4 inputs")
    g = [False] * 5
    g[0] = _gate0(x)
    g[1] = _gate1(x, g)
    g[2] = _gate2(x)
    g[3] = _gate3(g)
    g[4] = _output1(x, g)
    return [g[4], _output2(x, g), not g[1]]


def predict_row(row):
    """One row: a mapping with a value for each of INPUTS."""
    return predict([row[name] for name in INPUTS])
