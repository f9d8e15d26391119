"""Runs in kompact's environment; what its proxy does with a request, with its own defaults."""

import json
import sys

from kompact.config import KompactConfig
from kompact.parser.messages import parse_request, serialize_request
from kompact.transforms import pipeline
from kompact.types import Provider

answers, sys.stdout = sys.stdout, sys.stderr
for line in sys.stdin:
    asked = parse_request({"model": "gpt-4o", "messages": json.loads(line)}, Provider.OPENAI)
    sent = serialize_request(pipeline.run(asked, KompactConfig()).request)["messages"]
    print(json.dumps(sent), file=answers, flush=True)
