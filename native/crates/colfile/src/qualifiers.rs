//! Which qualifiers a file has.

use std::collections::BTreeSet;

use crate::cell_page::CellPage;
use crate::column_file::ColumnFile;
use crate::encoding::blobs::Scratch;
use crate::error::{Decoded, Malformed, Result};
use crate::page_source::{Access, PageSource};

/// Distinct qualifiers, as long as they are few.
#[derive(Debug)]
pub struct Qualifiers {
    names: BTreeSet<Box<[u8]>>,
    /// Bytes of the names.
    bytes: usize,
    names_max: usize,
    bytes_max: usize,
    overflown: bool,
}

impl Qualifiers {
    /// An empty set with limits: the number of names, and their bytes together.
    pub fn of_at_most(names_max: usize, bytes_max: usize) -> Qualifiers {
        Qualifiers { names: BTreeSet::new(), bytes: 0, names_max, bytes_max, overflown: false }
    }

    /// Whether there were more than it takes. Nothing is added from then on.
    pub fn has_overflown(&self) -> bool {
        self.overflown
    }

    /// The names, ascending.
    pub fn into_names(self) -> impl Iterator<Item = Vec<u8>> {
        self.names.into_iter().map(Vec::from)
    }

    fn add(&mut self, name: &[u8]) {
        if self.overflown || self.names.contains(name) {
            return;
        }
        let bytes = self.bytes + name.len();
        self.overflown = self.names.len() >= self.names_max || bytes > self.bytes_max;
        if !self.overflown {
            self.bytes = bytes;
            self.names.insert(name.into());
        }
    }
}

impl ColumnFile {
    /// Adds the qualifiers of the file's cells. Those with a column of their own are known from the footer; the rare ones are read, page by page,
    /// until `found` overflows.
    pub fn add_qualifiers(&self, pages: &dyn PageSource, found: &mut Qualifiers) -> Result<()> {
        for name in &self.footer.qualifiers {
            found.add(name);
        }
        for group in &self.footer.groups {
            for entry in &group.mixed.pages {
                if found.has_overflown() {
                    return Ok(());
                }
                let page = pages.page(entry.at, Access::READ_THROUGH)?;
                let added = add_of_page(page.body(), group.rows, found);
                added.map_err(|m| m.in_page(&self.name, entry.at.offset))?;
            }
        }
        Ok(())
    }
}

/// Adds the qualifiers of a page of a row group that has `rows`.
fn add_of_page(body: &[u8], rows: u32, found: &mut Qualifiers) -> Decoded<()> {
    let cells = CellPage::parse(body)?;
    cells.check_rows(body, rows)?;
    let names =
        cells.qualifiers().ok_or(Malformed::new(0, "a page of rare qualifiers does not name them"))?;
    let mut name = Scratch::default();
    for index in 0..cells.cells as usize {
        if found.has_overflown() {
            break;
        }
        let located = names.locate(body, index)?;
        name.load(body, located)?;
        found.add(name.slice(body, located));
    }
    Ok(())
}
