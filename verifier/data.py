"""Our data folders, and YAML files read strictly: every scalar is text, positions are kept.

Anchors, aliases, tags and duplicate keys are refused (YAML 1.1 would read `no` as False and let the last of two
equal keys win). A file's problems are reported together, each as `file:line:column: what is wrong`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

MAX_FILE_CHARS = 16_000_000  # a vocabulary of 50,000 phrases has about 2 million; more is no file of ours
MAX_DEPTH = 40  # our formats nest at most six deep; deeper input is a mistake or an attack


class DataError(ValueError):
    """A data file is wrong. `problems` holds one text for each mistake, in the order of the file."""

    def __init__(self, problems: str | Iterable[str]) -> None:
        """Take one problem, or all of them."""
        self.problems: tuple[str, ...] = (problems,) if isinstance(problems, str) else tuple(problems)
        super().__init__("\n".join(self.problems))


class YamlText(str):
    """A scalar of a file, with where it was written (`line` and `column` count from 1)."""

    __slots__ = ("column", "file", "line", "quoted")
    file: str
    line: int
    column: int
    quoted: bool


class YamlList(list["Node"]):
    """A sequence of a file, with where it was written."""

    __slots__ = ("column", "file", "line")
    file: str
    line: int
    column: int


class YamlMap(dict[str, "Node"]):
    """A mapping of a file, with where it was written; its keys are `YamlText`."""

    __slots__ = ("column", "file", "line")
    file: str
    line: int
    column: int


Node = YamlMap | YamlList | YamlText
N = TypeVar("N", YamlText, YamlList, YamlMap)


def where(node: object) -> str:
    """`file:line:column` of a node or key of a file; an empty text for anything that came from elsewhere."""
    if isinstance(node, YamlMap | YamlList | YamlText):
        return f"{node.file}:{node.line}:{node.column}"
    return ""


def did_you_mean(word: str, known: Iterable[str], what: str = "known here") -> str:
    """A hint for a word that is not known: the nearest known one, and all of them where they are few."""
    names = sorted(set(known))
    near = difflib.get_close_matches(word, names, n=1)
    most = 12 if near else 40
    listed = f"{what}: {', '.join(names[:most]) or 'none'}{' …' if len(names) > most else ''}"
    return f"did you mean '{near[0]}'? {listed}" if near else listed


class Problems:
    """Collects the mistakes of a file; `check()` raises one `DataError` with all of them."""

    def __init__(self) -> None:
        """Start with none."""
        self.found: list[str] = []

    def add(self, node: object, what: str, hint: str = "") -> None:
        """Note a mistake at a node (or key) of a file, with a hint on a line of its own."""
        place = where(node)
        self.found.append(f"{place}: {what}" if place else what)
        if hint:
            self.found[-1] += f"\n  {hint}"

    def check(self) -> None:
        """Raise `DataError` if anything was found."""
        if self.found:
            raise DataError(self.found)


def folder(name: str) -> Traversable:
    """A data folder of ours: inside the installed package, or beside it in a checkout.

    An editable install imports the checkout, where the folders are not inside the package (a folder of modules that
    has the same name holds no data).
    """
    packaged = files("verifier") / name
    if packaged.is_dir() and any(entry.name.endswith(".yaml") for entry in packaged.iterdir()):
        return packaged
    checkout = Path(__file__).resolve().parent.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / name).is_dir():
        return checkout / name
    raise DataError(f"{name}/ is missing from the installed package; please reinstall")


def load(source: str | Path | Traversable, *, name: str = "") -> YamlMap:
    """The mapping that a YAML file holds. `source` is a path, or the text itself where `name` names it.

    Raises `DataError` with every mistake that was found.
    """
    node = parse_yaml(source, name) if name and isinstance(source, str) else read_yaml(source)
    if not isinstance(node, YamlMap):
        raise DataError(f"{where(node)}: the file must hold a mapping (`key: value`), not {kind_of(node)}")
    return node


def read_yaml(path: str | Path | Traversable) -> Node:
    """What a YAML file holds; messages name the file by its last part. Raises `DataError`."""
    at = Path(path) if isinstance(path, str) else path
    try:
        text = at.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{at.name}: byte {error.start} is not UTF-8; save the file as UTF-8") from None
    except OSError as error:
        raise DataError(f"{at}: cannot be read ({error.strerror})") from None
    return parse_yaml(text, at.name)


def parse_yaml(text: str, name: str) -> Node:
    """What a YAML text holds, `name` standing for the file in messages. Raises `DataError`."""
    import yaml

    if len(text) > MAX_FILE_CHARS:
        raise DataError(f"{name}: longer than {MAX_FILE_CHARS} characters; split the file")
    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    problems = Problems()
    try:
        node = _build(yaml.parse(text.removeprefix("\ufeff"), Loader=loader), name, problems)
    except yaml.MarkedYAMLError as error:
        problems.add(None, *_syntax_problem(error, name))
        node = None
    except yaml.YAMLError as error:
        problems.add(None, f"{name}: {' '.join(str(error).split())}")
        node = None
    problems.check()
    if node is None:
        raise DataError(f"{name}:1:1: the file is empty")
    return node


def _syntax_problem(error: Any, name: str) -> tuple[str, str]:
    mark = error.problem_mark or error.context_mark
    problem = error.problem or error.context or "cannot be read as YAML"
    hint = ""
    if "mapping values are not allowed" in problem:
        hint = "put a text that contains ': ' into quotes"
    elif "cannot start any token" in problem:
        hint = "indent with spaces, not tabs, and put a text that starts with @, ` or % into quotes"
    elif "undefined alias" in problem:
        hint = "put a text that starts with * into quotes"
    return (f"{name}:{mark.line + 1}:{mark.column + 1}: {problem}" if mark else f"{name}: {problem}"), hint


class _Open:
    """A mapping or sequence whose end has not been read yet."""

    __slots__ = ("key", "node")

    def __init__(self, node: YamlMap | YamlList) -> None:
        self.node = node
        self.key: YamlText | None = None

    def put(self, child: Node, problems: Problems) -> None:
        """Add a key, a value or an item."""
        if isinstance(self.node, YamlList):
            self.node.append(child)
        elif self.key is not None:
            self.node[self.key] = child
            self.key = None
        elif not isinstance(child, YamlText):
            hint = "write `key: value`, or put { or [ into quotes"
            problems.add(child, f"a key must be text, not {kind_of(child)}", hint)
            self.key = _place(YamlText(f"({len(self.node)})"), child.file, child.line, child.column)
        else:
            if child in self.node:
                problems.add(child, f"the key '{child}' is written twice")
            self.key = child


def _place(node: N, file: str, line: int, column: int) -> N:
    node.file, node.line, node.column = file, line, column
    return node


def _build(events: Iterator[Any], name: str, problems: Problems) -> Node | None:
    """Nodes from the parser's events, with a stack of our own (so depth costs no recursion)."""
    import yaml

    root: Node | None = None
    stack: list[_Open] = []
    documents = 0
    for event in events:
        mark = event.start_mark
        at = (name, mark.line + 1, mark.column + 1)
        if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent | yaml.AliasEvent):
            node = _node(event, at, problems)
            if stack:
                stack[-1].put(node, problems)
            elif documents == 1:
                root = node
            if not isinstance(node, YamlText):
                stack.append(_Open(node))
            if len(stack) > MAX_DEPTH:
                problems.add(node, f"nested deeper than {MAX_DEPTH} levels")
                return None
        elif isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
        elif isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents == 2:
                problems.add(_place(YamlText(), *at), "a second document starts here", "one file holds one document")
    return root


def _node(event: Any, at: tuple[str, int, int], problems: Problems) -> Node:
    import yaml

    node: Node
    if isinstance(event, yaml.SequenceStartEvent):
        node = _place(YamlList(), *at)
    elif isinstance(event, yaml.MappingStartEvent):
        node = _place(YamlMap(), *at)
    elif isinstance(event, yaml.ScalarEvent):
        node = _place(YamlText(event.value), *at)
        node.quoted = bool(event.style)
    else:
        node = _place(YamlText(f"*{event.anchor}"), *at)
        node.quoted = False
        problems.add(node, f"the alias '*{event.anchor}' is not allowed", "write the text out, or put it into quotes")
        return node
    if event.anchor is not None:
        problems.add(node, f"the anchor '&{event.anchor}' is not allowed", "write the text out, or put it into quotes")
    if event.tag is not None and event.tag != "!":
        problems.add(node, f"the tag '{event.tag}' is not allowed", "every value is text; leave the tag out")
    return node


def kind_of(node: object) -> str:
    """What a node is, in words for a message."""
    if isinstance(node, dict):
        return "a mapping"
    if isinstance(node, list | tuple):
        return "a list"
    return "an empty text" if node == "" else f"the text '{str(node)[:40]}'"


def expect_map(node: Node | None, what: str, problems: Problems, at: object = None) -> YamlMap:
    """The node as a mapping; otherwise a problem is noted (at `at` where it is missing) and an empty one given."""
    if isinstance(node, YamlMap):
        return node
    _unexpected(node, what, "a mapping (`key: value`)", problems, at)
    return _like(YamlMap(), node, at)


def expect_list(node: Node | None, what: str, problems: Problems, at: object = None) -> YamlList:
    """The node as a list; otherwise a problem is noted and an empty one given."""
    if isinstance(node, YamlList):
        return node
    _unexpected(node, what, "a list (`[a, b]` or lines with `- `)", problems, at)
    return _like(YamlList(), node, at)


def expect_text(node: Node | None, what: str, problems: Problems, at: object = None) -> YamlText:
    """The node as a text that is not empty (a quoted empty one is meant); otherwise a problem, and an empty text."""
    if isinstance(node, YamlText) and (node or node.quoted):
        return node
    _unexpected(node, what, "a text", problems, at)
    text = _like(YamlText(), node, at)
    text.quoted = False
    return text


def expect_texts(node: Node | None, what: str, problems: Problems, at: object = None) -> tuple[YamlText, ...]:
    """The node as a list of texts that differ; each item that is none, or stands twice, is a problem."""
    texts: dict[str, YamlText] = {}
    for item in expect_list(node, what, problems, at):
        text = expect_text(item, f"an item of {what}", problems)
        if text in texts:
            problems.add(text, f"'{text}' stands twice in {what}")
        texts.setdefault(text, text)
    return tuple(texts.values())


def expect_choice(node: Node | None, what: str, choices: Sequence[str], problems: Problems, at: object = None) -> str:
    """The node as one of the texts of `choices`; otherwise a problem, and the first choice."""
    text = expect_text(node, what, problems, at)
    if text in choices:
        return str(text)
    if text:
        problems.add(text, f"{what} cannot be '{text}'", did_you_mean(text, choices, "allowed"))
    return choices[0]


def refuse_unknown_keys(node: YamlMap, allowed: Iterable[str], problems: Problems) -> None:
    """Note a problem for each key that is not allowed."""
    known = frozenset(allowed)
    for key in node:
        if key not in known:
            problems.add(key, f"the key '{key}' is not known", did_you_mean(key, known, "keys here"))


def _unexpected(node: Node | None, what: str, wanted: str, problems: Problems, at: object) -> None:
    if node is None:
        problems.add(at, f"{what} is missing", f"write {wanted}")
    else:
        problems.add(node, f"{what} must be {wanted}, not {kind_of(node)}")


def _like(new: N, node: Node | None, at: object) -> N:
    source = node if node is not None else at
    if isinstance(source, YamlMap | YamlList | YamlText):
        return _place(new, source.file, source.line, source.column)
    return _place(new, "", 0, 0)
