"""Whether a download is what it says, as each reader of its format sees it."""

from readback.differences import differences
from readback.directory import Directory
from readback.formats import FORMATS


def check(path, name, rows, columns, says):
    """What is wrong with the download in a directory: a sentence for each difference."""
    directory, wrong = _directory(path, {"format": name, "rows": len(rows)} | says)
    if wrong:
        return wrong  # readers may not even find the files
    return [sentence for reader in FORMATS[name].readers for sentence in _read(reader, FORMATS[name].form, directory, rows, columns)]


def _directory(path, says):
    try:
        directory = Directory(path)
        return directory, list(directory.wrong(says))
    except (OSError, ValueError, KeyError) as e:
        return None, [f"the manifest cannot be read: {e!r}"]


def _read(reader, form, directory, rows, columns):
    wanted = rows.table(columns, form, reader.type_of)
    try:
        found = reader.read(directory.parts(), [form.column(column) for column in columns])
    except Exception as e:  # whatever a reader throws, it cannot read the file, and the others are still to be asked
        return [f"{reader.name} cannot read it: {e}"]
    return [f"{reader.name}: {sentence}" for sentence in [*_part_rows(directory, found), *differences(wanted, found)]]


def _part_rows(directory, found):
    for part, rows in zip(directory.manifest["files"], found.part_rows or []):
        if part["rows"] != rows:
            yield f"{part['name']} has {rows} rows, not {part['rows']}"
