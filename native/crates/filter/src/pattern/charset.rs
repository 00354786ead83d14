//! The charsets whose characters the engine sees in bytes.

/// A charset of patterns that are translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Charset {
    /// A byte is the character of its number.
    Latin1,
    /// A byte is the character of its number; from 0x80 on it is U+FFFD.
    Ascii,
    /// UTF-8. How many U+FFFD stand for bytes that are none is the JVM's decision.
    Utf8,
}

impl Charset {
    /// The charset of a canonical name.
    pub(super) fn of(name: &str) -> Option<Charset> {
        match name {
            "ISO-8859-1" => Some(Charset::Latin1),
            "US-ASCII" => Some(Charset::Ascii),
            "UTF-8" => Some(Charset::Utf8),
            _ => None,
        }
    }

    /// The bytes in front of the line terminator at their end, if there is one; `\r\n` is one.
    pub(super) fn without_line_end(self, bytes: &[u8], unix_lines: bool) -> Option<&[u8]> {
        if unix_lines {
            return bytes.strip_suffix(b"\n");
        }
        let other: &[&[u8]] = match self {
            Charset::Latin1 => &[b"\x85"],
            Charset::Ascii => &[],
            Charset::Utf8 => &[b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xa9"],
        };
        [&b"\r\n"[..], b"\n", b"\r"].iter().chain(other).find_map(|end| bytes.strip_suffix(*end))
    }
}
