"""Names of devices and number formats."""

from __future__ import annotations

import pytest
import torch

from deixis.errors import BadInput
from deixis.players.common.neural.devices import device_of, precision_of


def test_names() -> None:
    assert device_of("cpu") == torch.device("cpu")
    assert precision_of("bf16") is torch.bfloat16
    expected = "cuda" if torch.cuda.is_available() else "cpu"
    assert device_of("auto").type == expected or torch.accelerator.is_available()


@pytest.mark.parametrize("name", ["abacus", "cuda:99"])
def test_devices_that_are_not_there(name: str) -> None:
    with pytest.raises(BadInput, match=f"--device: there is no device '{name}' here"):
        device_of(name)


def test_formats_that_are_none() -> None:
    with pytest.raises(BadInput, match="no precision 'int8'"):
        precision_of("int8")
