"""How scenes reach a player that reasons about them: as they were drawn, or as an eye sees them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from deixis.errors import BadInput
from deixis.pictures.scene import Scene
from deixis.pictures.scenestore import SceneStore
from deixis.tasks.statement import NOTHING
from deixis.trials import Picture, StatementView


@dataclass(frozen=True)
class Sight:
    """Makes scenes of pictures.

    Attributes:
        name: as it stands behind a player's colon.
        revision: changes whenever the scenes could.
        see: the scenes of some pictures of a store.
    """

    name: str
    revision: str
    see: Callable[[SceneStore, Sequence[Picture]], list[Scene]]

    def of(self, player: str) -> str:
        """The name of a player that sees so."""
        return f"{player}:{self.name}" if self.name else player


def sight(player: str, argument: str) -> Sight:
    """How ``PLAYER:ARGUMENT`` sees: with ``eye`` it looks at pixels, with nothing it is told.

    Raises:
        BadInput: the argument is another.
    """
    if not argument:
        return TOLD
    if argument != "eye":
        raise BadInput(f"{player}: expected eye or nothing behind the colon, got {argument!r}")
    from deixis.players.statement.neural.reading import eyesight

    return eyesight()


def told(store: SceneStore, pictures: Sequence[Picture]) -> list[Scene]:
    """The scenes that pictures were drawn from; empty boxes where nothing can be made out."""
    nothing: Scene = ((),) * store.boxes
    return [nothing if (s := store.seen(p)) is None else s for p in pictures]


TOLD = Sight("", "", told)


def shown(sight: Sight, store: SceneStore, views: Sequence[StatementView]) -> list[Scene]:
    """The boxes of both pictures of each view, from left to right."""
    pictures = [[p for p in (v.left, v.right) if p != NOTHING] for v in views]
    seen = iter(sight.see(store, [p for some in pictures for p in some]))
    return [tuple(box for _ in some for box in next(seen)) for some in pictures]
