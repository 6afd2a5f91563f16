"""A tiny image-text model made on the spot plays by both readings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from deixis.dataset import Choice, Dataset
from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.pictures.store import ArrayStore
from deixis.players.common.neural.pretrained import silent
from deixis.players.common.neural.tiny import SMALL, tokenizer_of
from deixis.players.vlm.model import Model, Prompt
from deixis.players.vlm.player import Vlm, vlm
from deixis.sources import load
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.tasks.task import Task

TEMPLATE = (
    "{% for m in messages %}{% for c in m['content'] %}"
    "{% if c['type'] == 'image' %}<image>{% else %}{{ c['text'] }} {% endif %}"
    "{% endfor %}{% endfor %}"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A LLaVA of a few thousand weights."""
    from transformers import (
        CLIPImageProcessorPil,
        CLIPVisionConfig,
        LlamaConfig,
        LlavaConfig,
        LlavaForConditionalGeneration,
        LlavaProcessor,
    )

    text = "Which option is right? Answer with its letter only: A, B or C. yes no red green blue"
    tokenizer = tokenizer_of([text], SMALL, "<s>", "</s>")
    tokenizer.add_special_tokens({"additional_special_tokens": ["<image>"]})
    image = tokenizer.convert_tokens_to_ids("<image>")
    sizes: dict[str, Any] = {
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
    }
    config = LlavaConfig(
        vision_config=CLIPVisionConfig(**sizes, image_size=32, patch_size=16),
        text_config=LlamaConfig(
            **sizes, num_key_value_heads=2, vocab_size=len(tokenizer), max_position_embeddings=512
        ),
        image_token_id=image,
        image_token_index=image,
    )
    torch.manual_seed(0)
    made = tmp_path_factory.mktemp("vlm")
    with silent():
        LlavaForConditionalGeneration(config).save_pretrained(made)
        processor = LlavaProcessor(
            image_processor=CLIPImageProcessorPil(
                size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32}
            ),
            tokenizer=tokenizer,
            patch_size=16,
            vision_feature_select_strategy="default",
            image_token="<image>",
            num_additional_image_tokens=1,
            chat_template=TEMPLATE,
        )
        processor.save_pretrained(made)
    return made


@pytest.fixture(scope="module")
def model(folder: Path) -> Model:
    return Model(str(folder))


@pytest.fixture
def task() -> Task:
    arrays = {f"p{i}": np.full((20, 30, 3), 60 * i, np.uint8) for i in range(4)}
    records = {
        f"q{i}": Choice(
            f"q{i}", "Which color?", (f"p{i}",), ("red", "green", "blue"), i % 3, ("p", str(i))
        )
        for i in range(4)
    }
    return make(Dataset("colors", "choice", {}, records, ArrayStore(arrays)))


@pytest.mark.parametrize("reading", ["choice", "yes"])
def test_both_readings_look_at_the_picture(folder: Path, task: Task, reading: str) -> None:
    player = vlm(str(folder), task, reading=reading, size="64")
    replies = player.reply(views(task))
    again = vlm(str(folder), task, reading=reading, size="64").reply(views(task))
    assert replies.graded
    assert replies.scores is not None
    assert again.scores is not None
    assert np.array_equal(replies.scores, again.scores)
    assert len({tuple(np.round(row, 5)) for row in np.sort(replies.scores)}) == 4
    assert score(task, replies).statuses == {"ok": 4}
    bare = task.do("image=drop")
    without = player.at(bare).reply(views(bare))
    assert without.scores is not None
    assert not np.allclose(without.scores, replies.scores)


def test_log_probabilities_of_different_texts_add_to_less_than_one(model: Model) -> None:
    picture = np.full((20, 30, 3), 99, np.uint8)
    tokenizer = model.processor.tokenizer
    special = set(tokenizer.all_special_tokens) | {"<image>"}
    words = ["red", "green", "blue", "yes", "no", "A", "B", "C"]
    assert special.isdisjoint(words)
    shares = np.exp(model.scores([Prompt([picture, "red"], words)])[0])
    assert 0 < shares.sum() <= 1 + 1e-6


def alone(model: Model, parts: list[Any], end: list[int]) -> float:
    """The log-probability of tokens after a prompt, read on its own, token by token."""
    made = model.processor(
        text="".join("<image>" if not isinstance(p, str) else f"{p} " for p in parts),
        images=[Image.fromarray(p) for p in parts if not isinstance(p, str)] or None,
        return_tensors="pt",
    )
    total, ids = 0.0, made.pop("input_ids")
    made.pop("attention_mask")
    for token in end:
        with torch.inference_mode():
            shares = model.model(input_ids=ids, **made).logits[0, -1].log_softmax(-1)
        total += float(shares[token])
        ids = torch.cat([ids, torch.tensor([[token]])], dim=1)
    return total


def test_together_is_as_alone(model: Model) -> None:
    """Prompts of other lengths, with and without pictures, and ends of one and of many tokens."""
    pictures = [np.full((20, 30, 3), v, np.uint8) for v in (10, 90, 240)]
    prompts = [
        Prompt([pictures[0], "Which color?"], ("A", "B", "C")),
        Prompt(["Which option is right, with no picture?"], ("A", "B", "C")),
        Prompt([pictures[1], "red"], ("green", "a very blue letter", "no")),
        Prompt([pictures[2], "Which option is right? Answer with its letter only"], ("yes", "no")),
        Prompt([pictures[0], "and", pictures[1], "A or B?"], ("A", "is right only", "B")),
    ]
    tokenizer = model.processor.tokenizer
    ends = [
        [tokenizer(t, add_special_tokens=False)["input_ids"] for t in p.follow] for p in prompts
    ]
    assert {len(e) for one in ends for e in one} > {1}
    expected = [
        [alone(model, list(p.parts), e) for e in own] for p, own in zip(prompts, ends, strict=True)
    ]
    for batch in (1, 3, 8):
        found = model.scores(prompts, batch)
        for ours, theirs in zip(found, expected, strict=True):
            assert ours == pytest.approx(theirs, abs=1e-4)


@pytest.mark.parametrize("reading", ["choice", "yes"])
def test_batches_change_nothing_but_speed(folder: Path, task: Task, reading: str) -> None:
    one, many = (
        vlm(str(folder), task, reading=reading, size="64", batch=b).reply(views(task)).scores
        for b in ("1", "3")
    )
    assert one is not None
    assert many is not None
    assert np.allclose(one, many, atol=1e-4)


def test_names_tell_readings_apart(folder: Path, task: Task) -> None:
    by_choice, by_yes = (vlm(str(folder), task, reading=r) for r in ("choice", "yes"))
    assert isinstance(by_choice, Vlm)
    assert by_yes.name == f"{by_choice.name} (yes)"
    assert by_yes.revision != by_choice.revision


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"reading": "maybe"}, "--reading: expected choice or yes"),
        ({"size": "x"}, "--size: expected a whole number"),
        ({"batch": "0"}, "--batch: expected a whole number of 1 or more"),
        ({"argument": ""}, "expected hf-vlm:FOLDER"),
    ],
)
def test_mistakes(folder: Path, task: Task, given: dict[str, str], said: str) -> None:
    with pytest.raises(BadInput) as refused:
        vlm(**{"argument": str(folder), "task": task, **given})  # type: ignore[arg-type]
    assert said in str(refused.value)


def test_no_model_and_no_pools(tmp_path: Path, task: Task) -> None:
    with pytest.raises(BadInput, match="no image-text model there"):
        vlm(str(tmp_path), task)
    pools = make(load("rooms"), pool="first:4")
    with pytest.raises(BadInput, match="not guessing tasks"):
        vlm(str(tmp_path), pools)
