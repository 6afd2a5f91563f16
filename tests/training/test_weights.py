"""Files of weights: whole or not at all, and errors that say why."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest
import torch
from torch import nn

from deixis.errors import BadInput
from deixis.training import weights


def test_there_and_back(tmp_path: Path) -> None:
    shared = torch.arange(6.0).reshape(2, 3)
    given = {
        "a": shared,
        "b": shared.T,  # shares memory, not contiguous
        "c": torch.tensor(3, dtype=torch.int64),
        "d": torch.ones(2, dtype=torch.bfloat16, requires_grad=True),
    }
    weights.write(tmp_path / "new" / "w.safetensors", given, {"what": "tést"})
    found, about = weights.read(tmp_path / "new" / "w.safetensors")
    assert about == {"what": "tést"}
    assert all(torch.equal(found[n], given[n]) for n in given)
    assert weights.fingerprint(found) == weights.fingerprint(given)


def test_a_disk_that_fills_leaves_the_old_file(tmp_path: Path) -> None:
    """The system itself refuses to let a file grow beyond 64 kB."""
    path = tmp_path / "w.safetensors"
    weights.write(path, {"a": torch.ones(10)})
    held = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, hard))
    try:
        with pytest.raises(BadInput, match=r"w\.safetensors: could not be written .*as it was$"):
            weights.write(path, {"a": torch.ones(100_000)})
        with pytest.raises(BadInput, match=r"other: could not be written [^;]*$"):
            weights.write(tmp_path / "other", {"a": torch.ones(100_000)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == held
    assert [p.name for p in tmp_path.iterdir()] == ["w.safetensors"]


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="file: could not be made"):
        weights.write(tmp_path / "file" / "w.safetensors", {"a": torch.ones(1)})


@pytest.mark.parametrize("kept", [0, 4, 40, 200])
def test_files_cut_short(kept: int, tmp_path: Path) -> None:
    path = tmp_path / "w.safetensors"
    weights.write(path, {"a": torch.ones(100)})
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(BadInput, match=r"w\.safetensors: no safetensors file, or one cut short"):
        weights.read(path)


def test_no_file_and_other_files(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file of weights"):
        weights.read(tmp_path / "none")
    (tmp_path / "text").write_text("hello, I am not made of tensors")
    with pytest.raises(BadInput, match="no safetensors file"):
        weights.read(tmp_path / "text")


def test_another_architecture_is_named_by_its_first_difference() -> None:
    own = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
    same = {n: torch.zeros_like(t) for n, t in own.state_dict().items()}
    weights.load(own, same, "w")
    assert all((t == 0).all() for t in own.state_dict().values())
    lacking = {n: t for n, t in same.items() if n != "1.bias"}
    with pytest.raises(BadInput, match=r"w: weights of another architecture: 1\.bias is missing"):
        weights.load(own, lacking, "w")
    with pytest.raises(BadInput, match=r"0\.weight has shape \[3, 5\], expected \[3, 2\]"):
        weights.load(own, same | {"0.weight": torch.zeros(3, 5)}, "w")
    with pytest.raises(BadInput, match=r"it has no extra\.bias"):
        weights.load(own, same | {"extra.bias": torch.zeros(1)}, "w")


def test_the_fingerprint_sees_names_types_shapes_and_values() -> None:
    base = {"a": torch.zeros(2, 2), "b": torch.zeros(1)}
    others = [
        {"a": torch.zeros(2, 2), "c": torch.zeros(1)},
        {"a": torch.zeros(4), "b": torch.zeros(1)},
        {"a": torch.zeros(2, 2, dtype=torch.float16), "b": torch.zeros(1)},
        {"a": torch.zeros(2, 2), "b": torch.tensor([1e-30])},
    ]
    prints = {weights.fingerprint(x) for x in (base, *others)}
    assert len(prints) == 5
    assert weights.fingerprint(dict(reversed(base.items()))) == weights.fingerprint(base)
