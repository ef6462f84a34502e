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


def test_opacity_adds_a_channel():
    labels = np.array([[5, 0, 6]], dtype="i4")
    picture = thiessen.render(labels, edges=False, opacity=0.5, label_nodata=6)
    assert picture.shape == (1, 3, 4)
    assert picture[0, :, 3].tolist() == [127, 0, 0]
    out = np.empty((2, 6, 4), "u1")
    assert thiessen.render(labels, opacity=1, out=out) is out
    with pytest.raises(ValueError, match="opacity = 2"):
        thiessen.render(labels, opacity=2)
    with pytest.raises(ValueError, match="fourth channel"):
        thiessen.render(labels, opacity=0.5, out=np.empty((1, 3, 3), "u1"))
