//! The order of the families within a row.

use crate::error::Result;
use crate::request::cell_codec;

/// Puts the cells of one row into the byte order of their families, each family's cells as they are.
pub fn sort_by_family(cells: &mut [u8]) -> Result<()> {
    let mut parts: Vec<(&[u8], usize, usize)> = Vec::new();
    let mut at = 0;
    while at < cells.len() {
        let (cell, used) = cell_codec::read_cell(cells.get(at..).unwrap_or_default())?;
        match parts.last_mut() {
            Some((family, _, end)) if *family == cell.family => *end += used,
            _ => parts.push((cell.family, at, at + used)),
        }
        at += used;
    }
    if parts.is_sorted_by_key(|(family, ..)| *family) {
        return Ok(());
    }
    parts.sort_by_key(|(family, ..)| *family);
    let sorted: Vec<u8> = parts
        .iter()
        .flat_map(|(_, start, end)| cells.get(*start..*end).unwrap_or_default())
        .copied()
        .collect();
    cells.copy_from_slice(&sorted);
    Ok(())
}
