"""Benchmarks as tables: every form of file, every kind of question, every mistake."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from PIL import Image
from tests.datasets.tables.conftest import packed, parquet, picture

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.pictures.photos import PhotoStore
from deixis.sources import Source, load

Benchmark = Callable[..., Dataset]

CHOICES = """
kind = "multiple-choice"
rows = "rows.csv"
pictures = "pictures"
[columns]
id = "id"
text = "question"
pictures = "picture"
options = ["A", "B", "C"]
answer = "answer"
"""
ROWS = """id,picture,question,A,B,C,answer
q0,0.png,what?,cat,dog,,A
q1,1.png,where?,here,there,nowhere,C
q2,0.png,who?,me,you,her,B
"""


@pytest.mark.usefixtures("pictures")
def test_multiple_choice_from_csv(benchmark: Benchmark, tmp_path: Path) -> None:
    made = benchmark(CHOICES, ROWS)
    assert (made.name, made.kind, len(made)) == ("mine", "choice", 3)
    assert made.splits == {"all": ("q0", "q1", "q2")}
    first, second, third = made.records.values()
    assert first.options == ("cat", "dog")
    assert (second.prompt, second.answer, second.pictures) == ("where?", 2, ("1.png",))
    assert first.cluster == third.cluster != second.cluster
    assert first.group is None
    pixels = made.store.pixels(made.store.picture("1.png"), 8)
    assert pixels.shape == (8, 8, 3)
    assert pixels[4, 4].tolist() == [1, 1, 1]
    again = load(str(tmp_path / "mine.toml"))
    assert again.fingerprint == made.fingerprint
    assert benchmark(CHOICES, ROWS.replace("where?", "when?")).fingerprint != made.fingerprint
    (tmp_path / "pictures/1.png").write_bytes(picture(77))
    assert benchmark(CHOICES, ROWS).fingerprint != made.fingerprint


@pytest.mark.usefixtures("pictures")
@pytest.mark.parametrize("form", ["jsonl", "json", "tsv", "xlsx", "parquet"])
def test_the_same_from_every_kind_of_file(form: str, benchmark: Benchmark, tmp_path: Path) -> None:
    expected = benchmark(CHOICES, ROWS)
    header, *lines = [line.split(",") for line in ROWS.strip().split("\n")]
    rows = [dict(zip(header, line, strict=True)) for line in lines]
    path = tmp_path / f"rows.{form}"
    if form == "jsonl":
        path.write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    elif form == "json":
        path.write_text(json.dumps(rows))
    elif form == "tsv":
        path.write_text(ROWS.replace(",", "\t"))
    elif form == "xlsx":
        import openpyxl

        book = openpyxl.Workbook()
        for cells in (header, *lines):
            book.active.append(cells)
        book.save(path)
    else:
        parquet(path, {c: [r[c] for r in rows] for c in header})
    made = benchmark(CHOICES.replace("rows.csv", path.name))
    assert made.fingerprint == expected.fingerprint


def test_pictures_inside_parquet_stay_there(benchmark: Benchmark, tmp_path: Path) -> None:
    held = [{"bytes": picture(i, "JPEG"), "path": f"{i}.jpg"} for i in (1, 2, 1, 3)]
    columns = {
        "image": held,
        "more": [[picture(9), picture(8)], [], None, [picture(7)]],
        "label": [0, 1, 1, 0],
        "choices": [["a", "b"]] * 4,
    }
    features = {"label": {"names": ["a", "b"], "_type": "ClassLabel"}, "image": {"_type": "Image"}}
    folder = tmp_path / "hub/data"
    folder.mkdir(parents=True)
    table = pa.table(columns).replace_schema_metadata(
        {"huggingface": json.dumps({"info": {"features": features}})}
    )
    for split in ("train", "test"):
        pa.parquet.write_table(table, folder / f"{split}-00000-of-00001.parquet", row_group_size=2)
    toml = """
kind = "multiple-choice"
rows = "hub"
prompt = "a or b?"
[columns]
pictures = ["image", "more"]
options = "choices"
answer = "label"
"""
    made = benchmark(toml)
    assert {s: len(ids) for s, ids in made.splits.items()} == {"test": 4, "train": 4}
    records = list(made.records.values())
    assert [r.answer for r in records[:4]] == [0, 1, 1, 0]
    assert [len(r.pictures) for r in records[:4]] == [3, 1, 1, 2]
    assert records[0].pictures[0] == records[2].pictures[0] == records[4].pictures[0]
    assert made.counts == {"pictures": 6}
    for record, expected in zip(records[:4], (1, 2, 1, 3), strict=True):
        shown = made.store.picture(record.pictures[0])
        assert abs(int(made.store.native(shown)[3, 3, 0]) - expected) <= 2  # type: ignore[attr-defined]
    assert made.store.native(made.store.picture(records[3].pictures[1]))[3, 3, 0] == 7  # type: ignore[attr-defined]
    assert [r.id for r in made.select("train").records.values()] == ["4", "5", "6", "7"]


@pytest.mark.parametrize("stream", [True, False])
def test_arrow_files_of_a_saved_dataset(stream: bool, benchmark: Benchmark, tmp_path: Path) -> None:
    table = pa.table(
        {
            "image": [{"bytes": picture(i), "path": None} for i in range(3)],
            "question": ["is it dark?"] * 3,
            "answer": [True, False, True],
        }
    )
    folder = tmp_path / "saved"
    folder.mkdir()
    new = pa.ipc.new_stream if stream else pa.ipc.new_file
    with new(str(folder / "data-00000-of-00001.arrow"), table.schema) as writer:
        writer.write_table(table, max_chunksize=2)
    toml = """
kind = "true-false"
rows = "saved"
[columns]
pictures = "image"
text = "question"
answer = "answer"
"""
    made = benchmark(toml)
    assert [r.answer for r in made.records.values()] == [0, 1, 0]
    assert [r.options for r in made.records.values()] == [("true", "false")] * 3
    last = made.store.picture(made.records["2"].pictures[0])
    assert made.store.pixels(last, 8)[4, 4, 0] == 2


def test_base64_and_references_of_vlmevalkit(benchmark: Benchmark, tmp_path: Path) -> None:
    rows = [
        "index\timage\tquestion\thint\tA\tB\tC\tD\tanswer\tcategory",
        f"10\t{packed(1)}\twhat?\tlook up\tx\ty\t\t\tB\tc",
        "11\t10\twhich?\t\tx\ty\tz\t\tC\tc",
        f"12\t\"['{packed(2)}', '{packed(3)}']\"\twho?\t\tx\ty\tz\tw\tD\tc",
    ]
    made = benchmark('format = "vlmevalkit"\nrows = "rows.tsv"', "\n".join(rows), "rows.tsv")
    first, second, third = made.records.values()
    assert (first.id, first.prompt, first.options) == ("10", "look up\nwhat?", ("x", "y"))
    assert first.pictures == second.pictures
    assert [r.answer for r in (first, second, third)] == [1, 2, 3]
    assert len(third.pictures) == 2
    kept = list((tmp_path / "cache/deixis/pictures").rglob("*"))
    assert sum(p.is_file() for p in kept) == 3
    assert isinstance(made.store, PhotoStore)
    assert made.store.native(made.store.picture(third.pictures[1]))[2, 2, 0] == 3


def test_winoground(benchmark: Benchmark, tmp_path: Path) -> None:
    columns = {
        "id": [0, 1],
        "image_0": [picture(0), picture(2)],
        "image_1": [picture(1), picture(3)],
        "caption_0": ["a dog on a cat", "b"],
        "caption_1": ["a cat on a dog", "c"],
    }
    parquet(tmp_path / "test.parquet", columns)
    made = benchmark('format = "winoground"\nrows = "test.parquet"\nname = "w"')
    assert (made.name, len(made), made.extras["form"]) == ("w", 8, "winoground")
    text = made.records["0/text1"]
    assert (text.options, text.answer, text.stratum, text.group) == (
        ("a dog on a cat", "a cat on a dog"), 1, "text", "0")  # fmt: skip
    image = made.records["1/image0"]
    assert (image.prompt, image.pictures, image.pictured, image.answer) == ("b", (), True, 0)
    assert image.cluster == ("item", "1")
    assert made.splits["all"][:4] == ("0/text0", "0/text1", "0/image0", "0/image1")


RETRIEVAL = """
kind = "retrieval"
rows = "rows.jsonl"
pictures = "pictures"
[columns]
text = "caption"
pictures = "file"
"""


@pytest.mark.usefixtures("pictures")
def test_retrieval_both_ways(benchmark: Benchmark) -> None:
    rows = [
        {"caption": f"number {i}", "file": f"{i % 3}.png", "page": "one" if i < 4 else "two"}
        for i in range(6)
    ]
    lines = "\n".join(map(json.dumps, rows))
    made = benchmark(RETRIEVAL, lines, "rows.jsonl")
    assert [r.options for r in made.records.values()] == [("0.png", "1.png", "2.png")] * 6
    assert [r.answer for r in made.records.values()] == [0, 1, 2, 0, 1, 2]
    assert made.extras["form"] == "retrieval"
    back = benchmark(RETRIEVAL.replace("[col", 'direction = "picture-to-text"\n[col'))
    assert back.records["0"].options == ("number 0", "number 1", "number 2", "number 4", "number 5")
    assert back.records["0"].pictures == ("0.png",)
    by_page = benchmark(RETRIEVAL + 'pool = "page"')
    assert by_page.records["5"].options == ("1.png", "2.png")
    alone = [{**rows[0], "page": "zero"}, *rows[1:]]
    with pytest.raises(BadInput, match=r"rows.jsonl:1: expected a pool of two candidates"):
        benchmark(RETRIEVAL + 'pool = "page"', "\n".join(map(json.dumps, alone)), "rows.jsonl")


def test_pictures_by_class_and_with_metadata(benchmark: Benchmark, tmp_path: Path) -> None:
    folder = tmp_path / "animals"
    for number, inside in enumerate(("test/cat/a.png", "test/dog/a.png", "train/cat/b.png")):
        (folder / inside).parent.mkdir(parents=True, exist_ok=True)
        (folder / inside).write_bytes(picture(number))
    toml = 'kind = "multiple-choice"\nrows = "animals"\nprompt = "what is it?"\n'
    made = benchmark(toml)
    assert {s: len(i) for s, i in made.splits.items()} == {"test": 2, "train": 1}
    assert [r.answer for r in made.records.values()] == [0, 1, 0]
    assert made.records["1"].options == ("cat", "dog")
    lines = [{"file_name": "cat/a.png", "label": "no", "q": "a dog?"}]
    (folder / "test/metadata.jsonl").write_text("\n".join(map(json.dumps, lines)))
    judged = benchmark(
        'kind = "true-false"\nrows = "animals"\noptions = ["yes", "no"]\n[columns]\ntext = "q"\n'
    )
    (only,) = judged.records.values()
    assert (only.answer, only.pictures, only.options) == (1, ("test/cat/a.png",), ("yes", "no"))
    assert judged.splits == {"test": ("0",)}


@pytest.mark.usefixtures("pictures")
def test_options_that_are_pictures(benchmark: Benchmark) -> None:
    toml = """
kind = "multiple-choice"
rows = "rows.csv"
pictures = "pictures"
options-are = "pictures"
[columns]
text = "q"
options = ["a", "b"]
answer = "right"
group = "set"
split = "part"
"""
    table = (
        "q,a,b,right,set,part\nthe dark one,0.png,7.png,a,s,x\nthe light one,0.png,7.png,b,s,y\n"
    )
    made = benchmark(toml, table)
    assert [r.answer for r in made.records.values()] == [0, 1]
    assert made.records["0"].pictured
    assert made.records["0"].cluster == ("set", "s")
    assert made.splits == {"x": ("0",), "y": ("1",)}
    assert made.extras["form"] == "groups"


@pytest.mark.usefixtures("pictures")
def test_paraphrases_of_a_column_and_a_file(benchmark: Benchmark, tmp_path: Path) -> None:
    table = "id,picture,question,A,B,C,answer,again\n" + "".join(
        f"{line},again {i}\n" for i, line in enumerate(ROWS.strip().split("\n")[1:])
    )
    (tmp_path / "polite.csv").write_text("id,text\nq0,please 0\nq1,please 1\nq2,please 2\n")
    toml = CHOICES + '[paraphrases]\nother = "again"\npolite = "polite.csv"\n'
    made = benchmark(toml, table)
    assert made.records["q1"].others == {"other": "again 1", "polite": "please 1"}
    (tmp_path / "polite.csv").write_text("id,text\nq0,please 0\nq1,\nq2,please 2\n")
    with pytest.raises(BadInput, match=r"paraphrases.polite: has no text for q1"):
        benchmark(toml)


MISTAKES: list[tuple[str, str, str]] = [
    ('answer = "answer"', 'answer = "right"', "has no column 'right'"),
    ("q1,1.png", "q0,1.png", "'q0' stands there twice"),
    ("q1,1.png", ",1.png", "id: is empty"),
    ("1.png", "9.png", "rows.csv:3: the picture '9.png' is not there"),
    ("nowhere,C", "nowhere,D", "rows.csv:3: the answer 'D' is, by letter, none of"),
    ("nowhere,C", "nowhere,", "rows.csv:3: there is no answer"),
    ("here,there,nowhere", "here,here,nowhere", "rows.csv:3: two options are the same"),
    ("here,there,nowhere", "here,,nowhere", "rows.csv:3: expected two options or more"),
    (",nowhere,C", ",nowhere", "rows.csv:3: expected 7 cells, got 6"),
    ('kind = "multiple-choice"', 'kind = "choice"', "kind: expected one of multiple-choice"),
    ('rows = "rows.csv"', 'rows = "row.csv"', "rows: there is no row.csv"),
    ('rows = "rows.csv"', "rows = []", "rows: expected a table"),
    ('rows = "rows.csv"', 'rows = "mine.toml"', "expected a table ending in"),
    ('pictures = "pictures"', 'pictures = "photos"', "pictures: there is no"),
    ('pictures = "pictures"', 'photos = "pictures"', "there is no key 'photos'"),
    ('pictures = "pictures"', "pictures = 3", "pictures: expected a text, got 3"),
    ('text = "question"', 'ask = "question"', "columns: no 'ask'"),
    ('text = "question"', "text = 1", "columns.text: expected a text or a list"),
    ('id = "id"', 'id = ["id", "A"]', "columns.id: expected one column, got 2"),
    ("[columns]", "[columns", "no TOML"),
    ("[columns]", 'format = "mine"\n[columns]', "there is no format 'mine'"),
    ('answer = "answer"', "", "columns.answer: is missing"),
    ('options = ["A", "B", "C"]', 'options = "A"', "A: expected a list of options, got 'cat'"),
]


@pytest.mark.usefixtures("pictures")
@pytest.mark.parametrize(("old", "new", "said"), MISTAKES)
def test_mistakes_are_named(old: str, new: str, said: str, benchmark: Benchmark) -> None:
    assert old in CHOICES + ROWS
    with pytest.raises(BadInput) as refused:
        benchmark(CHOICES.replace(old, new), ROWS.replace(old, new))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_broken_files(benchmark: Benchmark, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="there is no file"):
        load(str(tmp_path / "none.toml"))
    toml = 'kind = "true-false"\nrows = "ROWS"\n[columns]\nanswer = "a"\ntext = "t"\n'
    contents: dict[str, Any] = {
        "x.jsonl": "{",
        "y.jsonl": "[1]",
        "z.jsonl": '{"b": 1}',
        "x.json": "{",
        "y.json": "{}",
        "x.parquet": "no",
        "x.arrow": "no",
        "x.xlsx": "no",
        "x.csv": 'a,t\n"true,t',
    }
    for name, content in contents.items():
        with pytest.raises(BadInput, match=name):
            benchmark(toml.replace("ROWS", name), content, name)
    (tmp_path / "latin.csv").write_bytes(b"a,t\ntrue,\xe9\n")
    with pytest.raises(BadInput, match="not UTF-8"):
        benchmark(toml.replace("ROWS", "latin.csv"))
    with pytest.raises(BadInput, match="the tables are empty"):
        benchmark(toml.replace("ROWS", "e.csv"), "a,t\n", "e.csv")
    with pytest.raises(BadInput, match="no row has a column 't'"):
        benchmark(toml.replace("ROWS", "n.jsonl"), '{"a": true}', "n.jsonl")
    with pytest.raises(BadInput, match="a: expected true or false, got 'maybe'"):
        benchmark(toml.replace("ROWS", "m.csv"), "a,t\nmaybe,x\n", "m.csv")
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(BadInput, match="neither Parquet or Arrow files nor pictures"):
        benchmark(toml.replace("ROWS", "empty"))
    (empty / "a.png").write_bytes(picture(1))
    with pytest.raises(BadInput, match="the pictures of each class in a folder"):
        benchmark(toml.replace("ROWS", "empty"))
    (empty / "metadata.csv").write_text("name,a,t\na.png,true,x\n")
    with pytest.raises(BadInput, match="has no column 'file_name'"):
        benchmark(toml.replace("ROWS", "empty"))


def test_a_picture_that_goes_away(benchmark: Benchmark, pictures: Path) -> None:
    made = benchmark(CHOICES.replace('pictures = "pictures"\n', "").replace(
        "rows.csv", "rows.csv"), ROWS.replace("0.png", "pictures/0.png").replace(
            "1.png", "pictures/1.png"))  # fmt: skip
    shown = made.store.picture("pictures/1.png")
    (pictures / "1.png").unlink()
    with pytest.raises(BadInput, match=r"the picture pictures/1.png"):
        made.store.pixels(shown)


def test_splits_of_a_source() -> None:
    parsed = Source.parse("some/mine.toml:dev+test")
    assert (parsed.name, parsed.splits, parsed.is_table) == (
        "some/mine.toml", ("dev", "test"), True)  # fmt: skip
    with pytest.raises(BadInput, match=r"--features is no option of x.toml"):
        load("x.toml", features="f")


def test_zip_of_pictures_upright_and_on_white(benchmark: Benchmark, tmp_path: Path) -> None:
    import zipfile

    sheer = Image.fromarray(np.zeros((4, 4, 4), np.uint8), "RGBA")
    sheer.save(tmp_path / "sheer.png")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.write(tmp_path / "sheer.png", "deep/0.png")
        archive.writestr("deep/1.png", picture(1))
    made = benchmark(CHOICES.replace('"pictures"', '"all.zip"', 1), ROWS)
    assert made.store.native(made.store.picture("0.png")).min() == 255  # type: ignore[attr-defined]
