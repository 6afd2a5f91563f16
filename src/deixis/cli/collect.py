"""``deixis collect``: look after studies for people, while a server runs or not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import App, Parameter
from platformdirs import user_data_path

from deixis.cli.options import Switch
from deixis.cli.show import print_json
from deixis.errors import BadInput, extra

if TYPE_CHECKING:
    from deixis.collect.running import Running
    from deixis.collect.store.engine import Store

collect = App(
    "collect", help="Gather material for studies, look after them, release what they make."
)
for _name, _purpose in {
    "pictures": "Gather pictures for a collection: search, prune, and build sets of similar ones.",
    "release": "Write the dataset that studies of a collection have made, and lint it.",
    "scan": "Trace scans or photographs of solved tangrams.",
    "talk": "Serve live dialogs about a source, without a study around them.",
}.items():
    collect.command(f"deixis.cli.{_name}:{_name}", name=_name, help=_purpose)


@Parameter(name="*")
@dataclass(frozen=True)
class Place:
    """Where answers are.

    Attributes:
        home: Folder of the answers, the secret and exports; by default one of the user's.
        store: Where answers are kept: sqlite:///PATH or postgresql://…; by default in the home.
        data: A dataset's folder or one above it; else DEIXIS_DATA, else the user's cache.
    """

    home: Path | None = None
    store: str = ""
    data: Path | None = None

    @contextmanager
    def opened(self) -> Iterator[Store]:
        """The store, for as long as a block lasts."""
        extra("fastapi", "collect")
        from deixis.collect.serving import store_url
        from deixis.collect.store.opening import open_store

        home = self.home or user_data_path("deixis") / "people"
        opened = open_store(self.store or store_url(home))
        try:
            yield opened
        finally:
            opened.close()

    def running(self, store: Store, study: str) -> Running:
        """A study that the store knows, brought up to date if its file says so."""
        from deixis.collect.running import run_studies
        from deixis.collect.study import load_study

        made = load_study(study)
        return run_studies(store, [made], self.data)[made.name]


Where = Annotated[Place, Parameter(name="*")]


@collect.command
def export(
    study: str,
    folder: Path,
    /,
    *,
    mode: Literal["live", "test"] = "live",
    published_exclusions: Switch = False,
    where: Where = Place(),
    json: Switch = False,
) -> None:
    """Write a study's answers, sessions, payments, annotations and run into a new folder.

    Args:
        study: Its file, or its name if it comes with the package.
        folder: Where to; must not exist.
        mode: People in earnest, or previews and simulations.
        published_exclusions: Leave out of the run who failed a catch trial, and answers within 2 s.
        json: Print the manifest and nothing else.
    """
    with where.opened() as store:
        from deixis.collect.export.export import export_study
        from deixis.collect.export.games import PUBLISHED

        exclude = PUBLISHED if published_exclusions else None
        running = where.running(store, study)
        told = export_study(store, running, folder, mode=mode, exclude=exclude)
    _say(told, json, f"{told['rows']['answers']} answers in {folder}")


@collect.command
def backup(file: Path, /, *, where: Where = Place(), json: Switch = False) -> None:
    """Write everything that is kept into one archive; it holds raw ids, so keep it safe.

    Args:
        file: Where to; must not exist.
        json: Print the manifest and nothing else.
    """
    with where.opened() as store:
        from deixis.collect.store.backup import backup as write

        told = write(store, file)
    _say(told, json, f"{sum(t['rows'] for t in told['tables'].values())} rows in {file}")


@collect.command
def restore(file: Path, /, *, where: Where = Place(), json: Switch = False) -> None:
    """Fill an empty store from an archive, whatever store it was made from.

    Args:
        file: The archive.
        json: Print the manifest and nothing else.
    """
    with where.opened() as store:
        from deixis.collect.store.backup import restore as fill

        told = fill(store, file)
        shown = store.shown
    _say(told, json, f"{sum(t['rows'] for t in told['tables'].values())} rows in {shown}")


@collect.command
def erase(study: str, person: str, /, *, where: Where = Place(), json: Switch = False) -> None:
    """Erase a person from a study.

    Args:
        study: Its name.
        person: The platform's id of the person, or the name that exports give.
        json: Print what went and nothing else.
    """
    with where.opened() as store:
        from deixis.collect.clock import now
        from deixis.collect.store.people import erase as forget
        from deixis.collect.store.people import find

        found = store.read(find, study, person)
        if found is None:
            raise BadInput(f"{study}: nobody there is {person!r}")
        gone = store.write(forget, found, now())
    told = {"schema": "deixis/erase/1", "study": study, "gone": gone}
    _say(told, json, f"erased; {gone['answer']} answers went")


@collect.command
def account(
    name: str,
    /,
    *,
    role: Literal["owner", "reviewer", "viewer"] = "viewer",
    remove: Switch = False,
    where: Where = Place(),
    json: Switch = False,
) -> None:
    """Make a researcher's account, or give it a new password, which is printed once.

    Args:
        name: Of the account.
        role: Viewers see progress, reviewers answers and exports too, owners do everything.
        remove: Remove the account instead.
        json: Print name, role and password as one object and nothing else.
    """
    with where.opened() as store:
        from deixis.collect.store.accounts import add_account, remove_account

        if remove:
            remove_account(store, name)
            password, sentence = None, f"{name} can no longer sign in"
        else:
            password = add_account(store, name, role)
            sentence = f"{name} ({role}), password {password}"
    told = {"schema": "deixis/admin/1", "name": name, "role": role, "password": password}
    _say(told, json, sentence)


@collect.command(name="import")
def import_results(file: Path, folder: Path, /, *, key: str, json: Switch = False) -> None:
    """Read an old result file of Mechanical Turk into tables without worker ids.

    Args:
        file: A batch's .csv, or .json with Assignments.
        folder: Where to; made if need be.
        key: Any secret text; the same one gives the same worker the same name.
        json: Print what was read and nothing else.
    """
    extra("fastapi", "collect")
    from deixis.collect.export.files import write_tables
    from deixis.collect.platforms.mturk import COLUMNS, assignments

    folder.mkdir(parents=True, exist_ok=True)
    n = write_tables(folder, "assignments", COLUMNS, assignments(file, key))
    told = {"schema": "deixis/import/1", "file": str(file), "assignments": n}
    _say(told, json, f"{n} assignments in {folder}")


@collect.command
def draft(study: str, /, *, url: str, where: Where = Place(), json: Switch = False) -> None:
    """Make a study on Prolific, not published yet; its id then goes into the study file.

    Args:
        study: Its file.
        url: The https:// address of the study's page.
        json: Print its id there and nothing else.
    """
    token = os.environ.get("DEIXIS_PROLIFIC_TOKEN")
    if not token or not url.startswith("https://"):
        raise BadInput("draft needs DEIXIS_PROLIFIC_TOKEN to be set, and an --url with https://")
    with where.opened() as store:
        from deixis.collect.platforms.prolific.client import Client, Failed, Unknown
        from deixis.collect.platforms.prolific.platform import Prolific
        from deixis.collect.store.sessions import study_named

        running = where.running(store, study)
        platform, pool = running.platform, running.plan.pool
        if not isinstance(platform, Prolific):
            raise BadInput(f"{study}: its [platform] is {platform.name}, not prolific")
        row = store.read(study_named, running.study.name)
        assert row is not None  # it was installed just now
        places = sum(u.wanted for u in pool.units) if pool else 1
        client = Client(platform.api, token)
        try:
            made = client.create_study(platform.draft(running.study, row.secret, url, places))
        except (Failed, Unknown) as error:
            raise BadInput(f"no study was made: {error}") from None
        finally:
            client.close()
    told = {"schema": "deixis/draft/1", "study": running.study.name, "prolific": made}
    _say(told, json, f'made; write study = "{made}" under [platform] and raise the version')


def _say(told: dict[str, Any], json: bool, sentence: str) -> None:
    print_json(told) if json else print(sentence)
