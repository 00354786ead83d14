"""Downloads that must fail: with which exit code, and with which single sentence."""

import re
from dataclasses import dataclass

from readback.command import download
from readback.server import BEFORE, FLIGHTS

FAILED = 1


@dataclass
class Refusal:
    """A download that must fail. `sentence` is a pattern; `to` is where it goes below a directory of its own."""

    why: str
    table: str
    sentence: str
    options: list[str]
    to: str = "new"

    def __str__(self):
        return f"refusal of {self.why}"

    def run(self, directory):
        """Sentences about what is wrong."""
        directory.mkdir()
        (directory / "file").touch()
        (directory / "full").mkdir()
        (directory / "full" / "mine").touch()
        to = directory / self.to
        outcome = download(self.table, to, "csv", *self.options)
        wrong = [] if outcome.code == FAILED else [f"exit code {outcome.code}, not {FAILED}: {outcome.errors}"]
        return [*wrong, *self._said(outcome.errors), *self._left(directory, to)]

    def _said(self, errors):
        if not errors or not re.search(self.sentence, errors[0]):
            yield f"nothing like {self.sentence!r} is said, but {errors}"
        elif len(errors) > 1 or not errors[0].startswith("grampus: "):
            yield f"not one sentence is said, but {errors}"

    @staticmethod
    def _left(directory, to):
        if not (directory / "full" / "mine").exists():
            yield "a file that was there is gone"
        yield from (f"{file.name} is there" for file in (to.iterdir() if to.is_dir() else []) if file.name != "mine" and file.name != "_download")


def refusals():
    """Those that need a server or a file system; the tests of the command have more."""
    number, text = "--columns=:key=k:bytes,f:n=n:long(text)", "--columns=f:q=q:string"
    return [
        Refusal("a table that is not there", "nothing", r"\bnothing\b", [text]),
        Refusal("a snapshot that is not there", FLIGHTS, r"\bnone\b", [text, "--snapshot=none"]),
        Refusal("a snapshot of another table", "one", rf"snapshot {BEFORE} is of {FLIGHTS}, not one", [text, f"--snapshot={BEFORE}"]),
        Refusal("a directory that is not empty", "one", r"full is not empty: mine is there", [text], to="full"),
        Refusal("a directory below a file", "one", r"\bfile\b", [text], to="file/below"),
        Refusal("a value that is not of its type", "bad", r"row r2\\xFF, column f:n: NA is no long", [number]),
        Refusal("a row key that is not of its type", "bad", r"row r2\\xFF, the row key: ", ["--columns=:key=k:string,f:n"]),
        Refusal("all cells as a table of text", "one", r"\bcells\b", ["--columns=*"]),
    ]
