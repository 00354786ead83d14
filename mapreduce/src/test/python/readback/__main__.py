"""Makes the tables, downloads them, reads the files back. Exit code 0: everything is as it should be; 1: what is not is listed."""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from readback import again, cases, documented, flights, small_tables, stream
from readback.differences import shown
from readback.refusal import refusals
from readback.server import BEFORE, make_tables
from readback.source import Source


def _arguments():
    parser = argparse.ArgumentParser(prog="readback", description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="an empty directory")
    parser.add_argument("--session", required=True, help="the commands of HBase's shell that make the tables")
    parser.add_argument("--root", type=Path, required=True, help="hbase.rootdir of the server")
    parser.add_argument("--csv", type=Path, help="imports this file, plain or .gz, with columns as the flights have them")
    parser.add_argument("--servers", action="store_true", help="reads through servers alone, which may be those of a stock HBase")
    return parser.parse_args()


def _run(lane):
    """Runs one after the other, since a table has one snapshot taken at a time."""
    return [_report(str(case), case.run(directory)) for case, directory in lane]


def _report(case, wrong):
    """Says it at once, so that a run that is killed has said how far it came; whether it is as it should be."""
    print("\n  ".join([f"{'FAILED' if wrong else 'ok'} {case}", *shown(wrong)]), flush=True)
    return not wrong


def _all(lanes):
    """Lanes run side by side."""
    with ThreadPoolExecutor(len(lanes)) as pool:
        return [result for results in pool.map(_run, lanes) for result in results]


def _with_directories(work, name, lane):
    return [(case, work / f"{name}-{number:02d}") for number, case in enumerate(lane)]


def _check_snapshots(root):
    """Of all snapshots only the one that was asked for by name may be left."""
    left = {file.name for file in (root / ".hbase-snapshot").iterdir() if not file.name.startswith(".")} - {BEFORE}
    return _report("snapshots", [f"{name} is left over" for name in sorted(left)])


def _beside_each_other(arguments, source, csv):
    """Everything, in two lanes; and what it is."""
    streams = stream.of_flights(source)
    examples = documented.examples(source.after, csv, arguments.root)
    small = [*cases.of_small_tables(), *refusals()]
    lanes = [
        _with_directories(arguments.work, "flights", [*cases.of_flights(source), *streams]),
        _with_directories(arguments.work, "small", [*small, *examples]),
    ]
    downloads = sum(len(lane) for lane in lanes) - len(refusals()) - len(streams) - len(examples)
    imports = [again.of_lane(lane, arguments.work) for lane in lanes]
    said = (
        f"{downloads} downloads of {len(source.after):,} rows and of small tables by pyarrow and DuckDB, "
        f"{sum(map(len, imports))} of them imported again, {len(streams)} streams, {len(refusals())} refusals, {len(examples)} examples"
    )
    return [lane + back for lane, back in zip(lanes, imports)], said


def _through_servers(arguments, source):
    """What needs no files of the servers; and what it is."""
    downloads, streams = list(cases.through_servers(source)), stream.through_servers(source)
    lane = _with_directories(arguments.work, "servers", [*downloads, *streams])
    return [lane], f"{len(downloads)} downloads of {len(source.after):,} rows and {len(streams)} streams through servers"


def main():
    arguments = _arguments()
    csv = arguments.csv
    if csv is None:
        csv = arguments.work / "flights.csv"
        flights.write(csv)
    source = Source(csv, flights.KEY)
    make_tables(arguments.session, arguments.work, source, flights.KEY, small_tables.ALL)
    lanes, said = _through_servers(arguments, source) if arguments.servers else _beside_each_other(arguments, source, csv)
    right = [*_all(lanes), _check_snapshots(arguments.root)]
    print(f"checked: {said}")
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
