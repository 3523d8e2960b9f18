#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Draws how fast networks run beside ONNX Runtime, from the table of the benchmark.

bench_plot.py results.md results.svg
"""

import html
import pathlib
import sys

HEADER = "| network | 1 thread |"
COLOURS = ("#2f6fb2", "#8fb8de")
TOP, ROW, WIDTH, FOOT = 64, 34, 520, 40
LETTER = 7.6  # width of a wide letter of a label; what draws the picture chooses the font


def read_ratios(text):
    """[(network, ratio with 1 thread, ratio with 2)], the fastest first."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith(HEADER)), None)
    if start is None:
        sys.exit(f"bench_plot.py: there is no table that begins with '{HEADER}'")
    names = [cell.strip() for cell in lines[start].strip("|").split("|")]
    columns = [i for i, name in enumerate(names) if name == "ratio"][: len(COLOURS)]
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        rows.append((cells[0], *(float(cells[column]) for column in columns)))
    return sorted(rows, key=lambda row: -row[1])


def text_at(x, y, words, anchor="start", size=13, weight="normal"):
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}" '
        'stroke="#fff" stroke-width="3" paint-order="stroke">'
        f"{html.escape(words)}</text>"
    )


def draw(rows):
    most = max(max(row[1:]) for row in rows)
    left = round(24 + LETTER * max(len(row[0]) for row in rows))
    scale = WIDTH / (most * 1.1)
    height = TOP + ROW * len(rows) + FOOT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + WIDTH + 60}" height="{height}" '
        'font-family="sans-serif" fill="#222">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        text_at(16, 24, "Foothold beside ONNX Runtime: how many times as fast", size=16, weight="bold"),
    ]
    for i, label in enumerate(("1 thread", "2 threads")):
        parts.append(f'<rect x="{16 + 100 * i}" y="36" width="12" height="12" fill="{COLOURS[i]}"/>')
        parts.append(text_at(33 + 100 * i, 47, label, size=12))
    one, bars, labels = left + scale, [], []
    for row, (name, *ratios) in enumerate(rows):
        y = TOP + ROW * row
        labels.append(text_at(left - 8, y + 20, name, "end"))
        for i, (ratio, colour) in enumerate(zip(ratios, COLOURS)):
            end = ratio * scale
            bars.append(f'<rect x="{left}" y="{y + 3 + 13 * i}" width="{end:.1f}" height="12" fill="{colour}"/>')
            labels.append(text_at(left + end + 5, y + 13 + 13 * i, f"{ratio:.2f}", size=11))
    labels.append(text_at(one, height - FOOT + 20, "ONNX Runtime", "middle", 12))
    bottom = height - FOOT + 4
    line = f'<line x1="{one:.1f}" y1="{TOP - 6}" x2="{one:.1f}" y2="{bottom}" stroke="#c33" stroke-width="1.5"/>'
    parts += [*bars, line, *labels]
    return "\n".join(parts + ["</svg>", ""])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pathlib.Path(sys.argv[2]).write_text(draw(read_ratios(pathlib.Path(sys.argv[1]).read_text())))


if __name__ == "__main__":
    main()
