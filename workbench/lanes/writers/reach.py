"""Whether a model is in reach of a file: what it imports, calls, and speaks to."""

from __future__ import annotations

import re

__all__ = ["may_write", "prompts_a_person", "reach_of"]

_MAY = re.compile(
    r"prompt|\bmessages?\b|Messages?\b|\brole\b|Role\b|system|instruction|preamble|history|conversation|context|"
    r"memory|llm|complet(?:e|ion)|generate|openai|anthropic|claude|gemini|ollama",
    re.IGNORECASE,
)

_LIBRARY = (
    r"openai|anthropic|@anthropic-ai/[\w-]+|@ai-sdk/[\w-]+|@langchain/[\w/-]+|langchain\w*|langgraph|llama_index|"
    r"llamaindex|litellm|ollama|groq(?:-sdk)?|mistralai|@mistralai/\w+|cohere(?:-ai)?|google\.generativeai|google\.genai|"
    r"@google/gen\w*(?:-ai)?|vertexai|@google-cloud/vertexai|transformers|vllm|llama_cpp|node-llama-cpp|"
    r"huggingface_hub|@huggingface/\w+|semantic_kernel|autogen\w*|crewai|dspy|instructor|haystack|guidance|"
    r"pydantic_ai|smolagents|agents|@openai/agents|ai|replicate|together|fireworks|async_openai|rig|genai|"
    r"llm_chain|ollama_rs|mcp\.server\.fastmcp\.prompts|claude_agent_sdk|claude_code_sdk|boto3_bedrock|"
    r"@aws-sdk/client-bedrock-runtime|xllamacpp|swarm|mirascope|marvin|ell|promptflow|letta|mem0|phi|agno"
)
_IMPORT = re.compile(
    rf"""^\s*(?:from\s+(?:{_LIBRARY})(?:\.[\w.]+)?\s+import|import\s+(?:{_LIBRARY})\b|use\s+(?:{_LIBRARY})::)"""
    rf"""|(?:from|require\(|import\()\s*['"](?:{_LIBRARY})(?:/[\w./-]+)?['"]"""
    r"""|github\.com/[\w.-]+/(?:[\w-]*openai[\w-]*|anthropic-sdk-go|langchaingo|ollama|go-openai|genkit)"""
    r"""|google\.golang\.org/genai|ollama/ollama""",
    re.MULTILINE,
)
_ENDPOINT = re.compile(
    r"/chat/completions|/v1/messages\b|/v1/responses\b|api\.openai\.com|api\.anthropic\.com|openrouter\.ai|"
    r"generativelanguage\.googleapis|/api/generate\b|/api/chat\b|:generateContent|api\.groq\.com|"
    r"api\.mistral\.ai|bedrock-runtime|11434|--system-prompt|--append-system-prompt|/v1/completions\b"
)
_CALL = re.compile(
    r"\.completions\.(?:create|stream|parse)\b|\bmessages\.(?:create|stream)\(\s*(?:\{|\w+=|$)|"
    r"\bresponses\.(?:create|stream|parse)\(|\b(?:generateText|streamText|generateObject|streamObject)\(|"
    r"\bgenerate_?[cC]ontent\w*\(|\ba?completion\(|\bLLM(?:Chain)?\(|\bChat(?:OpenAI|Anthropic|Ollama|Vertex\w+)\(|"
    r"ChatCompletion\w*(?:Message|Param|Request)|MessageParam\b|BaseMessage\b|SystemMessage\b|"
    r"\bllm\.\w*(?:chat|complete|generate|invoke|ask|call|run|predict)\w*\(|\bcall_?(?:LLM|llm|Llm|model|Model|claude|Claude|gpt|openai|OpenAI)\w*\(",
    re.MULTILINE,
)
_WEAK = re.compile(
    r"\b(?:gpt-[\w.]+|claude-[\w.-]+|gemini-[\w.-]+|llama-?\d|o[134]-mini|qwen\d|deepseek)\b|\bLLM\b|\bllm\b|[a-z]LLM\b|\bLlm|_llm\b|\bllm_|"
    r"system_?[pP]rompt|SYSTEM_PROMPT|SystemPrompt|user_?[pP]rompt|\bYou are (?:an?|the)\b|max_?[tT]okens|"
    r"\btool_calls\b|toolCalls|\bsystem-reminder\b|\bassistant\b|chat_?[hH]istory"
)
_PERSON = re.compile(
    r"""\binquirer\b|['"]readline['"]|node:readline|readline/promises|\brustyline\b|\bdialoguer\b|['"]prompts['"]|['"]enquirer['"]|@clack/|"""
    r"""prompt_toolkit|\bclick\.(?:prompt|confirm)|\binput\(\s*prompt|rich\.prompt|\bquestionary\b|"""
    r"""window\.prompt|getpass|beforeinstallprompt|bufio\.(?:NewReader|Reader)|\breadline\b|promptui|survey\."""
)
_PAIR = re.compile(
    r"""['"]?\b[rR]ole['"]?\s*[:=]\s*(?:&?\w+(?:\.|::))*['"]?(?:\w*Role)?(?:system|user|assistant|developer|System|User|Assistant|SYSTEM|USER)\b"""
    r"""[^{}\n]{0,20}[\s,]\s*['"]?(?:[cC]ontent|parts)\b"""
)


def may_write(text: str) -> bool:
    """Whether a file speaks of anything that prompts are made of; quick."""
    return _MAY.search(text) is not None


def reach_of(text: str) -> int:
    """2: the file calls a model, or a client library; 1: it speaks of models; 0: nothing says so."""
    if _IMPORT.search(text) or _ENDPOINT.search(text) or _CALL.search(text):
        return 2
    weak = {found[0].lower() for found in _WEAK.finditer(text)}
    if _PAIR.search(text):
        return 2 if weak else 1
    return 1 if weak else 0


def prompts_a_person(text: str) -> bool:
    """Whether the file asks somebody at a terminal or a browser: its prompts may be no model's."""
    return _PERSON.search(text) is not None
