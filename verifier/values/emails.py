"""E-mail addresses and URLs."""

from __future__ import annotations

import re
from functools import lru_cache

from verifier.model import Value

_EMAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}")
_LOCAL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}\Z")
_DOMAIN = re.compile(r"@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}")
_URL = re.compile(r"(?:https?://|www\.)[^ \t\r\n<>\"“”'`|\\{}]{1,500}")


@lru_cache(maxsize=4096)
def is_email(address: str) -> bool:
    """Whether email-validator takes it; addresses of special-use domains (`.test`, `.local`) are addresses too."""
    from email_validator import EmailNotValidError, validate_email

    local, _, domain = address.rpartition("@")
    try:
        validate_email(f"{local}@{domain.rpartition('.')[0]}.com", check_deliverability=False)
    except EmailNotValidError:
        return False
    return domain.rpartition(".")[2].isalpha()


def find_emails(reply: str, start: int, end: int) -> list[Value]:
    """The addresses between two places of the reply; the meaning is the address in lower case."""
    found = []
    at = reply.find("@", start, end)
    while at >= 0:
        local = _LOCAL.search(reply[max(start, at - 64) : at])
        domain = _DOMAIN.match(reply, at, end)
        if local and domain:
            name = local[0].lstrip("*_'`=~{|/.!")
            text = f"{name}{domain[0].rstrip('-')}"
            if name and is_email(text):
                left = at - len(name)
                found.append(Value("email", left, left + len(text), text, (text.lower(),)))
        at = reply.find("@", at + 1, end)
    return found


def find_urls(reply: str, start: int, end: int) -> list[Value]:
    """The URLs between two places; the meaning is the URL without scheme and closing marks."""
    found = []
    for match in _URL.finditer(reply, start, end):
        text = match[0].rstrip(".,;:!?*_…")
        while text.endswith(")") and text.count("(") < text.count(")"):
            text = text[:-1].rstrip(".,;:!?*_")
        found.append(Value("identifier", match.start(), match.start() + len(text), text, (url_key(text),), "url"))
    return found


def url_key(text: str) -> str:
    """How URLs are compared: without scheme, `www.`, a slash at the end and the case of letters."""
    return "url:" + re.sub(r"^(?:https?://)?(?:www\.)?", "", text, count=1).rstrip("/").lower()
