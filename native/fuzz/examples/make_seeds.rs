//! Writes `seeds/`: pieces of the golden files and small requests, one directory per target. Run it after a change of a format.

use std::path::Path;
use std::{fs, io};

use grampus_testkit::wire::{self, Batch, Cell, RowOp, Spec, column_condition};

const PAGE_HEADER_BYTES: usize = 16;
const TRAILER_BYTES: usize = 4096;
const WAL_HEADER_BYTES: usize = 32;
const RECORD_HEADER_BYTES: usize = 24;
const TIER_HEADER_BYTES: usize = 4096;
const TIER_RECORD_HEADER_BYTES: usize = 32;
/// Larger pieces teach the fuzzer nothing that smaller ones do not, and slow it down.
const SEED_BYTES_MAX: usize = 4096;

fn main() -> io::Result<()> {
    let native = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for compression in ["none", "snappy", "lz4", "zstd", "gz", "meta"] {
        let file = fs::read(native.join(format!("testdata/colfile/v1/{compression}.colfile")))?;
        column_file(compression, &file)?;
    }
    for name in ["none", "snappy", "zstd", "meta", "shared", "integers", "numbers", "composite", "text"] {
        let file = fs::read(native.join(format!("testdata/colfile/v2/{name}.colfile")))?;
        column_file(&format!("v2-{name}"), &file)?;
    }
    log(&fs::read(native.join("testdata/wal/v1/two_regions.wal"))?)?;
    tier_file(&fs::read(native.join("testdata/tier-file/v1/two-records"))?)?;
    requests()?;
    filters()?;
    names()
}

fn seed(target: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target);
    fs::create_dir_all(&directory)?;
    fs::write(directory.join(name), bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize
}

/// The first page of each kind of a golden file, and its trailer.
fn column_file(compression: &str, file: &[u8]) -> io::Result<()> {
    let mut at = 8;
    let mut seen = [false; 8];
    while file[at + 8] <= 7 {
        let stored = &file[at..at + PAGE_HEADER_BYTES + u32_at(file, at)];
        let kind = usize::from(file[at + 8]);
        let plain = file[at + 9] == 0;
        if stored.len() <= SEED_BYTES_MAX && !seen[kind] {
            seen[kind] = true;
            seed(
                "colfile_page",
                &format!("{compression}-{kind}"),
                &[&file[at + 4..at + 8], stored].concat(),
            )?;
            let target = match kind {
                1 => "colfile_row_key_page",
                2..=4 => "colfile_cell_page",
                7 => "colfile_rows_page",
                _ => "colfile_footer",
            };
            if plain && kind != 5 {
                seed(target, &format!("{compression}-{kind}"), &stored[PAGE_HEADER_BYTES..])?;
            }
        }
        at += stored.len();
        if kind == 6 {
            break;
        }
    }
    seed("colfile_hfile_tail", &format!("{compression}-trailer"), &file[file.len() - TRAILER_BYTES..])?;
    seed(
        "colfile_blobs",
        "plain",
        &[2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0, 1, 3, 3, 0, 0, 0, b'a', b'b', b'c'],
    )?;
    seed("colfile_ints", "bit-packed", &[1, 5, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0, 1, 2])?;
    seed("colfile_ints", "run-length", &[&[2][..], &packed(&[3, 9]), &packed(&[7, 1])].concat())?;
    let blocked = [&[3, 0, 0, 0][..], &packed(&[40]), &packed(&[9]), &packed(&[8]), &[1, 2, 3]].concat();
    seed("colfile_ints", "blocked", &[&[3][..], &blocked].concat())?;
    seed("colfile_ints", "dictionary", &[&[4][..], &packed(&[5, 6, 7, 200]), &blocked].concat())?;
    seed("colfile_blobs", "fixed", &[2, 2, 1, 0, 0, 0, b'a', b'b'])?;
    seed("colfile_blobs", "constant", &[200, 3, 2, 0, 0, 0, b'a', b'b'])?;
    seed("colfile_blobs", "decimal", &[2, 6, 1, 5, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0, 1, 2])?;
    let template = [&[2, 7, 3][..], b"x00", &[2, 1, 2, 1], &packed(&[5, 99])].concat();
    seed("colfile_blobs", "template", &template)?;
    let codes = [&[1][..], &packed(&[2, 5]), &5u32.to_le_bytes(), &[0, 1, 255, b'x', 0]].concat();
    let symbols = [&[2, 9, 2, 3, 1][..], b"abc\0\0\0\0\0d\0\0\0\0\0\0\0", &codes].concat();
    seed("colfile_blobs", "symbols", &symbols)?;
    let zero = 1u64 << 63;
    let scaled = [&[2, 8, 2, 1][..], &zero.to_le_bytes(), &packed(&[5, 99])[8..]].concat();
    seed("colfile_blobs", "scaled", &scaled)?;
    // Ends of runs that do not ascend: the remembered run answers for positions of others.
    let ends = packed(&[2, 2, 0, 0, 1, 0, 0, 0, 129, 59, 0, 0, 0, 0, 8, 2]);
    let values = packed(&[2, 1, 196, 0, 0, 27, 45, 0, 8, 59, 27, 45, 0, 27, 45, 0]);
    let descending = [&[2, 6, 2][..], &ends, &(4u64 << 48).to_le_bytes(), &values[8..]].concat();
    seed("colfile_blobs", "descending-runs", &descending)?;
    seed("colfile_blobs", "number", &[2, 5, 8, 1, 5, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0, 1, 2])
}

/// Bytes as bit-packed integers of 8 bits.
fn packed(values: &[u8]) -> Vec<u8> {
    [&[0, 0, 0, 0, 0, 0, 0, 0, 8][..], &(values.len() as u32).to_le_bytes(), values].concat()
}

/// The bodies of the records of the golden segment.
fn log(segment: &[u8]) -> io::Result<()> {
    let mut at = WAL_HEADER_BYTES;
    while at < segment.len() {
        let body = at + RECORD_HEADER_BYTES;
        let end = body + u32_at(segment, at + 4);
        seed("wal_body", &format!("at-{at}"), &segment[body..end])?;
        at = end;
    }
    Ok(())
}

/// The records of the golden file of the second tier.
fn tier_file(file: &[u8]) -> io::Result<()> {
    let mut at = TIER_HEADER_BYTES;
    for name in ["first", "second"] {
        let end = at + TIER_RECORD_HEADER_BYTES + u32_at(file, at + 4);
        seed("tier_record", name, &file[at..end])?;
        at = end;
    }
    Ok(())
}

fn requests() -> io::Result<()> {
    let cell = |row: &str| Cell::put(row, "f", "q", 7, "value");
    let marker = Cell::new("r", "f", "", 9, 14, "");
    let delta = Cell::put("r", "f", "n", i64::MAX, 5i64.to_be_bytes());
    let condition = column_condition("f", "q", 2, b"value");
    let mut by_filter = vec![2];
    wire::bytes(&mut by_filter, &prefix(b"r"));
    by_filter.extend([0i64.to_le_bytes(), i64::MAX.to_le_bytes()].concat());
    batch(
        "rows",
        &Batch::new().row_op(RowOp::put(&[cell("r"), cell("r").ttl(5)])).row_op(RowOp::delete(&[marker])),
    )?;
    batch(
        "counters",
        &Batch::new()
            .row_op(RowOp::increment_for(60_000, 3, std::slice::from_ref(&delta)))
            .row_op(RowOp::append(4, &[delta])),
    )?;
    batch("atomic", &Batch::new().atomic("r", vec![RowOp::put_as(4, &[cell("r")])]))?;
    batch("check", &Batch::new().check("r", &condition, vec![RowOp::put(&[cell("r")])]))?;
    batch("check-filter", &Batch::new().check("r", &by_filter, vec![RowOp::put(&[cell("r")])]))?;
    batch(
        "rows-of-group",
        &Batch::new().multi_row(vec![RowOp::put(&[cell("r")]), RowOp::put(&[cell("s")])]),
    )?;

    let mut cells = Vec::new();
    [cell("r"), cell("s").ttl(9)].iter().for_each(|cell| cell.encode(&mut cells));
    seed("cells", "two", &cells)?;
    seed("read_spec", "scan", &Spec::scan().column("f", "a").column("f", "b").column("g", "c").encode())?;
    seed("read_spec", "get", &Spec::get("row").versions(3).with(32).filter(prefix(b"r")).encode())?;
    let json = wire::open_region_json(
        "/root",
        "0123456789abcdef0123456789abcdef",
        &[("f", ""), ("g", "\"maxVersions\":3")],
    );
    seed("open_region", "two-families", json.as_bytes())
}

fn batch(name: &str, batch: &Batch) -> io::Result<()> {
    let ops = batch.ops();
    let length = (ops.len() as u16).to_le_bytes();
    seed("mutation_batch", name, &[&length[..], &ops, &batch.cells].concat())
}

fn prefix(prefix: &[u8]) -> Vec<u8> {
    let mut out = vec![9];
    wire::bytes(&mut out, prefix);
    out
}

/// One filter of each kind, and lists of them.
fn filters() -> io::Result<()> {
    let text = |text: &[u8]| {
        let mut out = Vec::new();
        wire::bytes(&mut out, text);
        out
    };
    let equal = |comparator: &[u8]| [&[2], comparator].concat();
    let binary = equal(&[&[1][..], &text(b"value")].concat());
    let regex = equal(&[&[8][..], &text(b"^r.*[0-9]+$"), &2u32.to_le_bytes(), &text(b"UTF-8"), &[0]].concat());
    let substring = equal(&[&[7][..], &text(b"alu")].concat());
    let bit = equal(&[&[5][..], &text(b"\x01\x02"), &[3]].concat());
    let component = equal(&[&[9][..], &text(b"a"), &1u32.to_le_bytes()].concat());
    let two = |a: &[u8], b: &[u8]| [&2u32.to_le_bytes()[..], &text(a), &text(b)].concat();
    let column = [text(b"f"), text(b"q")].concat();
    let page = [&[11][..], &5i64.to_le_bytes()].concat();
    let all: Vec<(&str, Vec<u8>)> = vec![
        ("row", [&[1][..], &regex].concat()),
        ("family", [&[2][..], &bit].concat()),
        ("qualifier", [&[3][..], &substring].concat()),
        ("value", [&[4][..], &component].concat()),
        ("dependent-column", [&[5][..], &column, &[1], &binary].concat()),
        ("single-column-value", [&[6][..], &column, &binary, &[1, 1]].concat()),
        ("column-value", [&[8][..], &column, &binary].concat()),
        ("prefix", prefix(b"row")),
        ("inclusive-stop", [&[10][..], &text(b"row")].concat()),
        ("page", page.clone()),
        ("column-count-get", [&[12][..], &3u32.to_le_bytes()].concat()),
        (
            "column-pagination",
            [&[13][..], &3u32.to_le_bytes(), &1u32.to_le_bytes(), &[1], &text(b"q")].concat(),
        ),
        ("column-prefix", [&[14][..], &text(b"q")].concat()),
        ("multiple-column-prefix", [&[15][..], &two(b"q", b"z")].concat()),
        ("column-range", [&[16, 15][..], &text(b"a"), &text(b"z")].concat()),
        ("first-key-only", vec![17]),
        ("first-key-matching", [&[18][..], &two(b"q", b"z")].concat()),
        ("key-only", vec![19, 1]),
        ("timestamps", [&[20][..], &1u32.to_le_bytes(), &1i64.to_le_bytes(), &[1]].concat()),
        ("fuzzy-row", [&[21][..], &1u32.to_le_bytes(), &text(b"row"), &text(b"\x00\x01\x00"), &[0]].concat()),
        ("multi-row-range", [&[22][..], &1u32.to_le_bytes(), &text(b"a"), &[1], &text(b"s"), &[0]].concat()),
        ("random-row", [&[23][..], &0.5f32.to_le_bytes()].concat()),
        ("skip", [&[24, 4][..], &binary].concat()),
        ("while-match", [&[25][..], &prefix(b"row")].concat()),
        ("all", [&[26, 1][..], &2u32.to_le_bytes(), &prefix(b"r"), &page].concat()),
        ("one", [&[26, 2][..], &2u32.to_le_bytes(), &prefix(b"r"), &page].concat()),
        ("none", vec![27]),
    ];
    for (name, filter) in all {
        seed("filter", name, &[&[0][..], &filter].concat())?;
    }
    Ok(())
}

fn names() -> io::Result<()> {
    let (file, region) = ("a".repeat(32), "0".repeat(32));
    seed("file_name", "plain", file.as_bytes())?;
    seed("file_name", "reference", format!("{file}.{region}").as_bytes())?;
    seed("file_name", "link", format!("t={region}-{file}").as_bytes())?;
    seed("file_name", "link-of-namespace", format!("n=t={region}-{file}.{region}").as_bytes())?;
    let key = [&[0, 3][..], b"row", &[0, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]].concat();
    let reference = [&b"PBUF"[..], &[0x0A, key.len() as u8], &key, &[0x10, 1]].concat();
    seed("reference", "bottom", &reference)
}
