//! Numbers and truth values, of HBase's form and of text.

use std::str::{FromStr, from_utf8};

use crate::shown::{OrWhy, shown};
use crate::values::Read;

/// Doubles that are words.
const WORDS: [&[u8]; 4] = [b"NaN", b"Infinity", b"+Infinity", b"-Infinity"];

/// The bytes of a number that has a fixed length.
pub(super) fn fixed<const BYTES: usize>(value: &[u8], name: &str) -> OrWhy<[u8; BYTES]> {
    value.try_into().map_err(|_| format!("{} bytes are no {name}, which has {BYTES}", value.len()))
}

/// A number as text; empty is null.
pub(super) fn parsed<T: FromStr>(value: &[u8], name: &str) -> Read<T> {
    if value.is_empty() {
        return Ok(None);
    }
    let number = from_utf8(value).ok().and_then(|text| text.parse().ok());
    number.map(Some).ok_or_else(|| format!("{} is no {name}", shown(value)))
}

/// A double as text; empty is null. What is too large for one is no infinity, and only Java's words are numbers that JSON does not have.
pub(super) fn double_of_text(value: &[u8]) -> Read<f64> {
    match parsed::<f64>(value, "double")? {
        Some(number) if !number.is_finite() && !WORDS.contains(&value) => {
            Err(format!("{} is no double", shown(value)))
        }
        number => Ok(number),
    }
}

/// One byte, true unless it is 0.
pub(super) fn boolean(value: &[u8]) -> Read<bool> {
    fixed(value, "boolean").map(|[byte]: [u8; 1]| Some(byte != 0))
}

/// `true`, `false` in any case, `1` or `0`; empty is null.
pub(super) fn boolean_of_text(value: &[u8]) -> Read<bool> {
    match value {
        b"" => Ok(None),
        b"1" => Ok(Some(true)),
        b"0" => Ok(Some(false)),
        word if word.eq_ignore_ascii_case(b"true") => Ok(Some(true)),
        word if word.eq_ignore_ascii_case(b"false") => Ok(Some(false)),
        other => Err(format!("{} is no boolean", shown(other))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_another_length_is_refused() {
        assert_eq!(fixed(&[0, 0, 1, 0], "int").map(i32::from_be_bytes), Ok(256));
        assert_eq!(fixed::<4>(&[1; 5], "int").unwrap_err(), "5 bytes are no int, which has 4");
        assert_eq!(fixed::<8>(&[], "long").unwrap_err(), "0 bytes are no long, which has 8");
    }

    #[test]
    fn numbers_of_text() {
        assert_eq!(parsed(b"-12", "long"), Ok(Some(-12i64)));
        assert_eq!(parsed(b"9223372036854775807", "long"), Ok(Some(i64::MAX)));
        assert_eq!(parsed(b"1.5e3", "double"), Ok(Some(1500f64)));
        assert_eq!(parsed::<i64>(b"", "long"), Ok(None));
        assert_eq!(parsed::<i64>(b"1 ", "long").unwrap_err(), "1\u{20} is no long");
        assert!(parsed::<i64>(b"9223372036854775808", "long").is_err());
        assert!(parsed::<f64>(b"\xFF", "double").is_err());
    }

    #[test]
    fn doubles_of_text_are_not_made_infinite() {
        assert_eq!(double_of_text(b""), Ok(None));
        assert_eq!(double_of_text(b"-1.5e300"), Ok(Some(-1.5e300)));
        assert!(double_of_text(b"NaN").unwrap().unwrap().is_nan());
        for (text, number) in
            [("Infinity", f64::INFINITY), ("+Infinity", f64::INFINITY), ("-Infinity", f64::NEG_INFINITY)]
        {
            assert_eq!(double_of_text(text.as_bytes()), Ok(Some(number)));
        }
        for text in ["1e400", "-1e400", "inf", "-inf", "infinity", "INFINITY", "nan", "-NaN", "+NaN", "NAN"] {
            assert_eq!(double_of_text(text.as_bytes()).unwrap_err(), format!("{text} is no double"));
        }
    }

    #[test]
    fn truth_values() {
        assert_eq!((boolean(&[0]), boolean(&[255])), (Ok(Some(false)), Ok(Some(true))));
        assert!(boolean(&[]).is_err() && boolean(&[1, 1]).is_err());
        assert_eq!((boolean_of_text(b"TRUE"), boolean_of_text(b"0")), (Ok(Some(true)), Ok(Some(false))));
        assert_eq!(boolean_of_text(b""), Ok(None));
        assert_eq!(boolean_of_text(b"yes").unwrap_err(), "yes is no boolean");
    }
}
