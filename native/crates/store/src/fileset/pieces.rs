//! Files cut by rows: for splits of a region, and for readers that take a part of one each.

use std::sync::Arc;

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::RowOrder;

use crate::fileset::parts::Parts;
use crate::fileset::piece::Piece;
use crate::fileset::reference::Clip;
use crate::fileset::store_file::{RowGroupSpan, StoreFile, share};

/// The row groups of files that may overlap, as far as they lie in a range of rows.
pub struct RowGroups<'a> {
    order: RowOrder,
    groups: Vec<(&'a StoreFile, RowGroupSpan<'a>)>,
}

/// A row group among those of all files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupAmong {
    /// Its bytes.
    pub bytes: u64,
    /// Bytes of the groups that end before it begins.
    pub below: u64,
    /// Bytes of the groups that begin before it ends, its own included.
    pub begun: u64,
    /// Groups that may share rows with it, itself included.
    pub overlapping: u64,
    /// Its rows.
    pub rows: u64,
}

impl<'a> RowGroups<'a> {
    /// Those of files. Reads a page of row keys for each row group that lies inside the bounds in part.
    pub fn of(
        files: impl IntoIterator<Item = &'a Arc<StoreFile>>,
        bounds: &Clip,
        order: RowOrder,
    ) -> Result<RowGroups<'a>> {
        let mut groups = Vec::new();
        for file in files {
            let spans = file.row_groups(bounds, order)?;
            groups.extend(spans.into_iter().map(|span| (file.as_ref(), span)));
        }
        Ok(RowGroups { order, groups })
    }

    /// Bytes of all of them.
    pub fn bytes(&self) -> u64 {
        self.groups.iter().map(|(_, group)| group.bytes).sum()
    }

    /// Each of them among all, in the order in which [`RowGroups::cut_into`] asks for them.
    pub(crate) fn among(&self) -> impl Iterator<Item = GroupAmong> {
        let sums = |end: for<'s> fn(&'s RowGroupSpan<'a>) -> &'s [u8]| {
            Sums::new(self.order, self.groups.iter().map(|(_, group)| (end(group), group.bytes)))
        };
        let (begun, ended) = (sums(|group| &group.first), sums(|group| &group.last));
        self.groups.iter().map(move |(_, group)| {
            let (begun, ended) = (begun.up_to(&group.last), ended.below(&group.first));
            GroupAmong {
                bytes: group.bytes,
                below: ended.bytes,
                begun: begun.bytes,
                overlapping: begun.groups - ended.groups.min(begun.groups),
                rows: group.rows,
            }
        })
    }

    /// Parts that cover all of them, in the order of their first rows, see [`RowGroups::cut_into`].
    ///
    /// # Errors
    /// A page of row keys cannot be read.
    pub fn cut(&self, count: impl Fn(&GroupAmong) -> u64) -> Result<Vec<Piece>> {
        let mut parts = Parts::new(self.order);
        self.cut_into(&mut parts, count, &|| Ok(true))?;
        Ok(parts.into_ascending())
    }

    /// Adds parts that cover all of them. `count` says into how many a row group is cut, by the number of its rows; of each part but the first
    /// one's a page of row keys is looked at, after `go_on` was asked. Once that says no, what is left of a row group is one part.
    ///
    /// # Errors
    /// A page of row keys cannot be read, or an error of `go_on`.
    pub(crate) fn cut_into(
        &self,
        parts: &mut Parts,
        count: impl Fn(&GroupAmong) -> u64,
        go_on: &dyn Fn() -> Result<bool>,
    ) -> Result<()> {
        for ((file, group), among) in self.groups.iter().zip(self.among()) {
            cut(file, group, count(&among).clamp(1, group.rows.max(1)), parts, go_on)?;
        }
        Ok(())
    }
}

/// Cuts a row group into parts of about the same number of rows.
fn cut(
    file: &StoreFile,
    group: &RowGroupSpan<'_>,
    count: u64,
    parts: &mut Parts,
    go_on: &dyn Fn() -> Result<bool>,
) -> Result<()> {
    let mut rows = file.rows_by_rank()?;
    let (mut first, mut begun) = (group.first.to_vec(), 0);
    for part in 1..count {
        if !go_on()? {
            break;
        }
        let rank = group.rows_before + share(group.rows, part, count);
        let row = rows.row(rank)?.ok_or_else(|| {
            Error::new(
                ErrorKind::Bug,
                format!("{} has no row {rank}, although it has more rows", file.name()),
            )
        })?;
        let end = share(group.bytes, part, count);
        parts.add(std::mem::replace(&mut first, row.to_vec()), end - begun);
        begun = end;
    }
    parts.add(first, group.bytes - begun);
    Ok(())
}

/// Row groups up to a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sum {
    groups: u64,
    bytes: u64,
}

/// Rows in order, each with the bytes of all row groups up to it.
struct Sums<'a> {
    order: RowOrder,
    rows: Vec<(&'a [u8], u64)>,
}

impl<'a> Sums<'a> {
    fn new(order: RowOrder, groups: impl Iterator<Item = (&'a [u8], u64)>) -> Sums<'a> {
        let mut rows: Vec<(&[u8], u64)> = groups.collect();
        rows.sort_by(|a, b| order.compare(a.0, b.0));
        let mut sum = 0;
        for (_, bytes) in &mut rows {
            sum += *bytes;
            *bytes = sum;
        }
        Sums { order, rows }
    }

    /// The groups whose row is below a row.
    fn below(&self, row: &[u8]) -> Sum {
        self.at(self.rows.partition_point(|(known, _)| self.order.compare(known, row).is_lt()))
    }

    /// Those whose row is not above it.
    fn up_to(&self, row: &[u8]) -> Sum {
        self.at(self.rows.partition_point(|(known, _)| self.order.compare(known, row).is_le()))
    }

    fn at(&self, count: usize) -> Sum {
        let last = count.checked_sub(1).and_then(|last| self.rows.get(last));
        Sum { groups: count as u64, bytes: last.map_or(0, |(_, bytes)| *bytes) }
    }
}
