"""Layouts: what a statement asks to be looked for, as a tree of modules.

A layout is the meaning of a sentence where it is evaluated on structures
(`deixis.worlds.boxes.meaning`), and the plan of a network where modules are neural (Andreas et
al., CVPR 2016; Hu et al., ICCV 2017). Written out: ``count[exactly two](find[yellow circle])``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from deixis.errors import BadInput, unknown

THINGS, BOXES, TRUTH = "things", "boxes", "truth"
"""What modules take and give: some of the things, some of the boxes, true or false."""

MODULES: dict[str, tuple[tuple[str, ...], str, bool]] = {
    "find": ((), THINGS, True),
    "filter": ((THINGS,), THINGS, True),
    "transform": ((THINGS,), THINGS, True),
    "and": ((THINGS, THINGS), THINGS, False),
    "or": ((THINGS, THINGS), THINGS, False),
    "except": ((THINGS, THINGS), THINGS, False),
    "exist": ((THINGS,), TRUTH, False),
    "count": ((THINGS,), TRUTH, True),
    "exist_in": ((THINGS,), BOXES, False),
    "count_in": ((THINGS,), BOXES, True),
    "all_in": ((THINGS, THINGS), BOXES, False),
    "colors_in": ((THINGS,), BOXES, True),
    "both_in": ((BOXES, BOXES), BOXES, False),
    "not_in": ((BOXES,), BOXES, False),
    "boxes": ((BOXES,), TRUTH, True),
    "all": ((THINGS, THINGS), TRUTH, False),
    "more": ((THINGS, THINGS), TRUTH, False),
    "fewer": ((THINGS, THINGS), TRUTH, False),
    "equal": ((THINGS, THINGS), TRUTH, False),
    "both": ((TRUTH, TRUTH), TRUTH, False),
    "either": ((TRUTH, TRUTH), TRUTH, False),
    "not": ((TRUTH,), TRUTH, False),
}
"""Per module: what it takes, what it gives, and whether it reads words."""

_MODULE = re.compile(r"\s*([a-z_]+)(?:\[([^\]]*)\])?")


@dataclass(frozen=True, slots=True)
class Layout:
    """A module, the words that it reads, and the modules that feed it."""

    module: str
    words: str = ""
    inputs: tuple[Layout, ...] = ()

    def __post_init__(self) -> None:
        """Check types.

        Raises:
            BadInput: there is no such module, or its inputs are of other types.
        """
        if self.module not in MODULES:
            raise unknown(f"there is no module {self.module!r}", self.module, MODULES)
        takes, _, reads = MODULES[self.module]
        if tuple(i.gives for i in self.inputs) != takes:
            given = ", ".join(i.gives for i in self.inputs) or "nothing"
            raise BadInput(
                f"{self.module} takes {', '.join(takes) or 'nothing'}, here it gets {given}"
            )
        if self.words and not reads:
            raise BadInput(f"{self.module} reads no words, here it gets {self.words!r}")

    @property
    def gives(self) -> str:
        """What comes out of it."""
        return MODULES[self.module][1]

    def __str__(self) -> str:
        words = f"[{self.words}]" if self.words else ""
        inputs = f"({', '.join(map(str, self.inputs))})" if self.inputs else ""
        return f"{self.module}{words}{inputs}"

    def postfix(self) -> Iterator[Layout]:
        """Its modules in the order in which they can be run, this one last."""
        for one in self.inputs:
            yield from one.postfix()
        yield self

    @property
    def plan(self) -> tuple[str, ...]:
        """Names of modules in that order: what is told of a layout without its words.

        >>> Layout.parse("exist(and(find[blue], find[circle]))").plan
        ('find', 'find', 'and', 'exist')
        """
        return tuple(m.module for m in self.postfix())

    @staticmethod
    def parse(text: str) -> Layout:
        """Read the written form; `str` gives it back.

        Raises:
            BadInput: it is not of the form, or types do not fit.

        >>> str(Layout.parse("not(exist(find[yellow circle]))"))
        'not(exist(find[yellow circle]))'
        """
        layout, rest = _read(text, text)
        if rest.strip():
            raise BadInput(f"the layout {text!r} ends before {rest.strip()!r}")
        return layout


def assemble(plan: Sequence[str], words: Sequence[str] = ()) -> Layout | None:
    """The layout of module names in postfix order; None where they make no truth.

    Args:
        plan: names of modules.
        words: of each module; none by default.

    >>> str(assemble(("find", "exist"), ("blue", "")))
    'exist(find[blue])'
    >>> assemble(("find", "find", "exist")) is None
    True
    """
    stack: list[Layout] = []
    for place, name in enumerate(plan):
        takes, _, reads = MODULES[name]
        inputs = tuple(stack[len(stack) - len(takes) :])
        if tuple(i.gives for i in inputs) != takes:
            return None
        del stack[len(stack) - len(takes) :]
        stack.append(Layout(name, words[place] if words and reads else "", inputs))
    return stack[0] if len(stack) == 1 and stack[0].gives == TRUTH else None


def allowed(stack: tuple[str, ...], left: int) -> list[str]:
    """Modules that may come next, so that a plan can still be finished.

    Args:
        stack: types of what has been made and not used.
        left: how many more modules there may be, the next one included.

    >>> allowed(("things",), 1)
    ['exist', 'count']
    >>> "and" in allowed(("things",), 5)
    False
    """
    after = {name: push(stack, name) for name in MODULES}
    return [name for name, new in after.items() if new is not None and _least(new) < left]


def push(stack: tuple[str, ...], name: str) -> tuple[str, ...] | None:
    """The types on the stack after a module; None where it does not find what it takes."""
    takes, gives, _ = MODULES[name]
    rest = len(stack) - len(takes)
    return (*stack[:rest], gives) if rest >= 0 and stack[rest:] == takes else None


_NEVER = 99


@cache
def _least(stack: tuple[str, ...]) -> int:
    """How many modules it takes to make one truth of what is on the stack."""
    if stack == (TRUTH,):
        return 0
    if not stack:
        return 1 + _least((THINGS,))
    after = {push(stack, name) for name, (takes, _, _) in MODULES.items() if takes}
    costs = [1 + _least(new) for new in after if new is not None and new != stack]
    return min(costs, default=_NEVER)


def _read(text: str, whole: str) -> tuple[Layout, str]:
    """One layout from the start of a text, and what is left of it."""
    match = _MODULE.match(text)
    if match is None:
        raise BadInput(f"the layout {whole!r}: expected a module before {text.strip()[:20]!r}")
    rest = text[match.end() :].lstrip()
    inputs: list[Layout] = []
    if rest.startswith("("):
        mark = "("
        while mark != ")":
            one, rest = _read(rest[1:], whole)
            inputs.append(one)
            rest = rest.lstrip()
            mark = rest[:1]
            if mark not in (",", ")"):
                raise BadInput(f"the layout {whole!r}: expected , or ) after {one}")
        rest = rest[1:]
    return Layout(match[1], (match[2] or "").strip(), tuple(inputs)), rest
