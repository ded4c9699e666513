"""Whether `bugornot mine` agrees with efficient-apriori: rules and, to the last digit, all four numbers.

usage: agree.py BUGORNOT [TABLES]    mines so many random tables with both; exits with 1 at the first difference
"""

import csv
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from efficient_apriori import apriori


def random_table(rng):
    """Column names and rows; columns depend on each other, have missing cells, and few or many values."""
    columns = rng.randint(2, 8)
    rows = rng.choice([1, 7, 50, 300, 1000])
    kinds = [rng.choice(["few", "few", "skewed", "many", "copy"]) for _ in range(columns)]
    missing = rng.choice([0, 0, 0.05, 0.3])
    table = []
    for row in range(rows):
        cells = []
        for at, kind in enumerate(kinds):
            if kind == "copy" and at > 0 and rng.random() < 0.9:
                cell = cells[rng.randrange(at)]
            elif kind == "many":
                cell = str(rng.randrange(rows))
            elif kind == "skewed":
                cell = "no" if rng.random() < 0.9 else rng.choice(["yes", "perhaps, \"who\" knows", "ü"])
            else:
                cell = str(rng.randrange(3))
            cells.append("" if rng.random() < missing else cell)
        table.append(cells)
    return [f"c{at}" for at in range(columns)], table


def theirs(names, table, support, confidence, longest):
    """The rules of efficient-apriori, by their sides."""
    rows = [tuple(f"{name} == {cell}" for name, cell in zip(names, row) if cell) for row in table]
    _, rules = apriori(rows, min_support=support, min_confidence=confidence, max_length=longest)
    found = {}
    for rule in rules:
        conviction = None if rule.confidence == 1 else rule.conviction
        numbers = (rule.support, rule.confidence, rule.lift, conviction)
        found[frozenset(rule.lhs), frozenset(rule.rhs)] = numbers
    return found


def ours(bugornot, path, names, support, confidence, longest, consequent):
    """The rules of `bugornot mine`, by their sides."""
    command = [bugornot, "mine", "--csv", path, "--items", ",".join(names[:-1]), "--verdict", names[-1]]
    command += ["--min-support", repr(support), "--min-confidence", repr(confidence)]
    command += ["--max-len", str(longest), "--consequent", consequent, "--format", "json"]
    told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    rules = {}
    for rule in told["rules"]:
        numbers = tuple(rule[name] for name in ("support", "confidence", "lift", "conviction"))
        rules[frozenset(rule["when"]), frozenset(rule["then"])] = numbers
    assert len(rules) == len(told["rules"]), "a rule is told twice"
    return told["rows"], rules


def main():
    bugornot = sys.argv[1]
    tables = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    rng = random.Random(20240607)
    total, most, thousands = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "table.csv")
        for number in range(tables):
            names, table = random_table(rng)
            with open(path, "w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows([names, *table])
            support = rng.choice([0.01, 0.02, 0.05, 0.1, 0.2, 1 / 3, 0.5])
            confidence = rng.choice([0.0, 0.1, 0.5, 0.8, 0.99, 1.0])
            longest = rng.choice([1, 2, 3, 4, 8])
            expected = theirs(names, table, support, confidence, longest)
            rows, found = ours(bugornot, path, names, support, confidence, longest, "any")
            if rows != len(table) or found != expected:
                sys.exit(f"table {number} ({support=}, {confidence=}, {longest=}): the rules differ")
            start = f"{names[-1]} == "
            expected = {
                (when, then): numbers
                for (when, then), numbers in expected.items()
                if len(then) == 1 and next(iter(then)).startswith(start)
            }
            if ours(bugornot, path, names, support, confidence, longest, "verdict")[1] != expected:
                sys.exit(f"table {number} ({support=}, {confidence=}, {longest=}): the rules for verdicts differ")
            total, most, thousands = total + len(found), max(most, len(found)), thousands + (len(found) >= 1000)
    print(f"{tables} tables, {total} rules, all equal to the last digit;", end=" ")
    print(f"{thousands} tables with 1000 rules or more, at most {most}")


main()
