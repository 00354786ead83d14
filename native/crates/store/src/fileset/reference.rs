//! The content of a reference file: HBase's `FSProtos.Reference` behind `PBUF`.

use grampus_base::{Error, ErrorKind, Result};
use grampus_cells::RowOrder;

const MAGIC: &[u8] = b"PBUF";

/// Rows of a file that count: those of a referred file that belong to the region, or those between two rows of a region.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clip {
    /// First row that belongs, if not all from the beginning.
    pub from: Option<Vec<u8>>,
    /// First row that no longer belongs, if not all to the end.
    pub until: Option<Vec<u8>>,
}

impl Clip {
    /// The rows of a region; empty keys are open.
    pub fn between(start_key: &[u8], end_key: &[u8]) -> Clip {
        let bound = |key: &[u8]| Some(key.to_vec()).filter(|key| !key.is_empty());
        Clip { from: bound(start_key), until: bound(end_key) }
    }

    /// What is in both.
    pub(super) fn within(&self, other: &Clip, order: RowOrder) -> Clip {
        let larger = |a: &Vec<u8>, b: &Vec<u8>| order.compare(a, b).is_gt();
        Clip {
            from: chosen(&self.from, &other.from, larger),
            until: chosen(&self.until, &other.until, |a, b| !larger(a, b)),
        }
    }

    /// Reads a reference: `{splitkey = 1: key of the first cell on the split row, range = 2: TOP 0 | BOTTOM 1}`.
    pub fn from_reference(bytes: &[u8], name: &str) -> Result<Clip> {
        let parsed = bytes.strip_prefix(MAGIC).and_then(fields);
        let Some((key, bottom)) = parsed else {
            return Err(Error::new(
                ErrorKind::Corrupt,
                format!("{name} is not a reference as HBase 2 writes it"),
            ));
        };
        let row = row_of(&key)
            .ok_or_else(|| Error::new(ErrorKind::Corrupt, format!("the split key in {name} has no row")))?;
        let row = Some(row.to_vec()).filter(|row| !row.is_empty());
        Ok(if bottom { Clip { from: None, until: row } } else { Clip { from: row, until: None } })
    }
}

/// The bound that both have or, where each has one, the preferred one.
fn chosen(
    a: &Option<Vec<u8>>,
    b: &Option<Vec<u8>>,
    prefers: impl Fn(&Vec<u8>, &Vec<u8>) -> bool,
) -> Option<Vec<u8>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if prefers(a, b) { a } else { b }.clone()),
        (one, other) => one.as_ref().or(other.as_ref()).cloned(),
    }
}

/// The row of a KeyValue key: `u16 BE length | row | …`.
fn row_of(key: &[u8]) -> Option<&[u8]> {
    let (len, rest) = key.split_first_chunk::<2>()?;
    rest.get(..usize::from(u16::from_be_bytes(*len)))
}

fn fields(mut bytes: &[u8]) -> Option<(Vec<u8>, bool)> {
    let (mut key, mut bottom) = (None, None);
    while !bytes.is_empty() {
        match varint(&mut bytes)? {
            0x0A => {
                let len = usize::try_from(varint(&mut bytes)?).ok()?;
                let (value, rest) = bytes.split_at_checked(len)?;
                key = Some(value.to_vec());
                bytes = rest;
            }
            0x10 => bottom = Some(varint(&mut bytes)?),
            _ => return None,
        }
    }
    match bottom? {
        range @ (0 | 1) => Some((key?, range == 1)),
        _ => None,
    }
}

/// Protobuf's: of ten bytes it drops the bits beyond 64, which the varints of column files must not have.
fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7F) << shift;
        if *byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
pub(crate) fn encode(row: &[u8], bottom: bool) -> Vec<u8> {
    let mut key = (row.len() as u16).to_be_bytes().to_vec();
    key.extend_from_slice(row);
    key.extend_from_slice(&[0, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]);
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&[0x0A, key.len() as u8]);
    out.extend_from_slice(&key);
    out.extend_from_slice(&[0x10, u8::from(bottom)]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_and_whole_files_are_understood() {
        let clip = |row: &[u8], bottom| Clip::from_reference(&encode(row, bottom), "x").unwrap();
        assert_eq!(clip(b"m", true), Clip { from: None, until: Some(b"m".to_vec()) });
        assert_eq!(clip(b"m", false), Clip { from: Some(b"m".to_vec()), until: None });
        assert_eq!(clip(b"", false), Clip::default(), "a merge refers to whole files");
    }

    #[test]
    fn what_is_in_two_clips_is_bounded_by_both() {
        let order = RowOrder::Bytes;
        let (all, low) = (Clip::between(b"", b""), Clip::between(b"b", b"m"));
        assert_eq!(all, Clip::default());
        assert_eq!(all.within(&low, order), low);
        assert_eq!(low.within(&all, order), low);
        assert_eq!(low.within(&Clip::between(b"c", b"z"), order), Clip::between(b"c", b"m"));
        assert_eq!(Clip::between(b"", b"c").within(&low, order), Clip::between(b"b", b"c"));
    }

    #[test]
    fn damaged_references_are_errors() {
        let whole = encode(b"row", true);
        for len in 0..whole.len() {
            assert!(Clip::from_reference(&whole[..len], "x").is_err(), "cut to {len}");
        }
    }
}
