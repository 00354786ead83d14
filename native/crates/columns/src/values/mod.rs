//! Columns in the making: a builder for each type, which takes values as bytes.

mod decimal;
mod numbers;
mod strings;

use std::ops::Range;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::{ArrayBuilder, BooleanBuilder, PrimitiveBuilder};
use arrow_array::types::{
    ArrowPrimitiveType, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMillisecondType,
};
use grampus_cells::Strings;
pub(crate) use strings::{Binary, Utf8};

use crate::mapping::ColumnType;
use crate::shown::OrWhy;
use numbers::{boolean, boolean_of_text, double_of_text, fixed, parsed};

/// A value that was read: `None` is null. The error is the end of a sentence.
type Read<T> = OrWhy<Option<T>>;

/// A value that does not belong to its column: its position, and why. The reason is the end of a sentence.
pub(crate) struct Refused {
    pub(crate) position: usize,
    pub(crate) why: String,
}

/// A column in the making.
pub(crate) trait Values: Send {
    /// Appends a value. After an error the column is as it was.
    fn push(&mut self, value: &[u8]) -> OrWhy<()>;

    /// Appends the values at some positions. Those before one that is refused have been appended.
    ///
    /// # Errors
    /// Which one was refused, and why.
    fn extend(&mut self, values: &Strings, positions: Range<usize>) -> Result<(), Refused> {
        for position in positions {
            self.push(values.get(position)).map_err(|why| Refused { position, why })?;
        }
        Ok(())
    }

    /// Appends nulls.
    fn push_nulls(&mut self, count: usize);

    /// Values and nulls so far.
    fn len(&self) -> usize;

    /// The column; the next one begins empty.
    fn finish(&mut self) -> ArrayRef;
}

/// A builder of columns of a type.
pub(crate) fn of_type(column_type: ColumnType) -> Box<dyn Values> {
    match column_type {
        ColumnType::Bytes => Box::new(Binary::default()),
        ColumnType::Text => Box::new(Utf8::checked()),
        ColumnType::TextReplaced => Box::new(Utf8::replacing()),
        ColumnType::Byte => numbers::<Int8Type>(column_type, |v| fixed(v, "byte").map(i8::from_be_bytes)),
        ColumnType::Short => numbers::<Int16Type>(column_type, |v| fixed(v, "short").map(i16::from_be_bytes)),
        ColumnType::Int => numbers::<Int32Type>(column_type, |v| fixed(v, "int").map(i32::from_be_bytes)),
        ColumnType::Long => numbers::<Int64Type>(column_type, |v| fixed(v, "long").map(i64::from_be_bytes)),
        ColumnType::Float => {
            numbers::<Float32Type>(column_type, |v| fixed(v, "float").map(f32::from_be_bytes))
        }
        ColumnType::Double => {
            numbers::<Float64Type>(column_type, |v| fixed(v, "double").map(f64::from_be_bytes))
        }
        ColumnType::Timestamp => numbers::<TimestampMillisecondType>(column_type, |v| {
            fixed(v, "timestamp").map(i64::from_be_bytes)
        }),
        ColumnType::LongOfText => texts::<Int64Type>(column_type, |v| parsed(v, "long")),
        ColumnType::DoubleOfText => texts::<Float64Type>(column_type, double_of_text),
        ColumnType::Decimal { precision, scale } => {
            texts::<Decimal128Type>(column_type, move |v| decimal::parse(v, precision, scale))
        }
        ColumnType::Boolean => Box::new(Booleans { builder: BooleanBuilder::new(), read: boolean }),
        ColumnType::BooleanOfText => {
            Box::new(Booleans { builder: BooleanBuilder::new(), read: boolean_of_text })
        }
    }
}

/// Numbers of HBase's form, which are never null.
fn numbers<T: ArrowPrimitiveType>(
    column_type: ColumnType,
    read: impl Fn(&[u8]) -> OrWhy<T::Native> + Send + 'static,
) -> Box<dyn Values> {
    texts::<T>(column_type, move |value| read(value).map(Some))
}

/// Numbers that are parsed from text.
fn texts<T: ArrowPrimitiveType>(
    column_type: ColumnType,
    read: impl Fn(&[u8]) -> Read<T::Native> + Send + 'static,
) -> Box<dyn Values> {
    let builder = PrimitiveBuilder::<T>::new().with_data_type(column_type.data_type());
    Box::new(Numbers { builder, read })
}

/// Numbers, as a function reads them.
struct Numbers<T: ArrowPrimitiveType, F> {
    builder: PrimitiveBuilder<T>,
    read: F,
}

impl<T: ArrowPrimitiveType, F: Fn(&[u8]) -> Read<T::Native> + Send> Values for Numbers<T, F> {
    fn push(&mut self, value: &[u8]) -> OrWhy<()> {
        self.builder.append_option((self.read)(value)?);
        Ok(())
    }

    fn push_nulls(&mut self, count: usize) {
        self.builder.append_nulls(count);
    }

    fn len(&self) -> usize {
        self.builder.len()
    }

    fn finish(&mut self) -> ArrayRef {
        Arc::new(self.builder.finish())
    }
}

/// Truth values, as a function reads them.
struct Booleans {
    builder: BooleanBuilder,
    read: fn(&[u8]) -> Read<bool>,
}

impl Values for Booleans {
    fn push(&mut self, value: &[u8]) -> OrWhy<()> {
        self.builder.append_option((self.read)(value)?);
        Ok(())
    }

    fn push_nulls(&mut self, count: usize) {
        self.builder.append_nulls(count);
    }

    fn len(&self) -> usize {
        self.builder.len()
    }

    fn finish(&mut self) -> ArrayRef {
        Arc::new(self.builder.finish())
    }
}
