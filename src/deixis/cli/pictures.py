"""``deixis collect pictures``: from a list of synsets to sets of similar pictures."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from deixis.cli.options import Switch
from deixis.cli.show import print_json, progress, table
from deixis.errors import BadInput, extra

if TYPE_CHECKING:
    from deixis.collect.pictures.gathered import Gathered
    from deixis.collect.pictures.provider import Provider
    from deixis.progress import Progress


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
        folder: A folder of pictures to search in, by its table pictures.csv or by their names.
        commons: Search Wikimedia Commons; an address at which its servers' keepers reach you. What
            is downloaded is kept in OUT.downloads until the end, so that the same command goes on.
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
    with progress() as told:
        if synsets is None:
            gathered = _made(made, seed, out, told)
        else:
            gathered = _searched(synsets, _provider(folder, commons, api, out), out, told)
    from deixis.collect.pictures.ledger import Ledger

    said: dict[str, Any] = {
        "schema": "deixis/pictures/1",
        "out": str(out),
        "pictures": len(gathered.photos),
        "sets": len(gathered.sets),
        "decisions": Ledger(out / "ledger.jsonl").counts(),
    }
    if json:
        print_json(said)
        return
    table(
        "every decision",
        ["step, what: why", "n"],
        [[k, str(n)] for k, n in said["decisions"].items()],
    )
    print(f"{said['sets']} sets of {said['pictures']} pictures in {out}")


def _made(n: int, seed: int, out: Path, told: Progress) -> Gathered:
    from deixis.collect.pictures.gathered import gather
    from deixis.collect.pictures.provider import LocalPictures
    from deixis.collect.simulate.photos import make_photos, wanted

    with tempfile.TemporaryDirectory() as temporary:
        scenes = make_photos(Path(temporary), n, seed)
        return gather(out, wanted(), LocalPictures(Path(temporary)), scenes, told)


def _searched(
    synsets: Path, provider: AbstractContextManager[Provider], out: Path, told: Progress
) -> Gathered:
    from deixis.collect.pictures.gathered import gather
    from deixis.collect.pictures.queries import queries, read_synsets

    wanted = [q for s in read_synsets(synsets) for q in queries(s)]
    with provider as opened:
        return gather(out, wanted, opened, progress=told)


@contextmanager
def _provider(folder: Path | None, contact: str, api: str, out: Path) -> Iterator[Provider]:
    from deixis.collect.pictures.commons import API, Commons
    from deixis.collect.pictures.provider import Kept, LocalPictures

    if folder is not None:
        yield LocalPictures(folder)
        return
    wiki, downloads = Commons(contact, api or API), out.with_name(f"{out.name}.downloads")
    try:
        yield Kept(wiki, downloads)
    finally:
        wiki.close()
    shutil.rmtree(downloads, ignore_errors=True)
