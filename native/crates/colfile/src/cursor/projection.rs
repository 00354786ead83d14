//! Projection: the columns that a cursor is asked for. Entering a row group opens a stream for each of them that the group has; the pages of other
//! columns are never read.

use super::FileCursor;
use super::stream::{Stream, StreamKind};
use crate::column_file::ColumnFile;
use crate::error::Result;
use crate::footer::RowGroup;

/// Qualifiers asked for, with their numbers in the footer where they have one.
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

    /// Sets the streams up for a group; false when it has nothing that was asked for.
    pub(super) fn prepare_group(&mut self, group: usize) -> Result<bool> {
        let Some(info) = self.file.footer.groups.get(group) else { return Ok(false) };
        let (from, to) = self.times;
        if info.stats.times.max < from || info.stats.times.min > to {
            return Ok(false);
        }
        self.columns_len = 0;
        let wanted = self.projection.as_ref().map_or(info.columns.len(), |p| p.numbers.len());
        self.columns.reserve_exact(wanted.saturating_sub(self.columns.len()));
        match &self.projection {
            None => (0..info.columns.len())
                .for_each(|c| push_stream(&mut self.columns, &mut self.columns_len, info, c)),
            Some(projection) => {
                for number in &projection.numbers {
                    if let Ok(c) = info.columns.binary_search_by_key(number, |c| c.qualifier) {
                        push_stream(&mut self.columns, &mut self.columns_len, info, c);
                    }
                }
            }
        }
        self.columns.truncate(self.columns_len); // the others have pages of the group before
        self.family_deletes = Stream::of_rare(info, StreamKind::FamilyDeletes);
        self.mixed = Stream::of_rare(info, StreamKind::Mixed);
        self.rows.enter(info.rows);
        self.group = Some(group);
        self.group_inside = self.is_inside(info);
        Ok(self.columns_len > 0 || self.has_rare())
    }
}

/// Takes the next place of the pool for a column.
fn push_stream(columns: &mut Vec<Stream>, len: &mut usize, group: &RowGroup, column: usize) {
    let stream = Stream::of_column(group, column);
    match columns.get_mut(*len) {
        Some(place) => *place = stream,
        None => columns.push(stream),
    }
    *len += 1;
}
