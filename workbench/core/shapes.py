"""What secrets look like: keys by their vendor's shape, and the names that secrets are kept under."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = [
    "ASSIGNED",
    "HEADER_LINE",
    "LABELLED",
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


_PREFIXES = (
    *(
        "whsec_",
        "shpat_",
        "shpca_",
        "shppa_",
        "shpss_",
        "dop_v1_",
        "doo_v1_",
        "dor_v1_",
        "hvs.",
        "hvb.",
        "hvr.",
    ),
    *("lin_api_", "lin_oauth_", "ntn_", "fm1_", "fm2_", "fo1_", "dckr_pat_", "dckr_oat_", "dp.pt.", "dp.st."),
    *(
        "dp.sa.",
        "glsa_",
        "glc_",
        "NRAK-",
        "NRII-",
        "ATATT3",
        "ATCTT3",
        "pscale_",
        "sbp_",
        "sb_secret_",
        "lsv2_",
    ),
    *(
        "tvly-",
        "e2b_",
        "pcsk_",
        "tgp_v1_",
        "csk-",
        "nvapi-",
        "figd_",
        "PMAK-",
        "sntrys_",
        "sntryu_",
        "sq0csp-",
    ),
    *(
        "rubygems_",
        "CCIPAT_",
        "bkua_",
        "tskey-",
        "rnd_",
        "phx_",
        "phc_",
        "pul-",
        "EAAA",
        "fw_",
        "jina_",
        "sgp_",
    ),
)
"""What other vendors' keys begin with."""
_REST = r"(?=[A-Za-z0-9_.+/=-]*[0-9])[A-Za-z0-9_.+/=-]{19,}[A-Za-z0-9_=-]"

SHAPES = (
    # OpenAI, Anthropic, OpenRouter, DeepSeek. A digit: names such as sk-loading-indicator are no keys.
    _shape("sk", "sk-", rf"{_EDGE}sk-(?=[A-Za-z0-9_-]*[0-9])[A-Za-z0-9_-]{{16,}}"),
    _shape("Stripe", "k_live_|k_test_", rf"{_EDGE}[rsp]k_(?:live|test)_[A-Za-z0-9]{{16,}}"),
    _shape("Google", "AIza", rf"{_EDGE}AIza[A-Za-z0-9_-]{{30,}}"),
    _shape("Google OAuth", "ya29.|GOCSPX-", rf"{_EDGE}(?:ya29\.|GOCSPX-)[A-Za-z0-9_-]{{20,}}"),
    _shape("AWS", "AKIA|ASIA|ABIA|ACCA", rf"{_EDGE}(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{{16}}{_END}"),
    _shape("GitHub", "ghp_|gho_|ghu_|ghs_|ghr_", rf"{_EDGE}gh[pousr]_[A-Za-z0-9]{{30,}}"),
    _shape("GitHub, fine-grained", "github_pat_", rf"{_EDGE}github_pat_[A-Za-z0-9_]{{22,}}"),
    _shape(
        "GitLab",
        "glpat-|gldt-|glrt-|glcbt-|glptt-|glft-|glsoat-|glagent-",
        rf"{_EDGE}gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[A-Za-z0-9_-]{{20,}}",
    ),
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
    _shape(
        "Discord",
        "MD|MT|Mj|Mz|ND|NT|Nj|Nz|OD|OT",
        rf"{_EDGE}[MNO][DTjz][A-Za-z0-9_-]{{22,26}}\.[A-Za-z0-9_-]{{6}}\.[A-Za-z0-9_-]{{27,38}}{_END}",
    ),
    _shape("Twilio", "SK", rf"{_EDGE}SK[0-9a-f]{{32}}{_END}"),
    _shape("Mailgun", "key-", rf"{_EDGE}key-[0-9a-f]{{32}}{_END}"),
    _shape("age", "AGE-SECRET-KEY-", rf"{_EDGE}AGE-SECRET-KEY-1[A-Z0-9]{{50,}}"),
    _shape("others", "|".join(_PREFIXES), rf"{_EDGE}(?:{'|'.join(map(re.escape, _PREFIXES))}){_REST}"),
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
    *("credential", "credentials", "authorization", "bearer", "cookie", "pass", "pwd"),
)
"""What the names of secrets end in, in lower case."""

QUERY = re.compile(
    rf"([?&;](?:{_NAME}|key|token|sig|signature|x-amz-signature|x-amz-credential|auth|pwd)=)[^&#;\s\"'<>\\)\]}}]+",
    re.IGNORECASE,
)
"""A parameter of an address."""

# Also as a shell's variables are written: what is called low_pass elsewhere is none.
ASSIGNED = re.compile(
    rf"({_EDGE}(?:{_NAME}|(?-i:[A-Z0-9_]+_(?:PASS|PWD)))=)[^&#;,\s\"'<>\\)\]}}]+", re.IGNORECASE
)
"""A form's field, or a setting: `api_key=…`, with no space about it."""

_VALUE = r"[^\s\"',;<>]"
LABELLED = re.compile(
    rf"((?<![A-Za-z0-9_.-])([A-Za-z0-9_.-]++)[\"']?:[ \t]+[\"']?)"
    rf"(?={_VALUE}*[0-9])(?={_VALUE}*[A-Za-z]){_VALUE}{{8,}}"
)
"""A setting in YAML, or in a note: `db_password: …`; whether group 2 is the name of a secret is to be asked.

What has no digit may be a word of a sentence."""

PASSWORD_IN_URL = re.compile(
    r"(://(?:[^\s/@:?#\"']*:(?=[^\s/@?#\"']+@)|(?=[^\s/@:?#\"']{16,}@)))[^\s/@?#\"']+(?=@)"
)

_SECRET_NAME = re.compile(rf"(?:{_NAME}|{_HEADERS})", re.IGNORECASE)


def is_secret_name(name: str) -> bool:
    """Whether what stands under this name, a header's or a field's, is a secret whatever it looks like."""
    return _SECRET_NAME.fullmatch(name) is not None
