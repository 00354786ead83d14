//! The document of a column file.

use std::collections::BTreeMap;
use std::sync::Arc;

use grampus_base::{RandomRead, Result};
use grampus_cells::{RowOrder, RowRange, ValueBounds};
use grampus_colfile::inspect::{self, Area, Areas, ColumnInfo};
use grampus_colfile::zone_map::CellStats;
use grampus_colfile::{BloomKind, ColumnFile, Compression, FileCursor, PageKind, verify};
use serde_json::{Value, json};

use super::cells::{self, Room};
use super::{Scope, binary};

/// Reads every page; with `scope.verify` also every cell.
pub(super) fn document(source: &Arc<dyn RandomRead>, scope: &Scope) -> Result<Value> {
    let file = Arc::new(ColumnFile::open(source)?);
    let areas = if scope.verify { verify::verify(&file, source)? } else { inspect::areas(&file, source)? };
    let (major, minor) = inspect::format_version(&file, source.as_ref())?;
    let stats = file.stats();
    let (key_bytes, value_bytes) = file.key_value_bytes();
    let (low, high) = file.cell_sequences();
    let mut document = json!({
        "format": format!("{major}.{minor}"),
        "family": file.family().map(binary::text),
        "rowOrder": match file.row_order() { RowOrder::Bytes => "bytes", RowOrder::Meta => "meta" },
        "createdMillis": file.created_millis(),
        "major": file.is_major(),
        "compactionInputs": file.compaction_inputs(),
        "maxSequence": file.max_sequence(),
        "cellSequences": {"min": low, "max": high},
        "rows": file.rows(),
        "cells": stats.cells,
        "deletes": stats.deletes,
        "familyDeletes": file.family_deletes(),
        "timestamps": timestamps(stats),
        "earliestPut": file.earliest_put(),
        "keyBytes": key_bytes,
        "valueBytes": value_bytes,
        "firstRow": file.first_row().map(binary::text),
        "lastRow": file.last_row().map(binary::text),
        "compression": compressions(&areas),
        "bloom": bloom(&file, &areas),
        "rowGroups": row_groups(&file),
        "columns": columns(&file, &areas),
        "otherPages": other_pages(&areas),
        "shares": shares(&file, &areas)?,
        "verified": scope.verify,
    });
    if let Some(limit) = scope.cells {
        let (cells, more) = print(&file, source, scope.row.as_deref(), limit)?;
        document["cellList"] = cells;
        document["moreCells"] = json!(more);
    }
    Ok(document)
}

/// Everything that a walk over a directory says about a file that is sound.
pub(super) fn verified(source: &Arc<dyn RandomRead>) -> Result<Value> {
    let file = Arc::new(ColumnFile::open(source)?);
    verify::verify(&file, source)?;
    Ok(json!({"rows": file.rows(), "cells": file.stats().cells}))
}

/// `null` without cells. A marker that covers all older versions counts as -2^63.
fn timestamps(stats: CellStats) -> Value {
    match stats.cells {
        0 => Value::Null,
        _ => json!({"min": stats.times.min, "max": stats.times.max}),
    }
}

/// Pages per compression.
fn compressions(areas: &Areas) -> BTreeMap<&'static str, usize> {
    let mut pages = BTreeMap::new();
    for area in areas.values() {
        for (compression, count) in Compression::ALL.into_iter().zip(area.compressions) {
            if count > 0 {
                *pages.entry(compression_name(compression)).or_default() += count;
            }
        }
    }
    pages
}

/// HBase's name.
fn compression_name(compression: Compression) -> &'static str {
    match compression {
        Compression::None => "NONE",
        Compression::Snappy => "SNAPPY",
        Compression::Lz4 => "LZ4",
        Compression::Zstd => "ZSTD",
        Compression::Gz => "GZ",
    }
}

fn bloom(file: &ColumnFile, areas: &Areas) -> Value {
    let (kind, prefix) = match file.bloom_kind() {
        BloomKind::None => ("NONE", None),
        BloomKind::Row => ("ROW", None),
        BloomKind::RowCol => ("ROWCOL", None),
        BloomKind::RowPrefix(len) => ("ROWPREFIX_FIXED_LENGTH", Some(len)),
    };
    let area = of_kind(areas, PageKind::Bloom).next().cloned().unwrap_or_default();
    json!({
        "kind": kind,
        "prefixLength": prefix,
        "bytes": area.raw_bytes,
        "storedBytes": area.stored_bytes,
        "pages": area.pages,
    })
}

fn row_groups(file: &ColumnFile) -> Vec<Value> {
    let document = |group: grampus_colfile::RowGroupInfo<'_>| {
        json!({
            "rows": group.rows,
            "cells": group.stats.cells,
            "deletes": group.stats.deletes,
            "timestamps": timestamps(group.stats),
            "storedBytes": group.stored_bytes,
            "firstRow": binary::text(group.first_row),
            "lastRow": binary::text(group.last_row),
        })
    };
    file.row_groups().map(document).collect()
}

fn columns(file: &ColumnFile, areas: &Areas) -> Vec<Value> {
    let document = |column: ColumnInfo<'_>| {
        let key = (PageKind::Column as u8, column.qualifier.to_vec());
        let mut document = area(areas.get(&key).unwrap_or(&Area::default()));
        document["qualifier"] = json!(binary::text(column.qualifier));
        document["rowGroups"] = json!(column.row_groups);
        document["singlePutRowGroups"] = json!(column.single_put_row_groups);
        document["cells"] = json!(column.stats.cells);
        document["deletes"] = json!(column.stats.deletes);
        document["timestamps"] = timestamps(column.stats);
        document["values"] = bounds(&column.values);
        document
    };
    file.columns().into_iter().map(document).collect()
}

/// Bounds of a column's values; `null` where none are kept.
fn bounds(values: &ValueBounds) -> Value {
    match values.known {
        true => {
            json!({"min": binary::text(&values.min), "max": binary::text(&values.max), "maxCut": values.max_cut})
        }
        false => Value::Null,
    }
}

fn other_pages(areas: &Areas) -> Vec<Value> {
    let named = [
        (PageKind::Mixed, "mixed"),
        (PageKind::FamilyDeletes, "familyDeletes"),
        (PageKind::Rows, "rowKeys"),
        (PageKind::Bloom, "bloom"),
    ];
    let document = |(found, name): (&Area, &str)| {
        let mut document = area(found);
        document["area"] = json!(name);
        document
    };
    named
        .into_iter()
        .flat_map(|(kind, name)| of_kind(areas, kind).map(move |area| (area, name)))
        .map(document)
        .collect()
}

fn area(area: &Area) -> Value {
    json!({
        "pages": area.pages,
        "storedBytes": area.stored_bytes,
        "rawBytes": area.raw_bytes,
        "encodings": area.encodings,
        "parts": area.parts,
    })
}

fn of_kind(areas: &Areas, kind: PageKind) -> impl Iterator<Item = &Area> {
    areas.iter().filter(move |((code, _), _)| *code == kind as u8).map(|(_, area)| area)
}

/// Bytes of the file by what they are for; together the whole file.
fn shares(file: &ColumnFile, areas: &Areas) -> Result<Value> {
    let part = |area: &Area, name| area.stored_parts.get(name).copied().unwrap_or(0);
    let sum = |kinds: &[PageKind], of: &dyn Fn(&Area) -> u64| -> u64 {
        kinds.iter().flat_map(|kind| of_kind(areas, *kind)).map(of).sum()
    };
    let cells = [PageKind::Column, PageKind::Mixed, PageKind::FamilyDeletes];
    let versions = |area: &Area| part(area, "timestamps") + part(area, "sequence ids");
    let rest = |area: &Area| area.stored_bytes - versions(area);
    let all = [&cells[..], &[PageKind::Rows]].concat();
    let pages: u64 = areas.values().map(|area| area.stored_bytes).sum();
    let footer = u64::from(file.footer_at()?.stored_len);
    Ok(json!({
        "columns": sum(&cells, &rest),
        "rowKeys": sum(&[PageKind::Rows], &rest),
        "timestamps": sum(&all, &|area| part(area, "timestamps")),
        "sequenceIds": sum(&all, &|area| part(area, "sequence ids")),
        "blooms": sum(&[PageKind::Bloom], &|area| area.stored_bytes),
        "footer": footer,
        "tail": file.file_bytes().saturating_sub(pages + footer),
    }))
}

/// The first cells of the file or of a row, and whether there are more.
fn print(
    file: &Arc<ColumnFile>,
    source: &Arc<dyn RandomRead>,
    row: Option<&[u8]>,
    limit: u64,
) -> Result<(Value, bool)> {
    let rows = row.map_or(RowRange::ALL, RowRange::single);
    let mut cursor = FileCursor::single_pass(file, source, rows);
    let (mut printed, mut room) = (Vec::new(), Room::new(limit));
    cursor.seek_first()?;
    while cursor.row().is_some() {
        while let Some(cell) = cursor.cell() {
            if !room.take(&cell) {
                return Ok((Value::Array(printed), true));
            }
            printed.push(cells::cell(None, &cell));
            cursor.next_cell()?;
        }
        cursor.next_row()?;
    }
    Ok((Value::Array(printed), false))
}
