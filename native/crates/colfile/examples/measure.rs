//! Measures scans and point reads of a file in memory: `cargo run --release -p grampus-colfile --example measure`.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "../tests/common/memory.rs"]
mod memory;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use grampus_base::RandomRead;
use grampus_cells::{CellRef, CellType, RowRange};
use grampus_colfile::{
    Access, ColumnFile, ColumnFileWriter, CursorOptions, DirectPages, FileCursor, FinishInfo, Page, PageAt,
    PageSource, Result, WriterOptions,
};

struct Cached(DirectPages, Mutex<HashMap<u64, Arc<Page>>>);

impl PageSource for Cached {
    fn page(&self, at: PageAt, access: Access) -> Result<Arc<Page>> {
        if let Some(page) = self.1.lock().unwrap().get(&at.offset) {
            return Ok(Arc::clone(page));
        }
        let page = self.0.page(at, access)?;
        self.1.lock().unwrap().insert(at.offset, Arc::clone(&page));
        Ok(page)
    }

    fn name(&self) -> &str {
        "memory"
    }
}

fn main() {
    for (columns, value_bytes) in [(1usize, 1000usize), (10, 100)] {
        measure(columns, value_bytes);
    }
}

fn measure(columns: usize, value_bytes: usize) {
    const ROWS: usize = 200_000;
    let qualifiers: Vec<String> = (0..columns).map(|c| format!("q{c}")).collect();
    let mut value = vec![0u8; value_bytes];
    let mut noise = 1u64;
    let started = Instant::now();
    let mut writer = ColumnFileWriter::new(Vec::new(), WriterOptions::default()).unwrap();
    for n in 0..ROWS {
        let row = format!("{n:026}");
        for qualifier in &qualifiers {
            for byte in value.chunks_mut(8) {
                noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                byte.copy_from_slice(&noise.to_le_bytes()[..byte.len()]);
            }
            let cell = CellRef {
                row: row.as_bytes(),
                qualifier: qualifier.as_bytes(),
                timestamp: 1_700_000_000_000 + n as i64 / 10,
                cell_type: CellType::PUT,
                value: &value,
                tags: b"",
                sequence: n as u64,
            };
            writer.append(cell).unwrap();
        }
    }
    let (bytes, _) = writer.finish(FinishInfo::default()).unwrap();
    println!(
        "{columns} x {value_bytes} B: {} MB written, {:.2} us/row",
        bytes.len() >> 20,
        per(started, ROWS)
    );
    let source: Arc<dyn RandomRead> = Arc::new(memory::Memory(bytes));
    let file = Arc::new(ColumnFile::open(&source).unwrap());
    let pages = Arc::new(Cached(DirectPages::new(source), Mutex::default()));
    let mut out = Vec::with_capacity(2 << 20);
    for round in 0..3 {
        let started = Instant::now();
        let mut cursor = FileCursor::new(file.clone(), pages.clone(), &CursorOptions::default());
        cursor.seek_first().unwrap();
        let mut cells = 0;
        while cursor.row().is_some() {
            while let Some(cell) = cursor.cell() {
                cells += 1;
                out.extend_from_slice(cell.row);
                out.extend_from_slice(cell.value);
                cursor.next_cell().unwrap();
            }
            if out.len() > 2_000_000 {
                out.clear();
            }
            cursor.next_row().unwrap();
        }
        assert_eq!(cells, ROWS * columns);
        println!("  scan {round}: {:.3} us/row", per(started, ROWS));
    }
    let one: [&[u8]; 1] = [b"q0"];
    let started = Instant::now();
    let mut noise = 7usize;
    for _ in 0..ROWS {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let row = format!("{:026}", (noise >> 20) % ROWS);
        let rows = RowRange::single(row.as_bytes());
        assert!(file.may_contain_row(row.as_bytes(), &*pages, Access::CACHED).unwrap().is_possible());
        let mut cursor = FileCursor::new(
            file.clone(),
            pages.clone(),
            &CursorOptions { projection: Some(&one), rows, ..CursorOptions::default() },
        );
        cursor.seek_first().unwrap();
        assert_eq!(cursor.cell().map(|c| c.value.len()), Some(value_bytes));
    }
    println!("  point read, bloom filter included: {:.3} us", per(started, ROWS));
}

fn per(started: Instant, rows: usize) -> f64 {
    started.elapsed().as_secs_f64() * 1e6 / rows as f64
}
