# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The rules for files of the tarball see what breaks them, and foothold-build-python says what it lacks. Argument: the
root of the checkout. make package-check uses both on the real thing."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv[1])


class WorkFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)

    def run_program(self, *command, **environment):
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=self.work,
                              env={"PATH": "/usr/bin:/bin", **environment})
        return done.returncode, done.stdout, done.stderr


class ElfRules(WorkFolder):
    GOOD = "extern \"C\" int good() { return 1; }"

    def build(self, code, *options):
        (self.work / "tree/lib64").mkdir(parents=True, exist_ok=True)
        (self.work / "code.cpp").write_text(code)
        done = self.run_program("g++", "-shared", "-fPIC", "code.cpp", "-o", "tree/lib64/lib.so", *options)
        self.assertEqual(done[0], 0, done)

    def problems(self):
        code, _, err = self.run_program("/usr/bin/python3", ROOT / "packaging/check/elf_rules.py", self.work / "tree")
        self.assertEqual(code, 1 if err else 0)
        return err

    def test_are_kept_by_a_plain_library(self):
        self.build(self.GOOD, "-Wl,-rpath,$ORIGIN/../lib64")
        self.assertEqual(self.problems(), "")

    def test_see_a_library_of_others(self):
        self.build(self.GOOD, "-Wl,--no-as-needed", "-lfmt")
        self.assertIn("lib64/lib.so needs libfmt.so.9", self.problems())

    def test_see_a_new_symbol_of_the_c_library(self):
        self.build('#include <stdlib.h>\nextern "C" unsigned f() { return arc4random(); }')
        self.assertIn("needs symbols of GLIBC_2.36, the newest allowed is 2.34", self.problems())

    def test_see_symbols_that_should_be_hidden(self):
        self.build("namespace google::protobuf { int Parse() { return 1; } }")
        self.assertIn("shows _ZN6google8protobuf5ParseEv", self.problems())

    def test_see_static_thread_local_storage(self):
        self.build("thread_local int value; int* f() { return &value; }", "-ftls-model=initial-exec")
        self.assertIn("STATIC_TLS", self.problems())

    def test_see_places_of_one_machine(self):
        self.build(self.GOOD, "-Wl,-rpath,/opt/lib")
        self.assertIn("looks for libraries in /opt/lib", self.problems())

    def test_want_something_to_look_at(self):
        (self.work / "tree/lib64").mkdir(parents=True)
        self.assertIn("no library or program", self.problems())


class BuildPython(WorkFolder):
    def setUp(self):
        super().setUp()
        self.program = self.work / "tree/bin/foothold-build-python"
        self.program.parent.mkdir(parents=True)
        shutil.copy(ROOT / "tools/python/foothold-build-python", self.program)
        (self.work / "tree/lib64").mkdir()

    def make_tree(self):
        (self.work / "tree/lib64/libascendcl.so").touch()

    def refusal(self, *arguments, **environment):
        code, out, err = self.run_program(self.program, *arguments, **environment)
        self.assertEqual((code, out), (1, ""))
        return err

    def test_wants_a_tree(self):
        self.assertIn(f"{self.work}/tree is not a toolkit tree", self.refusal())

    def test_wants_a_compiler_and_an_interpreter(self):
        self.make_tree()
        self.assertIn("no C++ compiler 'no-compiler'", self.refusal(CXX="no-compiler"))
        self.assertIn("no interpreter 'no-python'", self.refusal("no-python"))

    def test_wants_the_headers_of_the_interpreter(self):
        self.make_tree()
        python = self.work / "python"
        python.write_text("#!/bin/sh\ncase \"$2\" in *sysconfig*) echo /nowhere ;; esac\n")
        python.chmod(0o755)
        self.assertIn("/nowhere/Python.h is missing", self.refusal(python))

    def test_wants_a_new_enough_interpreter(self):
        self.make_tree()
        python = self.work / "python"
        python.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.8.18\nexit 1\n')
        python.chmod(0o755)
        self.assertIn("is Python 3.8.18; the module needs Python 3.9 or newer", self.refusal(python))

    def test_refuses_options_it_does_not_know(self):
        self.assertIn("unknown option --fast", self.refusal("--fast"))
        self.assertIn("--output wants a folder", self.refusal("--output"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
