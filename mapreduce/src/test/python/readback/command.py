"""Runs the download command as a user types it."""

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
    command = [GRAMPUS, "download", table, "--to", str(directory), f"--format={name}", "--quiet", *options]
    environment = os.environ | {"GRAMPUS_CLIENT_OPTS": JVM}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_SECONDS_MAX, stdin=subprocess.DEVNULL)
    return Outcome(done.returncode, done.stdout, done.stderr.splitlines())
