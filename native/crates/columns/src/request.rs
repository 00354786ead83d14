//! A file or a stream of a table as a program of another language asks for it.

use std::collections::BTreeMap;
use std::io::Write;

use grampus_base::{Error, ErrorKind, Result};
use serde::Deserialize;

use crate::batch_stream::BatchStream;
use crate::mapping::Mapping;
use crate::reader::BatchLimits;
use crate::table_file::{FileForm, TableFile};
use crate::write::{Compression, CsvOptions, CsvStyle, ParquetOptions};

/// `tableFile` of `docs/jni.md`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TableFileRequest {
    mapping: String,
    format: Format,
    /// Of Parquet and Avro; ZSTD and deflate if it is left out.
    compression: Option<Compression>,
    #[serde(default)]
    rows_ascend: bool,
    /// Of Parquet alone.
    #[serde(default)]
    metadata: BTreeMap<String, String>,
    /// Of tables of text alone; true if it is left out.
    header: Option<bool>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    Parquet,
    Avro,
    Csv,
    Tsv,
    Jsonl,
    Arrows,
}

/// `batchStream` of `docs/jni.md`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BatchStreamRequest {
    mapping: String,
    /// Rows and bytes of a batch at most; those of [`BatchLimits::default`] if they are left out.
    rows: Option<u32>,
    bytes: Option<u32>,
}

impl BatchStreamRequest {
    /// Decodes a request.
    ///
    /// # Errors
    /// It is not JSON, lacks a key, or has one or a value that is not known.
    pub fn parse(json: &str) -> Result<BatchStreamRequest> {
        serde_json::from_str(json)
            .map_err(|e| Error::new(ErrorKind::BadRequest, format!("batches of a table: {e}")))
    }

    /// Begins the stream.
    ///
    /// # Errors
    /// Those of [`Mapping::parse`].
    pub fn create(&self) -> Result<BatchStream> {
        let usual = BatchLimits::default();
        let limits = BatchLimits {
            rows: self.rows.map_or(usual.rows, |rows| rows as usize),
            bytes: self.bytes.map_or(usual.bytes, |bytes| bytes as usize),
        };
        Ok(BatchStream::new(Mapping::parse(&self.mapping)?, limits))
    }
}

impl TableFileRequest {
    /// Decodes a request.
    ///
    /// # Errors
    /// It is not JSON, lacks a key, or has one or a value that is not known.
    pub fn parse(json: &str) -> Result<TableFileRequest> {
        serde_json::from_str(json)
            .map_err(|e| Error::new(ErrorKind::BadRequest, format!("file of a table: {e}")))
    }

    /// Begins the file.
    ///
    /// # Errors
    /// Those of [`Mapping::parse`] and [`TableFile::create`].
    pub fn create<W: Write + Send>(self, sink: W) -> Result<TableFile<W>> {
        let mapping = Mapping::parse(&self.mapping)?;
        TableFile::create(sink, mapping, &self.form())
    }

    fn form(self) -> FileForm {
        match self.format {
            Format::Parquet => FileForm::Parquet(self.parquet()),
            Format::Avro => FileForm::Avro(self.compression.unwrap_or(Compression::USUAL_OF_AVRO)),
            Format::Csv => FileForm::Csv(self.csv(CsvStyle::Quoted)),
            Format::Tsv => FileForm::Csv(self.csv(CsvStyle::Tabs)),
            Format::Jsonl => FileForm::JsonLines,
            Format::Arrows => FileForm::Arrow,
        }
    }

    fn csv(&self, style: CsvStyle) -> CsvOptions {
        let usual = CsvOptions::from(style);
        CsvOptions { header: self.header.unwrap_or(usual.header), ..usual }
    }

    fn parquet(self) -> ParquetOptions {
        let usual = ParquetOptions::default();
        ParquetOptions {
            compression: self.compression.unwrap_or(usual.compression),
            rows_ascend: self.rows_ascend,
            metadata: self.metadata.into_iter().collect(),
            ..usual
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(json: &str) -> String {
        let created = TableFileRequest::parse(json).and_then(|request| request.create(Vec::new()).map(drop));
        let error = created.unwrap_err();
        assert_eq!(error.kind, ErrorKind::BadRequest);
        error.message
    }

    #[test]
    fn every_format_has_a_file() {
        for (format, begin) in [
            ("parquet", b"PAR1".as_slice()),
            ("avro", b"Obj\x01"),
            ("csv", b"rowkey,f_q\r\n"),
            ("tsv", b"rowkey\tf_q\n"),
            ("jsonl", b""),
            ("arrows", &[0xFF; 4]),
        ] {
            let json = format!(r#"{{"mapping":"f:q","format":"{format}"}}"#);
            let file = TableFileRequest::parse(&json).unwrap().create(Vec::new()).unwrap();
            let (bytes, written) = file.finish().unwrap();
            assert!(bytes.starts_with(begin), "{format}");
            assert_eq!((written.rows, written.bytes), (0, bytes.len() as u64));
        }
    }

    /// An empty file of a format, with more keys in its request.
    fn empty(format: &str, more: &str) -> Vec<u8> {
        let json = format!(r#"{{"mapping":"f:q","format":"{format}"{more}}}"#);
        TableFileRequest::parse(&json).unwrap().create(Vec::new()).unwrap().finish().unwrap().0
    }

    #[test]
    fn tables_of_text_have_a_header_unless_it_is_not_wanted() {
        for (format, header) in [("csv", "rowkey,f_q\r\n"), ("tsv", "rowkey\tf_q\n")] {
            assert_eq!(empty(format, r#","header":true"#), header.as_bytes());
            assert!(empty(format, r#","header":false"#).is_empty());
        }
        assert!(empty("parquet", r#","header":false"#).starts_with(b"PAR1"));
    }

    #[test]
    fn avro_is_compressed_as_it_is_asked_for() {
        for (more, codec) in [
            ("", "deflate"),
            (r#","compression":"none""#, "null"),
            (r#","compression":"snappy""#, "snappy"),
            (r#","compression":"zstd""#, "zstandard"),
            (r#","compression":"deflate""#, "deflate"),
        ] {
            let file = empty("avro", more);
            let said = format!("avro.codec{}{codec}", char::from(codec.len() as u8 * 2));
            assert!(file.windows(said.len()).any(|bytes| bytes == said.as_bytes()), "{codec}");
        }
        assert!(refusal(r#"{"mapping":"f:q-1","format":"avro"}"#).contains(r#""f_q-1""#));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        assert!(refusal(r#"{"mapping":"f:q","format":"xml"}"#).contains("xml"));
        assert!(refusal(r#"{"mapping":"f:q","format":"csv","speed":1}"#).contains("speed"));
        assert!(refusal(r#"{"mapping":"f","format":"csv"}"#).contains("family:qualifier"));
        assert!(refusal(r#"{"mapping":"*","format":"csv"}"#).contains("cells"));
        assert!(refusal("").contains("file of a table"));
        let deflated = r#"{"mapping":"f:q","format":"parquet","compression":"deflate"}"#;
        assert!(refusal(deflated).contains("choose zstd, snappy or none"));
    }

    #[test]
    fn a_stream_that_cannot_be_is_refused() {
        let refusal = |json: &str| {
            let created = BatchStreamRequest::parse(json).and_then(|request| request.create().map(drop));
            created.unwrap_err().message
        };
        assert!(BatchStreamRequest::parse(r#"{"mapping":"*","rows":1,"bytes":1}"#).unwrap().create().is_ok());
        assert!(refusal(r#"{"mapping":"f"}"#).contains("family:qualifier"));
        assert!(refusal(r#"{"mapping":"f:q","rows":-1}"#).contains("batches of a table"));
        assert!(refusal(r#"{"mapping":"f:q","speed":1}"#).contains("speed"));
    }
}
