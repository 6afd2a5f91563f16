"""Notebooks: run in this process, kept with what they gave, and shown as Markdown.

    python docs/site/notebook.py FILE.ipynb...

runs the cells of each and writes their outputs into the file. Cells are Python alone; what they
print, the value of their last expression, and pictures are kept.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import html
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

Notebook = dict[str, Any]


def execute(notebook: Notebook) -> Notebook:
    """The same notebook with the outputs of a new run, in an empty folder.

    Args:
        notebook: in the format nbformat 4.
    """
    space: dict[str, Any] = {"__name__": "__main__"}
    cells, number, here = [], 0, Path.cwd()
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        try:
            for cell in notebook["cells"]:
                if cell["cell_type"] == "code":
                    number += 1
                    outputs = _outputs("".join(cell["source"]), number, space)
                    cell = {**cell, "execution_count": number, "outputs": outputs}
                cells.append(cell)
        finally:
            os.chdir(here)
    return {**notebook, "cells": cells}


def _outputs(code: str, number: int, space: dict[str, Any]) -> list[dict[str, Any]]:
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), space)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), space)
    made: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        made.append({"output_type": "stream", "name": "stdout", "text": text})
    if value is not None:
        made.append(
            {
                "output_type": "execute_result",
                "execution_count": number,
                "metadata": {},
                "data": _shown(value),
            }
        )
    return made


def _shown(value: Any) -> dict[str, Any]:
    """A value as text, and as a picture where it is one: of PIL, or a figure of matplotlib."""
    made: dict[str, Any] = {"text/plain": repr(value).splitlines(keepends=True)}
    file = io.BytesIO()
    if hasattr(value, "savefig"):
        # Without the program's version, the same figure is the same file.
        value.savefig(file, format="png", bbox_inches="tight", metadata={"Software": None})
        made["text/plain"] = ["a figure"]
    elif hasattr(value, "_repr_png_"):
        value.save(file, "PNG")
        made["text/plain"] = [f"a picture of {value.size[0]} x {value.size[1]} pixels"]
    if file.getvalue():
        made["image/png"] = base64.b64encode(file.getvalue()).decode()
    return made


def notebook_markdown(notebook: Notebook) -> str:
    """A notebook as a page of Markdown, with its outputs."""
    lines: list[str] = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            lines += [text, ""]
            continue
        lines += ["```python", text, "```", ""]
        for output in cell["outputs"]:
            lines += [_output(output), ""]
    return "\n".join(lines)


def _output(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    text = "".join(output.get("text") or data.get("text/plain", ""))
    if "image/png" in data:
        source = f"data:image/png;base64,{data['image/png']}"
        return f'<p><img alt="{html.escape(text)}" src="{source}"></p>'
    inner = html.escape(text.rstrip("\n"))
    return f'<pre class="output" tabindex="0">{inner}</pre>'.replace("\n\n", "\n&#8203;\n")


def write(path: Path) -> None:
    """Run a notebook and write it back."""
    held = execute(json.loads(path.read_text("utf-8")))
    path.write_text(json.dumps(held, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        write(Path(name))
        print(name)
