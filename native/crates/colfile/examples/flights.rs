//! Writes the table `flights` as one major-compacted column file under each compression and says what takes how many bytes:
//! `cargo run --release -p grampus-colfile --example flights [-- FLIGHTS.csv.gz] [--columns]`.
//!
//! Rows and keys are those of `bin/grampus demo`. Timestamps are those of an import: the client sends about 700 rows per
//! request, all cells of a request get the server's time of its arrival. Sequence ids are 0, as a major compaction leaves them.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "../tests/common/memory.rs"]
mod memory;

use std::fs::File;
use std::io::Read;
use std::sync::Arc;
use std::time::Instant;

use grampus_base::RandomRead;
use grampus_cells::{CellRef, CellType};
use grampus_colfile::{
    ColumnFile, ColumnFileWriter, Compression, CursorOptions, DirectPages, FileCursor, FinishInfo, PageKind,
    WriterOptions, inspect,
};

const KEY: [&str; 7] = ["year", "month", "day", "carrier", "flight", "origin", "sched_dep_time"];
const ROWS_PER_REQUEST: usize = 700;

/// A line of the table, its key first.
struct Row<'a> {
    key: String,
    timestamp: i64,
    fields: Vec<&'a str>,
}

fn main() {
    let (mut path, mut with_columns) =
        (concat!(env!("CARGO_MANIFEST_DIR"), "/../../../perf-eval/data/flights.csv.gz").to_string(), false);
    for argument in std::env::args().skip(1) {
        if argument == "--columns" { with_columns = true } else { path = argument }
    }
    let mut csv = String::new();
    flate2::read::MultiGzDecoder::new(File::open(path).unwrap()).read_to_string(&mut csv).unwrap();
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let rows = rows(&header, lines);
    let mut columns: Vec<usize> = (0..header.len()).collect();
    columns.sort_by_key(|c| header[*c]);
    for compression in Compression::ALL {
        let started = Instant::now();
        let file = write(&rows, &header, &columns, compression);
        let seconds = started.elapsed().as_secs_f64();
        report(file, compression, seconds, with_columns);
    }
}

/// The rows in key order.
fn rows<'a>(header: &[&str], lines: impl Iterator<Item = &'a str>) -> Vec<Row<'a>> {
    let key = KEY.map(|name| header.iter().position(|h| *h == name).unwrap());
    let (mut now, mut noise) = (1_760_000_000_000i64, 1u64);
    let mut rows: Vec<Row<'_>> = lines
        .enumerate()
        .map(|(number, line)| {
            if number % ROWS_PER_REQUEST == 0 {
                noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                now += 20 + (noise >> 60) as i64;
            }
            let fields: Vec<&str> = line.split(',').collect();
            assert_eq!(fields.len(), header.len(), "line {number} is quoted or cut");
            Row { key: key.map(|c| fields[c]).join("|"), timestamp: now, fields }
        })
        .collect();
    rows.sort_by(|a, b| a.key.cmp(&b.key));
    rows
}

fn write(rows: &[Row<'_>], header: &[&str], columns: &[usize], compression: Compression) -> Vec<u8> {
    let options = WriterOptions { compression, ..WriterOptions::default() };
    let mut writer = ColumnFileWriter::new(Vec::new(), options).unwrap();
    for row in rows {
        for column in columns {
            let cell = CellRef {
                row: row.key.as_bytes(),
                qualifier: header[*column].as_bytes(),
                timestamp: row.timestamp,
                cell_type: CellType::PUT,
                value: row.fields[*column].as_bytes(),
                tags: b"",
                sequence: 0,
            };
            if !cell.value.is_empty() {
                writer.append(cell).unwrap();
            }
        }
    }
    writer.finish(FinishInfo { major: true, ..FinishInfo::default() }).unwrap().0
}

fn report(bytes: Vec<u8>, compression: Compression, seconds: f64, with_columns: bool) {
    let total = bytes.len();
    let source: Arc<dyn RandomRead> = Arc::new(memory::Memory(bytes));
    let file = Arc::new(ColumnFile::open(&source).unwrap());
    let started = Instant::now();
    let pages = Arc::new(DirectPages::new(Arc::clone(&source)));
    let mut cursor = FileCursor::new(Arc::clone(&file), pages, &CursorOptions::default());
    let (mut cells, mut value_bytes) = (0usize, 0usize);
    cursor.seek_first().unwrap();
    while cursor.row().is_some() {
        while let Some(cell) = cursor.cell() {
            cells += 1;
            value_bytes += cell.value.len();
            cursor.next_cell().unwrap();
        }
        cursor.next_row().unwrap();
    }
    println!(
        "{compression:?}: {total} bytes, {:.2} MB; {cells} cells, {value_bytes} bytes of values; written in {seconds:.1} s, \
         scanned in {:.0} ns per cell",
        total as f64 / 1e6,
        started.elapsed().as_secs_f64() * 1e9 / cells as f64
    );
    let areas = inspect::areas(&file, &source).unwrap();
    let mut known = 0;
    let (mut parts, mut kinds) = (std::collections::BTreeMap::new(), std::collections::BTreeMap::new());
    for ((kind, qualifier), area) in &areas {
        known += area.stored_bytes;
        *kinds.entry(*kind).or_insert(0) += area.stored_bytes;
        area.parts.iter().for_each(|(name, bytes)| *parts.entry(*name).or_insert(0) += bytes);
        if with_columns {
            let name = match PageKind::from_code(*kind) {
                Some(PageKind::Column) => String::from_utf8_lossy(qualifier).into_owned(),
                kind => format!("{:?}", kind.unwrap()),
            };
            println!(
                "  {name:16} {:9} stored {:9} raw {:4} pages  {:?} {:?}",
                area.stored_bytes, area.raw_bytes, area.pages, area.encodings, area.parts
            );
        }
    }
    for (kind, bytes) in kinds {
        println!("  {:16} {bytes:9} stored", format!("{:?}", PageKind::from_code(kind).unwrap()));
    }
    println!("  {:16} {:9} stored", "footer and tail", total as u64 - known);
    for (name, bytes) in parts {
        println!("    {name:14} {bytes:9} raw");
    }
}
