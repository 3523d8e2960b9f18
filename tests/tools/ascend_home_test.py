# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Runs `foothold ascend-home` in folders that stand for /. Argument: the program."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv[1]
HOME = "usr/local/Ascend"


class AscendHome(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.work = pathlib.Path(folder.name)
        self.root = self.work / "root"
        self.root.mkdir()
        self.latest = self.root / HOME / "ascend-toolkit/latest"
        self.tree = self.make_tree("tree")

    def make_tree(self, name):
        tree = self.work / name
        (tree / "lib64").mkdir(parents=True)
        (tree / "lib64/libfoothold.so").touch()
        (tree / "set_env.sh").write_text(f"FOUND={name}\n")
        return tree

    def run_command(self, action, *options):
        done = subprocess.run([PROGRAM, "ascend-home", action, "--root", self.root, *options], capture_output=True,
                              text=True, timeout=60, check=False)
        return done.returncode, done.stdout, done.stderr

    def link(self, tree=None):
        return self.run_command("link", "--tree", tree or self.tree)

    def entries(self):
        return sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*") if not path.is_dir()
                      or path.is_symlink())

    def assert_refused(self, named, before):
        code, _, err = self.link()
        self.assertEqual(code, 1)
        self.assertIn(str(named), err)
        self.assertIn("nothing was changed", err)
        self.assertEqual(self.entries(), before)

    def test_makes_the_names_programs_look_for(self):
        code, out, err = self.link()
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(self.entries(), [f"{HOME}/ascend-toolkit/latest", f"{HOME}/ascend-toolkit/set_env.sh",
                                          f"{HOME}/cann"])
        self.assertEqual(os.readlink(self.latest), str(self.tree))
        self.assertEqual((self.root / HOME / "cann").resolve(), self.tree.resolve())
        self.assertIn("latest/set_env.sh", (self.root / HOME / "ascend-toolkit/set_env.sh").read_text())
        self.assertIn(f"{self.latest}: Foothold in {self.tree}\n", out)
        self.assertEqual(self.run_command("status")[0], 0)

    def test_undoes_everything(self):
        self.link()
        code, out, _ = self.run_command("unlink")
        self.assertEqual(code, 0)
        self.assertIn(f"removed {self.latest}", out)
        self.assertFalse((self.root / HOME).exists())
        self.assertEqual(self.run_command("unlink"), (0, "nothing of Foothold's to remove\n", ""))
        self.assertEqual(self.run_command("status")[0], 1)

    def test_goes_over_to_another_tree(self):
        self.link()
        other = self.make_tree("other")
        self.assertEqual(self.link(other)[0], 0)
        self.assertEqual(self.latest.resolve(), other.resolve())

    def test_undoes_links_to_a_tree_that_is_gone(self):
        self.link()
        self.tree.rename(self.work / "elsewhere")
        self.assertIn("gone from", self.run_command("status")[1])
        self.assertEqual(self.run_command("unlink")[0], 0)
        self.assertEqual(self.entries(), [])

    def test_refuses_a_genuine_link(self):
        genuine = self.root / HOME / "ascend-toolkit/8.0.RC1"
        genuine.mkdir(parents=True)
        self.latest.symlink_to("8.0.RC1")
        self.assert_refused(self.latest, [f"{HOME}/ascend-toolkit/latest"])
        self.assertEqual(self.run_command("unlink")[1], "nothing of Foothold's to remove\n")
        self.assertEqual(os.readlink(self.latest), "8.0.RC1")

    def test_refuses_a_genuine_folder(self):
        self.latest.mkdir(parents=True)
        (self.latest / "libascendcl.so").touch()
        self.assert_refused(self.latest, [f"{HOME}/ascend-toolkit/latest/libascendcl.so"])

    def test_refuses_a_release_without_a_link(self):
        release = self.root / HOME / "ascend-toolkit/8.0.RC1"
        release.mkdir(parents=True)
        self.assert_refused(release, [])

    def test_refuses_the_script_and_the_folder_of_newer_releases(self):
        script = self.root / HOME / "ascend-toolkit/set_env.sh"
        script.parent.mkdir(parents=True)
        script.write_text("export ASCEND_TOOLKIT_HOME=...\n")
        self.assert_refused(script, [f"{HOME}/ascend-toolkit/set_env.sh"])
        script.unlink()
        (self.root / HOME / "cann").mkdir()
        self.assert_refused(self.root / HOME / "cann", [])

    def test_leaves_the_driver_alone(self):
        driver = self.root / HOME / "driver"
        driver.mkdir(parents=True)
        self.assertEqual(self.link()[0], 0)
        self.assertEqual(self.run_command("unlink")[0], 0)
        self.assertTrue(driver.is_dir())

    def test_keeps_what_took_the_place_of_a_link(self):
        self.link()
        self.latest.unlink()
        self.latest.mkdir()
        (self.latest / "genuine").touch()
        self.assertEqual(self.run_command("unlink")[0], 0)
        self.assertEqual(self.entries(), [f"{HOME}/ascend-toolkit/latest/genuine"])

    def test_wants_a_tree(self):
        code, _, err = self.link(self.work)
        self.assertEqual(code, 1)
        self.assertIn(f"{self.work} is not a toolkit tree of Foothold", err)
        self.assertEqual(self.entries(), [])

    def test_leaves_nothing_when_it_cannot_finish(self):
        (self.root / "usr/local").mkdir(parents=True)
        (self.root / HOME).write_text("a file where a folder is needed")
        code, _, err = self.link()
        self.assertEqual(code, 1)
        self.assertIn("ascend-toolkit cannot be made", err)
        self.assertEqual(self.entries(), [HOME])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
