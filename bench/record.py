# SPDX-License-Identifier: Apache-2.0
"""What a run has measured, as a file of JSON with one line a measurement, and back.

An output without a wrong cell is left out of a measurement's verdicts.
"""

import json
from dataclasses import asdict

from .cases import Case
from .check import Verdict
from .report import CaseResult
from .run import Entry, Measurement


def write(path, results, unmeasured, context):
    """The results, the cases that the time was over for, and what report.context_of() says of the run."""
    lines = ["{"]
    lines += [f"{json.dumps(name)}: {json.dumps(value)}," for name, value in context.items()]
    lines += [f'"unmeasured": {json.dumps([str(case) for case in unmeasured])},', '"cases": [']
    lines.append(",\n".join(_text_of(result) for result in results))
    path.write_text("\n".join([*lines, "]}"]) + "\n")


def read(path):
    """Results, unmeasured cases (their names), context."""
    context = json.loads(path.read_text())
    cases, unmeasured = context.pop("cases"), context.pop("unmeasured")
    return [_result_of(case) for case in cases], unmeasured, context


def _text_of(result):
    case = asdict(result.case) | {"site_count": result.site_count, "left_out": result.left_out}
    measurements = ",\n".join(json.dumps(_plain(m)) for m in result.measurements)
    return f'{json.dumps(case)[:-1]}, "measurements": [\n{measurements}\n]}}'


def _plain(measurement):
    wrong = {k: asdict(v) for k, v in measurement.verdicts.items() if v.wrong}
    plain = asdict(measurement.entry) | {"ms": measurement.ms, "cpu_ms": measurement.cpu_ms}
    plain["scratch"] = measurement.scratch
    return plain | {k: v for k, v in [("verdicts", wrong), ("failed", measurement.failed)] if v}


def _result_of(case):
    measurements = [_measurement_of(plain) for plain in case.pop("measurements")]
    site_count, left_out = case.pop("site_count"), case.pop("left_out")
    return CaseResult(Case(**case), site_count, measurements, left_out)


def _measurement_of(plain):
    entry = Entry(plain.pop("peer"), plain.pop("task"), plain.pop("threads"))
    verdicts = {k: Verdict(**v) for k, v in plain.pop("verdicts", {}).items()}
    return Measurement(entry, verdicts=verdicts, **plain)
