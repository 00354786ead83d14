"""A download that is imported again makes a table whose download has the same rows."""

from dataclasses import dataclass, replace
from pathlib import Path

from readback.case import Case
from readback.command import import_again


@dataclass
class Again:
    """The import of a download that was made before."""

    case: Case
    source: Path
    bulk: bool

    def __str__(self):
        return f"{self.case} imported again{', as column files' if self.bulk else ''}"

    def run(self, directory):
        """Sentences about what is wrong."""
        table = directory.name
        outcome = import_again(self.source, table, *(["--bulk", f"--staging={directory}-bulk"] if self.bulk else []))
        if outcome.code != 0:
            return [f"exit code {outcome.code}", *outcome.errors]
        wrong = [] if f"imported {len(self.case.rows):,} rows" in outcome.out else [f"it printed {outcome.out!r}"]
        if Path(f"{directory}-bulk").exists():
            wrong.append("the staging directory is left over")
        return wrong + replace(self.case, table=table, options=[], parts=None).run(directory)


def of_lane(lane, work):
    """Imports of some downloads of a lane, the first one of each format, behind all of them. The first one is imported by a bulk load, too."""
    chosen = {}
    for case, directory in lane:
        if isinstance(case, Case) and len(case.rows) > 1:
            chosen.setdefault((case.table, case.format), (case, directory))
    again = [(Again(case, directory, False), work / f"{directory.name}-again") for case, directory in chosen.values()]
    bulk = [(Again(case, directory, True), work / f"{directory.name}-bulk-again") for case, directory in list(chosen.values())[:1]]
    return again + bulk
