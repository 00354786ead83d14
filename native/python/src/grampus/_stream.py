"""The process that reads, and the batches that come from it."""

import os
import signal
import subprocess
import tempfile
import weakref

import pyarrow as pa

# What a process may take to remove the snapshot that it has taken.
_STOP_SECONDS = 60
_PREFIX = "grampus: "
# The end of what a command has said that is looked at, in bytes.
_SAID_BYTES = 64 << 10
# How Arrow's streaming format ends. Arrow's readers take a stream without it for a complete one.
_END = b"\xff\xff\xff\xff\0\0\0\0"


class GrampusError(Exception):
    """Rows could not be read; the text says why."""


class Batches:
    """An iterator over the batches of a command's output. The command ends with it.

    It comes to its end when the stream has the mark of its end, nothing behind it, and the command has succeeded. After an error, an
    interruption too, it has no more batches: the same error is raised again.
    """

    def __init__(self, command, environment):
        self._last = None
        self._process = _Process(command, environment)
        self._stop = weakref.finalize(self, self._process.stop)
        try:
            self._batches = self._take(lambda: pa.ipc.open_stream(self._process.output))
        except BaseException:
            self._stop()
            raise
        self.schema = self._batches.schema

    def __iter__(self):
        return self

    def __next__(self):
        if self._last is not None:
            raise self._last
        try:
            return self._take(self._batches.read_next_batch)
        except BaseException as last:
            self._last = last if isinstance(last, Exception) else GrampusError("the reader was interrupted; read again")
            self._stop()
            raise

    def _take(self, step):
        """What a step over the stream gives; where there is no more, what the command says of it comes first."""
        try:
            return step()
        except StopIteration:
            self._process.require_complete()
            raise
        except (pa.ArrowException, OSError):
            if self._process.output.is_over:  # one that still writes would be waited for without an end
                self._process.require_success()
            raise


class _Output:
    """A file that is read by Arrow, which remembers how it ended."""

    def __init__(self, file):
        self._file = file
        self._tail = b""
        self.is_over = False

    def read(self, size):
        data = self._file.read(size)
        self.is_over = self.is_over or len(data) < size
        self._tail = data[-len(_END) :] if len(data) >= len(_END) else (self._tail + data)[-len(_END) :]
        return data

    @property
    def has_end(self):
        """Whether the mark was read: a value may have its bytes, but behind that one Arrow has looked for more."""
        return self._tail == _END and not self.is_over

    @property
    def closed(self):
        return self._file.closed

    def readable(self):
        return True

    def close(self):
        self._file.close()


class _Process:
    """A command with its output as a pipe, and what it says on standard error in a file: a full pipe would stop it."""

    def __init__(self, command, environment):
        self._errors = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._errors
            )
        except BaseException as e:
            self._errors.close()
            if isinstance(e, OSError):
                raise GrampusError(f"{os.fsdecode(command[0])} cannot be started: {e}") from e
            raise
        self.output = _Output(self._process.stdout)

    def require_complete(self):
        """Raises if the output has ended before its end, or goes on behind it. A failed command says why."""
        has_end = self.output.has_end
        if has_end and self.output.read(1):
            raise GrampusError("there are bytes behind the end of the stream of batches")
        self.require_success()
        if not has_end:  # the exit code alone may be another's: a program that reaps all its children hides it
            raise GrampusError("the stream of batches ends before its end")

    def require_success(self):
        """Waits for the end, and raises if it was none that is complete."""
        code = self._process.wait()
        if code != 0:
            raise GrampusError(self._sentence(code))

    def _sentence(self, code):
        if code < 0:
            return f"the command that reads the rows was ended by {_signal(-code)}"
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - _SAID_BYTES))
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


def _signal(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
