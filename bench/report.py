# SPDX-License-Identifier: Apache-2.0
"""From measurements to tables."""

import math
import os
import platform

from .cases import kind_text
from .peers import BOTH, COPY, US

HEAD = """\
# Measurements

{machine}

{versions}

One run of `{command}`: in each round a new raster, on which everyone has a turn; medians of the
rounds; in a round, calls of less than 50 ms are repeated for as long. Threads are those that a program may use. *memcpys*: the time as a multiple of that of a copy of the raster
of sites (4 bytes a cell). *vs like*: how many times faster than the fastest exact peer that gives at
least the same; *vs any*: than the fastest exact peer whatever it gives; both on at most as many threads. *Scratch*: what the
process held at its peak beyond inputs and results, bytes a cell. *Answer*: of the first round, all cells (every second
or fourth million of the largest rasters). Programs of one thread waited {waited} of their time for a processor.
"""

COLUMNS = (
    "who",
    "gives",
    "threads",
    "ms",
    "Mpixel/s",
    "memcpys",
    "vs like",
    "vs any",
    "scratch",
    "answer",
)


class CaseResult:
    """What has been measured in a case, with the comparisons between its rows."""

    def __init__(self, case, site_count, measurements, left_out):
        self.case, self.site_count = case, site_count
        self.measurements, self.left_out = measurements, left_out

    def speed(self, measurement):
        return self.case.cells / measurement.median / 1e3

    def memcpy(self, threads):
        """The faster one: threads cost more than they bring where little is copied."""
        copies = [
            m for m in self.measurements if m.entry.task == COPY and m.entry.threads <= threads
        ]
        return min((m for m in copies if m.ms), key=lambda m: m.median, default=None)

    def fastest_peer(self, threads, task=None):
        """The fastest exact one of the others that gives the results of the task, or any."""
        rivals = [
            m
            for m in self.measurements
            if m.entry.peer != US
            and m.entry.task != COPY
            and m.is_exact
            and m.ms
            and m.entry.threads <= threads
            and (task is None or m.entry.task in (task, BOTH))
        ]
        return min(rivals, key=lambda m: m.median, default=None)

    def ratio(self, measurement, rival):
        return rival.median / measurement.median if rival else None

    def row(self, m):
        """The cells of a line of the table, as text."""
        who, task, threads = m.entry.peer, m.entry.task, m.entry.threads
        if not m.ms:
            return [who, task, str(threads), *["-"] * 6, m.failed]
        memcpy = self.memcpy(threads)
        cells = [who, task, str(threads), figure(m.median), figure(self.speed(m))]
        cells.append(figure(m.median / memcpy.median) if memcpy else "-")
        if task == COPY:
            return [*cells, "-", "-", "-", "-"]
        rivals = self.fastest_peer(threads, task), self.fastest_peer(threads)
        cells += [figure(self.ratio(m, rival)) for rival in rivals]
        return [*cells, f"{m.scratch / self.case.cells:.1f}", self.remarks(m)]

    def remarks(self, m):
        """The errors of the answer, and notes."""
        remarks = [
            f"{name}: {verdict.wrong:,} cells wrong ({figure(100 * verdict.wrong / verdict.cells)} %), "
            f"by up to {figure(verdict.worst)}"
            for name, verdict in m.verdicts.items()
            if verdict.wrong
        ] or ["exact"]
        if m.failed:
            remarks.append(f"later {m.failed}")
        if m.processors > 1.2 * m.entry.threads:
            remarks.append(f"used {m.processors:.1f} processors")
        return "; ".join(remarks)


def figure(number):
    """Three digits."""
    if number is None:
        return "-"
    if number in (0, math.inf):
        return f"{number:g}"
    digits = max(0, 2 - math.floor(math.log10(abs(number))))
    return f"{number:,.{digits}f}"


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def summary(results):
    """The rows of thiessen alone."""
    rows = []
    for result in results:
        for m in result.measurements:
            if m.entry.peer != US or not m.ms:
                continue
            cells = result.row(m)
            rivals = (
                result.fastest_peer(m.entry.threads, m.entry.task),
                result.fastest_peer(m.entry.threads),
            )
            named = [
                f"{cell} ({rival.entry.peer})" if rival else cell
                for cell, rival in zip(cells[6:8], rivals)
            ]
            rows.append(
                [result.case.size, kind_text(result.case.kind), *cells[1:6], *named, cells[8]]
            )
    return table(["cells", "sites", *COLUMNS[1:9]], rows)


def markdown(results, unmeasured, context):
    parts = [HEAD.format(**context), "## thiessen\n", summary(results)]
    for result in results:
        sites = f" ({result.site_count:,})" if not result.case.kind.isdigit() else ""
        parts.append(f"## {result.case}{sites}\n")
        parts.append(table(COLUMNS, [result.row(m) for m in result.measurements]))
        if result.left_out:
            reasons = "; ".join(f"{who}: {why}" for who, why in result.left_out.items())
            parts.append(f"Not measured: {reasons}.\n")
    if unmeasured:
        parts.append("The time was over before: " + "; ".join(map(str, unmeasured)) + ".\n")
    return "\n".join(parts)


def waited(results):
    """The share of time in which programs of one thread had no processor, since others were at work."""
    alone = [m for result in results for m in result.measurements if m.entry.threads == 1]
    clock, busy = sum(sum(m.ms) for m in alone), sum(sum(m.cpu_ms) for m in alone)
    return f"{max(0, 1 - busy / clock):.0%}" if clock else "0%"


def machine():
    """The machine in words."""
    model = "an unknown processor"
    with open("/proc/cpuinfo") as lines:
        for line in lines:
            if line.startswith("model name"):
                model = " ".join(line.split(":")[1].split())
                break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    threads = len(os.sched_getaffinity(0))
    return (
        f"{model}, {threads} processors, {memory:.0f} GiB; {platform.system()} {platform.machine()}"
    )


def context_of(command, results):
    versions = {m.entry.peer: m.version for r in results for m in r.measurements if m.version}
    return {
        "command": command,
        "machine": machine(),
        "versions": "; ".join(f"{who} {version}" for who, version in sorted(versions.items())),
        "waited": waited(results),
    }
