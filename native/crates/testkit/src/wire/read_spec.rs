//! Read specs.

use std::collections::BTreeMap;

use super::bytes;

/// A read spec under construction.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Flags.
    pub flags: u32,
    /// First row.
    pub start: Vec<u8>,
    /// Last row.
    pub stop: Vec<u8>,
    /// Versions.
    pub max_versions: u32,
    /// Cells per store and row.
    pub store_limit: i32,
    /// Cells to skip.
    pub store_offset: i32,
    /// Cells per result.
    pub batch: i32,
    /// Read point.
    pub read_point: u64,
    /// Time range.
    pub range: (i64, i64),
    /// Families with their qualifiers, empty = all.
    pub families: BTreeMap<Vec<u8>, Vec<Vec<u8>>>,
    /// Filter.
    pub filter: Vec<u8>,
}

impl Spec {
    /// A scan of everything.
    pub fn scan() -> Spec {
        Spec {
            flags: 8 | 64,
            start: Vec::new(),
            stop: Vec::new(),
            max_versions: 1,
            store_limit: -1,
            store_offset: 0,
            batch: -1,
            read_point: 0,
            range: (0, i64::MAX),
            families: BTreeMap::new(),
            filter: Vec::new(),
        }
    }

    /// A get of a row.
    pub fn get(row: &str) -> Spec {
        Spec { flags: 8 | 256 | 64 | 128, start: row.into(), stop: row.into(), ..Spec::scan() }
    }

    /// All versions.
    pub fn versions(mut self, n: u32) -> Spec {
        self.max_versions = n;
        self
    }

    /// Sets flags.
    pub fn with(mut self, flags: u32) -> Spec {
        self.flags |= flags;
        self
    }

    /// Adds a column.
    pub fn column(mut self, family: &str, qualifier: &str) -> Spec {
        let qualifiers = self.families.entry(family.into()).or_default();
        qualifiers.push(qualifier.into());
        qualifiers.sort();
        self
    }

    /// Sets a filter.
    pub fn filter(mut self, filter: Vec<u8>) -> Spec {
        self.filter = filter;
        self
    }

    /// The encoded spec.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = vec![1, 0, 0, 0];
        out.extend(self.flags.to_le_bytes());
        bytes(&mut out, &self.start);
        bytes(&mut out, &self.stop);
        out.extend(self.max_versions.to_le_bytes());
        out.extend(self.store_limit.to_le_bytes());
        out.extend(self.store_offset.to_le_bytes());
        out.extend(self.batch.to_le_bytes());
        out.extend(self.read_point.to_le_bytes());
        out.extend(self.range.0.to_le_bytes());
        out.extend(self.range.1.to_le_bytes());
        out.extend((self.families.len() as u32).to_le_bytes());
        for (family, qualifiers) in &self.families {
            bytes(&mut out, family);
            out.push(0);
            out.push(u8::from(qualifiers.is_empty()));
            out.extend((qualifiers.len() as u32).to_le_bytes());
            qualifiers.iter().for_each(|q| bytes(&mut out, q));
        }
        bytes(&mut out, &self.filter);
        out
    }
}
