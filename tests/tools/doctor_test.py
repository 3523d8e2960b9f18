#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""`foothold doctor` in environments made for it: a toolkit tree of links, stand-ins for the genuine libraries, systems
of files below a folder. Arguments: the program, the library."""

import os
import pathlib
import re
import resource
import shutil
import struct
import subprocess
import sys
import sysconfig
import tempfile
import unittest

PROGRAM, LIBRARY = map(pathlib.Path, sys.argv[1:3])
PROJECT = pathlib.Path(__file__).resolve().parents[2]
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")


def ld_cache(entries):
    """The file of ldconfig with these names and paths."""
    texts, places, end = b"", [], 48 + 24 * len(entries)
    for text in (part for entry in entries for part in entry):
        places.append(end + len(texts))
        texts += text.encode() + b"\0"
    head = b"glibc-ld.so.cache1.1" + struct.pack("<IIIIIII", len(entries), len(texts), 0, 0, 0, 0, 0)
    lines = b"".join(struct.pack("<iIIIQ", 3, *places[2 * i:2 * i + 2], 0, 0) for i in range(len(entries)))
    return head + lines + texts


class WithTree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name).resolve()
        cls.tree, cls.fake = cls.folder / "tree", cls.folder / "fake"
        for folder in ("tree/bin", "tree/lib64", "tree/python/site-packages/acl", "fake", "empty"):
            (cls.folder / folder).mkdir(parents=True)
        shutil.copy(PROGRAM, cls.tree / "bin/foothold")
        (cls.tree / "lib64/libfoothold.so").symlink_to(LIBRARY.resolve())
        (cls.tree / "lib64/libascendcl.so").symlink_to("libfoothold.so")
        (cls.tree / "lib64/libfoothold_onnx.so").symlink_to(LIBRARY.resolve().with_name("libfoothold_onnx.so"))
        (cls.tree / "set_env.sh").write_text("")
        cls.compile("-shared", "-Wl,-soname,libascendcl.so", "-o", cls.fake / "libascendcl.so",
                    source="int aclFinalize(void) { return 0; }")

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    @staticmethod
    def compile(*words, source):
        subprocess.run(["gcc", "-fPIC", "-x", "c", "-", "-x", "none", *words], input=source, text=True, check=True)

    def program(self, name, *link):
        path = self.folder / name
        self.compile("-L", self.fake, "-lascendcl", *link, "-o", path,
                     source="int aclFinalize(void); int main(void) { return aclFinalize(); }")
        return path

    def doctor(self, *words, root=None, limits=None, **variables):
        """Its exit status, and what it prints by section."""
        environment = {"PATH": "/usr/bin:/bin", **{name: str(value) for name, value in variables.items()}}
        done = subprocess.run([self.tree / "bin/foothold", "doctor", *map(str, words), "--root",
                               root or self.folder / "empty"], env=environment, capture_output=True, text=True,
                              timeout=100, check=False, preexec_fn=limits)
        self.assertEqual(done.stderr, "")
        parts = re.split(r"^(\w[^\n]*)\n(?=  )", done.stdout, flags=re.M)
        return done.returncode, dict(zip(parts[1::2], parts[2::2]))

    def section(self, title, *words, **more):
        return self.doctor(*words, **more)[1][title]

    def good(self):
        """An environment in which everything works."""
        return {"ASCEND_TOOLKIT_HOME": self.tree, "LD_LIBRARY_PATH": self.tree / "lib64"}

    def use(self):
        return f"        mend: source {self.tree}/set_env.sh\n"


class Environment(WithTree):
    def test_that_is_right_is_fine(self):
        code, parts = self.doctor(**self.good())
        self.assertEqual(code, 0, parts)
        self.assertIn(f"  ok    ASCEND_TOOLKIT_HOME is {self.tree}\n", parts["environment"])
        self.assertIn("  ok    a device starts, and a stream runs a task\n", parts["trial run"])
        self.assertNotIn("BAD", "".join(parts.values()))

    def test_that_is_empty_is_mended_by_set_env(self):
        code, parts = self.doctor()
        self.assertEqual(code, 1)
        self.assertIn("  note  ASCEND_TOOLKIT_HOME is not set", parts["environment"])
        self.assertIn(f"  BAD   libascendcl.so is found nowhere: programs that want it do not start\n{self.use()}",
                      parts["library that programs load"])

    def test_may_lead_nowhere_or_elsewhere(self):
        text = self.section("environment", ASCEND_HOME_PATH="/gone", ASCEND_TOOLKIT_HOME=self.fake,
                            LD_LIBRARY_PATH=f"/gone/lib:{self.tree}/lib64")
        self.assertIn(f"  BAD   ASCEND_HOME_PATH is /gone, which is no folder\n{self.use()}", text)
        self.assertIn(f"  note  ASCEND_TOOLKIT_HOME is {self.fake}, which is not this toolkit\n", text)
        self.assertIn("  note  LD_LIBRARY_PATH has /gone/lib, which is no folder\n", text)
        self.assertIn(f"  ok    LD_LIBRARY_PATH has {self.tree}/lib64\n", text)

    def test_may_have_settings_that_cannot_be_used(self):
        code, parts = self.doctor(**self.good(), FOOTHOLD_DEVICES="many", FOOTHOLD_WINOGRAD="7", FOOTHOLD_DEVISES="2")
        self.assertEqual(code, 1)
        self.assertIn("  note  FOOTHOLD_DEVISES is no setting; FOOTHOLD_DEVICES is the nearest\n", parts["environment"])
        self.assertIn('FOOTHOLD_DEVICES is "many"; expected a whole number from 1 to 64', parts["trial run"])
        self.assertIn("        mend: unset FOOTHOLD_DEVICES\n", parts["trial run"])
        self.assertIn("        mend: unset FOOTHOLD_WINOGRAD\n", parts["trial run"])

    def test_knows_every_setting_of_the_library(self):
        names = set()
        for path in (PROJECT / "src").rglob("*.cpp"):
            names.update(re.findall(r'Get\w*[eE]nv\w*\("(FOOTHOLD_[A-Z_]+)"', path.read_text()))
        self.assertGreater(len(names), 7)
        text = self.section("environment", **self.good(), **{name: "" for name in names})
        self.assertNotIn("is no setting", text)


class Library(WithTree):
    TITLE = "library that programs load"

    def test_comes_from_the_first_folder_that_has_it(self):
        text = self.section(self.TITLE, LD_LIBRARY_PATH=f"/gone:{self.tree}/lib64:{self.fake}")
        self.assertIn(f"ok    libascendcl.so is {self.tree}/lib64/libascendcl.so, of this toolkit: LD_LIBRARY_PATH has",
                      text)
        code, parts = self.doctor(LD_LIBRARY_PATH=f"{self.fake}:{self.tree}/lib64")
        self.assertEqual(code, 1)
        self.assertIn(f"BAD   libascendcl.so is {self.fake}/libascendcl.so, which is no Foothold: LD_LIBRARY_PATH has "
                      f"{self.fake}\n{self.use()}", parts[self.TITLE])

    def test_comes_from_the_cache_of_ldconfig(self):
        root = self.folder / "system"
        (root / "etc").mkdir(parents=True)
        (root / "opt").mkdir()
        shutil.copy(self.fake / "libascendcl.so", root / "opt")
        (root / "etc/ld.so.cache").write_bytes(ld_cache([("libz.so", "/z"), ("libascendcl.so", "/opt/libascendcl.so")]))
        text = self.section(self.TITLE, root=root)
        self.assertIn(f"{root}/opt/libascendcl.so, which is no Foothold: ldconfig has it in", text)
        self.assertIn("of this toolkit", self.section(self.TITLE, root=root, LD_LIBRARY_PATH=self.tree / "lib64"))

    def loaded(self, program, **variables):
        """What the loader itself says."""
        done = subprocess.run(["ldd", program], env={"PATH": "/usr/bin:/bin", **variables}, capture_output=True, text=True,
                              check=False)
        return re.search(r"libascendcl\.so => (\S+)", done.stdout)[1]

    def test_of_a_program_follows_rpath_and_runpath_as_the_loader_does(self):
        path = f"{self.tree}/lib64"
        for dtags, file, why in (("--disable-new-dtags", f"{self.fake}/libascendcl.so", "the RPATH of"),
                                 ("--enable-new-dtags", f"{path}/libascendcl.so", "LD_LIBRARY_PATH has")):
            program = self.program("with_path", f"-Wl,{dtags},-rpath,$ORIGIN/fake")
            text = self.section(self.TITLE, program, root="/", LD_LIBRARY_PATH=path)
            self.assertIn(f"libascendcl.so is {file}", text)
            self.assertIn(why, text)
            self.assertEqual(self.loaded(program, LD_LIBRARY_PATH=path), file)
        self.assertIn("the RUNPATH of", self.section(self.TITLE, program, root="/"))

    def test_of_a_program_may_be_missing(self):
        program = self.program("without_path")
        code, parts = self.doctor(program, root="/", **{"ASCEND_TOOLKIT_HOME": self.tree})
        self.assertEqual(code, 1)
        self.assertIn(f"BAD   libascendcl.so is found nowhere; {program} needs it\n{self.use()}", parts[self.TITLE])
        self.assertIn("is no program or library", self.section(self.TITLE, __file__))
        self.assertIn("is linked with no library of this toolkit", self.section(self.TITLE, "/bin/true", root="/"))


class Machine(WithTree):
    def test_has_a_genuine_toolkit_beside_it(self):
        root = self.folder / "genuine"
        latest = root / "usr/local/Ascend/ascend-toolkit/latest"
        (latest / "lib64").mkdir(parents=True)
        shutil.copy(self.fake / "libascendcl.so", latest / "lib64")
        code, parts = self.doctor(root=root, **self.good())
        self.assertEqual(code, 0, parts)
        self.assertIn(f"  note  {latest} is a genuine CANN", parts["other toolkits"])
        shutil.rmtree(latest)
        latest.symlink_to(self.tree)
        self.assertIn(f"  ok    {latest} leads to this toolkit", self.section("other toolkits", root=root, **self.good()))

    def test_shows_what_kernels_use(self):
        self.assertRegex(self.section("processor and limits"), r"  (ok|note)  +kernels use \w+")

    def test_has_limits_of_its_control_group(self):
        root = self.folder / "small"
        for name, text in (("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/pids.max", "5\n"),
                           ("proc/self/mountinfo", "29 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"),
                           ("sys/fs/cgroup/memory.max", "104857600\n")):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        code, parts = self.doctor(root=root, **self.good())
        self.assertEqual(code, 1)
        self.assertRegex(parts["processor and limits"], r"BAD   the control group allows 5 threads .*\n +mend: docker")
        self.assertIn("  note  0.1 GiB of memory, a limit of the control group", parts["processor and limits"])

    def test_has_limits_of_the_shell(self):
        def lower():
            resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
            resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))

        parts = self.doctor(limits=lower, **self.good())[1]
        self.assertIn("  note  the limit of open files is 64\n        mend: ulimit -n 1024\n", parts["processor and limits"])
        self.assertIn("mend: ulimit -v unlimited\n", parts["processor and limits"])

    def test_starts_no_device(self):
        code, parts = self.doctor(**self.good(), ASCEND_RT_VISIBLE_DEVICES="7")
        self.assertEqual(code, 1)
        self.assertRegex(parts["trial run"], r"BAD   [^\n]*device 0 does not exist")
        self.assertIn("        mend: unset ASCEND_RT_VISIBLE_DEVICES\n", parts["trial run"])


class Python(WithTree):
    def python(self, version, module, suffix):
        """A stand-in that answers as that Python would."""
        path = self.folder / f"python{version}"
        path.write_text(f"#!/bin/sh\nprintf '%s\\n' {version} '{module}' {suffix}\n")
        path.chmod(0o755)
        return path

    def module(self, suffix):
        folder = self.tree / "python/site-packages/acl"
        shutil.rmtree(folder)
        folder.mkdir()
        (folder / f"__init__{suffix}").write_text("")

    def test_finds_no_module(self):
        self.module(SUFFIX)
        text = self.section("Python", **self.good())
        self.assertRegex(text, r"BAD   Python 3\.\d+\S* finds no module acl: PYTHONPATH does not have .*\n +mend: export PYTHONPATH=")

    def test_is_of_another_version_than_the_module(self):
        self.module(".cpython-311-x86_64-linux-gnu.so")
        other = self.python("3.99.1", "", ".cpython-399-x86_64-linux-gnu.so")
        code, parts = self.doctor("--python", other, **self.good())
        self.assertEqual(code, 1)
        self.assertIn("BAD   Python 3.99.1 finds no module acl: the one of this toolkit is for another version "
                      "(.cpython-311-x86_64-linux-gnu.so, wanted .cpython-399", parts["Python"])
        self.assertIn(f"        mend: foothold-build-python {other}\n", parts["Python"])

    def test_finds_another_module(self):
        (self.folder / "acl.py").write_text("")
        text = self.section("Python", **self.good(), PYTHONPATH=self.folder)
        self.assertIn(f"imports acl from {self.folder}/acl.py, which is no Foothold", text)

    def test_may_not_be_there(self):
        self.assertIn("note  nothing99 does not start", self.section("Python", "--python", "nothing99", **self.good()))


class Torch(WithTree):
    TITLE = "PyTorch"

    def python(self, torch="", torch_npu="", minor=11, trial="echo 4.0"):
        """A stand-in that has these versions, and does this when they are tried."""
        path = self.folder / "python"
        path.write_text(f"#!/bin/sh\ncase $2 in *torch_npu*one*) {trial};; *torch_npu*) "
                        f"printf '%s\\n' {minor} '{torch}' '{torch_npu}';; *) exit 1;; esac\n")
        path.chmod(0o755)
        return path

    def text(self, **python):
        path = self.python(**python)
        return self.section(self.TITLE, "--python", path, **self.good()).replace(str(path), "PYTHON")

    def test_is_not_there(self):
        text = self.text()
        self.assertIn("  note  Python 3.11 has no torch; others that fit: 2.1.0 with", text)
        self.assertIn("        mend: PYTHON -m pip install torch==2.7.1 numpy pyyaml\n"
                      "              PYTHON -m pip install --no-deps \"torch_npu==2.7.1.post11\"\n", text)
        self.assertIn("pip install torch==2.9.0 ", self.text(minor=14))
        self.assertIn("Python 3.7 has no torch, and torch_npu has no wheels for it", self.text(minor=7))

    def test_offers_the_pairs_that_are_tested(self):
        offered = self.text()
        for path in (PROJECT / "tests/torch/pairs").glob("*.txt"):
            torch, torch_npu = (re.search(rf"^{name}==(\S+)", path.read_text(), re.M)[1] for name in ("torch", "torch_npu"))
            self.assertRegex(offered, rf"\b{torch} (with torch_npu|numpy)")
            self.assertRegex(offered, rf"(with torch_npu |torch_npu==){torch_npu}\b")

    def test_has_no_device(self):
        self.assertIn("note  torch 2.9.0+cpu is there, and torch_npu is not: there is no device npu\n"
                      "        mend: PYTHON -m pip install --no-deps \"torch_npu==2.9.0.post9\"\n", self.text(torch="2.9.0+cpu"))
        self.assertIn("\"torch_npu==2.8.0.*\"", self.text(torch="2.8.0"))

    def test_is_a_pair_that_does_not_fit(self):
        text = self.text(torch="2.9.0+cu128", torch_npu="2.7.1.post11")
        self.assertIn("BAD   torch 2.9.0+cu128 and torch_npu 2.7.1.post11 do not fit", text)
        self.assertIn("mend: PYTHON -m pip install torch==2.7.1 ", text)

    def test_starts(self):
        self.assertEqual("  ok    torch 2.7.1+cu126 and torch_npu 2.7.1.post11: a tensor on device npu is computed with\n",
                         self.text(torch="2.7.1+cu126", torch_npu="2.7.1.post11"))

    def test_does_not_start(self):
        text = self.text(torch="2.7.1", torch_npu="2.7.1.post11",
                         trial="echo \"ModuleNotFoundError: No module named 'yaml'\"; exit 1")
        self.assertIn("do not start: ModuleNotFoundError: No module named 'yaml'\n        mend: PYTHON -m pip install pyyaml\n",
                      text)


class OnDemand(WithTree):
    TITLE = "libraries loaded on demand"

    def test_names_what_cannot_be_loaded(self):
        text = self.section(self.TITLE, **self.good())
        self.assertIn(f"  ok    {self.tree}/lib64/libfoothold_onnx.so can be loaded, for reading ONNX models\n", text)
        reader = self.tree / "lib64/libfoothold_onnx.so"
        reader.unlink()
        self.compile("-shared", "-Wl,--no-as-needed", "-L", self.fake, "-l:libascendcl.so", "-o", reader,
                     source="int x;")
        self.addCleanup(reader.unlink)
        broken = self.tree / "lib64/libascendcl.so"
        broken.unlink()
        self.addCleanup(broken.symlink_to, "libfoothold.so")
        code, parts = self.doctor(**self.good())
        self.assertEqual(code, 1)
        self.assertRegex(parts[self.TITLE], r"BAD   reading ONNX models does not work: .*libascendcl.so.*\n +mend: apt-get install")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
