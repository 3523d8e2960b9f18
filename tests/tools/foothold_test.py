# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Runs the program `foothold` and compares what it prints. Arguments: the program, the version it must show."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, VERSION = sys.argv[1:3]


def foothold(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, timeout=60, check=False)


def answer(*arguments):
    done = foothold(*arguments)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class Version(unittest.TestCase):
    def test_prints_the_version(self):
        self.assertEqual(answer("version"), (0, f"foothold {VERSION}\n", ""))


def rank_trace(rank, clock, times):
    """A trace of a rank, with a collective for each pair of times."""
    events = [{"ph": "X", "cat": "collective", "name": "barrier", "pid": 3, "tid": 0, "ts": begin, "dur": end - begin,
               "args": {"communicator": "world", "rank": rank, "ranks": 2, "bytes": 0, "meeting": str(i), "stream": 1}}
              for i, (begin, end) in enumerate(times)]
    return json.dumps({"traceEvents": events, "otherData": {"clock": clock}})


class Trace(unittest.TestCase):
    def waits(self, clocks, shift):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, f"{rank}.json") for rank in (0, 1)]
            files[0].write_text(rank_trace(0, clocks[0], [(0, 3000), (10000, 10100)]))
            files[1].write_text(rank_trace(1, clocks[1], [(2000 + shift, 3000 + shift), (8000 + shift, 10100 + shift)]))
            code, out, err = answer("trace", *map(str, files))
        self.assertEqual((code, err), (0, ""))
        return out

    def test_says_who_waited_for_whom(self):
        out = self.waits(("one", "one"), 0)
        self.assertIn("rank 0 waited 2 ms for rank 1 in 1 collective of world", out)
        self.assertIn("rank 1 waited 2 ms for rank 0 in 1 collective of world", out)

    def test_puts_hosts_onto_one_clock(self):
        # Rank 1 is 100 to -1000 microseconds off what was shifted: nobody goes on before the last has come.
        out = self.waits(("one", "other"), 7e9)
        self.assertIn("rank 0 waited 2.45 ms for rank 1 in 1 collective of world", out)
        self.assertIn("rank 1 waited 1.55 ms for rank 0 in 1 collective of world", out)


class Usage(unittest.TestCase):
    def test_needs_a_command(self):
        code, out, err = answer()
        self.assertEqual((code, out), (1, ""))
        self.assertIn("subcommand is required", err)

    def test_help_lists_the_commands(self):
        code, out, _ = answer("--help")
        self.assertEqual(code, 0)
        self.assertIn("explain", out)
        self.assertIn("version", out)

    def test_says_what_it_knows(self):
        code, out, err = answer("nonsense")
        self.assertEqual((code, out), (1, ""))
        self.assertIn('there is no command "nonsense"', err)
        for name in ("doctor", "dump", "env", "explain", "info", "run", "trace", "version"):
            self.assertRegex(err, rf"\n  {name} +[A-Z]")
        self.assertIn("did you mean doctor?", answer("doktor")[2])

    def test_refuses_what_it_does_not_know(self):
        for arguments in (["nothing"], ["explain", "--nothing"], ["explain"], ["explain", "--all", "107000"],
                          ["version", "more"]):
            code, out, err = answer(*arguments)
            self.assertEqual((code, out), (1, ""), arguments)
            self.assertNotEqual(err, "", arguments)


class Launch(unittest.TestCase):
    def test_starts_ranks_with_their_variables(self):
        code, out, err = answer("launch", "-n", "3", "--", "sh", "-c", "echo $RANK of $WORLD_SIZE on $DEVICE_ID; printf end")
        self.assertEqual((code, err), (0, ""))
        expected = [line for rank in range(3) for line in (f"[{rank}] {rank} of 3 on {rank}", f"[{rank}] end")]
        self.assertEqual(sorted(out.splitlines()), sorted(expected))

    def test_ends_all_when_one_fails(self):
        code, _, err = answer("launch", "-n", "2", "--", "sh", "-c", "[ $RANK = 1 ] && exit 7; exec sleep 50")
        self.assertEqual(code, 7)
        self.assertIn("rank 1 ended with status 7", err)

    def test_writes_a_rank_table(self):
        code, out, _ = answer("launch", "-n", "2", "--rank-table", "--no-prefix", "--", "sh", "-c",
                              "[ $RANK_ID = 1 ] || cat $RANK_TABLE_FILE")
        self.assertEqual(code, 0)
        servers = json.loads(out)["server_list"]
        self.assertEqual([device["rank_id"] for device in servers[0]["device"]], ["0", "1"])

    def test_refuses_nonsense(self):
        self.assertEqual(answer("launch", "-n", "0", "--", "true")[0], 1)
        code, _, err = answer("launch", "--hosts", "one,two", "-n", "2", "--", "true")
        self.assertEqual(code, 1)
        self.assertIn("on this host only", err)
        self.assertEqual(answer("launch", "-n", "2")[0], 1)
        self.assertEqual(answer("launch", "-n", "2", "--", "no such program")[0], 127)


class Env(unittest.TestCase):
    SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "cmake/set_env.sh"

    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.tree = pathlib.Path(self.place.name).resolve() / "a tree"
        (self.tree / "bin").mkdir(parents=True)
        shutil.copy(PROGRAM, self.tree / "bin/foothold")
        shutil.copy(self.SCRIPT, self.tree)

    def env(self, *words, **variables):
        done = subprocess.run([self.tree / "bin/foothold", "env", *words], capture_output=True, timeout=60, check=False,
                              text=True, env={"PATH": os.environ["PATH"], **variables})
        return done.returncode, done.stdout, done.stderr

    def test_runs_a_program_with_the_environment_set(self):
        code, out, err = self.env("--", "sh", "-c", 'echo "$ASCEND_HOME_PATH|$PYTHONPATH|$1"; exit 7', "sh", "one argument",
                                  PYTHONPATH="/mine")
        self.assertEqual((code, out, err), (7, f"{self.tree}|{self.tree}/python/site-packages:/mine|one argument\n", ""))

    def test_leaves_options_to_the_program(self):
        self.assertEqual(self.env("--", "echo", "-n", "--help"), (0, "--help", ""))

    def test_alone_prints_what_a_shell_can_read(self):
        code, out, err = self.env(MINE="1")
        self.assertEqual((code, err), (0, ""))
        self.assertNotIn("MINE", out)
        self.assertNotIn("PWD", out)
        shown = subprocess.run(["bash", "-c", f'{out}\necho "$ASCEND_OPP_PATH|$LD_LIBRARY_PATH"'], capture_output=True, text=True,
                               check=True).stdout
        self.assertTrue(shown.startswith(f"{self.tree}/opp|{self.tree}/latest/lib64:{self.tree}/lib64"), shown)

    def test_says_what_is_wrong(self):
        code, _, err = self.env("--", "no such program")
        self.assertEqual(code, 127)
        self.assertIn("no such program: not found", err)
        (self.tree / "set_env.sh").unlink()
        code, _, err = self.env("--", "true")
        self.assertEqual(code, 1)
        self.assertIn(f"there is no set_env.sh in {self.tree}", err)


class Explain(unittest.TestCase):
    NUMBER = """\
ACL_ERROR_RT_CONTEXT_NULL  107002 (0x1a1fa)
  The calling thread has no current context.
  Usual causes:
    - No device was chosen on this thread: a new thread starts without one.
    - The context was destroyed or its device reset.
  What to do:
    - Call aclrtSetDevice, or aclrtSetCurrentContext with a context of another thread, at the start of the thread.
"""
    LEGACY = """\
ACL_ERROR_STREAM_NOT_SUBSCRIBE  100034 (0x186c2)
  A callback was launched on a stream no thread is subscribed to.
  An older number: ACL_ERROR_RT_STREAM_NO_CB_REG (107015) is returned now.
"""

    def test_finds_a_number_by_value_hex_and_name(self):
        for query in ("107002", "0x1a1fa", "0X1A1FA", "ACL_ERROR_RT_CONTEXT_NULL", "rt_context_null"):
            self.assertEqual(answer("explain", query), (0, self.NUMBER, ""), query)

    def test_takes_several(self):
        code, out, err = answer("explain", "107002", "107002")
        self.assertEqual((code, out, err), (0, self.NUMBER + "\n" + self.NUMBER, ""))

    def test_names_the_replacement_of_an_older_number(self):
        code, out, _ = answer("explain", "100034")
        self.assertEqual(code, 0)
        self.assertTrue(out.startswith(self.LEGACY), out)

    def test_says_what_does_not_occur(self):
        self.assertIn("Does not occur on Foothold", answer("explain", "507010")[1])
        self.assertIn("Foothold does not return this number", answer("explain", "0x5010A002")[1])

    def test_shows_other_names(self):
        self.assertIn("Also named: ACL_ERROR_NONE, ACL_RT_SUCCESS, ge::SUCCESS", answer("explain", "0")[1])

    def test_explains_the_fields_of_a_status(self):
        fields = "side 1 (host), type 1 (error), level 0, system 8 (graph engine), module 10 (generator), code "
        self.assertIn("Fields: " + fields + "2\n", answer("explain", "1343266818")[1])
        code, out, err = answer("explain", "0x5010AFFF")
        self.assertEqual((code, out), (2, ""))
        self.assertIn(fields + "4095\n", err)

    def test_reads_a_status_printed_as_signed(self):
        self.assertIn("ge::FAILED  4294967295", answer("explain", "-1")[1])

    def test_explains_the_code_in_front_of_a_text(self):
        code, out, _ = answer("explain", "ee1002")
        self.assertEqual(code, 0)
        self.assertTrue(out.startswith("EE1002\n  A runtime call or task took longer than allowed.\n"), out)
        self.assertIn("    507046  ACL_ERROR_RT_STREAM_SYNC_TIMEOUT\n", out)

    def test_explains_the_codes_of_the_graph_engine(self):
        for code in ("E10060", "E19999", "W11001"):
            status, out, _ = answer("explain", code)
            self.assertEqual(status, 0, code)
            self.assertTrue(out.startswith(code + "\n  "), out)

    def test_suggests_near_ones(self):
        code, out, err = answer("explain", "RT_CONTEXT_NUL")
        self.assertEqual((code, out), (2, ""))
        self.assertEqual(err.splitlines()[:3], ["RT_CONTEXT_NUL is not a known error name.", "  Did you mean:",
                                                "    107002  ACL_ERROR_RT_CONTEXT_NULL"])
        code, _, err = answer("explain", "17002")
        self.assertEqual(code, 2)
        self.assertIn("    107002  ACL_ERROR_RT_CONTEXT_NULL\n", err)

    def test_prints_known_ones_beside_unknown_ones(self):
        code, out, err = answer("explain", "107002", "424242")
        self.assertEqual((code, out), (2, self.NUMBER))
        self.assertIn("424242 is not a known error number.", err)

    def test_survives_odd_questions(self):
        for query in (b"", b" ", b"\xff\xfe", b"0x", b"-", b"--", b"9" * 40, b"-99999999999999999999", b"A" * 5000,
                      b"0x-5", b"%s%n"):
            for options in ([], ["--json"]):
                done = foothold("explain", query, *options)
                self.assertIn(done.returncode, (1, 2), query)

    def test_answers_in_json(self):
        code, out, err = answer("explain", "--json", "507053", "zz", "EE1002", "0x5010A002")
        self.assertEqual((code, err), (2, ""))
        known, unknown, text_code, status = json.loads(out)
        self.assertEqual(known["number"], 507053)
        self.assertEqual(known["aliases"], ["ACL_ERROR_RT_DEVICE_MEM_ERROR"])
        self.assertEqual(known["occurrence"], "hardware")
        self.assertTrue(known["meaning"] and known["causes"] and known["fixes"])
        self.assertEqual(unknown, {"query": "zz", "known": False, "suggestions": []})
        self.assertIn(507046, text_code["numbers"])
        self.assertEqual(status["fields"]["module"], {"value": 10, "name": "generator"})

    def test_lists_all(self):
        code, out, _ = answer("explain", "--all")
        self.assertEqual(code, 0)
        numbers = [int(line.split()[0]) for line in out.splitlines()]
        self.assertEqual(numbers, sorted(set(numbers)))
        self.assertGreater(len(numbers), 450)
        code, out, _ = answer("explain", "--all", "--json")
        self.assertEqual([entry["number"] for entry in json.loads(out)], numbers)


unittest.main(argv=sys.argv[:1])
