"""Study files: what they may say, and what is said when they are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from deixis.collect.plan import Plan
from deixis.collect.running import make_platform, run_studies
from deixis.collect.store.engine import Store
from deixis.collect.study import built_in, load_study, parse_study
from deixis.errors import BadInput
from tests.collect.small import CONSENT, games, names

HEAD = 'name = "a"\nversion = 1\ntitle = "A"\nsummary = "a"\nminutes = 1\n'
PHASE = '[[phase]]\nname = "c"\ntype = "consent"\ntrials = [{ text = "?" }]\n'


@pytest.mark.parametrize("name", built_in())
def test_studies_of_the_package_are_ready(name: str) -> None:
    study = load_study(name)
    # The world with three pictures of each figure; how many there are changes nothing else.
    smaller = study.model_copy(update={"pool": study.pool | {"world": {"variants": 3}}})
    plan = Plan(smaller)
    assert plan.study.name == name
    assert plan.pool is not None
    assert plan.pool.units


def test_together_they_use_every_trial_type() -> None:
    from deixis import registry

    used = {t for name in built_in() for p in load_study(name).phases for t in p.types}
    # Those that collect statements need picture sets, which come with no package, and a dialog
    # needs a partner.
    others = {"rate_set", "write_contrast", "validate_sentence", "dialog"}
    assert used == set(registry.names("collect.trial_types")) - others


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = ", "no TOML"),
        (HEAD, "phase: Field required"),
        (HEAD.replace("minutes", "minuts") + PHASE, "toml:5: minuts: there is no such field"),
        (HEAD + "color = 1\n" + PHASE, "toml:6: color: there is no such field"),
        (HEAD.replace('"a"', '"A b"', 1) + PHASE, "name: String should match"),
        (HEAD + PHASE + PHASE, "two phases have the same name"),
        (HEAD + '[[phase]]\nname = "c"\ntype = "consent"\n', "trials are written down"),
        (HEAD + '[[phase]]\nname = "c"\ntype = "read"\nuse = "pool"\n', "there is no .pool."),
        (HEAD + '[pay]\ncurrency = "euro"\n' + PHASE, "pay.currency"),
        (HEAD + "[debrief]\nnever = 'x'\n" + PHASE, "debrief.never"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(text: str, said: str) -> None:
    with pytest.raises(BadInput, match=said) as caught:
        parse_study(text, "study.toml")
    assert str(caught.value).startswith("study.toml:")
    assert "\n" not in str(caught.value)


def test_a_study_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"there is no study 'x'.*figures-games"):
        load_study("x")
    with pytest.raises(BadInput, match="there is no file"):
        load_study(tmp_path / "x.toml")


def test_the_hash_is_of_what_is_said_not_of_how() -> None:
    one = parse_study(HEAD + PHASE, "x")
    spaced = parse_study("# why\n" + HEAD.replace(" = ", "=") + "\n" + PHASE, "x")
    other = parse_study(HEAD.replace("minutes = 1", "minutes = 2") + PHASE, "x")
    assert one.hash == spaced.hash != other.hash
    assert len(one.hash) == 16


def test_amounts_are_exact() -> None:
    study = games(pay={"reward": 1.1, "per_right": 0.07})
    assert str(study.pay.reward) == "1.1"
    assert study.hash != games(pay={"reward": 1.2}).hash


@pytest.mark.parametrize(
    ("study", "said"),
    [
        ({"phase": [CONSENT | {"type": "dance"}]}, "no trial type 'dance'"),
        (
            {"phase": [CONSENT | {"trials": [{"words": "?"}]}]},
            r"phase\.0\.trials\.0\.words: there is no",
        ),
        (
            {"phase": [CONSENT, {"name": "n", "type": "describe_whole", "use": "pool"}]},
            "is for choose",
        ),
        ({"pool": {"kind": "stones"}}, "no pool 'stones'"),
        ({"pool": {"kind": "games", "conditions": {}}}, "pool.conditions"),
        ({"pool": {"conditions": {"a": "", "b": ""}}}, "two conditions are the same"),
        ({"pool": {"conditions": {"a": "smell=drop"}}}, "no channel 'smell'"),
        ({"pool": {"source": "nothing"}}, "no source 'nothing'"),
        ({"pool": {"world": {"size": 3}}}, "--size is no option of figures"),
        ({"pool": {"options": {"direction": "picture-to-text"}}}, "catch = 0"),
    ],
)
def test_what_only_the_plan_finds(study: dict[str, object], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        Plan(games(**study))


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(b'title = "\xe9"')
    with pytest.raises(BadInput, match=r"x\.toml: not UTF-8"):
        load_study(tmp_path / "x.toml")


PLACED = """name = "a"
version = 1
title = \"\"\"
[not] a = table
\"\"\"
summary = "a"
minutes = 1

[eligibility]
approved_in = ["nowhere"]

[platform]
name = "moon"

[[phase]]
name = "c"
type = "quiz"

[[phase.trials]]
[[phase.trials.questions]]
id = "a"
text = "a"
options = ["a", "b"]
answer = 3
"""


def test_what_is_wrong_later_is_said_with_its_line_too(store: Store) -> None:
    with pytest.raises(
        BadInput, match=r"x\.toml:20: phase\.0\.trials\.0\.questions\.0: .* option 3"
    ):
        Plan(parse_study(PLACED, "x.toml"))
    sound = parse_study(PLACED.replace("answer = 3", "answer = 0"), "x.toml")
    with pytest.raises(BadInput, match=r"x\.toml:12: there is no platform 'moon'"):
        run_studies(store, [sound])
    there = sound.model_copy(update={"platform": {}})
    with pytest.raises(BadInput, match=r"x\.toml:10: nobody can be approved in nowhere"):
        run_studies(store, [there])


def test_pictures_in_texts_must_be_there() -> None:
    read = {
        "name": "r",
        "type": "read",
        "trials": [{"text": "x", "pictures": [{"picture": "owl"}]}],
    }
    with pytest.raises(BadInput, match="no tangram 'owl'"):
        Plan(names(phase=[read]))
    with pytest.raises(BadInput, match="its pool has none"):
        Plan(names(phase=[read], pool={}).model_copy(update={"pool": {}}))


@pytest.mark.parametrize(
    ("platform", "said"),
    [
        ({"name": "moon"}, "no platform 'moon'"),
        ({"name": "generic", "redirect": "javascript:alert(1)"}, "begins with https"),
        ({"name": "sona", "site": "http://x", "experiment": "1", "credit_token": "t"}, "site"),
        ({"name": "prolific", "secret": "x"}, "secret"),
    ],
)
def test_platforms_that_are_wrong(platform: dict[str, str], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        make_platform(games(platform=platform))


def test_a_changed_study_needs_a_new_version(store: Store) -> None:
    first = run_studies(store, [games()])["games"]
    assert run_studies(store, [games()])["games"].id == first.id
    changed = games(title="Other")
    with pytest.raises(BadInput, match=r"the study changed since version 1.*raise its version"):
        run_studies(store, [changed])
    again = run_studies(store, [games(title="Other", version=2)])["games"]
    assert again.id == first.id
    with pytest.raises(BadInput, match="two studies are named"):
        run_studies(store, [games(version=2, title="Other")] * 2)


def test_the_published_studies_of_the_docs_are_sound(data: Path) -> None:
    folder = Path(__file__).parents[2] / "docs" / "studies"
    # Those of pairs need pictures that were gathered; tests/collect/pools/test_pairs.py has them.
    files = [p for p in sorted(folder.glob("*.toml")) if not p.stem.startswith("pairs-")]
    made = {p.stem: Plan(load_study(p), data) for p in files}
    pool = made["kilogram-games"].pool
    assert pool is not None
    assert len(pool.arms) == 4
    assert made["kilogram-names"].pool is not None
    assert len(made["kilogram-names"].pool.units) == 1013
    assert max(u.wanted for u in made["kilogram-names"].pool.units) == 50
