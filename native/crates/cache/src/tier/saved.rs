//! The index of all paths in a file, from one process to the next: `docs/format/tier-index.md`.
//!
//! It is written when the tier is closed and removed when it is read, so that no process ever finds one that is older than the
//! paths. What the paths hold is not synced; an index therefore says during which run of the operating system it was written,
//! and is of no use after it.

use std::path::Path;
use std::{fs, io};

use grampus_base::{Error, ErrorKind, Result, narrow};

use super::index::{Index, Place};
use super::position::Position;
use crate::FileId;
use crate::key::Key;

const MAGIC: &[u8; 16] = b"grampus tierix 1";
/// File id, offset in it, position in the path, length of the record.
const PLACE_BYTES: usize = 16 + 8 + 8 + 4;

/// What a tier must have in common with the one that wrote an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Identity of the operating system's run.
    pub boot: u128,
    /// The paths, in their order.
    pub names: Vec<String>,
    /// Segments of each.
    pub segments: u32,
    /// Bytes of a segment.
    pub segment_bytes: u64,
}

/// One path's part.
#[derive(Default)]
pub(super) struct Saved {
    /// Where the next record goes.
    pub position: Position,
    /// Pages and their places, in the order of their positions.
    pub places: Vec<(Key, Place)>,
}

impl Saved {
    /// What a path that has ended leaves to the next process. Only pages of files whose identity outlives this one count.
    pub(super) fn of(index: &Index, position: Position) -> Saved {
        let mut places: Vec<(Key, Place)> = index.iter().filter(|((file, _), _)| file.is_lasting()).collect();
        places.sort_unstable_by_key(|(_, place)| place.at);
        Saved { position, places }
    }

    /// The index of `segments` segments.
    pub(super) fn index(&self, segments: u32) -> Index {
        let mut index = Index::new(segments as usize);
        self.places.iter().for_each(|(key, place)| index.insert(*key, *place));
        index
    }
}

/// Identity of this run of the operating system; `None` where it has none.
pub(super) fn boot() -> Option<u128> {
    let text = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    u128::from_str_radix(&text.trim().replace('-', ""), 16).ok()
}

/// Writes an index.
pub(super) fn write(path: &Path, layout: &Layout, paths: &[Saved]) -> io::Result<()> {
    fs::write(path, encode(layout, paths))
}

/// Takes the index away that the process before has left. `None` when there is none or it is of no use here; an error when the
/// file is not the tier's, or cannot be removed.
pub(super) fn take(path: &Path, layout: &Layout) -> Result<Option<Vec<Saved>>> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(Error::io("read the block cache's index", path, e)),
    };
    if !bytes.is_empty() && !bytes.starts_with(MAGIC) {
        return Err(Error::new(
            ErrorKind::BadRequest,
            format!("{} is not an index of a block cache; name another path or remove it", path.display()),
        ));
    }
    fs::remove_file(path).map_err(|e| Error::io("remove the block cache's index", path, e))?;
    Ok(decode(&bytes, layout))
}

fn encode(layout: &Layout, paths: &[Saved]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    encode_layout(layout, &mut out);
    for saved in paths {
        out.extend_from_slice(&saved.position.segment.to_le_bytes());
        out.extend_from_slice(&saved.position.used.to_le_bytes());
        out.extend_from_slice(&(saved.places.len() as u64).to_le_bytes());
        for ((file, offset), place) in &saved.places {
            out.extend_from_slice(&file.number().to_le_bytes());
            out.extend_from_slice(&offset.to_le_bytes());
            out.extend_from_slice(&place.at.to_le_bytes());
            out.extend_from_slice(&place.len.to_le_bytes());
        }
    }
    let crc = crc32c::crc32c(&out);
    out.extend_from_slice(&crc.to_le_bytes());
    out
}

fn encode_layout(layout: &Layout, out: &mut Vec<u8>) {
    out.extend_from_slice(&layout.boot.to_le_bytes());
    out.extend_from_slice(&layout.segments.to_le_bytes());
    out.extend_from_slice(&layout.segment_bytes.to_le_bytes());
    out.extend_from_slice(&narrow::to_u32(layout.names.len()).to_le_bytes());
    for name in &layout.names {
        out.extend_from_slice(&narrow::to_u32(name.len()).to_le_bytes());
        out.extend_from_slice(name.as_bytes());
    }
}

/// The paths' parts; `None` for anything but a whole index of a tier of this layout.
pub(super) fn decode(bytes: &[u8], layout: &Layout) -> Option<Vec<Saved>> {
    let (body, crc) = bytes.split_last_chunk::<4>()?;
    if crc32c::crc32c(body) != u32::from_le_bytes(*crc) {
        return None;
    }
    let mut expected = MAGIC.to_vec();
    encode_layout(layout, &mut expected);
    let mut rest = body.strip_prefix(expected.as_slice())?;
    let paths: Option<Vec<Saved>> = layout.names.iter().map(|_| decode_path(&mut rest, layout)).collect();
    paths.filter(|_| rest.is_empty())
}

fn decode_path(rest: &mut &[u8], layout: &Layout) -> Option<Saved> {
    let position = Position {
        segment: u32::from_le_bytes(take_bytes(rest)?),
        used: u64::from_le_bytes(take_bytes(rest)?),
    };
    if position.segment >= layout.segments || position.used > layout.segment_bytes {
        return None;
    }
    let count = usize::try_from(u64::from_le_bytes(take_bytes(rest)?)).ok()?;
    if count > rest.len() / PLACE_BYTES {
        return None;
    }
    let mut places = Vec::with_capacity(count);
    let mut end = 0;
    for _ in 0..count {
        let file = FileId::of_number(u128::from_le_bytes(take_bytes(rest)?));
        let offset = u64::from_le_bytes(take_bytes(rest)?);
        let (at, len) = (u64::from_le_bytes(take_bytes(rest)?), u32::from_le_bytes(take_bytes(rest)?));
        let segment = u32::try_from(at / layout.segment_bytes).ok().filter(|s| *s < layout.segments)?;
        let place = Place { segment, len, at };
        if at < end || at % layout.segment_bytes + u64::from(len) > layout.segment_bytes {
            return None;
        }
        end = at + u64::from(len);
        places.push(((file, offset), place));
    }
    Some(Saved { position, places })
}

fn take_bytes<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (bytes, tail) = rest.split_first_chunk::<N>()?;
    *rest = tail;
    Some(*bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/tier-index/v1/two-paths");

    fn layout() -> Layout {
        Layout { boot: 7, names: vec!["/a".into(), "/b".into()], segments: 4, segment_bytes: 1000 }
    }

    fn two_paths() -> [Saved; 2] {
        let file = FileId::of_number(1 << 100);
        let place = |at: u64, len| Place { segment: (at / 1000) as u32, len, at };
        [
            Saved {
                position: Position { segment: 2, used: 500 },
                places: vec![((file, 0), place(10, 90)), ((file, 90), place(2400, 100))],
            },
            Saved::default(),
        ]
    }

    #[test]
    fn an_index_comes_back_as_it_was() {
        let bytes = encode(&layout(), &two_paths());
        let back = decode(&bytes, &layout()).unwrap();
        assert_eq!(back[0].places, two_paths()[0].places);
        assert_eq!(back[0].position, two_paths()[0].position);
        assert!(back[1].places.is_empty());
        let index = back[0].index(4);
        assert_eq!((index.pages(), index.bytes()), (2, 190));
    }

    #[test]
    fn an_index_of_another_tier_or_another_run_is_of_no_use() {
        let bytes = encode(&layout(), &two_paths());
        for other in [
            Layout { boot: 8, ..layout() },
            Layout { names: vec!["/a".into()], ..layout() },
            Layout { names: vec!["/b".into(), "/a".into()], ..layout() },
            Layout { segments: 5, ..layout() },
            Layout { segment_bytes: 999, ..layout() },
        ] {
            assert!(decode(&bytes, &other).is_none(), "{other:?}");
        }
    }

    #[test]
    fn every_flipped_bit_and_every_missing_byte_is_noticed() {
        let bytes = encode(&layout(), &two_paths());
        for bit in 0..bytes.len() * 8 {
            let mut bad = bytes.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(&bad, &layout()).is_none(), "bit {bit}");
        }
        for len in 0..bytes.len() {
            assert!(decode(&bytes[..len], &layout()).is_none(), "{len} bytes");
        }
    }

    #[test]
    fn places_that_cannot_be_are_refused_though_the_checksum_is_right() {
        type Spoil = fn(&mut Saved);
        let spoils: [(&str, Spoil); 6] = [
            ("a segment that is not there", |s| s.position.segment = 4),
            ("more bytes than a segment has", |s| s.position.used = 1001),
            ("past the end", |s| s.places[1].1.at = 4000),
            ("over a segment's end", |s| s.places[1].1.len = 601),
            ("not in order", |s| s.places.swap(0, 1)),
            ("one over another", |s| s.places[1].1.at = 50),
        ];
        for (why, spoil) in spoils {
            let mut paths = two_paths();
            spoil(&mut paths[0]);
            assert!(decode(&encode(&layout(), &paths), &layout()).is_none(), "{why}");
        }
    }

    #[test]
    fn the_bytes_are_those_of_version_1() {
        let bytes = encode(&layout(), &two_paths());
        let golden = fs::read(GOLDEN).unwrap();
        assert_eq!(bytes, golden, "docs/format/tier-index.md says what they are");
    }

    #[test]
    fn an_index_is_used_once_and_a_file_of_somebody_else_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("index");
        assert!(take(&path, &layout()).unwrap().is_none());
        write(&path, &layout(), &two_paths()).unwrap();
        assert_eq!(take(&path, &layout()).unwrap().unwrap().len(), 2);
        assert!(!path.exists());
        for broken in [&b""[..], MAGIC] {
            fs::write(&path, broken).unwrap();
            assert!(take(&path, &layout()).unwrap().is_none());
            assert!(!path.exists());
        }
        fs::write(&path, "a letter").unwrap();
        let refusal = take(&path, &layout()).err().unwrap().message;
        assert!(refusal.contains("is not an index of a block cache"), "{refusal}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "a letter");
    }
}
