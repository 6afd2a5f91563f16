"""The house rules that can be read off the source: floors, cycles, tables, names."""

from __future__ import annotations

import ast
import importlib
from functools import cache
from pathlib import Path

import pytest

import deixis
from deixis.registry import ANY

SOURCE = Path(deixis.__file__).parent

ROOT = SOURCE.parent.parent


@cache
def floors() -> dict[str, int]:
    """The floor of each module and folder at the top by CONTRIBUTING; 0 is the lowest."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    return {
        room: number
        for number, row in enumerate(rows)
        for room in row.replace("`", " ").replace("/", " ").split()
    }


@cache
def modules() -> dict[str, Path]:
    """Every module by its dotted name, without the package's own."""
    found = {}
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if name and name != "__main__":
            found[name] = path
    return found


@cache
def imports(name: str, *, lazy: bool = False) -> frozenset[str]:
    """Modules of this package that a module imports; with `lazy`, inside functions too."""
    tree = ast.parse(modules()[name].read_text("utf-8"))
    nodes = ast.walk(tree) if lazy else _top(tree)
    found = set()
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("deixis"):
            assert node.level == 0, f"{name}: relative import"
            base = (node.module or "").removeprefix("deixis").removeprefix(".")
            for alias in node.names:
                inner = f"{base}.{alias.name}".strip(".")
                found.add(inner if inner in modules() else base)
        elif isinstance(node, ast.Import):
            found |= {
                a.name.removeprefix("deixis.") for a in node.names if a.name.startswith("deixis.")
            }
    return frozenset(f for f in found if f)


def _top(tree: ast.AST) -> list[ast.AST]:
    """Nodes that run when a module is imported."""
    found: list[ast.AST] = []
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found += [node, *_top(node)]
    return found


def floor(name: str) -> int:
    room = name.partition(".")[0]
    assert room in floors(), f"the table of CONTRIBUTING does not say on which floor {room} is"
    return floors()[room]


@pytest.mark.parametrize("name", sorted(modules()))
def test_imports_point_down_only(name: str) -> None:
    for other in imports(name, lazy=True):
        assert floor(other) <= floor(name), f"{name} imports {other}, which is above it"


def test_no_cycles() -> None:
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, f"a cycle: {' → '.join([*path[path.index(name) :], name])}"
        if name not in done:
            for other in imports(name):
                visit(other, (*path, name))
            done.add(name)

    for name in modules():
        visit(name, ())


TABLES = sorted(
    name
    for name, path in modules().items()
    if path.name == "__init__.py" and "\nTABLE" in path.read_text("utf-8")
)


@pytest.mark.parametrize("name", TABLES)
def test_every_line_of_a_table_leads_to_a_part(name: str) -> None:
    for (kind, part), where in importlib.import_module(f"deixis.{name}").TABLE.items():
        module, _, attribute = where.partition(":")
        assert module.startswith(f"deixis.{name}."), where
        assert kind == ANY or kind.isidentifier()
        assert part
        path = modules()[module.removeprefix("deixis.")]
        tree = ast.parse(path.read_text("utf-8"))
        defined = {getattr(n, "name", "") for n in tree.body}
        for node in tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            if isinstance(node, ast.AnnAssign):
                targets = [node.target]
            defined |= {t.id for t in targets if isinstance(t, ast.Name)}
        assert attribute in defined, f"{where}: {path} defines no {attribute}"


@pytest.mark.parametrize("name", sorted(modules()))
def test_modules_say_what_they_are_for(name: str) -> None:
    tree = ast.parse(modules()[name].read_text("utf-8"))
    said = ast.get_docstring(tree) or ""
    assert said.split("\n")[0].endswith((".", ":", "?")), name


@pytest.mark.parametrize("name", sorted(modules()))
def test_rows_are_locked_in_one_way_only(name: str) -> None:
    """Rows locked with their keys deadlock: see `deixis.collect.store.locks`."""
    tree = ast.parse(modules()[name].read_text("utf-8"))
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert ("with_for_update" in used) == (name == "collect.store.locks")


@pytest.mark.parametrize("name", sorted(modules()))
def test_nothing_private_is_imported_from_elsewhere(name: str) -> None:
    tree = ast.parse(modules()[name].read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("deixis"):
            hidden = [a.name for a in node.names if a.name.startswith("_") and a.name[1] != "_"]
            assert not hidden, f"{name} imports {hidden[0]} of {node.module}"


@pytest.mark.parametrize("name", sorted(modules()))
def test_public_names_come_from_where_they_are_defined(name: str) -> None:
    """A module that lists ``__all__`` lists names it has."""
    module_all = [
        node.value
        for node in ast.parse(modules()[name].read_text("utf-8")).body
        if isinstance(node, ast.Assign)
        and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets)
    ]
    for value in module_all:
        made = importlib.import_module(f"deixis.{name}")
        missing = [n for n in ast.literal_eval(value) if not hasattr(made, n)]
        assert not missing, f"{name}.__all__ lists {missing}, which it has not"


def test_tests_mirror_the_source() -> None:
    """Every file of tests stands where the source it is about stands."""
    tests = ROOT / "tests"
    folders = {p.parent.relative_to(SOURCE) for p in modules().values()}
    for path in tests.rglob("test_*.py"):
        folder = path.parent.relative_to(tests)
        known = folder in folders or folder.parts[0] in ("benchmarks", "docs", "scripts")
        assert known, f"{path}: there is no src/deixis/{folder}"


def test_the_names_at_the_top() -> None:
    nouns = [n for n in deixis.__all__ if n[0].isupper()]
    assert len(nouns) <= 10
    assert sorted(deixis.__all__) == deixis.__all__
    assert dir(deixis) == sorted([*deixis.__all__, "__version__"])
    for name in deixis.__all__:
        assert getattr(deixis, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'frob'"):
        deixis.frob  # noqa: B018
