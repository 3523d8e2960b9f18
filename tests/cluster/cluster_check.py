#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Ranks on two and three hosts that are namespaces of this machine: cluster_check.py [--hosts N] [scenario...]"""

import argparse
import sys
import time
import traceback

import scenarios
from hosts import Cluster, NotOffered


def check(scenario, count):
    began = time.monotonic()
    try:
        with Cluster(count) as cluster:
            measured = scenario(cluster)
        verdict = f"ok, {measured}" if measured else "ok"
    except NotOffered as reason:
        verdict = f"skipped: {reason}"
    except Exception:
        verdict = "FAILED\n" + traceback.format_exc()
    print(f"{count} hosts, {scenario.__name__}: {verdict} ({time.monotonic() - began:.1f} s)", flush=True)
    return not verdict.startswith("FAILED")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hosts", type=int, action="append", help="2 and 3 unless given")
    parser.add_argument("scenario", nargs="*", help="all unless given")
    arguments = parser.parse_args()
    chosen = [one for one in scenarios.ALL if not arguments.scenario or one.__name__ in arguments.scenario]
    results = [check(scenario, count) for count in arguments.hosts or (2, 3) for scenario in chosen]
    sys.exit(0 if results and all(results) else 1)


if __name__ == "__main__":
    main()
