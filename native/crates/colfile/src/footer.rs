//! The footer: what every page is, where it is, and what may be skipped. It stays in memory while the file is open.
//!
//! The body is written field by field: fixed fields little-endian, counts and lengths LEB128; the layout is in
//! `docs/format/colfile.md`.

use grampus_cells::{RowOrder, ValueBounds};

use crate::BloomKind;
use crate::allocation::allocated;
use crate::bytes::{FieldReader, put_blob, put_varint};
use crate::error::{Decoded, Malformed};
use crate::format_version::{FORMAT_MAJOR, FORMAT_MAJOR_MIN, FORMAT_MINOR, ROWS_SINCE, SINGLE_PUTS_SINCE};
use crate::page::{PageAt, PageKind};
use crate::row_keys::ROWS_PER_BYTE_MAX;
use crate::zone_map::{self, CellStats};
use known::Known;

/// One page in a chunk's directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageEntry {
    pub(crate) at: PageAt,
    /// Ordinal of the first row in it, within the row group; for a bloom page its first block.
    pub(crate) first_row: u32,
    /// True when the page before it ends in the same row.
    pub(crate) continues: bool,
    /// First row key of a row-key page, first qualifier of a mixed page, else empty.
    pub(crate) first_key: Box<[u8]>,
}

/// Pages of one kind (and, for a column, one qualifier) of a row group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Chunk {
    pub(crate) pages: Vec<PageEntry>,
    /// First rows of the pages once more, side by side for searching; only in a footer that was read.
    first_rows: Box<[u32]>,
}

/// A qualifier's cells in a row group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    /// Position in [`Footer::qualifiers`].
    pub(crate) qualifier: u32,
    pub(crate) stats: CellStats,
    pub(crate) values: ValueBounds,
    /// All its cells are puts without tags, at most one in a row. False where a file of an older version does not say.
    pub(crate) single_puts: bool,
    pub(crate) chunk: Chunk,
}

/// One row group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowGroup {
    pub(crate) rows: u32,
    pub(crate) first_row: Box<[u8]>,
    pub(crate) last_row: Box<[u8]>,
    pub(crate) stats: CellStats,
    pub(crate) row_keys: Chunk,
    pub(crate) family_deletes: Chunk,
    /// In qualifier order.
    pub(crate) columns: Vec<Column>,
    pub(crate) mixed: Chunk,
    pub(crate) bloom: Chunk,
    /// Blocks of the bloom filter over all its pages; 0 without one.
    pub(crate) bloom_blocks: u32,
}

/// The whole footer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Footer {
    pub(crate) row_order: RowOrder,
    pub(crate) bloom: BloomKind,
    pub(crate) rows: u64,
    pub(crate) stats: CellStats,
    /// Smallest and largest sequence id of the cells.
    pub(crate) sequences: (u64, u64),
    /// Family delete markers among the cells.
    pub(crate) family_deletes: u64,
    /// Bytes of keys and values as HBase counts them.
    pub(crate) key_bytes: u64,
    pub(crate) value_bytes: u64,
    /// Qualifiers that have a column in some row group, ascending.
    pub(crate) qualifiers: Vec<Box<[u8]>>,
    pub(crate) groups: Vec<RowGroup>,
}

impl Chunk {
    fn heap_bytes(&self) -> usize {
        let keys: usize = self.pages.iter().map(|page| allocated(page.first_key.len())).sum();
        let pages = allocated(self.pages.capacity() * size_of::<PageEntry>());
        keys + pages + allocated(size_of_val(&*self.first_rows))
    }
}

impl RowGroup {
    fn heap_bytes(&self) -> usize {
        let column = |c: &Column| zone_map::heap_bytes(&c.values) + c.chunk.heap_bytes();
        let chunks = [&self.row_keys, &self.family_deletes, &self.mixed, &self.bloom];
        let chunks: usize = chunks.iter().map(|chunk| chunk.heap_bytes()).sum();
        let columns: usize = self.columns.iter().map(column).sum();
        let lines = allocated(self.columns.capacity() * size_of::<Column>());
        allocated(self.first_row.len()) + allocated(self.last_row.len()) + chunks + lines + columns
    }
}

impl Footer {
    /// Bytes of memory outside the struct itself.
    pub(crate) fn heap_bytes(&self) -> usize {
        let qualifiers: usize = self.qualifiers.iter().map(|q| allocated(q.len())).sum();
        let groups: usize = self.groups.iter().map(RowGroup::heap_bytes).sum();
        let lines = allocated(self.qualifiers.capacity() * size_of::<Box<[u8]>>())
            + allocated(self.groups.capacity() * size_of::<RowGroup>());
        qualifiers + groups + lines
    }

    /// The footer page's body.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend_from_slice(&FORMAT_MAJOR.to_le_bytes());
        out.extend_from_slice(&FORMAT_MINOR.to_le_bytes());
        out.push(matches!(self.row_order, RowOrder::Meta).into());
        match self.bloom {
            BloomKind::None => out.push(0),
            BloomKind::Row => out.push(1),
            BloomKind::RowCol => out.push(2),
            BloomKind::RowPrefix(len) => {
                out.push(3);
                put_varint(&mut out, u64::from(len));
            }
        }
        put_varint(&mut out, self.rows);
        self.stats.write(&mut out);
        for value in
            [self.sequences.0, self.sequences.1, self.family_deletes, self.key_bytes, self.value_bytes]
        {
            put_varint(&mut out, value);
        }
        put_varint(&mut out, self.qualifiers.len() as u64);
        self.qualifiers.iter().for_each(|q| put_blob(&mut out, q));
        put_varint(&mut out, self.groups.len() as u64);
        self.groups.iter().for_each(|group| group.encode(&mut out));
        self.groups.iter().for_each(|group| group.encode_single_puts(&mut out));
        out
    }

    /// Decodes a body whose pages all end at or before `pages_end`.
    pub(crate) fn decode(body: &[u8], pages_end: u64) -> Decoded<Footer> {
        let mut reader = FieldReader::new(body);
        let version @ (major, _) = (reader.u16()?, reader.u16()?);
        if !(FORMAT_MAJOR_MIN..=FORMAT_MAJOR).contains(&major) {
            return Err(Malformed::new(0, "unknown version"));
        }
        let row_keys = if version < ROWS_SINCE { PageKind::RowKeys } else { PageKind::Rows };
        let (row_order, bloom) = (decode_row_order(&mut reader)?, decode_bloom_kind(&mut reader)?);
        let (rows, stats) = (reader.varint()?, CellStats::read(&mut reader)?);
        let sequences = (reader.varint()?, reader.varint()?);
        let (family_deletes, key_bytes, value_bytes) = (reader.varint()?, reader.varint()?, reader.varint()?);
        let mut known = Known::new(row_order, row_keys, pages_end);
        let qualifiers = decode_qualifiers(&mut reader, &known)?;
        known.qualifiers = qualifiers.len();
        let count = known.count(&mut reader, 32)?;
        let mut groups = Vec::with_capacity(count);
        for _ in 0..count {
            groups.push(RowGroup::decode(&mut reader, &mut known)?);
        }
        if version >= SINGLE_PUTS_SINCE {
            for group in &mut groups {
                group.decode_single_puts(&mut reader)?;
            }
        }
        // A later minor version may have more fields at the end.
        if version <= (FORMAT_MAJOR, FORMAT_MINOR) {
            reader.expect_end()?;
        }
        check_groups(&reader, &groups, rows, row_order)?;
        Ok(Footer {
            row_order,
            bloom,
            rows,
            stats,
            sequences,
            family_deletes,
            key_bytes,
            value_bytes,
            qualifiers,
            groups,
        })
    }
}

fn decode_row_order(reader: &mut FieldReader<'_>) -> Decoded<RowOrder> {
    match reader.u8()? {
        0 => Ok(RowOrder::Bytes),
        1 => Ok(RowOrder::Meta),
        _ => reader.malformed("unknown row order"),
    }
}

fn decode_bloom_kind(reader: &mut FieldReader<'_>) -> Decoded<BloomKind> {
    match reader.u8()? {
        0 => Ok(BloomKind::None),
        1 => Ok(BloomKind::Row),
        2 => Ok(BloomKind::RowCol),
        3 => Ok(BloomKind::RowPrefix(reader.varint_u32()?)),
        _ => reader.malformed("unknown bloom filter kind"),
    }
}

fn decode_qualifiers(reader: &mut FieldReader<'_>, known: &Known) -> Decoded<Vec<Box<[u8]>>> {
    let count = known.count(reader, 1)?;
    let mut qualifiers: Vec<Box<[u8]>> = Vec::with_capacity(count);
    for _ in 0..count {
        let qualifier = reader.blob()?;
        if qualifiers.last().is_some_and(|last| **last >= *qualifier) {
            return reader.malformed("the qualifiers do not ascend");
        }
        qualifiers.push(qualifier.into());
    }
    Ok(qualifiers)
}

fn check_groups(reader: &FieldReader<'_>, groups: &[RowGroup], rows: u64, order: RowOrder) -> Decoded<()> {
    if groups.iter().map(|g| u64::from(g.rows)).sum::<u64>() != rows {
        return reader.malformed("the row groups' rows do not add up");
    }
    if !groups.is_sorted_by(|a, b| order.compare(&a.last_row, &b.first_row).is_lt()) {
        return reader.malformed("the row groups do not ascend");
    }
    Ok(())
}

impl RowGroup {
    fn encode(&self, out: &mut Vec<u8>) {
        put_varint(out, u64::from(self.rows));
        put_blob(out, &self.first_row);
        put_blob(out, &self.last_row);
        self.stats.write(out);
        self.row_keys.encode(out, true);
        self.family_deletes.encode(out, false);
        self.mixed.encode(out, true);
        self.bloom.encode(out, false);
        put_varint(out, u64::from(self.bloom_blocks));
        put_varint(out, self.columns.len() as u64);
        for column in &self.columns {
            put_varint(out, u64::from(column.qualifier));
            column.stats.write(out);
            zone_map::write_values(&column.values, out);
            column.chunk.encode(out, false);
        }
    }

    fn decode(reader: &mut FieldReader<'_>, known: &mut Known) -> Decoded<RowGroup> {
        let rows = reader.varint_u32()?;
        let (first_row, last_row): (Box<[u8]>, Box<[u8]>) = (reader.blob()?.into(), reader.blob()?.into());
        if rows == 0 || known.order.compare(&first_row, &last_row).is_gt() {
            return reader.malformed("a row group has no rows, or they do not ascend");
        }
        let stats = CellStats::read(reader)?;
        let row_keys = Chunk::decode(reader, known.row_keys, rows, known)?;
        let family_deletes = Chunk::decode(reader, PageKind::FamilyDeletes, rows, known)?;
        let mixed = Chunk::decode(reader, PageKind::Mixed, rows, known)?;
        let bloom = Chunk::decode(reader, PageKind::Bloom, u32::MAX, known)?;
        let bloom_blocks = reader.varint_u32()?;
        if row_keys.pages.is_empty() || bloom.pages.is_empty() != (bloom_blocks == 0) {
            return reader.malformed("a row group lacks its row keys or its bloom filter");
        }
        check_row_keys(reader, &row_keys.pages, rows)?;
        let columns = decode_columns(reader, rows, known)?;
        Ok(RowGroup {
            rows,
            first_row,
            last_row,
            stats,
            row_keys,
            family_deletes,
            columns,
            mixed,
            bloom,
            bloom_blocks,
        })
    }

    /// A bit per column, lowest first, filled up to a byte.
    fn encode_single_puts(&self, out: &mut Vec<u8>) {
        for columns in self.columns.chunks(8) {
            out.push(columns.iter().rev().fold(0, |bits, column| bits << 1 | u8::from(column.single_puts)));
        }
    }

    fn decode_single_puts(&mut self, reader: &mut FieldReader<'_>) -> Decoded<()> {
        for columns in self.columns.chunks_mut(8) {
            let bits = reader.u8()?;
            if u32::from(bits) >> columns.len() != 0 {
                return reader.malformed("a row group has more columns of single puts than columns");
            }
            columns
                .iter_mut()
                .enumerate()
                .for_each(|(bit, column)| column.single_puts = bits >> bit & 1 == 1);
        }
        Ok(())
    }

    /// All of its pages, chunk by chunk.
    pub(crate) fn pages(&self) -> impl Iterator<Item = &PageEntry> {
        let chunks = [&self.row_keys, &self.family_deletes, &self.mixed, &self.bloom];
        let columns = self.columns.iter().map(|c| &c.chunk);
        chunks.into_iter().chain(columns).flat_map(|c| &c.pages)
    }

    /// Bytes of the row group in the file.
    pub(crate) fn stored_bytes(&self) -> u64 {
        self.pages().map(|p| u64::from(p.at.stored_len)).sum()
    }
}

/// A row group has no more rows than its keys can tell apart: a few bytes may say that there are billions, which a walk would come to.
fn check_row_keys(reader: &FieldReader<'_>, pages: &[PageEntry], rows: u32) -> Decoded<()> {
    let mut ends = pages.iter().skip(1).map(|next| next.first_row).chain([rows]);
    let fits = |page: &PageEntry, end: u32| {
        u64::from(end - page.first_row) <= (1 + u64::from(page.at.raw_len)) * ROWS_PER_BYTE_MAX
    };
    match pages.iter().all(|page| ends.next().is_some_and(|end| fits(page, end))) {
        true => Ok(()),
        false => reader.malformed("a page of row keys has more rows than its bytes can tell apart"),
    }
}

/// The columns of a row group; their single puts are not known yet.
fn decode_columns(reader: &mut FieldReader<'_>, rows: u32, known: &mut Known) -> Decoded<Vec<Column>> {
    let count = known.count(reader, 20)?;
    let mut columns: Vec<Column> = Vec::with_capacity(count);
    for _ in 0..count {
        let qualifier = reader.varint_u32()?;
        if qualifier as usize >= known.qualifiers {
            return reader.malformed("a column has no qualifier");
        }
        if columns.last().is_some_and(|last| last.qualifier >= qualifier) {
            return reader.malformed("a row group's columns do not ascend");
        }
        let (stats, values) = (CellStats::read(reader)?, zone_map::read_values(reader)?);
        let chunk = Chunk::decode(reader, PageKind::Column, rows, known)?;
        columns.push(Column { qualifier, stats, values, single_puts: false, chunk });
    }
    Ok(columns)
}

impl PageEntry {
    fn decode(reader: &mut FieldReader<'_>, kind: PageKind, pages_end: u64) -> Decoded<PageEntry> {
        let (offset, stored_len, raw_len) = (reader.varint()?, reader.varint_u32()?, reader.varint_u32()?);
        let row = reader.varint()?;
        let with_keys = matches!(kind, PageKind::RowKeys | PageKind::Rows | PageKind::Mixed);
        let first_key = if with_keys { reader.blob()?.into() } else { Box::default() };
        let at = PageAt { offset, stored_len, raw_len, kind };
        let inside = offset.checked_add(u64::from(stored_len)).is_some_and(|end| end <= pages_end);
        if !inside || !at.is_possible() {
            return reader.malformed("a page lies outside the payload, or has an impossible length");
        }
        let first_row = u32::try_from(row >> 1).unwrap_or(u32::MAX);
        Ok(PageEntry { at, first_row, continues: row & 1 == 1, first_key })
    }
}

impl Chunk {
    fn encode(&self, out: &mut Vec<u8>, with_keys: bool) {
        put_varint(out, self.pages.len() as u64);
        for page in &self.pages {
            put_varint(out, page.at.offset);
            put_varint(out, u64::from(page.at.stored_len));
            put_varint(out, u64::from(page.at.raw_len));
            put_varint(out, u64::from(page.first_row) << 1 | u64::from(page.continues));
            if with_keys {
                put_blob(out, &page.first_key);
            }
        }
    }

    fn decode(reader: &mut FieldReader<'_>, kind: PageKind, rows: u32, known: &mut Known) -> Decoded<Chunk> {
        let count = known.count(reader, 4)?;
        known.pages_left -= count;
        let mut pages: Vec<PageEntry> = Vec::with_capacity(count);
        for _ in 0..count {
            let page = PageEntry::decode(reader, kind, known.pages_end)?;
            known.take_bytes(reader, page.at.stored_len)?;
            let ascends = match pages.last() {
                Some(previous) if page.continues => previous.first_row <= page.first_row,
                Some(previous) => previous.first_row < page.first_row,
                None => !page.continues,
            };
            if page.first_row >= rows || !ascends {
                return reader.malformed("a page's first row is out of order");
            }
            pages.push(page);
        }
        let first_rows = pages.iter().map(|p| p.first_row).collect();
        Ok(Chunk { pages, first_rows })
    }

    /// The first page that may hold a row: the last page at or below it, or the first of those that continue it.
    pub(crate) fn find(&self, row: u32) -> Option<usize> {
        let mut index = self.first_rows.partition_point(|first| *first <= row).checked_sub(1)?;
        while self.pages.get(index).is_some_and(|p| p.continues && p.first_row == row) {
            index = index.checked_sub(1)?;
        }
        Some(index)
    }
}

mod known;
#[cfg(test)]
mod tests;
