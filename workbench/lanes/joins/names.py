"""Whose words a value holds, told by what it is called and by the call that it comes from."""

from __future__ import annotations

import re
from enum import Enum
from itertools import pairwise

from workbench.lanes.joins.wordlist import word_set

__all__ = [
    "Kind",
    "carries",
    "joins_by_name",
    "keeps_text",
    "kind_of_call",
    "kind_of_field",
    "kind_of_local",
    "kind_of_name",
    "reads",
    "recovers",
    "words",
]


class Kind(Enum):
    USER = "user"
    FOREIGN = "foreign"
    NEITHER = "neither"


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")


def words(name: str) -> tuple[str, ...]:
    """`replyToMessage`, `reply_to_message` and `ReplyToMessage` are the same words."""
    return tuple(word.lower() for word in _WORD.findall(name))


# What other people wrote: by one word of a name.
_FOREIGN = word_set(
    """
    attachment attachments attached doc docs document documents retrieved retrieval chunk chunks
    passage passages snippet snippets excerpt excerpts quoted quote quotes upload uploads uploaded
    pdf pdfs webpage webpages article articles transcript transcripts ocr scraped crawled forwarded
    grounded citation citations memories knowledge evidence footnotes excerpted ragged kb caption captions
    """
)
_FOREIGN_WHOLE = word_set(
    """
    context contexts ctx_text page pages file files sources source_text html reply_to replied_to
    reference references background memory facts material corpus replied excerpt readme website
    site_text rag envelope
    """
)
_FOREIGN_PAIRS = (
    ("reply", "to"),
    ("replied", "to"),
    ("replied", "message"),
    ("parent", "message"),
    ("parent", "text"),
    ("original", "email"),
    ("previous", "message"),
    ("referenced", "message"),
    ("reply", "message"),
    ("thread", "starter"),
    ("history", "text"),
)
_CONTEXT_OF = word_set(
    """
    file page web url site image images photo vision audio video voice media post reply thread channel email
    search rag kb repo code workspace vault background extra additional injected prepend prepended appended
    hook plugin conversation recent history prior relevant external reference
    """
)
_SEEN = word_set("image images photo picture screenshot vision audio video voice media ocr")
_TOLD = word_set("description descriptions analysis analyses summary summaries text texts result results")
_RESULT_OF = word_set(
    """
    search tool tools web vector rag retrieval retriever browser crawl fetch scrape mcp kb lookup
    """
)
_RESULT = word_set("result results output outputs hits response content text page pages")
_TEXT_OF = word_set(
    """
    page file files source sources url link context body email web site thread
    """
)
_TEXT = word_set(
    """
    text texts content contents body bodies block blocks section part parts str string data html md
    """
)
# What is about a text and is not the text.
_META = word_set(
    """
    id ids count counts number num name names path paths len length size sizes type types index idx
    limit max min score scores key keys date time budget tokens ttl total offset mime extension ext
    loader loaders store stores splitter retriever retrievers parser service client manager handler
    handlers factory config settings options enabled flag url urls uri link links status error
    errors version title_case dir folder directory window class cls schema model models field fields
    counter timeout separator sep delimiter template tag tags prefix suffix marker label labels role
    hash vector vectors embedding embeddings manager builder provider providers var token interface
    kind state engine
    """
)

# What the user wrote in this turn.
_USER = word_set(
    """
    message msg text query question prompt input utterance typed incoming user_text q said words
    user_words human_input inquiry request_text raw_text raw_message message_text msg_text
    original_message original_text chat_message userinput usertext usermessage userquery user_said
    typed_text body_text new_message incoming_message incoming_text latest_message last_message
    last_user_message content_text current_message current_query raw_query raw_input original_query
    raw_body command_body body_stripped body_for_agent body_for_commands message_body comment_text
    comment_body original_input search_query user_content command_text spoken speech carrier instruction
    """
)
_USER_LOCAL = word_set(
    """
    message msg query question utterance typed user_text user_words human_input raw_text raw_message
    message_text msg_text original_message chat_message userinput usertext usermessage userquery
    typed_text new_message incoming_message incoming_text last_user_message text prompt
    """
)
_PERSON = word_set("user users human customer visitor caller guest client's person typed")
_SAID = word_set(
    """
    text message msg input query prompt question utterance words content turn request says typed
    said
    """
)
_NOT_USER = word_set(
    """
    system assistant bot ai error err log reply response answer output welcome status commit success
    warning debug info default help fallback template greeting header footer final result formatted
    sql db model tool base prefix suffix label alt title placeholder developer instructions
    notification toast exception validation async batch graphql summary
    """
)
_HOLDERS = word_set(
    """
    event update ctx context msg message req request body payload data activity interaction turn
    state this self form args params json inputs options opts query values props command cmd
    envelope incoming channel_post item job task chat
    """
)
_ANSWERS = word_set(
    """
    response resp res completion completions result results answer answers output outputs llm model
    choice choices generation generated reply
    """
)


def kind_of_name(name: str) -> Kind:
    """What a parameter is called, or a name that nothing in reach defines."""
    parts = words(name)
    if not parts or parts[-1] in _META or (parts[0] in ("is", "has", "on", "no", "num", "use", "should")):
        return Kind.NEITHER
    if len(parts) == 2 and parts[0] in _PERSON and parts[1] == "caption":
        return Kind.USER
    if _foreign(parts):
        return Kind.FOREIGN
    if any(part in _NOT_USER for part in parts):
        return Kind.NEITHER
    whole = "_".join(parts)
    if whole in _USER or whole.replace("_", "") in _USER:
        return Kind.USER
    if any(part in _PERSON for part in parts[:-1]) and parts[-1] in _SAID:
        return Kind.USER
    if len(parts) == 2 and parts[0] in (
        "raw",
        "original",
        "current",
        "incoming",
        "new",
        "chat",
        "latest",
        "last",
    ):
        return Kind.USER if parts[1] in _SAID else Kind.NEITHER
    return Kind.NEITHER


def _foreign(parts: tuple[str, ...]) -> bool:
    whole = "_".join(parts)
    if whole in _FOREIGN_WHOLE or any(part in _FOREIGN for part in parts):
        return True
    pairs = list(pairwise(parts))
    if any(pair in _FOREIGN_PAIRS for pair in pairs):
        return True
    return any(
        (first in _RESULT_OF and second in _RESULT)
        or (first in _TEXT_OF and second in _TEXT)
        or (first in _CONTEXT_OF and second in ("context", "contexts"))
        or (first in _SEEN and second in _TOLD)
        for first, second in pairs
    )


def kind_of_local(name: str, origin: str) -> Kind:
    """What a variable is called whose value, written `origin`, nothing else is known of."""
    kind = kind_of_name(name)
    if kind is not Kind.USER:
        return kind
    if set(words(origin.split("(")[0])) & _ANSWERS or set(words(origin)) & {"completion", "completions"}:
        return Kind.NEITHER
    parts = words(name)
    strong = "_".join(parts) in _USER_LOCAL or any(part in _PERSON for part in parts)
    return Kind.USER if strong else Kind.NEITHER


def kind_of_field(base: str, name: str) -> Kind:
    """What `base.name` holds, where nothing is known of the base but how it is written."""
    kind = kind_of_name(name)
    if kind is Kind.FOREIGN:
        return kind
    last = words(base.split(".")[-1].split("[")[0].split("(")[0])
    if set(last) & _ANSWERS and "_".join(last) not in ("response_url",):
        return Kind.NEITHER
    if kind is Kind.USER:
        weak = name in ("text", "content", "prompt", "input", "query", "body", "q", "words", "instruction")
        return Kind.USER if not weak or bool(set(last) & _HOLDERS) else Kind.NEITHER
    return Kind.NEITHER


def carries(name: str) -> bool:
    """Whether a property of a text's holder is still its text, and not a fact about it."""
    parts = words(name)
    if not parts or parts[-1] in _META:
        return False
    return not set(parts) & word_set(
        """
    author user from chat channel sender created timestamp ts id guild thread
    """
    )


# Calls, by the last part of the name of what is called.

_READS = word_set(
    """
    open read read_text readfile readfilesync read_file read_bytes fetch urlopen retrieve
    similarity_search get_relevant_documents aget_relevant_documents getrelevantdocuments
    similaritysearch download scrape crawl extract_text extracttext recall search_web web_search
    websearch
    """
)
_READ_VERBS = word_set("retrieve fetch download scrape crawl ocr recall lookup transcribe describe")
_SEARCHED = word_set(
    """
    index retriever vectorstore vector store collection kb knowledge rag search searcher docs
    documents memory retrieval tavily web browser qdrant pinecone chroma weaviate engine
    """
)
_JOIN_VERBS = word_set(
    """
    expand inline inject fold attach append augment enrich merge combine join compose build wrap
    prepend embed include format render make prepare assemble contextualize contextualise with add
    stuff frame envelop decorate concat concatenate
    """
)
_RESOLVE_VERBS = word_set("resolve extract parse split process handle strip separate take detect")
_RECOVER = word_set(
    """
    strip extract unwrap remove only original typed without bare inside get user split drop find
    match first parse clean_envelope undo peel
    """
)
_SAME_TEXT = word_set(
    """
    strip lstrip rstrip lower upper title casefold capitalize trim trimstart trimend tolowercase
    touppercase tolocalelowercase replace replaceall slice substring substr encode decode normalize
    normalise tostring valueof splitlines expandtabs translate concat padstart padend zfill copy
    removeprefix removesuffix string str clean sanitize sanitise preprocess truncate shorten escape
    unescape html dedent redact mask stringify dumps deepcopy list tuple set sorted reversed resolve
    shield cast repr ensure coerce limit cap cut ellipsize fix correct utf8 bytes text prepare head
    tail at filter flat tolist values join identity freeze memo quote indent fill
    """
)


_GETS = word_set(
    """
    get load read build make render format resolve collect list to as extract find search query summarize
    gather create parse
    """
)


def kind_of_call(callee: str) -> Kind:
    """Whose words a call gives back that cannot be followed. `callee` is how it is written."""
    last = callee.split(".")[-1]
    parts = words(last)
    if not parts:
        return Kind.NEITHER
    if reads(callee):
        return Kind.FOREIGN
    if last[:1].isupper():
        return Kind.NEITHER
    verb = parts[0] in _GETS
    named = _foreign(parts[1:]) if verb and len(parts) > 1 else _foreign(parts)
    return Kind.FOREIGN if named and parts[-1] not in _META else Kind.NEITHER


def reads(callee: str) -> bool:
    """Whether the call gets text from a file, a page, an index or a memory."""
    path = callee.split(".")
    last = path[-1]
    parts = words(last)
    if last.lower() in _READS or "_".join(parts) in _READS or (parts and parts[0] in _READ_VERBS):
        return True
    base = set(words(path[-2])) if len(path) > 1 else set()
    if last in ("search", "query", "invoke", "ainvoke", "get", "run", "asearch", "retrieve", "load"):
        return bool(base & _SEARCHED) or any("loader" in word or "retriever" in word for word in base)
    return bool(parts) and parts[0] == "search" and len(parts) > 1 and parts[-1] not in _META


def joins_by_name(callee: str) -> bool:
    """Whether the name of a call that cannot be followed says that it puts texts together."""
    parts = words(callee.split(".")[-1])
    return bool(parts) and (parts[0] in _JOIN_VERBS or "with" in parts)


def resolves(callee: str) -> bool:
    """Whether the name says that it takes a message apart into words and documents."""
    parts = words(callee.split(".")[-1])
    return bool(parts) and parts[0] in _RESOLVE_VERBS and parts[-1] != "context" and _foreign(parts)


def recovers(callee: str) -> bool:
    """Whether the name says that it gets the user's own words out of a text."""
    parts = words(callee.split(".")[-1])
    return len(parts) > 1 and parts[0] in _RECOVER


def keeps_text(callee: str) -> bool:
    """Whether the call gives back the text that it was given, if in other spelling."""
    last = callee.split(".")[-1]
    parts = words(last)
    return last.lower() in _SAME_TEXT or (bool(parts) and parts[0] in _SAME_TEXT)


__all__ += ["resolves"]
