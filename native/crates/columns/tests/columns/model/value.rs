//! A value of a column, as the model has it.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMillisecondType,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use grampus_base::printable;

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Null,
    Bytes(Vec<u8>),
    Text(String),
    Int(i64),
    Float(f32),
    Double(f64),
    Boolean(bool),
    /// Milliseconds from 0001 to 9999, and their text.
    Timestamp(i64, String),
    /// Digits, and how many of them stand behind the point.
    Decimal(i128, i8),
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::Bytes(a), Value::Bytes(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Double(a), Value::Double(b)) => a.to_bits() == b.to_bits(),
            (Value::Boolean(a), Value::Boolean(b)) => a == b,
            (Value::Timestamp(a, _), Value::Timestamp(b, _)) => a == b,
            (Value::Decimal(a, s), Value::Decimal(b, t)) => a == b && s == t,
            _ => false,
        }
    }
}

impl Value {
    /// What an array has in a row.
    pub(crate) fn of_array(array: &ArrayRef, row: usize) -> Value {
        if array.is_null(row) {
            return Value::Null;
        }
        match array.data_type() {
            DataType::Binary => Value::Bytes(array.as_binary::<i32>().value(row).to_vec()),
            DataType::Utf8 => Value::Text(array.as_string::<i32>().value(row).to_string()),
            DataType::Int8 => Value::Int(array.as_primitive::<Int8Type>().value(row).into()),
            DataType::Int16 => Value::Int(array.as_primitive::<Int16Type>().value(row).into()),
            DataType::Int32 => Value::Int(array.as_primitive::<Int32Type>().value(row).into()),
            DataType::Int64 => Value::Int(array.as_primitive::<Int64Type>().value(row)),
            DataType::Float32 => Value::Float(array.as_primitive::<Float32Type>().value(row)),
            DataType::Float64 => Value::Double(array.as_primitive::<Float64Type>().value(row)),
            DataType::Boolean => Value::Boolean(array.as_boolean().value(row)),
            DataType::Timestamp(..) => {
                Value::Timestamp(array.as_primitive::<TimestampMillisecondType>().value(row), String::new())
            }
            DataType::Decimal128(_, scale) => {
                Value::Decimal(array.as_primitive::<Decimal128Type>().value(row), *scale)
            }
            other => panic!("{other}"),
        }
    }

    /// The value in a table of text.
    pub(crate) fn text(&self) -> String {
        match self {
            Value::Null => String::new(),
            Value::Bytes(bytes) => printable(bytes),
            Value::Text(text) | Value::Timestamp(_, text) => text.clone(),
            Value::Int(number) => number.to_string(),
            Value::Float(number) => float_text(format!("{number:?}")),
            Value::Double(number) => float_text(format!("{number:?}")),
            Value::Boolean(truth) => truth.to_string(),
            Value::Decimal(digits, scale) => decimal_text(*digits, *scale as usize),
        }
    }

    /// Whether JSON has it so.
    pub(crate) fn is_json(&self, json: Option<&serde_json::Value>) -> bool {
        match (self, json) {
            (Value::Null, None) => true,
            (Value::Bytes(_) | Value::Text(_) | Value::Timestamp(..), Some(json)) => {
                *json == self.text().as_str()
            }
            (Value::Int(number), Some(json)) => *json == *number,
            (Value::Boolean(truth), Some(json)) => *json == *truth,
            (Value::Float(number), Some(json)) if number.is_finite() => {
                json.as_f64().map(|n| n as f32) == Some(*number)
            }
            (Value::Double(number), Some(json)) if number.is_finite() => is_near(json, *number),
            (Value::Float(_) | Value::Double(_), Some(json)) => *json == self.text().as_str(),
            (Value::Decimal(digits, scale), Some(json)) => {
                is_near(json, *digits as f64 / 10f64.powi((*scale).into()))
            }
            _ => false,
        }
    }
}

/// The test's reader of JSON rounds.
fn is_near(json: &serde_json::Value, expected: f64) -> bool {
    json.as_f64().is_some_and(|number| (number - expected).abs() <= expected.abs() * 1e-14)
}

fn float_text(text: String) -> String {
    match text.as_str() {
        "inf" => "Infinity".to_string(),
        "-inf" => "-Infinity".to_string(),
        _ => text,
    }
}

pub(crate) fn decimal_text(digits: i128, scale: usize) -> String {
    let all = format!("{:0width$}", digits.unsigned_abs(), width = scale + 1);
    let (whole, part) = all.split_at(all.len() - scale);
    let sign = if digits < 0 { "-" } else { "" };
    if scale == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") }
}
