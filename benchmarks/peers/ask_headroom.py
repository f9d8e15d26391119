"""Runs in headroom's environment; its documented call with its own defaults."""

import json
import sys

from headroom import compress

answers, sys.stdout = sys.stdout, sys.stderr
for line in sys.stdin:
    sent = compress(json.loads(line), model="gpt-4o", model_limit=1_000_000).messages
    print(json.dumps(sent), file=answers, flush=True)
