//! Where the bytes of a file are: for measuring and for tools, not for reading cells.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::cell_page::CellPage;
use crate::encoding::Blobs;
use crate::error::Result;
use crate::footer::Chunk;
use crate::page::{PageKind, read_page};
use crate::row_keys::RowKeyPage;
use crate::{ColumnFile, RandomRead};

/// All pages of one kind and, for columns, of one qualifier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// Pages.
    pub pages: usize,
    /// Bytes in the file, page headers included.
    pub stored_bytes: u64,
    /// Bytes of the bodies before compression.
    pub raw_bytes: u64,
    /// Bytes of the parts of cell pages before compression, by name.
    pub parts: BTreeMap<&'static str, u64>,
    /// Pages per encoding of the values or keys, by name.
    pub encodings: BTreeMap<String, usize>,
}

/// Reads every page but the footer and says what takes how much, by kind (a number of the format) and qualifier.
pub fn areas(file: &ColumnFile, source: &Arc<dyn RandomRead>) -> Result<BTreeMap<(u8, Vec<u8>), Area>> {
    let mut areas: BTreeMap<(u8, Vec<u8>), Area> = BTreeMap::new();
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
            self.pages += 1;
            self.stored_bytes += u64::from(entry.at.stored_len);
            self.raw_bytes += u64::from(entry.at.raw_len);
            if kind == PageKind::Bloom {
                continue;
            }
            let page = read_page(source.as_ref(), entry.at)?;
            if kind == PageKind::Rows {
                let rows = RowKeyPage::parse(page.body(), entry.at.kind)
                    .map_err(|m| m.in_page(source.name(), entry.at.offset))?;
                *self.encodings.entry(rows.describe()).or_default() += 1;
                continue;
            }
            let mut start = 0;
            let note = |name, end| {
                *self.parts.entry(name).or_default() += (end - start) as u64;
                start = end;
            };
            let cells = CellPage::parse_noting(page.body(), note)
                .map_err(|m| m.in_page(source.name(), entry.at.offset))?;
            let encoding = cells.values().map_or_else(|| "empty".to_string(), Blobs::describe);
            *self.encodings.entry(encoding).or_default() += 1;
        }
        Ok(())
    }
}
