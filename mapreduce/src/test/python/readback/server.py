"""What is asked of the server beside downloads: tables that hold what the source says."""

import json
import os
import subprocess

from readback.small_tables import STAMP

FLIGHTS, BEFORE = "flights", "before"
REGIONS = 4

GRAMPUS = os.path.join(os.environ.get("GRAMPUS_HOME", "."), "bin", "grampus")


def make_tables(session, directory, source, key_columns, small_tables):
    """Makes all tables by one session of HBase's shell, which reads what to do from a file."""
    halves = [directory / "first.csv", directory / "second.csv"]
    source.write(halves[0], source.first)
    source.write(halves[1], source.second)
    todo = {
        "table": FLIGHTS,
        "splits": [row.hex() for row in source.splits(REGIONS)],
        "imports": [[GRAMPUS, "import", str(half), FLIGHTS, f"--key={key_columns}", "--quiet"] for half in halves],
        "snapshot": BEFORE,
        "deleted": [row.hex() for row in source.deleted],
        "timestamp": STAMP,
        "tables": {table.name: [[part.hex() for part in cell] for cell in table.cells] for table in small_tables},
    }
    (directory / "todo.json").write_text(json.dumps(todo))
    environment = os.environ | {"GRAMPUS_TODO": str(directory / "todo.json")}
    with (directory / "session.log").open("w") as log:
        subprocess.run([GRAMPUS, "shell", "-n", session], env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL, check=True)
