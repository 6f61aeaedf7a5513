"""Import and use an installed misieve that has nothing but its base dependencies: ``python smoke.py native|twin``."""

import sys

import misieve
from misieve._core import CORE

wanted = sys.argv[1]
if wanted != CORE:
    sys.exit(f"the {wanted} core was expected, the {CORE} core runs")
p = misieve.posterior([[40, 10], [20, 80]])
if not (0.168 < p.mean() < 0.169 and p.sf(0.003) > 0.999):
    sys.exit(f"wrong posterior: {p!r}")
try:
    misieve.plot(p)
except misieve.MissingExtraError as missing:
    if "misieve[plot]" not in str(missing):
        sys.exit(f"the message does not name the extra: {missing}")
else:
    sys.exit("matplotlib was not expected here")
print("ok:", misieve.__file__, CORE, repr(p))
