# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Runs models with `foothold run`. Arguments: foothold, atc, an ONNX model that recognises digits."""

import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

FOOTHOLD, ATC, DIGITS = sys.argv[1:4]
DONE, DIFFERS, FAILED = 0, 1, 2


def run(*arguments):
    done = subprocess.run([FOOTHOLD, "run", *map(str, arguments)], capture_output=True, timeout=60, check=False, text=True)
    return done.returncode, done.stdout, done.stderr


def npy(shape, values, descr="<f4"):
    """An array as numpy.save writes it."""
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({''.join(f'{dim}, ' for dim in shape)}), }}"
    text += " " * (-(11 + len(text)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + values


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


IMAGE = floats(*(i / 64 for i in range(64)))


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def convert(self, *flags):
        done = subprocess.run([ATC, f"--model={DIGITS}", "--framework=5", f"--output={self.folder / 'digits'}", *flags],
                              capture_output=True, check=False, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return self.folder / "digits.om"

    def good(self, *arguments):
        code, out, err = run(*arguments)
        self.assertEqual((code, err), (DONE, ""), out)
        return out

    def fails(self, *arguments):
        code, _, err = run(*arguments)
        self.assertEqual(code, FAILED)
        self.assertTrue(err)
        return err


class Inputs(WithFolder):
    def test_are_random_and_the_same_each_time(self):
        first, second, other = self.folder / "first", self.folder / "second", self.folder / "other"
        self.assertIn("image: float[1,1,8,8] (random", self.good(DIGITS, "--output", first))
        self.good(DIGITS, "--output", second)
        self.good(DIGITS, "--output", other, "--seed", 1)
        results = [next(folder.iterdir()).read_bytes() for folder in (first, second, other)]
        self.assertEqual(results[0], results[1])
        self.assertNotEqual(results[0], results[2])

    def test_have_a_seed_that_is_not_negative(self):
        self.assertIn("--seed", self.fails(DIGITS, "--seed", -1))

    def test_come_from_arrays_and_from_bytes(self):
        array, raw = self.file("image.npy", npy((1, 1, 8, 8), IMAGE)), self.file("image.bin", IMAGE)
        ways = ([array], ["--input", f"image={array}"], ["--input", f"0={raw}", "--shape", "image:1,1,8,8"])
        results = set()
        for i, way in enumerate(ways):
            self.good(DIGITS, *way, "--output", self.folder / str(i))
            results.add(next((self.folder / str(i)).iterdir()).read_bytes())
        self.assertEqual(len(results), 1)

    def test_have_the_shape_that_is_said(self):
        self.assertRegex(self.good(DIGITS, "--shape", "image:3,1,8,8"), r"output .*float\[3,10\]")

    def test_that_do_not_fit_are_refused_with_both_sides(self):
        wide = self.file("wide.npy", npy((1, 1, 8, 9), floats(*[0] * 72)))
        double = self.file("double.npy", npy((1, 1, 8, 8), IMAGE * 2, "<f8"))
        short = self.file("short.bin", IMAGE[:-1])
        for arguments, parts in (
                ([wide], ("'image' takes float[-1,1,8,8]", "wide.npy' has [1,1,8,9]")),
                ([double], ("takes float[", "double.npy' has double[1,1,8,8]")),
                (["-i", f"image={short}", "--shape", "image:1,1,8,8"], ("256 bytes", "short.bin' has 255")),
                (["-i", f"image={short}"], ("--shape has to say",)),
                (["nowhere.npy"], ("nowhere.npy", "No such file")),
                (["-i", "nothing=x.npy"], ("no input 'nothing'", "'image'")),
                (["-i", "image"], ("is not name=file",)),
                (["--shape", "image:1,1,9,9"], ("takes float[-1,1,8,8]", "[1,1,9,9]")),
                (["--shape", "image:1,x"], ("\"x\" is no number",)),
                ([wide, wide], ("2 files were given for the 1 inputs",)),
        ):
            message = self.fails(DIGITS, *arguments)
            for part in parts:
                self.assertIn(part, message)


class OfflineModels(WithFolder):
    def test_compute_what_the_onnx_model_does(self):
        self.good(DIGITS, "--output", self.folder / "onnx")
        expected = next((self.folder / "onnx").iterdir())
        om = self.convert("--input_shape=image:1,1,8,8")
        out = self.good(om, "--compare", f"0={expected}", "--tolerance", 0)
        self.assertRegex(out, r"compared .*max abs 0.000e\+00 .*cosine 1.000000  fits")

    def test_with_gears_run_the_largest_or_the_one_that_is_said(self):
        om = self.convert("--input_shape=image:-1,1,8,8", "--dynamic_batch_size=2,4")
        self.assertIn("float[4,10]", self.good(om))
        self.assertIn("float[2,10]", self.good(om, "--shape", "image:2,1,8,8"))
        self.assertIn("145013", self.fails(om, "--shape", "image:3,1,8,8"))
        om = self.convert("--input_shape=image:-1,1,8,8", "--dynamic_dims=1;3")
        self.assertIn("float[3,10]", self.good(om))
        self.assertIn("float[1,10]", self.good(om, "--shape", "image:1,1,8,8"))

    def test_prepare_pictures_as_they_were_told(self):
        pixels = bytes(i * 3 for i in range(64))
        array = self.file("image.npy", npy((1, 1, 8, 8), floats(*((value - 16) * 0.0625 for value in pixels))))
        self.good(DIGITS, array, "--output", self.folder / "floats")
        expected = next((self.folder / "floats").iterdir())
        settings = self.file("aipp.cfg", b"aipp_op {\n  aipp_mode: static\n  input_format: YUV420SP_U8\n"
                                         b"  mean_chn_0: 16\n  var_reci_chn_0: 0.0625\n}\n")
        om = self.convert("--input_shape=image:1,1,8,8", f"--insert_op_conf={settings}")
        settings.unlink()  # the model has what it says
        picture = self.file("picture.bin", pixels + b"\x80" * 32)
        self.assertIn("fits", self.good(om, "-i", f"image={picture}", "--compare", f"0={expected}", "--tolerance", 0))

    def test_that_are_damaged_or_missing_are_refused(self):
        self.assertIn("not an .om file", self.fails(self.file("bad.om", b"something else" * 10)))
        self.assertIn("nowhere.om", self.fails("nowhere.om"))
        self.assertIn("ONNX", self.fails(self.file("bad.onnx", b"something else" * 10)))


class Outputs(WithFolder):
    def test_are_arrays_with_safe_names(self):
        self.good(DIGITS, "--output", self.folder / "deep" / "out")
        name, = [path.name for path in (self.folder / "deep" / "out").iterdir()]
        self.assertRegex(name, r"^[A-Za-z0-9_][A-Za-z0-9_.-]*\.npy$")
        content = (self.folder / "deep" / "out" / name).read_bytes()
        self.assertTrue(content.startswith(b"\x93NUMPY\x01\x00"))
        self.assertIn(b"'shape': (1, 10)", content)
        self.assertAlmostEqual(sum(struct.unpack("<10f", content[-40:])), 1, places=5)

    def test_are_compared_and_say_so_with_the_exit_status(self):
        self.good(DIGITS, "--output", self.folder)
        path = next(self.folder.glob("*.npy"))
        content = path.read_bytes()
        other = self.file("other.npy", content[:-4] + floats(struct.unpack("<f", content[-4:])[0] + 0.5))
        self.good(DIGITS, "--compare", f"0={path}")
        self.good(DIGITS, "--compare", f"0={other}", "--tolerance", 1)
        code, out, _ = run(DIGITS, "--compare", f"0={other}")
        self.assertEqual(code, DIFFERS)
        self.assertIn("DIFFERS in 1 of 10 elements, first in element 9", out)

    def test_that_cannot_be_compared_are_refused(self):
        flat = self.file("flat.npy", npy((10,), floats(*[0] * 10)))
        self.assertIn("float[1,10], and float[10] was expected", self.fails(DIGITS, "--compare", f"0={flat}"))
        self.assertIn("no output 'x'", self.fails(DIGITS, "--compare", f"x={flat}"))


class Measurements(WithFolder):
    def test_have_a_line_of_latencies(self):
        lines = self.good(DIGITS, "--repeat", 7, "--warmup", 2, "--threads", 1).splitlines()
        at = next(i for i, line in enumerate(lines) if "p99 ms" in line)
        runs, least, median, p90, p99, _, rate = map(float, lines[at + 1].split())
        self.assertEqual(runs, 7)
        self.assertTrue(0 < least <= median <= p90 <= p99)
        self.assertGreater(rate, 0)

    def test_show_which_operators_the_time_goes_to(self):
        out = self.good(DIGITS, "--repeat", 3, "--profile", "--profile-rows", 2)
        self.assertRegex(out, r"(?m)^BlockedConv2D +[0-9.]+ +[0-9.]+ +[0-9.]+ %$")
        self.assertRegex(out, r"[0-9]+ more nodes; --profile-rows shows them")
        shares = [float(share) for share in re.findall(r"(?m)^\w+ +[0-9.]+ +[0-9.]+ +([0-9.]+) %$", out)]
        self.assertAlmostEqual(sum(shares), 100, delta=1)
        self.assertNotIn("share", self.good(DIGITS))


class Checked(WithFolder):
    def test_runs_break_no_rule(self):
        for model in (DIGITS, self.convert("--input_shape=image:-1,1,8,8")):  # one knows the sizes of its outputs
            done = subprocess.run([FOOTHOLD, "check", "--", FOOTHOLD, "run", model, "--repeat", "3"], capture_output=True,
                                  timeout=60, check=False, text=True)
            self.assertEqual((done.returncode, done.stderr), (DONE, ""))


class Usage(WithFolder):
    def test_is_refused_like_any_other_failure(self):
        self.fails()
        self.fails(DIGITS, "--nothing")
        self.fails(DIGITS, "--repeat", 0)
        self.fails(DIGITS, "--tolerance", -1)


class Info(unittest.TestCase):
    def test_without_a_model_shows_what_runs_here(self):
        done = subprocess.run([FOOTHOLD, "info"], capture_output=True, timeout=60, check=True, text=True)
        for label in ("foothold", "interface", "devices", "threads", "kernels"):
            self.assertRegex(done.stdout, rf"(?m)^{label} +\S")
        self.assertRegex(done.stdout, r"(?m)^operators +\d{3,} of \d{4} run$")


unittest.main(argv=sys.argv[:1])
