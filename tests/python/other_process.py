# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Another process with a device, in which the tests call functions of the module: OtherProcess().rt.malloc(8, 0).
Run as a program it is that process: calls come as lines of JSON, and go back as what the functions returned."""
import json
import subprocess
import sys


class OtherProcess:
    def __init__(self):
        self._process = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         text=True)
        self.pid = self._process.pid

    def __getattr__(self, module):
        return _Functions(self, f"acl.{module}")

    def call(self, module, name, args):
        import calls

        self._process.stdin.write(json.dumps([module, name, args]) + "\n")
        self._process.stdin.flush()
        result = json.loads(self._process.stdout.readline())
        result = tuple(result) if isinstance(result, list) else result
        calls.note((module, name), result)
        return result

    def end(self):
        """Its exit code."""
        self._process.stdin.close()
        self._process.stdout.close()
        return self._process.wait()


class _Functions:
    def __init__(self, process, module):
        self._process, self._module = process, module

    def __getattr__(self, name):
        return lambda *args: self._process.call(self._module, name, args)


def serve():
    import acl

    acl.init()
    acl.rt.set_device(0)
    for line in sys.stdin:
        module, name, args = json.loads(line)
        print(json.dumps(getattr(sys.modules[module], name)(*args)), flush=True)


if __name__ == "__main__":
    serve()
