#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""`npu-smi` answers as scripts expect that take its output apart by line and word. Argument: the program."""

import os
import re
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop(1)


def npu_smi(*words, **settings):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("FOOTHOLD_", "ASCEND_"))}
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60, check=False,
                          env={**environment, **settings})
    return done.returncode, done.stdout, done.stderr


class Info(unittest.TestCase):
    def table(self, **settings):
        code, out, err = npu_smi("info", **settings)
        self.assertEqual((code, err), (0, ""))
        return out.splitlines()

    def test_the_name_is_word_three_of_line_seven(self):
        self.assertEqual(self.table()[6].split()[2], "910B1")
        self.assertEqual(self.table(FOOTHOLD_SOC_NAME="Ascend310P3")[6].split()[2], "310P3")
        self.assertEqual(self.table(FOOTHOLD_SOC_NAME="Other")[6].split()[2], "Other")

    def test_has_two_lines_and_a_rule_for_each_device(self):
        lines = self.table(FOOTHOLD_DEVICES="3", FOOTHOLD_DEVICE_MEMORY="64M")
        self.assertTrue(lines[0].startswith("+---") and lines[2].startswith("+---"))
        self.assertRegex(lines[1], r"^\| npu-smi (\S+) +Version: \1 +\|$")
        self.assertEqual(lines[3].split()[:5], ["|", "NPU", "Name", "|", "Health"])
        self.assertEqual(lines[4].split()[:4], ["|", "Chip", "|", "Bus-Id"])
        self.assertTrue(lines[5].startswith("+==="))
        for device in range(3):
            first, second, rule = lines[6 + 3 * device:9 + 3 * device]
            self.assertRegex(first, rf"^\| {device} +910B1 +\| OK +\| 0\.0 +0 +0 +/ 0 +\|$")
            self.assertRegex(second, r"^\| 0 +\| 0000:\w\w:00\.0 +\| 0 +0 +/ 0 +0 +/ 64 +\|$")
            self.assertTrue(rule.startswith("+"))
        self.assertEqual({len(line) for line in lines}, {len(lines[0])})
        self.assertIn("No running processes found in NPU 2", "\n".join(lines))

    def test_shows_devices_that_a_program_may_not_see(self):
        self.assertIn("910B1", self.table(FOOTHOLD_DEVICES="2", ASCEND_RT_VISIBLE_DEVICES="1")[9])

    def test_lists_ids(self):
        code, out, err = npu_smi("info", "-l", FOOTHOLD_DEVICES="2")
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out.splitlines()[0], r"^\s*Total Count +: 2$")
        self.assertEqual(re.findall(r"NPU ID +: (\d+)", out), ["0", "1"])

    def test_says_what_it_cannot_do(self):
        for words in (["info", "-t", "board", "-i", "0"], ["set", "-t", "reset"], ["nonsense"], []):
            code, out, err = npu_smi(*words)
            self.assertEqual((code, out), (1, ""), words)
            self.assertIn("not supported", err)
            self.assertIn(" ".join(words), err)
        self.assertEqual(npu_smi("--help")[0], 0)


if __name__ == "__main__":
    unittest.main()
