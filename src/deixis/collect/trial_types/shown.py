"""Pictures that study files put beside their texts."""

from __future__ import annotations

from typing import Any

from deixis.collect.study import Model
from deixis.collect.trial import Pictures


class Shown(Model):
    """A picture with a caption.

    Attributes:
        picture: its source in the pool's store.
        paint: the part position of each piece; black where left out.
        caption: under the picture.
    """

    picture: str
    paint: tuple[int | None, ...] | None = None
    caption: str = ""

    def page(self, pictures: Pictures) -> dict[str, Any]:
        """As the browser gets it."""
        return {"drawing": pictures(self.picture, self.paint), "caption": self.caption}
