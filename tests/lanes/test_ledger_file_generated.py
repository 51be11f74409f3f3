"""5,000 bodies over five providers: owned + dark = sent, counted a second time as the bodies are made."""

from __future__ import annotations

import json
from typing import Any

import pytest
from ledger_bodies import Made, Maker

from workbench.ledger import Account, Claim, account, readable

PROVIDERS = ("openai-chat", "openai-responses", "anthropic", "gemini", "ollama-chat", "ollama-generate")
EACH = 850


def bodies(provider: str) -> list[Made]:
    maker = Maker(PROVIDERS.index(provider))
    return [maker.make(provider) for _ in range(EACH)]


def claims_of(made: Made, number: int) -> list[Claim]:
    """Every text with an owner: by itself, by its place, or cut in two lanes by place. In no order."""
    claims, at = [], 0
    for count, text in enumerate(made.texts):
        lane, end = f"lane_{count % 7}", at + len(text)
        match (count + number) % 4:
            case 0:
                claims.append(Claim(lane, text, start=at))
            case 1 if len(text) > 1:
                half = at + len(text) // 2
                claims += [
                    Claim(lane, chars=half - at, start=at),
                    Claim("half", chars=end - half, start=half),
                ]
            case _:
                claims.append(Claim(lane, text))
        at = end
    return sorted(claims, key=lambda claim: (hash((claim.size, number)), claim.lane))


def settled(made: Made, claims: list[Claim]) -> Account:
    """Through JSON, as the body goes over the wire."""
    result = account(readable(json.loads(json.dumps(made.body))), claims)
    size = sum(map(len, made.texts))
    assert (result.sent, result.owned + result.dark) == (size, size)
    assert sum(row.chars for row in result.lanes) == result.owned
    assert "".join(result.body.text[s.start : s.end] for s in result.spans) == "".join(made.texts)
    return result


@pytest.mark.parametrize("provider", PROVIDERS)
def test_every_text_is_found_and_nothing_else(provider: str) -> None:
    texts = 0
    for made in bodies(provider):
        sent = readable(json.loads(json.dumps(made.body)))
        assert [piece.text for piece in sent.pieces] == made.texts, made.body
        assert (sent.images, sent.format) == (made.images, made.format), made.body
        assert len({piece.path for piece in sent.pieces}) == len(sent.pieces)
        texts += len(sent.pieces)
    assert texts > 3 * EACH


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_sum_is_exact_and_three_faults_are_found(provider: str) -> None:
    found = {"dark": 0, "ghost": 0, "double": 0}
    for number, made in enumerate(bodies(provider)):
        claims = claims_of(made, number)
        clean = settled(made, claims)
        assert (clean.dark, clean.double, clean.missing) == (0, 0, 0), made.body
        assert clean.owned == clean.sent

        late = "☂" * (1 + number % 50)
        texts = [Claim("all", text) for text in made.texts]
        appended = settled(_appended(made, late), texts)
        assert (appended.dark, appended.double, appended.missing) == (len(late), 0, 0)
        assert [span.end - span.start for span in appended.dark_spans] == [len(late)]
        found["dark"] += 1

        ghost = settled(made, [*claims, Claim("ghost", "☃" * (1 + number % 50))])
        assert {row.name: row.missing for row in ghost.lanes if row.missing} == {"ghost": 1 + number % 50}
        found["ghost"] += 1

        whole = [text for text in made.texts if len(text) > 1]
        if whole:
            text = whole[number % len(whole)]
            twice = settled(made, [*claims, Claim("again", text)])
            assert (twice.double, twice.missing, twice.dark) == (len(text), 0, 0), (text, made.body)
            assert {each.other for each in twice.doubles} == {"again"}
            found["double"] += 1
    assert min(found.values()) > EACH * 0.9, found


def _appended(made: Made, late: str) -> Made:
    """The same body, with words added to it after the assembler."""
    body: dict[str, Any] = json.loads(json.dumps(made.body))
    if "contents" in body:
        body["contents"].append({"role": "user", "parts": [{"text": late}]})
    elif "messages" in body:
        body["messages"].append({"role": "user", "content": late})
    elif isinstance(body.get("input"), list):
        body["input"].append({"role": "user", "content": late})
    elif "input" in body:
        body["input"] += late
    else:
        body["prompt"] += late
    texts = [piece.text for piece in readable(body).pieces]
    return Made(body, texts, made.images, made.format)
