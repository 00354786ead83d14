//! Compaction and split point of a region.

use std::sync::atomic::Ordering;

use serde::Deserialize;

use super::Region;
use super::open_request::hex;
use crate::compaction::{Compaction, ExploringPolicy, pick};
use crate::error::{Error, ErrorKind, Result};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CompactRequest {
    family: Option<String>,
    #[serde(default)]
    major: bool,
}

impl Region {
    /// Queues a compaction.
    pub fn compact(&self, request_json: &str) -> Result<()> {
        self.check_serving()?;
        let request: CompactRequest = serde_json::from_str(request_json)
            .map_err(|e| Error::new(ErrorKind::BadRequest, format!("compact: {e}")))?;
        let stores = match &request.family {
            Some(family) => vec![self.store_index(&hex(family, "family")?)?],
            None => (0..self.stores.len()).collect(),
        };
        for store in stores {
            if request.major {
                self.stores[store].major_wanted.store(true, Ordering::Release);
            }
            self.shared.maintenance.want_compaction(&self.encoded, store, true);
        }
        Ok(())
    }

    /// Runs the next compaction of a store if the policy finds one. True when another may be worth it.
    pub(crate) fn compact_store(&self, index: usize) -> Result<bool> {
        let Some(store) = self.stores.get(index) else { return Ok(false) };
        let picked = {
            let mut busy = store.busy.lock();
            if !busy.is_empty() || self.closing.load(Ordering::Acquire) {
                return Ok(false); // whoever runs asks again when it is done
            }
            let major = store.take_major_wish();
            let picked =
                match pick(&ExploringPolicy::default(), &store.files.snapshot(), &busy, major, self.now()) {
                    Ok(picked) => picked,
                    Err(_nothing_to_do) => return Ok(false),
                };
            busy.clone_from(&picked.inputs);
            picked
        };
        let compaction = Compaction {
            files: &store.files,
            inputs: picked.inputs,
            kind: picked.selection.kind,
            config: &store.config,
            smallest_read_point: self.smallest_read_point(),
            throttle: &|_written| self.check_serving(),
        };
        let outcome = compaction.run();
        store.busy.lock().clear();
        let report = outcome?;
        self.shared.maintenance.note_compaction(report.summary.stats.cells, picked.selection.reason);
        Ok(true)
    }

    /// A row strictly inside the region near the middle of its data; flushes first when nothing is in files.
    pub fn split_point(&self) -> Result<Option<Vec<u8>>> {
        self.check_serving()?;
        if !self.has_files() {
            self.flush_memtables()?;
        }
        let largest = self.stores.iter().max_by_key(|store| store.file_size().1);
        let Some(store) = largest else { return Ok(None) };
        let mut starts: Vec<(Vec<u8>, u64)> =
            store.files.snapshot().files().iter().flat_map(|file| file.row_group_starts()).collect();
        starts.sort_by(|a, b| self.order.compare(&a.0, &b.0));
        let total: u64 = starts.iter().map(|(_, bytes)| bytes).sum();
        let mut before: u64 = 0;
        let mut best = None;
        for (row, bytes) in starts {
            if before > 0 && self.is_inside(&row) {
                let distance = before.abs_diff(total / 2);
                if best.as_ref().is_none_or(|(known, _)| distance < *known) {
                    best = Some((distance, row));
                }
            }
            before += bytes;
        }
        match best {
            Some((_, row)) => Ok(Some(row)),
            None => self.middle_row(store),
        }
    }

    /// Whether a split at the row leaves rows on both sides.
    fn is_inside(&self, row: &[u8]) -> bool {
        self.contains_row(row) && row != self.start_key.as_slice() && !row.is_empty()
    }

    /// For data of one row group: the row in the middle by count.
    fn middle_row(&self, store: &super::store::Store) -> Result<Option<Vec<u8>>> {
        let files = store.files.snapshot();
        let largest = files.files().iter().max_by_key(|file| file.effective_bytes());
        let middle = largest.map_or(Ok(None), |file| file.middle_row())?;
        Ok(middle.filter(|row| self.is_inside(row)))
    }
}
