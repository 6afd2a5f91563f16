"""Sizes, losses and schedules of two published pairs of bots and a small one, as values.

``hre-das2017``: the code released for *Learning Cooperative Visual Dialog Agents* (Das et al.,
2017), supervised training; ``hre-das2017-delta`` is its variant with a light language loss.
``hre-interventions2017``: the model of the 2017 intervention study, by its authors' code.
``hre-bags``, which nobody published, is for a thousand dialogs: one small network in place of two,
no dropout, and a beginning as a reader of bags of words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from deixis.errors import BadInput

MARKS = ("none", "train", "both")
"""Where facts and questions that are read carry START and END, see `Design.marks`."""


@dataclass(frozen=True)
class Design:
    """A pair of bots and how it is trained.

    Attributes:
        name: of the preset.
        embedding: length of word vectors.
        hidden: length of every recurrent state.
        layers: of the networks that read and say texts.
        history_layers: of the network that reads rounds.
        image: length that A-bot's picture is brought to by a linear layer; 0 leaves it as it is.
        gain: what components of a picture's vector are multiplied with before A-bot looks at them;
            1 in the published code, where those of a unit vector are so small that A-bot hardly
            gets beyond what is linear in them.
        dropout: before that layer, and before Q-bot's prediction.
        start: where saying starts from: ``history``, its complete state; ``spliced``, the cells and
            the lowest hidden state of the text read last, with the history's hidden state on top.
        from_caption: which rounds the prediction is trained after: the caption and all but the
            last round, or rounds alone.
        loss: of predictions: ``mse``, the mean square over batch and components, averaged over
            rounds; ``frobenius``, one norm of the whole batch's errors for each round, summed and
            divided by the size of the batch.
        vectors: weight of that loss.
        language: weight of the loss of words: summed over a text, averaged over the batch; and
            averaged over rounds with ``mse``, summed with ``frobenius``.
        initial: of weights: ``gaussian`` of variance 2 / (rows + columns), biases 0, but for the
            prediction's layer; or ``torch``'s own.
        keeping: added to the biases of forget gates: with 1, networks begin by keeping most of what
            they have read (Jozefowicz et al., 2015); 0 in the published code.
        bags: whether Q-bot begins as a reader of bags of words, see `beginning`; in published code
            its weights are drawn.
        stretch: how many times as far from the mean picture Q-bot's predictions are after training:
            the least squares keep them near it, where pictures with few objects are always
            nearest; 1 in the published code.
        least: how often a word must occur in the training dialogs.
        longest: words of a question, an answer, a caption that are read, and said.
        marks: whether facts and questions that are read carry START and END: ``none``; ``both``, in
            training and in play; ``train``, in training only, and in play questions carry END
            alone: so it is in the code of the intervention study.
        epochs: of training.
        batch: dialogs in a batch.
        rate: the learning rate (Adam).
        decay: of the rate at each step; 1 for none.
        floor: of the decayed rate, as a factor.
        clip_value: of single elements of gradients, but for the prediction's layer.
        clip_norm: of the whole gradient.
        ordered: the same batches in the same order, without the incomplete last one.
    """

    name: str
    embedding: int = 300
    hidden: int = 512
    layers: int = 2
    history_layers: int = 1
    image: int = 300
    gain: float = 1.0
    dropout: float = 0.5
    start: Literal["history", "spliced"] = "spliced"
    from_caption: bool = True
    loss: Literal["mse", "frobenius"] = "mse"
    vectors: float = 1000.0
    language: float = 200.0
    initial: Literal["gaussian", "torch"] = "gaussian"
    keeping: float = 0.0
    bags: bool = False
    stretch: float = 1.0
    least: int = 5
    longest: tuple[int, int, int] = (20, 20, 40)
    marks: str = "none"
    epochs: int = 60
    batch: int = 20
    rate: float = 1e-3
    decay: float = 0.9997592083
    floor: float = 0.05
    clip_value: float | None = 5.0
    clip_norm: float | None = None
    ordered: bool = True

    def __post_init__(self) -> None:
        """Check what a user can write."""
        if self.marks not in MARKS:
            raise BadInput(f"--marks: expected {', '.join(MARKS)}, got {self.marks!r}")


_DAS = Design("hre-das2017")

PRESETS: Mapping[str, Design] = {
    d.name: d
    for d in (
        _DAS,
        replace(_DAS, name="hre-das2017-delta", language=1.0, decay=0.999962372474343, epochs=15),
        Design(
            "hre-interventions2017",
            history_layers=2,
            image=0,
            dropout=0.0,
            start="history",
            from_caption=False,
            loss="frobenius",
            vectors=1.0,
            language=1.0,
            initial="torch",
            epochs=15,
            batch=64,
            decay=1.0,
            clip_value=None,
            clip_norm=5.0,
            ordered=False,
        ),
        replace(
            _DAS,
            name="hre-bags",
            embedding=64,
            hidden=64,
            layers=1,
            image=64,
            dropout=0.0,
            language=1.0,
            initial="torch",
            keeping=1.0,
            bags=True,
            stretch=10.0,
            epochs=10,
            rate=0.005,
            decay=1.0,
            ordered=False,
        ),
    )
}
"""By name."""


def design_of(name: str, **changes: object) -> Design:
    """A preset with some of its numbers changed.

    Raises:
        BadInput: there is no such preset.

    >>> design_of("hre-das2017-delta", hidden=64).language
    1.0
    """
    if name not in PRESETS:
        raise BadInput(f"there are no bots {name!r} (known: {', '.join(PRESETS)})")
    return replace(PRESETS[name], **changes)  # type: ignore[arg-type]
