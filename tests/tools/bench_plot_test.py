#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The picture of the benchmark shows what its table says."""

import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

PROJECT = pathlib.Path(__file__).resolve().parents[2]
PLOT = PROJECT / "tools/bench_plot.py"

TABLE = """# Results

| network | 1 thread | ORT | ratio | 2 threads | ORT | ratio |
| --- | --- | --- | --- | --- | --- | --- |
| slow & small | 2.00 | 1.00 | 0.50 | 2.00 | 1.00 | 0.50 |
| quick | 1.00 | 2.00 | 2.00 | 1.00 | 1.50 | 1.50 |

| other | table |
"""


class BenchPlotTest(unittest.TestCase):
    def plot(self, text):
        with tempfile.TemporaryDirectory() as place:
            results, picture = pathlib.Path(place) / "results.md", pathlib.Path(place) / "results.svg"
            results.write_text(text)
            done = subprocess.run([sys.executable, PLOT, results, picture], capture_output=True, text=True)
            return done, picture.read_text() if picture.exists() else ""

    def test_draws_a_bar_for_every_ratio_the_fastest_first(self):
        done, picture = self.plot(TABLE)
        self.assertEqual(done.returncode, 0, done.stderr)
        drawn = xml.dom.minidom.parseString(picture)
        widths = [float(bar.getAttribute("width")) for bar in drawn.getElementsByTagName("rect")[3:]]
        self.assertEqual(len(widths), 4)
        self.assertAlmostEqual(widths[0] / widths[1], 2 / 1.5, places=2)
        self.assertAlmostEqual(widths[0] / widths[2], 4, places=2)
        self.assertLess(picture.index("quick"), picture.index("slow &amp; small"))

    def test_leaves_room_for_the_longest_name(self):
        name = "a network with an uncommonly long name of many words"
        _, picture = self.plot(TABLE.replace("quick", name))
        for label in xml.dom.minidom.parseString(picture).getElementsByTagName("text"):
            if label.getAttribute("text-anchor") == "end":
                width = len(label.firstChild.data) * 0.58 * float(label.getAttribute("font-size"))
                self.assertGreater(float(label.getAttribute("x")), width)

    def test_says_which_table_is_missing(self):
        done, _ = self.plot("# Results\n")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("| network |", done.stderr)

    def test_the_picture_in_the_repository_is_that_of_its_table(self):
        done, picture = self.plot((PROJECT / "bench/results.md").read_text())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((PROJECT / "bench/results.svg").read_text(), picture, "run tools/bench_plot.py")


if __name__ == "__main__":
    unittest.main()
