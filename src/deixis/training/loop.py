"""`fit`: the training loop. It knows steps, scores and checkpoints, and no model."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

import torch
from accelerate import Accelerator
from accelerate.state import AcceleratorState
from torch import Tensor, nn
from torch.nn.utils import clip_grad_value_, clip_grads_with_norm_, get_total_norm

from deixis.errors import BadInput
from deixis.progress import Progress, quiet
from deixis.training import checkpoint, weights
from deixis.training.batches import Named
from deixis.training.log import Log
from deixis.training.randomness import seeded
from deixis.training.recipe import PRECISIONS, Moment, Recipe

B = TypeVar("B", bound=Named)

Loss: TypeAlias = Tensor | tuple[Tensor, Mapping[str, float]]
"""The mean loss of a batch, and what else is to be logged."""

_NAMED = 5
"""How many ids of a batch an error lists."""


@dataclass(frozen=True)
class Fitted:
    """What became of a training; the model holds the best weights.

    Attributes:
        epochs: made.
        steps: made.
        score: the best; None without a score.
        best_epoch: when it was reached, from 0; the last without a score.
        history: a row for each epoch: ``epoch``, ``step``, ``loss`` (mean over its batches), and
            ``score`` where there is one.
    """

    epochs: int
    steps: int
    score: float | None
    best_epoch: int
    history: tuple[Mapping[str, float], ...]


def fit(
    model: nn.Module,
    batches: Callable[[int], Sequence[B]],
    step: Callable[[B], Loss],
    recipe: Recipe,
    *,
    score: Callable[[], float] | None = None,
    folder: Path | None = None,
    about: str = "",
    log: Log | None = None,
    progress: Progress = quiet,
    name: str = "training",
) -> Fitted:
    """Train a model; killed at any time and called again, it ends with the same weights.

    To the bit on one machine with the same number of threads; on a graphics processor as far as
    the kernels in use are deterministic.

    Args:
        model: all that is trained, in one module; left on the recipe's device, in evaluation
            mode, with the weights of the best score (the last ones without a score).
        batches: the batches of an epoch, by its number from 0; the same ones whenever called.
            They are indexed one after the other, so they may be made on the way.
        step: the loss of one batch. Whatever it draws must come from torch's, NumPy's or
            Python's global generator, or be drawn by the batch.
        recipe: the numbers.
        score: the dev score after an epoch, higher is better; called without gradients. Ties go
            to the earlier epoch.
        folder: of the checkpoint, from which a training that was killed goes on.
        about: what is trained on what; another text refuses the checkpoint.
        log: gets a row for each step and epoch.
        progress: told of batches, over all epochs.
        name: what progress and errors call the training.

    Raises:
        BadInput: a loss or gradient is not finite (the sentence names the step and the ids), an
            epoch is empty, or the folder holds the checkpoint of another training.
    """
    with _accelerator(recipe) as accelerator, seeded(recipe.seed, "training"):
        loop = _Loop(
            model=model,
            batches=batches,
            step=step,
            recipe=recipe,
            score=score,
            folder=folder,
            agreed={**recipe.written, "about": about},
            log=log,
            progress=progress,
            name=name,
            accelerator=accelerator,
        )
        return loop.run()


@dataclass
class _Loop(Generic[B]):
    model: nn.Module
    batches: Callable[[int], Sequence[B]]
    step: Callable[[B], Loss]
    recipe: Recipe
    score: Callable[[], float] | None
    folder: Path | None
    agreed: Mapping[str, str]
    log: Log | None
    progress: Progress
    name: str
    accelerator: Accelerator

    def __post_init__(self) -> None:
        self.model.to(self.accelerator.device)
        optimiser = self.recipe.optimiser(self.model)
        self.optimiser = self.accelerator.prepare_optimizer(optimiser)
        self.rates = [group["lr"] for group in self.optimiser.param_groups]
        self.trained = [p for p in self.model.parameters() if p.requires_grad]
        self.clipped = [
            p
            for n, p in self.model.named_parameters()
            if p.requires_grad and (not self.recipe.clipped or n.startswith(self.recipe.clipped))
        ]
        self.state = checkpoint.State(patience=self.recipe.patience)
        self.best: dict[str, Tensor] = {}

    def run(self) -> Fitted:
        if self.folder:
            self.state = checkpoint.resume(self.folder, **self._parts()) or self.state
        while not self.state.finished:
            self._epoch()
        self._take_best()
        self.model.eval()
        state = self.state
        last = len(state.history) - 1
        return Fitted(
            epochs=len(state.history),
            steps=state.step,
            score=state.best,
            best_epoch=state.best_epoch if self.score else last,
            history=tuple(state.history),
        )

    def _epoch(self) -> None:
        state, batches = self.state, self.batches(self.state.epoch)
        if not len(batches):
            raise BadInput(f"{self.name}: epoch {state.epoch} has no batches")
        self.model.train()
        while state.position < len(batches) and not self._enough():
            stop = min(state.position + self.recipe.accumulate, len(batches))
            self._step([batches[i] for i in range(state.position, stop)], len(batches))
            state.position = stop
            done = state.epoch * len(batches) + state.position
            self.progress(self.name, done, self.recipe.epochs * len(batches))
            if self.folder and self.recipe.every and state.step % self.recipe.every == 0:
                self._save()
        self._score()
        state.epoch += 1
        state.position, state.loss = 0, 0.0
        patient = state.patience is None or state.waited < state.patience
        state.finished = state.epoch == self.recipe.epochs or self._enough() or not patient
        if self.folder:
            self._save()
            self._forget()

    def _step(self, group: Sequence[B], batches: int) -> None:
        """One step of the optimiser, on the mean loss of a few batches."""
        factor = self.recipe.schedule(self._moment(batches))
        for held, rate in zip(self.optimiser.param_groups, self.rates, strict=True):
            held["lr"] = rate * factor
        self.optimiser.zero_grad()
        total = 0.0
        said: dict[str, float] = {}
        for batch in group:
            with self.accelerator.autocast():
                given = self.step(batch)
            loss, extra = given if isinstance(given, tuple) else (given, {})
            value = float(loss.detach())
            self._check("loss", value, [batch])
            self.accelerator.backward(loss / len(group))
            total += value
            said.update(extra)
        norm = self._clip(group)
        self.optimiser.step()
        self.state.step += 1
        self.state.loss += total
        if self.log:
            row = {"step": self.state.step, "epoch": self.state.epoch, "loss": total / len(group)}
            row |= {"learning_rate": self.rates[0] * factor, "gradient_norm": norm}
            self.log.log({**row, **said})

    def _clip(self, group: Sequence[B]) -> float:
        """Clip the gradients; gives their norm before."""
        self.accelerator.unscale_gradients()
        gradients = [p.grad for p in self.trained if p.grad is not None]
        norm = float(get_total_norm(gradients))
        if self.accelerator.scaler is None:  # a scaler leaves out steps that overflow by itself
            self._check("gradient", norm, group)
        if self.recipe.clip_norm is not None:
            own = [p.grad for p in self.clipped if p.grad is not None]
            clip_grads_with_norm_(self.clipped, self.recipe.clip_norm, get_total_norm(own))
        if self.recipe.clip_value is not None:
            clip_grad_value_(self.clipped, self.recipe.clip_value)
        return norm

    def _check(self, what: str, value: float, group: Sequence[B]) -> None:
        if math.isfinite(value):
            return
        ids = [str(i) for batch in group for i in batch.ids]
        more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
        raise BadInput(
            f"{self.name}: the {what} became {value} at step {self.state.step + 1} (epoch "
            f"{self.state.epoch}), on {', '.join(ids[:_NAMED])}{more}"
        )

    def _moment(self, batches: int) -> Moment:
        state, recipe = self.state, self.recipe
        share = (state.epoch + state.position / batches) / recipe.epochs
        if recipe.steps is not None:
            share = max(share, state.step / recipe.steps)
        return Moment(state.step, share)

    def _enough(self) -> bool:
        return self.recipe.steps is not None and self.state.step >= self.recipe.steps

    def _score(self) -> None:
        """Close the epoch: its row, and whether it was the best."""
        state = self.state
        row: dict[str, float] = {
            "epoch": state.epoch,
            "step": state.step,
            "loss": state.loss / max(state.position, 1),
        }
        if self.score:
            self.model.eval()
            with torch.no_grad(), self.accelerator.autocast():
                row["score"] = float(self.score())
            if not math.isfinite(row["score"]):
                raise BadInput(
                    f"{self.name}: the dev score became {row['score']} after epoch {state.epoch}"
                )
            self._compare(row["score"])
        state.history.append(row)
        if self.log:
            self.log.log(dict(row))

    def _compare(self, score: float) -> None:
        state = self.state
        if state.best is not None and score <= state.best:
            state.waited += 1
            return
        state.best, state.best_epoch, state.waited = score, state.epoch, 0
        if state.patience is not None:
            state.patience *= self.recipe.growth
        if self.folder:
            weights.write(self._best_file(), self.model.state_dict())
        else:
            self.best = {n: t.detach().clone() for n, t in self.model.state_dict().items()}

    def _take_best(self) -> None:
        if self.score and self.folder:
            tensors, _ = weights.read(self._best_file())
            weights.load(self.model, tensors, self._best_file())
        elif self.score:
            self.model.load_state_dict(self.best)

    def _save(self) -> None:
        assert self.folder is not None  # its callers have a folder
        checkpoint.save(self.folder, self.state, **self._parts())

    def _forget(self) -> None:
        """Remove the weights of earlier bests: the checkpoint just written has no use for them."""
        assert self.folder is not None  # its callers have a folder
        for path in self.folder.glob("best-*.safetensors"):
            if path != self._best_file():
                path.unlink()

    def _best_file(self) -> Path:
        assert self.folder is not None  # its callers have a folder
        return self.folder / f"best-{self.state.best_epoch}.safetensors"

    def _parts(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "optimiser": self.optimiser,
            "scaler": self.accelerator.scaler,
            "agreed": self.agreed,
        }


@contextmanager
def _accelerator(recipe: Recipe) -> Iterator[Accelerator]:
    """Devices and precision by accelerate, which keeps them for the whole process: set back."""
    AcceleratorState._reset_state(reset_partial_state=True)
    try:
        made = Accelerator(cpu=recipe.device == "cpu")
        if recipe.device not in ("auto", made.device.type, str(made.device)):
            raise BadInput(f"there is no device {recipe.device!r} here, but {made.device}")
        if made.num_processes > 1:
            raise BadInput("a training runs in one process, and this one was launched in several")
        if recipe.precision == "fp16" and made.device.type == "cpu":
            raise BadInput("fp16 needs a graphics processor; bf16 does not")
        AcceleratorState._reset_state()
        yield Accelerator(cpu=recipe.device == "cpu", mixed_precision=PRECISIONS[recipe.precision])
    finally:
        AcceleratorState._reset_state(reset_partial_state=True)
