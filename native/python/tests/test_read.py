"""The package against a launcher that writes what a test says: what is asked of it, and what becomes of each way in which it may end."""

import gc
import json
import os
import signal
import stat
import sys
import tempfile
import threading
import unittest
import unittest.mock
from pathlib import Path

import pyarrow as pa

import grampus

_LAUNCHER = """#!{python}
import json, os, sys, time
here = os.path.dirname(os.path.abspath(__file__))
with open(here + "/arguments", "w") as out:
    json.dump(sys.argv[1:], out)
with open(here + "/environment", "w") as out:
    json.dump(dict(os.environ), out)
with open(here + "/pid", "w") as out:
    out.write(str(os.getpid()))
with open(here + "/plan") as plan:
    plan = json.load(plan)
with open(here + "/stream", "rb") as stream:
    sys.stdout.buffer.write(stream.read())
sys.stdout.buffer.flush()
sys.stderr.write(plan["says"])
sys.stderr.flush()
time.sleep(plan["seconds"])
sys.exit(plan["code"])
"""


def _stream(batches):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batches[0].schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    return sink.getvalue().to_pybytes()


BATCHES = [pa.record_batch({"id": ["a", "b"], "n": [1, None]}), pa.record_batch({"id": ["c"], "n": [3]})]
STREAM = _stream(BATCHES)
END = 8  # bytes of the mark at its end


def _interrupt(signum, frame):
    raise KeyboardInterrupt


def _interrupt_read(thread, over):
    """Interrupts a thread as soon as it reads the output of its command, unless it is over before."""
    while not over.wait(0.01):
        code = sys._current_frames()[thread].f_code
        if (code.co_name, Path(code.co_filename).name) == ("read", "_stream.py"):
            signal.pthread_kill(thread, signal.SIGUSR1)
            return


class ReadTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.bin = Path(directory.name) / "bin"
        self.bin.mkdir()
        launcher = self.bin / "grampus"
        launcher.write_text(_LAUNCHER.format(python=sys.executable))
        launcher.chmod(launcher.stat().st_mode | stat.S_IXUSR)

    def read(self, *arguments, stream=STREAM, says="", code=0, seconds=0, **options):
        (self.bin / "stream").write_bytes(stream)
        (self.bin / "plan").write_text(json.dumps({"says": says, "code": code, "seconds": seconds}))
        return grampus.read(*(arguments or ["t"]), **{"home": self.bin.parent, **options})

    def asked(self):
        return json.loads((self.bin / "arguments").read_text())

    def test_the_rows_are_those_of_the_stream(self):
        reader = self.read()
        self.assertEqual(reader.schema, BATCHES[0].schema)
        self.assertEqual(reader.read_all(), pa.Table.from_batches(BATCHES))
        self.assertEqual(self.asked(), ["stream", "--", "t"])

    def test_everything_that_is_asked_for_reaches_the_command(self):
        self.read(
            "ns:t",
            [":key=id:string", "f:a=a:int"],
            snapshot="s",
            rows=(b"a,\\\xff", "ä"),
            filter="PrefixFilter('a')",
            time_range=(1, 5),
            conf={"hbase.rootdir": "/data"},
        )
        self.assertEqual(
            self.asked(),
            ["stream", "--columns=:key=id:string,f:a=a:int", "--snapshot=s", "--filter=PrefixFilter('a')"]
            + ["--rows=a\\x2C\\x5C\\xFF,\\xC3\\xA4", "--time-range=1,5", "-D", "hbase.rootdir=/data", "--", "ns:t"],
        )
        self.read("t", "f:a", server=True, rows=(None, ""))
        self.assertEqual(self.asked(), ["stream", "--columns=f:a", "--server", "--rows=,", "--", "t"])

    def test_arguments_are_utf_8_and_the_classes_those_of_home(self):
        with unittest.mock.patch.dict(os.environ, {"LC_ALL": "C", "GRAMPUS_HOME": "/opt/other"}):
            self.read("t", "f:ä")
        self.assertEqual(self.asked(), ["stream", "--columns=f:ä", "--", "t"])
        environment = json.loads((self.bin / "environment").read_text())
        self.assertNotIn("LC_ALL", environment)
        self.assertEqual(environment["LC_CTYPE"], "C.UTF-8")
        self.assertEqual(environment["GRAMPUS_HOME"], str(self.bin.parent))

    def test_what_is_no_row_key_is_refused(self):
        for rows in ((1, 5), "AB", b"AB", ("a",), ("a", "b", "c"), (10**12, None), {"a", "b"}):
            with self.subTest(rows), self.assertRaises(TypeError):
                self.read("t", rows=rows)

    def test_an_empty_home_is_none(self):
        with unittest.mock.patch.dict(os.environ, {"GRAMPUS_HOME": str(self.bin.parent)}):
            self.read(home="")
        environment = json.loads((self.bin / "environment").read_text())
        self.assertEqual(environment["GRAMPUS_HOME"], str(self.bin.parent))

    def test_a_command_that_cannot_be_started_is_an_error(self):
        with self.assertRaisesRegex(grampus.GrampusError, "cannot be started: .*too long"):
            self.read("t", "f:" + "q" * 4_000_000)

    def test_a_command_that_fails_at_once_says_why(self):
        with self.assertRaisesRegex(grampus.GrampusError, r"^no table t$"):
            self.read(stream=b"", says="a warning\ngrampus: no table t\n", code=1)
        with self.assertRaisesRegex(grampus.GrampusError, "ended with 3 and said nothing"):
            self.read(stream=b"", code=3)
        with self.assertRaisesRegex(grampus.GrampusError, r"^--server needs --columns$"):
            self.read(stream=b"", says="grampus: --server needs --columns\n", code=2)

    def test_a_part_of_the_rows_is_never_taken_for_all_of_them(self):
        # Cut behind a batch, in the midst of one, and after the last one.
        behind_first = len(_stream(BATCHES[:1])) - END
        for length in (behind_first, behind_first + 40, len(STREAM) - END, len(STREAM)):
            with self.subTest(length):
                reader = self.read(stream=STREAM[:length], says="grampus: a page is damaged\n", code=1)
                self.assertEqual(reader.read_next_batch(), BATCHES[0])
                with self.assertRaisesRegex(grampus.GrampusError, "a page is damaged"):
                    reader.read_all()
                with self.assertRaisesRegex(grampus.GrampusError, "a page is damaged"):
                    reader.read_all()  # the rows have not come to their end meanwhile

    def test_a_stream_without_its_end_is_not_complete_whatever_the_exit_code(self):
        reader = self.read(stream=STREAM[:-END])
        with self.assertRaisesRegex(grampus.GrampusError, "ends before its end"):
            reader.read_all()

    def test_a_value_with_the_bytes_of_the_mark_is_no_end(self):
        batch = pa.record_batch({"n": pa.array([0xFFFFFFFF], pa.int64())})
        cut = _stream([batch])[:-END]
        self.assertEqual(cut[-END:], STREAM[-END:])
        with self.assertRaisesRegex(grampus.GrampusError, "ends before its end"):
            self.read(stream=cut).read_all()
        self.assertEqual(self.read(stream=_stream([batch])).read_all(), pa.Table.from_batches([batch]))

    def test_what_follows_the_end_is_an_error(self):
        for more in (b"x", b"x" * 1_000_000):
            with self.subTest(len(more)):
                reader = self.read(stream=STREAM + more, seconds=600 if len(more) > 1 else 0)
                with self.assertRaisesRegex(grampus.GrampusError, "behind the end"):
                    reader.read_all()

    def test_a_reader_that_was_interrupted_has_no_more_rows(self):
        behind_first = len(_stream(BATCHES[:1])) - END
        reader = self.read(stream=STREAM[:behind_first], seconds=600)
        reader.read_next_batch()
        pid = self.pid()
        before = signal.signal(signal.SIGUSR1, _interrupt)
        self.addCleanup(signal.signal, signal.SIGUSR1, before)
        over = threading.Event()
        interruption = threading.Thread(target=_interrupt_read, args=[threading.main_thread().ident, over])
        interruption.start()
        try:
            with self.assertRaises(KeyboardInterrupt):
                reader.read_next_batch()
        finally:
            over.set()
            interruption.join()
        self.assertRaises(ProcessLookupError, os.kill, pid, 0)
        with self.assertRaisesRegex(grampus.GrampusError, "interrupted"):
            reader.read_next_batch()

    def test_a_killed_command_is_an_error(self):
        reader = self.read(seconds=600)
        for batch in BATCHES:
            self.assertEqual(reader.read_next_batch(), batch)
        os.kill(self.pid(), signal.SIGKILL)
        for _ in range(2):
            with self.assertRaisesRegex(grampus.GrampusError, "ended by SIGKILL"):
                reader.read_next_batch()

    def test_the_command_ends_with_the_reader(self):
        for taken in (0, 1):
            with self.subTest(taken):
                reader = self.read(seconds=600)
                for _ in range(taken):
                    reader.read_next_batch()
                pid = self.pid()
                os.kill(pid, 0)
                del reader
                gc.collect()
                self.assertRaises(ProcessLookupError, os.kill, pid, 0)

    def pid(self):
        return int((self.bin / "pid").read_text())

    def test_an_error_of_other_data_is_no_sentence_of_the_command(self):
        with self.assertRaises(pa.ArrowInvalid):
            self.read(stream=b"this is no stream of batches")
        with self.assertRaisesRegex(OSError, "flatbuffers"):
            # A message of 8 bytes that is none, and more than a pipe holds behind it.
            self.read(stream=b"\xff\xff\xff\xff\x08\0\0\0" + b"garbage!" * 100_000, seconds=600)

    def test_where_nothing_is_installed_the_error_says_what_to_do(self):
        with self.assertRaisesRegex(grampus.GrampusError, "no command; pass home="):
            grampus.read("t", home=self.bin)


if __name__ == "__main__":
    unittest.main()
