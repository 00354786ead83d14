"""A column of a table, and what it is called and means in a download."""

from dataclasses import dataclass

from readback.kind import BYTES, TIMESTAMP, Kind

KEY = b":key"
_STAMP = b"+ts"


@dataclass(frozen=True)
class Column:
    """A column; `source` is `family:qualifier`, or what stands for the row key or for a cell's timestamp."""

    source: bytes
    name: str
    kind: Kind
    stamped: bool = False

    @property
    def is_key(self):
        return self.source == KEY

    def stamps(self):
        """The column of its timestamps, which comes behind it and which no part of a mapping names."""
        return Column(self.source + _STAMP, self.name + "_ts", TIMESTAMP)

    def part(self):
        """Its part of a mapping."""
        source = ":key" if self.is_key else escaped(self.source)
        return f"{source}={self.name}:{self.kind.name}{'+ts' if self.stamped else ''}"


def key(name="rowkey", kind=BYTES):
    return Column(KEY, name, kind)


def with_stamps(columns):
    """All columns of a download for those of a mapping."""
    return [each for column in columns for each in ([column, column.stamps()] if column.stamped else [column])]


def mapping(columns):
    """The text of `--columns`."""
    return ",".join(column.part() for column in columns)


def escaped(source):
    """A source as a mapping has it: what could mean something is `\\xNN`."""
    family, _, qualifier = source.partition(b":")
    return ":".join("".join(map(_escaped_byte, name)) for name in (family, qualifier))


def _escaped_byte(byte):
    return chr(byte) if 0x20 < byte < 0x7F and chr(byte) not in ",=\\:*$" else f"\\x{byte:02X}"


def found(sources):
    """The columns of a download that names none: all that there are, as bytes."""
    ordered = sorted(sources, key=escaped)
    return [key()] + [Column(source, _name(source), BYTES) for source in ordered]


def found_mapping(columns):
    """What a manifest says of them; of a table without cells there is the row key alone."""
    return ",".join(escaped(column.source) for column in columns if not column.is_key) or ":key"


def _name(source):
    family, _, qualifier = source.decode().partition(":")
    return "_".join("".join(map(_named, part)) for part in (family, qualifier) if part)


def _named(character):
    plain = character.isprintable() and not character.isspace() and character not in ",:="
    return character if plain else "".join(f"\\x{byte:02X}" for byte in character.encode())
