"""The entries of a grammar file, as the tokenizer meets them in a reply."""

from __future__ import annotations

from collections.abc import Iterable

from verifier.text import tokenize


def keys_of(texts: Iterable[str], language: str) -> dict[str, tuple[str, ...]]:
    """The keys of entries, split as the tokenizer splits a reply, so that they can be met there.

    All are tokenized at once (a call an entry would cost more than the rest of the loading). A clitic on its own
    (`'ve`, `n't`, `-lo`) is a word of a reply, but the tokenizer only makes it out behind another word.
    """
    listed = sorted({str(text) for text in texts})
    keys: dict[str, list[str]] = {text: [] for text in listed}
    lines: list[tuple[int, str]] = []
    joined, length = [], 0
    for text in listed:
        whole = f"it{text}" if text.startswith(("'", "-")) else f"do{text}" if text.startswith("n't") else text
        lines.append((length, text))
        joined.append(whole)
        length += len(whole) + 1
    tokens = tokenize("\n".join(joined), language)
    place = 0
    for key, start in zip(tokens.key, tokens.start, strict=True):
        while place + 1 < len(lines) and start >= lines[place + 1][0]:
            place += 1
        offset, text = lines[place]
        if not (start == offset and text.startswith(("'", "-", "n't"))):
            keys[text].append(key)
    return {text: tuple(found) for text, found in keys.items()}
