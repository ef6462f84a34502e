# SPDX-License-Identifier: Apache-2.0
"""Pictures: what the library's own tests cannot see, the words that choose a look."""

import numpy as np
import pytest
import thiessen

# Colours at both ends, as matplotlib has them.
RAMPS = {
    "viridis": ("440154", "fde725"),
    "magma": ("000004", "fcfdbf"),
    "cividis": ("00224e", "fee838"),
}


@pytest.mark.parametrize("ramp", RAMPS)
def test_known_ramps_have_their_colours(ramp):
    distance = np.array([[0, 1]], dtype="f4")
    picture = thiessen.render(distance=distance, ramp=ramp)
    assert tuple(bytes(pixel).hex() for pixel in picture[0]) == RAMPS[ramp]
