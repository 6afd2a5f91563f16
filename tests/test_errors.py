from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from deixis.errors import BadInput, DeixisError, extra


def test_bad_input_is_an_error_of_this_package() -> None:
    assert issubclass(BadInput, DeixisError)


def test_extra_gives_the_module() -> None:
    assert extra("json", "none") is json


def test_what_is_absent_names_the_command_that_installs_it() -> None:
    with pytest.raises(BadInput, match=r"pip install 'deixis\[lamp\]'"):
        extra("no_such_library_here", "lamp")
    with pytest.raises(BadInput, match=r"^no_such_library_here is not installed"):
        extra("no_such_library_here.inner", "lamp")


def test_a_library_that_is_broken_inside_is_not_called_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "half_installed_library.py").write_text("import no_such_dependency\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match=r"no_such_dependency"):
        extra("half_installed_library", "lamp")
    sys.modules.pop("half_installed_library", None)
