//! Cells of a row group: of one qualifier, of the rare qualifiers together, or its family delete markers.
//!
//! ```text
//! | at | size | field                                                                    |
//! |  0 |  1   | flags: 1 types, 2 sequence ids, 4 tags, 8 qualifiers, 16 values           |
//! |  1 |  4   | ordinal of the first cell's row within the row group                     |
//! |  5 |  4   | number of cells, at least 1                                              |
//! |  9 |      | presence, timestamps (ints), then what the flags name, in flag order:    |
//! |    |      | types (a byte each), sequence ids (ints), tags, qualifiers, values (blobs) |
//! ```
//! Without types all cells are puts; without sequence ids all are 0; without tags or values all are empty. In place of
//! timestamps or sequence ids a byte 0 says that every cell has what its row shares, see [`crate::row_keys::versions`].
//!
//! Presence: 0 = one cell in every row from the first on; 1 = ints, each cell's row above the first; 2 = `u32 bits` and a
//! bitmap of the rows from the first on, one cell in each row whose bit is set.

mod bitmap;
mod runs;
#[cfg(test)]
mod tests;

use bitmap::bitmap_word;
use grampus_base::narrow;
use grampus_cells::CellType;

use crate::bytes::FieldReader;
use crate::encoding::blobs::{self, Target};
use crate::encoding::ints::{self, Packing};
use crate::encoding::{Blobs, CodeMatches, Ints, Verdict};
use crate::error::{Decoded, Malformed};

const HAS_TYPES: u8 = 1;
const HAS_SEQUENCES: u8 = 2;
const HAS_TAGS: u8 = 4;
const HAS_QUALIFIERS: u8 = 8;
const HAS_VALUES: u8 = 16;
const FLAGS: u8 = 31;

/// In place of the tag of ints: the numbers are those of the rows.
const VERSIONS_OF_ROWS: u8 = 0;

/// The most cells of a page where rows have several, for each byte of its body. Else a few bytes may say that there are billions, which a walk would come
/// to. Where a row has one, the rows bound them.
const CELLS_PER_BYTE_MAX: usize = 4096;

/// So many cells a page may have in any case. Writers of before that bound put cells which are all the same into one page, as many as BLOCKSIZE has bytes
/// and half of that: these are the cells for 16 MiB.
const CELLS_UNBOUND: usize = 1 << 25;

/// The most cells that the writer puts into a page, so that those which are all the same are no more than [`CELLS_PER_BYTE_MAX`].
pub(crate) const CELLS_MAX: usize = 1 << 16;

/// Cells that one search evaluates at most: its caller checks the clock between searches.
const CELLS_PER_SEARCH_MAX: u32 = 1 << 16;

const PRESENCE_DENSE: u8 = 0;
const PRESENCE_ROWS: u8 = 1;
const PRESENCE_BITMAP: u8 = 2;

/// Cells to encode, column by column.
#[derive(Default)]
pub(crate) struct CellColumns<'a> {
    pub(crate) rows: Vec<u32>,
    pub(crate) timestamps: Vec<u64>,
    /// Whether every cell has the timestamp, the sequence id that its row shares.
    pub(crate) shares: (bool, bool),
    pub(crate) types: Vec<u8>,
    pub(crate) sequences: Vec<u64>,
    pub(crate) tags: Vec<&'a [u8]>,
    /// Empty when the page is of one qualifier.
    pub(crate) qualifiers: Vec<&'a [u8]>,
    pub(crate) values: Vec<&'a [u8]>,
}

impl CellColumns<'_> {
    /// The page's body; there is at least one cell.
    pub(crate) fn encode(&self, target: Target<'_>) -> Vec<u8> {
        let some = |present: bool, flag: u8| if present { flag } else { 0 };
        let flags = some(self.types.iter().any(|t| *t != CellType::PUT.0), HAS_TYPES)
            | some(self.sequences.iter().any(|s| *s != 0), HAS_SEQUENCES)
            | some(self.tags.iter().any(|t| !t.is_empty()), HAS_TAGS)
            | some(!self.qualifiers.is_empty(), HAS_QUALIFIERS)
            | some(self.values.iter().any(|v| !v.is_empty()), HAS_VALUES);
        let mut body = vec![flags];
        body.extend_from_slice(&self.rows.first().copied().unwrap_or(0).to_le_bytes());
        body.extend_from_slice(&narrow::to_u32(self.rows.len()).to_le_bytes());
        write_presence(&self.rows, &mut body);
        write_versions(&self.timestamps, self.shares.0, &mut body);
        if flags & HAS_TYPES != 0 {
            body.extend_from_slice(&self.types);
        }
        if flags & HAS_SEQUENCES != 0 {
            write_versions(&self.sequences, self.shares.1, &mut body);
        }
        let others = Target::of(target.compression);
        for (flag, strings, target) in [
            (HAS_TAGS, &self.tags, others),
            (HAS_QUALIFIERS, &self.qualifiers, others),
            (HAS_VALUES, &self.values, target),
        ] {
            if flags & flag != 0 {
                blobs::write(strings, target, &mut body);
            }
        }
        body
    }
}

fn write_versions(numbers: &[u64], shared: bool, body: &mut Vec<u8>) {
    if shared { body.push(VERSIONS_OF_ROWS) } else { ints::write(numbers, Packing::Tight, body) }
}

fn write_presence(rows: &[u32], body: &mut Vec<u8>) {
    let first = rows.first().copied().unwrap_or(0);
    let span = (rows.last().copied().unwrap_or(0) - first) as usize + 1;
    let single = rows.windows(2).all(|w| w.first() < w.last());
    if single && span == rows.len() {
        return body.push(PRESENCE_DENSE);
    }
    if single && span / 8 < ints::estimate(rows.len(), span as u64) {
        body.push(PRESENCE_BITMAP);
        body.extend_from_slice(&narrow::to_u32(span).to_le_bytes());
        let mut bits = vec![0u8; span.div_ceil(8)];
        for row in rows {
            let bit = (row - first) as usize;
            if let Some(byte) = bits.get_mut(bit / 8) {
                *byte |= 1 << (bit % 8);
            }
        }
        return body.extend_from_slice(&bits);
    }
    body.push(PRESENCE_ROWS);
    let above: Vec<u64> = rows.iter().map(|row| u64::from(row - first)).collect();
    ints::write(&above, Packing::Tight, body);
}

#[derive(Clone, Debug)]
enum Presence {
    Dense,
    Rows(Ints),
    Bitmap { bits: u32, at: usize },
}

/// Timestamps or sequence ids of a page's cells.
#[derive(Clone, Debug)]
enum Versions {
    Zero,
    OfRows,
    Own(Ints),
}

/// A parsed page; `body` in its methods is what it was parsed from.
#[derive(Clone, Debug)]
pub(crate) struct CellPage {
    pub(crate) first_row: u32,
    pub(crate) cells: u32,
    presence: Presence,
    timestamps: Versions,
    types: Option<usize>,
    sequences: Versions,
    tags: Option<Box<Blobs>>,
    qualifiers: Option<Box<Blobs>>,
    values: Option<Blobs>,
}

/// A cell's position in its page, and its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellAt {
    pub(crate) index: u32,
    pub(crate) row: u32,
}

impl CellPage {
    pub(crate) fn parse(body: &[u8]) -> Decoded<CellPage> {
        CellPage::parse_noting(body, |_, _| {})
    }

    /// The same; `note` is told the name of each part and where it ends.
    pub(crate) fn parse_noting(body: &[u8], mut note: impl FnMut(&'static str, usize)) -> Decoded<CellPage> {
        let mut reader = FieldReader::new(body);
        let (flags, first_row, cells) = (reader.u8()?, reader.u32()?, reader.u32()?);
        if flags & !FLAGS != 0 {
            return Err(Malformed::new(0, "unknown flags"));
        }
        if cells == 0 || first_row.checked_add(cells).is_none() {
            return Err(Malformed::new(5, "impossible number of cells"));
        }
        let count = cells as usize;
        note("head", reader.at());
        let presence = parse_presence(body, &mut reader, first_row, count)?;
        note("presence", reader.at());
        let timestamps = Versions::parse(body, &mut reader, count)?;
        note("timestamps", reader.at());
        let has = |flag: u8| flags & flag != 0;
        let types = if has(HAS_TYPES) { Some(reader.skip(count)?) } else { None };
        note("types", reader.at());
        let sequences = match has(HAS_SEQUENCES) {
            true => Versions::parse(body, &mut reader, count)?,
            false => Versions::Zero,
        };
        note("sequence ids", reader.at());
        let mut blobs = |flag, name| {
            let blobs = if has(flag) { Some(Blobs::parse(body, &mut reader, count)?) } else { None };
            note(name, reader.at());
            Ok(blobs)
        };
        let tags = blobs(HAS_TAGS, "tags")?.map(Box::new);
        let qualifiers = blobs(HAS_QUALIFIERS, "qualifiers")?.map(Box::new);
        let values = blobs(HAS_VALUES, "values")?;
        reader.expect_end()?;
        Ok(CellPage { first_row, cells, presence, timestamps, types, sequences, tags, qualifiers, values })
    }

    /// First cell at or above a row, searching from `from`, a cell at or below that row.
    #[inline(always)]
    pub(crate) fn at_or_above(&self, body: &[u8], row: u32, from: CellAt) -> Option<CellAt> {
        match &self.presence {
            Presence::Dense => {
                let row = row.max(self.first_row);
                let index = row - self.first_row;
                (index < self.cells).then_some(CellAt { index, row })
            }
            Presence::Rows(ints) => {
                let above = u64::from(row.saturating_sub(self.first_row));
                let found = self.search_rows(body, ints, above, from.index);
                // Rows that do not ascend, which no writer produces, must not lead back: a walk would not end.
                let index = if from.row < row { found.max(from.index + 1) } else { found };
                self.cell_in_rows(body, ints, index)
            }
            Presence::Bitmap { bits, at } => {
                let found = self.search_bitmap(body, *bits, *at, row, from);
                (found.index < self.cells).then_some(found)
            }
        }
    }

    /// Whether a cell is an untagged put and the only one of its row in this page; false also for the page's last cell where rows may
    /// have several.
    #[inline]
    pub(crate) fn is_single_put(&self, body: &[u8], cell: CellAt) -> bool {
        self.types.is_none()
            && self.tags.is_none()
            && match &self.presence {
                Presence::Dense | Presence::Bitmap { .. } => true,
                Presence::Rows(_) => self.next(body, cell).is_some_and(|next| next.row != cell.row),
            }
    }

    /// Whether all cells are untagged puts of the page's one qualifier.
    pub(crate) fn is_of_untagged_puts(&self) -> bool {
        self.types.is_none() && self.tags.is_none() && self.qualifiers.is_none()
    }

    /// After a single put of a row that is not wanted: the next row whose value is wanted, that has no cell if such rows are
    /// wanted, or whose cells are not all here, or the one after the last that was evaluated; at the latest that of the page's last cell, whose row may
    /// go on in the next page.
    pub(crate) fn first_wanted_after(
        &self,
        body: &[u8],
        at: CellAt,
        matches: &mut CodeMatches,
        missing: impl FnOnce() -> bool,
        predicate: impl Fn(&[u8]) -> Verdict,
    ) -> Decoded<u32> {
        let in_runs = match &self.presence {
            Presence::Dense => true,
            Presence::Bitmap { .. } => !missing(),
            Presence::Rows(_) => false,
        };
        let last = self.cells - 1;
        if !in_runs || at.index >= last {
            return Ok(at.row.saturating_add(1));
        }
        let last = last.min(at.index.saturating_add(CELLS_PER_SEARCH_MAX).saturating_add(1));
        let cells = at.index as usize + 1..last as usize;
        let found = match &self.values {
            Some(values) => narrow::to_u32(values.first_wanted(body, cells, matches, predicate)?),
            None => last, // all are empty, as the one that is not wanted
        };
        if matches!(self.presence, Presence::Dense) {
            return Ok(at.row + (found - at.index));
        }
        let mut cell = at;
        while cell.index < found {
            cell = self.next(body, cell).ok_or(Malformed::new(0, "the bitmap does not fit the cells"))?;
        }
        Ok(cell.row)
    }

    /// The first cell of the page.
    pub(crate) fn first(&self) -> CellAt {
        CellAt { index: 0, row: self.first_row }
    }

    /// The cell after one.
    #[inline(always)]
    pub(crate) fn next(&self, body: &[u8], cell: CellAt) -> Option<CellAt> {
        match &self.presence {
            Presence::Rows(ints) => self.cell_in_rows(body, ints, cell.index + 1),
            _ => self.at_or_above(body, cell.row + 1, cell),
        }
    }

    #[inline]
    fn cell_in_rows(&self, body: &[u8], ints: &Ints, index: u32) -> Option<CellAt> {
        if index >= self.cells {
            return None;
        }
        let above = u32::try_from(ints.get(body, index as usize)).unwrap_or(u32::MAX);
        Some(CellAt { index, row: self.first_row.saturating_add(above) })
    }

    /// A few steps from the hint, as a forward walk needs; then binary search.
    fn search_rows(&self, body: &[u8], ints: &Ints, above: u64, from: u32) -> u32 {
        for index in from..(from + 8).min(self.cells) {
            if ints.get(body, index as usize) >= above {
                let known = index > from || index == 0 || ints.get(body, index as usize - 1) < above;
                if known {
                    return index;
                }
                break;
            }
        }
        narrow::to_u32(ints.lower_bound(body, above))
    }

    /// The first cell at or above a row; after the last one, a cell whose index is the number of cells. This is returned in two registers, an `Option`
    /// through memory.
    fn search_bitmap(&self, body: &[u8], bits: u32, at: usize, row: u32, from: CellAt) -> CellAt {
        let target = row.saturating_sub(self.first_row);
        let (mut bit, mut index) = match from.row.checked_sub(self.first_row) {
            Some(bit) if bit <= target => (bit, from.index),
            _ => (0, 0),
        };
        while bit < bits {
            let word = bitmap_word(body, at, bits, bit);
            if bit < target {
                let step = (target - bit).min(64);
                let mask = if step == 64 { u64::MAX } else { (1 << step) - 1 };
                index += (word & mask).count_ones();
                bit += step;
            } else if word == 0 {
                bit += 64;
            } else {
                let row = self.first_row + bit + word.trailing_zeros();
                return CellAt { index, row };
            }
        }
        CellAt { index: self.cells, row: u32::MAX }
    }

    /// A cell's timestamp; `of_row` is what its row shares.
    #[inline]
    pub(crate) fn timestamp(
        &self,
        body: &[u8],
        index: u32,
        of_row: impl FnOnce() -> Option<u64>,
    ) -> Decoded<i64> {
        self.timestamps.get(body, index, of_row).map(ints::to_i64)
    }

    #[inline]
    pub(crate) fn cell_type(&self, body: &[u8], index: u32) -> Decoded<CellType> {
        let Some(at) = self.types else { return Ok(CellType::PUT) };
        let at = at + index as usize;
        body.get(at)
            .and_then(|code| CellType::from_code(*code))
            .ok_or(Malformed::new(at, "unknown cell type"))
    }

    /// A cell's sequence id; `of_row` is what its row shares.
    #[inline]
    pub(crate) fn sequence(
        &self,
        body: &[u8],
        index: u32,
        of_row: impl FnOnce() -> Option<u64>,
    ) -> Decoded<u64> {
        self.sequences.get(body, index, of_row)
    }

    pub(crate) fn tags(&self) -> Option<&Blobs> {
        self.tags.as_deref()
    }

    pub(crate) fn qualifiers(&self) -> Option<&Blobs> {
        self.qualifiers.as_deref()
    }

    pub(crate) fn values(&self) -> Option<&Blobs> {
        self.values.as_ref()
    }
}

impl Versions {
    fn parse(body: &[u8], reader: &mut FieldReader<'_>, count: usize) -> Decoded<Versions> {
        if body.get(reader.at()) == Some(&VERSIONS_OF_ROWS) {
            reader.skip(1)?;
            return Ok(Versions::OfRows);
        }
        Ints::parse(body, reader, count).map(Versions::Own)
    }

    #[inline]
    fn get(&self, body: &[u8], index: u32, of_row: impl FnOnce() -> Option<u64>) -> Decoded<u64> {
        match self {
            Versions::Zero => Ok(0),
            Versions::Own(ints) => Ok(ints.get(body, index as usize)),
            Versions::OfRows => {
                of_row().ok_or(Malformed::new(index as usize, "a cell shares what its row does not have"))
            }
        }
    }
}

fn parse_presence(
    body: &[u8],
    reader: &mut FieldReader<'_>,
    first_row: u32,
    count: usize,
) -> Decoded<Presence> {
    let tag_at = reader.at();
    match reader.u8()? {
        PRESENCE_DENSE => Ok(Presence::Dense),
        PRESENCE_ROWS if count > body.len().saturating_mul(CELLS_PER_BYTE_MAX).max(CELLS_UNBOUND) => {
            Err(Malformed::new(5, "more cells than the page's bytes can tell apart"))
        }
        PRESENCE_ROWS => Ok(Presence::Rows(Ints::parse(body, reader, count)?)),
        PRESENCE_BITMAP => {
            let bits = reader.u32()?;
            let at = reader.skip((bits as usize).div_ceil(8))?;
            let set: u32 =
                (0..bits).step_by(64).map(|bit| bitmap_word(body, at, bits, bit).count_ones()).sum();
            if set as usize != count || first_row.checked_add(bits).is_none() {
                return Err(Malformed::new(tag_at, "the bitmap does not fit the cells"));
            }
            Ok(Presence::Bitmap { bits, at })
        }
        _ => Err(Malformed::new(tag_at, "unknown presence encoding")),
    }
}
