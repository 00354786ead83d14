//! JSON, an object per line.

use std::io::Write;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, ListArray, RecordBatch};
use arrow_schema::{Field, Fields, SchemaRef};
use grampus_base::{Error, ErrorKind, Result};

use crate::write::fields::{Form, Values};
use crate::write::lines::{LineForm, Lines};

/// An object per row and line, without the columns that are null. Bytes are printed as HBase prints them (`\xNN`, so `\\xNN` in JSON), timestamps as
/// ISO 8601; floats that JSON has no number for are `"NaN"`, `"Infinity"` and `"-Infinity"`. The cells of a mapping of all cells are an array of objects.
pub type JsonLinesFile<W> = Lines<W, Objects>;

/// Lines of objects.
#[derive(Default)]
pub struct Objects {
    /// A value before it is escaped.
    text: Vec<u8>,
}

impl<W: Write> JsonLinesFile<W> {
    /// Begins a file.
    pub fn create(sink: W, schema: SchemaRef) -> JsonLinesFile<W> {
        Lines::begin(sink, schema, Objects::default(), Vec::new())
    }
}

impl LineForm for Objects {
    type Columns<'a> = Vec<Column<'a>>;

    fn columns<'a>(&self, batch: &'a RecordBatch) -> Result<Vec<Column<'a>>> {
        Column::all(batch.schema_ref().fields(), batch.columns())
    }

    fn push_line(&mut self, columns: &Vec<Column<'_>>, row: usize, out: &mut Vec<u8>) {
        push_object(columns, row, out, &mut self.text);
        out.push(b'\n');
    }
}

/// A column beside its name.
pub struct Column<'a> {
    /// `"name":`.
    name: Vec<u8>,
    shape: Shape<'a>,
}

/// What a column has in a row.
enum Shape<'a> {
    Value(Values<'a>),
    /// An array of objects that have these columns.
    Objects(&'a ListArray, Vec<Column<'a>>),
}

impl<'a> Column<'a> {
    fn of(field: &Field, array: &'a dyn Array) -> Result<Column<'a>> {
        let shape = match Values::of(array)? {
            Values::List(list) => Shape::Objects(list, Column::of_objects(list)?),
            values => Shape::Value(values),
        };
        Ok(Column { name: name(field.name()), shape })
    }

    fn of_objects(list: &'a ListArray) -> Result<Vec<Column<'a>>> {
        let objects = list.values().as_struct_opt().ok_or_else(|| {
            Error::new(ErrorKind::BadRequest, "a list of a table of JSON has objects, and nothing else")
        })?;
        Column::all(objects.fields(), objects.columns())
    }

    fn all(fields: &Fields, arrays: &'a [ArrayRef]) -> Result<Vec<Column<'a>>> {
        fields.iter().zip(arrays).map(|(field, array)| Column::of(field, array)).collect()
    }

    fn is_null(&self, row: usize) -> bool {
        match &self.shape {
            Shape::Value(values) => values.is_null(row),
            Shape::Objects(list, _) => list.is_null(row),
        }
    }

    fn push(&self, row: usize, out: &mut Vec<u8>, text: &mut Vec<u8>) {
        match &self.shape {
            Shape::Value(values) => push_value(values, row, out, text),
            Shape::Objects(list, columns) => push_array(list, columns, row, out, text),
        }
    }
}

/// `"name":`, as it stands before a value.
fn name(name: &str) -> Vec<u8> {
    let mut out = Vec::new();
    push_string(&mut out, name.as_bytes());
    out.push(b':');
    out
}

fn push_object(columns: &[Column<'_>], row: usize, out: &mut Vec<u8>, text: &mut Vec<u8>) {
    out.push(b'{');
    let mut is_first = true;
    for column in columns.iter().filter(|column| !column.is_null(row)) {
        if !std::mem::take(&mut is_first) {
            out.push(b',');
        }
        out.extend_from_slice(&column.name);
        column.push(row, out, text);
    }
    out.push(b'}');
}

fn push_array(list: &ListArray, columns: &[Column<'_>], row: usize, out: &mut Vec<u8>, text: &mut Vec<u8>) {
    let offset = |at: usize| list.value_offsets().get(at).and_then(|offset| usize::try_from(*offset).ok());
    let objects = offset(row).unwrap_or_default()..offset(row + 1).unwrap_or_default();
    out.push(b'[');
    for object in objects.clone() {
        if object != objects.start {
            out.push(b',');
        }
        push_object(columns, object, out, text);
    }
    out.push(b']');
}

fn push_value(values: &Values<'_>, row: usize, out: &mut Vec<u8>, text: &mut Vec<u8>) {
    match values.push(row, text) {
        Form::Literal => out.append(text),
        Form::Word | Form::Text => push_string(out, text),
    }
    text.clear();
}

/// A string in quotes; what JSON does not allow in one is escaped. The bytes are UTF-8.
fn push_string(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    for byte in text {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', *byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..b' ' => {
                let _ = write!(out, "\\u{byte:04x}"); // writing to a vector cannot fail
            }
            _ => out.push(*byte),
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_read_back() {
        for text in ["", "plain", "\"\\/", "a\nb\rc\td\0e\u{1}\u{1F}\u{7F}", "ä€𝄞\u{2028}"] {
            let mut out = Vec::new();
            push_string(&mut out, text.as_bytes());
            assert!(!out.contains(&b'\n'));
            assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
        }
    }
}
