#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Opens pages of `foothold dump diff --html` and `foothold check --output x.html` in Chromium and looks at what they show.

    browser_check.py FOOTHOLD CHECKED_PROGRAMS
"""

import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib


def npy(path, values):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(values)},), }}".encode().ljust(117) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack(f"<{len(values)}f", *values))


def pixels(path):
    """The rows of an 8-bit PNG that Chromium wrote, as lists of (red, green, blue)."""
    data, place, packed = path.read_bytes(), 8, b""
    while place < len(data):
        size, kind = struct.unpack(">I4s", data[place:place + 8])
        body = data[place + 8:place + 8 + size]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
            step = {2: 3, 6: 4}[colour]
        if kind == b"IDAT":
            packed += body
        place += 12 + size
    raw, line, before = zlib.decompress(packed), width * step, bytes(width * step)
    for y in range(height):
        filtering, row = raw[y * (line + 1)], bytearray(raw[y * (line + 1) + 1:(y + 1) * (line + 1)])
        for i in range(line):
            left, up, corner = row[i - step] if i >= step else 0, before[i], before[i - step] if i >= step else 0
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda one: (abs(guess - one)))
            row[i] = (row[i] + (0, left, up, (left + up) // 2, nearest)[filtering]) & 0xFF
        before = bytes(row)
        yield [tuple(row[x:x + 3]) for x in range(0, line, step)]


def browse(page, *options):
    return subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--window-size=900,700", *options,
                           page.as_uri()], capture_output=True, text=True, timeout=120, check=True).stdout


def look_at_findings(foothold, programs):
    """A race between two streams: a list with one finding, and two red marks with an arrow on the timeline."""
    with tempfile.TemporaryDirectory() as place:
        page, picture = pathlib.Path(place, "found.html"), pathlib.Path(place, "found.png")
        name = "forgets_the_event_between_two_streams"
        subprocess.run([foothold, "check", "--output", page, "--", programs, name, "broken"], stderr=subprocess.DEVNULL, check=False)
        shown = browse(page, "--dump-dom")
        assert shown.count("<details") == 1 and "ACL-RACE-001" in shown, "the finding is not in the list"
        assert shown.count('class="mark"') == 2, "both tasks have to be marked"
        assert shown.count('class="finding"') == 1, "the arrow is missing"
        browse(page, f"--screenshot={picture}")
        red = sum(r > 150 and g < 60 and b < 60 for row in pixels(picture) for r, g, b in row)
        assert red > 40, "the marks are not drawn"
    print("Chromium shows the page of findings: one in the list, two marks and an arrow on the timeline")


def main():
    foothold = pathlib.Path(sys.argv[1]).resolve()
    look_at_findings(foothold, pathlib.Path(sys.argv[2]).resolve())
    with tempfile.TemporaryDirectory() as place:
        root = pathlib.Path(place)
        for folder, wrong in (("found", 0), ("expected", 1)):
            (root / folder).mkdir()
            npy(root / folder / "good.output.0.npy", [1, 2, 3])
            npy(root / folder / "bad.output.0.npy", [1, 2, 3 + wrong])
        page, picture = root / "page.html", root / "page.png"
        subprocess.run([foothold, "dump", "diff", root / "found", root / "expected", "--html", page],
                       stdout=subprocess.DEVNULL, check=False)
        shown = browse(page, "--dump-dom")
        assert shown.count("<rect") == 2, "two nodes have to be drawn"
        assert "The first that diverges is bad output 0" in shown, "the verdict is missing"
        browse(page, f"--screenshot={picture}")
        seen = {pixel for row in pixels(picture) for pixel in row}
        assert any(g > r + 40 and g > b + 40 for r, g, b in seen), "the good node is not green"
        assert any(r > g + 60 and r > b + 60 for r, g, b in seen), "the bad node is not red"
    print("Chromium shows the page: two nodes, one green, one red")


main()
