"""Pictures a second through CLIP's tower in bf16, as a share of what the device can multiply.

The tower has the sizes of ViT-B/32 with weights drawn at random. What the device can do is measured
in the same run, by a product of square matrices in the same number format. Without a graphics
processor nothing is measured, unless a device is named.

python benchmarks/neural/peak.py [DEVICE]
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import torch
from torch.utils.flop_counter import FlopCounterMode
from transformers import CLIPVisionConfig, CLIPVisionModel

BATCH, SIDE = {"cpu": (8, 512)}.get("".join(sys.argv[1:]), (512, 8192))


def seconds(work: Callable[[], Any], device: torch.device, tries: int = 10) -> float:
    """Of the best of some tries, everything queued on the device waited for."""
    best = float("inf")
    for _ in range(tries):
        start = time.perf_counter()
        work()
        if device.type != "cpu":
            torch.accelerator.synchronize(device)
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    """Print a line."""
    found = torch.accelerator.current_accelerator(check_available=True)
    device = torch.device(sys.argv[1]) if len(sys.argv) > 1 else found
    if device is None:
        print("no graphics processor here: nothing measured")
        return
    tower = CLIPVisionModel(CLIPVisionConfig()).to(device, torch.bfloat16).eval()
    pixels = torch.randn(BATCH, 3, 224, 224, device=device, dtype=torch.bfloat16)
    square = torch.randn(SIDE, SIDE, device=device, dtype=torch.bfloat16)
    with torch.inference_mode():
        with FlopCounterMode(display=False) as counted:
            tower(pixels)
        peak = 2 * SIDE**3 / seconds(lambda: square @ square, device)
        took = seconds(lambda: tower(pixels), device)
    line = {
        "device": str(device),
        "pictures_per_second": round(BATCH / took),
        "share_of_product_rate": round(counted.get_total_flops() / took / peak, 3),
        "product_rate_tflops": round(peak / 1e12, 1),
    }
    print(json.dumps(line))


if __name__ == "__main__":
    main()
