//! The document of a log segment.

use std::collections::BTreeMap;
use std::path::Path;

use grampus_base::Result;
use grampus_env::Env;
use grampus_wal::record::{Edit, HEADER_BYTES};
use grampus_wal::{SegmentReader, segment};
use serde_json::{Value, json};

use super::Scope;
use super::cells::{self, Room};

/// What a segment has of a region.
#[derive(Default)]
struct RegionEdits {
    records: u64,
    cells: u64,
    bytes: u64,
    first_sequence: u64,
    last_sequence: u64,
}

/// What a segment has.
#[derive(Default)]
struct Contents {
    records: u64,
    cells: u64,
    /// By table and encoded region name.
    regions: BTreeMap<(String, String), RegionEdits>,
    edits: Vec<Value>,
}

/// Reads every record and decodes its cells.
pub(super) fn document(env: &dyn Env, path: &Path, scope: &Scope) -> Result<Value> {
    let mut reader = SegmentReader::open(env, path)?;
    let mut contents = Contents::default();
    let mut room = scope.cells.map(Room::new);
    while let Some(raw) = reader.next_edit()? {
        let (offset, edit) = (raw.offset(), raw.decode()?);
        let bytes = (HEADER_BYTES + raw.body.len()) as u64;
        contents.add(&edit, bytes);
        if let Some(room) = &mut room {
            contents.edits.extend(print(&edit, offset, bytes, scope, room));
        }
    }
    let header = reader.header();
    let mut document = json!({
        "version": header.map(|h| h.version),
        "flags": header.map(|h| h.flags),
        "meta": header.map(|h| h.flags & segment::FLAG_META != 0),
        "createdMillis": header.map(|h| h.created_millis),
        "records": contents.records,
        "cells": contents.cells,
        "regions": contents.regions(),
        "end": end(&reader),
        "goodBytes": good_bytes(&reader),
        "verified": true,
    });
    if let Some(room) = room {
        document["edits"] = Value::Array(contents.edits);
        document["moreCells"] = json!(room.is_exceeded());
    }
    Ok(document)
}

/// How a segment that was read to its end ends.
fn end(reader: &SegmentReader) -> &'static str {
    match () {
        () if reader.is_closed() => "closed",
        () if reader.header().is_none() => "empty",
        () if reader.position() < reader.file_bytes() => "torn",
        () => "open",
    }
}

/// Length of what holds records; a torn tail begins there.
fn good_bytes(reader: &SegmentReader) -> u64 {
    if reader.header().is_some() { reader.position() } else { 0 }
}

impl Contents {
    fn add(&mut self, edit: &Edit<'_>, bytes: u64) {
        let cells = edit.cells.len() as u64;
        self.records += 1;
        self.cells += cells;
        let region = self.regions.entry((edit.table.to_string(), edit.region.to_string())).or_default();
        if region.records == 0 {
            (region.first_sequence, region.last_sequence) = (edit.sequence, edit.sequence);
        }
        region.records += 1;
        region.cells += cells;
        region.bytes += bytes;
        region.first_sequence = region.first_sequence.min(edit.sequence);
        region.last_sequence = region.last_sequence.max(edit.sequence);
    }

    fn regions(&self) -> Vec<Value> {
        let document = |((table, region), edits): (&(String, String), &RegionEdits)| {
            json!({
                "table": table,
                "region": region,
                "records": edits.records,
                "cells": edits.cells,
                "bytes": edits.bytes,
                "firstSequence": edits.first_sequence,
                "lastSequence": edits.last_sequence,
            })
        };
        self.regions.iter().map(document).collect()
    }
}

/// The edit with those of its cells that are asked for and for which there is room, if any.
fn print(edit: &Edit<'_>, offset: u64, bytes: u64, scope: &Scope, room: &mut Room) -> Option<Value> {
    let wanted = |row: &[u8]| scope.row.as_deref().is_none_or(|wanted| wanted == row);
    let mut printed = Vec::new();
    for wire in edit.cells.iter().filter(|wire| wanted(wire.cell.row)) {
        if !room.take(&wire.cell) {
            break;
        }
        printed.push(cells::cell(Some(wire.family), &wire.cell));
    }
    (!printed.is_empty()).then(|| {
        json!({
            "offset": offset,
            "bytes": bytes,
            "sequence": edit.sequence,
            "table": edit.table,
            "region": edit.region,
            "writeMillis": edit.write_time,
            "nonceGroup": edit.nonce_group,
            "nonces": edit.nonces,
            "cells": printed,
        })
    })
}
