//! HFile's file info: a sorted map of byte strings, `PBUF` and a delimited protobuf on disk.

use std::collections::BTreeMap;

use super::protobuf::{self, Field};
use crate::allocation::allocated;
use crate::bytes::{FieldReader, put_blob};
use crate::error::{Decoded, Malformed};

const MAGIC: &[u8] = b"PBUF";
const FIELD_ENTRY: u64 = 1;
const FIELD_KEY: u64 = 1;
const FIELD_VALUE: u64 = 2;

/// A file of HBase's has two dozen. More would take many times their bytes of memory.
const ENTRIES_MAX: usize = 4096;

/// Bytes of a map's nodes for each of its entries: those of eleven, half full, and their parent.
const ENTRY_BYTES: usize = 3 * size_of::<(Vec<u8>, Vec<u8>)>();

/// The map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileInfo {
    entries: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl FileInfo {
    /// Sets a key.
    pub(crate) fn put(&mut self, key: &str, value: &[u8]) {
        self.entries.insert(key.as_bytes().to_vec(), value.to_vec());
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&[u8]> {
        self.entries.get(key.as_bytes()).map(Vec::as_slice)
    }

    /// All entries in key order.
    pub fn entries(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.entries.iter().map(|(k, v)| (k.as_slice(), v.as_slice()))
    }

    /// The big-endian long of a key, as HBase's `Bytes.toLong` reads it.
    pub fn long(&self, key: &str) -> Option<u64> {
        self.get(key).and_then(|v| v.try_into().ok()).map(u64::from_be_bytes)
    }

    /// The boolean of a key, as HBase's `Bytes.toBoolean` reads it.
    pub fn boolean(&self, key: &str) -> bool {
        self.get(key).is_some_and(|v| v.len() == 1 && v != [0])
    }

    /// Bytes of memory outside the struct itself.
    pub(crate) fn heap_bytes(&self) -> usize {
        let entry =
            |(key, value): (&Vec<u8>, &Vec<u8>)| allocated(key.capacity()) + allocated(value.capacity());
        self.entries.iter().map(|e| ENTRY_BYTES + entry(e)).sum()
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let (mut message, mut pair) = (Vec::new(), Vec::new());
        for (key, value) in &self.entries {
            pair.clear();
            protobuf::put_bytes(&mut pair, FIELD_KEY, key);
            protobuf::put_bytes(&mut pair, FIELD_VALUE, value);
            protobuf::put_bytes(&mut message, FIELD_ENTRY, &pair);
        }
        let mut out = MAGIC.to_vec();
        put_blob(&mut out, &message);
        out
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Decoded<FileInfo> {
        let mut reader = FieldReader::new(bytes);
        if reader.take(MAGIC.len())? != MAGIC {
            return Err(Malformed::new(0, "the file info does not start with PBUF"));
        }
        let mut message = FieldReader::new(reader.blob()?);
        let mut info = FileInfo::default();
        while let Some(field) = protobuf::next(&mut message)? {
            if let Field::Bytes(FIELD_ENTRY, pair) = field {
                let (key, value) = entry(pair)?;
                info.entries.insert(key, value);
            }
            if info.entries.len() > ENTRIES_MAX {
                return message.malformed("the file info has too many entries");
            }
        }
        Ok(info)
    }
}

fn entry(pair: &[u8]) -> Decoded<(Vec<u8>, Vec<u8>)> {
    let mut reader = FieldReader::new(pair);
    let (mut key, mut value) = (Vec::new(), Vec::new());
    while let Some(field) = protobuf::next(&mut reader)? {
        match field {
            Field::Bytes(FIELD_KEY, bytes) => key = bytes.to_vec(),
            Field::Bytes(FIELD_VALUE, bytes) => value = bytes.to_vec(),
            _ => {}
        }
    }
    Ok((key, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_beyond_any_file_are_refused() {
        let mut info = FileInfo::default();
        (0..ENTRIES_MAX).for_each(|n| info.put(&n.to_string(), b""));
        assert_eq!(FileInfo::from_bytes(&info.to_bytes()), Ok(info.clone()));
        info.put("one more", b"");
        assert_eq!(
            FileInfo::from_bytes(&info.to_bytes()).unwrap_err().what,
            "the file info has too many entries"
        );
    }
}
