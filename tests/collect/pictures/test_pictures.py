"""Queries, providers with faults, pruning with its ledger, exact similar pictures, sets."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from deixis.collect.pictures.commons import Commons
from deixis.collect.pictures.gathered import gather
from deixis.collect.pictures.ledger import Ledger
from deixis.collect.pictures.near import average_hash, nearest_hashes, nearest_vectors
from deixis.collect.pictures.provider import Found, Kept, LocalPictures, Unavailable
from deixis.collect.pictures.prune import Pruner, safe_pixels
from deixis.collect.pictures.queries import Query, Synset, queries, read_synsets
from deixis.collect.pictures.sets import build_sets
from deixis.errors import BadInput


def picture(seed: int, size: tuple[int, int] = (220, 210), kind: str = "PNG") -> bytes:
    """A file with a pattern of its own."""
    rough = np.random.default_rng(seed).integers(0, 255, (6, 6, 3), dtype=np.uint8)
    file = io.BytesIO()
    Image.fromarray(rough).resize(size, Image.Resampling.NEAREST).save(file, kind)
    return file.getvalue()


def test_queries_come_from_every_kind_of_word() -> None:
    made = Synset("vase", "vases", ("row",), ("pottery",), ("sofa",), ("falling",))
    phrases = {q.phrase: q.kind for q in queries(made)}
    assert phrases["two vases"] == "two"
    assert phrases["row of vases"] == "collective"
    assert phrases["vase pottery"] == "hypernym"
    assert phrases["vase sofa"] == "companion"
    assert phrases["vases falling"] == "activity"
    assert Query("vase", "two vases", "two").most == (60, 100)
    assert Query("vase", "vase sofa", "companion").most == (30, 60)


def test_synsets_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "synsets.toml"
    path.write_text('[[synset]]\nname = "yak"\ncollectives = ["herd"]\n')
    assert read_synsets(path) == [Synset("yak", "yaks", ("herd",))]
    for text, said in {
        "x = ": "no TOML",
        "a = 1": r"expected \[\[synset\]\]",
        "[[synset]]\nplural = 'x'": "needs a name",
        "[[synset]]\nname = 'a'\nsize = 3": "size = 3 is not understood",
        "[[synset]]\nname = 'a'\n[[synset]]\nname = 'a'": "'a' stands there twice",
    }.items():
        path.write_text(text)
        with pytest.raises(BadInput, match=said):
            read_synsets(path)
    with pytest.raises(BadInput, match="there is no file"):
        read_synsets(tmp_path / "none.toml")


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=40), st.integers(1, 8))
def test_nearest_hashes_are_exact(hashes: list[int], k: int) -> None:
    array = np.array(hashes, dtype=np.uint64)
    places, bits = nearest_hashes(array, array, k)
    for i, one in enumerate(hashes):
        true = sorted(range(len(hashes)), key=lambda j: ((one ^ hashes[j]).bit_count(), j))
        assert places[i].tolist() == true[:k]
        assert bits[i].tolist() == [(one ^ hashes[j]).bit_count() for j in true[:k]]


def test_nearest_vectors_are_exact() -> None:
    made = np.random.default_rng(0).normal(size=(300, 8)).astype(np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    places, apart = nearest_vectors(made, made, 5)
    assert (places[:, 0] == np.arange(300)).all()
    assert np.sort(1 - made @ made.T, axis=1)[:, :5] - apart == pytest.approx(0, abs=1e-5)
    assert nearest_vectors(made, made[:0], 5)[0].shape == (300, 0)


def test_the_hash_is_that_of_eight_by_eight() -> None:
    half = np.zeros((64, 64, 3), np.uint8)
    half[:32] = 255
    assert average_hash(half) == 0xFFFFFFFF00000000


def local(folder: Path, files: dict[str, bytes], rows: str = "") -> LocalPictures:
    """A folder with these files, all of them yaks."""
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    table = "file,words\n" + "".join(f"{name},herd of yaks\n" for name in files) + rows
    (folder / "pictures.csv").write_text(table)
    return LocalPictures(folder)


def test_pruning_says_why(tmp_path: Path) -> None:
    bomb = io.BytesIO()
    Image.new("1", (30_000, 30_000)).save(bomb, "PNG")
    files = {
        "a.png": picture(1),
        "b.jpg": picture(2, kind="JPEG"),
        "again.png": picture(1),
        "small.png": picture(3, (199, 300)),
        "page.jpg": b"<!doctype html><html>gone</html>",
        "cut.png": picture(4)[:300],
        "bomb.png": bomb.getvalue(),
        "odd.tif": picture(5, kind="TIFF"),
    }
    provider = local(tmp_path / "p", files, "lost.png,yaks\n")
    ledger = Ledger(tmp_path / "ledger.jsonl")
    pruner = Pruner(provider, ledger)
    kept = [f for f in provider.search("yaks") if pruner.look(f)]
    assert [f.url for f in kept] == ["file:a.png", "file:b.jpg"]
    stock = Found("https://a.alamy.com/x.jpg")
    assert pruner.look(stock) is None
    assert pruner.look(stock) is None  # a second look is no second decision
    why = {d.id: d.why for d in ledger.decisions}
    assert why["file:again.png"] == "exact duplicate"
    assert why["file:small.png"] == "smaller than 200 × 200"
    assert why["file:page.jpg"] == "no picture"
    assert why["file:cut.png"] == "broken"
    assert why["file:bomb.png"] == "far too large"
    assert why["file:odd.tif"] == "an unusual kind"
    assert why["file:lost.png"].startswith("not to be had")
    assert why[stock.url] == "stock domain"
    assert len(ledger.decisions) == 10
    ledger.save()
    ledger.save()
    assert Ledger(tmp_path / "ledger.jsonl").decisions == ledger.decisions
    (tmp_path / "ledger.jsonl").write_text("{}\n")
    with pytest.raises(BadInput, match=":1: no decision"):
        Ledger(tmp_path / "ledger.jsonl")
    with pytest.raises(BadInput, match="far too large"):
        safe_pixels(bomb.getvalue(), "x")


def test_a_folder_of_pictures_needs_a_good_table(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no pictures there, and no table pictures\.csv"):
        LocalPictures(tmp_path)
    with pytest.raises(BadInput, match="there is no folder"):
        LocalPictures(tmp_path / "none")
    for text, said in {
        "words\nx\n": "no column 'file'",
        "file,url\na.png,x\n": "no column 'words'",
        "file,words\na.png,d\xe9j\xe0\n": "not UTF-8",
        "file,words,colour\na.png,x,red\n": "csv:2: unknown column 'colour'",
        "file,words\n../a.png,x\n": "csv:2: '../a.png' is no file of the folder",
    }.items():
        (tmp_path / "pictures.csv").write_text(text, "latin-1")
        with pytest.raises(BadInput, match=said):
            LocalPictures(tmp_path)
    provider = local(tmp_path, {"a.png": b""})
    with pytest.raises(Unavailable):
        provider.content(Found("elsewhere"))


def test_a_folder_without_a_table_is_found_by_names(tmp_path: Path) -> None:
    for name in ("dogs/two_on-grass2.JPG", "cat.png", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(picture(1))
    provider = LocalPictures(tmp_path)
    assert [f.url for f in provider.search("two dogs")] == ["file:dogs/two_on-grass2.JPG"]
    (found,) = provider.search("grass")
    assert provider.content(found) == picture(1)
    (tmp_path / "pictures.csv").write_text("file,words\ncat.png,grass\n", "utf-8-sig")
    assert [f.url for f in LocalPictures(tmp_path).search("grass")] == ["file:cat.png"]


def test_gathering_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """A provider that fails in the middle is asked for no file twice."""
    provider = local(tmp_path / "p", {f"{i:02}.png": picture(i) for i in range(20)})
    asked: list[str] = []

    class Failing:
        name, search = "failing", provider.search

        def content(self, found: Found) -> bytes:
            asked.append(found.url)
            if len(asked) == 7:
                raise BadInput("gave up")
            return provider.content(found)

    wanted = list(queries(Synset("yak", "yaks")))
    kept = Kept(Failing(), tmp_path / "downloads")
    with pytest.raises(BadInput, match="gave up"):
        gather(tmp_path / "out", wanted, kept)
    made = gather(tmp_path / "out", wanted, kept)
    assert len(asked) == len(set(asked)) + 1 == 21  # only the one that failed is asked for again
    assert len(made.photos) == 16
    key = next(iter(made.photos))
    assert made.content(key) == provider.content(made.photos[key].found)


def test_too_few_pictures_say_what_became_of_them(tmp_path: Path) -> None:
    provider = local(tmp_path / "p", {"a.png": picture(1), "b.png": picture(1)})
    with pytest.raises(BadInput, match=r"too few pictures .* 1 prune picture: exact duplicate"):
        gather(tmp_path / "out", list(queries(Synset("yak", "yaks"))), provider)
    with pytest.raises(BadInput, match="none found"):
        gather(tmp_path / "out", list(queries(Synset("emu", "emus"))), provider)


def test_sets_hold_a_result_and_what_is_like_it(tmp_path: Path) -> None:
    provider = local(tmp_path, {f"{i:02}.png": picture(i) for i in range(45)})
    ledger = Ledger()
    wanted = list(queries(Synset("yak", "yaks", ("herd",))))
    made = build_sets(wanted, provider, Pruner(provider, ledger), ledger)
    assert [len(s.pictures) for s in made] == [16, 16, 13]
    keys = [p.key for s in made for p in s.pictures]
    assert len(set(keys)) == 45
    assert made[0].query == "two yaks0"
    few = local(tmp_path / "few", {f"{i}.png": picture(i) for i in range(4)})
    assert build_sets(wanted, few, Pruner(few, ledger), ledger) == []
    assert ledger.counts()["build set: too few pictures"] > 0


class Fake:
    """Commons with pages, and with faults before the first good answer."""

    def __init__(self, faults: list[httpx.Response]) -> None:
        self.faults, self.asked = faults, 0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.host == "files.test":
            big = request.url.path == "/big.jpg"
            return httpx.Response(200, content=b"0" * (31 << 20) if big else picture(1))
        self.asked += 1
        if self.faults:
            return self.faults.pop(0)
        start = int(request.url.params.get("gsroffset", 0))
        pages = [
            {
                "index": n,
                "title": f"File:{n}.jpg",
                "imageinfo": [
                    {
                        "url": f"https://files.test/{n}.jpg",
                        "thumburl": f"https://files.test/thumb/{n}.jpg" if n else "",
                        "descriptionurl": f"https://files.test/page/{n}",
                        "extmetadata": {
                            "LicenseShortName": {"value": "CC BY 4.0"},
                            "Artist": {"value": "<a href='x'>Ann &amp; Bob</a>"},
                        },
                    }
                ],
            }
            for n in range(start, start + 2)
        ]
        body: dict[str, Any] = {"query": {"pages": pages[::-1]}}
        if start < 4:
            body["continue"] = {"gsroffset": start + 2}
        return httpx.Response(200, json=body)


def commons(fake: Callable[[httpx.Request], httpx.Response], waits: list[float]) -> Commons:
    transport = httpx.MockTransport(fake)
    return Commons("a@b.test", "https://api.test/w/api.php", waits.append, transport)


def test_commons_pages_and_patience() -> None:
    faults = [
        httpx.Response(429, headers={"retry-after": "7"}),
        httpx.Response(503),
        httpx.Response(200, text="<html>"),
        httpx.Response(200, json={"error": {"code": "maxlag"}}),
    ]
    waits: list[float] = []
    fake = Fake(faults)
    provider = commons(fake, waits)
    found = list(provider.search("two yaks"))
    assert [f.url[-5:] for f in found] == [f"{n}.jpg" for n in range(6)]
    assert [f.url[:25] == "https://files.test/thumb/" for f in found] == [False] + [True] * 5
    assert (found[0].licence, found[0].attribution) == ("CC BY 4.0", "Ann & Bob")
    assert waits == [7.0, 2.0, 4.0, 8.0]
    assert fake.asked == 7
    assert provider.content(found[0]) == picture(1)
    with pytest.raises(Unavailable, match="MiB"):
        provider.content(Found("https://files.test/big.jpg"))
    provider.close()


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (httpx.Response(403), "gave up: status 403"),
        (httpx.Response(200, json={"query": {"pages": [{"index": 1}]}}), "unknown form"),
        (httpx.Response(200, text="no"), "no JSON"),
    ],
)
def test_commons_gives_up_in_one_sentence(reply: httpx.Response, said: str) -> None:
    provider = commons(lambda request: reply, [])
    with pytest.raises(BadInput, match=said):
        list(provider.search("yaks"))


def test_commons_is_waited_for_when_files_are_fetched() -> None:
    """A file that is refused while the servers are busy is not given up as missing."""
    replies = [httpx.Response(429, headers={"retry-after": "3"}), httpx.Response(200, content=b"x")]
    waits: list[float] = []
    provider = commons(lambda request: replies.pop(0), waits)
    assert provider.content(Found("https://files.test/1.jpg")) == b"x"
    assert waits == [3.0]


def test_commons_that_cannot_be_reached() -> None:
    def down(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("down")

    with pytest.raises(BadInput, match="gave up: ConnectError"):
        list(commons(down, []).search("yaks"))
    with pytest.raises(BadInput, match=r"files\.test/1\.jpg: gave up: ConnectError"):
        commons(down, []).content(Found("https://files.test/1.jpg"))
    missing = commons(lambda request: httpx.Response(404), [])
    with pytest.raises(Unavailable, match="status 404"):
        missing.content(Found("https://files.test/1.jpg"))
    with pytest.raises(BadInput, match="give a contact"):
        Commons("")


def test_decisions_are_plain_json(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "l.jsonl")
    ledger.add("rate", "set", "a", True, "kept")
    ledger.save()
    assert json.loads((tmp_path / "l.jsonl").read_text())["why"] == "kept"
