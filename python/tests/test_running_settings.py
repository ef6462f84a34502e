# SPDX-License-Identifier: Apache-2.0
"""thiessen.running(): what calls inside of it do, and what goes first."""

from __future__ import annotations

from threading import Thread

import numpy as np
import pytest
import thiessen

SITES = np.array([[7, 0, 0, 9]], np.uint8)
NONE = np.zeros((2, 3), np.uint8)


def test_calls_inside_report_progress_unless_they_say_otherwise():
    seen, own = [], []
    with thiessen.running(progress=seen.append, threads=1):
        thiessen.nearest_site(SITES)
        assert seen[-1] == 1
        count = len(seen)
        thiessen.nearest_site(SITES, progress=own.append)
        thiessen.distance_transform(SITES, progress=False)
        assert own[-1] == 1 and len(seen) == count
        thiessen.site_statistics(SITES)
        assert len(seen) > count
    count = len(seen)
    thiessen.nearest_site(SITES)
    assert len(seen) == count


def test_settings_nest_and_end():
    with thiessen.running(strict=True):
        with pytest.raises(ValueError, match="no site"), thiessen.running(threads=1):
            thiessen.nearest_site(NONE)
        with pytest.warns(thiessen.ThiessenWarning, match="no site"):
            thiessen.nearest_site(NONE, strict=False)
        with thiessen.running(strict=False), pytest.warns(thiessen.ThiessenWarning):
            thiessen.nearest_site(NONE)
    with pytest.warns(thiessen.ThiessenWarning, match="no site"):
        thiessen.nearest_site(NONE)


def test_a_device_that_is_not_there_is_named_for_all_calls():
    with thiessen.running(device="gpu"):
        for call in (
            lambda: thiessen.nearest_site(SITES),
            lambda: thiessen.voronoi([(0, 1)], (3, 4)),
            lambda: thiessen.relax_sites([(1, 2)], (3, 4)),
            lambda: thiessen.NearestSiteSolver(SITES),
        ):
            with pytest.raises((ValueError, RuntimeError), match="gpu"):
                call()
        thiessen.nearest_site(SITES, device="cpu")


def test_other_threads_do_not_see_the_settings():
    failed = []

    def call():
        try:
            thiessen.nearest_site(SITES)
        except ValueError as error:
            failed.append(error)

    with thiessen.running(device="gpu"):
        thread = Thread(target=call)
        thread.start()
        thread.join()
    assert not failed


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"threads": 0}, ValueError, "threads = 0; must be 1 to 1024"),
        ({"strict": 1}, TypeError, "strict = 1; must be True or False"),
        ({"device": 3}, TypeError, "device = 3; must be a string"),
    ],
)
def test_settings_are_checked(settings, error, words):
    with pytest.raises(error, match=words), thiessen.running(**settings):
        pass
