"""The ten tables of the gallery: where they are from, what is asked of them, and what a person learns from the rule.

Codes are spelled out where the description that comes with a table says what they are.
"""

from __future__ import annotations

from typing import NamedTuple

PMLB = "PMLB"
SKLEARN = "scikit-learn"


class Table(NamedTuple):
    """One table: `target` is what the rule calls the answer, `yes` the values of the table's own target for which it is yes."""

    name: str
    title: str
    source: str
    question: str
    target: str
    yes: tuple[object, ...]
    learned: str
    loader: str = ""


TABLES = [
    Table("iris", "Iris", SKLEARN, "Is it a virginica?", "virginica", (2,),
        "One measurement does most of it. The species overlap: no longer rule earned its conditions, and with so few rows put aside the bound is wide.", "load_iris"),
    Table("wine", "Wine", SKLEARN, "Is it of the first grower?", "first grower", (0,),
        "Three measurements that any laboratory has tell the first grower's wines from the other two: proline, colour and hue. The two-condition rule is the one to remember, the three-condition rule the one to use.", "load_wine"),
    Table("breast_cancer", "Breast cancer, nuclei", SKLEARN, "Is the tumour malignant?", "malignant", (0,),
        "Two conditions, the area and the concave points of the worst nuclei, are as right on these rows as anything longer: what looks like a question for thirty columns is one for two. The pick lets several such signs vote, so that no single measurement decides.", "load_breast_cancer"),
    Table("mushroom", "Mushrooms", PMLB, "Is it poisonous?", "poisonous", (1,),
        "Smell decides nearly everything: what smells of almond, anise or nothing is mostly edible. The rule with nine conditions has no error on the rows put aside; which of its conditions are the mushroom's and which the table's is for somebody who knows mushrooms, and nobody should eat by it."),
    Table("vote", "Votes in Congress, 1984", PMLB, "Is the member a Republican?", "Republican", (1,),
        "One vote, on freezing physicians' fees, tells the party almost always, and on the rows put aside better than the thirteen conditions that were picked. The front is there to be read: `show --size 1` is the short one."),
    Table("titanic", "Titanic", PMLB, "Did the person survive?", "survived", (1.0,),
        "Women and children first, but not in the third class: the sentence of the time, with the exception that it leaves out. The columns do not hold more: people who are equal in all three met different ends."),
    Table("car", "Cars", PMLB, "Would an expert refuse the car?", "refused", (2,),
        "Two seats or low safety, and the car is refused: two conditions for most of it. The rest is prices against luggage. The table was made by a known scheme, so longer circuits get everything right; the front says what each step towards that costs."),
    Table("tic_tac_toe", "Tic-tac-toe", PMLB, "Has x won?", "x has won", (1,),
        "The eight lines of the board, one term each, found from finished games alone. Some terms say *not o* where *x* would do as well: a finished game leaves no difference. The front also has a curiosity of ten conditions, a parity of empty squares, which is almost right because x moves first."),
    Table("heart_statlog", "Heart disease", PMLB, "Is there a disease of the heart?", "disease", (1,),
        "Two of three signs: no pain in the chest, a large dip of the ST segment under exercise, a defect in the thallium scan. That the ill are those without pain says something about who was examined here, not about hearts: a rule that can be read can be questioned. With so few rows the bound is wide."),
    Table("wine_quality_red", "Red wine, tasted", PMLB, "Do tasters give it 7 of 10 or more?", "good", (7, 8),
        "Alcohol and sulphates, and little else: two conditions do as well as the pick, and neither beats *always ordinary* by much. Tasters' marks are noisy, and a rule that says so is better than one that hides it."),
]

PRICES = ["high", "low", "medium", "very high"]
CARS = {
    "buying": PRICES,
    "maint": PRICES,
    "doors": ["2", "3", "4", "5 or more"],
    "persons": ["2", "4", "more"],
    "lug_boot": ["big", "medium", "small"],
    "safety": ["high", "low", "medium"],
}
BALLOT = {0: "no", 1: None, 2: "yes"}
VOTES = (
    "handicapped infants", "water project cost sharing", "adoption of the budget resolution", "physician fee freeze", "el salvador aid",
    "religious groups in schools", "anti satellite test ban", "aid to nicaraguan contras", "mx missile", "immigration", "synfuels corporation cutback",
    "education spending", "superfund right to sue", "crime", "duty free exports", "export administration act south africa",
)

# For each table and column, what its codes mean.
BOOKS: dict[str, dict[str, dict[object, str | None]]] = {
    "car": {column: dict(enumerate(words)) for column, words in CARS.items()},
    "vote": {column: BALLOT for column in VOTES},
    "tic_tac_toe": {f"t{square}": {0: "blank", 1: "o", 2: "x"} for square in range(1, 10)},
    "titanic": {
        "Class": {-1.87: "first", -0.923: "second", 0.0214: "third", 0.965: "crew"},
        "Age": {-0.228: "adult", 4.38: "child"},
        "Sex": {-1.92: "female", 0.521: "male"},
    },
    "mushroom": {
        "odor": dict(enumerate(["almond", "anise", "creosote", "fishy", "foul", "musty", "none", "pungent", "spicy"])),
        "spore-print-color": dict(enumerate(["black", "brown", "buff", "chocolate", "green", "orange", "purple", "white", "yellow"])),
        "gill-size": {0: "broad", 1: "narrow"},
        "habitat": dict(enumerate(["grasses", "leaves", "meadows", "paths", "urban", "waste", "woods"])),
        "population": dict(enumerate(["abundant", "clustered", "numerous", "scattered", "several", "solitary"])),
    },
    "heart_statlog": {
        "sex": {0: "female", 1: "male"},
        "chest": {1: "typical angina", 2: "atypical angina", 3: "other pain", 4: "no pain"},
        "thal": {3: "normal", 6: "fixed defect", 7: "reversible defect"},
    },
}
