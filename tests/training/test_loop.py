"""The loop: resumption to the bit, stopping, errors."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from deixis.errors import BadInput
from deixis.training import checkpoint, weights
from deixis.training.batches import Batch, cut
from deixis.training.loop import fit
from deixis.training.randomness import seeded
from deixis.training.recipe import Adam, Decay, Moment, Recipe


def run_toy(toy: Any, folder: Path, step: int, where: str) -> subprocess.CompletedProcess[str]:
    arguments = [sys.executable, toy.__file__, str(folder), str(step), where]
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


def bits(model: nn.Module) -> str:
    return weights.fingerprint(model.state_dict())


def test_killed_anywhere_and_started_again_it_ends_with_the_same_bits(
    toy: Any, tmp_path: Path
) -> None:
    """SIGKILL in a step of the second epoch, then while a file is written; then to the end."""
    model, whole = toy.train(tmp_path / "whole")
    for step, where in [(9, "step"), (5, "write")]:
        killed = run_toy(toy, tmp_path / "killed", step, where)
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        assert (tmp_path / "killed" / checkpoint.NAME).is_file()
    assert list((tmp_path / "killed").glob("*.tmp"))
    ended = run_toy(toy, tmp_path / "killed", 10**6, "step")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.strip() == bits(model)
    again, resumed = toy.train(tmp_path / "killed")
    assert bits(again) == bits(model)
    assert resumed == whole
    assert not list((tmp_path / "killed").glob("*.tmp"))


@pytest.mark.parametrize("stop", range(1, 16))
def test_an_error_after_any_step_changes_nothing(toy: Any, stop: int, tmp_path: Path) -> None:
    expected, whole = toy.train(None)
    model = toy.network()
    step, made = toy.step_of(model), 0

    def breaking(batch: Batch[Any]) -> torch.Tensor:
        nonlocal made
        made += 1
        if made == 2 * stop:
            raise RuntimeError("stopped")
        return step(batch)

    score = toy.score_of(model)
    with pytest.raises(RuntimeError, match="stopped"):
        fit(model, toy.batches(), breaking, toy.RECIPE, score=score, folder=tmp_path)
    resumed, fitted = toy.train(tmp_path)
    assert (bits(resumed), fitted) == (bits(expected), whole)


def test_the_checkpoint_holds_every_draw_of_every_generator(toy: Any, tmp_path: Path) -> None:
    """A step that draws from NumPy and Python too."""
    import random

    import numpy as np

    def trained(folder: Path | None, break_at: int = 0) -> str:
        model = toy.network()
        plain, made = toy.step_of(model), 0

        def step(batch: Batch[Any]) -> torch.Tensor:
            nonlocal made
            made += 1
            if made == break_at:
                raise RuntimeError
            return plain(batch) * (1 + np.random.rand() + random.random() + random.gauss(0, 0.1))

        fit(model, toy.batches(), step, toy.RECIPE, folder=folder)
        return bits(model)

    with pytest.raises(RuntimeError):
        trained(tmp_path, break_at=14)
    assert trained(tmp_path) == trained(None)


def test_the_best_weights_are_kept_with_and_without_a_folder(toy: Any, tmp_path: Path) -> None:
    scores = [0.1, 0.5, 0.4, 0.5, 0.2]
    seen: list[str] = []
    for folder in (None, tmp_path):
        model, given = toy.network(), iter(scores)
        fingerprints: list[str] = []

        def score(
            model: nn.Module = model, given: Any = given, held: list[str] = fingerprints
        ) -> float:
            assert not model.training
            assert not torch.is_grad_enabled()
            held.append(bits(model))
            return float(next(given))

        fitted = fit(
            model, toy.batches(), toy.step_of(model), toy.RECIPE, score=score, folder=folder
        )
        assert (fitted.score, fitted.best_epoch, fitted.epochs) == (0.5, 1, 5)
        assert [row["score"] for row in fitted.history] == scores
        assert bits(model) == fingerprints[1]
        assert not model.training
        seen += fingerprints
    assert seen[:5] == seen[5:]
    assert [p.name for p in tmp_path.glob("best-*")] == ["best-1.safetensors"]


@pytest.mark.parametrize(
    ("patience", "growth", "scores", "epochs"),
    [
        (2, 1.0, [1, 0, 0, 9, 9], 3),
        (None, 1.0, [1, 0, 0, 0, 9], 5),
        (1, 1.1, [1, 0, 2, 0, 0], 5),  # 1.1 after one improvement: one bad epoch is not enough
        (1, 1.0, [1, 0, 2, 0, 0], 2),
        (1, 1.0, [1, 1, 2, 0, 0], 2),  # the same score is no improvement
    ],
)
def test_patience(
    toy: Any, patience: float | None, growth: float, scores: list[float], epochs: int
) -> None:
    model, given = toy.network(), iter(scores)
    recipe = replace(toy.RECIPE, patience=patience, growth=growth)
    fitted = fit(model, toy.batches(), toy.step_of(model), recipe, score=lambda: float(next(given)))
    assert fitted.epochs == epochs
    assert fitted.score == max(scores[:epochs])


def test_a_bound_on_steps_ends_within_an_epoch(toy: Any, tmp_path: Path) -> None:
    model, fitted = toy.train(tmp_path, replace(toy.RECIPE, steps=4))
    assert (fitted.steps, fitted.epochs) == (4, 2)  # three steps an epoch
    again, same = toy.train(tmp_path, replace(toy.RECIPE, steps=4))
    assert (bits(again), same) == (bits(model), fitted)


def quadratic(start: float = 1.0) -> nn.Module:
    model = nn.Linear(1, 1, bias=False)
    nn.init.constant_(model.weight, start)
    return model


def sgd(lr: float) -> Any:
    return lambda model: torch.optim.SGD(model.parameters(), lr=lr)


def test_accumulated_batches_give_the_gradient_of_their_mean() -> None:
    weights_after = []
    for size, accumulate in [(6, 1), (2, 3)]:
        model = quadratic()
        inputs = cut(
            [("a", 1.0), ("b", 2.0), ("c", 3.0), ("d", -1.0), ("e", 0.5), ("f", 2.5)], size
        )

        def step(batch: Batch[Any], model: nn.Module = model) -> torch.Tensor:
            x = torch.tensor([[v] for _, v in batch.items])
            return ((model(x) - 1) ** 2).mean()

        recipe = Recipe(1, optimiser=sgd(0.1), accumulate=accumulate, device="cpu")
        fitted = fit(model, lambda _, b=inputs: b, step, recipe)
        assert fitted.steps == 1
        weights_after.append(float(model.weight.detach()))
    assert weights_after[0] == pytest.approx(weights_after[1], abs=1e-6)


def test_clipping_by_norm_by_value_and_of_some_parameters_only() -> None:
    def moved(**more: Any) -> tuple[float, float]:
        model = nn.ModuleDict({"a": quadratic(0.0), "b": quadratic(0.0)})

        def step(_: Any) -> torch.Tensor:
            total: torch.Tensor = 30 * model["a"].weight + 40 * model["b"].weight
            return total.sum()

        recipe = Recipe(1, optimiser=sgd(1.0), device="cpu", **more)
        fit(model, lambda _: cut(["x"], 1), step, recipe)
        return -float(model["a"].weight.detach()), -float(model["b"].weight.detach())

    assert moved() == pytest.approx((30, 40))
    assert moved(clip_norm=5.0) == pytest.approx((3, 4), rel=1e-4)
    assert moved(clip_norm=500.0) == pytest.approx((30, 40))
    assert moved(clip_value=35.0) == pytest.approx((30, 35))
    assert moved(clip_norm=3.0, clipped=("a.",)) == pytest.approx((3, 40), rel=1e-4)
    assert moved(clip_value=2.0, clipped=("b.",)) == pytest.approx((30, 2))


def test_the_schedule_sees_every_step_and_its_share(toy: Any) -> None:
    seen: list[Moment] = []

    def schedule(moment: Moment) -> float:
        seen.append(moment)
        return 1.0

    toy.train(None, replace(toy.RECIPE, epochs=2, schedule=schedule))
    assert [m.step for m in seen] == [0, 1, 2, 3, 4, 5]
    assert [m.share for m in seen] == pytest.approx([0, 2 / 12, 4 / 12, 6 / 12, 8 / 12, 10 / 12])
    seen.clear()
    toy.train(None, replace(toy.RECIPE, steps=5, schedule=schedule))
    assert [m.share for m in seen] == pytest.approx([0, 1 / 5, 2 / 5, 3 / 5, 4 / 5])


def test_the_schedule_sets_the_learning_rate() -> None:
    model = quadratic(0.0)
    recipe = Recipe(1, optimiser=sgd(1.0), schedule=Decay(0.5), device="cpu")
    fit(model, lambda _: cut("abc", 1), lambda _: model.weight.sum(), recipe)
    assert -float(model.weight.detach()) == pytest.approx(1 + 0.5 + 0.25)


class Rows:
    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def log(self, data: dict[str, Any], /) -> None:
        self.rows.append(data)


def test_what_is_logged_and_told(toy: Any) -> None:
    log, told = Rows(), []
    model = toy.network()
    step = toy.step_of(model)
    fit(
        model,
        toy.batches(),
        lambda batch: (step(batch), {"examples": float(len(batch))}),
        replace(toy.RECIPE, epochs=2),
        score=lambda: 0.25,
        log=log,
        progress=lambda *all_: told.append(all_),
        name="toy",
    )
    steps = [r for r in log.rows if "learning_rate" in r]
    epochs = [r for r in log.rows if "score" in r]
    assert [r["step"] for r in steps] == [1, 2, 3, 4, 5, 6]
    assert steps[2]["examples"] == 2.0  # 22 examples by 4: the last batch holds two
    assert all(r["gradient_norm"] > 0 for r in steps)
    assert [r["score"] for r in epochs] == [0.25, 0.25]
    first = [r["loss"] * n for r, n in zip(steps[:3], (2, 2, 2), strict=True)]
    assert epochs[0]["loss"] == pytest.approx(sum(first) / 6)
    assert told[-1] == ("toy", 12, 12)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_loss_that_is_no_number_names_step_and_batch(
    toy: Any, value: float, tmp_path: Path
) -> None:
    model = toy.network()
    step = toy.step_of(model)

    def bad(batch: Batch[Any]) -> torch.Tensor:
        loss = step(batch)
        return loss * value if "e7" in batch.ids else loss

    with pytest.raises(
        BadInput, match=rf"toy: the loss became {value} at step \d+ \(epoch 0\)"
    ) as e:
        fit(model, toy.batches(), bad, toy.RECIPE, folder=tmp_path, name="toy")
    assert "e7" in str(e.value)
    assert "\n" not in str(e.value)
    assert all(torch.isfinite(t).all() for t in model.state_dict().values())


def test_a_gradient_that_is_no_number_names_the_step_that_made_it() -> None:
    """The square root of zero has a finite value and an infinite slope."""
    model = quadratic(0.0)
    names = [f"pair{i}" for i in range(9)]

    with pytest.raises(BadInput, match=r"the gradient became nan at step 1 .*pair4 and 4 more"):
        fit(
            model,
            lambda _: cut(names, 9),
            lambda _: model.weight.abs().sqrt().sum(),
            Recipe(1, optimiser=sgd(0.1), device="cpu"),
        )
    assert float(model.weight.detach()) == 0.0


def test_a_dev_score_that_is_no_number_stops(toy: Any) -> None:
    with pytest.raises(BadInput, match="dev score became nan after epoch 0"):
        toy.train(None, score=lambda: math.nan)


def test_no_batches_no_training(toy: Any) -> None:
    model = toy.network()
    with pytest.raises(BadInput, match="epoch 0 has no batches"):
        fit(model, lambda _: [], toy.step_of(model), toy.RECIPE)


def test_another_recipe_or_another_lesson_is_refused_by_name(toy: Any, tmp_path: Path) -> None:
    toy.train(tmp_path, replace(toy.RECIPE, epochs=1), about="dense")
    with pytest.raises(BadInput, match=r"clip_norm was 1\.0 there and is 2\.0 now"):
        toy.train(tmp_path, replace(toy.RECIPE, epochs=1, clip_norm=2.0), about="dense")
    with pytest.raises(BadInput, match=r"about was dense there and is val now"):
        toy.train(tmp_path, replace(toy.RECIPE, epochs=1), about="val")
    # how often it saves does not matter
    toy.train(tmp_path, replace(toy.RECIPE, epochs=1, every=1), about="dense")


def test_a_full_disk_leaves_the_old_checkpoint_and_training_goes_on_from_it(
    toy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected, _ = toy.train(None)
    writes = 0
    plain = weights.save_file

    def full(*arguments: Any) -> None:
        nonlocal writes
        writes += 1
        if writes == 4:
            Path(arguments[1]).write_bytes(b"half of it")
            raise OSError(28, "No space left on device")
        plain(*arguments)

    monkeypatch.setattr(weights, "save_file", full)
    with pytest.raises(BadInput, match=r"could not be written .*No space left.* as it was"):
        toy.train(tmp_path)
    assert not list(tmp_path.glob("*.tmp"))
    resumed, _ = toy.train(tmp_path)
    assert bits(resumed) == bits(expected)


def test_bf16_trains_and_float32_weights_stay(toy: Any, tmp_path: Path) -> None:
    kinds: set[torch.dtype] = set()
    model = toy.network()
    model[0].register_forward_hook(lambda _m, _i, out: kinds.add(out.dtype))  # type: ignore[operator]
    recipe = replace(toy.RECIPE, precision="bf16")
    fit(model, toy.batches(), toy.step_of(model), recipe, folder=tmp_path)
    assert kinds == {torch.bfloat16}
    assert {p.dtype for p in model.parameters()} == {torch.float32}
    with pytest.raises(BadInput, match="precision was 'bf16' there"):
        toy.train(tmp_path)


def test_devices_and_precisions_that_are_not_there(toy: Any) -> None:
    with pytest.raises(BadInput, match="fp16 needs a graphics processor"):
        toy.train(None, replace(toy.RECIPE, precision="fp16"))
    with pytest.raises(BadInput, match="there is no device 'abacus' here"):
        toy.train(None, replace(toy.RECIPE, device="abacus"))


def test_a_training_launched_in_several_processes_is_refused(
    toy: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from accelerate import Accelerator

    monkeypatch.setattr(Accelerator, "num_processes", property(lambda _: 2))
    with pytest.raises(BadInput, match="runs in one process"):
        toy.train(None)


def test_draws_outside_are_left_as_they_were(toy: Any) -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    toy.train(None, replace(toy.RECIPE, epochs=1))
    assert torch.equal(torch.rand(3), expected)


def test_the_seed_changes_the_result_and_nothing_else_does(toy: Any) -> None:
    one, _ = toy.train(None)
    with seeded(99, "elsewhere"):
        same, _ = toy.train(None)
    other, _ = toy.train(None, replace(toy.RECIPE, seed=4))
    assert bits(one) == bits(same) != bits(other)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no graphics processor")
def test_half_precision_on_a_graphics_processor_resumes(toy: Any, tmp_path: Path) -> None:
    recipe = replace(toy.RECIPE, precision="fp16", device="cuda", optimiser=Adam(lr=0.01))
    model = toy.network()

    def step(batch: Batch[Any]) -> torch.Tensor:
        inputs = torch.stack([x for _, x, _ in batch.items]).cuda()
        targets = torch.stack([y for _, _, y in batch.items]).cuda()
        return ((model(inputs)[:, 0] - targets) ** 2).mean()

    fit(model, toy.batches(), step, recipe, folder=tmp_path)
    assert os.path.getsize(tmp_path / checkpoint.NAME) > 0  # noqa: PTH202
    assert fit(model, toy.batches(), step, recipe, folder=tmp_path).epochs == recipe.epochs
