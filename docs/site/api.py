"""The API as Markdown, from signatures and docstrings."""

from __future__ import annotations

import dataclasses
import enum
import importlib
import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docstring_parser import Docstring, DocstringStyle, parse

LONG = 80
"""Characters of a signature that stand on one line."""


def api_markdown(groups: Sequence[Mapping[str, Any]]) -> str:
    """One page.

    Args:
        groups: each a title, what it is about, a module, and the names of it that are shown; all
            that it defines or exports where none are given.
    """
    lines = ["# API", "", "Made from the docstrings, whose examples are run as tests.", ""]
    for group in groups:
        module = importlib.import_module(group["module"])
        lines += [f"## {group['title']}", "", f"`{group['module']}`: {group['about']}", ""]
        for name in group.get("names") or public(module):
            lines += [*entry(name, getattr(module, name)), ""]
    return "\n".join(lines)


def public(module: Any) -> list[str]:
    """The public names of a module: those that it exports, else those that it defines."""
    if hasattr(module, "__all__"):
        return sorted(module.__all__)
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", "") == module.__name__
    ]


def entry(name: str, thing: Any) -> Iterator[str]:
    """A class or function: heading, signature, docstring, and the methods of a class."""
    yield f"### {name}"
    yield ""
    if not inspect.isclass(thing):
        yield from _told(f"{name}{_signature(thing)}", thing)
        return
    shown = name if _is_plain(thing) else f"{name}{_signature(thing)}"
    yield from _told(f"class {shown}", thing)
    for own, member in vars(thing).items():
        if own.startswith("_") or not (inspect.isfunction(member) or isinstance(member, property)):
            continue
        function = member.fget if isinstance(member, property) else member
        if function is None or not inspect.getdoc(function):
            continue
        signature = "" if isinstance(member, property) else _signature(function)
        yield f"#### {name}.{own}"
        yield ""
        yield from _told(f"{own}{signature}", function)


def _is_plain(thing: Any) -> bool:
    """Whether nobody calls the class: protocols and enumerations."""
    return getattr(thing, "_is_protocol", False) or issubclass(thing, enum.Enum)


def _signature(thing: Any) -> str:
    """Parameters and what is returned; on lines of their own where they are many."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return "(…)"
    kept = [p for n, p in found.parameters.items() if n != "self"]
    text = str(found.replace(parameters=kept))
    if len(text) > LONG:
        bare = found.replace(parameters=kept, return_annotation=inspect.Signature.empty)
        parts = [str(bare.replace(parameters=[p]))[1:-1] for p in kept]
        stars = [p.kind is p.KEYWORD_ONLY for p in kept]
        listed = [part.removeprefix("*, ") for part in parts]
        if any(stars):
            listed.insert(stars.index(True), "*")
        text = "(\n    " + ",\n    ".join(listed) + ",\n)" + text[len(str(bare)) :]
    return re.sub(r"<factory>|<object object at 0x[0-9a-f]+>", "…", text.replace("'", ""))


def _told(signature: str, thing: Any) -> Iterator[str]:
    yield "```python"
    yield signature
    yield "```"
    yield ""
    text = inspect.getdoc(thing) or ""
    if dataclasses.is_dataclass(thing) and text.startswith(f"{getattr(thing, '__name__', '')}("):
        return  # what dataclasses say of themselves
    text, examples = _apart(text)
    held = parse(text, style=DocstringStyle.GOOGLE)
    yield from _prose(held)
    yield from _list("Attributes", [(p.arg_name, p.description) for p in _args(held, "attribute")])
    yield from _list("Arguments", [(p.arg_name, p.description) for p in _args(held, "param")])
    if held.returns and held.returns.description:
        yield f"**Returns**: {_code(held.returns.description)}"
        yield ""
    yield from _list("Raises", [(r.type_name or "", r.description) for r in held.raises])
    for example in examples:
        yield from ("```pycon", example, "```", "")


def _args(held: Docstring, kind: str) -> list[Any]:
    return [p for p in held.params if p.args and p.args[0] == kind]


def _apart(text: str) -> tuple[str, list[str]]:
    """A docstring without its examples, and these; an example ends with an empty line."""
    blocks = re.split(r"\n\s*\n", text)
    examples = [b for b in blocks if b.startswith(">>>")]
    return "\n\n".join(b for b in blocks if not b.startswith(">>>")), examples


def _prose(held: Docstring) -> Iterator[str]:
    for part in (held.short_description, held.long_description):
        if part:
            yield _code(part)
            yield ""


def _list(title: str, entries: Sequence[tuple[str, str | None]]) -> Iterator[str]:
    if not entries:
        return
    yield f"**{title}**"
    yield ""
    for name, text in entries:
        yield f"- `{name}`: {_code(' '.join((text or '').split()))}"
    yield ""


def _code(text: str) -> str:
    """Double back ticks as Markdown has them; stars are stars."""
    return re.sub(r"``(.+?)``", r"`\1`", text).replace("*", r"\*")
