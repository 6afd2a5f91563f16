"""A real language model, trained in a moment, behind an OpenAI-compatible server.

A transformer of two layers with a tokeniser and a chat template of its own. It learns to answer
one kind of question from its words; what it does elsewhere is its own affair.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

import torch
from tokenizers import Regex, Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

TEMPLATE = (
    "{% for m in messages %}<{{ m.role }}> {{ m.content }} {% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
SPECIAL = ("<pad>", "<unk>", "<end>", "<user>", "<assistant>")
IGNORED = -100
"""A label that no loss is taken of."""


class LanguageModel:
    """A causal language model with its tokeniser."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Know the words of some texts."""
        split = pre_tokenizers.Split(Regex(r"<\w+>|\w+|[^\w\s]"), "removed", invert=True)
        words = sorted({w for text in texts for w, _ in split.pre_tokenize_str(text)})
        vocabulary = {w: i for i, w in enumerate([*SPECIAL, *words])}
        raw = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
        raw.pre_tokenizer = split
        self.tokenizer = PreTrainedTokenizerFast(
            tokenizer_object=raw,
            pad_token="<pad>",
            unk_token="<unk>",
            eos_token="<end>",
            padding_side="left",
            chat_template=TEMPLATE,
        )
        torch.manual_seed(0)
        self.model = LlamaForCausalLM(
            LlamaConfig(
                vocab_size=len(vocabulary),
                hidden_size=64,
                initializer_range=0.15,  # wide, so that letters are told apart soon
                intermediate_size=128,
                num_hidden_layers=2,
                num_attention_heads=4,
                max_position_embeddings=256,
                pad_token_id=0,
                bos_token_id=None,
                eos_token_id=2,
            )
        )
        self._lock = Lock()

    def learn(self, pairs: Sequence[tuple[str, str]], steps: int) -> float:
        """Train on questions and answers, all of them at each step; gives the last loss."""
        texts = [f"{self.written(q)} {a} <end>" for q, a in pairs]
        batch = self.tokenizer(texts, return_tensors="pt", padding=True)
        labels = batch["input_ids"].clone()
        labels[:, :-2] = IGNORED  # padded on the left: the answer and the end stand last
        optimizer = torch.optim.AdamW(self.model.parameters(), lr=3e-3)
        self.model.train()
        for _ in range(steps):
            loss = self.model(
                input_ids=batch["input_ids"], attention_mask=batch["attention_mask"], labels=labels
            ).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        self.model.eval()
        return float(loss.detach())

    def written(self, question: str) -> str:
        """A question as the chat template writes it."""
        said = [{"role": "user", "content": question}]
        made = self.tokenizer.apply_chat_template(said, tokenize=False, add_generation_prompt=True)
        assert isinstance(made, str)
        return made

    def complete(self, body: dict[str, Any]) -> dict[str, Any]:
        """A chat completion: greedy, with the log-probabilities that were asked for."""
        question = body["messages"][-1]["content"]
        ids = self.tokenizer(self.written(question), return_tensors="pt")["input_ids"]
        sent, tokens, finish = ids.shape[1], [], "length"
        with self._lock, torch.inference_mode():
            for _ in range(body.get("max_tokens", 16)):
                shares = self.model(input_ids=ids).logits[0, -1].log_softmax(-1)
                best = int(shares.argmax())
                if best == self.tokenizer.eos_token_id:
                    finish = "stop"
                    break
                top = shares.topk(min(body.get("top_logprobs", 0) or 1, len(shares)))
                rows = zip(top.values.tolist(), top.indices.tolist(), strict=True)
                tokens.append(
                    {
                        "token": self.tokenizer.decode([best]),
                        "logprob": float(shares[best]),
                        "top_logprobs": [
                            {"token": self.tokenizer.decode([i]), "logprob": v} for v, i in rows
                        ],
                    }
                )
                ids = torch.cat([ids, torch.tensor([[best]])], dim=1)
        text = " ".join(str(t["token"]) for t in tokens)
        return {
            "model": body["model"],
            "choices": [
                {
                    "message": {"role": "assistant", "content": text},
                    "finish_reason": finish,
                    "logprobs": {"content": tokens} if body.get("logprobs") else None,
                }
            ],
            "usage": {
                "prompt_tokens": sent,
                "completion_tokens": len(tokens),
                "total_tokens": sent + len(tokens),
            },
        }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: LanguageModel

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        sent = json.dumps(self.model.complete(body)).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


@contextmanager
def served(model: LanguageModel) -> Iterator[str]:
    """Serve on a free port; gives the URL up to and with ``/v1``."""
    handler = type("Handler", (_Handler,), {"model": model})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
