"""One method that a user would pick instead of Macchiato, on one sample, for `lab peers`.

    methods.py probe METHOD                          imports it; prints {"version": ...}
    methods.py fit METHOD TRAIN TEST SEED SECONDS    fits it; prints one JSON object

TRAIN and TEST are `.npy` files of 0 and 1, or of the numbers of a raw table: one row a sample, the label last. The object
has `accuracy` on TEST, `fit_seconds`, `predict_seconds` (medians where there are several passes), `rules` and `literals`; of a
tree also `positive_rules` and `positive_literals`, those of the leaves that answer 1.

Every method has its library's defaults but for its threads, of which OMP_NUM_THREADS says how many. It gets the rows in the
form that it asks for (an array, a data frame, a set of cubes); making that form is not timed. A rule is a leaf or a term, its
literals are the conditions on the way to it. Past SECONDS of fitting, or as many of predicting, the process ends by SIGALRM, in
the midst of C code too; 0 are no limit.
"""

import importlib.metadata
import json
import os
import resource
import signal
import statistics
import sys
import time
import warnings

import numpy as np

THREADS = int(os.environ.get("OMP_NUM_THREADS", "1"))


class Trees:
    """What the methods that take arrays share."""

    def rows(self, x):
        return x

    def fit(self, x, y):
        self.model.fit(x, y)

    def predict(self, x):
        return self.model.predict(x)


class Tree(Trees):
    package = "scikit-learn"

    def __init__(self, seed):
        from sklearn.tree import DecisionTreeClassifier

        self.model = DecisionTreeClassifier(random_state=seed)

    # Trees of scikit-learn work on 32-bit floats; integers would be converted at every call.
    def rows(self, x):
        return x.astype(np.float32)

    def size(self):
        return leaves_of([self.model.tree_])

    def positive(self):
        tree = self.model.tree_
        answers = self.model.classes_[tree.value[:, 0].argmax(axis=1)]
        return count_leaves(tree, answers == 1)


class Forest(Trees):
    package = "scikit-learn"
    rows = Tree.rows

    def __init__(self, seed):
        from sklearn.ensemble import RandomForestClassifier

        self.model = RandomForestClassifier(random_state=seed, n_jobs=THREADS)

    def size(self):
        return leaves_of([tree.tree_ for tree in self.model.estimators_])


class Boosted(Trees):
    package = "scikit-learn"

    def __init__(self, seed):
        from sklearn.ensemble import HistGradientBoostingClassifier

        self.model = HistGradientBoostingClassifier(random_state=seed)

    def size(self):
        rules = literals = 0
        for (tree,) in self.model._predictors:
            depths = tree.nodes["depth"][tree.nodes["is_leaf"] == 1]
            rules += len(depths)
            literals += int(depths.sum())
        return rules, literals


class Xgboost(Trees):
    package = "xgboost"

    def __init__(self, seed):
        from xgboost import XGBClassifier

        self.model = XGBClassifier(random_state=seed, n_jobs=THREADS)

    def size(self):
        # One line a node, indented by its depth.
        lines = [line for tree in self.model.get_booster().get_dump() for line in tree.splitlines()]
        leaves = [line for line in lines if "leaf=" in line]
        return len(leaves), sum(len(line) - len(line.lstrip("\t")) for line in leaves)


class Ripper:
    package = "wittgenstein"

    def __init__(self, seed):
        from wittgenstein import RIPPER

        self.model = RIPPER(random_state=seed)

    def rows(self, x):
        import pandas

        return pandas.DataFrame(x, columns=[f"x{i}" for i in range(1, x.shape[1] + 1)])

    def fit(self, x, y):
        self.model.fit(x, y, pos_class=1)

    def predict(self, x):
        return np.asarray(self.model.predict(x), dtype=np.uint8)

    def size(self):
        rules = self.model.ruleset_.rules
        return len(rules), sum(len(rule.conds) for rule in rules)


class Figs(Trees):
    package = "imodels"

    def __init__(self, seed):
        from imodels import FIGSClassifier

        self.model = FIGSClassifier(random_state=seed)

    def size(self):
        def leaves(node, depth):
            if node.left is None and node.right is None:
                return 1, depth
            (a, b), (c, d) = leaves(node.left, depth + 1), leaves(node.right, depth + 1)
            return a + c, b + d

        sizes = [leaves(tree, 0) for tree in self.model.trees_]
        return sum(rules for rules, _ in sizes), sum(literals for _, literals in sizes)


class Espresso:
    """Flat: the training rows are ON and OFF cubes over all inputs, everything else is open."""

    package = "pyeda"

    def __init__(self, _seed):
        from pyeda.boolalg import espresso, minimization

        espresso.set_config(**minimization.CONFIG)
        self.espresso = espresso

    def rows(self, x):
        return x.astype(bool)

    def prepare(self, x, y):
        """The distinct rows as cubes, each with the label that most of its copies have; those that tie stay open."""
        packed = np.packbits(x, axis=1)
        _, first, which = np.unique(packed, axis=0, return_index=True, return_inverse=True)
        vote = np.bincount(which.ravel(), weights=np.where(y == 1, 1.0, -1.0))
        decided = vote != 0
        points = (x[first[decided]].astype(np.uint8) + 1).tolist()
        labels = (vote[decided] > 0).astype(int).tolist()
        self.cubes = {(tuple(point), (label,)) for point, label in zip(points, labels)}
        self.positive = any(labels)

    def fit(self, x, _y):
        kind = self.espresso.FTYPE | self.espresso.RTYPE
        cover = self.espresso.espresso(x.shape[1], 1, self.cubes, intype=kind) if self.positive else set()
        # 1 is a negative literal, 2 a positive one, 3 none.
        self.terms = [[(i, value == 2) for i, value in enumerate(term) if value != 3] for term, _ in cover]

    def predict(self, x):
        columns = np.ascontiguousarray(x.T)
        value = np.zeros(len(x), dtype=bool)
        for term in self.terms:
            product = np.ones(len(x), dtype=bool)
            for i, positive in term:
                product &= columns[i] if positive else ~columns[i]
            value |= product
        return value.astype(np.uint8)

    def size(self):
        return len(self.terms), sum(len(term) for term in self.terms)


METHODS = {
    "tree": Tree,
    "forest": Forest,
    "boosted": Boosted,
    "xgboost": Xgboost,
    "ripper": Ripper,
    "figs": Figs,
    "espresso": Espresso,
}


def leaves_of(trees):
    """Leaves of scikit-learn's trees and their depths."""
    rules = literals = 0
    for tree in trees:
        more = count_leaves(tree, True)
        rules, literals = rules + more[0], literals + more[1]
    return rules, literals


def count_leaves(tree, wanted):
    """The leaves among the nodes that are `wanted`, and their depths."""
    depth = tree.compute_node_depths() - 1
    leaf = (tree.children_left == -1) & wanted
    return int(leaf.sum()), int(depth[leaf].sum())


def limit_memory():
    """A method that asks for too much fails alone, before the machine kills something else."""
    limit = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 3 // 4
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def limit_seconds(seconds):
    signal.setitimer(signal.ITIMER_REAL, seconds)


def load(path):
    table = np.load(path)
    if table.dtype.kind != "f":
        table = table.astype(np.uint8)
    return np.ascontiguousarray(table[:, :-1]), table[:, -1].astype(np.uint8)


def passes(work, most):
    """Does the same work a few times; what it gave last, and the median of its seconds."""
    times = []
    while len(times) < most and sum(times) < 1.0:
        begun = time.perf_counter()
        made = work()
        times.append(time.perf_counter() - begun)
    return made, statistics.median(times)


def measure(method, train, test, seconds):
    x, y = load(train)
    test_x, test_y = load(test)
    x, test_x = method.rows(x), method.rows(test_x)
    if hasattr(method, "prepare"):
        method.prepare(x, y)

    limit_seconds(seconds)
    _, fit_seconds = passes(lambda: method.fit(x, y), 1)
    limit_seconds(seconds)
    answers, predict_seconds = passes(lambda: method.predict(test_x), 5)
    limit_seconds(0)

    rules, literals = method.size()
    figures = {
        "accuracy": float(np.mean(np.asarray(answers) == test_y)),
        "fit_seconds": fit_seconds,
        "predict_seconds": predict_seconds,
        "rules": int(rules),
        "literals": int(literals),
    }
    if hasattr(method, "positive"):
        figures["positive_rules"], figures["positive_literals"] = method.positive()
    return figures


def main():
    warnings.simplefilter("ignore")
    command, name, *rest = sys.argv[1:]
    kind = METHODS[name]
    if command == "probe":
        kind(0)
        print(json.dumps({"version": f"{kind.package} {importlib.metadata.version(kind.package)}"}))
        return
    limit_memory()
    train, test, seed, seconds = rest
    print(json.dumps(measure(kind(int(seed)), train, test, float(seconds))))


main()
