# SPDX-License-Identifier: Apache-2.0
"""With THIESSEN_ALLOWED_SKIPS in the environment, a regular expression, a test that is skipped for
another reason fails: a module or a device that is missing is no free pass."""

import os
import re

import pytest

ALLOWED = os.environ.get("THIESSEN_ALLOWED_SKIPS")


def fail_unless_allowed(report):
    if ALLOWED is None or not report.skipped or hasattr(report, "wasxfail"):
        return
    _, _, reason = report.longrepr
    if not re.search(ALLOWED, reason):
        report.outcome = "failed"
        report.longrepr = f"{reason}: THIESSEN_ALLOWED_SKIPS has no such reason"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    fail_unless_allowed((yield).get_result())


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector):
    fail_unless_allowed((yield).get_result())
