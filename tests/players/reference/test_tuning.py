"""Contrastive fine-tuning: the loss, the published numbers, who is validated on, directions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from transformers import CLIPConfig, CLIPModel, ViltConfig, ViltForImageAndTextRetrieval

from deixis.dataset import Dataset
from deixis.errors import BadInput
from deixis.outcomes import score
from deixis.players.common.neural.joint import Joint
from deixis.players.common.neural.towers import Towers
from deixis.players.common.neural.transforms import Transform
from deixis.players.common.pairs import DualPlayer
from deixis.players.reference.lessons import Context, lessons
from deixis.players.reference.tuning import (
    PRESETS,
    Tuner,
    Tuning,
    batches,
    contrastive,
    dev_score,
    divide,
)
from deixis.tasks.make import make
from deixis.tasks.see import views
from deixis.tasks.task import Task
from deixis.training.recipe import Adam, Cosine, Moment, Recipe
from deixis.trials import Picture


def test_the_loss_is_the_mean_of_both_cross_entropies() -> None:
    blocks = torch.randn(3, 5, 5, dtype=torch.float64)
    expected = []
    for block in blocks.numpy():
        rows = np.log(np.exp(block).sum(1)) - np.diag(block)
        columns = np.log(np.exp(block).sum(0)) - np.diag(block)
        expected.append((rows.mean() + columns.mean()) / 2)
    assert float(contrastive(blocks)) == pytest.approx(np.mean(expected))
    assert float(contrastive(blocks)) == pytest.approx(float(contrastive(blocks.mT)))


def test_published_numbers_of_clip() -> None:
    """Ji et al. 2022, released code."""
    tuning = PRESETS["clip-kilogram"]
    recipe = tuning.recipe
    assert recipe.optimiser == Adam(lr=5e-8, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-6)
    assert isinstance(recipe.optimiser, Adam)
    assert not recipe.optimiser.decoupled
    assert [recipe.schedule(Moment(s, s / 9)) for s in range(9)] == [1.0] * 9
    assert (recipe.epochs, recipe.patience, recipe.growth) == (200, 50, 1.0)
    assert (recipe.accumulate, recipe.clip_norm, recipe.clip_value) == (1, None, None)
    assert (tuning.k, tuning.per_step, tuning.contexts, tuning.canvas) == (10, 1, "controlled", 224)
    assert tuning.scale == pytest.approx(14.2857, abs=1e-4)
    assert (tuning.group, tuning.validation) == ("commas", "shared")
    assert tuning.select == "picture-to-text"  # its rows are pictures
    assert recipe.precision == "float32"


def test_published_numbers_of_vilt() -> None:
    tuning = PRESETS["vilt-kilogram"]
    recipe = tuning.recipe
    assert recipe.optimiser == Adam(
        lr=1e-4,
        betas=(0.9, 0.98),
        eps=1e-8,
        weight_decay=0.01,
        decoupled=True,
        undecayed=("bias", "LayerNorm", "layernorm"),
    )
    assert recipe.schedule == Cosine(warmup=1 / 30)
    assert (recipe.epochs, recipe.patience) == (30, 10)
    assert (tuning.k, tuning.per_step, tuning.contexts, tuning.canvas) == (10, 1, "controlled", 224)
    assert tuning.scale is None
    assert tuning.select == "text-to-picture"


@pytest.mark.parametrize("player", ["clip", "vilt"])
def test_the_corrected_presets_differ_in_what_was_wrong_only(player: str) -> None:
    published, corrected = PRESETS[f"{player}-kilogram"], PRESETS[f"{player}-corrected"]
    assert (corrected.validation, corrected.group) == ("disjoint", "parts")
    assert corrected.select == "text-to-picture"
    same = ("recipe", "k", "contexts", "per_step", "augment", "scale", "canvas")
    assert [getattr(published, n) for n in same] == [getattr(corrected, n) for n in same]


def counted(module: nn.Module) -> tuple[int, int]:
    parameters = [(p.numel(), p.requires_grad) for p in module.parameters()]
    return sum(n for n, _ in parameters), sum(n for n, trained in parameters if trained)


def test_parameters_of_clip_vit_b_32() -> None:
    """151,277,313 as published, of which the scale is replaced by a new one."""
    config = CLIPConfig(
        text_config={"vocab_size": 49_408, "hidden_size": 512, "num_attention_heads": 8},
        vision_config={"image_size": 224, "patch_size": 32},
        projection_dim=512,
    )
    with torch.device("meta"):
        model = CLIPModel(config)
        towers = Towers(model, None, Transform("shortest", 224), 14.0)  # type: ignore[arg-type]
    assert counted(towers) == (151_277_313 + 1, 151_277_313)


def test_parameters_of_vilt_b_32() -> None:
    """111,595,008 of the model, 769 of the head that ranks."""
    with torch.device("meta"):
        model = ViltForImageAndTextRetrieval(ViltConfig())
        joint = Joint(model, None, Transform("ratio", 384))  # type: ignore[arg-type]
    assert counted(model.rank_output) == (769, 769)
    assert counted(joint) == (111_595_777, 111_595_777)
    groups = PRESETS["vilt-kilogram"].recipe.optimiser(joint).param_groups
    plain = [p for g in groups if g["weight_decay"] == 0 for p in g["params"]]
    decayed = [p for g in groups if g["weight_decay"] == 0.01 for p in g["params"]]
    assert all(p.ndim == 1 for p in plain)
    assert all(p.ndim > 1 for p in decayed)


@dataclass(frozen=True)
class Planted:
    """Towers whose vectors are a table: texts and pictures by the figure they show."""

    module: nn.Module
    figures: Sequence[str]
    left: Tensor
    right: Tensor

    def blocks(self, contexts: Sequence[Context]) -> Tensor:
        rows = [[self.figures.index(x.picture.source) for x in c] for c in contexts]
        index = torch.tensor(rows)
        return self.left[index] @ self.right[index].transpose(1, 2)

    def player(self, revision: str | None = None) -> DualPlayer:
        return DualPlayer(_Table(self))


class _Table:
    name, revision = "planted", "1"

    def __init__(self, planted: Planted) -> None:
        self.planted = planted

    def texts(self, texts: Sequence[str]) -> Any:
        rows = [self.planted.figures.index(t.split("#")[0]) for t in texts]
        return self.planted.left[rows].numpy()

    def pictures(self, pictures: Sequence[Picture]) -> Any:
        return self.planted.right[[self.planted.figures.index(p.source) for p in pictures]].numpy()


def hub(n: int) -> tuple[Tensor, Tensor]:
    """Every text prefers its own picture, but text 0 scores highest with every picture.

    So text to picture is always right, and picture to text only for picture 0.
    """
    left, right = torch.eye(n + 1)[:n] * 2, torch.eye(n + 1)[:n]
    right[:, n] = 1.0
    left[0, n] = 3.0
    return left, right


def named(world: Dataset, n: int = 12) -> Dataset:
    """Annotations whose whole text is the name of their picture."""
    chosen: dict[str, Any] = {}
    for record in world.records.values():
        chosen.setdefault(record.family, record)
    records = {
        r.id: replace(r, whole=r.picture, parts=("a",), pieces=(0,) * 7)
        for r in list(chosen.values())[:n]
    }
    return replace(world, records=records, splits={"all": tuple(records)})


@pytest.mark.parametrize(
    ("direction", "expected"), [("text-to-picture", 1.0), ("picture-to-text", 0.0)]
)
def test_a_planted_matrix_tells_the_directions_apart(
    direction: str, expected: float, world: Dataset
) -> None:
    """Text 0 wins every picture: texts find their pictures, pictures do not find their texts."""
    task = make(named(world, 10), "named", k=10, direction=direction).do("parts=drop")
    figures = [t.pictures[t.answer].source for t in task.trials]
    planted = Planted(nn.Linear(1, 1), figures, *hub(10))
    credit = score(task, planted.player().reply(views(task))).credit
    own = credit[[t.pictures[t.answer].source == figures[0] for t in task.trials]]
    others = credit[[t.pictures[t.answer].source != figures[0] for t in task.trials]]
    assert own.tolist() == [1.0]
    assert others.tolist() == [expected] * 9
    # The same matrix in training: rows are texts.
    context = tuple(lessons(task))
    block = planted.blocks([context])[0]
    by_row = (block.argmax(1) == torch.arange(10)).float()
    by_column = (block.argmax(0) == torch.arange(10)).float()
    assert by_row.mean() == 1.0
    assert by_column.sum() == 1.0
    expected_share = 1.0 if direction == "text-to-picture" else 0.1
    assert dev_score(planted, task, direction)() == pytest.approx(expected_share)  # type: ignore[arg-type]


def test_directions_of_the_dev_score_do_not_depend_on_the_tasks_own(world: Dataset) -> None:
    task = make(named(world, 10), "named", k=10, direction="picture-to-text").do("parts=drop")
    figures = [t.pictures[t.answer].source for t in task.trials]
    planted = Planted(nn.Linear(1, 1), figures, *hub(10))
    assert dev_score(planted, task, "text-to-picture")() == 1.0


def test_validation_figures_are_disjoint_or_shared(world: Dataset) -> None:
    task = make(world, "figures", k=5)
    tuning = Tuning(Recipe(1), validated=0.5)
    train, dev = divide(task, tuning, 0)
    figures = [{t.clusters[0][1] for t in part.trials} for part in (train, dev)]
    assert not figures[0] & figures[1]
    assert not {t.item for t in train.trials} & {t.item for t in dev.trials}
    shown = {p.source for t in dev.trials for p in t.pictures}
    assert not shown & {p.source for t in train.trials for p in t.pictures}
    shared_train, shared_dev = divide(task, replace(tuning, validation="shared"), 0)
    known = {r.family for r in shared_train.dataset.records.values()}
    assert len({t.clusters[0][1] for t in shared_dev.trials} & known) > 5
    items = [[t.item for t in part.trials] for part in (shared_train, shared_dev)]
    assert not set(items[0]) & set(items[1])
    assert divide(task, tuning, 1)[1].trials != dev.trials


def test_too_few_figures_to_validate_on(world: Dataset) -> None:
    task = make(named(world, 12), "few", k=10)
    with pytest.raises(BadInput, match=r"few: 12 figures are too few to train on some"):
        divide(task, Tuning(Recipe(1)), 0)


@pytest.mark.parametrize("contexts", ["controlled", "random"])
@pytest.mark.parametrize("augment", ["none", "sampled", "all"])
def test_batches_of_contexts(contexts: str, augment: str, games: Task) -> None:
    tuning = Tuning(Recipe(1), contexts=contexts, augment=augment, per_step=3, k=5)
    given = lessons(games)
    epoch = batches(given, tuning, 0)
    made = epoch(0)
    assert all(len(c) == 5 for b in made for c in b.items)
    assert max(len(b) for b in made) == 3
    assert [b.ids for b in epoch(0)] == [b.ids for b in made] != [b.ids for b in epoch(1)]
    assert made[0].ids[0].count("/") == 4
    if contexts == "controlled":
        assert all(len({x.figure for x in c}) == 5 for b in made for c in b.items)


def test_no_context_can_be_filled(games: Task) -> None:
    with pytest.raises(BadInput, match="no context of 200 can be filled"):
        batches(lessons(games), Tuning(Recipe(1), k=200), 0)(0)


@pytest.mark.parametrize(
    "wrong", [{"contexts": "x"}, {"group": "x"}, {"augment": "x"}, {"validation": "x"}]
)
def test_names_that_are_none(wrong: dict[str, str]) -> None:
    with pytest.raises(BadInput, match=r"expected one of .*, got 'x'"):
        Tuning(Recipe(1), **wrong)  # type: ignore[arg-type]


class Learnt(nn.Module):
    """Vectors for figures, to be learnt."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.left = nn.Parameter(torch.randn(n, 8, generator=torch.Generator().manual_seed(0)))
        self.right = nn.Parameter(torch.randn(n, 8, generator=torch.Generator().manual_seed(1)))


def test_a_tuner_learns_resumes_and_refuses_other_lessons(world: Dataset, tmp_path: Path) -> None:
    task = make(named(world, 24), "named", k=10).do("parts=drop")
    figures = sorted({t.pictures[t.answer].source for t in task.trials})

    def matcher(_: Task, __: int) -> Planted:
        module = Learnt(24)

        class Now(Planted):
            """Reads the weights as they are."""

            def blocks(self, contexts: Sequence[Context]) -> Tensor:
                now = replace(self, left=module.left, right=module.right)
                return Planted.blocks(now, contexts)

            def player(self, revision: str | None = None) -> DualPlayer:
                left, right = module.left.detach(), module.right.detach()
                return Planted(module, figures, left, right).player()

        return Now(module, figures, module.left, module.right)

    recipe = Recipe(12, optimiser=Adam(lr=0.1), device="cpu")
    tuner = Tuner("planted", matcher, Tuning(recipe, k=10))
    player, fitted = tuner.fitted(task, dev=task, seed=3, folder=tmp_path)
    assert fitted.history[-1]["loss"] < 0.3 < 1.5 < fitted.history[0]["loss"]
    assert fitted.score == 1.0
    assert score(task, player.reply(views(task))).credit.mean() == 1.0
    assert tuner.fitted(task, dev=task, seed=3, folder=tmp_path)[1] == fitted
    with pytest.raises(BadInput, match="about was"):
        tuner.fit(task.do("color=drop"), dev=task, seed=3, folder=tmp_path)
    other = replace(tuner, tuning=replace(tuner.tuning, per_step=2))
    with pytest.raises(BadInput, match="about was"):
        other.fit(task, dev=task, seed=3, folder=tmp_path)
