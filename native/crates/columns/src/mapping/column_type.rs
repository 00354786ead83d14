//! What the bytes of a value mean, and the Arrow type that they become.

use std::fmt;

use arrow_schema::DataType;

use crate::mapping::timestamp_type;
use crate::shown::OrWhy;

/// The most digits that a decimal may have: what 128 bits hold.
const PRECISION_MAX: u8 = 38;
/// Bytes of an offset of bytes or text.
const OFFSET_WIDTH: usize = 4;

/// What the bytes of a value, or of a row key, mean.
///
/// The types without "text" are those of HBase's `Bytes.toBytes`: big-endian, two's complement, IEEE 754. A value of another length is an error.
/// For the types that are parsed from text an empty value is null, since that is what imports leave where a field was empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// `bytes`: as they are.
    Bytes,
    /// `string`: UTF-8. A value that is no UTF-8 is an error.
    Text,
    /// `string(replace)`: UTF-8. What is no UTF-8 in a value becomes U+FFFD.
    TextReplaced,
    /// `byte`: 8 bits, signed.
    Byte,
    /// `short`: 16 bits.
    Short,
    /// `int`: 32 bits.
    Int,
    /// `long`: 64 bits.
    Long,
    /// `float`: 32 bits.
    Float,
    /// `double`: 64 bits.
    Double,
    /// `boolean`: a byte, true unless it is 0.
    Boolean,
    /// `timestamp`: milliseconds since 1970-01-01 UTC as a long.
    Timestamp,
    /// `long(text)`: a decimal number as text, which becomes 64 bits.
    LongOfText,
    /// `double(text)`: a decimal number as text, which becomes 64 bits, or `NaN`, `Infinity`, `+Infinity` or `-Infinity`.
    DoubleOfText,
    /// `boolean(text)`: `true`, `false` in any case, `1` or `0`.
    BooleanOfText,
    /// `decimal(precision,scale)`: a decimal number as text, kept exactly.
    Decimal {
        /// Digits in all, 1 to 38.
        precision: u8,
        /// Digits behind the point, 0 to `precision`.
        scale: i8,
    },
}

/// All types that have a fixed name.
pub(super) const NAMED: [(&str, ColumnType); 14] = [
    ("bytes", ColumnType::Bytes),
    ("string", ColumnType::Text),
    ("string(replace)", ColumnType::TextReplaced),
    ("byte", ColumnType::Byte),
    ("short", ColumnType::Short),
    ("int", ColumnType::Int),
    ("long", ColumnType::Long),
    ("float", ColumnType::Float),
    ("double", ColumnType::Double),
    ("boolean", ColumnType::Boolean),
    ("timestamp", ColumnType::Timestamp),
    ("long(text)", ColumnType::LongOfText),
    ("double(text)", ColumnType::DoubleOfText),
    ("boolean(text)", ColumnType::BooleanOfText),
];

impl ColumnType {
    /// The type of a name; the error is the end of a sentence.
    pub(super) fn named(name: &str) -> OrWhy<ColumnType> {
        if let Some((_, found)) = NAMED.iter().find(|(known, _)| *known == name) {
            return Ok(*found);
        }
        let Some(digits) = name.strip_prefix("decimal(").and_then(|rest| rest.strip_suffix(')')) else {
            return Err(format!("there is no type {name:?}; the types are {}", ColumnType::names()));
        };
        let (precision, scale) = digits.split_once(',').unwrap_or((digits, "0"));
        let numbers = precision.trim().parse().ok().zip(scale.trim().parse().ok());
        let (precision, scale) =
            numbers.ok_or_else(|| format!("{name:?} is no type; a decimal is decimal(precision,scale)"))?;
        let decimal = ColumnType::Decimal { precision, scale };
        decimal.check().map(|()| decimal)
    }

    /// Refuses a decimal that cannot be.
    pub(super) fn check(self) -> OrWhy<()> {
        match self {
            ColumnType::Decimal { precision, scale } => {
                let fits = (1..=PRECISION_MAX).contains(&precision)
                    && u8::try_from(scale).is_ok_and(|scale| scale <= precision);
                fits.then_some(()).ok_or_else(|| {
                    format!("{self} cannot be: a decimal has 1 to {PRECISION_MAX} digits, and no more behind its point")
                })
            }
            _ => Ok(()),
        }
    }

    /// The Arrow type of its columns.
    pub(crate) fn data_type(self) -> DataType {
        match self {
            ColumnType::Bytes => DataType::Binary,
            ColumnType::Text | ColumnType::TextReplaced => DataType::Utf8,
            ColumnType::Byte => DataType::Int8,
            ColumnType::Short => DataType::Int16,
            ColumnType::Int => DataType::Int32,
            ColumnType::Long | ColumnType::LongOfText => DataType::Int64,
            ColumnType::Float => DataType::Float32,
            ColumnType::Double | ColumnType::DoubleOfText => DataType::Float64,
            ColumnType::Boolean | ColumnType::BooleanOfText => DataType::Boolean,
            ColumnType::Timestamp => timestamp_type(),
            ColumnType::Decimal { precision, scale } => DataType::Decimal128(precision, scale),
        }
    }

    /// Bytes that each row takes in its columns, null or not; bytes and text come on top.
    pub(crate) fn width(self) -> usize {
        match self {
            ColumnType::Byte | ColumnType::Boolean | ColumnType::BooleanOfText => 1,
            ColumnType::Short => 2,
            ColumnType::Bytes | ColumnType::Text | ColumnType::TextReplaced => OFFSET_WIDTH,
            ColumnType::Int | ColumnType::Float => 4,
            ColumnType::Long | ColumnType::LongOfText | ColumnType::Timestamp => 8,
            ColumnType::Double | ColumnType::DoubleOfText => 8,
            ColumnType::Decimal { .. } => 16,
        }
    }

    /// Whether the values of a column are in the order of their bytes.
    pub(crate) fn keeps_order(self) -> bool {
        matches!(self, ColumnType::Bytes | ColumnType::Text)
    }

    fn names() -> String {
        let mut names: Vec<&str> = NAMED.iter().map(|(name, _)| *name).collect();
        names.push("decimal(precision,scale)");
        names.join(", ")
    }
}

impl fmt::Display for ColumnType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnType::Decimal { precision, scale } => write!(f, "decimal({precision},{scale})"),
            named => {
                let name = NAMED.iter().find(|(_, known)| known == named).map_or("", |(name, _)| *name);
                f.write_str(name)
            }
        }
    }
}
