"""Regular forms of a verb from the suffix rules of its language's grammar.

The rules are data (`inflection:` of a grammar file); a verb that does not follow them is listed there with its forms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Forms = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Rule:
    """Lemmas with this ending lose `strip` letters and take each form's endings."""

    ending: str
    strip: int
    forms: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Inflection:
    """Suffix rules, the longest ending first, and the lemmas whose last consonant doubles (`stop`, `stopped`)."""

    rules: tuple[Rule, ...]
    doubling: frozenset[str] = frozenset()

    def forms(self, lemma: str) -> Forms:
        """Every form of a regular verb: `{"PAST": ("moved",), …}`; a phrasal verb inflects its first word."""
        head, gap, rest = lemma.partition(" ")
        forms: Forms = {"BASE": (lemma,)}
        for rule in self.rules:
            if head.endswith(rule.ending):
                stem = head[: len(head) - rule.strip]
                for form, endings in rule.forms:
                    words = [w for end in endings for w in self._join(head, stem, end)]
                    forms[form] = tuple(word + gap + rest for word in words)
                return forms
        return forms

    def _join(self, head: str, stem: str, ending: str) -> tuple[str, ...]:
        if head in self.doubling and ending[:1] in "ei" and stem == head:
            return (stem + stem[-1] + ending, stem + ending)
        return (stem + ending,)


def read_inflection(rules: Iterable[Mapping[str, object]], doubling: Iterable[str]) -> Inflection:
    """The rules of a grammar file, longest ending first (ties: alphabetical), so that file order decides nothing."""
    read = []
    for rule in rules:
        forms = rule["forms"]
        assert isinstance(forms, Mapping)
        pairs = tuple((form, tuple(ends) if isinstance(ends, list) else (ends,)) for form, ends in forms.items())
        endings = rule["ends"] if isinstance(rule["ends"], list) else [rule["ends"]]
        read += [Rule(str(end), int(str(rule.get("strip", "0"))), pairs) for end in endings]
    read.sort(key=lambda rule: (-len(rule.ending), rule.ending))
    return Inflection(tuple(read), frozenset(doubling))
