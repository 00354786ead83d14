//! Entry points for fuzzing, one per decoder. Each takes untrusted bytes and may only return.

use std::path::Path;
use std::sync::Arc;

use grampus_base::Result;
use grampus_cells::{CellRef, CellType, cell_codec};
use grampus_engine::OpenRequest;
use grampus_engine::request::mutation::OpBody;
use grampus_engine::request::{Batch, Condition, Op};
use grampus_env::{Env, FakeEnv};
use grampus_filter::pattern::{NoPatternCompiler, PatternCompiler, PatternContext};
use grampus_filter::{Comparison, Filter, RowCell};
use grampus_store::fileset::{Clip, FileName};
use grampus_store::read::ReadSpec;
use grampus_wal::SegmentReader;
use grampus_wal::record::Body;

/// A segment of the log: walked to its end.
pub fn wal_segment(bytes: &[u8]) {
    let env = FakeEnv::new(0);
    let path = Path::new("/segment");
    if write(&env, path, bytes).is_ok() {
        let _ = read_segment(&env, path);
    }
}

fn write(env: &FakeEnv, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = env.create(path)?;
    file.append(bytes)?;
    file.close()
}

fn read_segment(env: &FakeEnv, path: &Path) -> Result<()> {
    let mut reader = SegmentReader::open(env, path)?;
    while let Some(raw) = reader.next_edit()? {
        let _ = raw.decode();
    }
    Ok(())
}

/// The body of a log record whose checksum held.
pub fn wal_body(bytes: &[u8]) {
    let _ = Body::decode(bytes, 1);
}

/// The index of the block cache's second tier.
pub fn tier_index(bytes: &[u8]) {
    grampus_cache::decode_index(bytes);
}

/// What a region leaves of its nonces.
pub fn nonces(bytes: &[u8]) {
    let _ = grampus_engine::check_nonce_file(bytes);
}

/// A record of a file of the block cache's second tier.
pub fn tier_record(bytes: &[u8]) {
    grampus_cache::decode_record(bytes);
}

/// The record of a load under way.
pub fn load_record(bytes: &[u8]) {
    grampus_store::load::decode_record(bytes);
}

/// A mutation batch; the first two bytes are the length of the operations, the rest are their cells.
pub fn mutation_batch(bytes: &[u8]) {
    let Some((len, rest)) = bytes.split_first_chunk::<2>() else { return };
    let (ops, cells) = rest.split_at(usize::from(u16::from_le_bytes(*len)).min(rest.len()));
    let Ok(batch) = Batch::decode(ops, cells) else { return };
    batch.ops.iter().for_each(condition_tests);
}

fn condition_tests(op: &Op<'_>) {
    let decode = |condition: &Condition<'_>| match condition {
        Condition::Filter { filter, .. } => {
            let _ = grampus_filter::decode(filter, false, &patterns());
        }
        Condition::Compared { op, comparator, .. } => {
            let _ = Comparison::decode(*op, comparator, &patterns());
        }
        Condition::Column { .. } | Condition::Empty { .. } => {}
    };
    match &op.body {
        OpBody::Check { condition, .. } => decode(condition),
        OpBody::MultiRow { conditions, .. } => conditions.iter().for_each(|(_, condition)| decode(condition)),
        _ => {}
    }
}

fn patterns() -> PatternContext {
    let compiler: Arc<dyn PatternCompiler> = Arc::new(NoPatternCompiler);
    PatternContext::new(&compiler, true)
}

/// A read spec and the filter in it.
pub fn read_spec(bytes: &[u8]) {
    let Ok(spec) = ReadSpec::decode(bytes) else { return };
    let _ = grampus_filter::decode(spec.filter, spec.has(ReadSpec::REVERSED), &patterns());
}

/// A filter, asked about a few rows; the first byte says whether the scan is reversed.
pub fn filter(bytes: &[u8]) {
    let Some((reversed, tree)) = bytes.split_first() else { return };
    if let Ok(Some(mut filter)) = grampus_filter::decode(tree, reversed & 1 == 1, &patterns()) {
        for row in [&b"a"[..], b"row\xFF", b"row\xFF\x00\x00\x01"] {
            ask(&mut *filter, row);
        }
    }
}

fn ask(filter: &mut dyn Filter, row: &[u8]) {
    filter.reset();
    if filter.filter_all_remaining() || filter.filter_row_key(row) {
        return;
    }
    for (qualifier, value) in [(&b""[..], &b"12345678"[..]), (b"q", b""), (b"qualifier", b"\xFFvalue\x00")] {
        for timestamp in [i64::MAX, 1] {
            let cell = CellRef {
                row,
                qualifier,
                timestamp,
                cell_type: CellType::PUT,
                value,
                tags: b"",
                sequence: 1,
            };
            filter.is_family_essential(b"f");
            filter.filter_cell(b"f", &cell);
            filter.value_form();
            filter.hint(b"f", &cell);
            if filter.has_filter_row_cells() {
                filter.drops_cell(&RowCell { family: b"f", cell });
            }
        }
    }
    filter.has_filter_row();
    filter.filter_row();
    let _ = filter.check();
}

/// A block of cells; what was read is written and must read back the same.
pub fn cells(bytes: &[u8]) {
    let mut rest = bytes;
    while let Ok((read, used)) = cell_codec::read_cell(rest) {
        let mut copy = Vec::new();
        cell_codec::append_cell(&mut copy, read.family, &read.cell);
        let again = cell_codec::read_cell(&copy).ok().map(|(cell, used)| (format!("{cell:?}"), used));
        assert_eq!(
            again,
            Some((format!("{read:?}"), copy.len())),
            "a cell that was read does not survive a copy"
        );
        rest = rest.get(used..).unwrap_or_default();
    }
}

/// The content of a reference file.
pub fn reference(bytes: &[u8]) {
    let _ = Clip::from_reference(bytes, "input");
}

/// A name in a family directory.
pub fn file_name(bytes: &[u8]) {
    let Ok(name) = std::str::from_utf8(bytes) else { return };
    if let Some(parsed) = FileName::parse(name) {
        assert!(name.contains(parsed.hfile()), "{name} does not contain the file name {}", parsed.hfile());
    }
}

/// The request that opens a region.
pub fn open_region(bytes: &[u8]) {
    let Ok(json) = std::str::from_utf8(bytes) else { return };
    let Ok(request) = OpenRequest::parse(json) else { return };
    let _ = (request.start_key(), request.end_key(), request.order(), request.families());
}
