"""Runs commands as a user types them."""

import os
import subprocess
from dataclasses import dataclass

from readback.server import GRAMPUS

# A short run is mostly the start of a virtual machine.
JVM = "-Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
_SECONDS_MAX = 600


@dataclass
class Outcome:
    """How a command ended and what it said."""

    code: int
    out: str
    errors: list[str]


def download(table, directory, name, *options):
    """Downloads a table in a format."""
    return _run("download", table, "--to", str(directory), f"--format={name}", *options)


def import_again(directory, table, *options):
    """Imports a download, whose manifest says all that the command needs to know."""
    return _run("import", str(directory), "--table", table, *options)


def _run(*arguments):
    environment = os.environ | {"GRAMPUS_CLIENT_OPTS": JVM}
    command = [GRAMPUS, *arguments, "--quiet"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_SECONDS_MAX, stdin=subprocess.DEVNULL)
    return Outcome(done.returncode, done.stdout, done.stderr.splitlines())
