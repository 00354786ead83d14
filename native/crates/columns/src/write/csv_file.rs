//! Tables of text: a header and a line per row.

use std::io::Write;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema, SchemaRef};
use grampus_base::{Error, ErrorKind, Result};

use crate::write::fields::{Form, Values};
use crate::write::lines::{LineForm, Lines};

/// Line and paragraph separator, which some programs take for the end of a line.
const SEPARATORS: [char; 2] = ['\u{2028}', '\u{2029}'];

/// How fields are kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CsvStyle {
    /// RFC 4180: commas, lines end with CR LF, and what has a comma, a quote, CR or LF is quoted. Null is an empty field, the empty text `""`.
    Quoted,
    /// Tabs, lines end with LF, nothing is quoted or escaped. Control characters and line separators in a value become a space each. Null and the
    /// empty text are both an empty field.
    Tabs,
}

/// What a table of text is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CsvOptions {
    /// How fields are kept apart.
    pub style: CsvStyle,
    /// The first line has the names of the columns; without it the file begins with its first row, and one without rows is empty.
    pub header: bool,
}

impl From<CsvStyle> for CsvOptions {
    /// With a header.
    fn from(style: CsvStyle) -> CsvOptions {
        CsvOptions { style, header: true }
    }
}

/// A table of text. Bytes are printed as HBase prints them (`\xNN`), timestamps as ISO 8601.
pub type CsvFile<W> = Lines<W, Fields>;

/// Lines of fields.
pub struct Fields {
    style: CsvStyle,
    /// A field before it is quoted.
    field: Vec<u8>,
}

impl<W: Write> CsvFile<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// The schema is that of a mapping of all cells, whose lists have no form here.
    pub fn create(sink: W, schema: SchemaRef, options: impl Into<CsvOptions>) -> Result<CsvFile<W>> {
        let CsvOptions { style, header } = options.into();
        if let Some(list) = schema.fields().iter().find(|f| matches!(f.data_type(), DataType::List(_))) {
            let message = format!("column {} is a list, which a table of text has no form for", list.name());
            return Err(Error::new(ErrorKind::BadRequest, message));
        }
        let (mut fields, mut lines) = (Fields { style, field: Vec::new() }, Vec::new());
        if header {
            fields.push_header(&schema, &mut lines);
        }
        Ok(Lines::begin(sink, schema, fields, lines))
    }
}

impl LineForm for Fields {
    type Columns<'a> = Vec<Values<'a>>;

    fn columns<'a>(&self, batch: &'a RecordBatch) -> Result<Vec<Values<'a>>> {
        batch.columns().iter().map(|column| Values::of(column)).collect()
    }

    fn push_line(&mut self, columns: &Vec<Values<'_>>, row: usize, out: &mut Vec<u8>) {
        for (column, values) in columns.iter().enumerate() {
            self.separate(column, out);
            if !values.is_null(row) {
                self.push_value(values, row, out);
            }
        }
        self.end_line(out);
    }
}

impl Fields {
    fn push_header(&mut self, schema: &Schema, out: &mut Vec<u8>) {
        for (column, name) in schema.fields().iter().enumerate() {
            self.separate(column, out);
            self.field.extend_from_slice(name.name().as_bytes());
            self.push_text(out);
        }
        self.end_line(out);
    }

    fn separate(&self, column: usize, out: &mut Vec<u8>) {
        if column > 0 {
            out.push(match self.style {
                CsvStyle::Quoted => b',',
                CsvStyle::Tabs => b'\t',
            });
        }
    }

    fn end_line(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(match self.style {
            CsvStyle::Quoted => b"\r\n",
            CsvStyle::Tabs => b"\n",
        });
    }

    fn push_value(&mut self, values: &Values<'_>, row: usize, out: &mut Vec<u8>) {
        match values.push(row, &mut self.field) {
            Form::Text => self.push_text(out),
            Form::Literal | Form::Word => out.append(&mut self.field),
        }
    }

    /// Appends the field in the style's form.
    fn push_text(&mut self, out: &mut Vec<u8>) {
        match self.style {
            CsvStyle::Quoted => push_quoted(out, &self.field),
            CsvStyle::Tabs => push_cleaned(out, &self.field),
        }
        self.field.clear();
    }
}

/// The empty text is quoted, since an empty field is null.
fn push_quoted(out: &mut Vec<u8>, field: &[u8]) {
    let is_special = |byte: &u8| matches!(byte, b',' | b'"' | b'\r' | b'\n');
    if !field.is_empty() && !field.iter().any(is_special) {
        out.extend_from_slice(field);
        return;
    }
    out.push(b'"');
    for piece in field.split_inclusive(|byte| *byte == b'"') {
        out.extend_from_slice(piece);
        if piece.ends_with(b"\"") {
            out.push(b'"');
        }
    }
    out.push(b'"');
}

/// A space for each control character and line separator. Fields of text are UTF-8.
fn push_cleaned(out: &mut Vec<u8>, field: &[u8]) {
    // Bytes from 0x7F on may begin a control character of Latin-1 or a line separator.
    if field.iter().all(|byte| (b' '..0x7F).contains(byte)) {
        out.extend_from_slice(field);
        return;
    }
    for c in String::from_utf8_lossy(field).chars() {
        let cleaned = if c.is_control() || SEPARATORS.contains(&c) { ' ' } else { c };
        out.extend_from_slice(cleaned.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(push: fn(&mut Vec<u8>, &[u8]), text: &str) -> String {
        let mut out = Vec::new();
        push(&mut out, text.as_bytes());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        for (text, expected) in [
            ("plain text", "plain text"),
            ("", "\"\""),
            ("a,b", "\"a,b\""),
            ("say \"a\"", "\"say \"\"a\"\"\""),
            ("\"", "\"\"\"\""),
            ("two\r\nlines", "\"two\r\nlines\""),
            ("tab\tä", "tab\tä"),
        ] {
            assert_eq!(of(push_quoted, text), expected);
        }
    }

    #[test]
    fn control_characters_become_spaces() {
        for (text, expected) in [
            ("", ""),
            ("\"a\", b", "\"a\", b"),
            ("a\tb\r\nc\0", "a b  c "),
            ("a\u{85}b\u{2028}c\u{2029}d\u{7F}", "a b c d "),
            ("ä€𝄞", "ä€𝄞"),
        ] {
            assert_eq!(of(push_cleaned, text), expected);
        }
    }
}
