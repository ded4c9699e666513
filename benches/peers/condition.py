"""One other tool on one table: prints its CPU seconds, how many rules it gives, and the rules.

The table is a file of bytes: per row the value of each attribute, then 1 if violated.
"""

import sys
import time
import warnings

import numpy as np
import pandas as pd

warnings.filterwarnings("ignore")


def read(path, width):
    rows = np.fromfile(path, dtype=np.uint8).reshape(-1, width + 1)
    return rows[:, :width], rows[:, width]


def one_hot(values):
    columns = {}
    for attribute in range(values.shape[1]):
        for value in np.unique(values[:, attribute]):
            columns[f"{attribute}={value}"] = (values[:, attribute] == value).astype(np.uint8)
    return pd.DataFrame(columns)


def ripper(values, verdicts):
    import wittgenstein

    frame = pd.DataFrame({str(place): values[:, place].astype(str) for place in range(values.shape[1])})
    frame["violated"] = verdicts

    def fit():
        model = wittgenstein.RIPPER(random_state=1)
        model.fit(frame, class_feat="violated", pos_class=1)
        return [str(rule) for rule in model.ruleset_.rules]

    return fit


def tree(values, verdicts):
    from sklearn.tree import DecisionTreeClassifier

    frame = one_hot(values)

    def fit():
        model = DecisionTreeClassifier(random_state=1).fit(frame.values, verdicts)
        tree = model.tree_
        leaves = (tree.children_left == -1) & (tree.value[:, 0, :].argmax(axis=1) == 1)
        return ["leaf"] * int(leaves.sum())

    return fit


def imodels(values, verdicts):
    from imodels import SkopeRulesClassifier

    frame = one_hot(values)

    def fit():
        model = SkopeRulesClassifier(max_depth=3, random_state=1)
        model.fit(frame.values, verdicts, feature_names=list(frame.columns))
        return [str(rule) for rule in model.rules_]

    return fit


def pysubgroup(values, verdicts):
    import pysubgroup as ps

    frame = pd.DataFrame({str(place): values[:, place].astype(str) for place in range(values.shape[1])})
    frame["violated"] = verdicts == 1

    def fit():
        target = ps.BinaryTarget("violated", True)
        space = ps.create_selectors(frame, ignore=["violated"])
        task = ps.SubgroupDiscoveryTask(frame, target, space, result_set_size=10, depth=3, qf=ps.WRAccQF())
        return [str(rule) for _, rule, _ in ps.BeamSearch().execute(task).to_descriptions(include_stats=True)]

    return fit


def main():
    peer, path, width = sys.argv[1], sys.argv[2], int(sys.argv[3])
    fit = {"ripper": ripper, "tree": tree, "imodels": imodels, "pysubgroup": pysubgroup}[peer](*read(path, width))
    before = time.process_time()
    rules = fit()
    print(f"{time.process_time() - before:.3f}\t{len(rules)}\t{' | '.join(rules[:4])[:160]}")


main()
