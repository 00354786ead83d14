//! The order of the families within a row.

use grampus_base::Result;
use grampus_cells::cell_codec;

/// Puts the cells of one row into the byte order of their families, each family's cells as they are. In place, since a row may be as large
/// as what is reserved for it: a family that is too late is rotated over those that it belongs before.
pub(super) fn sort_by_family(cells: &mut [u8]) -> Result<()> {
    // Each family and where its cells end, in order.
    let mut sorted: Vec<(Vec<u8>, usize)> = Vec::new();
    let mut at = 0;
    while at < cells.len() {
        let (family, end) = next_family(cells, at)?;
        let place = sorted.partition_point(|(before, _)| *before <= family);
        let from = place.checked_sub(1).and_then(|before| sorted.get(before)).map_or(0, |(_, end)| *end);
        if let Some(moved) = cells.get_mut(from..end) {
            moved.rotate_right(end - at);
        }
        sorted.iter_mut().skip(place).for_each(|(_, later)| *later += end - at);
        sorted.insert(place, (family, from + (end - at)));
        at = end;
    }
    Ok(())
}

/// The family of the cell at a position, and where the cells of that family end that follow one another.
fn next_family(cells: &[u8], at: usize) -> Result<(Vec<u8>, usize)> {
    let (first, used) = cell_codec::read_cell(cells.get(at..).unwrap_or_default())?;
    let mut end = at + used;
    while end < cells.len() {
        let (cell, used) = cell_codec::read_cell(cells.get(end..).unwrap_or_default())?;
        if cell.family != first.family {
            break;
        }
        end += used;
    }
    Ok((first.family.to_vec(), end))
}

#[cfg(test)]
mod tests {
    use grampus_cells::{CellRef, CellType};

    use super::*;

    /// Cells of these families whose values are their places.
    fn row(families: &[&[u8]]) -> Vec<u8> {
        let mut out = Vec::new();
        for (place, family) in families.iter().enumerate() {
            let value = vec![u8::try_from(place).unwrap_or(u8::MAX); 1 + place];
            let (row, qualifier, tags) = (&b"r"[..], &b"q"[..], &[][..]);
            let (timestamp, sequence, cell_type) = (1, 0, CellType::PUT);
            let cell = CellRef { row, qualifier, timestamp, cell_type, value: &value, tags, sequence };
            let at = out.len();
            out.resize(at + cell_codec::cell_bytes(row, family, qualifier, value.len(), tags), 0);
            cell_codec::write_cell(&mut out[at..], family, &cell);
        }
        out
    }

    fn sorted(families: &[&[u8]]) -> Result<Vec<(Vec<u8>, u8)>> {
        let mut cells = row(families);
        sort_by_family(&mut cells)?;
        let (mut found, mut at) = (Vec::new(), 0);
        while at < cells.len() {
            let (cell, used) = cell_codec::read_cell(&cells[at..])?;
            found.push((cell.family.to_vec(), cell.cell.value[0]));
            at += used;
        }
        Ok(found)
    }

    #[test]
    fn families_come_in_order_and_their_cells_as_they_were() -> Result<()> {
        let orders: [&[&[u8]]; 4] = [
            &[],
            &[b"f", b"f", b"g"],
            &[b"g", b"g", b"a", b"h", b"h", b"a"],
            &[b"c", b"b", b"a", b"b", b"c"],
        ];
        for families in orders {
            let mut expected: Vec<(Vec<u8>, u8)> =
                (0..).zip(families).map(|(n, f)| (f.to_vec(), n)).collect();
            expected.sort_by(|a, b| a.0.cmp(&b.0));
            assert_eq!(sorted(families)?, expected);
        }
        Ok(())
    }
}
