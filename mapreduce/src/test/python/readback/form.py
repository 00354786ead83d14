"""How file formats show values: as they are, or as text."""

import re
from dataclasses import replace

from readback.kind import BYTES, STRING

_PRINTED = re.compile(rb"[^ -\[\]-~]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def printed(raw):
    """Bytes as HBase prints them."""
    return _PRINTED.sub(lambda byte: b"\\x%02X" % byte[0][0], raw).decode()


def cleaned(text):
    """Text of a table of tabs, where control characters and line separators are spaces."""
    return _CONTROL.sub(" ", text)


class Typed:
    """A format with types: values are what they are."""

    def column(self, column):
        return column

    def value(self, kind, raw):
        return self._exact(kind, kind.value(raw))

    @staticmethod
    def _exact(kind, value):
        return None if value is None else kind.exact(value)


class Text(Typed):
    """A format of text: bytes are printed, everything else can be parsed as its type."""

    _bytes = replace(STRING, value=printed)

    def column(self, column):
        return replace(column, kind=self._bytes) if column.kind is BYTES else column


class Tabs(Text):
    """Text without quotes: no control character, and the empty text is null."""

    def value(self, kind, raw):
        value = super().value(kind, raw)
        return cleaned(value) or None if isinstance(value, str) and kind.arrow == STRING.arrow else value
