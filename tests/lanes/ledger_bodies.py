"""Request bodies of five providers, made at random, with what the model can read counted as they are made."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import Any

ALPHABET = (
    "abc xyz ABC 019 ,.:;-_/ \n\r\t\"\\'{}[]<>",
    "äöüßéñ",
    "漢字かな한국",
    "🙂👩‍👩‍👧🇨🇭",
    "\u200b\u202e\u2028\u00a0\ufeff",
    "\udc97\x00\x1b\x7f",
)


@dataclass
class Made:
    """A body, with the texts that a model can read in it, in the order of the body."""

    body: dict[str, Any] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    images: int = 0
    format: str = ""


class Maker:
    """One body after another, always the same for one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.made = Made()

    def make(self, provider: str) -> Made:
        self.made = Made(format="ollama" if provider.startswith("ollama") else provider)
        made = self.made
        made.body = getattr(self, "_" + provider.replace("-", "_"))()
        return made

    # --- what may stand in a body

    def text(self) -> str:
        """A readable text: it is counted."""
        size = self.random.choice((0, 1, 3, 10, 40, 200))
        letters = "".join(self.random.choices(ALPHABET, weights=(12, 2, 2, 1, 1, 1), k=2))
        said = "".join(self.random.choices(letters, k=size))
        self.count(said)
        return said

    def count(self, said: str) -> None:
        if said:
            self.made.texts.append(said)

    def object(self) -> dict[str, Any]:
        """A JSON object: its compact form is counted."""
        value: dict[str, Any] = {"q": 'ü"\\\n' * self.random.randint(0, 3), "n": self.random.randint(-9, 9)}
        if self.random.random() < 0.3:
            value["deep"] = [{"e": None, "f": 1.5}, True, "\u2028"]
        if self.random.random() < 0.1:
            value = {}
        self.count(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
        return value

    def escaped(self) -> str:
        """Arguments as a string of JSON, as the app spelled it: counted as it is."""
        said = json.dumps({"a": "ü\n", "b": [1, 2]}, ensure_ascii=self.random.random() < 0.5)
        self.count(said)
        return said

    def name(self) -> str:
        said = f"tool_{self.random.randint(1, 99)}"
        self.count(said)
        return said

    def image(self, block: dict[str, Any]) -> dict[str, Any]:
        self.made.images += 1
        return block

    def maybe(self, share: float = 0.5) -> bool:
        return self.random.random() < share

    def some(self, least: int = 0, most: int = 3) -> range:
        return range(self.random.randint(least, most))

    # --- the five

    def _openai_chat(self) -> dict[str, Any]:
        body: dict[str, Any] = {"model": "gpt-text", "temperature": 0.5, "user": "text of nobody"}
        body["messages"] = [self._chat_message() for _ in self.some(1, 5)]
        if self.maybe():
            body["tools"] = [
                {
                    "type": "function",
                    "function": {
                        "name": self.name(),
                        "description": self.text(),
                        "strict": True,
                        "parameters": self.object(),
                    },
                }
                for _ in self.some()
            ]
        if self.maybe(0.2):
            body["functions"] = [{"name": self.name(), "parameters": self.object()}]
        if self.maybe(0.3):
            shape = {"name": self.name(), "schema": self.object()}
            body["response_format"] = {"type": "json_schema", "json_schema": shape}
        body |= {"prediction": {"type": "content", "content": "not read"}, "metadata": {"text": "not read"}}
        body |= {"tool_choice": {"type": "function", "function": {"name": "not_counted"}}, "stop": ["END"]}
        return body

    def _chat_message(self) -> dict[str, Any]:
        role = self.random.choice(("system", "developer", "user", "assistant", "tool", "function"))
        message: dict[str, Any] = {"role": role, "name": "no text"}
        if role == "assistant":
            message["content"] = self.text() if self.maybe() else None
            if self.maybe(0.2):
                message["refusal"] = self.text()
            if self.maybe():
                message["tool_calls"] = [
                    {
                        "id": "call_1",
                        "type": "function",
                        "function": {"name": self.name(), "arguments": self.escaped()},
                    }
                    for _ in self.some()
                ]
            if self.maybe(0.1):
                message["function_call"] = {"arguments": self.escaped(), "name": self.name()}
            message |= {"audio": None, "annotations": []}
        elif role in ("tool", "function"):
            message |= {"tool_call_id": "call_1", "content": self.text()}
        else:
            message["content"] = self.text() if self.maybe() else [self._chat_part() for _ in self.some()]
        return message

    def _chat_part(self) -> dict[str, Any]:
        match self.random.randint(0, 5):
            case 0:
                return self.image({"type": "image_url", "image_url": {"url": "data:,text", "detail": "low"}})
            case 1:
                return self.image({"type": "input_audio", "input_audio": {"data": "text", "format": "wav"}})
            case 2:
                return self.image({"type": "file", "file": {"file_id": "f", "filename": "text.pdf"}})
            case 3:
                return {"type": "refusal", "refusal": self.text()}
            case 4:
                return {"type": "of_tomorrow", "text": self.text(), "id": "no text"}
            case _:
                return {"type": "text", "text": self.text(), "cache_control": {"type": "ephemeral"}}

    def _openai_responses(self) -> dict[str, Any]:
        body: dict[str, Any] = {"model": "gpt-text", "store": False, "include": ["text"]}
        if self.maybe():
            body["instructions"] = self.text()
        body["input"] = self.text() if self.maybe(0.2) else [self._item() for _ in self.some(1, 6)]
        if self.maybe(0.3):
            shape = {"type": "json_schema", "name": self.name(), "schema": self.object()}
            body["text"] = {"format": shape, "verbosity": "low"}
        body["tools"] = [
            {"type": "function", "name": self.name(), "description": self.text(), "parameters": self.object()}
            for _ in self.some()
        ]
        return body

    def _item(self) -> dict[str, Any]:
        match self.random.randint(0, 6):
            case 0:
                return {
                    "type": "function_call",
                    "call_id": "c",
                    "name": self.name(),
                    "arguments": self.escaped(),
                }
            case 1:
                return {"type": "function_call_output", "call_id": "c", "output": self.text()}
            case 2:
                output = [{"type": "input_text", "text": self.text()}, self.image({"type": "input_image"})]
                return {"type": "function_call_output", "call_id": "c", "output": output}
            case 3:
                summary = [{"type": "summary_text", "text": self.text()} for _ in self.some()]
                return {"type": "reasoning", "id": "rs", "summary": summary, "encrypted_content": "gAAA"}
            case 4:
                content = [
                    {"type": "output_text", "text": self.text(), "annotations": []} for _ in self.some()
                ]
                return {"type": "message", "role": "assistant", "status": "completed", "content": content}
            case 5:
                return {"role": "user", "content": self.text()}
            case _:
                image = {"type": "input_image", "image_url": "data:text"}
                parts = [{"type": "input_text", "text": self.text()}, self.image(image)]
                return {"role": "developer", "content": parts}

    def _anthropic(self) -> dict[str, Any]:
        body: dict[str, Any] = {"model": "claude-text", "max_tokens": 9, "metadata": {"user_id": "text"}}
        blocks = self.maybe()
        body["system"] = [self._said() for _ in self.some()] if blocks else self.text()
        body["messages"] = [self._anthropic_message() for _ in self.some(1, 5)]
        body["tools"] = [
            {"name": self.name(), "description": self.text(), "input_schema": self.object()}
            for _ in self.some()
        ]
        body |= {"stop_sequences": ["text"], "tool_choice": {"type": "tool", "name": "not_counted"}}
        return body

    def _said(self) -> dict[str, Any]:
        return {"type": "text", "text": self.text(), "cache_control": {"type": "ephemeral"}}

    def _anthropic_message(self) -> dict[str, Any]:
        role = self.random.choice(("user", "assistant"))
        if self.maybe(0.3):
            return {"role": role, "content": self.text()}
        return {"content": [self._block(2) for _ in self.some()], "role": role}

    def _block(self, deep: int) -> dict[str, Any]:
        match self.random.randint(0, 7 if deep else 2):
            case 0 | 1:
                return self._said()
            case 2:
                return self.image({"type": "image", "source": {"type": "base64", "data": "text"}})
            case 3:
                return {"type": "tool_use", "id": "t", "name": self.name(), "input": self.object()}
            case 4:
                content = self.text() if self.maybe() else [self._block(deep - 1) for _ in self.some()]
                return {"type": "tool_result", "tool_use_id": "t", "is_error": False, "content": content}
            case 5:
                return {"type": "thinking", "thinking": self.text(), "signature": "text"}
            case 6:
                source = {"type": "text", "media_type": "text/plain", "data": self.text()}
                return {"type": "document", "source": source, "title": self.text(), "context": self.text()}
            case _:
                return self.image({"type": "document", "source": {"type": "url", "url": "https://text"}})

    def _gemini(self) -> dict[str, Any]:
        camel = self.maybe()
        body: dict[str, Any] = {"generationConfig": {"temperature": 1, "stopSequences": ["text"]}}
        if self.maybe(0.3):
            body["generationConfig"]["responseSchema"] = self.object()
        if self.maybe():
            system = (
                self.text() if self.maybe(0.3) else {"parts": [{"text": self.text()} for _ in self.some()]}
            )
            body["systemInstruction" if camel else "system_instruction"] = system
        body["contents"] = [
            {
                "role": self.random.choice(("user", "model", "function")),
                "parts": [self._part(camel) for _ in self.some()],
            }
            for _ in self.some(1, 5)
        ]
        declared = [
            {"name": self.name(), "description": self.text(), "parameters": self.object()}
            for _ in self.some()
        ]
        body["tools"] = [{"functionDeclarations" if camel else "function_declarations": declared}]
        body["toolConfig"] = {"functionCallingConfig": {"mode": "AUTO", "allowedFunctionNames": ["text"]}}
        return body

    def _part(self, camel: bool) -> dict[str, Any]:
        match self.random.randint(0, 4):
            case 0:
                return {
                    "functionCall" if camel else "function_call": {"name": self.name(), "args": self.object()}
                }
            case 1:
                answer = {"name": self.name(), "response": self.object()}
                return {"functionResponse" if camel else "function_response": answer}
            case 2:
                return self.image(
                    {"inlineData" if camel else "inline_data": {"mimeType": "a", "data": "text"}}
                )
            case 3:
                return self.image({"fileData" if camel else "file_data": {"fileUri": "text"}})
            case _:
                return {"text": self.text(), "thought": False}

    def _ollama_chat(self) -> dict[str, Any]:
        body: dict[str, Any] = {"model": "llama-text", "options": {"num_ctx": 2048}, "keep_alive": "text"}
        body["messages"] = [self._ollama_message() for _ in self.some(1, 5)]
        body["format"] = self.object() if self.maybe(0.3) else "json"
        function = {"name": self.name(), "description": self.text(), "parameters": self.object()}
        body["tools"] = [{"type": "function", "function": function}]
        return body

    def _ollama_message(self) -> dict[str, Any]:
        role = self.random.choice(("system", "user", "assistant", "tool"))
        message: dict[str, Any] = {"role": role, "tool_name": "no text", "content": self.text()}
        if role == "user" and self.maybe():
            message["images"] = [self.image({"data": "aGk="})["data"] for _ in self.some()]
        if role == "assistant":
            message["thinking"] = self.text()
            message["tool_calls"] = [
                {"function": {"name": self.name(), "arguments": self.object()}} for _ in self.some()
            ]
        return message

    def _ollama_generate(self) -> dict[str, Any]:
        body: dict[str, Any] = {"model": "llama-text", "raw": False, "stream": True}
        for key in self.random.sample(("prompt", "system", "template", "suffix"), 4):
            body[key] = self.text()
        body["images"] = [self.image({"data": "aGk="})["data"] for _ in self.some()]
        return body
