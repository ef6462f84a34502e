#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the first inputs of the fuzzers of file formats into tests/fuzz/corpus.

usage: tests/fuzz/make_corpus.py
"""

import pathlib
import struct
import zlib

CORPUS = pathlib.Path(__file__).parent / "corpus"


def save(target, name, content):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def npy(descr, order, shape, cells, version=1):
    header = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + cells


def make_npy():
    for code, size in [("|b1", 1), ("|u1", 1), ("<i2", 2), (">u4", 4), ("<f4", 4), (">f8", 8)]:
        cells = bytes(i % 3 for i in range(6 * size))
        save("npy", f"c_{code[1:]}", npy(code, False, (2, 3), cells))
    save("npy", "fortran", npy("<i4", True, (2, 3), bytes(range(24))))
    save("npy", "fortran_volume", npy(">u2", True, (3, 2, 2), bytes(range(24)), 2))
    save("npy", "volume", npy("<u8", False, (1, 2, 2), bytes(range(32)), 3))
    save("npy", "empty", npy("<u8", False, (0, 2), b""))


def make_pnm():
    save("pnm", "p1", b"P1\n# bits\n3 2\n0 1 0\n110\n")
    save("pnm", "p2", b"P2 3 2 255\n0 1 2\n3 255 5\n")
    save("pnm", "p3", b"P3\n2 1\n255\n1 2 3 4 5 6\n")
    save("pnm", "p4", b"P4\n9 2\n\xa5\x80\x5a\x00")
    save("pnm", "p5", b"P5\n3 2\n255\n\x00\x01\x02\x03\xff\x05")
    save("pnm", "p5_16", b"P5\n2 1\n65535\n\x00\x01\xff\xff")
    save("pnm", "p6", b"P6\n2 1\n255\n\x01\x02\x03\x04\x05\x06")


def make_points():
    save("points", "bare", b"1,2\n3.5,-4\n")
    save("points", "labelled", b"x;y;label\n1;2;7\n3;4;18446744073709551615\n")
    save("points", "named", b"# comment\nid,Lat,Lon,z\r\n1,2,3,4\r\n")
    save("points", "quoted", b'\xef\xbb\xbf"x"\t"y"\t"label"\n"1e3"\t"2."\t"nan"\n')
    save("points", "spaces", b"  1   2   -3 4.5\n+1 .5 inf 9007199254740993\n")


def chunk(name, content):
    body = name + content
    return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))


def png(bits, colour, row_bytes, interlace=0, extra=b"", rows=3, width=4):
    header = struct.pack(">IIBBBBB", width, rows, bits, colour, 0, 0, interlace)
    lines = b"".join(bytes([y % 5]) + bytes((y + x) % 7 for x in range(row_bytes)) for y in range(rows))
    if interlace:  # enough for the seven passes
        lines = bytes(64)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + extra
        + chunk(b"IDAT", zlib.compress(lines))
        + chunk(b"IEND", b"")
    )


def make_png():
    palette = chunk(b"PLTE", bytes(range(48)))
    save("png", "grey1", png(1, 0, 1))
    save("png", "grey2", png(2, 0, 1))
    save("png", "grey8", png(8, 0, 4))
    save("png", "grey16", png(16, 0, 8))
    save("png", "rgb8", png(8, 2, 12))
    save("png", "palette4", png(4, 3, 2, extra=palette))
    save("png", "transparent", png(8, 0, 4, extra=chunk(b"tRNS", b"\0\1")))
    save("png", "alpha", png(8, 6, 16))
    save("png", "interlaced", png(8, 0, 4, interlace=1))


def make_c_api():
    """One input for each kind of call, of bytes that mean nothing much."""
    for kind in range(8):
        state = kind + 1
        content = bytearray([kind])
        for _ in range(95):
            state = state * 1103515245 + 12345 & 0x7FFFFFFF
            content.append(state >> 16 & 0xFF)
        save("c_api", f"kind_{kind}", bytes(content))


def tiff(bits, sample_format, cells):
    """Two rows of two cells in one strip."""
    short, long = 3, 4
    entries = [
        (256, long, 2),  # width
        (257, long, 2),  # height
        (258, short, bits),
        (259, short, 1),  # not compressed
        (262, short, 1),  # black is zero
        (273, long, 8 + 2 + 9 * 12 + 4),  # where the strip begins
        (277, short, 1),  # bands
        (279, long, len(cells)),
        (339, short, sample_format),
    ]
    directory = b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in entries)
    return b"II*\0" + struct.pack("<IH", 8, len(entries)) + directory + bytes(4) + cells


def make_gdal():
    save("gdal_raster", "tiff_u8", tiff(8, 1, b"\0\1\2\3"))
    save("gdal_raster", "tiff_i16", tiff(16, 2, bytes(8)))
    save("gdal_raster", "tiff_f32", tiff(32, 3, bytes(16)))
    save(
        "gdal_raster",
        "ascii_grid",
        b"ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\nNODATA_value -1\n0 1 2\n-1 0 3\n",
    )
    for name, geometry in [
        ("point", '"Point","coordinates":[1,2]'),
        ("line", '"LineString","coordinates":[[0,0],[3,-4]]'),
        ("area", '"Polygon","coordinates":[[[0,0],[5,0],[5,-5],[0,0]]]'),
    ]:
        feature = '{"type":"Feature","properties":{"a":7},"geometry":{"type":%s}}' % geometry
        save(
            "gdal_vector",
            name,
            ('{"type":"FeatureCollection","features":[%s]}' % feature).encode(),
        )


make_c_api()
make_gdal()
make_npy()
make_pnm()
make_png()
make_points()
