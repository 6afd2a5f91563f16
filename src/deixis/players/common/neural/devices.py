"""Where models run, and in which numbers."""

from __future__ import annotations

from typing import Any

import torch

from deixis.errors import BadInput, unknown

PRECISIONS = {"float32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}


def device_of(written: str) -> torch.device:
    """The device of a name; ``auto`` is a graphics processor where there is one.

    Raises:
        BadInput: there is no such device.
    """
    if written == "auto":
        found: Any = torch.accelerator.current_accelerator(check_available=True)
        return found or torch.device("cpu")
    try:
        device = torch.device(written)
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError):
        raise BadInput(f"--device: there is no device {written!r} here") from None
    return device


def precision_of(written: str) -> torch.dtype:
    """The number format of a name.

    Raises:
        BadInput: there is no such format.
    """
    if written not in PRECISIONS:
        raise unknown(f"--precision: there is no precision {written!r}", written, PRECISIONS)
    return PRECISIONS[written]
