# SPDX-License-Identifier: Apache-2.0
"""Calls on an OpenCL device, against what the CPU gives."""

import os
import subprocess
import sys

import numpy as np
import pytest
import thiessen
from processes import in_a_process

DEVICES = [device for device in thiessen.devices() if device.name.startswith("opencl")]
USABLE = [device.name for device in DEVICES if device.available]
REQUIRED = "opencl" in os.environ.get("THIESSEN_REQUIRE_DEVICES", "").split(",")
needs_device = pytest.mark.skipif(not USABLE and not REQUIRED, reason="no OpenCL device")

ALL = ("labels", "distance", "squared", "site_index", "offset", "direction")


def random_sites(shape, dtype=np.int32):
    random = np.random.default_rng(5)
    return (random.random(shape) < 0.03).astype(dtype) * random.integers(1, 100, shape).astype(
        dtype
    )


def same(a, b):
    return all(x.dtype == y.dtype and x.tobytes() == y.tobytes() for x, y in zip(a, b))


@needs_device
def test_devices_are_listed_with_their_methods():
    assert USABLE
    device = next(device for device in DEVICES if device.available)
    assert device.description and not device.reason
    exact = {method.name for method in device.methods if method.exact}
    assert {"exact", "brute-force"} <= exact


@needs_device
def test_the_same_bits_for_either_allotment():
    sites = random_sites((401, 307))
    cpu = thiessen.nearest_site(sites, device="cpu", outputs=ALL)
    options = {"device": USABLE[0], "method": "brute-force", "outputs": ALL}
    for allotment in ("cyclic", "contiguous"):
        scanning = thiessen.Scanning(allotment=allotment)
        assert same(thiessen.nearest_site(sites, method_options=scanning, **options), cpu)


@needs_device
@pytest.mark.parametrize("method", ["exact", "brute-force"])
@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int16, np.float32, np.float64])
def test_the_same_bits_as_the_cpu(dtype, method):
    sites = random_sites((61, 47), dtype)
    options = {"method": method, "outputs": ALL, "periodic": (False, True)}
    cpu = thiessen.nearest_site(sites, device="cpu", **options)
    for device in ["opencl", *USABLE]:
        assert same(thiessen.nearest_site(sites, device=device, **options), cpu)


@needs_device
def test_the_default_method_with_its_options():
    sites = random_sites((40, 70))
    for options in (
        {"components": 8, "max_distance": 5, "nodata": 7},
        {
            "values": (3, 5),
            "signed_distance": True,
            "distance_type": "float64",
            "spacing": (2, 1.5),
        },
        {"zero_is_site": True, "metric": "manhattan", "unreached": -1},
    ):
        cpu = thiessen.nearest_site(sites, device="cpu", **options)
        assert same(thiessen.nearest_site(sites, device="opencl", **options), cpu)


@needs_device
def test_strides_volumes_batches_and_points():
    volume = random_sites((12, 26, 31))[:, ::2, ::-1]
    options = {"method": "brute-force", "spacing": (3, 1, 2), "metric": "chessboard"}
    cpu = thiessen.nearest_site(volume, device="cpu", **options)
    assert same(thiessen.nearest_site(volume, device="opencl", **options), cpu)
    masks = random_sites((4, 30, 20), bool)
    of_each = {"method": "brute-force", "batch_axes": 0}
    cpu = thiessen.nearest_site(masks, device="cpu", **of_each)
    assert same(thiessen.nearest_site(masks, device="opencl", **of_each), cpu)
    points = np.random.default_rng(1).random((40, 2)) * 50
    cpu = thiessen.voronoi(points, (50, 50), device="cpu", method="brute-force")
    assert same(thiessen.voronoi(points, (50, 50), device="opencl", method="brute-force"), cpu)


@needs_device
def test_refusals():
    sites = random_sites((20, 20))
    with pytest.raises(ValueError, match="opencl has: exact, brute-force"):
        thiessen.nearest_site(sites, device="opencl", method="chamfer")
    with pytest.raises(RuntimeError, match="method = raster-gpu takes chessboard"):
        thiessen.nearest_site(sites, device="opencl", metric="chessboard")
    with pytest.raises(ValueError, match="the opencl backend has opencl:0"):
        thiessen.nearest_site(sites, device="opencl:99", method="brute-force")
    with pytest.raises(RuntimeError, match="128 bits"):
        thiessen.nearest_site(
            sites, device="opencl", method="brute-force", spacing=(3.0000000000000004, 1e-17)
        )


@needs_device
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_fork_has_no_device_but_the_cpu():
    program = """
    def call(device):
        return thiessen.nearest_site(np.eye(40), method="brute-force", device=device).labels
    wanted = call("opencl")
    child = os.fork()
    if child == 0:
        try:
            call("opencl")
        except RuntimeError as error:
            assert "forked" in str(error)
            assert (call("cpu") == wanted).all()
            sys.exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert (call("opencl") == wanted).all()
    """
    assert in_a_process(program) == ""


@needs_device
def test_the_end_of_python_while_a_daemon_thread_calls():
    program = """
    started = threading.Event()
    def work():
        while True:
            thiessen.nearest_site(np.eye(300), method="brute-force", device="opencl")
            started.set()
    threading.Thread(target=work, daemon=True).start()
    started.wait()
    print("end")
    """
    assert in_a_process(program) == "end\n"


@pytest.mark.skipif(not DEVICES, reason="a build without the opencl backend")
def test_without_a_driver_there_is_a_reason(tmp_path):
    """Drivers are looked for once in a process, so in another one."""
    code = "\n".join(
        [
            "import thiessen",
            "reasons = [d.reason for d in thiessen.devices() if d.name == 'opencl']",
            "assert reasons and reasons[0].startswith('no OpenCL'), reasons",
            "try:",
            "    thiessen.nearest_site([[1, 0]], device='opencl', method='brute-force')",
            "except RuntimeError as error:",
            "    assert str(error) == 'device = opencl; ' + reasons[0], error",
            "else:",
            "    raise AssertionError('no error')",
            "assert thiessen.nearest_site([[1, 0]]).labels.tolist() == [[1, 1]]",
        ]
    )
    environment = {**os.environ, "OCL_ICD_VENDORS": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, cwd=tmp_path)
