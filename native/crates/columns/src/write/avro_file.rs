//! Avro.

use std::io::Write;

use arrow_array::RecordBatch;
use arrow_avro::compression::CompressionCodec;
use arrow_avro::errors::AvroError;
use arrow_avro::writer::format::AvroOcfFormat;
use arrow_avro::writer::{AvroWriter, WriterBuilder};
use arrow_schema::{Schema, SchemaRef};
use grampus_base::{Error, ErrorKind, Result};

use crate::write::counted::Counted;
use crate::write::progress::Progress;
use crate::write::{Compression, TableWriter, Written, of_io};

/// An Avro object container file: a record per row, a block per batch. Bytes are `bytes`, timestamps `timestamp-millis`, decimals `bytes` with the
/// logical type; numbers of fewer than 32 bits become `int`. A column that may be null is a union of null and its type.
///
/// An encoded block is in memory twice, before and after compression.
pub struct AvroFile<W: Write> {
    writer: AvroWriter<Counted<W>>,
    progress: Progress,
}

impl<W: Write> AvroFile<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// The sink fails, or a column has a name or a type that Avro does not have.
    pub fn create(sink: W, schema: SchemaRef, compression: Compression) -> Result<AvroFile<W>> {
        check_names(&schema)?;
        let builder = WriterBuilder::new(schema.as_ref().clone()).with_compression(codec(compression));
        let writer = builder.build::<_, AvroOcfFormat>(Counted::new(sink)).map_err(of_avro)?;
        Ok(AvroFile { writer, progress: Progress::new(schema) })
    }
}

impl<W: Write> TableWriter for AvroFile<W> {
    type Sink = W;

    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.progress.begin(batch)?;
        // Not all readers take a block without rows.
        if batch.num_rows() > 0 {
            self.writer.write(batch).map_err(of_avro)?;
        }
        self.progress.end(batch);
        Ok(())
    }

    fn finish(self) -> Result<(W, Written)> {
        self.progress.check()?;
        self.progress.complete(self.writer.into_inner())
    }
}

fn codec(compression: Compression) -> Option<CompressionCodec> {
    match compression {
        Compression::None => None,
        Compression::Deflate => Some(CompressionCodec::Deflate),
        Compression::Snappy => Some(CompressionCodec::Snappy),
        Compression::Zstd => Some(CompressionCodec::ZStandard),
    }
}

/// The library would write another name, and then not find the column.
fn check_names(schema: &Schema) -> Result<()> {
    match schema.fields().iter().find(|field| !is_name(field.name())) {
        None => Ok(()),
        Some(field) => {
            let message = format!(
                "the column {:?} cannot be called so in Avro, whose names have letters of ASCII, digits and _, and no digit at their beginning; \
                 give it a name in the mapping, behind =",
                field.name()
            );
            Err(Error::new(ErrorKind::BadRequest, message))
        }
    }
}

fn is_name(name: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

/// What the library says: of the sink, or of a type that it has not.
fn of_avro(error: AvroError) -> Error {
    let message = format!("the Avro file cannot be written: {error}");
    match error {
        AvroError::IoError(_, source) => of_io(message, source),
        AvroError::External(source) => match source.downcast::<std::io::Error>() {
            Ok(source) => of_io(message, *source),
            Err(_) => Error::new(ErrorKind::Bug, message),
        },
        AvroError::NYI(_) | AvroError::SchemaError(_) | AvroError::InvalidArgument(_) => {
            Error::new(ErrorKind::BadRequest, message)
        }
        _ => Error::new(ErrorKind::Bug, message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_specification() {
        for (name, legal) in [
            ("a", true),
            ("_", true),
            ("_1", true),
            ("f_Q9", true),
            ("", false),
            ("9f", false),
            ("f q", false),
            ("f-q", false),
            ("f.q", false),
            ("ä", false),
            (r"f_\x00", false),
        ] {
            assert_eq!(is_name(name), legal, "{name}");
        }
    }
}
