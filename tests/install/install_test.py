#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Builds and runs programs against the installed tree, with nothing but set_env.sh.

    install_test.py SCENARIO TREE WORK_FOLDER
"""

import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
STRICT = "-Wall -Wextra -Werror"
# Old programs look for these below the root.
OLD_FOLDERS = ("acllib/include", "acllib/lib64", "compiler/include", "compiler/lib64", "compiler/lib64/stub",
               "runtime/include", "runtime/lib64", "runtime/lib64/stub", "fwkacllib/include", "fwkacllib/lib64")

OPERATOR_LIBRARIES = ("opapi", "opapi_math", "opapi_nn", "opapi_cv", "opapi_transformer", "opapi_legacy", "nnopbase")


class Failure(Exception):
    pass


class Scenario:
    def __init__(self, tree, work):
        self.tree, self.work = tree, work
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)

    def shell(self, script):
        """Runs a script as a user would after sourcing set_env.sh; nothing of our environment comes along."""
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.work)}
        command = f'set -eu\nsource "{self.tree}/set_env.sh"\n{script}'
        done = subprocess.run(["bash", "-c", command], cwd=self.work, env=environment, capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            raise Failure(f"failed with {done.returncode}:\n{script}\n{done.stdout}{done.stderr}")
        return done.stdout

    def needed(self, program):
        dynamic = subprocess.run(["readelf", "-d", self.work / program], capture_output=True, text=True, check=True)
        return re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic.stdout)

    def library_names(self):
        """All names of the library; the one that reads ONNX files is not for programs."""
        return sorted({path.name for path in (self.tree / "lib64").glob("lib*.so")} - {"libfoothold_onnx.so"})


def layout(s):
    """Every folder and name programs look for is there, and every link stays inside the tree."""
    arch = platform.machine()
    wanted = list(OLD_FOLDERS) + [f"{arch}-linux/{name}" for name in ("include", "lib64", "devlib")]
    wanted += [f"{folder}/libascendcl.so" for folder in ("lib64", "lib64/stub", "devlib")]
    wanted += ["include/aclnnop/aclnn_add.h", "include/external/aclnnop/aclnn_ger.h"]
    wanted += ["include/acl/acl.h", "include/external/acl/acl.h", "runtime/include/acl/error_codes/rt_error_codes.h",
               "opp/built-in/op_proto/inc/all_ops.h", f"opp/built-in/op_proto/lib/linux/{arch}/libopsproto.so",
               "share/info/runtime/version.info", "share/info/ops_nn/version.info", "lib64/pkgconfig/foothold.pc",
               "opp/version.info", "compiler/version.info", "opp_kernel/version.info", "atc/include/acl/acl.h",
               "atc/lib64/libascendcl.so", f"{arch}-linux/ascend_toolkit_install.info", "latest/lib64/libascendcl.so",
               "latest/opp/version.info", "include/aclnnop/level2/aclnn_gemm.h"]
    missing = [name for name in wanted if not (s.tree / name).exists()]
    if missing:
        raise Failure("missing: " + ", ".join(missing))
    if (s.tree / "opp/op_proto").exists():
        raise Failure("opp/op_proto makes programs take this for an old toolkit")
    for path in s.tree.rglob("*"):
        if path.is_symlink() and (os.path.isabs(os.readlink(path)) or s.tree not in path.resolve().parents):
            raise Failure(f"{path} leaves the tree")


def operator_headers(s):
    """Every way programs include the operators, with the folders they have on their path."""
    includes = (("include", "all_ops.h"), ("compiler/include", "op_proto/built-in/inc/all_ops.h"),
                ("include", "built-in/op_proto/inc/array_ops.h"), ("include/external", "array_ops.h"),
                ("opp", "built-in/op_proto/inc/array_ops.h"), ("opp/built-in/op_proto/inc", "all_ops.h"))
    for folder, header in includes:
        (s.work / "program.cpp").write_text(f'#include "{header}"\nge::op::Data* data;\n')
        s.shell(f'g++ -std=c++11 {STRICT} -fsyntax-only -I"$ASCEND_HOME_PATH/{folder}" '
                '-I"$ASCEND_HOME_PATH/include" program.cpp')


def set_env(s):
    """set_env.sh works from any folder and shell options, twice as well as once, and keeps what was there."""
    show = 'echo "$ASCEND_TOOLKIT_HOME|$ASCEND_HOME_PATH|$ASCEND_OPP_PATH|$LD_LIBRARY_PATH|$PATH|$PYTHONPATH"'
    once = s.shell(show)
    twice = s.shell(f'cd /; source "{s.tree}/set_env.sh"; {show}')
    expected = f"{s.tree}|{s.tree}|{s.tree}/opp|{s.tree}/latest/lib64:{s.tree}/lib64|{s.tree}/bin:/usr/local/bin:/usr/bin:/bin|"
    if once != twice or not once.startswith(expected):
        raise Failure(f"expected {expected}...\nonce: {once}twice: {twice}")
    kept = s.shell(f'LD_LIBRARY_PATH="/a:{s.tree}/lib64:/b"; source "{s.tree}/set_env.sh"; echo "$LD_LIBRARY_PATH"')
    if kept != f"{s.tree}/latest/lib64:{s.tree}/lib64:/a:/b\n":
        raise Failure(f"other entries of LD_LIBRARY_PATH were not kept: {kept}")
    if shutil.which("zsh"):
        zsh = subprocess.run(["zsh", "-fc", f'source "{s.tree}/set_env.sh"; echo $ASCEND_TOOLKIT_HOME'], cwd="/",
                             capture_output=True, text=True, check=True)
        if zsh.stdout.strip() != str(s.tree):
            raise Failure(f"zsh: {zsh.stdout}")


def compiler_line(s):
    """C and C++ programs with a plain compiler line, also with the old C++ string ABI and the folders of old trees."""
    s.shell(f'gcc -std=c99 {STRICT} "{HERE}/program.c" -I"$ASCEND_HOME_PATH/include" -L"$ASCEND_HOME_PATH/lib64" '
            "-lascendcl -lacl_op_compiler -o c_program && ./c_program")
    s.shell(f'g++ -std=c++11 {STRICT} "{HERE}/program.cpp" -I"$ASCEND_HOME_PATH/acllib/include" '
            '-L"$ASCEND_HOME_PATH/runtime/lib64/stub" -lascendcl -o cpp_program && ./cpp_program')
    s.shell(f'g++ -std=c++11 -D_GLIBCXX_USE_CXX11_ABI=0 {STRICT} "{HERE}/program.cpp" -I"$ASCEND_HOME_PATH/include" '
            '-L"$ASCEND_HOME_PATH/devlib" -lascendcl -o old_strings && ./old_strings')
    (s.work / "alone.c").write_text('#include "acl.h"\n#include "acl_prof.h"\n#include "ops/acl_dvpp.h"\nint main(void) { return 0; }\n')
    s.shell(f'gcc -std=c99 {STRICT} alone.c -I"$ASCEND_HOME_PATH/include/acl" -fsyntax-only')
    for program in ("c_program", "cpp_program", "old_strings"):
        unknown = [name for name in s.needed(program) if name.startswith("lib") and "acl" in name
                   and name not in s.library_names()]
        if unknown or "libascendcl.so" not in s.needed(program):
            raise Failure(f"{program} needs {s.needed(program)}")


def pkg_config(s):
    s.shell(f'gcc -std=c99 {STRICT} "{HERE}/program.c" $(pkg-config --cflags --libs foothold) -o program && ./program')


def cmake_package(s):
    s.shell(f'cmake -S "{HERE}/find_package" -B . && cmake --build . && ./program')


def cmake_find_library(s):
    s.shell(f'cmake -S "{HERE}/find_library" -B .')


def one_image(s):
    """Whatever name a program links or loads, it gets one copy of the library."""
    s.shell(f'gcc -std=gnu99 {STRICT} "{HERE}/one_image.c" -I"$ASCEND_HOME_PATH/include" -L"$ASCEND_HOME_PATH/lib64" '
            f'-lascendcl -lge_runner -ldl -o one_image && ./one_image {" ".join(s.library_names())}')


def operator_libraries(s):
    """The aclnn operators: their headers are where programs look, and every library of theirs can be linked alone and
    has all functions when it is loaded."""
    files = " ".join(f"lib{name}.so" for name in OPERATOR_LIBRARIES)
    for name in OPERATOR_LIBRARIES:
        s.shell(f'gcc -std=gnu99 {STRICT} "{HERE}/operator_library.c" -I"$ASCEND_HOME_PATH/include" '
                f'-I"$ASCEND_HOME_PATH/include/aclnn" -L"$ASCEND_HOME_PATH/lib64" -l{name} -ldl -o {name} && ./{name} {files}')
    regular = [path.name for path in (s.tree / "lib64").glob("libopapi_*.so") if path.is_file()]
    if len(regular) != len([name for name in OPERATOR_LIBRARIES if name.startswith("opapi_")]):
        raise Failure(f"programs that look for libopapi_*.so find {sorted(regular)}")


OPERATOR_THAT_DOES_NOT_RUN = """
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include "acl/acl.h"
#include "aclnnop/%(header)s"

int main(int argc, char** argv) {
  uint64_t size = 0;
  aclOpExecutor* executor = NULL;
  int wrong = 0;
  int first = %(name)sGetWorkspaceSize(%(zeros)s, &size, &executor);
  const char* text = aclGetRecentErrMsg();
  if (first != 561003) wrong += printf("the first phase answered %%d\\n", first);
  if (text == NULL || strstr(text, "%(name)s") == NULL) wrong += printf("the message is %%s\\n", text);
  int second = %(name)s(NULL, 0, NULL, NULL);
  if (second != 561003) wrong += printf("the second phase answered %%d\\n", second);
  for (int i = 1; i < argc; ++i) {
    void* library = dlopen(argv[i], RTLD_NOW);
    if (library == NULL) wrong += printf("%%s\\n", dlerror());
    if (dlsym(library, "%(name)s") != NULL) wrong += printf("%%s has %(name)s\\n", argv[i]);
    if (dlsym(library, "aclnnAdd") == NULL) wrong += printf("%%s lacks aclnnAdd\\n", argv[i]);
  }
  return wrong == 0 ? 0 : 1;
}
"""


def operator_that_does_not_run(s):
    """One that does not run can be linked, however the program is, and says so; nobody finds it by name, in none of the
    libraries, and not in one that was stripped for a package either."""
    sys.path.insert(0, str(HERE.parents[1] / "tools/aclnn"))
    import function_table  # pylint: disable=import-outside-toplevel

    hidden = [function for function in function_table.hidden(function_table.read()) if function.two_phases and function.header]
    one = min(hidden, key=lambda function: len(function.parameters))
    zeros = ", ".join("0" if parameter.member != "pointer" else "NULL" for parameter in one.parameters)
    text = OPERATOR_THAT_DOES_NOT_RUN % {"name": one.name, "header": one.header, "zeros": zeros}
    (s.work / "program.c").write_text(text)
    files = " ".join(f"lib{name}.so" for name in OPERATOR_LIBRARIES)
    line = f'gcc -std=gnu99 {STRICT} program.c -I"$ASCEND_HOME_PATH/include" -ldl -o program'
    linkers = [f"-fuse-ld={name}" for name in ("bfd", "gold", "lld", "mold") if shutil.which(f"ld.{name}")]
    for more in ("-Wl,-z,now", "-no-pie -fno-pie", *linkers):
        s.shell(f'{line} {more} -L"$ASCEND_HOME_PATH/lib64" -lopapi && ./program {files}')
    said = s.shell("foothold doctor ./program || true")
    if f"imports 2 operators that do not run here: {one.name}" not in said:
        raise Failure(f"foothold doctor does not name {one.name}:\n{said}")
    s.shell(f'mkdir stripped && cp "$ASCEND_HOME_PATH/lib64/libfoothold.so" stripped && "{HERE}/../../packaging/strip.sh" stripped '
            "&& ln -s libfoothold.so stripped/libopapi.so && ln -s libfoothold.so stripped/libascendcl.so "
            f"&& {line} -Lstripped -lopapi && LD_LIBRARY_PATH=stripped ./program libopapi.so")


def programs(s):
    """The programs start without set_env.sh, and find the library and the reader of ONNX models."""
    digits = HERE.parent.parent / "examples/onnx_digits/digits.onnx"
    for command in (["atc", f"--model={digits}", "--framework=5", "--output=digits"], ["foothold", "info", "digits.om"]):
        done = subprocess.run([s.tree / "bin" / command[0], *command[1:]], cwd=s.work, env={}, capture_output=True,
                              text=True, check=False)
        if done.returncode != 0 or "inputs    image: float" not in done.stdout:
            raise Failure(f"{command} answered {done.returncode}: {done.stdout}{done.stderr}")
    name = s.shell("npu-smi info | awk 'NR == 7 { print $3 }'")  # as llama.cpp does
    if name != "910B1\n":
        raise Failure(f"npu-smi info has {name} as word 3 of line 7")


def single_operators(s):
    """An operator that atc has converted runs from the folder of its file."""
    def tensor(dims):
        return {"format": "ND", "shape": dims, "type": "float"}

    operators = [{"op": "ReduceMaxD", "input_desc": [tensor([2, 3])], "output_desc": [tensor([2])],
                  "attr": [{"name": "axes", "type": "list_int", "value": [1]}]}]
    (s.work / "ops.json").write_text(json.dumps(operators))
    s.shell("atc --singleop=ops.json --output=op_models/reduce --soc_version=Ascend310P3")
    s.shell(f'gcc -std=gnu99 {STRICT} "{HERE}/single_operator.c" -I"$ASCEND_HOME_PATH/include" '
            '-L"$ASCEND_HOME_PATH/lib64" -lascendcl -o single_operator && ./single_operator op_models')


def called_by_name(s):
    """A program found on PATH, by a link as packages have it, finds the reader of ONNX models."""
    digits = HERE.parent.parent / "examples/onnx_digits/digits.onnx"
    (s.work / "foothold").symlink_to(s.tree / "bin/foothold")
    done = subprocess.run(["bash", "-c", f'foothold run "{digits}" --shape image:1,1,8,8'], cwd="/",
                          env={"PATH": str(s.work)}, executable="/bin/bash", capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"foothold run answered {done.returncode}: {done.stdout}{done.stderr}")


def linked_elsewhere(s):
    """A program linked against other libraries of these names starts here as it is."""
    # Stand-ins with the names and SONAMEs of the original, each defining one of the functions the program calls.
    stand_ins = {"ascendcl": ["aclFinalize", "aclrtSetDevice", "aclrtMalloc", "aclrtMemcpy", "aclrtFree", "aclrtResetDevice"],
                 "acl_op_compiler": ["aclInit"]}
    for name, functions in stand_ins.items():
        source = "".join(f"int {function}(void) {{ return 100039; }}\n" for function in functions)
        (s.work / f"{name}.c").write_text(source)
        s.shell(f"gcc -shared -fPIC {name}.c -Wl,-soname,lib{name}.so -o lib{name}.so")
    s.shell(f'gcc -std=c99 "{HERE}/program.c" -I"$ASCEND_HOME_PATH/include" -L. -lascendcl -lacl_op_compiler -o program')
    if not {"libascendcl.so", "libacl_op_compiler.so"} <= set(s.needed("program")):
        raise Failure(f"the program needs {s.needed('program')}")
    s.shell("rm lib*.so && ./program")


def main():
    scenario, tree, work = sys.argv[1:4]
    try:
        globals()[scenario](Scenario(pathlib.Path(tree), pathlib.Path(work)))
    except Failure as failure:
        sys.exit(f"{scenario}: {failure}")


if __name__ == "__main__":
    main()
