"""A classifier as a router: too low is a pass, too close to the next one a hold, small talk never fires."""

import csv
from pathlib import Path

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

THRESHOLD = 0.3
GAP = 0.1
SMALL_TALK = "chat"


def trained():
    """The model, fitted to the utterances: the same one each time."""
    with Path(__file__).with_name("utterances.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression(C=10, max_iter=1000))
    return model.fit([row["utterance"] for row in rows], [row["route"] for row in rows])


MODEL = trained()


def route(text):
    """The best route, with every route's score against the threshold."""
    values = zip(MODEL.classes_, MODEL.predict_proba([text])[0], strict=True)
    ranked = sorted(((float(value), str(name)) for name, value in values), reverse=True)
    (best, name), (second, other) = ranked[:2]
    answer = {
        "outcome": "fire",
        "calls": [{"name": name}],
        "scanned": text,
        "scores": [{"route": one, "value": value, "threshold": THRESHOLD} for value, one in ranked],
    }
    if name == SMALL_TALK or best < THRESHOLD:
        answer.update(outcome="pass", calls=[])
    elif best - second < GAP:
        answer.update(outcome="hold", calls=[{"name": name}, {"name": other}], note=f"{name} or {other}")
    return answer
