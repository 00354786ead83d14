//! Byte strings as HBase prints them.

/// `Bytes.toStringBinary`: printable ASCII but the backslash as it is, everything else as `\xNN`.
pub(super) fn text(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(bytes.len());
    for byte in bytes {
        match byte {
            b'\\' => text.push_str("\\x5C"),
            b' '..=b'~' => text.push(char::from(*byte)),
            _ => {
                let _ = write!(text, "\\x{byte:02X}"); // writing to a String cannot fail
            }
        }
    }
    text
}
