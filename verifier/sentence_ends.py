"""Where a sentence ends within a line: at a stop or an emoji that more words follow.

A full stop may belong to a shortened word, an initial or a number; `grammars/splitting.<language>.yaml` says which
words are shortened, and what follows them decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from verifier import data
from verifier.lines import CHECKS, SPACES

MAX_TITLE_WORDS = 8  # longer lines before a list are statements
MAX_WORD = 16  # a longer word is no abbreviation
_KEYS = ("settings", "abbreviations", "goes_on", "starters", "statement_words", "examples")
_CLASSES = ("never", "before_number", "before_name", "before_capital")

# Arrows are none: "Chicago → Seattle" is one sentence.
_EMOJI = "\u203c\u2049\u2139\u231a-\u23ff\u2600-\u2793\u2b1b-\u2b55\U0001f000-\U0001faff"
_JOINS = "\ufe0f\u200d\u20e3"
_CLOSERS = "*_\"'”’»)\\]`~"
_GAP = f"[{SPACES}\r\n]"
_STOPS = ".!?…‼⁉。！？"
# A run of stops or emoji with marks that close, then a gap. One set first, so that the search skips quickly.
_STOP = re.compile(rf"[{_STOPS}{_EMOJI}][{_STOPS}{_EMOJI}{_JOINS}{_CLOSERS}]{{0,24}}(?={_GAP}|$)")
_ASCII_STOP = re.compile(r"[.!?][.!?*_\"')\]`~]{0,24}(?=[ \t\r\n\x0b\x0c\x1c-\x1f]|$)")
_NEXT = re.compile(rf"{_GAP}{{0,80}}")
_OPENERS = re.compile(r"[*_\"'“‘(\[¿¡`~«]{0,8}")
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['’]){0,40}")
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_IS_EMOJI = re.compile(f"[{_EMOJI}]")
_LAST = re.compile(r"[\w.ºª]{1,24}$")
_BEFORE_NUMBER = ("", " ", "\n", "*", "_", "(")
_INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_]){1,4}")


@dataclass(frozen=True, slots=True)
class Splitting:
    """What one language adds: `abbreviations` maps a shortened word to its class, the rest are sets of words."""

    abbreviations: dict[str, str]
    goes_on: frozenset[str]
    starters: frozenset[str]
    statement_words: frozenset[str]


@cache
def load_splitting(language: str) -> Splitting:
    """The abbreviations and starting words of a language. Raises `DataError` where there is no such file."""
    name = {"pt": "pt-BR"}.get(language, language)
    path = data.folder("grammars") / f"splitting.{name}.yaml"
    if not path.is_file():
        raise data.DataError(f"no sentence data for the language '{language}'; there are: en, pt-BR")
    problems = data.Problems()
    node = data.load(path)
    data.refuse_unknown_keys(node, _KEYS, problems)
    classes = data.expect_map(node.get("abbreviations"), "abbreviations", problems, node)
    data.refuse_unknown_keys(classes, _CLASSES, problems)
    abbreviations = {
        str(word): kind
        for kind in reversed(_CLASSES)
        for word in data.expect_texts(classes.get(kind), kind, problems, classes)
    }
    words = [
        frozenset(map(str, data.expect_texts(node.get(key), key, problems, node)))
        for key in ("goes_on", "starters", "statement_words")
    ]
    problems.check()
    return Splitting(abbreviations, *words)


def is_title(text: str, rules: Splitting) -> bool:
    """Whether a text is a title by its words: few, and none that makes a statement ("Refund summary", "Next:")."""
    words = _WORD.findall(text[:200].lower().replace("’", "'"))
    return 0 < len(words) <= MAX_TITLE_WORDS and rules.statement_words.isdisjoint(words)


def has_stop(text: str) -> bool:
    """Whether something in a text could end a sentence."""
    return _STOP.search(text) is not None


def cuts_in(reply: str, body: int, stop: int, rules: Splitting) -> list[tuple[int, int]]:
    """Where sentences end between `body` and `stop` (the last one left out), and where the next words start."""
    cuts: list[tuple[int, int]] = []
    start = body
    for found in (_ASCII_STOP if reply.isascii() else _STOP).finditer(reply, body, stop):
        end = found.end()
        following = end + 1
        if following >= stop:
            break
        if not reply[following].isalnum():
            gap = _NEXT.match(reply, end, stop)
            following = gap.end() if gap else end
            if following >= stop:
                break
        if _plainly_ends(reply, found[0], start, end - 1, following, rules):
            cuts.append((end, following))
            start = following
            continue
        at = _ends_at(reply, found, start, following, rules)
        if at > start:
            start = following if at == end else at
            cuts.append((at, start))
    return cuts


def _plainly_ends(reply: str, run: str, start: int, at: int, following: int, rules: Splitting) -> bool:
    """The usual case, quickly: one stop after a plain word, a capital after it."""
    if not reply[following].isupper():
        return False
    if run != ".":
        return run in ("!", "?")
    first = max(start, at - MAX_WORD)
    word = reply[max(first, reply.rfind(" ", first, at) + 1) : at]
    if word.isalpha():
        return len(word) > 1 and word.lower() not in rules.abbreviations
    return len(word) > 2 and word.isalnum()  # 9901, W123; "1." and "12." may count


def _ends_at(reply: str, found: re.Match[str], start: int, following: int, rules: Splitting) -> int:
    """The end of the sentence at a stop, or -1. `following` is where the next words start."""
    stop, at = reply[found.start()], found.start()
    if stop not in _STOPS:
        return _emoji_ends(reply, found, start, following)
    if _IS_EMOJI.match(reply, following) and not _starts_with_check(reply, start):
        return -1  # "Done! 🎉 Your order": the emoji ends it
    after = _OPENERS.match(reply, following)
    following = after.end() if after else following
    head = reply[following : following + 1]
    run = found[0]
    if run[0] == "." and run[1:2] not in (".", "!", "?"):
        return -1 if _is_abbreviated(reply, start, at, following, rules) or _quoted(run, head) else found.end()
    if head.islower() and (stop in ".…" or _quoted(run, head)):
        return -1
    return found.end()


def _quoted(run: str, head: str) -> bool:
    """Whether a stop inside a quotation or bracket goes on outside: `"Stop." and`."""
    return head.islower() and run[-1] in "\"'”’»)]`"


def _starts_with_check(reply: str, start: int) -> bool:
    return reply[start] in CHECKS


def _emoji_ends(reply: str, found: re.Match[str], start: int, following: int) -> int:
    """An emoji ends a sentence before a capital or after a stop; check marks at the head of each start one."""
    at = found.start()
    if not _LETTER_OR_DIGIT.search(reply, start, at):
        return -1
    before = reply[max(start, at - 80) : at].rstrip(SPACES + "\r\n")
    if found[0][0] in CHECKS and _starts_with_check(reply, start):
        return at
    stopped = before.rstrip("*_\"'”’)")[-1:] in ".!?…"
    after = _OPENERS.match(reply, following)
    head = reply[after.end() : after.end() + 1] if after else ""
    if stopped or ((head.isupper() or head.isdigit()) and before[-1:] not in ":,;–—-|("):
        return found.end()
    return -1


def _is_abbreviated(reply: str, start: int, at: int, following: int, rules: Splitting) -> bool:
    """Whether the full stop at `at` belongs to a shortened word, an initial or the number of an item."""
    last = _LAST.search(reply, max(start, at - MAX_WORD), at)
    word = last[0] if last else ""
    head = reply[following : following + 1]
    if word.isdigit() and reply[at - len(word) - 1 : at - len(word)] in _BEFORE_NUMBER:
        # "Options: 1. Cancel it. 2. Keep it."
        before = reply[max(start, at - 30) : at - len(word)].rstrip(SPACES + "*_(")
        return len(word) <= 2 and (not before or before[-1] in ":,;")
    kind = rules.abbreviations.get(word.lower())
    if kind == "never":
        return True
    if kind == "before_number" and (head.isdigit() or reply.startswith(("#", "$", "R$"), following)):
        return True
    if (len(word) == 1 and word.isupper()) or (kind is None and _INITIALS.fullmatch(word)):
        kind = "before_name"
    if kind == "before_number":
        return False
    if not kind:
        return False
    if not head.isupper():
        return not head.isdigit() or kind == "before_name"
    found = _WORD.match(reply, following)
    next_word = found[0].lower().replace("’", "'") if found else ""
    return next_word not in rules.starters if kind == "before_name" else next_word in rules.goes_on
