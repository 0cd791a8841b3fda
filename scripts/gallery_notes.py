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
    Table("iris", "Iris", SKLEARN, "Is it a virginica?", "virginica", (2,), "", "load_iris"),
    Table("wine", "Wine", SKLEARN, "Is it of the first grower?", "first grower", (0,), "", "load_wine"),
    Table("breast_cancer", "Breast cancer, nuclei", SKLEARN, "Is the tumour malignant?", "malignant", (0,), "", "load_breast_cancer"),
    Table("mushroom", "Mushrooms", PMLB, "Is it poisonous?", "poisonous", (1,), ""),
    Table("vote", "Votes in Congress, 1984", PMLB, "Is the member a Republican?", "Republican", (1,), ""),
    Table("titanic", "Titanic", PMLB, "Did the person survive?", "survived", (1.0,), ""),
    Table("car", "Cars", PMLB, "Would an expert refuse the car?", "refused", (2,), ""),
    Table("tic_tac_toe", "Tic-tac-toe", PMLB, "Has x won?", "x has won", (1,), ""),
    Table("heart_statlog", "Heart disease", PMLB, "Is there a disease of the heart?", "disease", (1,), ""),
    Table("wine_quality_red", "Red wine, tasted", PMLB, "Do tasters give it 7 of 10 or more?", "good", (7, 8), ""),
]

ALPHABETICAL = {"buying": ["high", "low", "medium", "very high"], "maint": ["high", "low", "medium", "very high"], "persons": ["2", "4", "more"], "lug_boot": ["big", "medium", "small"], "safety": ["high", "low", "medium"], "doors": ["2", "3", "4", "5 or more"]}
BALLOT = {0: "no", 1: None, 2: "yes"}
VOTES = (
    "handicapped infants", "water project cost sharing", "adoption of the budget resolution", "physician fee freeze", "el salvador aid",
    "religious groups in schools", "anti satellite test ban", "aid to nicaraguan contras", "mx missile", "immigration", "synfuels corporation cutback",
    "education spending", "superfund right to sue", "crime", "duty free exports", "export administration act south africa",
)

# For each table and column, what its codes mean.
BOOKS: dict[str, dict[str, dict[object, str | None]]] = {
    "car": {column: dict(enumerate(words)) for column, words in ALPHABETICAL.items()},
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
