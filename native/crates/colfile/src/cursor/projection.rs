//! Projection: the columns that a cursor is asked for. Entering a row group opens a stream for each of them that the group has; of other columns
//! only what lies in mixed pages is read.

use super::FileCursor;
use super::stream::{Stream, StreamKind};
use crate::column_file::ColumnFile;
use crate::error::Result;

/// Qualifiers asked for, and the numbers (places in `Footer::qualifiers`) of those that the file has columns of.
pub(super) struct Projection {
    /// For the rare ones; empty where the file has none.
    pub(super) qualifiers: Vec<Box<[u8]>>,
    numbers: Vec<u32>,
}

impl Projection {
    pub(super) fn of(file: &ColumnFile, qualifiers: &[&[u8]]) -> Projection {
        Projection {
            numbers: qualifiers.iter().filter_map(|q| file.qualifier_number(q)).collect(),
            qualifiers: match file.has_mixed {
                true => qualifiers.iter().map(|q| (*q).into()).collect(),
                false => Vec::new(),
            },
        }
    }
}

impl FileCursor {
    /// Whether the cells of a qualifier, by its number, are asked for.
    pub(super) fn projects(&self, number: u32) -> bool {
        self.projection.as_ref().is_none_or(|projection| projection.numbers.contains(&number))
    }

    /// Sets the streams up for a row group; false when it has nothing that was asked for.
    pub(super) fn prepare_group(&mut self, group: usize) -> Result<bool> {
        let Some(info) = self.file.footer.groups.get(group) else { return Ok(false) };
        let (from, to) = self.times;
        if info.stats.times.max < from || info.stats.times.min > to {
            return Ok(false);
        }
        self.columns.clear();
        let wanted = self.projection.as_ref().map_or(info.columns.len(), |p| p.numbers.len());
        self.columns.reserve_exact(wanted);
        match &self.projection {
            None => self.columns.extend((0..info.columns.len()).map(|c| Stream::of_column(info, c))),
            Some(projection) => {
                for number in &projection.numbers {
                    if let Ok(c) = info.columns.binary_search_by_key(number, |c| c.qualifier) {
                        self.columns.push(Stream::of_column(info, c));
                    }
                }
            }
        }
        self.family_deletes = Stream::of_rare(info, StreamKind::FamilyDeletes);
        self.mixed = Stream::of_rare(info, StreamKind::Mixed);
        self.rows.enter(info.rows);
        self.group = Some(group);
        self.group_inside = self.is_inside(info);
        Ok(!self.columns.is_empty() || self.has_rare())
    }
}
