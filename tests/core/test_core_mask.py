"""No secret comes through, in any spelling; ordinary words do."""

from __future__ import annotations

import base64
import html
import json
from dataclasses import dataclass
from time import process_time
from urllib.parse import quote, quote_plus, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.decision import Decision, Outcome, ToolCall
from workbench.core.mask import MASK, SHORTEST, Masker
from workbench.core.shapes import is_secret_name

# Put together here, so that no scanner of this repository takes them for keys.
LETTERS = "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA"
KEYS = {
    "OpenAI": "sk-" + "proj-" + LETTERS,
    "OpenAI, old": "sk-" + LETTERS,
    "Anthropic": "sk-" + "ant-api03-" + LETTERS + "_-" + LETTERS,
    "OpenRouter": "sk-" + "or-v1-" + "0123456789abcdef" * 4,
    "Google": "AI" + "za" + LETTERS + "_-x",
    "AWS": "AK" + "IA" + "ABCDEFGH23456789",
    "AWS, temporary": "AS" + "IA" + "ABCDEFGH23456789",
    "GitHub": "gh" + "p_" + LETTERS + "abcd",
    "GitHub, fine-grained": "github" + "_pat_" + LETTERS,
    "GitLab": "gl" + "pat-" + LETTERS[:20],
    "Slack": "xo" + "xb-1234567890-" + LETTERS,
    "Hugging Face": "h" + "f_" + LETTERS + "ab",
    "Groq": "gs" + "k_" + LETTERS * 2,
    "Stripe": "sk" + "_live_" + LETTERS,
    "JWT": "ey" + "JhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0In0." + LETTERS,
    "Telegram": "1234567890:" + "AA" + LETTERS + "x",
    "npm": "np" + "m_" + LETTERS + "abcd",
    "Stripe, webhook": "wh" + "sec_" + LETTERS,
    "Twilio": "S" + "K" + "0123456789abcdef" * 2,
    "Mailgun": "ke" + "y-" + "0123456789abcdef" * 2,
    "Discord": "MT" + LETTERS[:24] + "." + LETTERS[:6] + "." + LETTERS,
    "Shopify": "sh" + "pat_" + "0123456789abcdef" * 2,
    "Vault": "hv" + "s." + LETTERS,
    "Docker": "dckr" + "_pat_" + LETTERS[:27],
    "Fly": "fm" + "2_" + LETTERS + "/+" + LETTERS + "==",
    "Atlassian": "ATA" + "TT3" + LETTERS + "-_" + LETTERS + "=AB12",
    "Grafana": "gl" + "sa_" + LETTERS + "_0123abcd",
    "age": "AGE-SECRET" + "-KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L" * 2,
    "SendGrid": "S" + "G." + LETTERS[:22] + "." + LETTERS,
}
PEM = (
    "-----BEGIN RSA PRIVATE" + " KEY-----\n" + (LETTERS * 2 + "\n") * 3 + "-----END RSA PRIVATE" + " KEY-----"
)
by_shape = pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
masker = Masker()

PROSE = [
    "",
    "The password: ask Ana. Authorization: required for all. Cookie: one per child.",
    "A bearer of bad news; basic authentication-of-users comes later. Bearer tokens are described below.",
    "task-management-for-small-teams, sk-loading-indicator-of-the-page, risk-1234567890123456789",
    "max_tokens 128, prompt_tokens: 42, the secret garden, keynote=1",
    "what's on my calendar today? mail ana@example.org or see https://example.org/a?page=2&sort=date#x",
    '{"messages":[{"role":"user","content":"How many tokens?"}],"max_tokens":128,"n":{"prompt_tokens":7}}',
    '{"properties":{"password":{"type":"string"},"token":{"type":"string"}},"required":["password","token"]}',
    '{"logprobs":{"content":[{"token":"Hello","logprob":-0.1},{"token":" 42","logprob":-2}]}}',
    '{"nextPageToken":"abc","token":"of thanks, as they say"}',
    "low_pass=3, first_pass: done, the secret: tomorrow, Password: 12345, key-value pairs, fw_version 2",
    "AKIA is a prefix, AIza too, and hf_ and ghp_ and xoxb- and eyJ",
    "日程を見せて 🦀 \\ud83e \x00 [secret] <b>",
]


@pytest.mark.parametrize("text", PROSE)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert masker.text(text) == text


@by_shape
@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "key {}, says the server",
        '{{"error":"Incorrect API key: {}"}}',
        "line\\n{}\\nmore",
        "a%20{}",
        "'{}'",
    ],
)
def test_a_key_is_known_by_its_shape(key: str, around: str) -> None:
    text = around.format(key)
    assert masker.text(text) == around.format(MASK)


def test_a_private_key_is_masked_whole_and_in_a_body() -> None:
    assert masker.text(f"before\n{PEM}\nafter") == f"before\n{MASK}\nafter"
    assert masker.text(json.dumps({"x": f"a {PEM} b"})) == json.dumps({"x": f"a {MASK} b"})


def test_a_private_key_that_breaks_off_is_masked_as_far_as_it_stands() -> None:
    cut = PEM.partition("-----END")[0]
    assert masker.text(f"{cut}so much for that") == f"{MASK}\nso much for that"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Authorization: Bearer k-000", f"Authorization: Bearer {MASK}"),
        ("> x-api-key: anything", f"> x-api-key: {MASK}"),
        ("Cookie: sid=abc; theme=dark", f"Cookie: {MASK}"),
        ("{'authorization': 'Bearer k', 'accept': '*/*'}", f"{{'authorization': '{MASK}', 'accept': '*/*'}}"),
        ("<CIMultiDictProxy('X-Api-Key': 'k-000')>", f"<CIMultiDictProxy('X-Api-Key': '{MASK}')>"),
        ("(b'x-api-key', b'k-000')", f"(b'x-api-key', b'{MASK}')"),
        ('{"name":"authorization","value":"zzz"}', f'{{"name":"authorization","value":"{MASK}"}}'),
        ('{"api_key": "x", "n": 1}', f'{{"api_key": "{MASK}", "n": 1}}'),
        ('{"openaiApiKey":"x\\"y\\\\","n":"m"}', f'{{"openaiApiKey":"{MASK}","n":"m"}}'),
        (r'"{\"password\":\"a\\\"b\",\"n\":1}"', rf'"{{\"password\":\"{MASK}\",\"n\":1}}"'),
        ('{"token":"abcdef0123"}', f'{{"token":"{MASK}"}}'),
        ('{"password":"cut off here', f'{{"password":"{MASK}'),
        ("https://ana:pa55@example.org/x", f"https://ana:{MASK}@example.org/x"),
        ("POST /v1?key=abc&alt=sse 400", f"POST /v1?key={MASK}&alt=sse 400"),
        ("?a=1&X-Amz-Signature=0f0f#top", f"?a=1&X-Amz-Signature={MASK}#top"),
        ("OPENAI_API_KEY=abc python x.py", f"OPENAI_API_KEY={MASK} python x.py"),
        ("export DB_PASS=abc123 x", f"export DB_PASS={MASK} x"),
        ("db_password: s3cretWord\nport: 1", f"db_password: {MASK}\nport: 1"),
        ("client_secret: 'Ab12Cd34Ef'", f"client_secret: '{MASK}'"),
        ("user=ana&password=hunter2&go=1", f"user=ana&password={MASK}&go=1"),
    ],
)  # fmt: skip
def test_a_secret_is_known_by_the_name_it_stands_under(text: str, masked: str) -> None:
    assert masker.text(text) == masked
    assert masker.text(masked) == masked


def test_headers_are_masked_by_name_and_the_rest_by_shape() -> None:
    headers = {
        "Authorization": "Bearer x",
        "X-Goog-Api-Key": "y",
        "Accept": "*/*",
        "Note": KEYS["GitHub"],
        "Cookie": "",
    }
    assert masker.headers(headers) == {
        "Authorization": MASK,
        "X-Goog-Api-Key": MASK,
        "Accept": "*/*",
        "Note": MASK,
        "Cookie": "",
    }


@pytest.mark.parametrize(
    "name", ["api_key", "X-API-Key", "HF_TOKEN", "client_secret", "dbPassword", "Set-Cookie"]
)
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["max_tokens", "prompt_tokens", "key", "page_token", "content", "author", "tokens"]
)
def test_names_of_other_things(name: str) -> None:
    assert not is_secret_name(name)


class TestCases:
    def test_k5_26_no_key_of_a_header_or_a_message_stays(self) -> None:
        exchange = (
            '{"request":{"headers":{"authorization":"Bearer sk-test-000000000000","x-api-key":"k-000"},'
            '"body":{"messages":[{"role":"user","content":"my key is sk-test-111111111111"}]}}}'
        )
        masked = json.loads(masker.text(exchange))
        assert masked["request"]["headers"] == {"authorization": MASK, "x-api-key": MASK}
        assert masked["request"]["body"]["messages"][0]["content"] == f"my key is {MASK}"

    def test_k5_27_no_key_of_an_address_stays_in_an_error(self) -> None:
        error = "400 for url https://api.example/v1/m:generate?key=AIzaTEST000"
        assert masker.text(error) == f"400 for url https://api.example/v1/m:generate?key={MASK}"


SECRETS = st.text(
    st.sampled_from("abcXYZ019_-./+&=?\"'\\<>%{} \n\té日🦀"), min_size=SHORTEST, max_size=24
).filter(lambda value: value not in MASK and value.strip())
TEXTS = st.text(st.characters(codec="utf-8") | st.sampled_from("\"'\\[]{}:,= \nabcAB01"), max_size=60)


def in_json(value: str) -> str:
    return json.dumps({"content": f"it is {value}!"})


SPELLINGS = {
    "raw": str,
    "JSON": in_json,
    "JSON, not ASCII": lambda value: json.dumps([value], ensure_ascii=False),
    "JSON in JSON": lambda value: json.dumps({"arguments": in_json(value)}),
    "three deep": lambda value: json.dumps(json.dumps(in_json(value))),
    "percent": lambda value: quote(value, safe=""),
    "address": lambda value: "https://h/p?" + urlencode({"q": value, "z": "1"}),
    "plus": quote_plus,
    "HTML": html.escape,
}


class TestKnownValues:
    @pytest.mark.parametrize("spell", SPELLINGS.values(), ids=SPELLINGS)
    @settings(deadline=None, max_examples=60)
    @given(SECRETS, TEXTS, TEXTS)
    def test_no_spelling_of_a_value_comes_through(self, spell, secret: str, left: str, right: str) -> None:  # type: ignore[no-untyped-def]
        spelled = spell(secret)
        masked = Masker([secret]).text(f"{left} {spelled} {right}")
        assert secret not in masked
        assert spelled not in masked
        assert MASK in masked

    @settings(deadline=None)
    @given(SECRETS, st.binary(max_size=5), st.binary(max_size=5))
    def test_base64_holds_none_wherever_the_value_begins_in_it(
        self, secret: str, left: bytes, right: bytes
    ) -> None:
        raw = secret.encode()
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            coded = encode(left + raw + right).decode()
            masked = Masker([secret]).text(f'"Basic {coded}"')
            assert MASK in masked
            assert len(masked) < len(coded) + 2 * len(MASK)
            longest = max(masked.replace(MASK, " ").replace('"', " ").split(), key=len)
            assert longest == "Basic" or len(longest) <= len(encode(left + right)) + 4

    @settings(deadline=None, max_examples=300)
    @given(
        st.lists(SECRETS, max_size=3),
        st.lists(SECRETS | TEXTS | st.sampled_from(list(KEYS.values())), max_size=6),
    )
    def test_masking_twice_is_masking_once_and_leaves_none(
        self, secrets: list[str], parts: list[str]
    ) -> None:
        found = Masker(secrets)
        masked = found.text("".join(parts))
        assert found.text(masked) == masked
        assert not any(secret in masked for secret in secrets)

    @settings(deadline=None)
    @given(st.text(st.sampled_from("abc defg.\nHIJ,'é日"), max_size=200))
    def test_text_without_secrets_stays_as_it_is(self, text: str) -> None:
        assert Masker(["zzzzzzzzzzzz", 'q"q\\q qqqq']).text(text) == text

    def test_json_stays_json(self) -> None:
        secret = 'pass"word\\é/1'
        body = json.dumps({"messages": [{"content": f"x {secret} y"}], "n": [1, None, {"k": secret}]})
        assert json.loads(Masker([secret]).text(body)) == {
            "messages": [{"content": f"x {MASK} y"}],
            "n": [1, None, {"k": MASK}],
        }

    def test_a_value_that_holds_another_is_masked_whole(self) -> None:
        assert Masker(["longsecret", "longsecret-and-more"]).text("longsecret-and-more") == MASK

    def test_a_short_value_is_not_looked_for(self) -> None:
        assert Masker(["local", "none", ""]).text("a local model, none other") == "a local model, none other"


@dataclass(frozen=True, slots=True)
class Kept:
    text: str
    more: tuple[Decision, ...] = ()


def test_deep_masks_every_text_and_makes_anew_only_what_changed() -> None:
    secret = "correct-horse"
    clean = Decision(Outcome.PASS)
    call = ToolCall("send", {"to": f"{secret}@x", "password": "abc", "n": 3, "list": [secret]})
    kept = Kept(f"a {secret}", (clean, Decision(Outcome.FIRE, (call,))))
    masked = Masker([secret]).deep(kept)
    assert masked.text == f"a {MASK}"
    assert masked.more[0] is clean
    assert masked.more[1].calls[0].arguments == {"to": f"{MASK}@x", "password": MASK, "n": 3, "list": [MASK]}
    assert Masker([secret]).deep(masked) == masked


@pytest.mark.parametrize(
    "text",
    [
        "\\" * 20_000 + '"key"',
        '"' * 20_000,
        '"a_b.c-d":' * 4_000 + '"',
        "api_key=" * 4_000,
        "a_" * 10_000 + "key=?",
        "://" * 8_000 + "@",
        "-----BEGIN PRIVATE" + " KEY-----" + "\n\\n" * 10_000,
        "authorization:" + " " * 20_000 + "x=",
        "ey" + "JaaaaaaaaA." * 3_000,
        "?" + "a.b-" * 8_000 + "=",
    ],
    ids=["slashes", "quotes", "names", "fields", "name", "urls", "pem", "spaces", "jwt", "query"],
)
def test_no_text_takes_long(text: str) -> None:
    masker = Masker(['"pass w\\rd&é'])
    start = process_time()
    masker.text(text)
    assert process_time() - start < 2.0
