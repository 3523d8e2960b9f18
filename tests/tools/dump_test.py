#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""foothold dump and foothold trace, as people call them.

dump_test.py FOOTHOLD
"""

import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

FOOTHOLD = sys.argv.pop(1)


def varint(number):
    out = b""
    while True:
        out += bytes([number & 0x7F | (0x80 if number > 0x7F else 0)])
        number >>= 7
        if not number:
            return out


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def dump_bytes(node, time, values):
    """A dump of one float output, written from the public description of the format."""
    data = struct.pack(f"<{len(values)}f", *values)
    shape = field(1, varint(len(values)))
    output = field(1, 1) + field(2, 2) + field(3, shape) + field(6, len(data))
    message = field(1, "1.0") + field(2, time) + field(3, output) + field(6, node)
    return struct.pack("<Q", len(message)) + message + data


def run(*arguments):
    result = subprocess.run([FOOTHOLD, *map(str, arguments)], text=True, capture_output=True)
    return result.returncode, result.stdout, result.stderr


class DumpTest(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.place.name)
        self.addCleanup(self.place.cleanup)

    def write(self, name, nodes):
        folder = self.root / name / "20260101000000" / "0" / "net" / "1" / "0"
        folder.mkdir(parents=True)
        for time, (node, values) in enumerate(nodes, 1):
            (folder / f"Relu.{node.replace('/', '_')}.{time}.0.{time}").write_bytes(dump_bytes(node, time, values))
        return self.root / name

    def test_show_lists_tensors_in_the_order_they_ran(self):
        folder = self.write("a", [("z/last", [1, 2, 3]), ("b", [float("nan"), 5])])
        (folder / "notes.txt").write_text("no dump")
        code, out, err = run("dump", "show", folder)
        self.assertEqual(code, 0, err)
        self.assertLess(out.index("z/last output 0"), out.index("b output 0"))
        self.assertIn("float[3]", out)
        self.assertIn("1 NaN", out)
        self.assertIn("notes.txt", err)

    def test_show_of_one_file_draws_a_histogram(self):
        folder = self.write("a", [("n", list(range(100)))])
        file = next(path for path in folder.rglob("*") if path.is_file())
        code, out, err = run("dump", "show", file)
        self.assertEqual(code, 0, err)
        self.assertIn("█", out)

    def test_diff_names_the_first_node_that_diverges(self):
        first = self.write("a", [("one", [1, 2]), ("two", [3, 4]), ("three", [5])])
        second = self.write("b", [("one", [1, 2.000001]), ("two", [3, 4.5]), ("three", [9])])
        code, out, err = run("dump", "diff", first, second, "--html", self.root / "page.html")
        self.assertEqual(code, 1, err)
        self.assertIn("the first that diverges is two output 0", out)
        page = (self.root / "page.html").read_text()
        self.assertIn("two output 0", page)
        self.assertEqual(page.count("<rect"), 3)
        self.assertNotIn("http", page.replace("http://www.w3.org", ""))

    def test_diff_of_equal_dumps_is_content(self):
        first = self.write("a", [("one", [1, 2])])
        code, out, err = run("dump", "diff", first, self.write("b", [("one", [1, 2])]))
        self.assertEqual(code, 0, err)
        self.assertIn("all tensors are within the tolerance", out)

    def test_diff_says_what_only_one_has(self):
        first = self.write("a", [("one", [1]), ("mine", [1])])
        code, out, _ = run("dump", "diff", first, self.write("b", [("one", [1]), ("yours", [1])]))
        self.assertEqual(code, 0)
        self.assertRegex(out, r"mine output 0 +only in the first")
        self.assertRegex(out, r"yours output 0 +only in the second")

    def test_to_npy_writes_what_diff_can_read(self):
        folder = self.write("a", [("deep/node", [1, 2, 3])])
        code, out, err = run("dump", "to-npy", folder, self.root / "npy")
        self.assertEqual(code, 0, err)
        array = self.root / "npy" / "0" / "deep_node.output.0.npy"
        self.assertTrue(array.read_bytes().endswith(struct.pack("<3f", 1, 2, 3)))
        code, out, err = run("dump", "diff", folder, self.root / "npy")
        self.assertEqual(code, 0, out + err)

    def test_files_that_are_no_dumps_are_refused(self):
        (self.root / "x").write_bytes(b"nothing")
        code, out, err = run("dump", "show", self.root / "x")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("too few", err)
        self.assertIn(str(self.root / "x"), err)
        self.assertEqual(run("dump", "show", self.root / "none")[:2], (2, ""))

    def test_show_of_nothing_draws_no_table(self):
        (self.root / "empty").mkdir()
        code, out, err = run("dump", "show", self.root / "empty")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("there are no tensors in", err)
        code, out, err = run("dump", "show", self.write("a", [("one", [1])]), "--node", "other")
        self.assertEqual((code, out), (2, ""))
        self.assertIn('has "other" in its name', err)


def box(name, cat, pid, tid, ts, dur):
    return {"ph": "X", "name": name, "cat": cat, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": {}}


class TraceTest(unittest.TestCase):
    def draw(self, events):
        """The text and the picture."""
        with tempfile.TemporaryDirectory() as place:
            trace, picture = pathlib.Path(place) / "t.json", pathlib.Path(place) / "t.svg"
            trace.write_text(json.dumps({"traceEvents": events}))
            code, out, err = run("trace", trace, "--svg", picture)
            self.assertEqual(code, 0, err)
            return out, xml.dom.minidom.parse(str(picture))

    def busy_program(self):
        """Five milliseconds of work, a hundred of waiting, and a call at the end; all threads have one name."""
        events = [{"ph": "M", "name": "thread_name", "pid": 1, "tid": thread, "args": {"name": "program"}}
                  for thread in (7, 8, 9)]
        events += [box("aclInit", "api", 1, 7, 0, 10), box("aclrtProcessReport", "api", 1, 8, 5, 105000),
                   box("OnGroup", "callback", 1, 8, 4000, 100), box("aclrtFree", "api", 1, 7, 105100, 900)]
        for i in range(500):
            events += [box("aclmdlExecuteAsync", "api", 1, 7, 10 * i, 8), box("conv", "node", 1, 9, 10 * i + 1, 8),
                       box("aclmdlExecuteAsync", "task", 2, 1, 10 * i + 1, 9),
                       {"ph": "s", "id": f"1.{i}", "pid": 1, "tid": 7, "ts": 10 * i, "cat": "queue", "name": "queued"},
                       {"ph": "f", "id": f"1.{i}", "pid": 2, "tid": 1, "ts": 10 * i + 1, "cat": "queue", "name": "queued"}]
        return events

    def test_leaves_waiting_out_and_names_threads_by_what_they_do(self):
        out, svg = self.draw(self.busy_program())
        rows = {line[:17].strip(): line[18:] for line in out.splitlines()}
        self.assertGreater(rows["main thread"].count("─"), 60, "most of the width belongs to the work")
        self.assertIn("·", rows["report thread"])
        self.assertIn("◆", rows["report thread"])
        self.assertIn("█", rows["worker"])
        self.assertIn("100 ms of waiting left out", out)
        texts = [node.firstChild.data for node in svg.getElementsByTagName("text") if node.firstChild]
        self.assertIn("100 ms of waiting left out", texts)
        self.assertIn("report thread", texts)
        waits = [rect for rect in svg.getElementsByTagName("rect") if rect.getAttribute("fill") == "url(#wait)"]
        self.assertEqual(len(waits), 2, "the call and the legend")

    def test_draws_few_thin_arrows(self):
        _, svg = self.draw(self.busy_program())
        arrows = [path for path in svg.getElementsByTagName("path") if path.getAttribute("class") == "arrow"]
        self.assertLess(len(arrows), 60)
        self.assertGreater(len(arrows), 10)
        self.assertLess(float(arrows[0].getAttribute("stroke-width")), 1)
        self.assertIn(f"{len(arrows)} of 500 drawn", svg.toxml())

    def test_draws_rows_arrows_and_memory(self):
        events = [
            {"ph": "M", "name": "thread_name", "pid": 1, "tid": 7, "args": {"name": "main <&>"}},
            box("aclmdlExecuteAsync", "api", 1, 7, 10.0, 5.0),
            box("aclmdlExecuteAsync", "task", 2, 3, 20.0, 50.0),
            box("conv", "node", 1, 8, 21.0, 40.0),
            {"ph": "s", "id": "3.1", "pid": 1, "tid": 7, "ts": 12.0, "cat": "queue", "name": "queued"},
            {"ph": "f", "id": "3.1", "pid": 2, "tid": 3, "ts": 20.0, "cat": "queue", "name": "queued"},
            {"ph": "C", "name": "memory", "cat": "memory", "pid": 1, "tid": 0, "ts": 11.0, "args": {"bytes": 1 << 20}},
        ]
        with tempfile.TemporaryDirectory() as place:
            trace, picture = pathlib.Path(place) / "t.json", pathlib.Path(place) / "t.svg"
            trace.write_text(json.dumps({"traceEvents": events}))
            code, out, err = run("trace", trace, "--svg", picture)
            self.assertEqual(code, 0, err)
            self.assertIn("main <&>", out)
            self.assertIn("█", out)
            svg = xml.dom.minidom.parse(str(picture))
            self.assertEqual(len(svg.getElementsByTagName("path")), 2)
            self.assertIn("1.0 MiB", picture.read_text())
            for text, fault in (("{}", "it lacks"), ('{"traceEvents": [}', "line 1, column 18: } cannot stand here")):
                trace.write_text(text)
                code, _, err = run("trace", trace)
                self.assertEqual(code, 2)
                self.assertIn(fault, err)
                self.assertNotIn("json", err.replace(str(trace), ""))
            self.assertEqual(run("trace", trace.with_name("none"))[0], 2)


PROJECT = pathlib.Path(__file__).resolve().parents[2]
PEERS = PROJECT / "build/peers/node_modules/onnxruntime-node/bin/napi-v6/linux"
PEER = os.environ.get("FOOTHOLD_ONNXRUNTIME") or next(map(str, PEERS.glob("*/libonnxruntime.so.1")), None)


class PeerTest(unittest.TestCase):
    """A dump beside what ONNX Runtime computes."""

    MODEL = PROJECT / "tests/zoo/tiny/resnet18/model.onnx"

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.dump = pathlib.Path(cls.place.name) / "dump"
        cls.code, cls.out, cls.err = run("run", cls.MODEL, "--dump", cls.dump, "-n", 2)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def test_run_dumps_every_operator(self):
        self.assertEqual(self.code, 0, self.err)
        code, out, err = run("dump", "show", self.dump)
        self.assertEqual(code, 0, err)
        self.assertIn("Conv2D", out)
        self.assertIn("input 0", out)
        self.assertFalse((self.dump / "dump.json").exists())

    def test_a_folder_that_cannot_be_made_is_named(self):
        file = pathlib.Path(self.place.name) / "file"
        file.write_text("")
        code, _, err = run("run", self.MODEL, "--dump", file / "dump")
        self.assertEqual(code, 2)
        self.assertIn(str(file / "dump"), err)

    def test_a_missing_library_is_named(self):
        code, _, err = run("dump", "diff", self.dump, self.MODEL, "--onnxruntime", "/nowhere/libonnxruntime.so")
        self.assertEqual(code, 2)
        self.assertIn("/nowhere/libonnxruntime.so", err)

    @unittest.skipUnless(PEER, "ONNX Runtime is not there; tools/peers.sh brings it")
    def test_all_operators_compute_what_onnx_runtime_does(self):
        code, out, err = run("dump", "diff", self.dump, self.MODEL, "--onnxruntime", PEER)
        self.assertEqual(code, 0, out + err)
        self.assertGreater(len(out.splitlines()), 20)

    @unittest.skipUnless(PEER, "ONNX Runtime is not there; tools/peers.sh brings it")
    def test_what_cannot_be_compared_is_named(self):
        bad = pathlib.Path(self.place.name) / "bad.onnx"
        bad.write_bytes(b"<html>")
        code, _, err = run("dump", "diff", self.dump, bad, "--onnxruntime", PEER)
        self.assertEqual(code, 2)
        self.assertIn("bad.onnx", err)
        code, _, err = run("dump", "diff", self.dump, self.MODEL, "--onnxruntime", PEER, "-i", "nobody=x.npy")
        self.assertEqual(code, 2)
        self.assertIn("nobody=x.npy", err)


if __name__ == "__main__":
    unittest.main()
