"""What secrets look like: keys by their vendor's shape, and the names that secrets are kept under."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = [
    "ASSIGNED",
    "HEADER_LINE",
    "NAMED",
    "PASSWORD_IN_URL",
    "QUERY",
    "SHAPES",
    "Shape",
    "is_secret_name",
]

# A key does not begin inside a word. In a body it may follow an escape: \n, \u0022 or %20 is no word.
_ESCAPED = r"(?<=\\[nrtbf])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2})"
_EDGE = rf"(?:(?<![A-Za-z0-9_])(?!(?<=%)[0-9A-Fa-f]{{2}})|{_ESCAPED})"
_END = r"(?![A-Za-z0-9_-])"


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of secret. Group 1, where the pattern has one, stays. `hints`: one of them stands in
    every match, which is quicker to look for.
    """

    name: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


def _shape(name: str, hints: str, pattern: str) -> Shape:
    return Shape(name, tuple(hints.split("|")), re.compile(pattern))


SHAPES = (
    # OpenAI, Anthropic, OpenRouter, DeepSeek. A digit: names such as sk-loading-indicator are no keys.
    _shape("sk", "sk-", rf"{_EDGE}sk-(?=[A-Za-z0-9_-]*[0-9])[A-Za-z0-9_-]{{16,}}"),
    _shape("Stripe", "k_live_|k_test_", rf"{_EDGE}[rsp]k_(?:live|test)_[A-Za-z0-9]{{16,}}"),
    _shape("Google", "AIza", rf"{_EDGE}AIza[A-Za-z0-9_-]{{30,}}"),
    _shape("Google OAuth", "ya29.|GOCSPX-", rf"{_EDGE}(?:ya29\.|GOCSPX-)[A-Za-z0-9_-]{{20,}}"),
    _shape("AWS", "AKIA|ASIA|ABIA|ACCA", rf"{_EDGE}(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{{16}}{_END}"),
    _shape("GitHub", "ghp_|gho_|ghu_|ghs_|ghr_", rf"{_EDGE}gh[pousr]_[A-Za-z0-9]{{30,}}"),
    _shape("GitHub, fine-grained", "github_pat_", rf"{_EDGE}github_pat_[A-Za-z0-9_]{{22,}}"),
    _shape("GitLab", "glpat-", rf"{_EDGE}glpat-[A-Za-z0-9_-]{{20,}}"),
    _shape("Slack", "xox|xapp-", rf"{_EDGE}(?:xox[a-z]|xapp)-(?=[A-Za-z-]*[0-9])[A-Za-z0-9-]{{10,}}"),
    _shape("Slack webhook", "hooks.slack.com", r"(hooks\.slack\.com/[a-z]+/)[A-Za-z0-9/_-]{16,}"),
    _shape("Hugging Face", "hf_", rf"{_EDGE}hf_[A-Za-z0-9]{{30,}}"),
    _shape("Groq", "gsk_", rf"{_EDGE}gsk_[A-Za-z0-9]{{30,}}"),
    _shape("xAI", "xai-", rf"{_EDGE}xai-[A-Za-z0-9]{{30,}}"),
    _shape("Perplexity", "pplx-", rf"{_EDGE}pplx-[A-Za-z0-9]{{30,}}"),
    _shape("Replicate", "r8_", rf"{_EDGE}r8_[A-Za-z0-9]{{30,}}"),
    _shape("Databricks", "dapi", rf"{_EDGE}dapi[0-9a-f]{{32}}(?:-[0-9])?{_END}"),
    _shape("npm", "npm_", rf"{_EDGE}npm_[A-Za-z0-9]{{30,}}"),
    _shape("PyPI", "pypi-", rf"{_EDGE}pypi-[A-Za-z0-9_-]{{50,}}"),
    _shape("SendGrid", "SG.", rf"{_EDGE}SG\.[A-Za-z0-9_-]{{16,}}\.[A-Za-z0-9_-]{{16,}}"),
    _shape("Telegram", ":AA", rf"{_EDGE}[0-9]{{8,12}}:AA[A-Za-z0-9_-]{{30,}}"),
    _shape("JWT", "eyJ", rf"{_EDGE}eyJ[A-Za-z0-9_-]{{8,}}\.eyJ[A-Za-z0-9_-]{{8,}}(?:\.[A-Za-z0-9_-]*)?"),
    # With its end, or as much as stands there: lines that no prose has.
    _shape(
        "private key",
        "PRIVATE KEY-----",
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----"
        r"(?:(?:(?!-----BEGIN)[\s\S])*?-----END [A-Z ]*PRIVATE KEY-----"
        r"|(?:(?:\s|\\{1,15}[nr])*[A-Za-z0-9+/=]{16,})+)",
    ),
    _shape(
        "authorization",
        "earer|EARER|asic|ASIC",
        rf"({_EDGE}(?i:bearer|basic)\s+)(?=[A-Za-z._~+/-]*[0-9=])[A-Za-z0-9._~+/-]{{12,}}=*",
    ),
)

_HEADERS = (
    r"authorization|proxy-authorization|x-authorization|x-api-key|api-key|x-goog-api-key|x-auth-token"
    r"|x-access-token|private-token|x-amz-security-token|ocp-apim-subscription-key|cookie|set-cookie"
)
# After any beginning of its own: OPENAI_API_KEY, openaiApiKey, x-api-key. Not page tokens or max_tokens.
_NAMES = (
    r"api[_-]?keys?|access[_-]?key(?:[_-]?id)?|secret[_-]?key|private[_-]?key|subscription[_-]?key"
    r"|account[_-]?key|signing[_-]?key|secret[_-]?access[_-]?key|client[_-]?secret|app[_-]?secret"
    r"|(?:access|refresh|auth|api|bearer|id|session|security|bot|hf|github|slack|personal)[_-]?token"
    r"|password|passwd|passphrase|secret|credentials?|authorization|bearer|cookie"
)
_NAME = (
    rf"(?:[A-Za-z0-9_.-]*[_.-])?(?:{_NAMES})"
    r"|[a-z0-9]+(?:(?:api|access|secret|private|auth)(?:key|token)|password|secret)"
)

NAMED = re.compile(
    rf"""(?P<quote>(?<!\\)\\*["'])(?:(?P<header>{_HEADERS})|(?:{_NAME})|(?P<weak>token))(?P=quote)
    (?:\s*(?::|=>)\s*|\s*,\s*(?P=quote)value(?P=quote)\s*:\s*|(?P<pair>\s*,\s*))
    b?(?P<open>(?P<slashes>\\*)(?P<mark>["']))""",
    re.IGNORECASE | re.VERBOSE,
)
"""A name that secrets have, quoted, and the quote that opens its value: `"api_key": "`, `\\"password\\":\\"`.

`weak`: a name that harmless things have too. `pair`: two members of a list, as raw headers are shown."""

HEADER_LINE = re.compile(
    rf"(?:{_EDGE})(?:"
    r"((?:proxy-|x-)?authorization[ \t]*[:=][ \t]*(?:[A-Za-z]+[ \t]+)?)(?=[^\s\"',;]*[0-9=])[^\s\"',;]{3,}"
    r"|((?:set-)?cookie[ \t]*:[ \t]*)[^\s=;,]+=[^\s;,\"']+(?:;[ \t]*[^\s=;,]+=[^\s;,\"']+)*"
    r"|((?:x-api-key|api-key|x-goog-api-key|x-auth-token|x-access-token|private-token"
    r"|x-amz-security-token|ocp-apim-subscription-key)[ \t]*:[ \t]*)[^\s\"',;]+)",
    re.IGNORECASE,
)
"""A header as a line shows it."""

HEADER_HINTS = ("authorization", "cookie", "-key", "-token")
"""One of them stands, in lower case, in whatever HEADER_LINE finds."""

ENDINGS = (
    *("key", "keys", "key_id", "key-id", "keyid", "token", "secret", "password", "passwd", "passphrase"),
    *("credential", "credentials", "authorization", "bearer", "cookie"),
)
"""What the names of secrets end in, in lower case."""

QUERY = re.compile(
    rf"([?&;](?:{_NAME}|key|token|sig|signature|x-amz-signature|x-amz-credential|auth|pwd)=)[^&#;\s\"'<>\\)\]}}]+",
    re.IGNORECASE,
)
"""A parameter of an address."""

ASSIGNED = re.compile(rf"({_EDGE}(?:{_NAME})=)[^&#;,\s\"'<>\\)\]}}]+", re.IGNORECASE)
"""A form's field, or a setting: `api_key=…`, with no space about it."""

PASSWORD_IN_URL = re.compile(
    r"(://(?:[^\s/@:?#\"']*:(?=[^\s/@?#\"']+@)|(?=[^\s/@:?#\"']{16,}@)))[^\s/@?#\"']+(?=@)"
)

_SECRET_NAME = re.compile(rf"(?:{_NAME}|{_HEADERS})", re.IGNORECASE)


def is_secret_name(name: str) -> bool:
    """Whether what stands under this name, a header's or a field's, is a secret whatever it looks like."""
    return _SECRET_NAME.fullmatch(name) is not None
