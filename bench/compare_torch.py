#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Distance transforms of a batch of tensors by thiessen, and by others, in one run.

Each is called by turns on the same masks, on the host and, where there is one, on a CUDA device;
the table has medians, and the largest error of a distance. The others are those that are installed:
SciPy, edt and FastGeodis in a loop over the rasters, as they take one at a time, Kornia, and on a
device cuCIM and CuPy in a loop. Who is not measured is listed with the reason. Distances go to the
nearest cell that is not zero, and are float32. Nothing is downloaded; what is needed is PyTorch
and this package.

    build/torch-venv/bin/python bench/compare_torch.py [--batch 64x1x256x256] [--rounds 5]
        [--sites discs,1%] [--threads N] [--peers SciPy,edt] [--table FILE]
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import thiessen
import torch

Call = Callable[[torch.Tensor], torch.Tensor]
PEERS = "SciPy,edt,Kornia,FastGeodis,cuCIM,CuPy"
SLOWEST = 20.0
"""Seconds: a peer that takes longer is called once."""


def ours(masks: torch.Tensor) -> torch.Tensor:
    return thiessen.distance_transform(masks, batch_axes=(0, 1))


def loop(one: Callable[[np.ndarray], Any]) -> Call:
    """A function of one array of the host, for each raster of a batch."""

    def call(masks: torch.Tensor) -> torch.Tensor:
        distances = torch.empty(masks.shape)
        for place in np.ndindex(*masks.shape[:2]):
            distances[place] = torch.as_tensor(one(masks[place].numpy()))
        return distances

    return call


def scipy_loop() -> Call:
    ndimage = importlib.import_module("scipy.ndimage")
    return loop(lambda mask: ndimage.distance_transform_edt(~mask))


def edt_loop(threads: int) -> Call:
    edt = importlib.import_module("edt")
    return loop(lambda mask: edt.edt(~mask, black_border=False, parallel=threads))


def kornia_batch() -> Call:
    contrib = importlib.import_module("kornia.contrib")
    return lambda masks: contrib.distance_transform(masks.float())


def fastgeodis_loop() -> Call:
    geodis = importlib.import_module("FastGeodis")

    def call(masks: torch.Tensor) -> torch.Tensor:
        image = torch.zeros(1, 1, *masks.shape[2:], device=masks.device)
        free = (~masks).float()
        distances = torch.empty(masks.shape, device=masks.device)
        for n, c in np.ndindex(*masks.shape[:2]):
            # By distances alone (lambda 0), in two rounds of sweeps, its default.
            distances[n, c] = geodis.generalised_geodesic2d(
                image, free[n : n + 1, c : c + 1], 1e10, 0.0, 2
            )[0, 0]
        return distances

    return call


def loop_on_device(module_name: str) -> Call:
    """cuCIM's function, which CuPy has too."""
    cupy = importlib.import_module("cupy")
    module = importlib.import_module(module_name)

    def call(masks: torch.Tensor) -> torch.Tensor:
        distances = torch.empty(masks.shape, device=masks.device)
        stream = torch.cuda.current_stream(masks.device)
        with cupy.cuda.ExternalStream(stream.cuda_stream):
            free = cupy.asarray(~masks)
            for place in np.ndindex(*masks.shape[:2]):
                written = cupy.asarray(distances[place])
                module.distance_transform_edt(
                    free[place], float64_distances=False, distances=written
                )
        return distances

    return call


def peers(threads: int) -> dict[str, tuple[Callable[[], Call], list[str]]]:
    """How each is made, and on which devices."""
    return {
        "SciPy": (scipy_loop, ["cpu"]),
        "edt": (lambda: edt_loop(threads), ["cpu"]),
        "Kornia": (kornia_batch, ["cpu", "cuda"]),
        "FastGeodis": (fastgeodis_loop, ["cpu", "cuda"]),
        "cuCIM": (lambda: loop_on_device("cucim.core.operations.morphology"), ["cuda"]),
        "CuPy": (lambda: loop_on_device("cupyx.scipy.ndimage"), ["cuda"]),
    }


class Report:
    """Lines on the console and, as they come, in a file."""

    def __init__(self, path: Path | None) -> None:
        self.file = None if path is None else path.open("w", encoding="utf-8")

    def add(self, line: str = "") -> None:
        print(line, flush=True)
        if self.file is not None:
            print(line, file=self.file, flush=True)


def calls_on(device: str, threads: int, wanted: list[str], report: Report) -> dict[str, Call]:
    """Ours and those of the peers that work there."""
    calls = {"thiessen": ours}
    for name, (make, devices) in peers(threads).items():
        if name not in wanted:
            continue
        if device not in devices:
            report.add(f"{name} is not measured on {device}: it is for {devices[0]} alone\n")
            continue
        try:
            call = make()
            call(make_masks("1%", (1, 1, 16, 16)).to(device))
        except (ImportError, AttributeError, RuntimeError, TypeError) as error:
            reason = str(error).partition("\n")[0]
            report.add(f"{name} is not measured on {device}: {reason}\n")
        else:
            calls[name] = call
    return calls


def versions() -> str:
    names = ["torch", "thiessen", "scipy", "edt", "kornia", "FastGeodis"]
    found = {each.metadata["Name"].lower(): each for each in importlib.metadata.distributions()}
    names += [name for name in found if name.startswith(("cupy", "cucim"))]
    return ", ".join(
        f"{name} {found[name.lower()].version}" for name in names if name.lower() in found
    )


def make_masks(kind: str, shape: tuple[int, ...]) -> torch.Tensor:
    """Random discs, as objects of segmentation are, or a share of all cells, each with a site."""
    draw = np.random.default_rng(1)
    height, width = shape[2:]
    masks = np.zeros(shape, bool)
    y, x = np.ogrid[:height, :width]
    for place in np.ndindex(*shape[:2]):
        if kind == "discs":
            for _ in range(6):
                cy, cx = draw.random(2) * (height, width)
                radius = (0.02 + 0.06 * draw.random()) * min(height, width)
                masks[place] |= (y - cy) ** 2 + (x - cx) ** 2 <= radius**2
        else:
            masks[place] = draw.random((height, width)) < float(kind.removesuffix("%")) / 100
        masks[place][height // 3, width // 2] = True
    return torch.from_numpy(masks)


def timed(call: Call, masks: torch.Tensor) -> tuple[float, torch.Tensor]:
    """Seconds of one call, until the distances are there."""
    if masks.is_cuda:
        torch.cuda.synchronize()
    start = time.perf_counter()
    distances = call(masks)
    if masks.is_cuda:
        torch.cuda.synchronize()
    return time.perf_counter() - start, distances


def measure(masks: torch.Tensor, calls: dict[str, Call], rounds: int, report: Report) -> None:
    truth = ours(masks.cpu())
    times: dict[str, list[float]] = {name: [] for name in calls}
    errors: dict[str, float] = {}
    for name, call in calls.items():  # the first call, which does not count
        first, distances = timed(call, masks)
        errors[name] = float((distances.cpu() - truth).abs().max())
        if first > SLOWEST:
            times[name].append(first)
    for _ in range(rounds):
        for name, call in calls.items():
            if times[name][:1] < [SLOWEST]:
                times[name].append(timed(call, masks)[0])
    fastest = statistics.median(times["thiessen"])
    for name, seconds in times.items():
        median = statistics.median(seconds)
        speed = masks.numel() / median / 1e6
        report.add(
            f"| {name} | {1000 * median:.3g} | {speed:.4g} | {median / fastest:.3g} "
            f"| {errors[name]:.2g} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--batch", default="64x1x256x256", help="(%(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="(%(default)s)")
    parser.add_argument("--sites", default="discs,1%", help="with commas (%(default)s)")
    parser.add_argument("--threads", type=int, help="of the CPU; default: those of PyTorch")
    parser.add_argument("--peers", default=PEERS, help="with commas (%(default)s)")
    parser.add_argument("--table", type=Path, help="a file that gets the tables, too")
    arguments = parser.parse_args()
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    threads = torch.get_num_threads()
    shape = tuple(int(extent) for extent in arguments.batch.split("x"))
    report = Report(arguments.table)
    report.add(f"{versions()}; threads: {threads}, medians of {arguments.rounds} rounds\n")
    on_device = any(each.available and each.name == "cuda:0" for each in thiessen.devices())
    for device in ["cpu", "cuda"] if on_device and torch.cuda.is_available() else ["cpu"]:
        if device == "cuda":
            report.add(f"cuda: {torch.cuda.get_device_name()}\n")
        calls = calls_on(device, threads, arguments.peers.split(","), report)
        for kind in arguments.sites.split(","):
            report.add(
                f"| {arguments.batch}, {kind}, {device} | ms | Mcell/s | times | max. error |"
            )
            report.add("| --- | --- | --- | --- | --- |")
            measure(make_masks(kind, shape).to(device), calls, arguments.rounds, report)
            report.add()


if __name__ == "__main__":
    main()
