#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Draws the pictures of the clips beside this file, as planar 4:2:0 on standard output. The clips were made once, by the
programs of Debian 12, whose packages nobody needs for the tests:

    draw_clip.py 176 144 24 > clip.yuv
    x265 --input clip.yuv --input-res 176x144 --fps 25 --frames 24 --bframes 3 --crf 34 --no-info --no-wpp --pools none \\
        -F 1 -o clip.h265
    x264 --input-res 176x144 --fps 25 --bframes 3 --b-pyramid normal --crf 34 --threads 1 -o clip.h264 clip.yuv

The unit in which x264 names its settings was taken out.
"""

import sys


def luma(width, height, time):
    for y in range(height):
        for x in range(width):
            dx, dy = x - (20 + time * 6) % width, y - (30 + time * 3) % height
            inside = 0 <= dx < 32 and 0 <= dy < 32
            yield 235 - (dx ^ dy) * 3 if inside else 40 + (x * 3 + y * 2 + time * 5) % 140


def chroma(width, height, time):
    for y in range(height // 2):
        for x in range(width // 2):
            yield (96 + (x * 64) // (width // 2) + time) % 256
    for y in range(height // 2):
        for x in range(width // 2):
            yield (160 - (y * 64) // (height // 2) + 2 * time) % 256


def main():
    width, height, frames = (int(number) for number in sys.argv[1:4])
    for time in range(frames):
        sys.stdout.buffer.write(bytes(luma(width, height, time)) + bytes(chroma(width, height, time)))


if __name__ == "__main__":
    main()
