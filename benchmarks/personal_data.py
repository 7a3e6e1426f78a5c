"""Made-up personal data and what only looks like it, the same on every run: material for `benchmarks.rules`."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator
from random import Random

from verifier.rules.numbers import IBAN_LENGTHS, is_cnpj, is_cpf, luhn

FRAMES = (
    "It is {v}.",
    "Please note {v} for later.",
    "We have {v} on record; is that right?",
    "{v} is what we hold.",
    "We replaced it with {v}!",
    "The new one ({v}) is saved.",
    'You wrote "{v}" in the form.',
    "Saved as **{v}** just now.",
    "- {v}\n- something else",
    "| Field | Value |\n|---|---|\n| main | {v} |",
    "Details:\n\n1. {v}\n2. Nothing more",
    "Use `{v}` for that.",
    "I used {v}, and it worked.",
    "Value: {v}\r\nThanks!",
    "# Contact\n\n{v}",
    "> {v}\n\nas you said",
    "Anotei {v}.",
    "O dado é {v}, certo?",
    "Confirmei {v} agora há pouco.",
    "Segue: {v}",
)
PHONE_FRAMES = ("You can call {v} today.", "Phone: {v}", "Ligue para {v}.", "☎ {v}", "My mobile is {v}.")
REGIONS = ("GB", "DE", "FR", "ES", "IT", "PT", "MX", "AR", "IN", "JP", "AU", "NL", "SE", "PL", "CH", "ZA", "KR")
PREFIXES = (
    ("4", 16),
    ("51", 16),
    ("55", 16),
    ("2221", 16),
    ("34", 15),
    ("37", 15),
    ("6011", 16),
    ("65", 16),
    ("36", 14),
    ("3530", 16),
    ("62", 16),
    ("606282", 16),
    ("509", 16),
    ("2200", 16),
)
CASES = 300

Maker = Callable[[Random], str]


def _digits(random: Random, count: int) -> str:
    return "".join(random.choice(string.digits) for _ in range(count))


def email(random: Random) -> str:
    """Give an address at an ordinary, an international or a special-use domain."""
    name = "".join(random.choice(string.ascii_lowercase) for _ in range(random.randint(2, 10)))
    name += random.choice(("", ".silva", "_99", "+shop", "-x", ".j.doe", "José"[1:3]))
    host = random.choice(("example", "mail-box", "sub.shop", "empresa", "gahoo", "münchen"))
    return f"{name}@{host}.{random.choice(('com', 'com.br', 'org', 'io', 'co.uk', 'test', 'local', 'museum'))}"


def telephone(random: Random) -> str:
    """Give a number as it is written: international of many regions, or national of the US or Brazil."""
    import phonenumbers

    kind = random.randrange(4)
    if kind == 0:
        return _us(random)
    if kind == 1:
        return _brazil(random)
    region = random.choice(REGIONS)
    sample = phonenumbers.example_number_for_type(region, random.choice((0, 1)))
    written = (phonenumbers.PhoneNumberFormat.INTERNATIONAL, phonenumbers.PhoneNumberFormat.E164)[kind - 2]
    sample.national_number -= random.randrange(0, 90)
    return phonenumbers.format_number(sample, written)


def _us(random: Random) -> str:
    area, tail = random.choice(("201", "212", "415", "512", "646", "703", "305")), _digits(random, 4)
    middle = f"{random.randint(2, 9)}{_digits(random, 2)}"
    shape = random.choice(
        ("({a}) {m}-{t}", "{a}-{m}-{t}", "{a}.{m}.{t}", "+1 {a} {m} {t}", "1-{a}-{m}-{t}", "+1{a}{m}{t}")
    )
    return shape.format(a=area, m=middle, t=tail)


def _brazil(random: Random) -> str:
    area = random.choice(("11", "21", "31", "41", "51", "61", "71", "81"))
    shape = random.choice(("({a}) 9{m}-{t}", "({a}) 3{n}-{t}", "+55 {a} 9{m}-{t}", "+55{a}9{m}{t}", "({a})9{m}-{t}"))
    return shape.format(
        a=area, m=f"{random.randint(6, 9)}{_digits(random, 3)}", n=_digits(random, 3), t=_digits(random, 4)
    )


def bare_telephone(random: Random) -> str:
    """Give ten digits that are a number of the US."""
    return "".join(filter(str.isdigit, _us(random)))[-10:]


def card(random: Random) -> str:
    """Give a card number of an issuer's length with a right check digit, in groups or not."""
    prefix, length = random.choice(PREFIXES)
    body = prefix + _digits(random, length - 1 - len(prefix))
    number = next(body + digit for digit in string.digits if luhn(body + digit))
    return grouped(number, random)


def grouped(number: str, random: Random) -> str:
    """Give a card number as one run, or in fours parted by blanks or hyphens."""
    mark = random.choice(("", " ", "-"))
    return mark.join(number[at : at + 4] for at in range(0, len(number), 4))


def iban(random: Random) -> str:
    """Give an IBAN of any country with right check digits, in fours or not."""
    country = random.choice(sorted(IBAN_LENGTHS))
    letters = random.random() < 0.3
    body = "".join(
        random.choice(string.digits + string.ascii_uppercase * letters) for _ in range(IBAN_LENGTHS[country] - 4)
    )
    value = int("".join(str(int(char, 36)) for char in f"{body}{country}00"))
    return grouped_iban(f"{country}{98 - value % 97:02}{body}", random)


def grouped_iban(number: str, random: Random) -> str:
    """Give an IBAN in fours, or as one run."""
    mark = random.choice(("", " "))
    return mark.join(number[at : at + 4] for at in range(0, len(number), 4))


def cpf(random: Random) -> str:
    """Give a CPF, dotted or not."""
    body = _digits(random, 9)
    number = next(body + f"{n:02}" for n in range(100) if is_cpf(body + f"{n:02}"))
    return number if random.random() < 0.3 else f"{number[:3]}.{number[3:6]}.{number[6:9]}-{number[9:]}"


def cnpj(random: Random) -> str:
    """Give a CNPJ, dotted or not, one in five with letters."""
    signs = string.digits + (string.ascii_uppercase if random.random() < 0.2 else "")
    body = "".join(random.choice(signs) for _ in range(12))
    number = next(body + f"{n:02}" for n in range(100) if is_cnpj(body + f"{n:02}"))
    return (
        number
        if random.random() < 0.3 and number.isdigit()
        else f"{number[:2]}.{number[2:5]}.{number[5:8]}/{number[8:12]}-{number[12:]}"
    )


def ssn(random: Random) -> str:
    """Give a US social security number with hyphens."""
    area = random.choice([*range(1, 666), *range(667, 900)])
    return f"{area:03}-{random.randint(1, 99):02}-{random.randint(1, 9999):04}"


def ip(random: Random) -> str:
    """Give an IPv4 or an IPv6 address."""
    if random.random() < 0.25:
        groups = [f"{random.randrange(1, 65536):x}" for _ in range(8)]
        return ":".join(groups) if random.random() < 0.5 else ":".join((*groups[:3], "", *groups[6:]))
    first = random.choice([n for n in range(1, 224) if n not in (10, 127)])
    return ".".join(map(str, (first, *(random.randrange(256) for _ in range(3)))))


MAKERS: dict[str, Maker] = {
    "email": email,
    "telephone": telephone,
    "card": card,
    "iban": iban,
    "cpf": cpf,
    "cnpj": cnpj,
    "ssn": ssn,
    "ip": ip,
}


# What only looks like it -----------------------------------------------------------------------------------------


def spoiled(made: str, random: Random) -> str:
    """Give a number with its last digit but one another one: its check digits are wrong."""
    places = [at for at, char in enumerate(made) if char.isdigit()]
    at = places[-2]
    other = (int(made[at]) + random.randint(1, 8)) % 10
    return made[:at] + str(other if str(other) != made[at] else (other + 1) % 10) + made[at + 1 :]


def _bad_card(random: Random) -> str:
    while True:
        made = spoiled(card(random), random)
        if not luhn("".join(filter(str.isdigit, made))):
            return made


def _bad_email(random: Random) -> str:
    name = "".join(random.choice(string.ascii_lowercase) for _ in range(6))
    shapes = (
        "@{n}",
        "{n}@",
        "{n}@4.17.21",
        "{n} @ home",
        "{n}@@{n}",
        "{n}@{n}",
        "{n}@-x.1",
        "https://x.com/@{n}",
        "{n}#{n}.com",
    )
    return random.choice(shapes).format(n=name)


def _bad_telephone(random: Random) -> str:
    shapes = (
        _digits(random, 10),
        f"#W{_digits(random, 7)}",
        f"order {_digits(random, 10)}",
        f"{_digits(random, 12)}",
        f"{random.randint(1990, 2030)}-{random.randint(1990, 2030)}",
        f"{_digits(random, 5)}-{_digits(random, 3)}",
        f"item_{_digits(random, 10)}",
        f"1{_digits(random, 2)}-{_digits(random, 3)}-{_digits(random, 2)}",
    )
    return random.choice(shapes)


def _bad_ssn(random: Random) -> str:
    tail = f"{random.randint(1, 99):02}-{random.randint(1, 9999):04}"
    shapes = (
        f"000-{tail}",
        f"666-{tail}",
        f"9{_digits(random, 2)}-{tail}",
        f"{_digits(random, 3)}-00-{_digits(random, 4)}",
        f"{_digits(random, 3)}-12-0000",
        _digits(random, 9),
        f"{_digits(random, 5)}-{_digits(random, 4)}",
    )
    return random.choice(shapes)


def _bad_ip(random: Random) -> str:
    part = lambda top: str(random.randrange(top))  # noqa: E731
    shapes = (
        f"{part(9)}.{part(20)}.{part(30)}",
        f"v{part(9)}.{part(20)}.{part(200)}.{part(9)}",
        f"version {part(200)}.{part(200)}.{part(200)}.{part(200)}",
        f"{part(9)}.{part(12)}.{part(30)}.{part(30)}",
        f"{random.randint(256, 999)}.{part(255)}.{part(255)}.{part(255)}",
        f"Chrome {part(120)}.0.{part(200)}.{part(255)}",
        f"{random.randint(10, 23)}:{random.randint(10, 59)}:{random.randint(10, 59)}",
    )
    return random.choice(shapes)


def common_miss(random: Random) -> str:
    """Give a version, an ISO date or instant, an amount, coordinates or a hash."""
    date = f"20{random.randint(10, 29)}-{random.randint(1, 12):02}-{random.randint(1, 28):02}"
    amount = f"{random.randint(1, 999)},{_digits(random, 3)},{_digits(random, 3)}.{_digits(random, 2)}"
    brazilian = f"R$ {random.randint(1, 999)}.{_digits(random, 3)}.{_digits(random, 3)},{_digits(random, 2)}"
    latitude, longitude = f"{random.uniform(-90, 90):.6f}", f"{random.uniform(-180, 180):.6f}"
    digest = "".join(random.choice("0123456789abcdef") for _ in range(random.choice((7, 32, 40, 64))))
    uuid = "-".join("".join(random.choice("0123456789abcdef") for _ in range(n)) for n in (8, 4, 4, 4, 12))
    version = f"{random.randint(0, 20)}.{random.randint(0, 20)}.{random.randint(0, 9999)}"
    return random.choice(
        (
            date,
            f"{date}T{random.randint(0, 23):02}:15:00Z",
            f"${amount}",
            amount,
            brazilian,
            digest,
            uuid,
            version,
            f"{latitude}, {longitude}",
            f"+{abs(float(latitude)):.6f}, -{abs(float(longitude)):.6f}",
        )
    )


MISSES: dict[str, Maker] = {
    "email": _bad_email,
    "telephone": _bad_telephone,
    "card": _bad_card,
    "iban": lambda random: spoiled(iban(random), random),
    "cpf": lambda random: spoiled(cpf(random), random),
    "cnpj": lambda random: spoiled(cnpj(random), random),
    "ssn": _bad_ssn,
    "ip": _bad_ip,
}


def values(kind: str) -> Iterator[tuple[str, str]]:
    """Give values of a kind, each in its sentence; bare telephone numbers come in frames that say so."""
    random = Random(f"values of {kind}")
    for number in range(CASES):
        if kind == "telephone" and number % 5 == 4:
            made, frame = bare_telephone(random), PHONE_FRAMES[number // 5 % len(PHONE_FRAMES)]
        else:
            made, frame = MAKERS[kind](random), FRAMES[number % len(FRAMES)]
        yield made, frame.replace("{v}", made)


def near_misses(kind: str) -> Iterator[tuple[str, str]]:
    """Give what is none of a kind, half of it made for the kind, each in its sentence."""
    random = Random(f"near misses of {kind}")
    for number in range(CASES):
        made = MISSES[kind](random) if number % 2 else common_miss(random)
        yield made, FRAMES[number % len(FRAMES)].replace("{v}", made)
