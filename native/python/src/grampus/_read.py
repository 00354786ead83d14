"""What a caller asks for, as the command `grampus stream` has it."""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from grampus._stream import Batches, GrampusError

_HOME = "GRAMPUS_HOME"


def read(
    table: str,
    columns: str | Sequence[str] | None = None,
    *,
    snapshot: str | None = None,
    server: bool = False,
    rows: tuple[bytes | str | None, bytes | str | None] | None = None,
    filter: str | None = None,
    time_range: tuple[int, int] | None = None,
    conf: Mapping[str, object] | None = None,
    home: str | os.PathLike | None = None,
) -> pa.RecordBatchReader:
    """Rows of a table, in the order of their keys.

    table: its name, with its namespace where it is not "default".
    columns: `family:qualifier[=name[:type]]`, and `:key[=name[:type]]` for the row key or `:nokey` to leave it out, as docs/downloads.md
        has them; a text with commas, or a sequence. Without one of these two the row key is the first column, `rowkey`.
        Without columns the row key and the columns that the files have, as bytes.
    snapshot: the name of one to read; without it one is taken, and removed at the end.
    server: reads the live table through its region servers, of Grampus or of a stock HBase; needs columns.
    rows: from the first key on and before the second; None or empty is open.
    filter: in the language of HBase's shell; columns that it looks at must be among `columns`.
    time_range: cells from the first timestamp on and before the second, in ms.
    conf: configuration keys, such as "hbase.rootdir"; the others come from hbase-site.xml in GRAMPUS_CONF_DIR.
    home: where Grampus is installed; without it GRAMPUS_HOME, or where the command `grampus` of PATH is.

    The rows are read by a process of their own, which ends with the reader: when it has come to its end, or nothing refers to it any more.
    Raises GrampusError with the reason when they cannot be read, here or while the reader is read. One thread reads at a time.
    """
    options = []
    for name, value in (("columns", _columns(columns)), ("snapshot", snapshot), ("filter", filter)):
        if value is not None:
            options.append(f"--{name}={value}")
    if server:
        options.append("--server")
    if rows is not None:
        options.append("--rows=" + _rows(rows))
    if time_range is not None:
        options.append("--time-range=" + ",".join(str(int(time)) for time in time_range))
    for name, value in (conf or {}).items():
        options += ["-D", f"{name}={value}"]
    command = [os.fsencode(_command(home)), *(text.encode() for text in ("stream", *options, "--", table))]
    batches = Batches(command, _environment(home))
    return pa.RecordBatchReader.from_batches(batches.schema, batches)


def _command(home):
    """The launcher."""
    home = home or os.environ.get(_HOME)
    command = Path(home) / "bin" / "grampus" if home else shutil.which("grampus")
    if command is None or not os.access(command, os.X_OK):
        where = f"{command} is no command" if command else f"neither is {_HOME} set nor grampus on PATH"
        raise GrampusError(f"{where}; pass home=DIRECTORY, where Grampus is installed")
    return str(command)


def _environment(home):
    """The caller's, but that arguments are UTF-8 to Java, whatever the caller's locale is, and that `home` holds for the classes too."""
    environment = {name: value for name, value in os.environ.items() if name != "LC_ALL"}
    environment["LC_CTYPE"] = "C.UTF-8"
    if home:
        environment[_HOME] = os.path.abspath(home)
    return environment


def _columns(columns):
    return columns if columns is None or isinstance(columns, str) else ",".join(columns)


def _rows(rows):
    """The first key and the one behind the last, as the command reads them."""
    if not isinstance(rows, (tuple, list)) or len(rows) != 2:  # a set has no first one
        raise TypeError(f"rows is a pair of row keys, from the first on and before the second, and not {rows!r}")
    return ",".join(map(_key, rows))


def _key(key):
    """A row key as the command reads it: a byte that could mean something is `\\xNN`. A number is no key: its bytes could be many."""
    if key is None:
        return ""
    raw = key.encode() if isinstance(key, str) else bytes(memoryview(key))
    return "".join(chr(byte) if 0x20 < byte < 0x7F and byte not in b",\\" else f"\\x{byte:02X}" for byte in raw)
