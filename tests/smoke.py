"""Import and use an installed misieve that has nothing but its base dependencies: ``python smoke.py native|twin``."""

import sys
from importlib import resources

import numpy as np

import misieve
from misieve._core import CORE
from misieve.report import build_facts, build_page
from misieve.report.page import SCRIPTS, STYLE, TEMPLATE

wanted = sys.argv[1]
if wanted != CORE:
    sys.exit(f"the {wanted} core was expected, the {CORE} core runs")
p = misieve.posterior([[40, 10], [20, 80]])
if not (0.1661 < p.mean() < 0.1663 and p.sf(0.003) > 0.999):
    sys.exit(f"wrong posterior: {p!r}")

rng = np.random.default_rng(0)
y = rng.integers(0, 2, 500)
X = np.column_stack([y ^ (rng.random(500) < 0.1), rng.integers(0, 3, 500), rng.normal(size=500) + y])
kept = misieve.MISelector().fit(X, y).get_feature_names_out().tolist()
if kept != ["x0", "x2"]:
    sys.exit(f"wrong selection: {kept}")
if misieve.NaiveBayes().fit(X, y).score(X, y) < 0.8:
    sys.exit("naive Bayes did not learn")

try:
    misieve.plot(p)
except misieve.MissingExtraError as missing:
    if "misieve[plot]" not in str(missing):
        sys.exit(f"the message does not name the extra: {missing}")
else:
    sys.exit("matplotlib was not expected here")
lacking = [name for name in (TEMPLATE, STYLE, *SCRIPTS) if not resources.files("misieve.report").joinpath(name).is_file()]
if lacking:
    sys.exit(f"the report lacks {lacking}")
selection = misieve.select(tables := misieve.count(X[:, :2].astype(int), y))
facts = build_facts(selection, tables, data={"source": "X", "rows": 500, "target": "y"}, settings={}, reproduce={})
try:
    build_page(facts, selection, tables)
except misieve.MissingExtraError as missing:
    if "misieve[cli]" not in str(missing):
        sys.exit(f"the message does not name the extra: {missing}")
else:
    sys.exit("jinja2 was not expected here")
print("ok:", misieve.__file__, CORE, repr(p))
