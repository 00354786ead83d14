//! Files of every version of the format stay readable, cell for cell.
//!
//! `GRAMPUS_WRITE_GOLDEN=1 cargo test -p grampus-colfile --test colfile golden` writes files of the present version that are missing;
//! existing ones are never touched, and a change that makes them unreadable is a new format version.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use grampus_base::RandomRead;
use grampus_cells::{CellType, Direction, RowOrder};
use grampus_colfile::inspect::{self, format_version as version_of};
use grampus_colfile::{
    BloomKind, ColumnFile, Compression, CursorOptions, FinishInfo, WriterOptions, format_version, verify,
};

use crate::common::{Cell, Memory, open, sorted, write};

fn path(version: u16, name: &str) -> PathBuf {
    let directory = format!("../../testdata/colfile/v{version}");
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(directory).join(name)
}

/// Every kind of page, presence, encoding and marker.
fn user_cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for n in 0..300i64 {
        let row = format!("row{n:04}");
        let put =
            |qualifier: &str, timestamp: i64, value: Vec<u8>| Cell::put(&row, qualifier, timestamp, &value);
        cells.push(put("constant", 100, b"same".to_vec()));
        cells.push(put("decimal", 100 + n, (n * 37).to_string().into_bytes()));
        cells.push(put("dictionary", n / 50, [&b"Maine"[..], b"Ohio", b"Texas"][n as usize % 3].to_vec()));
        cells.push(put("number", -n, (1_000_000 + n).to_be_bytes().to_vec()));
        cells.push(put("plain", i64::MAX, vec![n as u8; n as usize % 40]));
        if n % 3 == 0 {
            cells.push(put("some", 5, vec![n as u8; 16]));
        }
        for version in 0..n % 4 {
            cells.push(Cell { sequence: n as u64 + 1, ..put("versions", version, vec![version as u8; 3]) });
        }
        if n % 97 == 0 {
            cells.push(Cell {
                tags: vec![0, 9, 8, 0, 0, 0, 0, 0, 0, 0, 60],
                ..put("tagged", 1, b"t".to_vec())
            });
            cells.push(put("", 7, b"no qualifier".to_vec()));
        }
        let marker = |cell_type, qualifier: &str| Cell { cell_type, ..put(qualifier, 50, Vec::new()) };
        match n % 60 {
            10 => cells.push(marker(CellType::DELETE, "plain")),
            20 => cells.push(marker(CellType::DELETE_COLUMN, "some")),
            30 => cells.push(marker(CellType::DELETE_FAMILY, "")),
            40 => cells.push(marker(CellType::DELETE_FAMILY_VERSION, "")),
            _ => {}
        }
    }
    sorted(cells, RowOrder::Bytes)
}

/// Rows of several columns as puts make them: what the cells of a row share is stored once.
fn put_cells() -> Vec<Cell> {
    let mut cells = Vec::new();
    for n in 0..300i64 {
        let row = format!("put{n:04}");
        let columns = ["a", "b", "c", "d"].iter().filter(|c| n % 5 > 0 || **c != "c");
        cells.extend(columns.map(|column| Cell {
            sequence: 1 + n as u64 / 3,
            ..Cell::put(&row, column, 1_700_000_000_000 + n / 7 * 20, (n * 11).to_string().as_bytes())
        }));
        if n % 130 == 9 {
            cells.push(Cell::put(&row, "b", 1_800_000_000_000, b"later"));
        }
    }
    sorted(cells, RowOrder::Bytes)
}

/// Enough rows for the encodings of many integers: rising ones, runs, few that lie far apart.
fn integer_cells() -> Vec<Cell> {
    let noise = |n: i64| (n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48;
    let row = |n: i64| {
        let row = format!("row{n:04}");
        let rising = (n as u64 * 1_000_003 + noise(n) % 64).to_be_bytes();
        let apart = (noise(n) % 3 * 7_777_777_777).to_string();
        let text = "x".repeat(1 + noise(n) as usize % 3) + &n.to_string();
        let put = |qualifier, value: &[u8]| Cell::put(&row, qualifier, 1000 + n / 9, value);
        let fixed = [noise(n).to_le_bytes(), noise(n + 1000).to_le_bytes()].concat();
        let runs = noise(n / 90).to_string();
        [
            put("apart", apart.as_bytes()),
            put("fixed", fixed.get(..11).unwrap_or_default()),
            put("rising", &rising),
            put("runs", runs.as_bytes()),
            put("text", text.as_bytes()),
        ]
    };
    sorted((0..700).flat_map(row).collect(), RowOrder::Bytes)
}

/// Numbers and dates written as text, and numbers of odd sizes.
fn number_cells() -> Vec<Cell> {
    let noise = |n: i64| (n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    let row = |n: i64| {
        let row = format!("{n:012}");
        let date = format!("2026-{:02}-{:02}T{:02}:30:00Z", n % 12 + 1, noise(n) % 28 + 1, noise(n) % 24);
        let price = format!("{}{}.{:02}", if n % 3 == 0 { "-" } else { "" }, noise(n) % 5000 + 1, n % 100);
        let change = (noise(n) as i64 - 8_000_000).to_string();
        let put = |qualifier, value: &[u8]| Cell::put(&row, qualifier, 1000, value);
        [
            put("change", change.as_bytes()),
            put("date", date.as_bytes()),
            put("padded", format!("no {:020}", noise(n)).as_bytes()),
            put("price", price.as_bytes()),
            put("short", &(noise(n) as u16 / 8).to_be_bytes()),
        ]
    };
    sorted((0..300).flat_map(row).collect(), RowOrder::Bytes)
}

/// Keys of several fields and small values.
fn composite_cells() -> Vec<Cell> {
    let row = |n: i64| {
        let place = ["Oslo", "Lima", "Rome"][n as usize / 100];
        let row = format!("2026|{place}|{}|{:06}", (n / 10) % 10, n * 7);
        [Cell::put(&row, "a", 1000 + n / 50, b"1"), Cell::put(&row, "b", 1000 + n / 50, b"2")]
    };
    sorted((0..300).flat_map(row).collect(), RowOrder::Bytes)
}

/// Text that does not repeat as a whole.
fn text_cells() -> Vec<Cell> {
    let noise = |n: i64| (n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 30;
    let row = |n: i64| {
        let text =
            format!("https://example.org/occurrence/{}?of=Møns Klint, leg. {}", noise(n), noise(n + 1) % 999);
        Cell::put(&format!("row{n:04}"), "link", 1000, text.as_bytes())
    };
    sorted((0..700).map(row).collect(), RowOrder::Bytes)
}

/// Columns with one put in a row, in many rows or in all, and one with two versions here and there.
fn plain_cells() -> Vec<Cell> {
    let row = |n: i64| {
        let put = move |column: i64, version| {
            let value = format!("{:04}", n * (column + 3) % 9999);
            Cell::put(&format!("row{n:04}"), &format!("c{column}"), version, value.as_bytes())
        };
        let sparse = move |column: &i64| column % 2 == 0 || (n + column) % 4 > 0;
        (0..10).filter(sparse).map(move |c| put(c, 9)).chain((n % 100 == 42).then(|| put(9, 8)))
    };
    sorted((0..300).flat_map(row).collect(), RowOrder::Bytes)
}

fn meta_cells() -> Vec<Cell> {
    let regions = [
        "hbase:meta,,1",
        "t,,1700000000000.0a.",
        "t,!,1700000000001.0b.",
        "t,a,b,1700000000002.0c.",
        "t2,,3.0d.",
    ];
    let cells =
        regions.iter().flat_map(|r| ["regioninfo", "server"].map(|q| Cell::put(r, q, 9, q.as_bytes())));
    sorted(cells.collect(), RowOrder::Meta)
}

struct Golden {
    /// The version of the format that has it first.
    since: u16,
    name: &'static str,
    cells: Vec<Cell>,
    options: WriterOptions,
    finish: FinishInfo,
}

fn goldens() -> Vec<Golden> {
    let options = |compression, bloom| WriterOptions {
        block_size: 1024,
        row_group_rows_max: 128,
        column_bytes_min: 200,
        compression,
        bloom,
        created_millis: 1_700_000_000_000,
        ..WriterOptions::default()
    };
    let large = |compression| WriterOptions {
        row_group_rows_max: 1000,
        block_size: 16_384,
        ..options(compression, BloomKind::None)
    };
    let flush = FinishInfo { max_sequence: 4711, ..FinishInfo::default() };
    let inputs = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"];
    let major = FinishInfo {
        max_sequence: 4712,
        major: true,
        compaction_inputs: inputs.map(str::to_string).to_vec(),
    };
    let meta = WriterOptions {
        row_order: RowOrder::Meta,
        family: b"info".to_vec(),
        ..options(Compression::None, BloomKind::None)
    };
    let golden = |name, cells, options, finish| Golden { since: 1, name, cells, options, finish };
    let later = |name, cells, options, finish| Golden { since: 2, name, cells, options, finish };
    vec![
        golden("none.colfile", user_cells(), options(Compression::None, BloomKind::Row), flush.clone()),
        golden(
            "snappy.colfile",
            user_cells(),
            options(Compression::Snappy, BloomKind::RowCol),
            major.clone(),
        ),
        golden("lz4.colfile", user_cells(), options(Compression::Lz4, BloomKind::None), flush.clone()),
        golden("zstd.colfile", user_cells(), options(Compression::Zstd, BloomKind::Row), flush.clone()),
        golden("gz.colfile", user_cells(), options(Compression::Gz, BloomKind::Row), flush.clone()),
        golden("meta.colfile", meta_cells(), meta, flush.clone()),
        later("shared.colfile", put_cells(), options(Compression::None, BloomKind::Row), flush.clone()),
        later(
            "prefix.colfile",
            put_cells(),
            options(Compression::None, BloomKind::RowPrefix(3)),
            flush.clone(),
        ),
        later("integers.colfile", integer_cells(), large(Compression::None), flush.clone()),
        later("integers-snappy.colfile", integer_cells(), large(Compression::Snappy), flush.clone()),
        later("numbers.colfile", number_cells(), large(Compression::None), flush.clone()),
        later("numbers-zstd.colfile", number_cells(), large(Compression::Zstd), flush.clone()),
        later("composite.colfile", composite_cells(), large(Compression::None), flush.clone()),
        later("composite-snappy.colfile", composite_cells(), large(Compression::Snappy), flush.clone()),
        later("text.colfile", text_cells(), large(Compression::None), flush.clone()),
        later("text-lz4.colfile", text_cells(), large(Compression::Lz4), flush.clone()),
        later("plain.colfile", plain_cells(), options(Compression::None, BloomKind::Row), flush),
        golden("empty.colfile", Vec::new(), options(Compression::None, BloomKind::Row), major),
    ]
}

#[test]
fn golden_files_of_every_version_read_as_they_were_written() {
    let present = grampus_colfile::format_version::FORMAT_MAJOR;
    for golden in goldens() {
        let path = path(present, golden.name);
        if !path.exists() && std::env::var_os("GRAMPUS_WRITE_GOLDEN").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, write(&golden.cells, &golden.options, golden.finish.clone()).0).unwrap();
        }
        for version in golden.since..=present {
            let name = format!("v{version}/{}", golden.name);
            let opened = open(std::fs::read(self::path(version, golden.name)).unwrap()).unwrap();
            assert_eq!(opened.scan(&CursorOptions::default()).unwrap(), golden.cells, "{name}");
            let reverse = CursorOptions { direction: Direction::Reverse, ..CursorOptions::default() };
            assert_eq!(opened.scan(&reverse).unwrap().len(), golden.cells.len(), "{name}");
            assert_eq!(opened.file.max_sequence(), golden.finish.max_sequence);
            assert_eq!(opened.file.is_major(), golden.finish.major);
            assert_eq!(opened.file.compaction_inputs(), golden.finish.compaction_inputs);
            assert_eq!(opened.file.row_order(), golden.options.row_order);
            assert_eq!(opened.file.created_millis(), 1_700_000_000_000);
        }
    }
}

#[test]
fn files_of_every_version_verify() {
    let versions = format_version::FORMAT_MAJOR_MIN..=format_version::FORMAT_MAJOR;
    let mut count = 0;
    for golden in versions.flat_map(|major| goldens().into_iter().map(move |g| path(major, g.name))) {
        let Ok(bytes) = std::fs::read(&golden) else { continue }; // some are of later versions only
        let source: Arc<dyn RandomRead> = Arc::new(Memory(bytes));
        let file = Arc::new(ColumnFile::open(&source).unwrap());
        verify::verify(&file, &source).unwrap_or_else(|e| panic!("{golden:?}: {e}"));
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn a_file_says_since_2_1_which_columns_have_single_puts() {
    let single_puts = |name| {
        let source: Arc<dyn RandomRead> = Arc::new(Memory(std::fs::read(path(2, name)).unwrap()));
        let file = ColumnFile::open(&source).unwrap();
        let columns =
            file.columns().iter().map(|c| (c.row_groups, c.single_put_row_groups)).collect::<Vec<_>>();
        (version_of(&file, source.as_ref()).unwrap(), columns)
    };
    let (version, columns) = single_puts("plain.colfile");
    // In the last row group the columns with an odd number are too small for pages of their own, and in the others the last one has
    // rows with two versions.
    let expected = [(3, 3), (2, 2)].repeat(4).into_iter().chain([(3, 3), (2, 0)]).collect();
    assert_eq!((version, columns), ((2, 1), expected));
    let (version, columns) = single_puts("text.colfile");
    assert_eq!((version, columns), ((2, 0), vec![(1, 0)]));
}

#[test]
fn the_golden_files_have_every_encoding() {
    let present = grampus_colfile::format_version::FORMAT_MAJOR;
    let mut found = BTreeSet::new();
    for golden in goldens() {
        let bytes = std::fs::read(path(present, golden.name)).unwrap();
        let source: Arc<dyn RandomRead> = Arc::new(Memory(bytes));
        let file = ColumnFile::open(&source).unwrap();
        for area in inspect::areas(&file, &source).unwrap().values() {
            found.extend(area.encodings.keys().flat_map(|name| name.split([' ', ','])).map(str::to_string));
        }
    }
    let of_strings =
        ["plain", "fixed", "constant", "dictionary", "number", "decimal", "template", "scaled", "symbols"];
    let of_keys = ["prefixes", "fields"];
    let of_integers = ["bit-packed", "run-length", "blocked", "int-dictionary"];
    for encoding in of_strings.iter().chain(&of_keys).chain(&of_integers) {
        assert!(found.contains(*encoding), "{encoding} is in no golden file, only {found:?}");
    }
}
