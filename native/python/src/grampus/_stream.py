"""The process that reads, and the batches that come from it."""

import subprocess
import tempfile
import weakref

import pyarrow as pa

# What a process may take to remove the snapshot that it has taken.
_STOP_SECONDS = 60
_PREFIX = "grampus: "


class GrampusError(Exception):
    """Rows could not be read; the text says why."""


class Batches:
    """An iterator over the batches of a command's output. The command ends with it.

    An end of the output is no end of the rows: only the exit code says that they are complete.
    """

    def __init__(self, command):
        self._process = _Process(command)
        self._stop = weakref.finalize(self, self._process.stop)
        try:
            self._batches = pa.ipc.open_stream(self._process.output)
        except (pa.ArrowException, OSError):
            self._fail()
        self.schema = self._batches.schema

    def __iter__(self):
        return self

    def __next__(self):
        if not self._stop.alive:
            raise StopIteration
        try:
            return self._batches.read_next_batch()
        except StopIteration:
            self._process.require_success()
            self._stop()
            raise
        except (pa.ArrowException, OSError):
            self._fail()

    def _fail(self):
        """Raises what the command has said where its output has ended too early; else what is being handled."""
        try:
            if not self._process.output.read(1):  # one that still writes would be waited for without an end
                self._process.require_success()
            raise
        finally:
            self._stop()


class _Process:
    """A command with its output as a pipe, and what it says on standard error in a file: a full pipe would stop it."""

    def __init__(self, command):
        self._errors = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._errors
            )
        except BaseException:
            self._errors.close()
            raise
        self.output = self._process.stdout

    def require_success(self):
        """Waits for the end, and raises if it was none that is complete."""
        code = self._process.wait()
        if code != 0:
            raise GrampusError(self._sentence(code))

    def _sentence(self, code):
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").splitlines()
        said = [line.removeprefix(_PREFIX) for line in lines if line.startswith(_PREFIX)] or lines
        return said[-1] if said else f"the command that reads the rows has ended with {code} and said nothing"

    def stop(self):
        """Ends it if it runs, and lets go of it."""
        self.output.close()
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._errors.close()
