"""The formats of downloads: how each shows values, and which programs read it. A new format is an entry of FORMATS."""

from dataclasses import dataclass

import fastavro
import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet

from readback.form import Tabs, Text, Typed
from readback.reader import ArrowReader, DuckReader, literal


@dataclass(frozen=True)
class Format:
    """A format."""

    form: Typed
    readers: list


def _parquet(path, _):
    return pyarrow.parquet.ParquetFile(path).read()


def _json(path, schema):
    if path.stat().st_size == 0:
        return schema.empty_table()  # pyarrow refuses a file without a line
    options = pyarrow.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error")
    return pyarrow.json.read_json(path, parse_options=options)


def _avro(path, schema):
    with path.open("rb") as file:
        return pa.Table.from_pylist(list(fastavro.reader(file)), schema)


def _csv(**parse):
    def load(path, schema):
        return pyarrow.csv.read_csv(
            path,
            parse_options=pyarrow.csv.ParseOptions(**parse),
            convert_options=pyarrow.csv.ConvertOptions(
                column_types=dict(zip(schema.names, schema.types)),
                null_values=[""],
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )

    return load


def _types(columns):
    return "{" + ", ".join(f"{literal(column.name)}: {literal(column.kind.duckdb)}" for column in columns) + "}"


def _csv_relation(**options):
    given = ", ".join(f"{name}={literal(value)}" for name, value in options.items())

    def relation(pattern, columns):
        return f"read_csv({pattern}, header=true, nullstr='', allow_quoted_nulls=false, {given}, types={_types(columns)})"

    return relation


FORMATS = {
    "parquet": Format(Typed(), [ArrowReader(_parquet), DuckReader(lambda pattern, _: f"read_parquet({pattern})")]),
    "avro": Format(Typed(), [ArrowReader(_avro)]),  # DuckDB fetches what reads Avro from the network
    "csv": Format(
        Text(),
        [
            ArrowReader(_csv(newlines_in_values=True)),
            DuckReader(_csv_relation(delim=",", quote='"', escape='"')),
        ],
    ),
    "tsv": Format(
        Tabs(),
        [
            ArrowReader(_csv(delimiter="\t", quote_char=False)),
            DuckReader(_csv_relation(delim="\t", quote="", escape="")),
        ],
    ),
    "jsonl": Format(
        Text(),
        [
            ArrowReader(_json),
            DuckReader(lambda pattern, columns: f"read_json({pattern}, format='newline_delimited', columns={_types(columns)})"),
        ],
    ),
}
