//! What a file consists of, and where its bytes are: for measuring and for tools, not for reading cells.

use std::collections::BTreeMap;
use std::sync::Arc;

use grampus_base::RandomRead;
use grampus_cells::ValueBounds;

use crate::bytes::FieldReader;
use crate::cell_page::CellPage;
use crate::column_file::footer_place;
use crate::encoding::Blobs;
use crate::error::{Decoded, Malformed, Result};
use crate::footer::Chunk;
use crate::page::{PageKind, open_page, read_page, read_stored, stored_compression};
use crate::row_keys::RowKeyPage;
use crate::zone_map::CellStats;
use crate::{BloomKind, ColumnFile, Compression, PageAt, bloom};

/// All pages of one kind and, for columns, of one qualifier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// Pages.
    pub pages: usize,
    /// Bytes in the file, page headers included.
    pub stored_bytes: u64,
    /// Bytes of the bodies before compression.
    pub raw_bytes: u64,
    /// Bytes of the parts of cell and row pages before compression, by name.
    pub parts: BTreeMap<&'static str, u64>,
    /// Bytes in the file of the same parts: a page's are shared out by the size of its parts before compression.
    pub stored_parts: BTreeMap<&'static str, u64>,
    /// Pages per encoding of the values or keys, by name.
    pub encodings: BTreeMap<String, usize>,
    /// Pages per compression, in the order of [`Compression::ALL`].
    pub compressions: [usize; Compression::ALL.len()],
}

/// Areas by page kind (a number of the format) and qualifier.
pub type Areas = BTreeMap<(u8, Vec<u8>), Area>;

/// A qualifier that has pages of its own.
#[derive(Clone, Debug)]
pub struct ColumnInfo<'a> {
    /// The qualifier.
    pub qualifier: &'a [u8],
    /// Row groups in which it has pages of its own; in others it may be among the rare ones.
    pub row_groups: usize,
    /// Those among them in which it is known to have nothing but puts without tags, at most one in a row.
    pub single_put_row_groups: usize,
    /// Cells in these row groups, and their bounds.
    pub stats: CellStats,
    /// Bounds of the values of its puts there.
    pub values: ValueBounds,
}

impl ColumnFile {
    /// Kind of the bloom filter.
    pub fn bloom_kind(&self) -> BloomKind {
        self.footer.bloom
    }

    /// Name of the family, which the file keeps in the keys of its tail; `None` for a file without rows.
    pub fn family(&self) -> Option<&[u8]> {
        let (row_len, key) = self.info().get("hfile.LASTKEY")?.split_first_chunk::<2>()?;
        let (family_len, rest) = key.get(usize::from(u16::from_be_bytes(*row_len))..)?.split_first()?;
        rest.get(..usize::from(*family_len))
    }

    /// Bytes of keys and of values as HBase counts them.
    pub fn key_value_bytes(&self) -> (u64, u64) {
        (self.footer.key_bytes, self.footer.value_bytes)
    }

    /// Where the footer is; the tail follows it.
    pub fn footer_at(&self) -> Result<PageAt> {
        footer_place(self.info()).map_err(|m| m.in_page(&self.name, 0))
    }

    /// The qualifiers that have pages of their own somewhere, in order.
    pub fn columns(&self) -> Vec<ColumnInfo<'_>> {
        let mut columns: Vec<ColumnInfo<'_>> =
            self.footer.qualifiers.iter().map(|q| ColumnInfo::new(q)).collect();
        for column in self.footer.groups.iter().flat_map(|g| &g.columns) {
            if let Some(info) = columns.get_mut(column.qualifier as usize) {
                info.row_groups += 1;
                info.single_put_row_groups += usize::from(column.single_puts);
                info.stats.merge(column.stats);
                info.values.merge(&column.values);
            }
        }
        columns
    }
}

impl<'a> ColumnInfo<'a> {
    fn new(qualifier: &'a [u8]) -> ColumnInfo<'a> {
        let (stats, values) = (CellStats::EMPTY, ValueBounds::default());
        ColumnInfo { qualifier, row_groups: 0, single_put_row_groups: 0, stats, values }
    }
}

/// Major and minor version of the format that a file's footer names.
pub fn format_version(file: &ColumnFile, source: &dyn RandomRead) -> Result<(u16, u16)> {
    let at = file.footer_at()?;
    let page = read_page(source, at)?;
    let mut reader = FieldReader::new(page.body());
    let mut field = || reader.u16().map_err(|m| m.in_page(source.name(), at.offset));
    Ok((field()?, field()?))
}

/// Reads every page but the footer and says what takes how much. Decodes the pages' structure, not their cells.
pub fn areas(file: &ColumnFile, source: &Arc<dyn RandomRead>) -> Result<Areas> {
    let mut areas = Areas::new();
    for group in &file.footer.groups {
        let others = [
            (PageKind::Rows, &group.row_keys),
            (PageKind::FamilyDeletes, &group.family_deletes),
            (PageKind::Mixed, &group.mixed),
            (PageKind::Bloom, &group.bloom),
        ];
        for (kind, chunk) in others {
            areas.entry((kind as u8, Vec::new())).or_default().add(kind, chunk, source)?;
        }
        for column in &group.columns {
            let qualifier = file.footer.qualifiers.get(column.qualifier as usize);
            let key = (PageKind::Column as u8, qualifier.map_or_else(Vec::new, |q| q.to_vec()));
            areas.entry(key).or_default().add(PageKind::Column, &column.chunk, source)?;
        }
    }
    areas.retain(|_, area| area.pages > 0);
    Ok(areas)
}

impl Area {
    fn add(&mut self, kind: PageKind, chunk: &Chunk, source: &Arc<dyn RandomRead>) -> Result<()> {
        for entry in &chunk.pages {
            let stored = read_stored(source.as_ref(), entry.at)?;
            let compression = stored_compression(&stored);
            let parsed = open_page(stored, entry.at).and_then(|page| parts(kind, page.body(), entry.at.kind));
            let (parts, encoding) = parsed.map_err(|m| m.in_page(source.name(), entry.at.offset))?;
            self.pages += 1;
            self.stored_bytes += u64::from(entry.at.stored_len);
            self.raw_bytes += u64::from(entry.at.raw_len);
            self.add_parts(&parts, entry.at);
            if let Some(pages) = self.compressions.get_mut(compression as usize) {
                *pages += 1;
            }
            if let Some(encoding) = encoding {
                *self.encodings.entry(encoding).or_default() += 1;
            }
        }
        Ok(())
    }

    fn add_parts(&mut self, parts: &[(&'static str, usize)], at: PageAt) {
        let mut start = 0;
        for (name, end) in parts {
            let bytes = (end - start) as u64;
            start = *end;
            *self.parts.entry(name).or_default() += bytes;
            let stored = bytes * u64::from(at.stored_len) / u64::from(at.raw_len.max(1));
            *self.stored_parts.entry(name).or_default() += stored;
        }
    }
}

/// Name and end of each part of a page's body.
type Parts = Vec<(&'static str, usize)>;

/// The parts of a page and how its values or keys are encoded.
fn parts(kind: PageKind, body: &[u8], stored_kind: PageKind) -> Decoded<(Parts, Option<String>)> {
    let mut parts = Parts::new();
    let note = |name, end| parts.push((name, end));
    let encoding = match kind {
        PageKind::Bloom if !body.len().is_multiple_of(bloom::BLOCK_BYTES) => {
            return Err(Malformed::new(body.len(), "a bloom filter is cut short"));
        }
        PageKind::Bloom => None,
        PageKind::Rows => Some(RowKeyPage::parse_noting(body, stored_kind, note)?.describe()),
        _ => {
            let cells = CellPage::parse_noting(body, note)?;
            Some(cells.values().map_or_else(|| "empty".to_string(), Blobs::describe))
        }
    };
    Ok((parts, encoding))
}
