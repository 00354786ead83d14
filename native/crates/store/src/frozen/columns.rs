//! The columns that a frozen region has.

use grampus_base::Result;
use grampus_colfile::Qualifiers;

use super::FrozenRegion;

/// Bytes that the names of a family's columns may have together. A table with more is no table with columns for each.
const NAME_BYTES_MAX: usize = 16 << 20;

/// The columns of a family that its files have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyColumns {
    /// Name of the family.
    pub family: Vec<u8>,
    /// Qualifiers, ascending.
    pub qualifiers: Vec<Vec<u8>>,
    /// Whether these are all. If not, they are some.
    pub complete: bool,
}

impl FrozenRegion {
    /// The columns that the files have, family by family, at most `most` of each. Of some there may be no cell: only deleted ones, or in another
    /// part of a file that two regions share. Most are known from the files' footers; pages of rare columns are read.
    ///
    /// # Errors
    /// A file is an HFile that HBase wrote, or cannot be read.
    pub fn columns(&self, most: usize) -> Result<Vec<FamilyColumns>> {
        self.stores
            .iter()
            .map(|store| {
                let mut found = Qualifiers::of_at_most(most, NAME_BYTES_MAX);
                for file in store.files.files() {
                    file.add_qualifiers(&mut found)?;
                }
                let family = store.config.name.clone();
                let complete = !found.has_overflown();
                Ok(FamilyColumns { family, qualifiers: found.into_names().collect(), complete })
            })
            .collect()
    }
}
