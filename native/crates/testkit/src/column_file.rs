//! A small column file, for tests of what stands between its pages and their readers.

use grampus_cells::{CellRef, CellType};
use grampus_colfile::{ColumnFileWriter, FinishInfo, Result, WriterOptions};

/// A file with a page of about 1 KiB for each of up to 900 rows.
pub fn column_file(rows: u16) -> Result<Vec<u8>> {
    let options = WriterOptions { block_size: 512, ..WriterOptions::default() };
    let mut writer = ColumnFileWriter::new(Vec::new(), options)?;
    let value: Vec<u8> = (0..=255).cycle().take(1000).collect();
    for n in 0..rows {
        let row = format!("{n:05}");
        writer.append(CellRef {
            row: row.as_bytes(),
            qualifier: b"q",
            timestamp: i64::from(n),
            cell_type: CellType::PUT,
            value: value.get(usize::from(n)..).unwrap_or_default(),
            tags: b"",
            sequence: 0,
        })?;
    }
    Ok(writer.finish(FinishInfo::default())?.0)
}
