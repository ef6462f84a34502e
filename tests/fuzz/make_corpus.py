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
    lines = b"".join(
        bytes([y % 5]) + bytes((y + x) % 7 for x in range(row_bytes)) for y in range(rows)
    )
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
    for kind in range(0, 110, 11):
        state = kind + 1
        content = bytearray([kind])
        for _ in range(95):
            state = state * 1103515245 + 12345 & 0x7FFFFFFF
            content.append(state >> 16 & 0xFF)
        save("c_api", f"kind_{kind}", bytes(content))


SHORT, LONG, DOUBLE, ASCII = (3, "H"), (4, "I"), (12, "d"), (2, "s")


def directory(start, entries, next_start):
    """A directory of a TIFF that begins there, and behind it the values that it has no room for."""
    behind = start + 2 + 12 * len(entries) + 4
    body, values = struct.pack("<H", len(entries)), b""
    for tag, (code, letter), value in entries:
        raw = value if letter == "s" else struct.pack(f"<{len(value)}{letter}", *value)
        count = len(value)
        if len(raw) > 4:
            body += struct.pack("<HHII", tag, code, count, behind + len(values))
            values += raw
        else:
            body += struct.pack("<HHI", tag, code, count) + raw.ljust(4, b"\0")
    return body + struct.pack("<I", next_start) + values


def tiff(bits, sample_format, cells, further=(), pages=1, bands=1):
    """Two rows of two cells in one strip; all pages have the same."""
    first = 8 + len(cells)
    entries = [
        (256, LONG, [2]),  # width
        (257, LONG, [2]),  # height
        (258, SHORT, [bits] * bands),
        (259, SHORT, [1]),  # not compressed
        (262, SHORT, [1]),  # black is zero
        (273, LONG, [8]),  # where the strip begins
        (277, SHORT, [bands]),
        (279, LONG, [len(cells)]),
        (339, SHORT, [sample_format] * bands),
        *further,
    ]
    length = len(directory(0, entries, 0))
    content = b"II*\0" + struct.pack("<I", first) + cells
    for page in range(pages):
        start = first + page * length
        content += directory(start, entries, start + length if page + 1 < pages else 0)
    return content


def make_gdal():
    save("gdal_raster", "tiff_u8", tiff(8, 1, b"\0\1\2\3"))
    save("gdal_raster", "tiff_i16", tiff(16, 2, bytes(8)))
    save("gdal_raster", "tiff_f32", tiff(32, 3, bytes(16)))
    save("gdal_raster", "tiff_bits", tiff(1, 1, b"\x40\x80"))
    save("gdal_raster", "tiff_bands", tiff(8, 1, bytes(8), bands=2))
    save("gdal_raster", "tiff_pages", tiff(8, 1, b"\0\1\2\3", pages=3))
    corner = (33922, DOUBLE, [0, 0, 0, 500, 600, 0])
    scale = (33550, DOUBLE, [2, 3, 0])
    keys = (34735, SHORT, [1, 1, 0, 1, 1024, 0, 1, 2])  # degrees
    save("gdal_raster", "tiff_world", tiff(8, 1, b"\0\1\2\3", [scale, corner, keys]))
    save("gdal_raster", "tiff_nodata", tiff(16, 2, bytes(8), [(42113, ASCII, b"-9999\0")]))
    save(
        "gdal_raster",
        "ascii_grid",
        b"ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 2\nNODATA_value -1\n0 1 2\n-1 0 3\n",
    )
    vrt = '<VRTDataset rasterXSize="2" rasterYSize="2"><VRTRasterBand dataType="Byte" band="1"%s</VRTRasterBand></VRTDataset>'
    save("gdal_raster", "vrt_empty", (vrt % "><NoDataValue>7</NoDataValue>").encode())
    save(
        "gdal_raster",
        "vrt_of_itself",
        (
            vrt % "><SimpleSource><SourceFilename>/vsimem/input</SourceFilename></SimpleSource>"
        ).encode(),
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
    placemark = "<Placemark><%s><coordinates>%s</coordinates></%s></Placemark>"
    marks = placemark % ("Point", "1,2", "Point") + placemark % (
        "LineString",
        "0,0 3,-4",
        "LineString",
    )
    save(
        "gdal_vector",
        "kml",
        (
            '<kml xmlns="http://www.opengis.net/kml/2.2"><Document>%s</Document></kml>' % marks
        ).encode(),
    )


make_c_api()
make_gdal()
make_npy()
make_pnm()
make_png()
make_points()
