//! Entry points for fuzzing, one per decoder. Each takes untrusted bytes and may only return.

use std::sync::Arc;

use grampus_base::{RandomRead, narrow};
use grampus_cells::{
    After, ColumnRunSink, Direction, Dropped, FastPathSink, PredicateColumn, RowOrder, RowRange, RunBuffers,
    RunColumns, RunRoom, RunValues, Strings, ValueBounds,
};

use crate::bytes::FieldReader;
use crate::cell_page::CellPage;
use crate::encoding::blobs::Scratch;
use crate::encoding::unordered_ends;
use crate::encoding::{Blobs, CodeMatches, Ints, Verdict};
use crate::footer::Footer;
use crate::hfile_tail::fuzz_tail;
use crate::memory_file::MemoryFile;
use crate::page::{PageAt, PageKind, open_page};
use crate::row_keys::{KeptHeads, KeyBlock, KeyScratch, RESTART_ROWS, RowKeyPage};
use crate::verify::verify;
use crate::{Access, ColumnFile, CursorOptions, DirectPages, FileCursor};

/// The largest page of a file, so that the allocations of a run can be bounded.
const PAGE_BYTES_MAX: u64 = 4 << 20;

/// Cells or rows that a fuzz run looks at, so that a short input cannot keep it busy.
const STEPS_MAX: usize = 10_000;

/// A sequence of byte strings; the first byte says how many.
pub fn blobs(bytes: &[u8]) {
    let Some((count, body)) = bytes.split_first() else { return };
    unordered_ends::forget();
    let Ok(parsed) = Blobs::parse(body, &mut FieldReader::new(body), usize::from(*count)) else { return };
    let mut scratch = Scratch::default();
    let (mut wanted, mut strings) = (Vec::new(), Some(Strings::default()));
    for index in 0..usize::from(*count) {
        let located = parsed.locate(body, index).ok();
        let Some(located) = located.filter(|located| scratch.load(body, *located).is_ok()) else {
            strings = None;
            continue;
        };
        let string = scratch.slice(body, located);
        strings.iter_mut().for_each(|strings| strings.push(string));
        if is_wanted(string) {
            wanted.push(index);
        }
    }
    if unordered_ends::were_seen() {
        return;
    }
    many_blobs(body, usize::from(*count), strings.as_ref());
    let Ok(parsed) = Blobs::parse(body, &mut FieldReader::new(body), usize::from(*count)) else { return };
    let all = 0..usize::from(*count);
    if let Ok(first) = parsed.first_wanted(body, all.clone(), &mut CodeMatches::default(), evaluate) {
        assert_eq!(first, wanted.first().copied().unwrap_or(all.end));
    }
}

/// All strings of a sequence at a time are those that were read one by one, if all could be, and have no more bytes than was said before.
fn many_blobs(body: &[u8], count: usize, one_by_one: Option<&Strings>) {
    let Ok(parsed) = Blobs::parse(body, &mut FieldReader::new(body), count) else { return };
    let bytes_max = parsed.bytes_max(body, 0..count, &mut None);
    let (mut integers, mut strings) = (Default::default(), Strings::default());
    if let Err(malformed) = parsed.append(body, 0..count, &mut integers, &mut strings) {
        assert!(one_by_one.is_none(), "{malformed:?}");
        return;
    }
    assert_eq!(strings.len(), count);
    assert!(strings.bytes_len() <= bytes_max, "{} of at most {bytes_max} bytes", strings.bytes_len());
    if let Some(one_by_one) = one_by_one {
        assert_eq!(&strings, one_by_one);
    }
}

/// Strings that a wants wants: a choice that depends on the string alone.
fn is_wanted(string: &[u8]) -> bool {
    string.iter().fold(7u8, |sum, byte| sum.wrapping_mul(3) ^ byte).is_multiple_of(4)
}

/// What [`is_wanted`] says of a string.
fn evaluate(string: &[u8]) -> Verdict {
    is_wanted(string).into()
}

/// A sequence of integers, of as many as it says.
pub fn ints(body: &[u8]) {
    let Ok(parsed) = Ints::parse_any(body, &mut FieldReader::new(body)) else { return };
    let count = parsed.count();
    let places = (0..count.min(STEPS_MAX)).chain((count / 2..count).take(STEPS_MAX));
    for index in places.chain(count.checked_sub(1)) {
        parsed.get(body, index);
    }
    parsed.lower_bound(body, 1 << 20);
}

/// The body of a cell page.
pub fn cell_page(body: &[u8]) {
    let Ok(page) = CellPage::parse(body) else { return };
    let mut at = Some(page.first());
    for _ in 0..STEPS_MAX {
        let Some(cell) = at else { return };
        let _ = page.timestamp(body, cell.index, || None);
        let _ = page.sequence(body, cell.index, || None);
        let _ = page.cell_type(body, cell.index);
        for blobs in [page.tags(), page.qualifiers(), page.values()].into_iter().flatten() {
            let _ = blobs.locate(body, cell.index as usize);
        }
        page.at_or_above(body, cell.row.saturating_add(3), cell);
        // From each cell to the end: not in pages of millions of cells, which a few bytes can be.
        if page.cells <= 1000 && page.is_single_put(body, cell) {
            let _ = page.first_wanted_after(body, cell, &mut CodeMatches::default(), || false, evaluate);
        }
        at = page.next(body, cell);
    }
}

/// The body of a row-key page of format 1.
pub fn row_key_page(body: &[u8]) {
    rows_of_kind(body, PageKind::RowKeys);
}

/// The body of a page of row keys and of what the rows share.
pub fn rows_page(body: &[u8]) {
    rows_of_kind(body, PageKind::Rows);
}

fn rows_of_kind(body: &[u8], kind: PageKind) {
    unordered_ends::forget();
    let Ok(page) = RowKeyPage::parse(body, kind) else { return };
    if !unordered_ends::were_seen() {
        many_keys(&page, body);
    }
    let mut keys = KeyBlock::default();
    let _ = page.find_block(body, &KeptHeads::default(), b"m", RowOrder::Bytes);
    for block in 0..(page.rows as usize / 16).min(STEPS_MAX) {
        let _ = page.decode_block(body, block, &mut keys);
        let _ = page.find_in_block(body, block, &mut keys, |key| RowOrder::Meta.compare(key, b"m").is_ge());
        page.versions.timestamp(body, block * 16);
        page.versions.sequence(body, block * 16);
    }
}

/// Many keys at a time are those of one block after the other, if all blocks can be read, and take no more memory than a chunk of the longest ones.
fn many_keys(page: &RowKeyPage, body: &[u8]) {
    let rows = (page.rows as usize).min(256);
    let (mut block, mut one_by_one) = (KeyBlock::default(), Some(Strings::default()));
    for number in 0..rows.div_ceil(RESTART_ROWS) {
        match page.decode_block(body, number, &mut block) {
            Ok(()) => one_by_one.iter_mut().for_each(|keys| block.append_to(0..block.len(), keys)),
            Err(_) => one_by_one = None,
        }
    }
    let (mut parts, mut integers, mut keys) = (Vec::new(), Default::default(), Strings::default());
    let scratch = KeyScratch { parts: &mut parts, integers: &mut integers };
    let read = page.append_keys(body, 0..rows, RUN_BYTES, scratch, &mut keys);
    let bytes: usize = parts.iter().map(Strings::memory_bytes).sum();
    assert!(bytes <= 16 << 20, "parts of keys take {bytes} bytes");
    let Some(mut expected) = one_by_one else { return };
    assert!(read.is_ok(), "{read:?}");
    expected.truncate(rows);
    expected.fit(RUN_BYTES);
    assert_eq!(keys, expected);
}

/// The body of a footer.
pub fn footer(body: &[u8]) {
    let _ = Footer::decode(body, 1 << 20);
}

/// A stored page; the first four bytes are the decompressed length that the directory would claim, at most 1 MiB.
pub fn page(bytes: &[u8]) {
    let Some((len, stored)) = bytes.split_first_chunk::<4>() else { return };
    let raw_len = u32::from_le_bytes(*len) % (1 << 20);
    let at = PageAt { offset: 0, stored_len: narrow::to_u32(stored.len()), raw_len, kind: PageKind::Column };
    let _ = open_page(stored.to_vec(), at);
}

/// What a file ends in, and pieces of it.
pub fn hfile_tail(bytes: &[u8]) {
    fuzz_tail(bytes);
    let _ = ColumnFile::read_info(&MemoryFile(bytes.to_vec()));
}

/// A whole file: opened, asked for rows, verified, and walked in both directions, cell by cell and in runs of rows that one column decides
/// about.
pub fn file(bytes: &[u8]) {
    let source: Arc<dyn RandomRead> = Arc::new(MemoryFile(bytes.to_vec()));
    let Ok(info) = ColumnFile::read_info(source.as_ref()) else { return };
    let Ok(file) = ColumnFile::open_within(&source, info, PAGE_BYTES_MAX) else { return };
    let (file, pages) = (Arc::new(file), Arc::new(DirectPages::new(Arc::clone(&source))));
    lookups(&file, pages.as_ref(), bytes);
    if file.rows() <= STEPS_MAX as u64 {
        let _ = verify(&file, &source);
    }
    for direction in [Direction::Forward, Direction::Reverse] {
        let options = CursorOptions { direction, access: Access::READ_THROUGH, ..CursorOptions::default() };
        let mut cursor = FileCursor::new(Arc::clone(&file), pages.clone(), &options);
        let _ = walk(&mut cursor);
        for row in asked_rows(&file, bytes) {
            let mut cursor = FileCursor::new(Arc::clone(&file), pages.clone(), &options);
            let _ = cursor.seek(&row, direction == Direction::Reverse).and_then(|()| cursor.next_row());
        }
        for column in file.columns().iter().take(3) {
            let mut cursor = FileCursor::new(Arc::clone(&file), pages.clone(), &options);
            let _ = run(&mut cursor, Wants(column.qualifier));
        }
        let mut cursor = FileCursor::new(Arc::clone(&file), pages.clone(), &options);
        let _ = column_runs(&mut cursor);
    }
}

/// Rows to ask for: those at the ends of the first row groups, what follows them, and a piece of the file.
fn asked_rows(file: &ColumnFile, bytes: &[u8]) -> Vec<Vec<u8>> {
    let ends =
        file.row_groups().take(3).flat_map(|group| [group.first_row.to_vec(), group.last_row.to_vec()]);
    let ends: Vec<Vec<u8>> = ends.collect();
    let after = ends.iter().map(|row| [row.as_slice(), &[0]].concat());
    after.chain([bytes.iter().rev().take(8).copied().collect()]).chain(ends.iter().cloned()).collect()
}

/// What is asked of a file beside its cells: bloom filters and the numbers of rows.
fn lookups(file: &ColumnFile, pages: &DirectPages, bytes: &[u8]) {
    let access = Access::READ_THROUGH;
    for row in asked_rows(file, bytes) {
        let _ = file.may_contain_row(&row, pages, access);
        let _ = file.may_contain_row_col(&row, b"q", pages, access);
        let _ = file.may_contain_range(RowRange::single(&row), pages, access);
        let Ok(rank) = file.rank(&row, pages, access) else { continue };
        assert!(rank <= file.rows(), "{rank} rows of {} are below a row", file.rows());
        let _ = file.row_at(rank, pages, access);
    }
}

/// Takes rows by the value of one column, and looks at nothing.
struct Wants<'a>(&'a [u8]);

impl FastPathSink for Wants<'_> {
    fn predicate_column(&self) -> Option<PredicateColumn<'_>> {
        Some(PredicateColumn { qualifier: Some(self.0), times: (i64::MIN + 1, i64::MAX) })
    }

    fn accepts(&self, value: Option<&[u8]>) -> bool {
        value.is_some_and(is_wanted)
    }

    fn may_accept(&self, values: &ValueBounds) -> bool {
        values.min.len().is_multiple_of(2)
    }

    fn drop(&mut self, _dropped: Dropped<'_>) -> After {
        After::Next
    }

    fn begin(&mut self, _row: &[u8]) -> bool {
        true
    }

    fn cell(&mut self, _row: &[u8], _qualifier: &[u8], _timestamp: i64, _value: &[u8]) {}

    fn end(&mut self, _row: &[u8]) -> After {
        After::Enough
    }

    fn forget(&mut self) {}
}

fn run(cursor: &mut FileCursor, mut wants: Wants<'_>) -> crate::Result<()> {
    cursor.seek_first()?;
    for _ in 0..STEPS_MAX {
        if cursor.row().is_none() {
            break;
        }
        if cursor.fast_rows(None, &mut wants)? == 0 {
            cursor.next_row()?;
        }
    }
    Ok(())
}

/// Room of a run.
const RUN_BYTES: usize = 1 << 16;

/// Takes the columns of runs, and checks what it is promised of rows and of bytes.
#[derive(Default)]
struct Columns {
    with_keys: bool,
    keys: usize,
    bytes: usize,
}

impl ColumnRunSink for Columns {
    fn room(&mut self, _columns: RunColumns) -> RunRoom {
        let key_bytes = self.with_keys.then_some(RUN_BYTES);
        RunRoom { rows: 1000, key_bytes, value_bytes: RUN_BYTES }
    }

    fn reaches(&self, _row: &[u8]) -> bool {
        true
    }

    fn sees(&self, first: i64, last: i64) -> bool {
        first <= last
    }

    fn rows(&mut self, keys: &Strings, _last: &[u8]) {
        assert!(keys.bytes_len() <= RUN_BYTES, "keys of {} bytes", keys.bytes_len());
        self.keys = keys.len();
    }

    fn column(&mut self, _qualifier: &[u8], values: &RunValues<'_>) {
        assert_eq!(values.keys.len(), self.keys);
        assert_eq!(
            (values.values.len(), values.timestamps.len()),
            (values.iter().count(), values.values.len())
        );
        for (row, _, value) in values.iter() {
            assert!(row < self.keys, "a value of row {row} of {}", self.keys);
            self.bytes += value.len();
        }
        assert!(self.bytes <= RUN_BYTES, "a run of {} bytes", self.bytes);
    }

    fn wanted_key(&self) -> Option<usize> {
        self.keys.checked_sub(1)
    }
}

fn column_runs(cursor: &mut FileCursor) -> crate::Result<()> {
    cursor.seek_first()?;
    let mut buffers = RunBuffers::default();
    for step in 0..STEPS_MAX {
        if cursor.row().is_none() {
            break;
        }
        let mut columns = Columns { with_keys: step.is_multiple_of(2), ..Columns::default() };
        if cursor.column_run(None, &mut buffers, &mut columns)? == 0 {
            cursor.next_row()?;
        }
    }
    Ok(())
}

fn walk(cursor: &mut FileCursor) -> crate::Result<()> {
    cursor.seek_first()?;
    for _ in 0..STEPS_MAX {
        if cursor.row().is_none() {
            break;
        }
        match cursor.cell() {
            Some(_) => cursor.next_cell()?,
            None => cursor.next_row()?,
        }
    }
    Ok(())
}
