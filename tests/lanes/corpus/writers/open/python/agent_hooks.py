#!/usr/bin/env python3
"""Hook: prints context that the agent reads."""
import json, sys
MAX = 1000
def main():
    payload = json.load(sys.stdin)
    memory = recall(payload["prompt"])[:MAX]
    out = {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": f"<memory>\n{memory}\n</memory>"}}  # <- site budget=1000 fence
    print(json.dumps(out))
def daemon(turn):
    msgs = [{"role": "system", "content": turn.system}]  # <- site
    for m in turn.history[-20:]:
        msgs.append({"role": m.role, "content": m.text})  # <- site
    if turn.scope:
        msgs[0]["content"] += "\n\n" + turn.scope  # <- site
    resp = requests.post(URL + "/v1/chat/completions", json={"model": MODEL, "messages": msgs})
    return resp.json()["choices"][0]["message"]["content"]
def build_prompt(job):
    sections = ["# Task", job.text]  # <- site
    if job.followup:
        sections.append("Earlier result:\n" + job.result[:2000])  # <- site budget=2000
    return "\n\n".join(sections)  # <- site
if __name__ == "__main__":
    main()
