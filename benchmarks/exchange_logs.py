"""Processor seconds for 200,000 logged samples, beside json.loads of every line alone."""

from __future__ import annotations

import json
import tempfile
import time
import zipfile
from pathlib import Path

from deixis.exchange.reading import read_log

N = 200_000


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "samples_task.jsonl"
        doc = {"question": "x" * 300, "choices": ["a", "b", "c", "d"]}
        with path.open("w") as file:
            for i in range(N):
                row = {"doc_id": i, "doc": doc, "target": "1", "filtered_resps": ["b"],
                       "doc_hash": f"{i:064x}", "acc": i % 2}  # fmt: skip
                file.write(json.dumps(row) + "\n")
        start = time.process_time()
        with path.open() as file:
            for line in file:
                json.loads(line)
        alone = time.process_time() - start
        start = time.process_time()
        log = read_log(path)
        ours = time.process_time() - start
        assert log.outcomes[0].credit.mean() == 0.5
        print(f"{N:,} samples of lm-eval: {ours:.1f} s of processor time, json {alone:.1f} s; "
              f"ratio {ours / alone:.2f}")  # fmt: skip
        log_path = Path(place) / "a.eval"
        samples = [
            {"id": i, "epoch": 1, "target": "A", "scores": {"m": {"value": "C", "answer": "A"}}}
            for i in range(N)
        ]
        with zipfile.ZipFile(log_path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("header.json", json.dumps({"eval": {"model": "m"}}))
            archive.writestr("summaries.json", json.dumps(samples))
        start = time.process_time()
        read_log(log_path)
        print(f"{N:,} samples of Inspect: {time.process_time() - start:.1f} s of processor time")


if __name__ == "__main__":
    main()
