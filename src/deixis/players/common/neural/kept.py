"""A model that is opened when it is first needed, and travels light."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import torch
from torch import nn

M = TypeVar("M", bound=nn.Module)


class Kept(Generic[M]):
    """A model in memory, or one that can be opened from a folder.

    A run whose vectors are all in the cache opens no model. Sent to another process, a model from
    a folder travels as its path and is opened there; a model in memory travels whole.

    Attributes:
        revision: of the weights, known without opening.
    """

    def __init__(
        self, revision: str, *, model: M | None = None, opener: Callable[[], M] | None = None
    ) -> None:
        """Keep a model, or how to open it; the opener must be a plain value that can be sent."""
        self.revision = revision
        self._opener = opener
        self._model = model

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | ({"_model": None} if self._opener else {})

    def on(self, device: torch.device, precision: torch.dtype = torch.float32) -> M:
        """The model itself in evaluation mode, moved to a device and a number format."""
        if self._model is None:
            assert self._opener is not None  # one of the two is given
            self._model = self._opener()
        self._model.to(device, precision)
        return self._model.eval()
