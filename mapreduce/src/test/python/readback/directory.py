"""The directory of a download: what its manifest says, and whether that is there."""

import json

import google_crc32c

MANIFEST, SUCCESS = "_manifest.json", "_SUCCESS"


class Directory:
    """A complete download."""

    def __init__(self, path):
        self.path = path
        self.manifest = json.loads((path / MANIFEST).read_text())

    def parts(self):
        """The files, in the order of rows."""
        return [self.path / part["name"] for part in self.manifest["files"]]

    def wrong(self, says):
        """What is not as the manifest says, or not as it should say: `says` are keys and values that it must have."""
        yield from (
            f"the manifest has {name} = {self.manifest.get(name)!r}, not {value!r}"
            for name, value in says.items()
            if self.manifest.get(name) != value
        )
        yield from self._files()
        for number, part in enumerate(self.manifest["files"]):
            yield from self._part(number, part)
        for name in ("rows", "bytes"):
            total = sum(part[name] for part in self.manifest["files"])
            if self.manifest[name] != total:
                yield f"the manifest has {self.manifest[name]} {name}, its files have {total}"

    def _files(self):
        expected = {MANIFEST, SUCCESS} | {part["name"] for part in self.manifest["files"]}
        present = {file.name for file in self.path.iterdir()}
        yield from (f"{name} is missing" for name in sorted(expected - present))
        yield from (f"{name} is left over" for name in sorted(present - expected))

    def _part(self, number, part):
        name, suffix = part["name"], self.manifest["format"]
        if name not in (f"part-{number:05d}.{suffix}", f"{self.manifest['table']}.{suffix}"):
            yield f"file {number} of the manifest is called {name}"
        if not (self.path / name).exists():
            return  # said already
        content = (self.path / name).read_bytes()
        if part["bytes"] != len(content):
            yield f"{name} has {len(content)} bytes, not {part['bytes']}"
        checksum = f"{google_crc32c.value(content):08x}"
        if part["crc32c"] != checksum:
            yield f"{name} has the CRC-32C {checksum}, not {part['crc32c']}"
