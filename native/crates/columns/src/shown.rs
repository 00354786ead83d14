//! Rows, columns and values as error messages show them.

use grampus_base::printable;

/// A value, or why there is none: the end of a sentence. The caller begins it, since it knows the row or the part of a text.
pub(crate) type OrWhy<T> = Result<T, String>;

/// Bytes of a row key or a value that a message shows.
const SHOWN_BYTES: usize = 64;

/// Bytes as HBase prints them, cut where they are long. The text has no control character.
pub(crate) fn shown(bytes: &[u8]) -> String {
    match bytes.get(..SHOWN_BYTES) {
        Some(first) if bytes.len() > SHOWN_BYTES => {
            format!("{}... ({} bytes)", printable(first), bytes.len())
        }
        _ => printable(bytes),
    }
}

/// `family:qualifier`.
pub(crate) fn shown_column(family: &[u8], qualifier: &[u8]) -> String {
    format!("{}:{}", shown(family), shown(qualifier))
}
