# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Runs all tests of the module in one process. Calls are counted: at the end every function that is supported
has succeeded somewhere."""
import os
import pathlib
import sys
import unittest

os.environ["FOOTHOLD_DEVICES"] = "2"

import calls  # noqa: E402, reads the environment

FOLDER = pathlib.Path(__file__).parent


def main():
    calls.count()
    suite = unittest.defaultTestLoader.discover(str(FOLDER), top_level_dir=str(FOLDER))
    passed = unittest.TextTestRunner(verbosity=1).run(suite).wasSuccessful()
    missing = calls.without_success()
    if missing:
        print("never called with success:", " ".join(missing), file=sys.stderr)
    sys.exit(0 if passed and not missing else 1)


if __name__ == "__main__":
    main()
