# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Lists of cells that do not simply pass. A line: OUTCOME ENTRY TYPES DIRECTIONS # reason. Types and directions are
separated by commas; outcome is one of sweep.py's."""
import collections

# Later is worse.
ORDER = ("pass", "none", "fallback", "client", "mismatch", "error", "hang", "crash")


def read(path):
    """Cell to outcome and reason."""
    found = {}
    with open(path) as lines:
        for line in lines:
            entry, _, reason = line.partition(" # ")
            if not entry.strip() or line.startswith("#"):
                continue
            outcome, name, *rest = entry.split()
            if not rest:  # a program
                found[name] = (outcome, reason.strip())
                continue
            types, directions = rest
            for kind in types.split(","):
                for direction in directions.split(","):
                    found[f"{name}|{kind}|{direction}"] = (outcome, reason.strip())
    return found


def write(path, results):
    grouped = collections.defaultdict(lambda: collections.defaultdict(list))
    for cell, result in results.items():
        if result["outcome"] in ("pass", "none"):
            continue
        name, kind, direction = cell.rsplit("|", 2)
        grouped[(result["outcome"], name, result["cause"])][direction].append(kind)
    lines = []
    for (outcome, name, cause), directions in grouped.items():
        by_types = collections.defaultdict(list)
        for direction, types in directions.items():
            by_types[",".join(types)].append(direction)
        lines += [f"{outcome} {name} {types} {','.join(found)} # {cause}" for types, found in by_types.items()]
    with open(path, "w") as file:
        file.write("# What does not simply pass (sweep.py --write-expected); README.md says how to read it.\n")
        file.write("\n".join(sorted(lines)) + "\n")


def write_programs(path, results):
    lines = [f"{result['outcome']} {name} # {result['cause']}" for name, result in results.items()
             if result["outcome"] != "pass"]
    with open(path, "w") as file:
        file.write("# What does not simply pass (run_programs.py --write-expected); README.md says how to read it.\n")
        file.write("\n".join(sorted(lines)) + "\n")


def judge(path, results):
    """Prints what is worse and what is better than the list; 1 when something is worse."""
    expected = read(path)
    worse, better = [], []
    for cell, result in results.items():
        wanted = expected.get(cell, ("pass", ""))[0]
        difference = ORDER.index(result["outcome"]) - ORDER.index(wanted)
        line = f"{cell}: {result['outcome']}, expected {wanted}: {result['cause']}: {result['detail']}"
        if difference > 0 and result["outcome"] != "none":
            worse.append(line)
        elif difference < 0 and result["outcome"] != "none":
            better.append(line)
    for title, lines in (("better than expected", better), ("worse than expected", worse)):
        print(f"{len(lines)} cells are {title}")
        print("\n".join(f"  {line}" for line in lines))
    return 1 if worse else 0
