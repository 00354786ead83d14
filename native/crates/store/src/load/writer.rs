//! Column files that are written outside of any region, such as by jobs, to be loaded later.

use std::io::Write;
use std::sync::Arc;

use grampus_base::{Error, ErrorKind, RandomRead, Result, printable};
use grampus_cells::{CellRef, RowBound, RowOrder, RowRange, cell_codec};
use grampus_colfile::{ColumnFile, ColumnFileWriter, FileCursor, FinishInfo};
use serde::Deserialize;

use crate::{FamilyConfig, FamilyRequest};

/// HBase's stamp for "now", which only a server or the writer of a file can replace.
const LATEST: i64 = i64::MAX;

/// `open` of `NativeColumnFile` in `docs/jni.md`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ExternalFileRequest {
    family: FamilyRequest,
    created_millis: i64,
}

impl ExternalFileRequest {
    /// Parses the request; unknown keys are refused.
    pub fn parse(json: &str) -> Result<ExternalFileRequest> {
        serde_json::from_str(json)
            .map_err(|e| Error::new(ErrorKind::BadRequest, format!("a column file: {e}")))
    }

    /// Begins the file.
    pub fn create<W: Write>(&self, sink: W) -> Result<ExternalFile<W>> {
        let mut configs = FamilyRequest::configs(std::slice::from_ref(&self.family))?;
        let config = configs.pop().ok_or_else(|| Error::new(ErrorKind::Bug, "a request without a family"))?;
        ExternalFile::create(&config, self.created_millis, sink)
    }
}

/// A file of one family, written from cells in HBase's order.
///
/// The cells have no sequence ids: the load gives the file one.
pub struct ExternalFile<W: Write> {
    family: Vec<u8>,
    writer: ColumnFileWriter<W>,
    rows: Option<(Vec<u8>, Vec<u8>)>,
}

/// What was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenFile {
    /// Bytes of the file.
    pub bytes: u64,
    /// Rows.
    pub rows: u64,
    /// Cells.
    pub cells: u64,
    /// First and last row; `None` without rows: such a file is not loaded.
    pub range: Option<(Vec<u8>, Vec<u8>)>,
}

impl<W: Write> ExternalFile<W> {
    /// Begins a file with a family's COMPRESSION, BLOOMFILTER and BLOCKSIZE.
    pub fn create(config: &FamilyConfig, created_millis: i64, sink: W) -> Result<ExternalFile<W>> {
        let options = config.writer_options(RowOrder::Bytes, created_millis);
        let writer = ColumnFileWriter::new(sink, options).map_err(refused)?;
        Ok(ExternalFile { family: config.name.clone(), writer, rows: None })
    }

    /// Adds the cells of a block in HBase's KeyValue form with tags, and returns the bytes written so far: those of the open row group are
    /// not among them.
    ///
    /// # Errors
    /// `BadRequest` for a cell that is malformed, of another family, out of order, or stamped as of now. Nothing can be added after an error.
    pub fn append(&mut self, mut block: &[u8]) -> Result<u64> {
        while !block.is_empty() {
            let (cell, taken) = cell_codec::read_cell(block)?;
            self.check(cell.family, &cell.cell)?;
            self.writer.append(cell.cell).map_err(refused)?;
            self.note_row(cell.cell.row);
            block = block.get(taken..).unwrap_or_default();
        }
        Ok(self.writer.written_bytes())
    }

    /// Adds the rows of another column file of the family that lie between two rows, the upper one excluded; empty rows are open ends. Returns
    /// the bytes written so far, as [`ExternalFile::append`].
    ///
    /// # Errors
    /// `BadRequest` for a file of another family or order, or rows that do not come after those that are here; `Corrupt` or `Io` for one
    /// that cannot be read.
    pub fn append_rows(&mut self, source: &Arc<dyn RandomRead>, from: &[u8], until: &[u8]) -> Result<u64> {
        let file = Arc::new(ColumnFile::open(source)?);
        if file.family() != Some(self.family.as_slice()) || file.row_order() != RowOrder::Bytes {
            let message = format!("{} is no file of family {}", file.name(), printable(&self.family));
            return Err(Error::new(ErrorKind::BadRequest, message));
        }
        let rows = RowRange {
            start: if from.is_empty() { RowBound::Unbounded } else { RowBound::Included(from) },
            end: if until.is_empty() { RowBound::Unbounded } else { RowBound::Excluded(until) },
        };
        let mut cursor = FileCursor::single_pass(&file, source, rows);
        cursor.seek_first()?;
        while cursor.row().is_some() {
            while let Some(cell) = cursor.cell() {
                self.writer.append(CellRef { sequence: 0, ..cell }).map_err(refused)?;
                cursor.next_cell()?;
            }
            if let Some(row) = cursor.row() {
                self.note_row(row);
            }
            cursor.next_row()?;
        }
        Ok(self.writer.written_bytes())
    }

    fn check(&self, family: &[u8], cell: &CellRef<'_>) -> Result<()> {
        cell_codec::checked_bytes(family, cell)?;
        let why = if family != self.family.as_slice() {
            format!("is of family {}, and the file is of {}", printable(family), printable(&self.family))
        } else if cell.timestamp == LATEST {
            "has no timestamp: give it one before it is written".to_string()
        } else {
            return Ok(());
        };
        Err(Error::new(ErrorKind::BadRequest, format!("a cell of row {} {why}", printable(cell.row))))
    }

    fn note_row(&mut self, row: &[u8]) {
        match &mut self.rows {
            None => self.rows = Some((row.to_vec(), row.to_vec())),
            Some((_, last)) if last.as_slice() != row => {
                last.clear();
                last.extend_from_slice(row);
            }
            Some(_) => {}
        }
    }

    /// Ends the file; all bytes are the sink's then.
    pub fn finish(self) -> Result<(W, WrittenFile)> {
        let (sink, summary) = self.writer.finish(FinishInfo::default()).map_err(refused)?;
        let written = WrittenFile {
            bytes: summary.file_bytes,
            rows: summary.rows,
            cells: summary.stats.cells,
            range: self.rows,
        };
        Ok((sink, written))
    }
}

/// What the writer of a region calls a defect of ours is here the fault of the caller that hands in cells.
fn refused(error: grampus_colfile::Error) -> Error {
    match error {
        grampus_colfile::Error::Misuse(what) => {
            Error::new(ErrorKind::BadRequest, format!("a column file is not written: {what}"))
        }
        grampus_colfile::Error::Write(source) => {
            let message = format!("cannot write a column file: {source}");
            Error { source: Some(source), ..Error::new(ErrorKind::Io, message) }
        }
        other => Error::from(other),
    }
}
