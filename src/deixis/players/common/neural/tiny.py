"""Checkpoints of a few thousand weights, drawn at random, with tokenisers learnt from texts.

They have the form of the real ones, so everything that loads, trains and plays those runs on
these in seconds: in tests, and in ``deixis reproduce … --preset tiny``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tokenizers
from tokenizers import models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    CLIPConfig,
    CLIPModel,
    PreTrainedTokenizerFast,
    Siglip2Config,
    Siglip2Model,
    SiglipConfig,
    SiglipModel,
    ViltConfig,
    ViltForImageAndTextRetrieval,
)

from deixis.players.common.neural import pretrained
from deixis.players.common.neural.transforms import CLIP_MEAN, CLIP_STD, HALF, Transform
from deixis.training.randomness import seeded


@dataclass(frozen=True, slots=True)
class Size:
    """How large the transformers are; all sizes are small.

    Attributes:
        width: of every layer.
        depth: number of layers, of each tower.
        heads: of attention.
        side: of pictures, in pixels.
        patch: side of a patch, in pixels.
        vocabulary: most kinds of tokens.
        limit: most tokens in a text.
    """

    width: int = 32
    depth: int = 2
    heads: int = 2
    side: int = 64
    patch: int = 16
    vocabulary: int = 600
    limit: int = 40


SMALL = Size()


def clip(folder: Path, texts: Sequence[str], *, size: Size = SMALL, seed: int = 0) -> Path:
    """Write a tiny CLIP; its tokeniser knows pieces of the words of `texts`."""
    tokenizer = tokenizer_of(texts, size, "<|startoftext|>", "<|endoftext|>")
    config = CLIPConfig(
        text_config=_text(size, tokenizer), vision_config=_vision(size), projection_dim=size.width
    )
    transform = Transform("shortest", size.side, crop=size.side, mean=CLIP_MEAN, std=CLIP_STD)
    return _write(folder, CLIPModel, config, tokenizer, transform, seed)


def siglip(
    folder: Path, texts: Sequence[str], *, version: int = 1, size: Size = SMALL, seed: int = 0
) -> Path:
    """Write a tiny SigLIP, or a tiny SigLIP 2 that takes pictures as sets of patches."""
    tokenizer = tokenizer_of(texts, size, None, "<eos>")
    text, vision = _text(size, tokenizer), _vision(size)
    text |= {"projection_size": size.width}
    if version == 1:
        transform = Transform("square", size.side, mean=HALF, std=HALF)
        config: Any = SiglipConfig(text_config=text, vision_config=vision)
        return _write(folder, SiglipModel, config, tokenizer, transform, seed)
    most = (size.side // size.patch) ** 2
    del vision["image_size"]
    vision |= {"num_patches": most}
    transform = Transform(
        "patches", size.side, resample=2, mean=HALF, std=HALF, divisor=size.patch, most=most
    )
    config = Siglip2Config(text_config=text, vision_config=vision)
    return _write(folder, Siglip2Model, config, tokenizer, transform, seed)


def vilt(folder: Path, texts: Sequence[str], *, size: Size = SMALL, seed: int = 0) -> Path:
    """Write a tiny ViLT with a head that ranks."""
    tokenizer = tokenizer_of(texts, size, "[CLS]", "[SEP]")
    config = ViltConfig(
        **_layers(size),
        vocab_size=len(tokenizer),
        max_position_embeddings=size.limit,
        image_size=size.side,
        patch_size=size.patch,
        pad_token_id=tokenizer.pad_token_id,
    )
    transform = Transform("ratio", size.side, mean=HALF, std=HALF, divisor=size.patch)
    return _write(folder, ViltForImageAndTextRetrieval, config, tokenizer, transform, seed)


def tokenizer_of(texts: Sequence[str], size: Size, begin: str | None, end: str) -> Any:
    """Byte pairs learnt from texts, marks at the ends.

    Args:
        texts: what to learn from.
        size: says how many kinds of tokens, and the limit.
        begin: mark at the beginning; None for none.
        end: mark at the end.
    """
    made = tokenizers.Tokenizer(models.BPE(unk_token="<unk>"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    marks = ["<pad>", "<unk>", "<mask>", *([begin] if begin else []), end]
    trainer = trainers.BpeTrainer(
        vocab_size=size.vocabulary, special_tokens=marks, show_progress=False
    )
    made.train_from_iterator(sorted(set(texts)), trainer)
    numbered = [(mark, made.token_to_id(mark)) for mark in (begin, end) if mark]
    made.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}" if begin else f"$A {end}", special_tokens=numbered
    )
    wrapped: Any = PreTrainedTokenizerFast
    return wrapped(
        tokenizer_object=made,
        model_max_length=size.limit,
        pad_token="<pad>",
        unk_token="<unk>",
        bos_token=begin,
        eos_token=end,
    )


def _layers(size: Size) -> dict[str, Any]:
    return {
        "hidden_size": size.width,
        "intermediate_size": 2 * size.width,
        "num_hidden_layers": size.depth,
        "num_attention_heads": size.heads,
    }


def _text(size: Size, tokenizer: Any) -> dict[str, Any]:
    return _layers(size) | {
        "vocab_size": len(tokenizer),
        "max_position_embeddings": size.limit,
        "pad_token_id": tokenizer.pad_token_id,
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
    }


def _vision(size: Size) -> dict[str, Any]:
    return _layers(size) | {"image_size": size.side, "patch_size": size.patch}


def _write(
    folder: Path, kind: Any, config: Any, tokenizer: Any, transform: Transform, seed: int
) -> Path:
    with seeded(seed, "tiny", kind.__name__):
        model = kind(config)
    pretrained.save(folder, model, tokenizer, transform)
    return folder
