"""SARIF 2.1.0 as its specification has it: places, levels, rules once, prints that outlive moved lines."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench import __version__
from workbench.core.text import is_invisible
from workbench.report.sarif import Level, Rule, SarifRow, as_sarif, uri_of

RULES = (Rule("new-writer", "A writer that is new."), Rule("skipped", "Not read."))
# RFC 3986: the characters of a path that need no encoding.
PATH = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-F]{2})*\Z")


def log_of(*rows: SarifRow) -> Any:
    return json.loads(as_sarif(rows, RULES, category="workbench-lanes-writers", version=__version__))


def checked(log: Any) -> list[Any]:
    """The results of a log, after everything that the schema demands of what is written here."""
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert isinstance(driver["name"], str)
    assert driver["version"] == __version__
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(ids) == len(set(ids))
    assert all(rule["shortDescription"]["text"] for rule in driver["rules"])
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    for result in run["results"]:
        assert result["level"] in ("none", "note", "warning", "error")
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert isinstance(result["message"]["text"], str)
        for location in result.get("locations", ()):
            place = location["physicalLocation"]
            uri = place["artifactLocation"]["uri"]
            assert PATH.match(uri), uri
            base = place["artifactLocation"].get("uriBaseId")
            assert base in (None, *run["originalUriBaseIds"])
            assert (base is None) == uri.startswith("file:///")
            for number in place.get("region", {}).values():
                assert type(number) is int and number >= 1
        for print_ in result.get("partialFingerprints", {}).values():
            assert isinstance(print_, str)
    results: list[Any] = run["results"]
    return results


def test_a_row_is_a_result_with_its_place() -> None:
    row = SarifRow("new-writer", Level.ERROR, "it is new", "src/app.py", 12, 5, "abc")
    (result,) = checked(log_of(row))
    assert result == {
        "ruleId": "new-writer",
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": "it is new"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "src/app.py", "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": 12, "startColumn": 5},
                }
            }
        ],
        "partialFingerprints": {"workbench/v1": "abc:1"},
    }


def test_what_is_not_known_is_left_out() -> None:
    bare, in_file = checked(
        log_of(SarifRow("skipped", Level.NOTE, "m"), SarifRow("skipped", Level.NOTE, "m", "a.py"))
    )
    assert set(bare) == {"ruleId", "ruleIndex", "level", "message"}
    (location,) = in_file["locations"]
    assert set(location["physicalLocation"]) == {"artifactLocation"}


def test_equal_prints_are_numbered_so_that_each_is_one_of_its_kind() -> None:
    rows = [SarifRow("skipped", Level.NOTE, str(at), "a.py", at, None, "same") for at in (1, 2, 3)]
    prints = [result["partialFingerprints"]["workbench/v1"] for result in checked(log_of(*rows))]
    assert prints == ["same:1", "same:2", "same:3"]


def test_no_row_is_a_run_without_results() -> None:
    assert checked(log_of()) == []


def test_a_row_without_its_rule_and_a_rule_that_stands_twice_are_mistakes_of_ours() -> None:
    with pytest.raises(ValueError, match="no such rule: other"):
        log_of(SarifRow("other", Level.NOTE, "m"))
    with pytest.raises(ValueError, match="twice"):
        as_sarif((), (RULES[0], RULES[0]), category="c", version=__version__)


@pytest.mark.parametrize(
    ("file", "uri", "relative"),
    [
        ("src/app.py", "src/app.py", True),
        ("./src//app.py", "src/app.py", True),
        ('src/ä "b" 100%.ts', "src/%C3%A4%20%22b%22%20100%25.ts", True),
        ("a#b?c.py", "a%23b%3Fc.py", True),
        ("c:d/e:f.py", "c%3Ad/e:f.py", True),
        ("bad\udcff.py", "bad%FF.py", True),
        ("/tmp/a b.py", "file:///tmp/a%20b.py", False),
        ("C:\\work\\a.py", "file:///C:/work/a.py", False),
    ],
)
def test_paths_are_uris(file: str, uri: str, relative: bool) -> None:
    assert uri_of(file) == (uri, relative)


@given(st.text(min_size=1), st.text(), st.text(max_size=5))
def test_no_foreign_text_breaks_it(file: str, message: str, print_: str) -> None:
    text = as_sarif(
        [SarifRow("skipped", Level.WARNING, message, file, 1, 1, print_)],
        RULES,
        category="c",
        version=__version__,
    )
    assert text.isascii()
    (result,) = checked(json.loads(text))
    assert not any(is_invisible(char) for char in result["message"]["text"])


@given(st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="/\\:."), min_size=1))
def test_a_name_can_be_read_back_from_its_uri(name: str) -> None:
    uri, relative = uri_of(f"src/{name}")
    assert relative
    assert unquote_to_bytes(uri).decode() == f"src/{name}"
