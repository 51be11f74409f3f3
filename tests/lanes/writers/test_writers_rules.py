"""Each way of writing into a prompt is found under its name, and its look-alike is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.lanes.writers.finding import find_writers
from workbench.lanes.writers.site import Confidence, Site, SiteKind


def sites(tmp_path: Path, name: str, text: str, everything: bool = False) -> tuple[Site, ...]:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return find_writers([path], everything=everything).sites


WRITERS = [
    ("push", "a.py", "import openai\nmessages.append({'role': 'user', 'content': text})\n"),
    (
        "push",
        "a.py",
        "def build_system_prompt(x):\n    parts = []\n    parts.append(x)\n    return ''.join(parts)\n",
    ),
    ("push", "a.ts", "import OpenAI from 'openai';\nmessages.unshift({ role: 'system', content: rules });\n"),
    (
        "push",
        "a.go",
        'package a\nfunc f() { messages = append(messages, Message{Role: "user", Content: x}) }\n',
    ),
    ("push", "a.rs", "fn f() { messages.push(ChatMessage::system(rules)); }\n"),
    ("push", "a.rs", "fn build_prompt(x: &str) -> String { let mut p = String::new(); p.push_str(x); p }\n"),
    ("push", "a.ts", "conversations.addUserMessage(id, text); // openai\n"),
    ("concat", "a.py", "import openai\nprompt += page\n"),
    ("concat", "a.js", "const systemPrompt = base + '\\n\\n' + skill;\n"),
    ("concat", "a.go", "package llm\nfunc buildPrompt(a, b string) string {\n\tp := a + b\n\treturn p\n}\n"),
    ("join", "a.ts", "export function buildPrompt(parts: string[]) { return parts.join('\\n'); }\n"),
    ("join", "a.go", 'package a\nfunc renderPrompt(p []string) string { return strings.Join(p, "\\n") }\n'),
    (
        "argument",
        "a.py",
        "import anthropic\nclient.messages.create(model='m', system=rules, messages=messages)\n",
    ),
    (
        "argument",
        "a.ts",
        "import { Agent } from '@openai/agents';\nnew Agent({ name: 'a', instructions: rules });\n",
    ),
    ("argument", "a.ts", "spawn(bin, ['-p', '--append-system-prompt', rules]);\n"),
    ("argument", "a.rs", 'use rig::agent;\nfn f() { client.agent("m").preamble(&rules).build(); }\n'),
    ("role", "a.py", "import openai\nfirst = {'role': 'system', 'content': rules}\n"),
    (
        "role",
        "a.py",
        "from langchain_core.messages import SystemMessage\nfirst = SystemMessage(content=rules)\n",
    ),
    ("role", "a.rs", 'fn f() { let body = json!({"messages": [{"role": "user", "content": text}]}); }\n'),
    ("template", "a.py", "import ollama\nprompt = f'Answer {question}'\n"),
    (
        "template",
        "a.rs",
        'async fn f(llm: Llm) { let prompt = format!("Classify {}", text); llm.complete(&prompt); }\n',
    ),
    (
        "template",
        "a.go",
        'package llm\nfunc f() { prompt := fmt.Sprintf("Classify %s", text)\n\tllm.Complete(prompt) }\n',
    ),
    ("template", "a.py", "from app import llm\ndef f(x):\n    return llm.invoke(f'Summarise {x}')\n"),
    (
        "content",
        "a.ts",
        "import Anthropic from '@anthropic-ai/sdk';\nconst system = [{ type: 'text', text: rules }];\n",
    ),
]


@pytest.mark.parametrize(("kind", "name", "text"), WRITERS)
def test_a_writer_is_found(tmp_path: Path, kind: str, name: str, text: str) -> None:
    assert kind in [site.kind for site in sites(tmp_path, name, text)]


LOOKALIKES = [
    (
        "a.py",
        "import openai\nlog.info('prompt: ' + prompt)\nlogger.debug({'role': 'user', 'content': text})\n",
    ),
    ("a.py", "import openai\nassert messages == [{'role': 'user', 'content': 'hi'}]\n"),
    ("a.py", "import openai\nif last == {'role': 'user', 'content': 'hi'}:\n    pass\n"),
    ("a.py", "import openai\nprompt_tokens += reply.usage.prompt_tokens\n"),
    ("a.py", "import openai\nfull_text += chunk.choices[0].delta.content\n"),
    ("a.py", "from openai import OpenAI\nSYSTEM_PROMPT = 'You are careful.'\n"),
    ("a.py", "import openai\nself.system_prompt = system_prompt\n"),
    ("a.py", "import click\nprompt = f'Delete {name}? '\nanswer = input(prompt)\n"),
    (
        "a.ts",
        "import OpenAI from 'openai';\nsetMessages((old) => [...old, { role: 'user', content: text }]);\n",
    ),
    (
        "a.ts",
        "import { z } from 'zod';\nz.object({ role: z.literal('system'), content: z.string() }); // openai\n",
    ),
    ("a.ts", "Base.extend({ role: z.literal('system'), content: z.string() }); // openai\n"),
    ("a.ts", "span.start({ system: 'linux', model: name }); // openai\n"),
    ("a.ts", "receipts.push({ lane: 'memory', chars: memory.length });\n"),
    ("a.ts", "messages.push({ role: 'assistant', content: '' }); // openai\n"),
    ("a.py", "import openai\nwhole = client.embeddings.create(input=[prefix + text])\n"),
    ("a.py", "import openai\nos.system('say ' + text)\n"),
    ("a.py", "import openai\nself.db.add(Message(role='user', content=text))\n"),
    ("a.py", "import openai\nn = estimate_tokens({'role': 'system', 'content': rules})\n"),
    ("a.py", "import openai\nsubprocess.run(['lsof', '-p', f'{pid}'])\n"),
    ("a.py", "import openai\nmessage = json.loads(line)\nmessages.append(message)\n"),
    ("a.py", "from app import llm\ndef prompt_name(n):\n    return f'`{n}`'\n"),
    (
        "a.py",
        "from app import llm\nlog_row = {'prompt': f'x {y}', 'system_prompt': rules, 'response': text}\n",
    ),
    ("a.py", "from app import llm\ndef prompt_status(n):\n    return f'{n} characters of the prompt\\n'\n"),
    ("a.ts", "type Message = { role: 'system' | 'user'; content: string }; // openai\n"),
    ("a.ts", "const body = { choices: [{ message: { role: 'assistant', content: text } }] }; // openai\n"),
    ("a.ts", "await prisma.message.create({ data: { role: 'user', content: text, chatId } }); // openai\n"),
    ("a.ts", "export const promptPath = (name: string) => `prompts/${name}.md`; // openai\n"),
    ("a.ts", "const messages: string[] = [];\nmessages.push('Name is required');\n"),
    ("a.go", 'package a\nfunc f() { log.Printf("messages=%d", len(messages)) }\n'),
    ("a.rs", "fn f() { content.push_str(&chunk.delta.content); } // openai\n"),
    (
        "a.rs",
        '#[cfg(test)]\nmod tests { fn t() { let m = vec![Message { role: Role::User, content: "x" }]; } }\n',
    ),
]


@pytest.mark.parametrize(("name", "text"), LOOKALIKES)
def test_a_look_alike_is_not(tmp_path: Path, name: str, text: str) -> None:
    assert [site.text for site in sites(tmp_path, name, text)] == []


def test_a_stream_that_is_put_into_a_prompt_is_a_writer(tmp_path: Path) -> None:
    text = "import openai\nfor chunk in retrieved:\n    user_prompt += chunk\n"
    (site,) = sites(tmp_path, "a.py", text)
    assert site.kind is SiteKind.CONCAT


def test_what_is_unsure_is_shown_on_demand(tmp_path: Path) -> None:
    text = "def f(name):\n    prompt = 'Delete ' + name\n    return ask(prompt)\n"
    assert sites(tmp_path, "a.py", text) == ()
    (site,) = sites(tmp_path, "a.py", text, everything=True)
    assert site.confidence is Confidence.LOW


def test_what_goes_by_way_of_names_and_functions_is_followed(tmp_path: Path) -> None:
    text = (
        "import openai\n"
        "def ask(rows, question):\n"
        "    notes = facts(rows)\n"
        "    text = notes + question\n"
        "    return openai.chat.completions.create(model='m', messages=[{'role': 'user', 'content': text}])\n"
        "def facts(rows):\n"
        "    found = '## Facts\\n'\n"
        "    for row in rows:\n"
        "        found += row + '\\n'\n"
        "    return found\n"
    )
    assert [(site.line, site.function) for site in sites(tmp_path, "a.py", text)] == [
        (4, "ask"),
        (5, "ask"),
        (9, "facts"),
    ]


def test_one_statement_is_one_site_named_by_the_strongest_way(tmp_path: Path) -> None:
    text = (
        "import openai\n"
        "reply = client.chat.completions.create(\n"
        "    model='m',\n"
        "    messages=[\n"
        "        {'role': 'system', 'content': f'Rules {x}'},\n"
        "        {'role': 'user', 'content': y},\n"
        "    ],\n"
        ")\n"
    )
    (site,) = sites(tmp_path, "a.py", text)
    assert (site.kind, site.first_line, site.last_line, site.line) == (SiteKind.ROLE, 2, 8, 5)
    assert site.lines == (5, 6)
    assert site.confidence is Confidence.HIGH
