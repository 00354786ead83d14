//! The values of a batch, as files of text show them.

use std::fmt::Debug;
use std::io::Write as _;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMillisecondType,
};
use arrow_array::{
    Array, BinaryArray, BooleanArray, Decimal128Array, Float32Array, Float64Array, Int8Array, Int16Array,
    Int32Array, Int64Array, ListArray, StringArray, TimestampMillisecondArray,
};
use arrow_schema::{DataType, TimeUnit};
use grampus_base::{Error, ErrorKind, Result};

use crate::write::timestamp;

/// A column of a batch, one of those that a mapping makes.
#[derive(Clone, Copy)]
pub enum Values<'a> {
    Bytes(&'a BinaryArray),
    Text(&'a StringArray),
    Byte(&'a Int8Array),
    Short(&'a Int16Array),
    Int(&'a Int32Array),
    Long(&'a Int64Array),
    Float(&'a Float32Array),
    Double(&'a Float64Array),
    Boolean(&'a BooleanArray),
    Timestamp(&'a TimestampMillisecondArray),
    Decimal(&'a Decimal128Array),
    List(&'a ListArray),
}

/// How a value has to be written where numbers and text differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A number or truth value: letters, digits and signs alone, and one that JSON has.
    Literal,
    /// A float that JSON has no number for.
    Word,
    /// Text that may have any character.
    Text,
}

impl<'a> Values<'a> {
    /// The values of a column.
    ///
    /// # Errors
    /// The column is of a type that no mapping makes.
    pub(super) fn of(array: &'a dyn Array) -> Result<Values<'a>> {
        let values = match array.data_type() {
            DataType::Binary => array.as_binary_opt().map(Values::Bytes),
            DataType::Utf8 => array.as_string_opt().map(Values::Text),
            DataType::Int8 => array.as_primitive_opt::<Int8Type>().map(Values::Byte),
            DataType::Int16 => array.as_primitive_opt::<Int16Type>().map(Values::Short),
            DataType::Int32 => array.as_primitive_opt::<Int32Type>().map(Values::Int),
            DataType::Int64 => array.as_primitive_opt::<Int64Type>().map(Values::Long),
            DataType::Float32 => array.as_primitive_opt::<Float32Type>().map(Values::Float),
            DataType::Float64 => array.as_primitive_opt::<Float64Type>().map(Values::Double),
            DataType::Boolean => array.as_boolean_opt().map(Values::Boolean),
            DataType::Timestamp(TimeUnit::Millisecond, _) => {
                array.as_primitive_opt::<TimestampMillisecondType>().map(Values::Timestamp)
            }
            DataType::Decimal128(_, scale) if *scale >= 0 => {
                array.as_primitive_opt::<Decimal128Type>().map(Values::Decimal)
            }
            DataType::List(_) => array.as_list_opt().map(Values::List),
            _ => None,
        };
        values.ok_or_else(|| {
            let message = format!("a table of text has no form for the type {}", array.data_type());
            Error::new(ErrorKind::BadRequest, message)
        })
    }

    pub(super) fn is_null(&self, row: usize) -> bool {
        match self {
            Values::Bytes(array) => array.is_null(row),
            Values::Text(array) => array.is_null(row),
            Values::Byte(array) => array.is_null(row),
            Values::Short(array) => array.is_null(row),
            Values::Int(array) => array.is_null(row),
            Values::Long(array) => array.is_null(row),
            Values::Float(array) => array.is_null(row),
            Values::Double(array) => array.is_null(row),
            Values::Boolean(array) => array.is_null(row),
            Values::Timestamp(array) => array.is_null(row),
            Values::Decimal(array) => array.is_null(row),
            Values::List(array) => array.is_null(row),
        }
    }

    /// Appends the value of a row, which is not null, and says of what form it is. A list has none and appends nothing.
    pub(super) fn push(&self, row: usize, out: &mut Vec<u8>) -> Form {
        match self {
            Values::Bytes(array) => push_printable(out, array.value(row)),
            Values::Text(array) => out.extend_from_slice(array.value(row).as_bytes()),
            Values::Byte(array) => return literal(out, array.value(row)),
            Values::Short(array) => return literal(out, array.value(row)),
            Values::Int(array) => return literal(out, array.value(row)),
            Values::Long(array) => return literal(out, array.value(row)),
            Values::Boolean(array) => return literal(out, array.value(row)),
            Values::Float(array) => {
                let value = array.value(row);
                return float(out, value, f64::from(value));
            }
            Values::Double(array) => return float(out, array.value(row), array.value(row)),
            Values::Timestamp(array) => timestamp::push(out, array.value(row)),
            Values::Decimal(array) => {
                push_decimal(out, array.value(row), array.scale());
                return Form::Literal;
            }
            Values::List(_) => {}
        }
        Form::Text
    }
}

fn literal(out: &mut Vec<u8>, value: impl Debug) -> Form {
    let _ = write!(out, "{value:?}"); // writing to a vector cannot fail
    Form::Literal
}

/// A float with as many digits as tell it from its neighbours; the others have Java's names.
fn float(out: &mut Vec<u8>, value: impl Debug, wide: f64) -> Form {
    let word = match wide {
        infinite if infinite == f64::INFINITY => "Infinity",
        infinite if infinite == f64::NEG_INFINITY => "-Infinity",
        number if number.is_nan() => "NaN",
        _ => return literal(out, value),
    };
    out.extend_from_slice(word.as_bytes());
    Form::Word
}

/// Bytes as HBase prints them: printable ASCII but the backslash as it is, the rest as `\xNN`.
fn push_printable(out: &mut Vec<u8>, bytes: &[u8]) {
    for byte in bytes {
        match byte {
            b' '..=b'~' if *byte != b'\\' => out.push(*byte),
            _ => {
                let _ = write!(out, "\\x{byte:02X}"); // writing to a vector cannot fail
            }
        }
    }
}

/// A decimal with all digits behind its point.
fn push_decimal(out: &mut Vec<u8>, value: i128, scale: i8) {
    let sign = if value < 0 { "-" } else { "" };
    let digits = value.unsigned_abs();
    // Writing to a vector cannot fail.
    let _ = match u32::try_from(scale).ok().filter(|scale| *scale > 0).and_then(|s| 10u128.checked_pow(s)) {
        Some(unit) => {
            let (whole, part, width) = (digits / unit, digits % unit, usize::from(scale.unsigned_abs()));
            write!(out, "{sign}{whole}.{part:0width$}")
        }
        None => write!(out, "{sign}{digits}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &dyn Array) -> (String, Form) {
        let mut out = Vec::new();
        let form = Values::of(value).unwrap().push(0, &mut out);
        (String::from_utf8(out).unwrap(), form)
    }

    #[test]
    fn values_as_text() {
        let decimal =
            |value, scale| Decimal128Array::from(vec![value]).with_precision_and_scale(38, scale).unwrap();
        let cases: [(Box<dyn Array>, &str, Form); 14] = [
            (Box::new(BinaryArray::from(vec![&b"a\\\x00\xFF~"[..]])), r"a\x5C\x00\xFF~", Form::Text),
            (Box::new(StringArray::from(vec!["ä"])), "ä", Form::Text),
            (Box::new(Int64Array::from(vec![i64::MIN])), "-9223372036854775808", Form::Literal),
            (Box::new(BooleanArray::from(vec![true])), "true", Form::Literal),
            (Box::new(Float32Array::from(vec![0.1f32])), "0.1", Form::Literal),
            (Box::new(Float64Array::from(vec![1e300])), "1e300", Form::Literal),
            (Box::new(Float64Array::from(vec![-0.0])), "-0.0", Form::Literal),
            (Box::new(Float64Array::from(vec![f64::NAN])), "NaN", Form::Word),
            (Box::new(Float32Array::from(vec![f32::NEG_INFINITY])), "-Infinity", Form::Word),
            (Box::new(decimal(-5, 2)), "-0.05", Form::Literal),
            (Box::new(decimal(1234, 0)), "1234", Form::Literal),
            (Box::new(decimal(10i128.pow(38) - 1, 38)), &format!("0.{}", "9".repeat(38)), Form::Literal),
            (Box::new(TimestampMillisecondArray::from(vec![0])), "1970-01-01T00:00:00.000Z", Form::Text),
            (Box::new(Int8Array::from(vec![-1])), "-1", Form::Literal),
        ];
        for (value, expected, form) in &cases {
            assert_eq!(text(value.as_ref()), ((*expected).to_string(), *form));
        }
    }

    #[test]
    fn a_type_that_no_mapping_makes_is_refused() {
        let error = Values::of(&arrow_array::UInt8Array::from(vec![1])).err().unwrap();
        assert_eq!(error.message, "a table of text has no form for the type UInt8");
    }
}
