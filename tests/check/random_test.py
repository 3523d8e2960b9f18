# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Random programs against an oracle: random_test.py <random_programs> COUNT [SCHEDULE ...]"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM, COUNT = sys.argv[1], int(sys.argv[2])
SCHEDULES = sys.argv[3:] or ["", "late", "7"]
PARTS = 2


def run(schedule, first, count):
    with tempfile.TemporaryDirectory() as folder:
        variables = {**os.environ, "FOOTHOLD_CHECK": "race,memory", "FOOTHOLD_CHECK_STACKS": "none",
                     "FOOTHOLD_CHECK_LIMIT": "100000000,100000000", "FOOTHOLD_SCHEDULE": schedule,
                     "FOOTHOLD_CHECK_OUTPUT": str(pathlib.Path(folder, "found.json"))}
        done = subprocess.run([PROGRAM, str(first), str(count)], env=variables, capture_output=True, text=True,
                              check=False)
    print(f"schedule {schedule or 'none'}, programs {first} to {first + count - 1}: {done.stdout}{done.stderr}", end="")
    return done.returncode


# Each schedule gets programs of its own, so that all together are as many as were asked for.
share = -(-COUNT // (len(SCHEDULES) * PARTS))
jobs = [(schedule, (i * PARTS + part) * share, share) for i, schedule in enumerate(SCHEDULES) for part in range(PARTS)]
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    codes = list(pool.map(lambda job: run(*job), jobs))
sys.exit(1 if any(codes) else 0)
