"""The words of a reply with their places: spaCy's tokenizer, made safe for hostile text, remembered piece by piece.

spaCy splits at white space first, so what it makes of one piece never depends on the next. Each piece is therefore
read once and remembered (within bounds). Plain words, numbers, identifiers, addresses and contractions of spaCy's own
list are taken as they are; only a piece with marks inside ("check-in", "cancelled/refunded") needs its rules. These
are quadratic in runs of marks and keep every string they saw: runs are taken apart before, strings freed after.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from verifier.lines import SPACES

if TYPE_CHECKING:
    from spacy.tokenizer import Tokenizer

MAX_PIECE = 128  # characters that are read at once; a longer run without white space is cut
MAX_KNOWN = 16_384  # pieces remembered in each of two generations, some 10 MB
MAX_RUN = 16  # marks in a row that spaCy is shown

_EMOJI = "\u203c\u2049\u2190-\u21ff\u231a-\u23ff\u2600-\u27bf\u2b05-\u2b55\U0001f000-\U0001faff"
_TONES = "\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff"
_LETTER = r"(?:[^\W\d_]|[\u0300-\u036f\xad])"
_PIECE = re.compile(f"[^{SPACES}\r\n]{{1,{MAX_PIECE}}}")
_ASCII_PIECE = re.compile(rf"[^ \t\r\n\x0b\x0c\x1c-\x1f]{{1,{MAX_PIECE}}}")
# Emphasis, code marks and tags are no words: "I've **cancelled** it" reads as if they were not there.
_DROPPED = re.compile(
    r"\*{1,16}|_{2,16}|`{1,16}|~{2,16}|[\ufe0e\ufe0f\u200d\u20e3]{1,16}"
    r"|</?(?:b|i|u|s|em|strong|br|p|ul|ol|li|code|pre|span|div|td|tr)[ ]{0,2}/?>",
    re.IGNORECASE,
)
_SYMBOL = re.compile(rf"[{_EMOJI}](?:[{_TONES}]|\u200d(?=[{_EMOJI}])|(?<=\u200d)[{_EMOJI}]){{0,16}}|\[[xX✓✔]\]")
_UNPAIRED = re.compile("[\ud800-\udfff\x00]")
_BEFORE = re.compile(r"[(\[{<\"'“‘«¿¡„#$£€+=|\\/—–-]{1,16}")
_AFTER = ".,;:!?)]}>\"'”’»…%|\\/—–=-"
_PLAIN = re.compile(rf"(?:{_LETTER}{{1,128}}|[a-zA-Z][a-zA-Z0-9]{{1,64}}|[0-9](?:[0-9]|[.,:](?=[0-9])){{0,60}})$")
_CODE = re.compile(
    r"(?:[a-zA-Z0-9](?:[a-zA-Z0-9]|[-_./:@#+](?=[a-zA-Z0-9])){1,127}"  # RX-301, auto_19, light.den, 2026-05-20T09:20
    r"|[^\W_](?:\w|[.+-]){0,64}@(?:\w|[.-]){3,100}"
    r"|(?:https?://|www\.)[^\"<>]{1,120})$"
)
_CODE_SIGN = re.compile(r"[0-9_@]|://|www\.|^[a-z0-9]{1,30}\.[a-z]")
_NUMBERED = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_-]{0,64}$")  # after "#": #W123, #12, #ops
_MARKS = re.compile(r"\.{2,16}|[^\w]")
_INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_]){1,4}$")  # U.S., p.ex.
_CLITIC = re.compile(rf"({_LETTER}{{2,40}})-(?:me|te|se|nos|vos|lhes?|[ln]?[oa]s?)$", re.IGNORECASE)

_QUOTES = str.maketrans("‘’‚‛ʼ´′＇“”„‟«»″", "''''''''\"\"\"\"\"\"\"")
_SIGNS = dict.fromkeys("✔✓☑", "✅") | dict.fromkeys("✗✘❎☒", "❌") | dict.fromkeys(("[x]", "[X]", "[✓]", "[✔]"), "✅")
# What spaCy splits off without an apostrophe ("couldnt" is "could" and "nt"), and the stems it leaves.
_ENCLITICS = {"nt": "n't", "ve": "'ve", "s": "'s", "m": "'m", "re": "'re", "d": "'d", "ll": "'ll", "not": "not"}
_STEMS = {"ca": "can", "wo": "will", "sha": "shall"}
_NO_CONTRACTIONS = frozenset({"id", "wed", "ima", "hes", "hed"})  # an order's id, Wed., HES: words of their own
_CONTRACTED = re.compile(r"(.{1,40})(n't|'(?:ve|ll|re|d|m|s))$", re.IGNORECASE)

_Word = tuple[str, str, int, int]  # as written, key, start and end within its piece


@dataclass(frozen=True, slots=True)
class Tokens:
    """The words and marks of a reply as parallel lists: as written, folded, and where they start and end.

    A key is in lower case, without accents, with straight quotes. Emphasis marks are left out.
    """

    text: list[str]
    key: list[str]
    start: list[int]
    end: list[int]


def tokenize(reply: str, language: str = "en") -> Tokens:
    """The tokens of any text; `start` and `end` are places in it. `language` is "en", "pt-BR" or "pt"."""
    known = _known_pieces(language)
    text: list[str] = []
    key: list[str] = []
    start: list[int] = []
    end: list[int] = []
    for found in (_ASCII_PIECE if reply.isascii() else _PIECE).finditer(reply):
        at = found.start()
        for word, folded, first, last in known[found[0]]:
            text.append(word)
            key.append(folded)
            start.append(at + first)
            end.append(at + last)
    return Tokens(text, key, start, end)


def fold(word: str) -> str:
    """A word as it is compared: lower case, no accents, straight quotes (`Não` is `nao`, `n’t` is `n't`)."""
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFD", word.translate(_QUOTES).lower())
    return "".join(char for char in parts if unicodedata.category(char) not in ("Mn", "Cf"))


class _KnownPieces(dict[str, tuple[_Word, ...]]):
    """Pieces and their words. Two generations: a full one becomes the old one, and what is met again moves over."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language
        self.old: dict[str, tuple[_Word, ...]] = {}
        self.contractions = _contractions(language)
        self.abbreviations = _abbreviations(language)

    def __missing__(self, piece: str) -> tuple[_Word, ...]:
        words = self.old.get(piece)
        if words is None:
            words = tuple(_read_piece(piece, self))
        if len(self) >= MAX_KNOWN:
            self.old = dict(self)
            self.clear()
        self[piece] = words
        return words


@cache
def _known_pieces(language: str) -> _KnownPieces:
    return _KnownPieces({"pt-BR": "pt"}.get(language, language))


def _read_piece(piece: str, known: _KnownPieces) -> Iterator[_Word]:
    """The words of a piece: its symbols, and what spaCy makes of the rest once emphasis is taken out."""
    if piece.isascii() and piece.isalpha() and piece.lower() not in known.contractions:
        yield piece, piece.lower(), 0, len(piece)  # what all of the below makes of a plain word
        return
    clean = _UNPAIRED.sub("\ufffd", piece)
    at = 0
    for found in _SYMBOL.finditer(clean):
        yield from _read_marked(clean, at, found.start(), known)
        at = found.end()
        sign = found[0].replace("\ufe0f", "").replace("\ufe0e", "")
        yield piece[found.start() : at], _SIGNS.get(sign, sign), found.start(), at
    yield from _read_marked(clean, at, len(clean), known)


def _read_marked(clean: str, start: int, end: int, known: _KnownPieces) -> Iterator[_Word]:
    for found in _DROPPED.finditer(clean, start, end):
        yield from _read_run(clean, start, found.start(), known)
        start = found.end()
    yield from _read_run(clean, start, end, known)


def _read_run(clean: str, start: int, end: int, known: _KnownPieces) -> Iterator[_Word]:
    """The words of a run without emphasis: marks before it, the words themselves, marks after it."""
    while start < end and clean[start] == "_":
        start += 1
    while end > start and clean[end - 1] == "_":
        end -= 1
    if start >= end:
        return
    run = clean[start:end]
    before = _BEFORE.match(run)
    first = before.end() if before else 0
    last = len(run.rstrip(_AFTER))
    if last <= first:  # nothing but marks
        yield from _marks(run, start)
        return
    if first and run[first - 1] == "#" and _NUMBERED.match(run, first, last):
        first -= 1
    core, straight = run[first:last], run[first:last].translate(_QUOTES).lower()
    if run[last : last + 1] == "." and (straight + "." in known.abbreviations or _INITIALS.match(straight)):
        last += 1
        core, straight = run[first:last], straight + "."
    yield from _marks(run[:first], start)
    for word, key, a, b in _core(core, straight, known):
        yield word, key, start + first + a, start + first + b
    yield from _marks(run[last:], start + last)


def _marks(run: str, start: int) -> Iterator[_Word]:
    for found in _MARKS.finditer(run):
        yield found[0], fold(found[0]), start + found.start(), start + found.end()


def _core(core: str, straight: str, known: _KnownPieces) -> Iterator[_Word]:
    """The words of a run without marks around it. `straight` is the same in lower case with straight quotes."""
    parts = known.contractions.get(straight) if len(straight) == len(core) else None
    if parts:
        at = 0
        for size, key in parts:
            yield core[at : at + size], key, at, at + size
            at += size
    elif _PLAIN.match(core) or core[-1] == "." or core[0] == "#" or (_CODE_SIGN.search(core) and _CODE.match(core)):
        yield core, fold(core), 0, len(core)
    elif known.language == "pt" and (clitic := _CLITIC.match(core)):
        yield from _with_clitic(core, clitic.end(1))
    else:
        yield from _by_rules(core, known)


def _with_clitic(core: str, at: int) -> Iterator[_Word]:
    """Portuguese `cancelei-o` is `cancelei` and `-o`; `cancelá-lo` is `cancelar` and `-lo`."""
    stem = fold(core[:at])
    if core[at + 1 : at + 2].lower() == "l" and core[at - 1].lower() in "áêéôí":
        stem += "r"
    yield core[:at], stem, 0, at
    yield core[at:], fold(core[at:]), at, len(core)


def _by_rules(core: str, known: _KnownPieces) -> Iterator[_Word]:
    """What spaCy makes of a piece with marks inside, a run of marks at a time."""
    at = 0
    for shown in _shown(core):
        for size in _sizes(shown, known.language):
            word = core[at : at + size]
            contracted = _CONTRACTED.match(word.translate(_QUOTES)) if known.language == "en" else None
            if contracted and contracted.end() == size:
                middle = contracted.end(1)
                yield word[:middle], fold(word[:middle]), at, at + middle
                yield word[middle:], fold(word[middle:]), at + middle, at + size
            else:
                yield word, fold(word), at, at + size
            at += size


def _shown(core: str) -> Iterator[str]:
    """The piece in parts with at most `MAX_RUN` characters that are no letters or digits in a row."""
    first = run = 0
    for at, char in enumerate(core):
        run = 0 if char.isalnum() else run + 1
        if run > MAX_RUN:
            yield core[first:at]
            first, run = at, 1
    yield core[first:]


_OF_THREAD = threading.local()  # spaCy's memory zones must not be shared between threads


def _sizes(piece: str, language: str) -> list[int]:
    """The lengths of the tokens that spaCy finds in a piece without white space."""
    tokenizers: dict[str, Tokenizer] = _OF_THREAD.__dict__
    if language not in tokenizers:
        tokenizers[language] = _tokenizer(language)
    tokenizer = tokenizers[language]
    with tokenizer.vocab.memory_zone():
        return [len(token) for token in tokenizer(piece.translate(_QUOTES))]


def _defaults(language: str) -> Any:
    from spacy.util import get_lang_class

    return get_lang_class(language).Defaults


def _tokenizer(language: str) -> Tokenizer:
    """The tokenizer of spaCy's blank pipeline, with a vocabulary that computes nothing for each new word."""
    from spacy.tokenizer import Tokenizer
    from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex
    from spacy.vocab import Vocab

    rules = _defaults(language)
    return Tokenizer(
        Vocab(),
        rules=rules.tokenizer_exceptions,
        prefix_search=compile_prefix_regex(rules.prefixes).search,
        suffix_search=compile_suffix_regex(rules.suffixes).search,
        infix_finditer=compile_infix_regex(rules.infixes).finditer,
        token_match=rules.token_match,
        url_match=rules.url_match,
    )


def _exceptions(language: str) -> Iterator[tuple[str, list[str]]]:
    from spacy.symbols import ORTH

    for written, parts in _defaults(language).tokenizer_exceptions.items():
        yield written, [str(part[ORTH]) for part in parts]


@cache
def _contractions(language: str) -> dict[str, tuple[tuple[int, str], ...]]:
    """spaCy's contractions in lower case with straight quotes: the length and key of each of their parts."""
    found: dict[str, tuple[tuple[int, str], ...]] = {}
    for written, parts in _exceptions(language):
        keys = [fold(part) for part in parts]
        tails = [_ENCLITICS.get(key, key) for key in keys[1:]]
        if len(parts) < 2 or written.lower() in _NO_CONTRACTIONS or any(tail not in _TAILS for tail in tails):
            continue
        stem = _STEMS.get(keys[0], keys[0]) if tails[0] == "n't" else keys[0]
        found[written.translate(_QUOTES).lower()] = tuple(zip(map(len, parts), (stem, *tails), strict=True))
    return found


_TAILS = frozenset(_ENCLITICS.values())


@cache
def _abbreviations(language: str) -> frozenset[str]:
    """spaCy's words that keep their full stop ("mr.", "a.m."), in lower case; single letters among them."""
    kept = {written.lower() for written, parts in _exceptions(language) if len(parts) == 1 and written[-1] == "."}
    return frozenset(kept)
