"""Takes the samples of scenarios/lanes.yaml anew, scenarios/recordings/smollm-gateway.jsonl, in some minutes.

    python tests/real/record_gateway.py [FILE] [-- more arguments of workbench run]

A real model answers the requests that the demo's gateway makes. To be run where the gateway, or what it
claims of its requests, has changed: a test compares.
"""

from __future__ import annotations

import sys

from record_smollm import REPOSITORY, record

SHIPPED = REPOSITORY / "scenarios" / "recordings" / "smollm-gateway.jsonl"
ADAPTER = """
  gateway:
    use: model
    api: openai-chat
    url: "{url}"
    model: {model}
    build: "workbench.demo.gateway:request"
    call: {{message: typed, files: paths}}
    temperature: 1
    max_tokens: 192
    body: {{stop: ["\\n\\n"]}}
    concurrency: 2
    timeout: 120
"""

if __name__ == "__main__":
    raise SystemExit(
        record("lanes", "gateway", ADAPTER, SHIPPED, sys.argv[1:], by="tests/real/record_gateway.py")
    )
