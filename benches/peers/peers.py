"""Runs one peer on a file of codes (see benches/measure/tables.rs) and prints processor seconds and rules as JSON.

usage: peers.py PEER CODES ROWS VALUES,.. MIN_SUPPORT MIN_CONFIDENCE MAX_LEN RULES

PEER is pyfim-apriori, pyfim-eclat, pyfim-fpgrowth, efficient-apriori or mlxtend. The items of attribute after attribute
are numbered through, the last two are `violated` and `held`. RULES is written one rule per line: the verdict, the other
items ascending, the rows with all of them, the rows with the left side.
"""

import json
import sys
import time

import numpy

BLOCK = 1 << 14


def read_codes(path, rows, values):
    """One row per row, one item number per attribute; the verdict is the last."""
    width = len(values) + 1
    codes = numpy.fromfile(path, dtype=numpy.uint8)
    whole = rows // BLOCK * BLOCK
    blocks = codes[: whole * width].reshape(-1, width, BLOCK).transpose(0, 2, 1).reshape(-1, width)
    rest = codes[whole * width :].reshape(width, -1).transpose()
    table = numpy.concatenate([blocks, rest]).astype(numpy.int16)
    table[:, -1] = 1 - table[:, -1]
    return table + numpy.cumsum([0, *values], dtype=numpy.int16)


def pyfim(algorithm, transactions, count, support, confidence, longest, verdicts):
    """Only verdicts may be on the right side, and support is that of both sides (mode `o`)."""
    import fim

    appear = {None: "in", **{verdict: "out" for verdict in verdicts}}
    found = getattr(fim, algorithm)(
        transactions, target="r", supp=100 * support, conf=100 * confidence, zmin=2, zmax=longest,
        report="ab", mode="o", appear=appear,
    )
    return [(head, sorted(body), both, when) for head, body, both, when in found]


def efficient_apriori(transactions, count, support, confidence, longest, verdicts):
    """It has no way to ask for one consequence, so the others are dropped afterwards."""
    from efficient_apriori import apriori

    _, found = apriori(transactions, min_support=support, min_confidence=confidence, max_length=longest)
    wanted = [rule for rule in found if len(rule.rhs) == 1 and rule.rhs[0] in verdicts]
    return [(rule.rhs[0], sorted(rule.lhs), rule.count_full, rule.count_lhs) for rule in wanted]


def mlxtend(onehot, count, support, confidence, longest, verdicts):
    """FP-growth, then its rules; those with other consequences are dropped afterwards."""
    from mlxtend.frequent_patterns import association_rules, fpgrowth

    sets = fpgrowth(onehot, min_support=support, max_len=longest)
    found = association_rules(sets, metric="confidence", min_threshold=confidence)
    columns = found[["antecedents", "consequents", "antecedent support", "support"]]
    rules = []
    for when, then, when_support, both in columns.itertuples(index=False, name=None):
        if len(then) == 1 and next(iter(then)) in verdicts:
            rules.append((next(iter(then)), sorted(when), round(both * count), round(when_support * count)))
    return rules


def main():
    peer, codes, rows, values, support, confidence, longest, path = sys.argv[1:]
    rows, longest, support, confidence = int(rows), int(longest), float(support), float(confidence)
    values = [int(count) for count in values.split(",")]
    verdicts = (sum(values), sum(values) + 1)
    start = time.process_time()
    table = read_codes(codes, rows, values)
    if peer == "mlxtend":
        import pandas

        onehot = numpy.zeros((rows, sum(values) + 2), dtype=bool)
        numpy.put_along_axis(onehot, table.astype(numpy.int64), True, axis=1)
        data, mine = pandas.DataFrame(onehot), mlxtend
    elif peer == "efficient-apriori":
        data, mine = [tuple(row) for row in table.tolist()], efficient_apriori
    else:
        data, mine = table.tolist(), lambda *arguments: pyfim(peer.removeprefix("pyfim-"), *arguments)
    del table
    loaded = time.process_time()
    rules = mine(data, rows, support, confidence, longest, verdicts)
    mined = time.process_time()
    with open(path, "w") as file:
        for head, body, both, when in sorted(rules, key=lambda rule: (len(rule[1]), rule[1], rule[0])):
            file.write(f"{head} {' '.join(map(str, body))} {both} {when}\n")
    print(json.dumps({"load": loaded - start, "mine": mined - loaded, "rules": len(rules)}))


main()
