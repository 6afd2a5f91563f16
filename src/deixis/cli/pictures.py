"""``deixis collect pictures``: from a list of synsets to sets of similar pictures."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from deixis.cli.options import Switch
from deixis.cli.show import print_json, table
from deixis.errors import BadInput, extra

if TYPE_CHECKING:
    from deixis.collect.pictures.gathered import Gathered


def pictures(
    synsets: Path | None = None,
    /,
    *,
    out: Path,
    folder: Annotated[Path | None, Parameter(name="--from")] = None,
    commons: str = "",
    api: str = "",
    made: int = 0,
    seed: int = 0,
    json: Switch = False,
) -> None:
    """Gather pictures for a collection: search, prune, and build sets of similar ones.

    Args:
        synsets: A TOML file of synsets and the words that go with them; not needed with --made.
        out: Folder for pictures, sets and the ledger of decisions; must not exist.
        folder: A folder with a table pictures.csv to search in.
        commons: Search Wikimedia Commons; an address at which its servers' keepers reach you.
        api: Of another wiki than Commons.
        made: Make so many pictures of shapes instead, to try things out.
        seed: Of made pictures.
        json: Print one JSON object and nothing else.
    """
    extra("pydantic", "collect")
    if sum((folder is not None, bool(commons), made > 0)) != 1:
        raise BadInput(
            "pictures: say where from: one of --from FOLDER, --commons CONTACT, --made N"
        )
    if (synsets is None) != (made > 0):
        raise BadInput("pictures: a file of synsets goes with --from and --commons, and only there")
    gathered = _made(made, seed, out) if made else _searched(synsets, folder, commons, api, out)
    from deixis.collect.pictures.ledger import Ledger

    told: dict[str, Any] = {
        "schema": "deixis/pictures/1",
        "out": str(out),
        "pictures": len(gathered.photos),
        "sets": len(gathered.sets),
        "decisions": Ledger(out / "ledger.jsonl").counts(),
    }
    if json:
        print_json(told)
        return
    table(
        "every decision",
        ["step, what: why", "n"],
        [[k, str(n)] for k, n in told["decisions"].items()],
    )
    print(f"{told['sets']} sets of {told['pictures']} pictures in {out}")


def _made(n: int, seed: int, out: Path) -> Gathered:
    from deixis.collect.pictures.gathered import gather
    from deixis.collect.pictures.provider import LocalPictures
    from deixis.collect.simulate.photos import make_photos, wanted

    with tempfile.TemporaryDirectory() as temporary:
        scenes = make_photos(Path(temporary), n, seed)
        return gather(out, wanted(), LocalPictures(Path(temporary)), scenes)


def _searched(
    synsets: Path | None, folder: Path | None, contact: str, api: str, out: Path
) -> Gathered:
    from deixis.collect.pictures.gathered import gather
    from deixis.collect.pictures.queries import queries, read_synsets

    assert synsets is not None  # checked before
    wanted = [q for s in read_synsets(synsets) for q in queries(s)]
    with _provider(folder, contact, api) as provider:
        return gather(out, wanted, provider)


@contextmanager
def _provider(folder: Path | None, contact: str, api: str) -> Iterator[Any]:
    from deixis.collect.pictures.commons import API, Commons
    from deixis.collect.pictures.provider import LocalPictures

    if folder is not None:
        yield LocalPictures(folder)
        return
    wiki = Commons(contact, api or API)
    try:
        yield wiki
    finally:
        wiki.close()
