//! Bytes as text, for messages and for JSON.

use std::fmt::Write as _;

use crate::{Error, ErrorKind, Result};

/// Bytes as HBase prints them: printable ASCII as it is, the rest as `\xNN`.
pub fn printable(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len()), |mut text, byte| {
        match byte {
            b' '..=b'~' if *byte != b'\\' => text.push(*byte as char),
            _ => {
                let _ = write!(text, "\\x{byte:02X}"); // writing to a String cannot fail
            }
        }
        text
    })
}

/// Bytes of a hexadecimal text; `what` names the text in the error.
pub fn from_hex(text: &str, what: &str) -> Result<Vec<u8>> {
    hex::decode(text).map_err(|_| Error::new(ErrorKind::BadRequest, format!("{what} is not hexadecimal")))
}

/// Namespace and qualifier of a table's name; without a namespace it is in `default`.
pub fn table_parts(name: &str) -> (&str, &str) {
    name.split_once(':').unwrap_or(("default", name))
}

/// Lower-case hexadecimal digits of bytes.
pub fn to_hex(bytes: &[u8]) -> String {
    hex::encode(bytes)
}
